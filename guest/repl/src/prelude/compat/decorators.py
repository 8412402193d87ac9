# Methods with decorators; see `compat/decorators.rs`.
def _rlm_load(type, getattr, setattr, hasattr):
    class property:
        def __init__(self, read, write=None, kept=None):
            self.read = read.read if type(read) is property_type() else read
            self.write = write
            self.kept = kept
    def property_type():
        return property
    class static:
        def __init__(self, f):
            self.f = f
        def __call__(self, *args, **kwargs):
            return self.f(*args, **kwargs)
    class method_of_class:
        def __init__(self, f):
            self.f = f
            self.owner = None
        def __call__(self, *args, **kwargs):
            return self.f(self.owner, *args, **kwargs)
    def get(o, name):
        v = getattr(o, name)
        if type(v) is not property or type(o).__name__ == 'type':
            return v
        if v.kept is None:
            return v.read(o)
        kept = '_rlm_kept_' + name
        if not hasattr(o, kept):
            setattr(o, kept, v.read(o))
        return getattr(o, kept)
    def set(o, name, value):
        v = getattr(o, name, None)
        if type(v) is not property or type(o).__name__ == 'type':
            setattr(o, name, value)
        elif v.kept is not None:
            setattr(o, '_rlm_kept_' + name, value)
        elif v.write is None:
            raise AttributeError(f"property '{name}' of '{type(o).__name__}' object has no setter")
        else:
            v.write(o, value)
    return property, static, method_of_class, get, set
_rlm_property, _rlm_static, _rlm_classmethod, _rlm_get, _rlm_set = _rlm_load(type, getattr, setattr, hasattr)
