# `re` as Python has it, on top of Monty's; see `compat/regex.rs`.
#
# A pattern is put into the words of Monty's engine, where `$`, `{`, sets and
# flags mean something else, and told apart by how many characters it takes:
# where it may take none, matches are looked for one by one.
def _rlm_load(type, len, str, bytes, int, hasattr, isinstance, list, dict, min, max, range, ord, chr, iter, hash, repr):
    import re, binascii
    MANY = 1 << 30
    word = 'a-zA-Z0-9_'
    ascii_sets = {'d': '0-9', 'w': word, 's': ' \\t\\n\\r\\x0b\\x0c'}
    controls = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'f': '\f', 'v': '\v'}
    letters = {'i': 2, 'm': 8, 's': 16, 'x': 64, 'a': 256, 'u': 32, 'L': 4}
    flag_names = ((256, 'ASCII'), (2, 'IGNORECASE'), (4, 'LOCALE'), (32, 'UNICODE'), (8, 'MULTILINE'), (16, 'DOTALL'), (64, 'VERBOSE'))
    # Patterns by text and flags, the oldest first, and about how many kilobytes they have.
    cache = {}
    cached = [0]
    MOST_CACHED = 16384
    full = []
    def encoded(text):
        return binascii.unhexlify(''.join([f'{ord(c):02x}' for c in text]))
    def fail(text, at):
        raise re.error(f'{text} at position {at}')
    def lit(c):
        return '\\' + c if c in '\\.^$*+?{}[]()|&~-#' else c
    def parse(p, flags):
        # What Monty is to compile, with None for `$`, and what is known of it.
        text = []
        names = {}
        widths = {}
        closed = []
        simple = [True]
        n = len(p)
        # About how many kilobytes the compiled pattern has: sets of Unicode are large, and counts repeat them.
        size = [32 + n // 20]
        def take(i, more):
            digits = p[i:i + more]
            if len(digits) < more or [c for c in digits if c not in '0123456789abcdefABCDEF']:
                fail(f'incomplete escape {p[i - 2:i + len(digits)]}', i - 2)
            return chr(int(digits, 16)), i + more
        def escaped(i, in_set):
            # The character that an escape stands for, if it does, and where it ends.
            c = p[i + 1:i + 2]
            if c == '':
                fail('bad escape (end of pattern)', i)
            if c in controls:
                return controls[c], i + 2
            if c == 'b' and in_set:
                return '\b', i + 2
            if c in 'xuU':
                return take(i + 2, {'x': 2, 'u': 4, 'U': 8}[c])
            if c in '01234567' and (c == '0' or in_set or (len(p[i + 1:i + 4]) == 3 and not [d for d in p[i + 1:i + 4] if d not in '01234567'])):
                j = i + 1
                while j < i + 4 and p[j:j + 1] != '' and p[j] in '01234567':
                    j += 1
                return chr(int(p[i + 1:j], 8)), j
            if c not in 'dDwWsS' + ('' if in_set else 'AbBZ123456789'):
                if c.isascii() and c.isalnum():
                    fail(f'bad escape \\{c}', i)
                return c, i + 2
            return None, i + 2
        def named(c, flags, in_set):
            low = c.lower()
            if not flags & 256:
                return '\\' + c
            if low == c:
                return ascii_sets[c] if in_set else f'[{ascii_sets[c]}]'
            return f'[^{ascii_sets[low]}]'
        def members(i, flags):
            # A set, from behind its bracket.
            start = i - 1
            out = ['[']
            if p[i:i + 1] == '^':
                out.append('^')
                i += 1
            first = i
            def member(i):
                if i >= n:
                    fail('unterminated character set', start)
                if p[i] == '\\':
                    c, end = escaped(i, True)
                    return (c, end) if c is not None else (named(p[i + 1], flags, True), -end)
                return p[i], i + 1
            while True:
                if i >= n:
                    fail('unterminated character set', start)
                if p[i] == ']' and i > first:
                    out.append(']')
                    return ''.join(out), i + 1
                at = i
                low, i = member(i)
                if i >= 0 and p[i:i + 1] == '-' and p[i + 1:i + 2] not in ('', ']'):
                    high, i = member(i + 1)
                    if i < 0 or high < low:
                        fail(f'bad character range {p[at:abs_(i)]}', at)
                    out.append(f'{lit(low)}-{lit(high)}')
                elif i < 0:
                    i = -i
                    out.append(low)
                    if p[i:i + 1] == '-' and p[i + 1:i + 2] not in ('', ']'):
                        fail(f'bad character range {p[at:i + 2]}', at)
                else:
                    out.append(lit(low))
        def abs_(i):
            return -i if i < 0 else i
        def repeat(i):
            # How often, where a quantifier stands at `i`, and where it ends.
            c = p[i]
            if c != '{':
                return {'*': (0, MANY), '+': (1, MANY), '?': (0, 1)}[c], i + 1
            j = i + 1
            if p[j:j + 1] == '}':
                return None, i
            while p[j:j + 1].isdigit():
                j += 1
            low = high = p[i + 1:j]
            if p[j:j + 1] == ',':
                k = j + 1
                while p[k:k + 1].isdigit():
                    k += 1
                high = p[j + 1:k]
                j = k
            if p[j:j + 1] != '}':
                return None, i
            low = int(low) if low else 0
            high = int(high) if high else MANY
            if high < low:
                fail('min repeat greater than max repeat', i + 1)
            return (low, high), j + 1
        def back(number):
            # With names, Monty's engine wants names everywhere.
            for name, n in names.items():
                if n == number:
                    return f'(?P={name})'
            if '(?P<' in p:
                raise NotImplementedError('a numbered reference beside named groups is not available in this sandbox')
            return f'(?:\\{number})'
        def branches(i, flags, depth, start):
            # Up to the parenthesis that closes; the least and most that it takes.
            low = high = None
            while True:
                l, h, i, flags = sequence(i, flags, depth)
                low = l if low is None else min(low, l)
                high = h if high is None else max(high, h)
                if p[i:i + 1] != '|':
                    break
                text.append('|')
                simple[0] = False
                i += 1
            if depth and i >= n:
                fail('missing ), unterminated subpattern', start)
            return low, high, i
        def sequence(i, flags, depth):
            low = high = 0
            while i < n and p[i] != '|':
                c = p[i]
                if c == ')':
                    if depth:
                        break
                    fail('unbalanced parenthesis', i)
                if flags & 64 and c in ' \t\n\r\f\v':
                    i += 1
                    continue
                if flags & 64 and c == '#':
                    while i < n and p[i] != '\n':
                        i += 1
                    continue
                if c.isalnum():
                    # A run of plain characters; the last may be repeated.
                    end = i + 1
                    while end < n and p[end].isalnum():
                        end += 1
                    if end > i + 1:
                        text.append(p[i:end - 1])
                        low += end - 1 - i
                        high = min(MANY, high + end - 1 - i)
                        i = end - 1
                        c = p[i]
                at = i
                before = size[0]
                width = (1, 1)
                anchor = False
                i += 1
                if c == '\\':
                    given, i = escaped(at, False)
                    kind = p[at + 1]
                    if given is not None:
                        text.append(lit(given))
                    elif kind in 'AbBZ':
                        width = (0, 0)
                        anchor = True
                        if kind in 'bB' and flags & 256:
                            text.append(f'(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))' if kind == 'b' else f'(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))')
                        else:
                            text.append({'A': '\\A', 'Z': '\\z'}.get(kind, '\\' + kind))
                    elif kind.isdigit():
                        if p[i:i + 1].isdigit():
                            i += 1
                        number = int(p[at + 1:i])
                        if number > len(widths) or widths[number] is None:
                            fail('cannot refer to an open group' if number in widths else f'invalid group reference {number}', at + 1 if number not in widths else at)
                        width = widths[number]
                        text.append(back(number))
                    else:
                        size[0] += 4 if flags & 256 else 128
                        text.append(named(kind, flags, False))
                elif c == '[':
                    given, i = members(i, flags)
                    size[0] += 128 if [kind for kind in ('\\w', '\\d', '\\s') if kind in given.lower()] else 4
                    text.append(given)
                elif c == '.':
                    size[0] += 4
                    text.append('.')
                elif c == '^':
                    width = (0, 0)
                    anchor = True
                    text.append('(?m:^)' if flags & 8 else '\\A')
                elif c == '$':
                    width = (0, 0)
                    anchor = True
                    text.append('(?m:$)' if flags & 8 else None)
                elif c == '(':
                    width, i, flags, anchor = group(i, flags, depth)
                    if width is None:
                        continue
                elif c in '*+?' or c == '{' and repeat(at)[0] is not None:
                    fail('nothing to repeat', at)
                else:
                    size[0] += 1
                    text.append(lit(c))
                while flags & 64 and p[i:i + 1] != '' and p[i] in ' \t\n\r\f\v':
                    i += 1
                if p[i:i + 1] != '' and p[i] in '*+?{':
                    times, end = repeat(i)
                    if times is not None:
                        if anchor:
                            fail('nothing to repeat', i)
                        text.append('{%s,%s}' % (times[0], '' if times[1] == MANY else times[1]) if p[i] == '{' else p[i])
                        i = end
                        if p[i:i + 1] in ('?', '+') and p[i:i + 1] != '':
                            text.append(p[i])
                            simple[0] = False
                            i += 1
                        if p[i:i + 1] != '' and p[i] in '*+?{' and repeat(i)[0] is not None:
                            fail('multiple repeat', i)
                        width = (width[0] * times[0], min(MANY, width[1] * times[1]))
                        size[0] += (size[0] - before) * (max(times[0] if times[1] == MANY else times[1], 1) - 1)
                if anchor or c == '\\' and p[at + 1].isdigit():
                    simple[0] = False
                low += width[0]
                high = min(MANY, high + width[1])
            return low, high, i, flags
        def group(i, flags, depth):
            start = i - 1
            if p[i:i + 1] != '?':
                return captured(i, flags, depth, start, '(', None)
            for mark in ('?P<', '?P=', '?:', '?=', '?!', '?<=', '?<!', '?>', '?#', '?('):
                if p[i:i + len(mark)] == mark:
                    break
            else:
                return flagged(i + 1, flags, depth, start)
            i += len(mark)
            if mark not in ('?P<', '?:', '?#'):
                simple[0] = False
            if mark == '?P<':
                end = p.find('>', i)
                if end < 0:
                    fail('missing >, unterminated name', i)
                name = p[i:end]
                if not name:
                    fail('missing group name', i)
                if not name.isidentifier():
                    fail(f'bad character in group name {name!r}', i)
                if name in names:
                    fail(f'redefinition of group name {name!r} as group {len(widths) + 1}; was group {names[name]}', i)
                return captured(end + 1, flags, depth, start, f'(?P<{name}>', name)
            if mark == '?P=':
                end = p.find(')', i)
                name = p[i:end]
                if name not in names:
                    fail(f'unknown group name {name!r}', i)
                if widths[names[name]] is None:
                    fail('cannot refer to an open group', i)
                text.append(back(names[name]))
                return widths[names[name]], end + 1, flags, False
            if mark == '?#':
                end = p.find(')', i)
                if end < 0:
                    fail('missing ), unterminated comment', start)
                return None, end + 1, flags, False
            if mark == '?(':
                end = p.find(')', i)
                which = p[i:end]
                text.append(f'(?({names.get(which, which)})')
                l, h, i = branches(end + 1, flags, depth + 1, start)
                text.append(')')
                return (0, h), i + 1, flags, False
            text.append('(' + mark)
            l, h, i = branches(i, flags, depth + 1, start)
            text.append(')')
            if mark in ('?:', '?>'):
                return (l, h), i + 1, flags, False
            if mark in ('?<=', '?<!'):
                if l != h:
                    raise re.error('look-behind requires fixed-width pattern')
            return (0, 0), i + 1, flags, False
        def captured(i, flags, depth, start, head, name):
            number = len(widths) + 1
            widths[number] = None
            if name:
                names[name] = number
            text.append(head)
            l, h, i = branches(i, flags, depth + 1, start)
            text.append(')')
            widths[number] = (l, h)
            closed.append(number)
            return (l, h), i + 1, flags, False
        def flagged(i, flags, depth, start):
            on = off = 0
            minus = False
            while i < n and p[i] in 'imsxauL-':
                if p[i] == '-':
                    minus = True
                elif minus:
                    off |= letters[p[i]]
                else:
                    on |= letters[p[i]]
                i += 1
            if i >= n:
                fail('missing -, : or )', i)
            if p[i] == ')' and on and not minus:
                if start:
                    fail('global flags not at the start of the expression', start)
                return None, i + 1, flags, False
            if p[i] != ':' or not (on or off):
                fail(f'unknown extension ?{p[start + 2:start + 3]}', start + 1)
            ours = ''.join([c for c in 'is' if on & letters[c]])
            not_ours = ''.join([c for c in 'is' if off & letters[c]])
            text.append(f'(?{ours}-{not_ours}:' if not_ours else f'(?{ours}:')
            l, h, i = branches(i + 1, (flags | on) & ~off, depth + 1, start)
            text.append(')')
            return (l, h), i + 1, flags, False
        start = 0
        if p[:2] == '(?':
            # Flags for all of it.
            j = 2
            while p[j:j + 1] != '' and p[j] in 'imsxauL':
                j += 1
            if p[j:j + 1] == ')' and j > 2:
                for c in p[2:j]:
                    flags |= letters[c]
        low, high, end = branches(0, flags, 0, 0)
        return text, flags, names, len(widths), closed, low, high, simple[0], size[0]
    def natively_of(text, flags):
        made = {}
        def natively(key):
            # What is made of one key is always the same, and no object of a script's is asked whether it is one of them.
            way, moves, soft = key
            if way is not None and type(way) is not str or moves is not True and moves is not False or soft is not True and soft is not False:
                raise TypeError('a way of searching is expected')
            found = made.get((way, moves, soft))
            if found is None:
                source = ''.join([c if c is not None else '(?=\\n?\\z)' if soft else '\\z' for c in text])
                if way is not None:
                    begin = '(?:' if way == 'search' else '\\G(?:'
                    end = ')\\z' if way == 'fullmatch' else ')'
                    source = begin + source + end + ('(?!\\G)' if moves else '')
                found = made[(way, moves, soft)] = re.compile(source, flags)
            return found
        return natively
    class Pattern:
        def __init__(self, pattern, flags):
            self._bytes = type(pattern) is bytes
            p = ''.join([chr(b) for b in pattern]) if self._bytes else pattern
            if self._bytes:
                flags |= 256
            text, flags, names, groups, closed, low, high, simple, size = parse(p, flags)
            self.pattern = pattern
            self.flags = flags & ~256 if self._bytes else flags if flags & 256 else flags | 32
            self.groups = groups
            self._native = flags & 18
            # Others that compile the same text are given this one, too, so nothing in it can be changed.
            self._named = (*names.items(),)
            self._closed = (*closed,)
            self._text = (*text,)
            self._size = size
            # Whether it may take nothing, or something.
            self._solid = low > 0
            self._fits = low > 0 or high == 0
            # Whether it may take nothing anywhere, and takes what it can.
            self._simple = simple and low == 0
            self._natively = natively_of(self._text, self._native)
            self._hard = self._natively((None, False, False))
            self._frozen = True
        @property
        def groupindex(self):
            return {name: number for name, number in self._named}
        def _for(self, s):
            # `$` is also before a line end at the very end.
            if s[-1:] != '\n' or None not in self._text:
                return self._hard
            return self._natively((None, False, True))
        def _at(self, s, way, moves):
            # The same for where a search begins (`\G`): `match` and `fullmatch` have to begin there, what moves has to end behind it.
            return self._natively((way, moves, s[-1:] == '\n'))
        def search(self, string, pos=0, endpos=MANY):
            return found(self, 'search', string, pos, endpos)
        def match(self, string, pos=0, endpos=MANY):
            return found(self, 'match', string, pos, endpos)
        def fullmatch(self, string, pos=0, endpos=MANY):
            return found(self, 'fullmatch', string, pos, endpos)
        def finditer(self, string, pos=0, endpos=MANY):
            return iter(every(self, string, pos, endpos))
        def findall(self, string, pos=0, endpos=MANY):
            if self._fits and pos == 0 and endpos == MANY and not self._bytes:
                return self._for(checked(self, string)).findall(string)
            out = []
            for m in every(self, string, pos, endpos):
                empty = b'' if self._bytes else ''
                got = [empty if g is None else g for g in m.groups()]
                out.append(m.group() if self.groups == 0 else got[0] if self.groups == 1 else (*got,))
            return out
        def sub(self, repl, string, count=0):
            if type(repl) is str and '\\' not in repl and '$' not in repl and self._fits and not self._bytes:
                return self._for(checked(self, string)).sub(repl, string, count)
            return replaced(self, repl, string, count)[0]
        def subn(self, repl, string, count=0):
            return replaced(self, repl, string, count)
        def split(self, string, maxsplit=0):
            if self._solid and not self._bytes:
                return self._for(checked(self, string)).split(string, maxsplit)
            out = []
            done = n = 0
            for m in every(self, string, 0, MANY) if maxsplit >= 0 else []:
                if maxsplit and n >= maxsplit:
                    break
                out.append(string[done:m.start()])
                out.extend(m.groups())
                done = m.end()
                n += 1
            out.append(string[done:])
            return out
        def __eq__(self, other):
            return type(other) is Pattern and self.pattern == other.pattern and self.flags == other.flags
        def __hash__(self):
            return hash((self.pattern, self.flags))
        def __repr__(self):
            shown = [f're.{name}' for flag, name in flag_names if self.flags & flag and flag != 32]
            return f"re.compile({repr(self.pattern)[:200]}{', ' + '|'.join(shown) if shown else ''})"
    class Match:
        def __init__(self, pattern, m, string, pos, endpos):
            self.re = pattern
            self.string = string
            self.pos = pos
            self.endpos = endpos
            self._m = m
        def _out(self, text):
            return encoded(text) if text is not None and self.re._bytes else text
        def _of(self, n):
            if n == 0:
                return self.string[self.start():self.end()]
            return self._out(self._m.group(n))
        def __getitem__(self, n):
            return self._of(n)
        def group(self, *n):
            if not n:
                return self._of(0)
            return self._of(n[0]) if len(n) == 1 else (*[self._of(i) for i in n],)
        def groups(self, default=None):
            return (*[default if g is None else self._out(g) for g in self._m.groups()],)
        def groupdict(self, default=None):
            return {k: default if g is None else self._out(g) for k, g in self._m.groupdict().items()}
        def start(self, n=0):
            return self._m.start(self.re.groupindex.get(n, n))
        def end(self, n=0):
            return self._m.end(self.re.groupindex.get(n, n))
        def span(self, n=0):
            return (self.start(n), self.end(n))
        def expand(self, template):
            return expanded(self, template)
        def _regs(self):
            return (*[self.span(n) for n in range(self.re.groups + 1)],)
        def _lastindex(self):
            # The group that was closed last.
            best = None
            for n in self.re._closed:
                end = self._m.end(n)
                if end >= 0 and (best is None or end >= last):
                    best = n
                    last = end
            return best
        def _lastgroup(self):
            last = self._lastindex()
            for name, n in self.re.groupindex.items():
                if n == last:
                    return name
            return None
        def __repr__(self):
            return f'<re.Match object; span={self.span()!r}, match={self.group()!r}>'
    def checked(p, string):
        if type(string) is str:
            if p._bytes:
                raise TypeError('cannot use a bytes pattern on a string-like object')
            return string
        if hasattr(string, '_rlm_bytes'):
            string = string._rlm_bytes()
        if type(string) is not bytes:
            raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
        if not p._bytes:
            raise TypeError('cannot use a string pattern on a bytes-like object')
        return ''.join([chr(b) for b in string])
    def found(p, way, string, pos, endpos, moves=False):
        s = checked(p, string)
        n = len(s)
        end = n if endpos >= n else max(endpos, 0)
        at = min(max(pos, 0), n)
        if at > end:
            return None
        if end < n:
            s = s[:end]
        if moves or at > 0 and way != 'search':
            m = p._at(s, way, moves).search(s, at)
        else:
            native = p._for(s)
            m = native.search(s, at) if way == 'search' else native.match(s) if way == 'match' else native.fullmatch(s)
        return m if m is None or at == 0 and not full and end == n and not p._bytes else Match(p, m, string, at, end)
    def every(p, string, pos, endpos):
        s = checked(p, string)
        if p._fits and pos <= 0 and endpos >= len(s):
            found_ = p._for(s).finditer(s)
            return [Match(p, m, string, 0, len(s)) for m in found_] if full or p._bytes else found_
        out = []
        def add(m):
            out.append(Match(p, m, string, 0, len(s)) if full or p._bytes else m)
        if p._simple and pos <= 0 and endpos >= len(s):
            # Monty leaves out the nothing right behind something.
            end = None
            for m in p._hard.finditer(s):
                if end is not None and m.start() != end:
                    add(p._hard.search(s, end))
                add(m)
                end = m.end() if m.end() > m.start() else None
            if end is not None:
                add(p._hard.search(s, end))
            return out
        moves = False
        at = max(pos, 0)
        while True:
            m = found(p, 'search', string, at, endpos, moves)
            if m is None:
                return out
            out.append(m)
            moves = m.end() == m.start()
            at = m.end()
    def templated(p, template):
        # Texts and numbers of groups.
        empty = template[:0]
        if type(template) is bytes:
            template = ''.join([chr(b) for b in template])
        out = []
        i = 0
        n = len(template)
        while i < n:
            c = template[i]
            if c != '\\':
                out.append(c)
                i += 1
                continue
            c = template[i + 1:i + 2]
            if c == '':
                fail('bad escape (end of pattern)', i)
            if c == 'g':
                if template[i + 2:i + 3] != '<':
                    fail('missing <', i + 2)
                end = template.find('>', i)
                if end < 0:
                    fail('missing >, unterminated name', i + 3)
                name = template[i + 3:end]
                if not name:
                    fail('missing group name', i + 3)
                if not name.isdigit() and not name.isidentifier():
                    fail(f'bad character in group name {name!r}', i + 3)
                if not name.isdigit() and name not in p.groupindex:
                    raise IndexError(f'unknown group name {name!r}')
                number = int(name) if name.isdigit() else p.groupindex[name]
                if number > p.groups:
                    fail(f'invalid group reference {number}', i + 3)
                out.append(number)
                i = end + 1
            elif c.isdigit():
                digits = template[i + 1:i + 4]
                octal = len(digits) == 3 and not [d for d in digits if d not in '01234567']
                end = i + 2
                if c == '0' or octal:
                    while end < i + (4 if octal else 3) and template[end:end + 1] != '' and template[end] in '01234567':
                        end += 1
                    if int(template[i + 1:end], 8) > 255:
                        fail(f'octal escape value \\{template[i + 1:end]} outside of range 0-0o377', i)
                    out.append(chr(int(template[i + 1:end], 8)))
                else:
                    if template[end:end + 1].isdigit():
                        end += 1
                    number = int(template[i + 1:end])
                    if number > p.groups:
                        fail(f'invalid group reference {number}', i + 1)
                    out.append(number)
                i = end
            else:
                if c in controls:
                    out.append(controls[c])
                elif c == '\\':
                    out.append(c)
                elif c.isascii() and c.isalpha():
                    fail(f'bad escape \\{c}', i)
                else:
                    out.append('\\' + c)
                i += 2
        return [encoded(part) if p._bytes and type(part) is str else part for part in out]
    def filled(m, parts, empty):
        return empty.join([part if type(part) is not int else m.group(part) or empty for part in parts])
    def expanded(m, template):
        return filled(m, templated(m.re, template), template[:0])
    def replaced(p, repl, string, count):
        empty = string[:0]
        parts = templated(p, repl) if type(repl) in (str, bytes) else None
        out = []
        done = n = 0
        for m in every(p, string, 0, MANY) if count >= 0 else []:
            if count and n >= count:
                break
            if m.start() > done:
                out.append(string[done:m.start()])
            if parts is None:
                item = asked(p, repl, m, string)
                if item is not None:
                    out.append(item)
            else:
                out.append(filled(m, parts, empty))
            done = m.end()
            n += 1
        if done < len(string):
            out.append(string[done:])
        return empty.join(out), n
    def asked(p, repl, m, string):
        try:
            return repl(m)
        except TypeError as error:
            # `{}.get` as a replacement, for which there has to be a hash.
            if f'{error}'[:21] != "cannot use 're.Match'":
                raise
        return repl(Match(p, m, string, 0, len(string)))
    def of(pattern, flags=0):
        if type(pattern) is Pattern:
            if flags:
                raise ValueError('cannot process flags argument with a compiled pattern')
            return pattern
        if isinstance(pattern, re.Pattern):
            if flags:
                raise ValueError('cannot process flags argument with a compiled pattern')
            flags = pattern.flags
            pattern = pattern.pattern
        if type(pattern) not in (str, bytes):
            raise TypeError('first argument must be string or compiled pattern')
        key = (pattern, int(flags))
        p = cache.get(key)
        if p is None:
            p = cache[key] = Pattern(pattern, int(flags))
            cached[0] += p._size
            for oldest in list(cache) if cached[0] > MOST_CACHED else []:
                cached[0] -= cache.pop(oldest)._size
                if cached[0] <= MOST_CACHED:
                    break
        return p
    def sub(pattern, repl, string, count=0, flags=0):
        return of(pattern, flags).sub(repl, string, count)
    def subn(pattern, repl, string, count=0, flags=0):
        return of(pattern, flags).subn(repl, string, count)
    def search(pattern, string, flags=0):
        return of(pattern, flags).search(string)
    def match(pattern, string, flags=0):
        return of(pattern, flags).match(string)
    def fullmatch(pattern, string, flags=0):
        return of(pattern, flags).fullmatch(string)
    def findall(pattern, string, flags=0):
        return of(pattern, flags).findall(string)
    def finditer(pattern, string, flags=0):
        return of(pattern, flags).finditer(string)
    def split(pattern, string, maxsplit=0, flags=0):
        return of(pattern, flags).split(string, maxsplit)
    def purge():
        cache.clear()
        cached[0] = 0
    return of, sub, subn, search, match, fullmatch, findall, finditer, split, full, (re.Pattern, Pattern), (re.Match, Match), purge
_rlm_re_compile, _rlm_re_sub, _rlm_re_subn, _rlm_re_search, _rlm_re_match, _rlm_re_fullmatch, _rlm_re_findall, _rlm_re_finditer, _rlm_re_split, _rlm_re_full, _rlm_re_Pattern, _rlm_re_Match, _rlm_re_purge = _rlm_load(type, len, str, bytes, int, hasattr, isinstance, list, dict, min, max, range, ord, chr, iter, hash, repr)
