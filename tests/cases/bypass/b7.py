# FAIL 1: exec %
#
# A way out that does not lead out (B7, R3-30).
import os; os.listdir('/')
