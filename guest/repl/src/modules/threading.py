# Locks, for workers of pools. While one is held (a semaphore: by as many as may),
# nobody else runs, so nobody ever has to wait for it; see `concurrent.py`.
def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import time
    held = _rlm_kit['held']
    class semaphore:
        def __init__(self, value, most, name):
            self._value = value
            self._most = most
            self._name = name
        def acquire(self, blocking=True, timeout=-1):
            if self._value > 0:
                self._value -= 1
                if self._value == 0:
                    held[0] += 1
                return True
            if not blocking:
                return False
            if timeout is not None and timeout >= 0:
                time.sleep(timeout)
                return False
            raise RuntimeError(f'this waits for ever: the {self._name} is held, and nobody can release it')
        def release(self, n=1):
            if self._most is not None and self._value + n > self._most:
                if self._name == 'lock':
                    raise RuntimeError('release unlocked lock')
                raise ValueError('Semaphore released too many times')
            if self._value == 0 and n > 0:
                held[0] = max(0, held[0] - 1)
            self._value += n
        def locked(self):
            return self._value == 0
        def __enter__(self):
            return self.acquire()
        def __exit__(self, kind, error, trace):
            self.release()
        def __repr__(self):
            return f'<{self._name}>'
    class RLock:
        def __init__(self):
            self._count = 0
        def acquire(self, blocking=True, timeout=-1):
            if self._count == 0:
                held[0] += 1
            self._count += 1
            return True
        def release(self):
            if self._count == 0:
                raise RuntimeError('cannot release un-acquired lock')
            self._count -= 1
            if self._count == 0:
                held[0] = max(0, held[0] - 1)
        def __enter__(self):
            return self.acquire()
        def __exit__(self, kind, error, trace):
            self.release()
    class Event:
        def __init__(self):
            self._is_set = False
        def is_set(self):
            return self._is_set
        def set(self):
            self._is_set = True
        def clear(self):
            self._is_set = False
        def wait(self, timeout=None):
            if not self._is_set:
                if timeout is None:
                    raise RuntimeError('this waits for ever: nobody can set the event meanwhile')
                time.sleep(max(timeout, 0))
            return self._is_set
    def Lock():
        return semaphore(1, 1, 'lock')
    def Semaphore(value=1):
        if value < 0:
            raise ValueError('semaphore initial value must be >= 0')
        return semaphore(value, None, 'semaphore')
    def BoundedSemaphore(value=1):
        if value < 0:
            raise ValueError('semaphore initial value must be >= 0')
        return semaphore(value, value, 'semaphore')
    return _rlm_Module('threading', {
        'Lock': Lock, 'RLock': RLock, 'Semaphore': Semaphore, 'BoundedSemaphore': BoundedSemaphore, 'Event': Event,
    })
_rlm_module_threading = _rlm_load(*_rlm_kit['builtins'])
