# Half a million arguments, each of which the host gives a name
try:
    echo(*[''] * 500000)
except BaseException as error:
    print(repr(error)[:100])
later(*[()] * 200000)
