# RUN: exec %
#
# A script that can do without a module learns that it is denied where it imports it.
print("first")
try:
    import os
except ImportError as error:
    os = None
    print(type(error).__name__, error)


def name(path):
    try:
        from pathlib import Path

        return Path(path).name
    except ModuleNotFoundError:
        return "not for this"
    except Exception as error:
        return str(error)


print(name("a/b"))
for attempt in range(2):
    try:
        import os.path as path, json
    except ImportError:
        print("again")
try:
    import urllib.request
except ImportError as error:
    print(error)
os
