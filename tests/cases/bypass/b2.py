# FAIL 1: exec %
#
# A way out that does not lead out (B2, R3-30).
getattr(__builtins__, 'open')('/etc/passwd')
