# RUN: run % --seed 7 --now 2026-01-31T12:00:00+01:00
#
# Randomness and time are what the command line says.
import random
from datetime import datetime
print(random.Random(7).random() == random.random())
datetime.now().isoformat()[:16]
