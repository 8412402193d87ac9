# FAIL 1: exec %
#
# A way out that does not lead out (B8, R3-30).
with open('/tmp/test', 'w') as f: f.write('x')
