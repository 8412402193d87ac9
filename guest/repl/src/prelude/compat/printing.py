# Printing to an object; see `compat/calls.rs`.
def _rlm_load(str, print):
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
    return print_
_rlm_print = _rlm_load(str, lambda *args, **kwargs: _rlm_kit['print'](*args, **kwargs))
