def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import copy
    from dataclasses import MISSING
    dict, tuple = type({}), type(())
    known = {
        'bool': type(True), 'bytes': type(b''), 'dict': dict, 'float': float, 'int': int, 'list': list,
        'set': set, 'str': str, 'tuple': tuple, 'None': None,
    }
    class Field:
        def __init__(self, field):
            text = field.type
            self.name = field.name
            self.type = known[text] if text in known else text[1:-1] if text[:1] in ('"', "'") else text
            self.default = field.default
            self.default_factory = field.default_factory
            self.init, self.repr, self.hash, self.compare, self.metadata = True, True, None, True, {}
            self.kw_only = field.kw_only
        def __repr__(self):
            return (
                f'Field(name={self.name!r},type={self.type!r},default={self.default!r},'
                f'default_factory={self.default_factory!r},init=True,repr=True,hash=None,compare=True,'
                f'metadata=mappingproxy({{}}),kw_only={self.kw_only!r},_field_type=_FIELD)'
            )
    def is_instance(x):
        return hasattr(x, '__dataclass_fields__') and type(x) is not type(int)
    def fields(class_or_instance):
        if not hasattr(class_or_instance, '__dataclass_fields__'):
            raise TypeError('must be called with a dataclass type or instance')
        return tuple([Field(field) for field in class_or_instance.__dataclass_fields__.values()])
    def walk(x, build):
        if is_instance(x):
            return build([(name, walk(getattr(x, name), build)) for name in x.__dataclass_fields__])
        if isinstance(x, tuple) and hasattr(x, '_fields'):
            return type(x)(*[walk(v, build) for v in x])
        if isinstance(x, (list, tuple)):
            return type(x)([walk(v, build) for v in x])
        if isinstance(x, dict) or hasattr(x, '_rlm_plain') and hasattr(x, 'move_to_end'):
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
        values = dict([(name, getattr(obj, name)) for name in obj.__dataclass_fields__])
        values.update(changes)
        return type(obj)(**values)
    return _rlm_Module('dataclasses', {
        'Field': Field, 'fields': fields, 'asdict': asdict, 'astuple': astuple, 'replace': replace,
    })
_rlm_module_dataclasses = _rlm_load(*_rlm_kit['builtins'])
