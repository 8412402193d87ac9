# FAIL 1: exec %
#
# A way out that does not lead out (B6, R3-30).
__import__('importlib').import_module('os')
