# Walks through attributes and items by formats, with arguments that answer everything
import string, logging
class All:
    def __getattr__(self, name): return self
    def __getitem__(self, key): return self
    def __format__(self, spec): return '{0.__class__}' * 1000
    def __call__(self, *args, **more): return self
texts = ['{0.__class__.__init__.__globals__[sys].modules[os].environ}', '{0.__self__}{0.__module__}', '{a.b.c[d][e].f!r:{0}}', '{0:{1:{2}}}', '{' * 3000 + '}' * 3000, '{0.' + 'a.' * 100000 + 'a}',
         '{0[' + 'a' * 100000 + ']}', '{:{}{}{}}', '{0!z}', '{!r:!r}', '{0[0][0].x}', '{99999999999999999999}', '{-1}', '{0.__format__.__func__.__code__}', '{ }', '{0:>9999999999}', '{0:\x00}', '{\ud7ff}']
for text in texts:
    for thing in (print, All(), echo, FINAL, logging, (lambda: 0), All):
        for way in (lambda: text.format(thing, *[thing] * 5, a=thing), lambda: text.format_map({'a': thing, '0': thing}), lambda: string.Template(text.replace('{', '${')).substitute(a=thing),
                    lambda: string.Formatter().format(text, thing, a=thing), lambda: format(thing, text), lambda: text % thing, lambda: eval(f"f'{text}'", {'a': thing}), lambda: str.format(text, thing)):
            try:
                result = way()
            except Exception as error:
                result = str(error)
print(result[:100])
