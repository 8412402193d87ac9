# FAIL 1: exec %
#
# A way out that does not lead out (B1).
__import__('os').system('echo pwned')
