def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    # Spaces; dashes between words; words, which may end after a hyphen between letters or before dashes.
    pieces = re.compile(
        r'''[\t\n\x0b\x0c\r ]+|(?<=[\w!"'&.,?])-{2,}(?=\w)|[^\t\n\x0b\x0c\r ]+?(?:-(?:(?<=[^\d\W]{2}-)|(?<=[^\d\W]-[\w!"'&.,?]-))'''
        r'''(?=[^\d\W]-?[^\d\W])|(?=[\t\n\x0b\x0c\r ]|\Z)|(?<=[\w!"'&.,?])(?=-{2,}\w))'''
    )
    simple_pieces = re.compile(r'[\t\n\x0b\x0c\r ]+|[^\t\n\x0b\x0c\r ]+')
    sentence_end = re.compile(r'''[a-z][.!?]["']?\Z''')
    def dedent(text):
        lines = [line if line.strip(' \t') else '' for line in text.split('\n')]
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
    class TextWrapper:
        def __init__(self, width=70, initial_indent='', subsequent_indent='', expand_tabs=True, replace_whitespace=True,
                     fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8, *,
                     max_lines=None, placeholder=' [...]'):
            self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
            self.expand_tabs, self.replace_whitespace, self.tabsize = expand_tabs, replace_whitespace, tabsize
            self.fix_sentence_endings, self.drop_whitespace = fix_sentence_endings, drop_whitespace
            self.break_long_words, self.break_on_hyphens = break_long_words, break_on_hyphens
            self.max_lines, self.placeholder = max_lines, placeholder
        def fill(self, text):
            return '\n'.join(self.wrap(text))
        def wrap(self, text):
            if self.expand_tabs:
                text = text.expandtabs(self.tabsize)
            if self.replace_whitespace:
                for space in '\n\r\x0b\x0c\t':
                    text = text.replace(space, ' ')
            chunks = (pieces if self.break_on_hyphens else simple_pieces).findall(text)
            if self.fix_sentence_endings:
                ends = [i + 1 for i in range(len(chunks) - 1) if chunks[i + 1] == ' ' and sentence_end.search(chunks[i])]
                for i in ends:
                    chunks[i] = '  '
            return self._lines(chunks)
        def _lines(self, chunks):
            if self.width <= 0:
                raise ValueError(f'invalid width {self.width!r} (must be > 0)')
            if self.max_lines is not None:
                margin = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
                if len(margin) + len(self.placeholder.lstrip()) > self.width:
                    raise ValueError('placeholder too large for max width')
            chunks.reverse()
            lines = []
            while chunks:
                margin = self.subsequent_indent if lines else self.initial_indent
                width = self.width - len(margin)
                if self.drop_whitespace and lines and not chunks[-1].strip():
                    chunks.pop()
                line, used = [], 0
                while chunks and used + len(chunks[-1]) <= width:
                    used += len(chunks[-1])
                    line.append(chunks.pop())
                if chunks and len(chunks[-1]) > width:
                    self._break(chunks, line, width - used if width > 0 else 1)
                    used = sum([len(chunk) for chunk in line])
                if self.drop_whitespace and line and not line[-1].strip():
                    used -= len(line.pop())
                if not line:
                    continue
                is_last = not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()
                if self.max_lines is None or len(lines) + 1 < self.max_lines or is_last and used <= width:
                    lines.append(margin + ''.join(line))
                    continue
                while line:
                    if line[-1].strip() and used + len(self.placeholder) <= width:
                        lines.append(margin + ''.join(line) + self.placeholder)
                        return lines
                    used -= len(line.pop())
                if lines and len(lines[-1].rstrip()) + len(self.placeholder) <= self.width:
                    lines[-1] = lines[-1].rstrip() + self.placeholder
                else:
                    lines.append(margin + self.placeholder.lstrip())
                return lines
            return lines
        def _break(self, chunks, line, room):
            # What is too long for any line.
            chunk = chunks[-1]
            if self.break_long_words:
                end = room
                if self.break_on_hyphens and len(chunk) > room:
                    hyphen = chunk[:room].rfind('-') if room > 0 else -1
                    if hyphen > 0 and chunk[:hyphen].strip('-'):
                        end = hyphen + 1
                line.append(chunk[:end])
                chunks[-1] = chunk[end:]
                if not chunks[-1]:
                    chunks.pop()
            elif not line:
                line.append(chunks.pop())
    def wrap(text, width=70, **kwargs):
        return TextWrapper(width, **kwargs).wrap(text)
    def fill(text, width=70, **kwargs):
        return TextWrapper(width, **kwargs).fill(text)
    def shorten(text, width, **kwargs):
        return TextWrapper(width, max_lines=1, **kwargs).fill(' '.join(text.split()))
    return _rlm_Module('textwrap', {
        'TextWrapper': TextWrapper, 'dedent': dedent, 'indent': indent, 'wrap': wrap, 'fill': fill, 'shorten': shorten,
    })
_rlm_module_textwrap = _rlm_load(*_rlm_kit['builtins'])
