# RUN: exec % --context %d/notes.txt --context context=%d/rows.json
#
# The file with the name `context` is `context`, as text unless it is parsed.
print(sorted(files), context_files)
context
