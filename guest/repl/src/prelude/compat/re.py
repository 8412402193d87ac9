# What `re` lacks; see `compat/calls.rs`.
def _rlm_load(type, len, str, int, hasattr, list):
    import re
    def expanded(m, template):
        # Monty expands templates itself: in the text that was matched, alone.
        out = []
        i = 0
        while i < len(template):
            c = template[i]
            if c != '\\' or i + 1 == len(template):
                out.append(c)
                i += 1
                continue
            n = template[i + 1]
            if n == 'g' and template[i + 2:i + 3] == '<':
                end = template.index('>', i)
                name = template[i + 3:end]
                out.append(m.group(int(name) if name.isdigit() else name) or '')
                i = end + 1
            elif n.isdigit():
                end = i + 2
                if n != '0' and template[end:end + 1].isdigit():
                    end += 1
                out.append(m.group(int(template[i + 1:end])) or '' if n != '0' else '\0')
                i = end
            else:
                known = {'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', 'a': '\a', 'f': '\f', 'v': '\v'}
                if n in known:
                    out.append(known[n])
                elif n.isalpha():
                    raise re.error(f'bad escape \\{n} at position {i}')
                else:
                    out.append('\\' + n)
                i += 2
        return ''.join(out)
    def replaced(finditer, repl, string, count):
        out = []
        done = n = 0
        for m in finditer(string):
            if count and n >= count:
                break
            out.append(string[done:m.start()])
            out.append(repl(m) if type(repl) is not str else expanded(m, repl))
            done = m.end()
            n += 1
        out.append(string[done:])
        return ''.join(out), n
    def plain(pattern):
        # Without the spaces and comments of a verbose pattern.
        out = []
        i = 0
        in_class = False
        while i < len(pattern):
            c = pattern[i]
            if c == '\\':
                out.append(pattern[i:i + 2])
                i += 2
                continue
            if in_class:
                in_class = c != ']'
                out.append(c)
            elif c == '[':
                in_class = True
                out.append(c)
                if pattern[i + 1:i + 2] == '^':
                    i += 1
                    out.append('^')
                if pattern[i + 1:i + 2] == ']':
                    i += 1
                    out.append(']')
            elif c == '#':
                while i < len(pattern) and pattern[i] != '\n':
                    i += 1
            elif c not in ' \t\n\r\f\v':
                out.append(c)
            i += 1
        return ''.join(out)
    def of(pattern, flags):
        if type(pattern) is not str:
            return pattern
        if int(flags) & 64:
            return re.compile(plain(pattern), int(flags) & ~64)
        return re.compile(pattern, flags)
    def compile(pattern, flags=0):
        return of(pattern, flags)
    def sub(pattern, repl, string, count=0, flags=0):
        p = of(pattern, flags)
        if type(repl) is str and '\\' not in repl and '$' not in repl:
            return p.sub(repl, string, count)
        return replaced(lambda s: p.finditer(s), repl, string, count)[0]
    def subn(pattern, repl, string, count=0, flags=0):
        p = of(pattern, flags)
        return replaced(lambda s: p.finditer(s), repl, string, count)
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
    return compile, sub, subn, search, match, fullmatch, findall, finditer, split, replaced, expanded
_rlm_re_compile, _rlm_re_sub, _rlm_re_subn, _rlm_re_search, _rlm_re_match, _rlm_re_fullmatch, _rlm_re_findall, _rlm_re_finditer, _rlm_re_split, _rlm_re_replaced, _rlm_re_expanded = _rlm_load(type, len, str, int, hasattr, list)
