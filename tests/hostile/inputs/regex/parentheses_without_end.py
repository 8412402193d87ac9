# Patterns as deep as texts can be: groups, classes, flags, quantifiers, closed or not
import re
n = 5_000
for pattern in (
    '(' * n + ')' * n, '(?:' * n + ')' * n, '(' * n, ')' * n, '[' * n, '(?i:' * n + 'a' + ')' * n, '(?i)' * n, 'a' + '?' * n, 'a' + '+' * n, '(a|' * n + 'b' + ')' * n, '(?=' * n + ')' * n, '(?>' * n + 'a' + ')' * n,
    '(?P<a>' * n + ')' * n, '\\' * n, '\\' * (n + 1), '(?' * n, '{' * n, 'a{1' * n, '(?(1)' * n + ')' * n, '^' * n, '$' * n, '\\b' * n, '.' * n, '(*' * n + ')*' * n, '|(' * n + ')' * n, '(?#' * n, '(?-i' * n, 'a*' * n,
):
    try:
        print(re.compile(pattern).match('a'))
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
