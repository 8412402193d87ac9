# RUN: exec %
#
# Modules of the standard library that need no system are there (V3).
import json
return json.loads('{"a": 1}')["a"]
