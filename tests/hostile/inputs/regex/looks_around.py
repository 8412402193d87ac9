# Looks ahead and behind, in each other, repeated, empty and of any width
import re
text = 'a' * 100 + 'b'
for pattern in (
    '(?=(a+))*b', '(?=a*)+', '(?:(?=a)){1000}', '(?<=a*)b', '(?<=a{1,1000})b', '(?<!(a|ab)+)c', '(?=(?=(?=(?=a))))', '(?!(?!(?!(?!a))))a', '(?<=(?<=(?<=a)))b', '((?=a)|(?!a))*$', '(?=.*a)(?=.*b)(?=.*c).*',
    '(?:(?!x).)*c', '^(?=(a+)+$)', '(?<=^.*)a', '(?<=(.))\\1+$', '(?<=b|aa)b', '(?<=\\1(a))', '(?=', '(?<', '(?<=a', '(?#', '(?<=)*?', '(?!)', '(?!)*', '(?=a)**', '(?<!' + 'a' * 4_000 + ')b', '(?=a)' * 900,
    '(?=' * 500 + ')' * 500, '(?:a(?=' * 400 + 'b' + '))' * 400,
):
    try:
        print(re.findall(pattern, text)[:3])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
