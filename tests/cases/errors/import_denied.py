# FAIL 1: exec %
#
# Modules that reach for the machine are refused before anything runs.
print("never")
import os
