# RUN: exec % --context %d/notes.txt --context context=%d/rows.json
#
# The file of the field `context` is `context`, as text unless it is parsed.
context
