# RUN: exec % --tool 'echo=cat' --tool 'total(rows,scale)=tr 0-9 1-9'
#
# A tool is a command: arguments in as JSON, JSON or text out.
print(echo(1, "two", key=[3]))
print(total([1, 2], scale=3))
