# FAIL 1: exec %
#
# There are no packages.
import numpy as np
