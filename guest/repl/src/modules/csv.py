def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import csv, re
    preferred = [',', '\t', ';', ' ', ':']
    bare = r'[^\w\n"\']'
    # A quoted text with what is before and after it; which groups of each are the delimiter, the space and the quote.
    quoted = (
        (rf'({bare})( ?)(["\']).*?\3\1', 0, 1, 2),
        (rf'(?:^|\n)(["\']).*?\1({bare})( ?)', 1, 2, 0),
        (rf'({bare})( ?)(["\']).*?\3(?:$|\n)', 0, 1, 2),
        (r'(?:^|\n)(["\']).*?\1(?:$|\n)', None, None, 0),
    )
    class Sniffed:
        def __init__(self, quotechar, doublequote, delimiter, skipinitialspace):
            self.quotechar, self.doublequote, self.delimiter = quotechar or '"', doublequote, delimiter
            self.skipinitialspace, self.lineterminator, self.quoting = skipinitialspace, '\r\n', csv.QUOTE_MINIMAL
            self.escapechar, self.strict = None, False
    def tally(xs):
        counts = {}
        for x in xs:
            counts[x] = counts.get(x, 0) + 1
        return counts
    def most(counts):
        return max(counts, key=lambda x: counts[x])
    def by_quotes(data, delimiters):
        for pattern, delim, space, quote in quoted:
            found = [(m,) if isinstance(m, str) else m for m in re.findall(pattern, data, re.S | re.M)]
            if found:
                break
        else:
            return '', False, None, False
        quotechar = most(tally([m[quote] for m in found]))
        delims = {} if delim is None else tally([m[delim] for m in found if delimiters is None or m[delim] in delimiters])
        best, skips = '', False
        if delims:
            best = most(delims)
            skips = delims[best] == len([m for m in found if m[space]])
            best = '' if best == '\n' else best
        d = re.escape(best)
        inner = f'[^{d}\\n]*'
        doubled = re.search(rf'(({d})|^)\W*{quotechar}{inner}{quotechar}{inner}{quotechar}\W*(({d})|$)', data, re.M)
        return quotechar, doubled is not None, best, skips
    def by_counts(data, delimiters):
        lines = [line for line in data.split('\n') if line]
        step = min(10, len(lines))
        counts, modes, delims = {}, {}, {}
        for start in range(0, len(lines), step or 1):
            for line in lines[start:start + step]:
                for i in range(127):
                    char = f'{i:c}'
                    of = counts.setdefault(char, {})
                    times = line.count(char)
                    of[times] = of.get(times, 0) + 1
            for char, of in counts.items():
                if [*of] != [0]:
                    mode = most(of)
                    modes[char] = mode, 2 * of[mode] - sum(of.values()) if len(of) > 1 else of[mode]
            total = float(min(start + step, len(lines)))
            wanted = 1.0
            while not delims and wanted >= 0.9:
                for char, (times, rows) in modes.items():
                    if times > 0 and rows > 0 and rows / total >= wanted and (delimiters is None or char in delimiters):
                        delims[char] = times, rows
                wanted -= 0.01
            if len(delims) == 1:
                break
        if not delims:
            return '', False
        best = sorted([(v, k) for k, v in delims.items()])[-1][1]
        for char in reversed(preferred):
            if char in delims:
                best = char
        return best, lines[0].count(best) == lines[0].count(f'{best} ')
    parsed = complex
    def is_number(text):
        try:
            parsed(text)
        except (ValueError, OverflowError):
            return False
        return True
    class Sniffer:
        def __init__(self):
            self.preferred = [*preferred]
        def sniff(self, sample, delimiters=None):
            quotechar, doublequote, delimiter, skips = by_quotes(sample, delimiters)
            if not delimiter:
                delimiter, skips = by_counts(sample, delimiters)
            if not delimiter:
                raise csv.Error('Could not determine delimiter')
            return Sniffed(quotechar, doublequote, delimiter, skips)
        def has_header(self, sample):
            dialect = self.sniff(sample)
            header, *rows = [*csv.reader(
                sample.splitlines(True), delimiter=dialect.delimiter, quotechar=dialect.quotechar,
                doublequote=dialect.doublequote, skipinitialspace=dialect.skipinitialspace,
            )]
            kinds = {i: None for i in range(len(header))}
            for row in rows[:21]:
                if len(row) == len(header):
                    for i in [*kinds]:
                        kind = 'number' if is_number(row[i]) else len(row[i])
                        if kinds[i] is None:
                            kinds[i] = kind
                        elif kind != kinds[i]:
                            kinds.pop(i)
            votes = 0
            for i, kind in kinds.items():
                differs = len(header[i]) != kind if isinstance(kind, int) else kind is None or not is_number(header[i])
                votes += 1 if differs else -1
            return votes > 0
    return _rlm_Module('csv', {'Sniffer': Sniffer})
_rlm_module_csv = _rlm_load(*_rlm_kit['builtins'])
