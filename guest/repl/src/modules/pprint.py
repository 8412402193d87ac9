def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    from collections import Counter, defaultdict, deque
    dict = type({})
    tuple = type(())
    bytes = type(b'')
    def show(*args, **kwargs):
        _rlm_kit['print'](*args, **kwargs)
    address = id if type(id) is type(len) else len
    words = re.compile(r'\S+\s*|\s+')
    def before(a, b):
        try:
            return a < b
        except TypeError:
            return f'{type(a)}' < f'{type(b)}'
    def ordered(keys):
        try:
            return sorted(keys)
        except TypeError:
            pass
        done = []
        for key in keys:
            at = len(done)
            while at and before(key, done[at - 1]):
                at -= 1
            done.insert(at, key)
        return done
    def within(above, value):
        return any([outer is value for outer in above])
    def loop(value):
        return f'<Recursion on {type(value).__name__} with id={address(value)}>'
    def members(value, flat):
        # Of a data class whose repr is the usual one.
        if not hasattr(value, '__dataclass_fields__') or type(value) is type(int):
            return None
        pairs = [(name, getattr(value, name)) for name in value.__dataclass_fields__]
        return pairs if flat == f"{type(value).__name__}({', '.join([f'{k}={v!r}' for k, v in pairs])})" else None
    def pieces(text, width, room):
        lines = text.splitlines(True)
        chunks = []
        for i, line in enumerate(lines):
            last = i == len(lines) - 1
            if len(f'{line!r}') <= (width - room if last else width):
                chunks.append(line)
                continue
            chunk = ''
            parts = words.findall(line)
            for j, part in enumerate(parts):
                end = last and j == len(parts) - 1
                if chunk and len(f'{chunk + part!r}') > (width - room if end else width):
                    chunks.append(chunk)
                    chunk = part
                else:
                    chunk += part
            chunks.append(chunk)
        return chunks
    def quads(data, width, room):
        chunks, chunk = [], b''
        for i in range(0, len(data), 4):
            part = data[i:i + 4]
            if chunk and len(f'{chunk + part!r}') > (width - room if len(part) < 4 else width):
                chunks.append(chunk)
                chunk = part
            else:
                chunk += part
        return [*chunks, chunk]
    breakable = (dict, list, tuple, set, str, bytes, Counter, defaultdict, deque)
    class PrettyPrinter:
        def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
            if indent < 0:
                raise ValueError('indent must be >= 0')
            if depth is not None and depth <= 0:
                raise ValueError('depth must be > 0')
            if not width:
                raise ValueError('width must be != 0')
            self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
            self._compact, self._sort, self._underscores = compact, sort_dicts, underscore_numbers
        def pformat(self, object):
            out = []
            self._put(out, object, 0, 0, [], 0)
            return ''.join(out)
        def pprint(self, object):
            if self._stream is not None and hasattr(self._stream, 'write'):
                self._stream.write(self.pformat(object) + '\n')
            else:
                show(self.pformat(object), file=self._stream)
        def _pairs(self, value):
            return [(k, value[k]) for k in ordered([*value])] if self._sort else [*value.items()]
        def _flat(self, value, above, level):
            kind = type(value)
            if kind is int and self._underscores:
                return f'{value:_d}'
            if kind not in (dict, list, tuple) or not value:
                return f'{value!r}'
            left, right = '{}' if kind is dict else '[]' if kind is list else ('(', ',)') if len(value) == 1 else '()'
            if self._depth and level >= self._depth:
                return f'{left}...{right}'
            if within(above, value):
                return loop(value)
            above, level = [*above, value], level + 1
            if kind is dict:
                parts = [f'{self._flat(k, above, level)}: {self._flat(v, above, level)}' for k, v in self._pairs(value)]
            else:
                parts = [self._flat(v, above, level) for v in value]
            return f'{left}{", ".join(parts)}{right}'
        def _put(self, out, value, indent, room, above, level):
            # `room` is what has to fit behind the value in its line.
            kind = type(value)
            looped = within(above, value)
            flat = loop(value) if looped else self._flat(value, above, level)
            named = members(value, flat)
            can_break = kind in breakable[:3] or named or value and (kind in breakable or kind.__name__ in ('frozenset', 'OrderedDict'))
            if looped or not can_break or len(flat) <= self._width - indent - room:
                out.append(flat)
                return
            above, level = [*above, value], level + 1
            if named or kind.__name__ == 'OrderedDict':
                out.append(kind.__name__ + '(')
                indent += len(kind.__name__) + 1
                if named:
                    self._entries(out, named, indent, room, above, level, '=')
                else:
                    self._put(out, [*value.items()], indent, room + 1, above, level)
                out.append(')')
                return
            if kind is str or kind is bytes:
                top = level == 1
                chunks = (pieces if kind is str else quads)(value, self._width - indent - top, room + top)
                text = ('\n' + ' ' * (indent + top)).join([f'{chunk!r}' for chunk in chunks])
                bare = not top or (len(chunks) == 1 if kind is str else len(value) <= 4)
                out.append(text if bare else f'({text})')
                return
            left, right, shift = self._frame(kind, value, indent, above, level)
            out.append(left + ' ' * (self._indent - 1))
            room = 2 if '\n' in right else room + len(right)
            if kind in (dict, Counter, defaultdict):
                pairs = value.most_common() if kind is Counter else self._pairs(value)
                self._entries(out, pairs, indent + shift + self._indent, room, above, level)
            else:
                values = [*value] if kind in (list, tuple, deque) else ordered([*value])
                self._items(out, values, indent + shift + self._indent, room, above, level)
            out.append(right)
        def _frame(self, kind, value, indent, above, level):
            if kind is dict or kind is set:
                return '{', '}', 0
            if kind is list:
                return '[', ']', 0
            if kind is tuple:
                return '(', ',)' if len(value) == 1 else ')', 0
            if kind is deque:
                end = '])' if value.maxlen is None else f'],\n{" " * (indent + 6)}maxlen={value.maxlen})'
                return 'deque([', end, 6
            if kind is defaultdict:
                made = self._flat(value.default_factory, above, level)
                return f'defaultdict({made},\n{" " * (indent + 12)}{{', '})', 12
            return f'{kind.__name__}({{', '})', len(kind.__name__) + 1
        def _entries(self, out, pairs, indent, room, above, level, joint=': '):
            for i, (k, v) in enumerate(pairs):
                key = (k if joint == '=' else self._flat(k, above, level)) + joint
                out.append(key if i == 0 else f',\n{" " * indent}{key}')
                self._put(out, v, indent + len(key), room if i == len(pairs) - 1 else 1, above, level)
        def _items(self, out, values, indent, room, above, level):
            line = ',\n' + ' ' * indent
            full = left = self._width - indent + 1
            joint = ''
            for i, value in enumerate(values):
                last = i == len(values) - 1
                if last:
                    full, left = full - room, left - room
                if self._compact:
                    flat = self._flat(value, above, level)
                    if left < len(flat) + 2:
                        left, joint = full, joint and line
                    if left >= len(flat) + 2:
                        left -= len(flat) + 2
                        out.append(joint + flat)
                        joint = ', '
                        continue
                out.append(joint)
                joint = line
                self._put(out, value, indent, room if last else 1, above, level)
    def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        return PrettyPrinter(indent, width, depth, None, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pformat(object)
    def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
        PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers).pprint(object)
    def pp(object, *args, sort_dicts=False, **kwargs):
        pprint(object, *args, sort_dicts=sort_dicts, **kwargs)
    def saferepr(object):
        return PrettyPrinter()._flat(object, [], 0)
    return _rlm_Module('pprint', {
        'PrettyPrinter': PrettyPrinter, 'pformat': pformat, 'pprint': pprint, 'pp': pp, 'saferepr': saferepr,
    })
_rlm_module_pprint = _rlm_load(*_rlm_kit['builtins'])
