# Asks from callbacks of everything that takes one
import re, json, functools, itertools, heapq, collections, statistics, bisect
f = lambda *args: later(args[0])
g = functools.partial(f, 1)
ways = [lambda: re.sub('.', f, 'abc'), lambda: json.dumps({1: {2}}, default=f), lambda: json.loads('{"a": 1}', object_hook=f),
        lambda: functools.reduce(f, [1, 2, 3]), lambda: [*itertools.accumulate([1, 2], f)], lambda: heapq.nlargest(2, [1, 2], key=f),
        lambda: collections.defaultdict(g)[1], lambda: sorted([3, 1], key=functools.cmp_to_key(f)), lambda: [*filter(f, map(g, [1]))],
        lambda: bisect.bisect([1, 2], 1, key=f), lambda: [*itertools.groupby([1], f)], lambda: [*itertools.takewhile(f, [1])], lambda: [*iter(g, 1)],
        lambda: max([1], key=f, default=g()), lambda: functools.lru_cache(f)(1), lambda: sum(f(x) for x in [f(1)]), lambda: [*map(map, [f], [[1]])],
        lambda: [f(x) for x in [1] if f(x) for y in [f(2)]], lambda: re.sub('(?P<a>x)', lambda m: f(m['a']), 'xx'), lambda: (lambda a=f(1): a)()]
for way in ways:
    try:
        print(f'{way()!r}'[:60])
    except Exception as error:
        print(str(error)[:60])
[*map(f, map(f, filter(f, [1, 2])))]
