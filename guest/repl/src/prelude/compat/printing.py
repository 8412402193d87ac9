# Printing to an object; see `compat/calls.rs`.
def _rlm_load(str, print, type, len, isinstance):
    import sys
    def print_(*values, sep=None, end=None, file=None, flush=False):
        sep = ' ' if sep is None else sep
        end = '\n' if end is None else end
        if file is None or file is sys.stdout:
            print(*values, sep=sep, end=end)
        elif file is sys.stderr:
            print(*values, sep=sep, end=end, file=sys.stderr)
        else:
            file.write(sep.join([str(v) for v in values]) + end)
    class Stream:
        # What of a stream's methods Monty's own lack.
        encoding = 'utf-8'
        errors = 'strict'
        closed = False
        mode = 'w'
        def __init__(self, stream):
            self._stream = stream
        def write(self, s, /):
            if not isinstance(s, str):
                raise TypeError(f'write() argument must be str, not {type(s).__name__}')
            print_(s, end='', file=self._stream)
            return len(s)
        def writelines(self, lines, /):
            for line in lines:
                self.write(line)
        def flush(self):
            pass
        def isatty(self):
            return False
        def writable(self):
            return True
        def readable(self):
            return False
    def stream(x):
        return Stream(x) if x is sys.stdout or x is sys.stderr else x
    return print_, stream
_rlm_print, _rlm_stream = _rlm_load(str, lambda *args, **kwargs: _rlm_kit['print'](*args, **kwargs), type, len, isinstance)
