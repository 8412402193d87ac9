# FAIL 3: exec % --limit allocations=20000
# Allocations are counted.
kept = []
while True:
    kept.append([len(kept)])
