# Letters that fall apart into many, carry thousands of marks, or are many in another form
import unicodedata as u
def go(f):
    try:
        print(str(f())[:60])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
marks = '\u0301\u0316\u0345\u05b0\u0f71' * 20_000
for form in ('NFC', 'NFD', 'NFKC', 'NFKD'):
    go(lambda: len(u.normalize(form, '\ufdfa' * 300_000)))
    go(lambda: len(u.normalize(form, 'a' + marks)))
    go(lambda: len(u.normalize(form, '\u0344\uac01\u1e9b\u0323' * 90_000)))
    go(lambda: u.is_normalized(form, '\ud800' * 9000))
go(lambda: u.normalize('X' * 999_999, 'a'))
go(lambda: u.lookup('LATIN SMALL LETTER ' + 'A' * 999_999))
go(lambda: [u.name(chr(i), '') for i in range(0x20000, 0x22000)][-1])
go(lambda: u.name('ab'))
go(lambda: u.numeric('\U0001f600'))
go(lambda: len((marks + '\u1fb7' * 99_999).upper().lower().casefold().title().swapcase()))
go(lambda: sum(map(str.isidentifier, [marks[:i] for i in range(500)])))
go(lambda: ('\u0130' * 99_999).lower().capitalize()[:1])
'Σ' * 300_000 == ('σ' * 300_000).upper() and ('ΑΣ' * 300_000).lower()[-1]
