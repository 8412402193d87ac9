def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    dict = type({})
    def plain(x):
        return x._rlm_plain() if hasattr(x, '_rlm_plain') else x
    def is_mapping(x):
        return isinstance(x, (dict, OrderedDict, ChainMap))
    def fill(target, name, args, named):
        if len(args) > 1:
            raise TypeError(f'{name}, got {len(args)}')
        if args:
            source = plain(args[0])
            if not isinstance(source, dict) and hasattr(source, 'keys'):
                source = [(k, source[k]) for k in source.keys()]
            target.update(source)
        target.update(named)
    class OrderedDict:
        def __init__(self, *args, **named):
            self._d = {}
            fill(self._d, 'expected at most 1 arguments', args, named)
        def _rlm_plain(self):
            return self._d
        def __getitem__(self, key):
            return self._d[key]
        def __setitem__(self, key, value):
            self._d[key] = value
        def __delitem__(self, key):
            self._d.pop(key)
        def __contains__(self, key):
            return key in self._d
        def __iter__(self):
            return iter(self._d)
        def __reversed__(self):
            return iter([*reversed(self._d)])
        def __len__(self):
            return len(self._d)
        def __eq__(self, other):
            if isinstance(other, OrderedDict):
                return [*self._d.items()] == [*other._d.items()]
            return self._d == other if isinstance(other, dict) else NotImplemented
        def __or__(self, other):
            if not isinstance(other, (dict, OrderedDict)):
                return NotImplemented
            return OrderedDict(self._d | plain(other))
        def __ror__(self, other):
            return OrderedDict(other | self._d) if isinstance(other, dict) else NotImplemented
        def __ior__(self, other):
            self.update(other)
            return self
        def __repr__(self):
            return f'OrderedDict({[*self._d.items()]!r})' if self._d else 'OrderedDict()'
        def keys(self):
            return self._d.keys()
        def values(self):
            return self._d.values()
        def items(self):
            return self._d.items()
        def get(self, key, default=None):
            return self._d.get(key, default)
        def setdefault(self, key, default=None):
            return self._d.setdefault(key, default)
        def update(self, *args, **named):
            fill(self._d, 'update expected at most 1 argument', args, named)
        def clear(self):
            self._d.clear()
        def copy(self):
            return OrderedDict(self._d)
        __copy__ = copy
        def pop(self, key, *args, **named):
            if named:
                args = (named['default'],)
            return self._d.pop(key, *args)
        def popitem(self, last=True):
            if not self._d:
                raise KeyError('dictionary is empty')
            if last:
                return self._d.popitem()
            for key in self._d:
                break
            return key, self._d.pop(key)
        def move_to_end(self, key, last=True):
            value = self._d.pop(key)
            rest = {} if last else self._d.copy()
            if not last:
                self._d.clear()
            self._d[key] = value
            self._d.update(rest)
    def fromkeys(iterable, value=None):
        return OrderedDict([(key, value) for key in iterable])
    setattr(OrderedDict, 'fromkeys', fromkeys)
    class ChainMap:
        def __init__(self, *maps):
            self.maps = [*maps] or [{}]
            # The last one is its own.
            self.parents = ChainMap(*self.maps[1:]) if len(self.maps) > 1 else ChainMap() if maps else self
        def _rlm_plain(self):
            found = {}
            for m in reversed(self.maps):
                found.update(plain(m))
            return found
        def __getitem__(self, key):
            for m in self.maps:
                try:
                    return m[key]
                except KeyError:
                    pass
            return {}[key]
        def __setitem__(self, key, value):
            self.maps[0][key] = value
        def __delitem__(self, key):
            self.pop(key)
        def __contains__(self, key):
            return any(key in m for m in self.maps)
        def __iter__(self):
            return iter(self._rlm_plain())
        def __len__(self):
            return len(self._rlm_plain())
        def __bool__(self):
            return any([*m] for m in self.maps)
        def __eq__(self, other):
            return self._rlm_plain() == plain(other) if is_mapping(other) else NotImplemented
        def __or__(self, other):
            if not is_mapping(other):
                return NotImplemented
            new = self.copy()
            new.maps[0].update(plain(other))
            return new
        def __ror__(self, other):
            return ChainMap(other | self._rlm_plain()) if isinstance(other, dict) else NotImplemented
        def __repr__(self):
            return f"ChainMap({', '.join([f'{m!r}' for m in self.maps])})"
        def keys(self):
            return self._rlm_plain().keys()
        def values(self):
            return self._rlm_plain().values()
        def items(self):
            return self._rlm_plain().items()
        def get(self, key, default=None):
            return self[key] if key in self else default
        def setdefault(self, key, default=None):
            if key not in self:
                self[key] = default
            return self[key]
        def update(self, *args, **named):
            fill(self.maps[0], 'update expected at most 1 argument', args, named)
        def clear(self):
            self.maps[0].clear()
        def copy(self):
            return ChainMap(self.maps[0].copy(), *self.maps[1:])
        __copy__ = copy
        def new_child(self, m=None, **named):
            if m is None:
                m = named
            else:
                m.update(named)
            return ChainMap(m, *self.maps)
        def pop(self, key, *args):
            if key not in self.maps[0] and not args:
                raise KeyError(f'Key not found in the first mapping: {key!r}')
            return self.maps[0].pop(key, *args)
        def popitem(self):
            if not [*self.maps[0]]:
                raise KeyError('No keys found in the first mapping.')
            return self.maps[0].popitem()
    kinds = (
        'Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Hashable Iterable Iterator Generator Reversible Sized '
        'Container Callable Collection Set MutableSet Mapping MutableMapping MappingView KeysView ItemsView ValuesView Sequence '
        'MutableSequence ByteString'
    )
    abc = _rlm_Module('collections.abc', {name: _rlm_Form('collections.abc', name) for name in kinds.split()})
    return _rlm_Module('collections', {'OrderedDict': OrderedDict, 'ChainMap': ChainMap, 'abc': abc})
_rlm_module_collections = _rlm_load(*_rlm_kit['builtins'])
