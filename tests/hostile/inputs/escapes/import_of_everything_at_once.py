# Imports all that is there, in one statement, again and again, with names that collide
for again in range(50):
    import ast, asyncio, base64, binascii, bisect, calendar, codecs, collections, contextlib, copy, csv, dataclasses, datetime, decimal, difflib, fnmatch, fractions
    import functools, graphlib, hashlib, heapq, hmac, html, inspect, io, itertools, json, keyword, logging, math, numbers, operator, pprint, queue, random, re, secrets
    import shlex, statistics, string, struct, sys, textwrap, threading, time, timeit, tomllib, traceback, types, typing, unicodedata, urllib.parse, uuid, warnings, zlib
    import concurrent.futures as print, sys as echo, time as FINAL, json as answer, re as later, io as context
    for name in ('collections', 'math', 'heapq', 'typing', 'concurrent.futures', 'urllib.parse'):
        try:
            exec(f'from {name} import *')
        except Exception as error:
            said = str(error)
    timeit.timeit(lambda: timeit.timeit(timeit.timeit), number=10 ** 9)
