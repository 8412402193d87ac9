# FAIL 1: exec %
#
# A way out that does not lead out (B6).
__import__('importlib').import_module('os')
