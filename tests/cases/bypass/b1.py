# FAIL 1: exec %
#
# A way out that does not lead out (B1, R3-30).
__import__('os').system('echo pwned')
