# FAIL 1: exec %
#
# A way out that does not lead out (B2).
getattr(__builtins__, 'open')('/etc/passwd')
