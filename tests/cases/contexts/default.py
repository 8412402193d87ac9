# RUN: exec % --context %d/notes.txt --context %d/rows.json:json --context again.txt=%d/notes.txt
#
# Files are readable by name and by number, and one of them is `context`.
print(context_files)
print(context == files["again.txt"], context_0.splitlines()[0])
print(context_2["rows"], len(files["rows.json"]))
print(read_context("notes.txt", 6, 5), read_context("notes.txt", -6).strip())
