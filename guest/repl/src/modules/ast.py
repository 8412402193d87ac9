def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re, unicodedata
    bytes = type(b'')
    complex = type(0j)
    lexeme = re.compile(
        r'([ \t\f]+|#[^\n]*)|(\\?\n)'
        r'|((?i:[bfu]|[bf]?r|r[bf])?(?:"""(?s:[^\\]|\\.)*?"""|\'\'\'(?s:[^\\]|\\.)*?\'\'\'))'
        r'|((?i:[bfu]|[bf]?r|r[bf])?(?:"""|\'\'\'))'
        r'|((?i:[bfu]|[bf]?r|r[bf])?(?:"(?:[^"\\\n]|\\(?s:.))*"|\'(?:[^\'\\\n]|\\(?s:.))*\'))'
        r'|(0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+'
        r'|(?:[0-9](?:_?[0-9])*(?:\.(?:[0-9](?:_?[0-9])*)?)?|\.[0-9](?:_?[0-9])*)(?:[eE][-+]?[0-9](?:_?[0-9])*)?[jJ]?)'
        r'|([^\W\d]\w*|\.\.\.)|(\*\*|//|<<|>>|[<>=!]=|:=|[-+*/%@&|^~<>()\[\]{},:.=;])|((?s:.))')
    escape = re.compile(r'\\([0-7]{1,3}|x[0-9a-fA-F]{0,2}|N(?:\{[^}]*\})?|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|(?s:.))')
    plain = {'\n': '', '\\': '\\', "'": "'", '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}
    keywords = set('if else for in is not and or lambda def class return import from as with while pass break continue del '
                   'global nonlocal raise try except finally assert async await yield elif'.split())
    # What an expression is that has this behind a literal or before its first operand.
    joints = {'.': 'Attribute', '(': 'Call', '[': 'Subscript', 'or': 'BoolOp', 'and': 'BoolOp', 'if': 'IfExp', 'for': 'GeneratorExp', ':=': 'NamedExpr',
              **{op: 'BinOp' for op in '+ - * / // % @ ** << >> & | ^'.split()}, **{op: 'Compare' for op in 'in not is < > <= >= == !='.split()}}
    starts = {'+': 'UnaryOp', '-': 'UnaryOp', '~': 'UnaryOp', 'not': 'UnaryOp', 'lambda': 'Lambda', 'await': 'Await', '*': 'Starred'}
    pairs = {'(': ')', '[': ']', '{': '}'}
    constants = {'True': True, 'False': False, 'None': None, '...': ...}
    numbers = (int, float, complex)
    kinds = {list: 'List', set: 'Set', type(()): 'Tuple', type({}): 'Dict'}
    def fail(line, why='invalid syntax'):
        raise SyntaxError(f'{why} (<unknown>, line {line})')
    def refuse(node, line):
        raise ValueError(f'malformed node or string on line {line}: <ast.{node} object at 0x7f0000000000>')
    def escaped(code, at, line, binary):
        kind, digits, size = code[0], code[1:], {'x': 2, 'u': 4, 'U': 8}.get(code[0], 0)
        if kind in '01234567':
            return '%c' % (int(code, 8) % 256 if binary else int(code, 8))
        if kind not in 'xuUN' or binary and kind != 'x':
            return plain.get(code, '\\' + code)
        if size and len(digits) == size and (kind != 'U' or int(digits, 16) < 0x110000):
            return '%c' % int(digits, 16)
        if binary:
            fail(line, f'(value error) invalid \\x escape at position {at}')
        why = f'truncated \\{kind}{"X" * size} escape' if len(digits) < size else 'illegal Unicode character'
        if kind == 'N':
            why = 'unknown Unicode character name' if digits else 'malformed \\N character escape'
            try:
                return unicodedata.lookup(digits[1:-1])
            except KeyError:
                pass
        fail(line, f"(unicode error) 'unicodeescape' codec can't decode bytes in position {at}-{at + len(code)}: {why}")
    def string(text, line):
        mark = text[-1]
        kind, quoted = text[:text.index(mark)].lower(), text[text.index(mark):]
        body = quoted[3:-3] if quoted[:3] == mark * 3 and len(quoted) > 5 else quoted[1:-1]
        if 'f' in kind:
            refuse('JoinedStr', line)
        if 'b' in kind and not body.isascii():
            fail(line, 'bytes can only contain ASCII literal characters')
        if '\\' in body and 'r' not in kind:
            parts, done = [], 0
            for m in escape.finditer(body):
                parts.extend([body[done:m.start()], escaped(m.group(1), m.start(), line, 'b' in kind)])
                done = m.end()
            body = ''.join([*parts, body[done:]])
        if 'b' not in kind:
            return body
        wide = body.encode('utf-32-be').hex()
        return bytes.fromhex(''.join([wide[i:i + 2] for i in range(6, len(wide), 8)]))
    def number(text, line):
        if text[-1] in 'jJ':
            return complex(0, float(text[:-1]))
        if text[:2] not in ('0x', '0X') and ('.' in text or 'e' in text or 'E' in text):
            return float(text)
        if text[:1] == '0' and text[1:2] in '0123456789_' and text.strip('0_'):
            fail(line, 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers')
        return int(text, 0) if text.strip('0_') else 0
    def lexed(source):
        tokens, opened, line, indent, digit = [], [], 1, False, False
        for space, newline, triple, half, single, digits, name, mark, other in lexeme.findall(source):
            if digits or name:
                if digit and name not in keywords and digits[:1] != '.':
                    fail(line, 'invalid decimal literal')
                tokens.append(('number', digits, line) if digits else ('mark' if name in keywords else 'name', name, line))
            elif mark:
                tokens.append(('mark', mark, line))
                if mark in pairs:
                    opened.append((mark, line))
                    if len(opened) > 199:
                        fail(line, 'too many nested parentheses')
                elif mark in ')]}':
                    if not opened:
                        fail(line, f"unmatched '{mark}'")
                    first = opened.pop()[0]
                    if pairs[first] != mark:
                        fail(line, f"closing parenthesis '{mark}' does not match opening parenthesis '{first}'")
            elif triple or single:
                tokens.append(('string', triple or single, line))
            elif half:
                fail(line, f'unterminated triple-quoted string literal (detected at line {len(source.splitlines())})')
            elif other and other in '"\'':
                fail(line, f'unterminated string literal (detected at line {line})')
            elif other:
                code = other.encode('utf-32-be').hex().lstrip('0').upper()
                fail(line, 'invalid syntax' if other.isascii() else f"invalid character '{other}' (U+{code:0>4})")
            elif newline == '\n' and tokens and not opened:
                tokens.append(('end', '', line))
            if indent and len(tokens) == 1:
                fail(line, 'unexpected indent')
            digit, indent = digits != '', space[:1] in (' ', '\t', '\f') and line > 1 and not tokens
            line += newline.count('\n') + triple.count('\n') + single.count('\n')
        if opened:
            fail(opened[-1][1], f"'{opened[-1][0]}' was never closed")
        return [*tokens, *[('end', '', tokens[-1][2] if tokens else line - 1)] * 2]
    class Parser:
        def __init__(self, source):
            self.tokens = lexed(source)
            self.at = self.depth = 0
        def takes(self, mark):
            kind, text, line = self.tokens[self.at]
            found = kind == 'mark' and text == mark
            self.at += found
            return found
        def stop(self, line):
            # What comes now follows no literal: it is no syntax, or an expression of another kind.
            kind, text, place = self.tokens[self.at]
            if kind == 'mark' and text in joints and self.tokens[self.at + 1][0] != 'end':
                refuse(joints[text], line)
            comma = self.depth and kind != 'end' and (kind != 'mark' or text == '{')
            fail(place, 'invalid syntax. Perhaps you forgot a comma?' if comma else 'invalid syntax')
        def items(self, close, one):
            found, comma = [], True
            self.depth += 1
            while comma and self.tokens[self.at][1] != close:
                line = self.tokens[self.at][2]
                found.append(one())
                comma = self.tokens[self.at][1] == ','
                self.at += comma
            if not self.takes(close):
                self.stop(line)
            self.depth -= 1
            return found, comma
        def container(self, mark):
            keyed = []
            def entry():
                line = self.tokens[self.at][2]
                if self.takes('**'):
                    raise ValueError('malformed node or string: None')
                key = self.literal()
                if not keyed:
                    keyed.append(self.takes(':'))
                elif keyed[0] and not self.takes(':'):
                    self.stop(line)
                return (key, self.literal()) if keyed[0] else key
            found, comma = self.items(pairs[mark], entry if mark == '{' else (lambda: self.literal()))
            if mark == '(':
                return found[0] if len(found) == 1 and not comma else (*found,)
            if mark == '{':
                return set(found) if keyed == [False] else {k: v for k, v in found}
            return found
        def atom(self):
            # The value and the kind of its node.
            kind, text, line = self.tokens[self.at]
            self.at += 1
            if kind == 'number':
                return number(text, line), 'Constant'
            if kind == 'string':
                values = [string(text, line)]
                while self.tokens[self.at][0] == 'string':
                    values.append(string(self.tokens[self.at][1], line))
                    self.at += 1
                if any([type(x) is not type(values[0]) for x in values]):
                    fail(line, 'cannot mix bytes and nonbytes literals')
                return (values[0][:0]).join(values), 'Constant'
            if kind == 'name' and text in constants:
                return constants[text], 'Constant'
            if kind == 'mark' and text in pairs:
                value = self.container(text)
                return value, kinds.get(type(value), 'Constant')
            if kind == 'name' and text == 'set' and [token[1] for token in self.tokens[self.at:self.at + 2]] == ['(', ')']:
                self.at += 2
                return set(), 'Call'
            next_kind, mark, place = self.tokens[self.at]
            if kind == 'name' and next_kind in ('mark', 'end') and mark != '{' and (self.depth or mark not in (':', '=', ':=')):
                refuse('Name' if mark in ('+', '-') else joints.get(mark, 'Name'), line)
            elif kind == 'name':
                self.stop(line)
            elif kind == 'mark' and text in starts and next_kind != 'end':
                refuse(starts[text], line)
            fail(line)
        def literal(self):
            first, sign, line = self.tokens[self.at]
            signed = first == 'mark' and sign in '+-'
            self.at += signed
            value, kind = self.atom()
            more, mark, place = self.tokens[self.at]
            more = more == 'mark' and mark in '+-'
            if (signed or more) and (kind != 'Constant' or type(value) not in numbers):
                refuse(kind, line)
            if signed:
                value = -value if sign == '-' else value
            if more:
                self.at += 1
                other, kind = self.atom()
                if kind != 'Constant' or type(other) not in numbers:
                    refuse(kind, line)
                if type(value) is complex or type(other) is not complex:
                    refuse('BinOp', line)
                value = value + other if mark == '+' else value - other
            return value
        def whole(self):
            found, comma = [self.literal()], False
            while self.takes(','):
                comma = True
                if self.tokens[self.at][0] != 'end':
                    found.append(self.literal())
            kind, text, line = self.tokens[self.at]
            if kind != 'end':
                self.stop(self.tokens[0][2])
            for kind, text, line in self.tokens[self.at:]:
                if kind != 'end':
                    fail(line)
            return (*found,) if comma else found[0]
    def literal_eval(node_or_string):
        if not isinstance(node_or_string, str):
            raise ValueError(f'malformed node or string: {node_or_string!r}')
        source = node_or_string.lstrip(' \t').replace('\r\n', '\n').replace('\r', '\n')
        if '\0' in source:
            raise SyntaxError('source code string cannot contain null bytes')
        return Parser(source).whole()
    return _rlm_Module('ast', {'literal_eval': literal_eval})
_rlm_module_ast = _rlm_load(*_rlm_kit['builtins'])
