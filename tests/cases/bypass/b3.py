# FAIL 1: exec %
#
# A way out that does not lead out (B3, R3-30).
import subprocess; subprocess.run(['ls'])
