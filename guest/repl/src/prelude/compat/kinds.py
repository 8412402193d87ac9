# Tests for kinds that are no types in Monty; see `compat/kinds.rs`.
def _rlm_load(isinstance, hasattr, type, iter, hash, list, str, int, float, set, frozenset, range):
    dict, tuple, bytes, none = type({}), type(()), type(b''), type(None)
    views = ('dict_keys', 'dict_items', 'dict_values')
    functions = ('function', 'builtin_function_or_method', 'method', 'type', 'partial', 'functools.partial')
    unhashable = ('list', 'dict', 'set', 'defaultdict', 'Counter', 'OrderedDict', 'deque', 'bytearray', 'dict_keys', 'dict_items')
    def name(x):
        return type(x).__name__
    def is_row(x):
        return isinstance(x, (list, tuple, str, bytes, range)) or name(x) == 'deque' or hasattr(x, '_fields')
    def is_mapping(x):
        return isinstance(x, dict) or hasattr(x, '_rlm_plain') or name(x) == 'mappingproxy'
    def is_set(x):
        return isinstance(x, (set, frozenset)) or name(x) in views[:2]
    def is_iterable(x):
        if name(x) == 'type':
            return False
        if hasattr(x, '__iter__'):
            return True
        try:
            iter(x)
        except TypeError:
            return False
        return not hasattr(x, '__getitem__')
    def is_iterator(x):
        if name(x) == 'type':
            return False
        if hasattr(x, '__iter__'):
            return hasattr(x, '__next__')
        try:
            return iter(x) is x
        except TypeError:
            return False
    def is_sized(x):
        return hasattr(x, '__len__') and name(x) != 'type' or is_row(x) or is_mapping(x) or isinstance(x, (set, frozenset)) or name(x) in views
    def is_container(x):
        return hasattr(x, '__contains__') and name(x) != 'type' or is_row(x) or is_mapping(x) or is_set(x) or name(x) == 'dict_values'
    def is_hashable(x):
        if name(x) in unhashable or hasattr(x, '__eq__') and not hasattr(x, '__hash__'):
            return False
        if hasattr(x, '__dataclass_fields__'):
            try:
                hash(x)
            except TypeError:
                return False
        return True
    def is_reversible(x):
        return hasattr(x, '__reversed__') and name(x) != 'type' or is_row(x) or isinstance(x, dict) or name(x) in views
    def is_rational(x):
        return isinstance(x, int) or hasattr(x, 'numerator') and name(x) == 'Fraction'
    def is_real(x):
        return isinstance(x, float) or is_rational(x)
    def is_complex(x):
        return name(x) == 'complex' or is_real(x)
    tests = {
        'Iterable': is_iterable, 'Iterator': is_iterator, 'Sized': is_sized, 'Container': is_container,
        'Collection': lambda x: is_sized(x) and is_iterable(x) and is_container(x),
        'Reversible': is_reversible, 'Hashable': is_hashable,
        'Callable': lambda x: name(x) in functions or hasattr(x, '__call__'),
        'Generator': lambda x: name(x) == 'generator',
        'Sequence': is_row, 'MutableSequence': lambda x: isinstance(x, list) or name(x) == 'deque',
        'ByteString': lambda x: isinstance(x, bytes),
        'Mapping': is_mapping, 'MutableMapping': lambda x: is_mapping(x) and name(x) != 'mappingproxy',
        'Set': is_set, 'AbstractSet': is_set, 'MutableSet': lambda x: isinstance(x, set),
        'MappingView': lambda x: name(x) in views, 'KeysView': lambda x: name(x) == 'dict_keys',
        'ItemsView': lambda x: name(x) == 'dict_items', 'ValuesView': lambda x: name(x) == 'dict_values',
        'List': lambda x: isinstance(x, list), 'Dict': lambda x: isinstance(x, dict),
        'Tuple': lambda x: isinstance(x, tuple) or hasattr(x, '_fields'), 'FrozenSet': lambda x: isinstance(x, frozenset),
        'Type': lambda x: name(x) == 'type',
        'Number': lambda x: is_complex(x) or name(x) == 'Decimal', 'Complex': is_complex, 'Real': is_real,
        'Rational': is_rational, 'Integral': lambda x: isinstance(x, int),
    }
    def test(x, kind):
        if isinstance(kind, tuple):
            for one in kind:
                if test(x, one):
                    return True
            return False
        if kind is None:
            kind = none
        wanted = ''
        if hasattr(kind, '_rlm_kind'):
            wanted = kind._rlm_kind
            if wanted == '|':
                return test(x, kind._args)
            if kind._args is not None:
                raise TypeError('Subscripted generics cannot be used with class and instance checks')
        elif name(kind) == '_SpecialForm' or name(kind) == 'typing._SpecialForm':
            # In `typing` it is the builtin one.
            wanted = 'MutableSet' if f'{kind!r}' == 'typing.Set' else f'{kind!r}'[7:]
        if wanted in tests:
            return tests[wanted](x)
        return isinstance(x, kind)
    def type_(x):
        # The type of classes is not the name that it has.
        found = type(x)
        return type if f'{found!r}' == "<class 'type'>" else found
    _rlm_kit['is_kind'], _rlm_kit['type'] = test, type_
    return test, type_
_rlm_isinstance, _rlm_type = _rlm_load(isinstance, hasattr, type, iter, hash, list, str, int, float, set, frozenset, range)
