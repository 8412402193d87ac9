def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    dict = type({})
    def plain(x):
        return x._rlm_plain() if hasattr(x, '_rlm_plain') else x
    def is_mapping(x):
        return isinstance(x, (dict, ChainMap))
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
            self.maps[0].update(*args, **named)
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
    return _rlm_Module('collections', {'ChainMap': ChainMap, 'abc': abc})
_rlm_module_collections = _rlm_load(*_rlm_kit['builtins'])
