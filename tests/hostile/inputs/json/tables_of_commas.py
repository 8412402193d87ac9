# Tables whose rows, quotes and lines never end, read, written, and sniffed at
import csv, io
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
class Row:
    def __iter__(self):
        return iter([self] * 3)
    def __str__(self):
        return ','.join(['"'] * 9)
def write(rows, **named):
    out = io.StringIO()
    csv.writer(out, **named).writerows(rows)
    return len(out.getvalue())
go(lambda: write([[Row(), None, 1e308, '"' * 100_000, '\r\n\x00', b'x']] * 9))
go(lambda: write([Row()] * 9, quoting=csv.QUOTE_NONE))
go(lambda: write([[1]], delimiter='ab', quotechar=''))
go(lambda: write([5]))
for text in ('"' * 1001, ',' * 1000, '"a\n' * 900, 'a"b"c' * 900, '\x00\r\r\n' * 900, '"' + 'x' * 300_000, 'a,b\n' * 2_000, '\\' * 900):
    go(lambda: len(list(csv.reader([text]))))
    go(lambda: len(list(csv.reader(text.splitlines(True), strict=True, escapechar='\\'))))
    go(lambda: len(list(csv.DictReader(io.StringIO(text)))))
    go(lambda: csv.Sniffer().sniff(text[:60]).delimiter)
go(lambda: next(csv.reader(iter([csv, 5]))))
csv.Sniffer().sniff('"a" ,' * 20_000)
