# Patterns that stand in the source as they are, as deep as that may be, and long
import re
for search in (
    lambda: re.search('⟦(⟧180a⟦)⟧180', 'a'), lambda: re.search('⟦(?:⟧150a⟦)*⟧150', 'a'), lambda: re.search('⟦(a|⟧150b⟦)⟧150', 'b'), lambda: re.match('⟦a?⟧3000⟦a⟧3000', 'a' * 3000), lambda: re.search('⟦(⟧90⟦a+)+⟧90', 'a' * 99),
    lambda: re.search('(?:⟦word|⟧3000x)+y', 'word' * 900), lambda: re.search('⟦[a-z]⟧5000', 'a' * 5001), lambda: re.search('(a⟦+⟧190)', 'a'), lambda: re.findall('(⟦()⟧3000a)', 'a' * 900), lambda: re.search('a⟦|⟧9000', ''),
):
    try:
        print(str(search())[:50])
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
