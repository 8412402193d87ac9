# FAIL 1: exec %
#
# A way out that does not lead out (B3).
import subprocess; subprocess.run(['ls'])
