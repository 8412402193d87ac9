def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import re
    reference = re.compile(r'&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)')
    # What browsers take the numbers 128 to 159 for, as Windows-1252.
    windows = (
        '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f'
        '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'
    )
    # The characters from 160 on.
    latin = '''nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
        acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times
        Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave
        eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
        uacute ucirc uuml yacute thorn yuml'''
    others = '''apos:27 hellip:2026 mdash:2014 ndash:2013 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d
        bdquo:201e lsaquo:2039 rsaquo:203a bull:2022 dagger:2020 Dagger:2021 permil:2030 prime:2032 Prime:2033
        oline:203e trade:2122 euro:20ac larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 lArr:21d0 rArr:21d2
        hArr:21d4 minus:2212 le:2264 ge:2265 ne:2260 infin:221e asymp:2248 equiv:2261 sum:2211 prod:220f radic:221a
        part:2202 int:222b forall:2200 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 cap:2229 cup:222a
        sub:2282 sup:2283 and:2227 or:2228 there4:2234 sim:223c cong:2245 perp:22a5 ensp:2002 emsp:2003 thinsp:2009
        zwnj:200c zwj:200d OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2c6 tilde:2dc
        spades:2660 clubs:2663 hearts:2665 diams:2666 loz:25ca check:2713 star:2606 hyphen:2010
        Alpha:391 Beta:392 Gamma:393 Delta:394 Theta:398 Lambda:39b Pi:3a0 Sigma:3a3 Phi:3a6 Psi:3a8 Omega:3a9
        alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba lambda:3bb
        mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8
        omega:3c9 colon:3a comma:2c period:2e excl:21 quest:3f num:23 dollar:24 percnt:25 ast:2a plus:2b lpar:28
        rpar:29 lsqb:5b rsqb:5d lbrack:5b rbrack:5d lcub:7b rcub:7d lbrace:7b rbrace:7d sol:2f bsol:5c lowbar:5f
        vert:7c verbar:7c equals:3d commat:40 semi:3b Hat:5e grave:60 Tab:9 NewLine:a'''
    named = {}
    for code, name in enumerate(latin.split(), 160):
        named[name] = named[name + ';'] = f'{code:c}'
    for name, code in (('amp', 38), ('lt', 60), ('gt', 62), ('quot', 34), ('copy', 169), ('reg', 174)):
        for name in (name, name.upper()):
            named[name] = named[name + ';'] = f'{code:c}'
    for entry in others.split():
        name, code = entry.split(':')
        named[name + ';'] = f'{int(code, 16):c}'
    def escape(s, quote=True):
        s = s.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
        return s.replace('"', '&quot;').replace("'", '&#x27;') if quote else s
    def numbered(digits):
        code = int(digits[1:], 16) if digits[:1] in ('x', 'X') else int(digits)
        if 0x80 <= code <= 0x9f:
            return windows[code - 0x80]
        if code == 0 or 0xd800 <= code <= 0xdfff or code > 0x10ffff:
            return '\ufffd'
        if code == 13:
            return '\r'
        is_none = code < 9 or code == 11 or 13 < code < 32 or code == 127 or 0xfdd0 <= code <= 0xfdef
        return '' if is_none or code & 0xfffe == 0xfffe else f'{code:c}'
    def character(name):
        if name[0] == '#':
            return numbered(name[1:].rstrip(';'))
        for end in range(len(name), 1, -1):
            if name[:end] in named:
                return named[name[:end]] + name[end:]
        return '&' + name
    def unescape(s):
        if '&' not in s:
            return s
        parts = []
        done = 0
        for m in reference.finditer(s):
            parts.append(s[done:m.start()])
            parts.append(character(m.group(1)))
            done = m.end()
        parts.append(s[done:])
        return ''.join(parts)
    return _rlm_Module('html', {'escape': escape, 'unescape': unescape})
_rlm_module_html = _rlm_load(*_rlm_kit['builtins'])
