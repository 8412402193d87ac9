# FAIL 1: exec %
#
# A way out that does not lead out (B7).
import os; os.listdir('/')
