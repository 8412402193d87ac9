# everything there is, imported at once by many names, and all that is not
import json, re, math, collections, itertools, functools, string, datetime, random, statistics, fractions, heapq, bisect, textwrap, difflib, csv, io, uuid, struct, zlib, html, hashlib, base64, ⟦json as a, re as b, heapq as c, ⟧1000 copy
from heapq import (⟦heappush as a, heappop as b, nlargest as c,
⟧200 nsmallest)
from typing import ⟦Any as a, ⟧900 List
try:
    import ⟦a.⟧30 a
except ImportError as e: print(e)
