# Functions given to sub that match again, change what is searched, wait, give no text, or fail
import re
seen = []
def deeper(m):
    seen.append(m)
    return re.sub('a', deeper, m.string) if len(seen) < 5000 else m
def waits(m):
    return later(m.group()) + echo(m.group())
def purges(m):
    re.purge()
    exec('import re; re.sub("a", "b", "a" * 99)')
    return re.compile('x' * len(seen)).sub(purges, 'xx') if len(seen) % 2 else 'a'
for repl in (deeper, waits, purges, lambda m: m, lambda m: None, lambda m: 1, lambda: '', lambda m: 1 / 0, len, echo, later, str.upper, {}.get, lambda m: fail('ValueError', m.group()), lambda m: soon('x'), repr, print):
    try:
        print(len(re.sub('a', repl, 'a' * 300)))
    except BaseException as e:
        print(type(e).__name__, str(e)[:60])
re.sub('b', waits, 'b' * 20_000)
