# FAIL 1: exec %
#
# A way out that does not lead out (B5, R3-30).
open('/etc/passwd').read()
