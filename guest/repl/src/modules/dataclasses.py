def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import copy
    from dataclasses import MISSING
    dict, tuple = type({}), type(())
    class Field:
        def __init__(self, field, options=None):
            self.name = field.name
            self.type = field.type
            self.default = field.default
            self.default_factory = field.default_factory
            self.init, self.repr, self.hash, self.compare, self.metadata = True, True, None, True, {}
            self.kw_only = field.kw_only
            if options is not None:
                self.default, self.default_factory = options.default, options.default_factory
                self.init, self.repr, self.hash, self.compare = options.init, options.repr, options.hash, options.compare
                self.metadata = options.metadata or {}
                self.kw_only = options.kw_only
        def __repr__(self):
            return (
                f'Field(name={self.name!r},type={self.type!r},default={self.default!r},'
                f'default_factory={self.default_factory!r},init={self.init!r},repr={self.repr!r},hash={self.hash!r},compare={self.compare!r},'
                f'metadata=mappingproxy({self.metadata!r}),kw_only={self.kw_only!r},_field_type=_FIELD)'
            )
    def is_instance(x):
        return hasattr(x, '__dataclass_fields__') and type(x) is not type(int)
    def fields(class_or_instance):
        if not hasattr(class_or_instance, '__dataclass_fields__'):
            raise TypeError('must be called with a dataclass type or instance')
        known = options(class_or_instance)
        return tuple([Field(field, known.get(name)) for name, field in class_or_instance.__dataclass_fields__.items()])
    def options(x):
        # What those of ours say of their fields; see `prelude/compat/dataclasses.py`.
        return getattr(x, '_rlm_fields', {})
    def walk(x, build):
        if is_instance(x):
            return build([(name, walk(getattr(x, name), build)) for name in x.__dataclass_fields__])
        if isinstance(x, tuple) and hasattr(x, '_fields'):
            return type(x)(*[walk(v, build) for v in x])
        if isinstance(x, (list, tuple)):
            return type(x)([walk(v, build) for v in x])
        if isinstance(x, dict):
            new = x.copy()
            new.clear()
            for k, v in x.items():
                new[walk(k, build)] = walk(v, build)
            return new
        return copy.deepcopy(x)
    def asdict(obj, *, dict_factory=dict):
        if not is_instance(obj):
            raise TypeError('asdict() should be called on dataclass instances')
        return walk(obj, dict_factory)
    def astuple(obj, *, tuple_factory=tuple):
        if not is_instance(obj):
            raise TypeError('astuple() should be called on dataclass instances')
        return walk(obj, lambda pairs: tuple_factory([v for _, v in pairs]))
    def replace(obj, /, **changes):
        if not is_instance(obj):
            raise TypeError('replace() should be called on dataclass instances')
        known = options(obj)
        for name, f in known.items():
            if f.passed and name not in changes and f.default is MISSING:
                raise ValueError(f"InitVar '{name}' must be specified with replace()")
            if not f.init and name in changes:
                raise ValueError(f'field {name} is declared with init=False, it cannot be specified with replace()')
        values = dict([(name, getattr(obj, name)) for name in obj.__dataclass_fields__ if name not in known or known[name].init])
        values.update(changes)
        return type(obj)(**values)
    class InitVar:
        # Only annotations name it; see `compat/dataclasses.rs`.
        def __getitem__(self, kind):
            return self
    return _rlm_Module('dataclasses', {
        'InitVar': InitVar(), 'KW_ONLY': InitVar(),
        'Field': Field, 'fields': fields, 'asdict': asdict, 'astuple': astuple, 'replace': replace,
    })
_rlm_module_dataclasses = _rlm_load(*_rlm_kit['builtins'])
