# Dataclasses with options that Monty's do not take; see `compat/dataclasses.rs`.
def _rlm_load(type, getattr, setattr, hasattr, put, dict, list, len, tuple, zip, hash, isinstance, range, NotImplemented):
    from dataclasses import dataclass, field, MISSING
    class options:
        def __init__(self, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
            if default is not MISSING and default_factory is not MISSING:
                raise ValueError('cannot specify both default and default_factory')
            self.default = default
            self.default_factory = default_factory
            self.init = init
            self.repr = repr
            self.hash = hash
            self.compare = compare
            self.metadata = metadata
            self.kw_only = kw_only
            self.passed = False
    def field_(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
        return options(default, default_factory, init, repr, hash, compare, metadata, kw_only)
    def counted(words):
        words = [f"'{word}'" for word in words]
        if len(words) < 2:
            return words[0]
        if len(words) == 2:
            return f'{words[0]} and {words[1]}'
        return f"{', '.join(words[:-1])}, and {words[-1]}"
    def dataclass_(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
        def decorate(cls):
            return made(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots)
        return decorate if cls is None else decorate(cls)
    def made(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots):
        if order and not eq:
            raise ValueError('eq must be true if order is true')
        members = cls._rlm_attributes
        own = {name: name in members for name in ('__init__', '__repr__', '__eq__', '__hash__', '__lt__', '__le__', '__gt__', '__ge__')}
        fields = {}
        for base in [*cls.__mro__][-2:0:-1]:
            known = base._rlm_attributes
            if '_rlm_fields' in known:
                fields.update(known['_rlm_fields'])
            else:
                fields.update({name: options(f.default, f.default_factory) for name, f in known.get('__dataclass_fields__', {}).items()})
        for f in fields.values():
            if f.kw_only is MISSING:
                f.kw_only = False
        matches = '__match_args__' in members
        late = kw_only
        notes = members.get('__annotations__', {})
        for name, note in {**notes}.items():
            if note.split('[')[0].split('.')[-1] == 'ClassVar':
                continue
            if note.split('.')[-1] == 'KW_ONLY':
                late = True
                notes.pop(name)
                continue
            given = getattr(cls, name, MISSING)
            if type(given) is not options:
                kind = type(given).__name__
                if kind == 'Field':
                    given = options(given.default, given.default_factory)
                elif kind in ('list', 'dict', 'set'):
                    raise ValueError(f"mutable default <class '{kind}'> for field {name} is not allowed: use default_factory")
                else:
                    given = options(given)
            elif given.default_factory is not MISSING or given.default is not MISSING:
                setattr(cls, name, field(default=given.default) if given.default_factory is MISSING else field(default_factory=given.default_factory))
            else:
                # What comes after may have no default: it need not, our function is called.
                setattr(cls, name, None)
            if given.kw_only is MISSING:
                given.kw_only = late
            given.passed = note.split('[')[0].split('.')[-1] == 'InitVar'
            if given.passed:
                notes.pop(name)
                if given.default is MISSING:
                    given.default = getattr(cls, name, MISSING)
            fields[name] = given
        seen = None
        for name, f in fields.items():
            if not f.init or f.kw_only:
                continue
            if f.default is MISSING and f.default_factory is MISSING:
                if seen:
                    raise TypeError(f"non-default argument '{name}' follows default argument")
            else:
                seen = name
        # Monty's decorator wants defaults behind one another as well.
        bare = [name for name, f in fields.items() if not f.passed and f.default is MISSING and f.default_factory is MISSING]
        kept = [name for name in bare if hasattr(cls, name)]
        if seen or [f for f in fields.values() if f.kw_only]:
            for name in bare:
                setattr(cls, name, None)
        cls = dataclass(eq=eq, frozen=frozen)(cls)
        shown = [name for name, f in fields.items() if f.repr and not f.passed]
        same = [name for name, f in fields.items() if f.compare and not f.passed]
        hashed = [name for name, f in fields.items() if (f.compare if f.hash is None else f.hash) and not f.passed]
        slots_of = [name for name, f in fields.items() if f.init and not f.kw_only]
        later = [name for name, f in fields.items() if f.init and f.kw_only]
        def init_(self, *args, **kwargs):
            title = f'{cls.__name__}.__init__()'
            values = {}
            if len(args) > len(slots_of):
                least = len([name for name in slots_of if fields[name].default is MISSING and fields[name].default_factory is MISSING]) + 1
                most = len(slots_of) + 1
                takes = f'{most}' if least == most else f'from {least} to {most}'
                extra = f" positional arguments but {len(args) + 1} {'were' if len(args) else 'was'} given"
                if most == 1:
                    extra = extra.replace('arguments', 'argument')
                raise TypeError(f'{title} takes {takes}{extra}')
            for i in range(len(args)):
                values[slots_of[i]] = args[i]
            for name, value in kwargs.items():
                if name in values:
                    raise TypeError(f"{title} got multiple values for argument '{name}'")
                if name not in slots_of and name not in later:
                    raise TypeError(f"{title} got an unexpected keyword argument '{name}'")
                values[name] = value
            def missing(wanted):
                return [name for name in wanted if name not in values and fields[name].default is MISSING and fields[name].default_factory is MISSING]
            for wanted, kind in ((slots_of, 'positional'), (later, 'keyword-only')):
                lost = missing(wanted)
                if lost:
                    raise TypeError(f"{title} missing {len(lost)} required {kind} argument{'s' if len(lost) > 1 else ''}: {counted(lost)}")
            passed = []
            for name, f in fields.items():
                if name in values:
                    value = values[name]
                elif f.default_factory is not MISSING:
                    value = f.default_factory()
                elif f.default is not MISSING and not f.init and not slots:
                    # The default is the class's.
                    continue
                elif f.default is not MISSING:
                    value = f.default
                else:
                    continue
                if f.passed:
                    passed.append(value)
                else:
                    put(self, name, value)
            if hasattr(cls, '__post_init__'):
                self.__post_init__(*passed)
        busy = []
        def repr_(self):
            if [o for o in busy if o is self]:
                return '...'
            busy.append(self)
            try:
                return f"{type(self).__name__}({', '.join([f'{name}={getattr(self, name)!r}' for name in shown])})"
            finally:
                busy.pop()
        def row(self):
            return (*[getattr(self, name) for name in same],)
        def eq_(self, other):
            if type(other) is not type(self):
                return NotImplemented
            return row(self) == row(other)
        def hash_(self):
            return hash((*[getattr(self, name) for name in hashed],))
        if init and not own['__init__']:
            cls.__init__ = init_
        elif not init and not own['__init__']:
            def no_init(self, *args, **kwargs):
                if args or kwargs:
                    raise TypeError(f'{cls.__name__}() takes no arguments')
            cls.__init__ = no_init
        if not own['__repr__']:
            if repr:
                cls.__repr__ = repr_
            else:
                raise NotImplementedError('repr=False is not available here: define __repr__')
        if eq and not own['__eq__']:
            cls.__eq__ = eq_
        if not own['__hash__'] and (unsafe_hash or eq and frozen):
            cls.__hash__ = hash_
        if order:
            def ordered(way):
                def compare(self, other):
                    return way(row(self), row(other)) if type(other) is type(self) else NotImplemented
                return compare
            for name, way in {'__lt__': lambda a, b: a < b, '__le__': lambda a, b: a <= b, '__gt__': lambda a, b: a > b, '__ge__': lambda a, b: a >= b}.items():
                if own[name]:
                    raise TypeError(f'Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering')
                setattr(cls, name, ordered(way))
        if not matches:
            if match_args:
                cls.__match_args__ = (*slots_of,)
            else:
                del cls.__match_args__
        cls._rlm_fields = fields
        if slots:
            cls.__slots__ = (*[name for name, f in fields.items() if not f.passed],)
        return cls
    return dataclass_, field_
_rlm_dataclass, _rlm_field = _rlm_load(type, getattr, setattr, hasattr, object.__setattr__, dict, list, len, tuple, zip, hash, isinstance, range, NotImplemented)
