# Wraps, fills, shortens and undents what has no place to break, or nothing but places
import textwrap, html, shlex, string, urllib.parse, pprint, fnmatch
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
for f in (
    lambda: len(textwrap.wrap('a' * 3000, 1)), lambda: len(textwrap.wrap('-' * 3000, 5)), lambda: len(textwrap.wrap('a-' * 900, 1)), lambda: textwrap.wrap('a b', 0), lambda: textwrap.fill('a ' * 900, -5), lambda: textwrap.shorten('a ' * 9000, 5, placeholder='x' * 99_999),
    lambda: len(textwrap.wrap('a b ' * 99, 9, initial_indent=' ' * 99_999)), lambda: len(textwrap.dedent(''.join(' ' * i + 'x\n' for i in range(500)))), lambda: len(textwrap.indent('\n' * 900, 'x' * 5000, lambda l: True)), lambda: len(textwrap.wrap('\t' * 900, 9, tabsize=999)),
    lambda: html.unescape('&' * 9000 + '&#99999999999999999999;&#xd800;&#0;&Amp' * 90), lambda: len(html.escape('<' * 999_999)), lambda: len(shlex.split("'a" * 3001)), lambda: len(shlex.quote("'" * 99_999)), lambda: string.Template('$' * 9001).substitute(), lambda: string.Template('${a}' * 900).substitute(a='$a' * 9000)[:1],
    lambda: len(urllib.parse.unquote('%' * 9001)), lambda: urllib.parse.urlparse('http://[' + ':' * 9000), lambda: len(urllib.parse.quote('é' * 9000)), lambda: len(urllib.parse.parse_qs('a=1&' * 2000)), lambda: urllib.parse.urljoin('a/' * 900, '../' * 999), lambda: fnmatch.fnmatch('a' * 40, '*a' * 20 + 'b'), lambda: pprint.pformat([[[]] * 9] * 99, width=-1)[:9],
    lambda: textwrap.wrap('a' * 30_000 + '--' * 30_000 + '-b', 10)[:1],
):
    go(f)
