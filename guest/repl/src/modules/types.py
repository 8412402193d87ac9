def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    dict = type({})
    # Namespaces that are being shown.
    shown = []
    class SimpleNamespace:
        def __init__(_namespace, *args, **kwargs):
            if len(args) > 1:
                raise TypeError(f'SimpleNamespace expected at most 1 argument, got {len(args)}')
            if args:
                kwargs = {**dict(args[0]), **kwargs}
            for name, value in kwargs.items():
                setattr(_namespace, name, value)
        def _known(self):
            return self._rlm_attributes
        def __repr__(self):
            if [1 for one in shown if one is self]:
                return 'namespace(...)'
            shown.append(self)
            try:
                return f"namespace({', '.join([f'{name}={value!r}' for name, value in self._known().items()])})"
            finally:
                shown.pop()
        def __eq__(self, other):
            return self._known() == other._known() if isinstance(other, SimpleNamespace) else NotImplemented
    class mappingproxy:
        def __init__(self, mapping):
            if not hasattr(mapping, '__getitem__') and not isinstance(mapping, dict):
                raise TypeError(f'mappingproxy() argument must be a mapping, not {type(mapping).__name__}')
            self._mapping = mapping
        def __getitem__(self, key):
            return self._mapping[key]
        def __setitem__(self, key, value):
            raise TypeError("'mappingproxy' object does not support item assignment")
        def __delitem__(self, key):
            raise TypeError("'mappingproxy' object does not support item deletion")
        def __contains__(self, key):
            return key in self._mapping
        def __iter__(self):
            return iter([*self._mapping])
        def __reversed__(self):
            return iter([*self._mapping][::-1])
        def __len__(self):
            return len(self._mapping)
        def __bool__(self):
            return len(self._mapping) > 0
        def __repr__(self):
            return f'mappingproxy({self._mapping!r})'
        def __str__(self):
            return f'{self._mapping}'
        def __eq__(self, other):
            return self._mapping == (other._mapping if isinstance(other, mappingproxy) else other)
        def __or__(self, other):
            return self._mapping | (other._mapping if isinstance(other, mappingproxy) else other)
        def __ror__(self, other):
            return other | self._mapping
        def get(self, key, default=None):
            return self._mapping.get(key, default)
        def keys(self):
            return self._mapping.keys()
        def values(self):
            return self._mapping.values()
        def items(self):
            return self._mapping.items()
        def copy(self):
            return self._mapping.copy()
    function = type(lambda: 0)
    def generator():
        yield
    return _rlm_Module('types', {
        'SimpleNamespace': SimpleNamespace, 'MappingProxyType': mappingproxy,
        'FunctionType': function, 'GeneratorType': type(generator()), 'LambdaType': function, 'BuiltinFunctionType': type(len), 'BuiltinMethodType': type(len),
        'NoneType': type(None), 'EllipsisType': type(...), 'NotImplementedType': type(NotImplemented), 'UnionType': type(int | str),
    })
_rlm_module_types = _rlm_load(*_rlm_kit['builtins'])
