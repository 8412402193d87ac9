# Spells what is refused in letters, escapes and encodings that mean the same
spellings = ['ｅval', 'ｅｘｅｃ', '𝖾𝗏𝖺𝗅', 'e\\\nval', '_ｒlm_kit', '_rlm＿kit', '\ufeff_rlm_kit', '\x0c_rlm_kit', '(_rlm_kit)', '_rlm_kit;', '# -*- coding: utf-7 -*-\n+AF8-rlm_kit',
             '[' * 190 + '_rlm_kit' + ']' * 190, ' ' * 400 + '(' * 190 + '_rlm_kit' + ')' * 190, 'f"{_rlm_kit!r:{_rlm_kit}}"', '__imp\u200dort__', 'lambda _rlm_kit=1: _rlm_kit',
             '(_rlm_kit\n)', '_rlm_kit\\\n', '\n\n  _rlm_kit', '*_rlm_kit,', '_rlm_kit\x00', '\r_rlm_kit', '1 if 1 else _rlm_kit', 't"{_rlm_kit}"', '_rlm_\N{GREEK SMALL LETTER ALPHA}']
for text in spellings:
    for run in (lambda t: eval(t), lambda t: exec(t), lambda t: exec(t.encode()), lambda t: eval(f'eval({t!r})'), lambda t: exec(f'x = {t}'), lambda t: eval(t, {}), lambda t: eval(t, {'a': 1}, {})):
        try:
            print(f'{text!r:.30}', f'{run(text)!r:.60}')
        except BaseException as error:
            said = str(error)
ｅval('1')
