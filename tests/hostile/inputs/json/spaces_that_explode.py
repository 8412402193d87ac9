# Indents and separators that turn a little into gigabytes
import json
deep = []
for i in range(90):
    deep = [deep, 1]
def go(f):
    try:
        print(len(f()))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
go(lambda: json.dumps(deep, indent=-5))
go(lambda: json.dumps(deep, indent='\U0001f600' * 100))
go(lambda: json.dumps(deep, indent=True, separators=('', '')))
go(lambda: json.dumps([1] * 1000, separators=(',' * 9000, ':')))
go(lambda: json.dumps({1: 2}, separators=(1, 2)))
go(lambda: json.dumps(['\x00' * 1_000_000]))
go(lambda: json.dumps(['\U0001f600' * 2_000_000]))
go(lambda: json.dumps('é' * 2_000_000, ensure_ascii=False))
go(lambda: json.dumps(deep, indent=10 ** 30))
go(lambda: json.dumps(deep, indent=50_000_000))
