# FAIL 2: exec % --context %d/notes.txt --context %d/../contexts/notes.txt
#
# Two files of one name need another name.
