# FAIL 2: exec % --context %d/nowhere.txt
#
# A file that cannot be read is a mistake of the command line.
