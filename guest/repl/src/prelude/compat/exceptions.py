# What exceptions hold in Python beyond one text; see `compat/exceptions.rs`. One of
# Monty's has nothing else, so the rest is kept beside it, of the newest thousand;
# each stays alive as long, so that its id is nobody else's.
def _rlm_load(errors, setattr, TypeError, NotImplementedError, type, isinstance, id, len, str, int, dict, list, tuple, getattr, BaseException, Exception, OSError, ValueError, SystemExit,
              StopIteration, NameError, AttributeError, ImportError, KeyError, UnicodeDecodeError, UnicodeEncodeError, zip, enumerate):
    known = {}
    kinds = {}
    class Kept:
        def __init__(self, error):
            self.error = error
            self.args = self.kind = self.cause = self.context = self.notes = self.holder = None
            self.more = {}
            self.silent = self.seen = self.explicit = self.unsure = False
            self.turn = turn[0]
    # What is known of each kind, where no script can set an attribute of it.
    facts = {}
    class Facts:
        def __init__(self, name, above, made, home):
            self.name = name
            self.above = above
            self.made = made
            self.home = home
            # The class of what holds its attributes, and what that class has.
            self.body = None
            self.has = {}
    class Kind:
        # Stands for a type that Monty lacks; what it makes is of a type above it.
        def __call__(self, *args, **more):
            return make(self, *args, **more)
        def __repr__(self):
            return f"<class '{facts[self].home}{name_of_kind(self)}'>"
    def name_of_kind(kind):
        name = kind.__name__
        return name if type(name) is str else facts[kind].name
    def known_kind(name, above, made, home=''):
        # No script can make the facts of a kind anew: it has no `__init__`.
        kind = Kind()
        facts[kind] = Facts(name, above, made, home)
        kind.__name__ = kind.__qualname__ = name
        if home != '__main__.':
            # All scripts of the session share it.
            kind._frozen = True
        return kind
    def define(name, base, home='__main__.'):
        return known_kind(name, base, facts[base].made, home) if type(base) is Kind else known_kind(name, None, base, home)
    def embody(base, names):
        # Makes a kind of a class whose instances hold what its exceptions have.
        def embodied(body):
            kind = define(body.__name__, base)
            fact = facts[kind]
            fact.body = body
            fact.has = {name: getattr(body, name) for name in names.split()}
            for name, value in (facts[base].has if type(base) is Kind else {}).items():
                if name not in fact.has:
                    fact.has[name] = value
                    setattr(body, name, value)
            if fact.made is KeyError and '__str__' in fact.has:
                raise NotImplementedError('__str__ of a kind of KeyError is not available in this sandbox')
            sample = fact.made()
            setattr(body, '__init__', lambda self: None)
            if '__str__' not in fact.has:
                setattr(body, '__str__', lambda self: text(sample, self.args))
            if not errors:
                errors.extend([held, is_bare, read])
            return kind
        return embodied
    def above(base, name, *this):
        # What the class above `this` has; methods that are called by their class are given it.
        def call(this, *args, **more):
            found = facts[base].has.get(name) if type(base) is Kind else None
            if found is not None:
                return found(this, *args, **more)
            if name == '__str__':
                return text((facts[base].made if type(base) is Kind else base)(), this.args)
            if name != '__init__':
                raise AttributeError(f"'super' object has no attribute '{name}'")
            if more:
                raise TypeError(f'{type(this).__name__}() takes no keyword arguments')
            this.args = args
        return (lambda *args, **more: call(this[0], *args, **more)) if this else call
    def held(o):
        if type(o) is Kind:
            return o if facts[o].body is None else facts[o].body
        kept = find(o) if isinstance(o, BaseException) else None
        return o if kept is None or kept.holder is None else kept.holder
    def is_bare(o):
        return isinstance(o, BaseException)
    for name, higher, made in (
        ('ConnectionError', None, OSError), ('ConnectionResetError', 'ConnectionError', OSError), ('ConnectionRefusedError', 'ConnectionError', OSError),
        ('ConnectionAbortedError', 'ConnectionError', OSError), ('BrokenPipeError', 'ConnectionError', OSError), ('BlockingIOError', None, OSError),
        ('InterruptedError', None, OSError), ('ChildProcessError', None, OSError), ('ProcessLookupError', None, OSError), ('UnicodeError', None, ValueError),
        ('EOFError', None, Exception), ('BufferError', None, Exception), ('SystemError', None, Exception), ('ReferenceError', None, Exception),
        ('FloatingPointError', None, ArithmeticError), ('Warning', None, Exception), ('UserWarning', 'Warning', Exception),
        ('DeprecationWarning', 'Warning', Exception), ('PendingDeprecationWarning', 'Warning', Exception), ('SyntaxWarning', 'Warning', Exception),
        ('RuntimeWarning', 'Warning', Exception), ('FutureWarning', 'Warning', Exception), ('ImportWarning', 'Warning', Exception),
        ('UnicodeWarning', 'Warning', Exception), ('BytesWarning', 'Warning', Exception), ('ResourceWarning', 'Warning', Exception),
        ('EncodingWarning', 'Warning', Exception),
    ):
        kinds[name] = known_kind(name, kinds.get(higher), made)
    errnos = {1: PermissionError, 2: FileNotFoundError, 13: PermissionError, 17: FileExistsError, 20: NotADirectoryError, 21: IsADirectoryError, 110: TimeoutError,
              32: kinds['BrokenPipeError'], 104: kinds['ConnectionResetError'], 111: kinds['ConnectionRefusedError'], 103: kinds['ConnectionAbortedError'],
              11: kinds['BlockingIOError'], 4: kinds['InterruptedError'], 10: kinds['ChildProcessError'], 3: kinds['ProcessLookupError']}
    # What was made or raised last, until it is seen again.
    flying = [None]
    # How many scripts have begun since.
    turn = [0]
    def begin():
        # What an earlier script made is known by what it is, not by what it says.
        flying[0] = None
        turn[0] += 1
    def find(x):
        kept, last = known.get(id(x)), flying[0]
        if kept is not None and kept.error is x:
            if last is kept:
                flying[0] = None
            return kept
        if last is None or f'{x!r}' != f'{last.error!r}':
            return None
        # Monty makes it anew where it leaves what a builtin has called.
        flying[0] = None
        kept = known[id(x)] = Kept(x)
        kept.args, kept.kind, kept.cause, kept.context, kept.notes, kept.more, kept.holder = last.args, last.kind, last.cause, last.context, last.notes, last.more, last.holder
        kept.silent, kept.seen, kept.explicit, kept.unsure = last.silent, last.seen, last.explicit, last.unsure
        return kept
    def keep(error):
        kept = find(error)
        if kept is None:
            if len(known) >= 1000:
                for key in [*known][:500]:
                    known.pop(key)
            kept = known[id(error)] = Kept(error)
        kept.turn = turn[0]
        return kept
    # What `type` gives for an exception of Monty's is not equal to its type.
    types = {f'{kind()!r}': kind for kind in (
        ArithmeticError, AssertionError, AttributeError, BaseException, Exception, FileExistsError, FileNotFoundError, ImportError, IndexError,
        IsADirectoryError, KeyError, KeyboardInterrupt, LookupError, MemoryError, ModuleNotFoundError, NameError, NotADirectoryError, NotImplementedError,
        OSError, OverflowError, PermissionError, RecursionError, RuntimeError, StopIteration, SyntaxError, SystemExit, TimeoutError, TypeError,
        UnboundLocalError, UnicodeDecodeError, UnicodeEncodeError, ValueError, ZeroDivisionError,
    )}
    def native_of(error):
        return types.get(f'{error!r}'.split('(')[0] + '()', type(error))
    def top():
        try:
            raise
        except BaseException as e:
            return e
    def current():
        # Without one, each attempt makes another that says so.
        e = top()
        return e if e is top() else None
    def of(kept):
        return kept.error.args if kept.args is None else kept.args
    def is_named(error, args):
        return isinstance(error, OSError) and 2 <= len(args) <= 5
    def text(error, args):
        if is_named(error, args):
            about = f'[Errno {args[0]}] {args[1]}'
            return about if len(args) == 2 or args[2] is None else f'{about}: {args[2]!r}'
        if len(args) == 1:
            one = shown(args[0])
            return f'{one!r}' if isinstance(error, KeyError) else f'{one}'
        return f'{shown(args)!r}' if args else ''
    def name_of(kept):
        return name_of_kind(kept.kind) if kept.kind is not None else f'{kept.error!r}'.split('(')[0].split('.')[-1]
    def repr_of(kept):
        args = of(kept)
        return f'{name_of(kept)}({shown(args[0])!r})' if len(args) == 1 else f'{name_of(kept)}{shown(args)!r}'
    class Shown:
        def __init__(self, kept):
            self.kept = kept
        def __str__(self):
            kept = self.kept
            return text(kept.error, of(kept)) if isinstance(kept.error, KeyError) else f'{kept.error}'
        def __repr__(self):
            return repr_of(self.kept)
    def shown(x, depth=3):
        # What shows itself as `x` does in Python.
        if isinstance(x, BaseException):
            kept = find(x)
            return x if kept is None or kept.args is None and kept.kind is None else Shown(kept)
        kind = type(x)
        if known and depth and (kind is list or kind is tuple or kind is dict) and len(x) <= 1000:
            if kind is dict:
                values = [shown(v, depth - 1) for v in x.values()]
                changed = [1 for a, b in zip(values, x.values()) if a is not b]
                return {k: values[i] for i, k in enumerate(x)} if changed else x
            items = [shown(v, depth - 1) for v in x]
            if [1 for a, b in zip(items, x) if a is not b]:
                return items if kind is list else (*items,)
        return x
    natives = {f'{kind!r}': kind for kind in types.values()}
    def make(kind, *args, **more):
        if type(kind) is not Kind and f'{kind!r}' not in natives:
            return kind(*args, **more)
        if type(kind) is not Kind and (not args or len(args) == 1 and type(args[0]) is str) and not more:
            return kind(*args)
        tag = kind if type(kind) is Kind else None
        fact = None if tag is None else facts[tag]
        holder = None
        if fact is not None and fact.body is not None:
            holder = fact.body()
            holder.args = args
            if '__init__' in fact.has:
                fact.has['__init__'](holder, *args, **more)
                args, more = (*holder.args,), {}
        made = kind if fact is None else fact.made
        if more and not (f'{kind!r}' in ("<class 'ImportError'>", "<class 'ModuleNotFoundError'>", "<class 'AttributeError'>", "<class 'NameError'>")):
            raise TypeError(f"{name_of_kind(tag) if tag is not None else f'{kind!r}'[8:-2]}() takes no keyword arguments")
        if made is OSError and 2 <= len(args) <= 5 and kind is OSError and type(args[0]) is int:
            made = errnos.get(args[0], OSError)
            if type(made) is Kind:
                tag, made = made, facts[made].made
        error = made()
        if args:
            # The outcome of a script has the key itself.
            error = made(f'{shown(args[0])}' if made is KeyError and len(args) == 1 else text(error, args))
        if holder is not None and '__str__' in fact.has:
            error = made(f'{holder}')
        flying[0] = None
        kept = keep(error)
        kept.args, kept.kind, kept.more, kept.holder = args, tag, more, holder
        flying[0] = kept
        if is_named(error, args):
            kept.args = args[:2]
            kept.more = {'errno': args[0], 'strerror': args[1], 'filename': args[2] if len(args) > 2 else None}
        return error
    def fails(*said):
        raise raised(make(AssertionError, *said))
    def leave(*code):
        raise raised(make(SystemExit, *code))
    def raised(error, *cause):
        if not isinstance(error, BaseException) and f'{error!r}'[:7] == '<class ':
            error = error()
        if not isinstance(error, BaseException):
            return error
        now, kept = current(), keep(error)
        kept.explicit = kept.explicit or not kept.seen
        kept.seen = True
        if now is not None and now is not error:
            past = now
            while past is not None:
                before = find(past)
                if before is not None and before.context is error:
                    before.context = None
                past = None if before is None else before.context
            kept.context = now
        if cause:
            kept.cause, kept.silent = cause[0], True
            if kept.cause is not None and not isinstance(kept.cause, BaseException):
                kept.cause = kept.cause()
        flying[0] = kept
        return error
    def came(error, past):
        # For an exception that was raised where `past` was handled.
        kept = keep(error)
        if kept.context is None and past is not error:
            kept.context, kept.seen = past, True
        flying[0] = kept
    def fly(error):
        # Keeps that of one that is raised once more.
        flying[0] = find(error)
    entered = [0]
    def mark():
        return current(), entered[0]
    def is_kind(error, kind):
        if kind is kinds['UnicodeError'] and isinstance(error, (UnicodeDecodeError, UnicodeEncodeError)):
            return True
        kept = find(error)
        return kept is not None and kept.kind is not None and is_below(kept.kind, kind)
    def is_below(kind, other):
        while kind is not None and kind is not other:
            kind = facts[kind].above
        return kind is not None
    def is_subclass(kind, wanted):
        if type(wanted) is tuple:
            return True in [is_subclass(kind, one) for one in wanted]
        if type(kind) is Kind:
            return is_below(kind, wanted) if type(wanted) is Kind else isinstance(facts[kind].made(), wanted)
        if type(wanted) is Kind:
            return wanted is kinds['UnicodeError'] and (kind is UnicodeDecodeError or kind is UnicodeEncodeError)
        try:
            is_below_natively = _rlm_issubclass
        except NameError:
            # A module of ours asks, and the script never did.
            try:
                raise kind
            except wanted:
                return True
            except BaseException:
                return False
        return is_below_natively(kind, wanted)
    def natively(error, kind):
        # `()` catches nothing.
        return native_of(error) if is_kind(error, kind) else ()
    def caught(wanted, *marks):
        # The types that `except` is given, where another type of ours may be among them.
        error = current()
        if marks:
            before, count = marks[0]
            kept = keep(error)
            if not kept.seen:
                kept.seen = True
                kept.context = before
                # A handler that was entered since may be what it was raised in.
                kept.unsure = entered[0] != count
        if type(wanted) is tuple:
            wanted = (*[natively(error, kind) if type(kind) is Kind else kind for kind in wanted if type(kind) is not Kind or is_kind(error, kind)],)
        elif type(wanted) is Kind:
            wanted = natively(error, wanted)
        if marks and isinstance(error, wanted):
            entered[0] += 1
        return wanted
    def is_instance(x, wanted):
        if type(wanted) is tuple:
            return True in [is_instance(x, kind) for kind in wanted]
        if type(wanted) is Kind:
            return isinstance(x, BaseException) and is_kind(x, wanted)
        return _rlm_kit.get('is_kind', isinstance)(x, wanted)
    def type_of(x):
        if not isinstance(x, BaseException):
            return _rlm_kit.get('type', type)(x)
        kept = find(x)
        return native_of(x) if kept is None or kept.kind is None else kept.kind
    def between(said, start, end):
        rest = said.split(start, 1)
        return rest[1].split(end, 1)[0] if len(rest) == 2 else None
    def of_unicode(said, name):
        if name == 'encoding':
            return between(said, "'", "'")
        if name == 'reason':
            return said.split(': ', 1)[1] if ": ordinal" not in said else said.rsplit(': ', 1)[1]
        where = between(said, ' in position ', ':').split('-')
        return int(where[0]) if name == 'start' else int(where[-1]) + 1
    def of_os(kept, error, name):
        if kept is not None and kept.args is not None:
            return kept.more.get(name)
        said = f'{error}'
        if said[:7] == '[Errno ':
            if name == 'errno':
                return int(between(said, ' ', ']'))
            if name == 'strerror':
                return between(said, '] ', ": '")
            return said.split(": '", 1)[1][:-1] if ": '" in said else None
        return None
    def named(kept, error):
        said = f'{error}'
        if kept is not None and kept.args is not None:
            return kept.more.get('name')
        if kept is not None and kept.explicit:
            return None
        if isinstance(error, AttributeError):
            return said.split("'")[-2] if ' has no attribute ' in said and said[-1:] == "'" else None
        if isinstance(error, ImportError):
            return between(said, "No module named '", "'") or between(said, " from '", "'")
        return between(said, "name '", "'") or between(said, "free variable '", "'")
    def read(error, name):
        if name in ('__name__', '__qualname__') and f'{error!r}'[:7] == '<class ':
            name = f'{error!r}'[8:-2].split('.')[-1]
            return 'GeneratorExit' if name == 'KeyboardInterrupt' else name
        if not isinstance(error, BaseException):
            return getattr(error, name)
        kept = find(error)
        if name == 'args':
            return error.args if kept is None else of(kept)
        if name == '__class__':
            return type_of(error)
        if name == '__cause__':
            if (kept is None or kept.cause is None) and f'{error}' == 'generator raised StopIteration':
                return StopIteration()
            return None if kept is None else kept.cause
        if name == '__suppress_context__':
            return kept is not None and kept.silent
        if name == '__context__':
            if kept is not None and kept.unsure:
                raise NotImplementedError('the __context__ of an exception that was not raised by a raise statement is not available in this sandbox')
            return None if kept is None else kept.context
        if name == 'add_note':
            def add_note(note):
                if type(note) is not str:
                    raise TypeError(f"note must be a str, not '{type(note).__name__}'")
                kept = keep(error)
                kept.notes = [*(kept.notes or []), note]
            return add_note
        if name == '__notes__' and kept is not None and kept.notes is not None:
            return kept.notes
        if name in ('errno', 'strerror', 'filename') and isinstance(error, OSError):
            return of_os(kept, error, name)
        if name in ('start', 'end', 'reason', 'encoding') and isinstance(error, (UnicodeDecodeError, UnicodeEncodeError)):
            return of_unicode(f'{error}', name)
        if name == 'name' and isinstance(error, (AttributeError, NameError, ImportError)):
            return named(kept, error)
        if name in ('code', 'value') and isinstance(error, SystemExit if name == 'code' else StopIteration):
            args = error.args if kept is None else of(kept)
            return args if name == 'code' and len(args) > 1 else args[0] if args else None
        return getattr(error, name)
    # What says which key it lacks and no more; a class may say it in its own words.
    keyed = ('dict', 'set', 'defaultdict', 'Counter')
    def item(o, key):
        try:
            return o[key]
        except KeyError:
            if type(key) is str or type(o).__name__ not in keyed:
                raise
        # One whose text could be that of a text.
        raise make(KeyError, key)
    def taken(o, name, key):
        try:
            return o.pop(key) if name == 'pop' else o.remove(key)
        except KeyError:
            if type(key) is str or type(o).__name__ not in keyed:
                raise
        raise make(KeyError, key)
    def uncaught(name, said):
        # What the exception is called that Monty says that of.
        for kept in [*known.values()][::-1]:
            if kept.kind is not None and kept.turn == turn[0] and f'{kept.error}' == said and f'{kept.error!r}'.split('(')[0] == name:
                return name_of_kind(kept.kind)
        return name
    def exc_info():
        error = current()
        return (None, None, None) if error is None else (type_of(error), error, None)
    _rlm_kit['begin_exceptions'] = begin
    # For others that may be there without this.
    _rlm_kit['is_error'], _rlm_kit['type_of'], _rlm_kit['is_subclass'], _rlm_kit['define'], _rlm_kit['kinds'] = is_instance, type_of, is_subclass, define, kinds
    _rlm_kit.update({'came': came, 'fly': fly, 'raised': raised, 'is_instance': is_instance, 'read': read})
    return kinds, make, raised, mark, caught, is_instance, type_of, shown, read, item, taken, exc_info, current, fails, leave, uncaught, define, is_subclass, embody, above
_rlm_kinds, _rlm_error, _rlm_raised, _rlm_mark, _rlm_caught, _rlm_isinstance, _rlm_type, _rlm_shown, _rlm_read, _rlm_item, _rlm_taken, _rlm_exc_info, _rlm_exception, _rlm_fails, _rlm_leave, _rlm_uncaught, _rlm_define, _rlm_subclass, _rlm_embody, _rlm_above = _rlm_load(
    _rlm_kit.setdefault('errors', []), setattr, TypeError, NotImplementedError, type, isinstance, id, len, str, int, dict, list, tuple, getattr, BaseException, Exception, OSError, ValueError, SystemExit,
    StopIteration, NameError, AttributeError, ImportError, KeyError, UnicodeDecodeError, UnicodeEncodeError, zip, enumerate)
