def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    from collections import namedtuple
    Match = namedtuple('Match', 'a b size')
    blank = re.compile(r'\s*(?:#\s*)?$')
    def share(same, total):
        return 2.0 * same / total if total else 1.0
    class SequenceMatcher:
        def __init__(self, isjunk=None, a='', b='', autojunk=True):
            self.isjunk, self.autojunk = isjunk, autojunk
            self.a = self.b = None
            self.set_seqs(a, b)
        def set_seqs(self, a, b):
            self.set_seq1(a)
            self.set_seq2(b)
        def set_seq1(self, a):
            if a is not self.a:
                self.a = a
                self.matching_blocks = self.opcodes = None
        def set_seq2(self, b):
            if b is self.b:
                return
            self.b = b
            self.matching_blocks = self.opcodes = self.fullbcount = None
            places = {}
            for j, x in enumerate(b):
                places.setdefault(x, []).append(j)
            self.bjunk = {x for x in places if self.isjunk(x)} if self.isjunk else set()
            for x in self.bjunk:
                places.pop(x)
            self.bpopular = set()
            if self.autojunk and len(b) >= 200:
                often = len(b) // 100 + 1
                self.bpopular = {x for x, at in places.items() if len(at) > often}
                for x in self.bpopular:
                    places.pop(x)
            self.b2j = places
        def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
            a, b, places, junk = self.a, self.b, self.b2j, self.bjunk
            ahi = len(a) if ahi is None else ahi
            bhi = len(b) if bhi is None else bhi
            i0, j0, size = alo, blo, 0
            # How long the match is that ends at `j` and at the element of `a` before.
            runs = {}
            for i in range(alo, ahi):
                ending = {}
                for j in places.get(a[i], ()):
                    if j >= bhi:
                        break
                    if j >= blo:
                        run = runs.get(j - 1, 0) + 1
                        ending[j] = run
                        if run > size:
                            i0, j0, size = i - run + 1, j - run + 1, run
                runs = ending
            for wanted in (False, True):
                while i0 > alo and j0 > blo and (b[j0 - 1] in junk) is wanted and a[i0 - 1] == b[j0 - 1]:
                    i0, j0, size = i0 - 1, j0 - 1, size + 1
                while i0 + size < ahi and j0 + size < bhi and (b[j0 + size] in junk) is wanted and a[i0 + size] == b[j0 + size]:
                    size += 1
            return Match(i0, j0, size)
        def get_matching_blocks(self):
            if self.matching_blocks is not None:
                return self.matching_blocks
            found, todo = [], [(0, len(self.a), 0, len(self.b))]
            while todo:
                alo, ahi, blo, bhi = todo.pop()
                i, j, size = self.find_longest_match(alo, ahi, blo, bhi)
                if size:
                    found.append((i, j, size))
                    if alo < i and blo < j:
                        todo.append((alo, i, blo, j))
                    if i + size < ahi and j + size < bhi:
                        todo.append((i + size, ahi, j + size, bhi))
            blocks = []
            for i, j, size in sorted(found):
                if blocks and blocks[-1][0] + blocks[-1][2] == i and blocks[-1][1] + blocks[-1][2] == j:
                    i, j, size = blocks[-1][0], blocks[-1][1], blocks.pop()[2] + size
                blocks.append(Match(i, j, size))
            self.matching_blocks = [*blocks, Match(len(self.a), len(self.b), 0)]
            return self.matching_blocks
        def get_opcodes(self):
            if self.opcodes is not None:
                return self.opcodes
            self.opcodes = codes = []
            i = j = 0
            for at, bt, size in self.get_matching_blocks():
                if i < at or j < bt:
                    tag = 'insert' if i == at else 'delete' if j == bt else 'replace'
                    codes.append((tag, i, at, j, bt))
                i, j = at + size, bt + size
                if size:
                    codes.append(('equal', at, i, bt, j))
            return codes
        def get_grouped_opcodes(self, n=3):
            codes = self.get_opcodes() or [('equal', 0, 1, 0, 1)]
            # As in CPython, the codes themselves lose their ends.
            tag, i1, i2, j1, j2 = codes[0]
            if tag == 'equal':
                codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
            tag, i1, i2, j1, j2 = codes[-1]
            if tag == 'equal':
                codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
            groups, group = [], []
            for tag, i1, i2, j1, j2 in codes:
                if tag == 'equal' and i2 - i1 > 2 * n:
                    group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                    groups.append(group)
                    group, i1, j1 = [], max(i1, i2 - n), max(j1, j2 - n)
                group.append((tag, i1, i2, j1, j2))
            if group and not (len(group) == 1 and group[0][0] == 'equal'):
                groups.append(group)
            return iter(groups)
        def ratio(self):
            return share(sum([size for i, j, size in self.get_matching_blocks()]), len(self.a) + len(self.b))
        def quick_ratio(self):
            if self.fullbcount is None:
                self.fullbcount = counts = {}
                for x in self.b:
                    counts[x] = counts.get(x, 0) + 1
            left, same = {}, 0
            for x in self.a:
                count = left[x] if x in left else self.fullbcount.get(x, 0)
                left[x] = count - 1
                same += count > 0
            return share(same, len(self.a) + len(self.b))
        def real_quick_ratio(self):
            return share(min(len(self.a), len(self.b)), len(self.a) + len(self.b))
        def _above(self, least, strict):
            # The quick bounds spare most of the work.
            for bound in (lambda: self.real_quick_ratio(), lambda: self.quick_ratio(), lambda: self.ratio()):
                value = bound()
                if value < least or strict and value == least:
                    return None
            return value
    def get_close_matches(word, possibilities, n=3, cutoff=0.6):
        if not n > 0:
            raise ValueError(f'n must be > 0: {n!r}')
        if not 0.0 <= cutoff <= 1.0:
            raise ValueError(f'cutoff must be in [0.0, 1.0]: {cutoff!r}')
        matcher, found = SequenceMatcher(), []
        matcher.set_seq2(word)
        for x in possibilities:
            matcher.set_seq1(x)
            score = matcher._above(cutoff, False)
            if score is not None:
                found.append((score, x))
        return [x for score, x in sorted(found, reverse=True)[:n]]
    def check(a, b, *texts):
        for lines in (a, b):
            if lines and not isinstance(lines[0], str):
                raise TypeError(f'lines to compare must be str, not {type(lines[0]).__name__} ({lines[0]!r})')
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f'all arguments must be str, not: {text!r}')
        old, new, old_date, new_date, end = texts
        return old + (old_date and '\t' + old_date) + end, new + (new_date and '\t' + new_date) + end
    def unified_diff(a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\n'):
        old, new = check(a, b, fromfile, tofile, fromfiledate, tofiledate, lineterm)
        span = lambda start, stop: f'{stop}' if stop - start == 1 else f'{start + (stop > start)},{stop - start}'
        out = []
        for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
            out = out or ['--- ' + old, '+++ ' + new]
            first, last = group[0], group[-1]
            out.append(f'@@ -{span(first[1], last[2])} +{span(first[3], last[4])} @@{lineterm}')
            for tag, i1, i2, j1, j2 in group:
                if tag == 'equal':
                    out.extend([' ' + line for line in a[i1:i2]])
                    continue
                out.extend(['-' + line for line in a[i1:i2]])
                out.extend(['+' + line for line in b[j1:j2]])
        return iter(out)
    def context_diff(a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\n'):
        old, new = check(a, b, fromfile, tofile, fromfiledate, tofiledate, lineterm)
        span = lambda start, stop: f'{stop}' if stop - start < 2 else f'{start + 1},{stop}'
        marks = {'insert': '+ ', 'delete': '- ', 'replace': '! ', 'equal': '  '}
        out = []
        for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
            out = out or ['*** ' + old, '--- ' + new]
            first, last = group[0], group[-1]
            tags = [code[0] for code in group]
            out.append(f'***************{lineterm}')
            out.append(f'*** {span(first[1], last[2])} ****{lineterm}')
            if 'replace' in tags or 'delete' in tags:
                for tag, i1, i2, j1, j2 in group:
                    out.extend([marks[tag] + line for line in a[i1:i2]])
            out.append(f'--- {span(first[3], last[4])} ----{lineterm}')
            if 'replace' in tags or 'insert' in tags:
                for tag, i1, i2, j1, j2 in group:
                    out.extend([marks[tag] + line for line in b[j1:j2]])
        return iter(out)
    IS_LINE_JUNK = lambda line: blank.match(line) is not None
    IS_CHARACTER_JUNK = lambda ch, ws=' \t': ch in ws
    def hints(line, tags):
        tags = ''.join([c if tag == ' ' and c.isspace() else tag for c, tag in zip(line, tags)]).rstrip()
        return [f'? {tags}\n'] if tags else []
    class Differ:
        def __init__(self, linejunk=None, charjunk=None):
            self.linejunk, self.charjunk = linejunk, charjunk
        def compare(self, a, b):
            out = []
            for tag, i1, i2, j1, j2 in SequenceMatcher(self.linejunk, a, b).get_opcodes():
                if tag == 'equal':
                    out.extend(['  ' + line for line in a[i1:i2]])
                else:
                    self._replace(out, a[i1:i2], b[j1:j2])
            return iter(out)
        def _replace(self, out, a, b):
            removed, added = ['- ' + line for line in a], ['+ ' + line for line in b]
            best, pair, twins = 0.74, None, None
            matcher = SequenceMatcher(self.charjunk)
            for j, y in enumerate(b):
                matcher.set_seq2(y)
                for i, x in enumerate(a):
                    if x == y:
                        twins = twins or (i, j)
                        continue
                    matcher.set_seq1(x)
                    score = matcher._above(best, True)
                    if score is not None:
                        best, pair = score, (i, j)
            if best < 0.75:
                pair = twins
                if pair is None:
                    # The shorter side comes first.
                    out.extend([*added, *removed] if len(b) < len(a) else [*removed, *added])
                    return
            i, j = pair
            self._replace(out, a[:i], b[:j])
            if a[i] == b[j]:
                out.append('  ' + a[i])
            else:
                matcher.set_seqs(a[i], b[j])
                atags = btags = ''
                for tag, i1, i2, j1, j2 in matcher.get_opcodes():
                    old, new = (' ', ' ') if tag == 'equal' else ('^', '^') if tag == 'replace' else ('-', '+')
                    atags, btags = atags + old * (i2 - i1), btags + new * (j2 - j1)
                out.extend([removed[i], *hints(a[i], atags), added[j], *hints(b[j], btags)])
            self._replace(out, a[i + 1:], b[j + 1:])
    def ndiff(a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK):
        return Differ(linejunk, charjunk).compare(a, b)
    def restore(delta, which):
        if int(which) not in (1, 2):
            raise ValueError(f'unknown delta choice (must be 1 or 2): {which!r}')
        return iter([line[2:] for line in delta if line[:2] in ('  ', '- ' if int(which) == 1 else '+ ')])
    return _rlm_Module('difflib', {
        'SequenceMatcher': SequenceMatcher, 'Match': Match, 'Differ': Differ, 'get_close_matches': get_close_matches,
        'unified_diff': unified_diff, 'context_diff': context_diff, 'ndiff': ndiff, 'restore': restore,
        'IS_LINE_JUNK': IS_LINE_JUNK, 'IS_CHARACTER_JUNK': IS_CHARACTER_JUNK,
    })
_rlm_module_difflib = _rlm_load(*_rlm_kit['builtins'])
