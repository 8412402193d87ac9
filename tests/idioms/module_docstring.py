# %% module docstring
"""Counts the words of a text.

Usage: call count(text).
"""

import sys


def usage():
    print(__doc__.strip(), file=sys.stdout)


def count(text):
    """Counts words."""
    return len(text.split())


usage()
print(__doc__.splitlines()[0], count.__doc__, count("a b c"))
try:
    print(sorted(["b", "a"], key=lambda word: scor(word)))
except NameError as e:
    print("fallback:", e)
