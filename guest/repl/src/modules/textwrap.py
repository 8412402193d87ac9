def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    # White space, a dash between words, or a word up to a hyphen between letters, up to such a dash or whole.
    pieces = re.compile(
        r'\s+|(?<=[\w!"\'&.,?])-{2,}(?=\w)|\S+?(?:-(?:(?<=[^\d\W]{2}-)|(?<=[^\d\W]-[\w!"\'&.,?]-))(?=[^\d\W]-?[^\d\W])'
        + r'|(?!\S)|(?<=[\w!"\'&.,?])(?=-{2,}\w))'
    )
    def dedent(text):
        lines = [line if line.strip() else '' for line in text.split('\n')]
        margin = None
        for line in lines:
            if not line:
                continue
            indent = line[:len(line) - len(line.lstrip(' \t'))]
            if margin is None or indent.startswith(margin):
                margin = indent if margin is None else margin
            elif margin.startswith(indent):
                margin = indent
            else:
                common = 0
                while common < len(margin) and common < len(indent) and margin[common] == indent[common]:
                    common += 1
                margin = margin[:common]
        cut = len(margin or '')
        return '\n'.join([line[cut:] for line in lines])
    def indent(text, prefix, predicate=None):
        lines = text.splitlines(True)
        if predicate is None:
            return ''.join([prefix + line if line.strip() else line for line in lines])
        return ''.join([prefix + line if predicate(line) else line for line in lines])
    def wrap(text, width=70, initial_indent='', subsequent_indent='', expand_tabs=True, replace_whitespace=True,
             break_long_words=True, drop_whitespace=True, break_on_hyphens=True, max_lines=None, placeholder=' [...]'):
        if width <= 0:
            raise ValueError(f'invalid width {width} (must be > 0)')
        if expand_tabs:
            text = text.expandtabs()
        if replace_whitespace:
            for space in '\n\r\x0b\x0c\t':
                text = text.replace(space, ' ')
        if max_lines is not None:
            indent = subsequent_indent if max_lines > 1 else initial_indent
            if len(indent) + len(placeholder.lstrip()) > width:
                raise ValueError('placeholder too large for max width')
        chunks = pieces.findall(text) if break_on_hyphens else re.findall(r'\s+|\S+', text)
        chunks.reverse()
        lines = []
        while chunks:
            margin = subsequent_indent if lines else initial_indent
            room = width - len(margin)
            if drop_whitespace and lines and not chunks[-1].strip():
                chunks.pop()
                if not chunks:
                    break
            line = []
            used = 0
            while chunks and used + len(chunks[-1]) <= room:
                used += len(chunks[-1])
                line.append(chunks.pop())
            if chunks and len(chunks[-1]) > room:
                if break_long_words:
                    left = room - used if room > 0 else 1
                    hyphen = chunks[-1].rfind('-', 0, left) if break_on_hyphens and len(chunks[-1]) > left else -1
                    if hyphen > 0 and chunks[-1][:hyphen].strip('-'):
                        left = hyphen + 1
                    # Nothing is a piece as well, and hides the space before it from what drops it.
                    line.append(chunks[-1][:left])
                    chunks[-1] = chunks[-1][left:]
                    used += left
                elif not line:
                    line.append(chunks.pop())
            if drop_whitespace and line and not line[-1].strip():
                used -= len(line[-1])
                line.pop()
            if not line:
                continue
            rest = [c for c in chunks if c.strip()]
            if max_lines is None or len(lines) + 1 < max_lines or (not rest and used <= room):
                lines.append(margin + ''.join(line))
                continue
            while line:
                if line[-1].strip() and used + len(placeholder) <= room:
                    lines.append(margin + ''.join(line) + placeholder)
                    break
                used -= len(line.pop())
            else:
                if lines and len(lines[-1].rstrip()) + len(placeholder) <= width:
                    lines[-1] = lines[-1].rstrip() + placeholder
                else:
                    lines.append(margin + placeholder.lstrip())
            break
        return lines
    def fill(text, width=70, **kwargs):
        return '\n'.join(wrap(text, width, **kwargs))
    def shorten(text, width, placeholder=' [...]', **kwargs):
        lines = wrap(' '.join(text.split()), width, max_lines=1, placeholder=placeholder, **kwargs)
        return lines[0] if lines else ''
    return _rlm_Module('textwrap', {'dedent': dedent, 'indent': indent, 'wrap': wrap, 'fill': fill, 'shorten': shorten})
_rlm_module_textwrap = _rlm_load(*_rlm_kit['builtins'])
