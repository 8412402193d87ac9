# Types of exceptions that Monty lacks; see `compat/errors.rs`.
def _rlm_load(type, ArithmeticError, BaseException, Exception, KeyboardInterrupt, OSError, UnicodeDecodeError, UnicodeEncodeError, ValueError):
    # The interpreter ends generators with an exception of its type KeyboardInterrupt, and calls it GeneratorExit.
    kinds = {'GeneratorExit': KeyboardInterrupt}
    for base, names in (
        (BaseException, 'KeyboardInterrupt'),
        (OSError, 'ConnectionError BlockingIOError InterruptedError ChildProcessError ProcessLookupError'),
        (ValueError, 'UnicodeError'),
        (Exception, 'EOFError BufferError SystemError ReferenceError Warning'),
        (ArithmeticError, 'FloatingPointError'),
        ('ConnectionError', 'ConnectionResetError ConnectionRefusedError ConnectionAbortedError BrokenPipeError'),
        ('Warning', 'UserWarning DeprecationWarning PendingDeprecationWarning SyntaxWarning RuntimeWarning FutureWarning ImportWarning UnicodeWarning BytesWarning ResourceWarning EncodingWarning'),
    ):
        for name in names.split():
            # Those that Monty has are below one that it lacks.
            members = {'_rlm_catches': (UnicodeDecodeError, UnicodeEncodeError)} if name == 'UnicodeError' else {}
            kinds[name] = type(name, (kinds.get(base, base),), members)
    _rlm_kit['kinds'] = kinds
    return kinds
_rlm_kinds = _rlm_load(type, ArithmeticError, BaseException, Exception, KeyboardInterrupt, OSError, UnicodeDecodeError, UnicodeEncodeError, ValueError)
