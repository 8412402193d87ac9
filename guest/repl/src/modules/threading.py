def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    # A thread does all its work when it is started: nothing else runs meanwhile.
    import sys
    say = print
    running, made = [], [0]
    class Lock:
        _again = False
        def __init__(self):
            self._held = 0
        def acquire(self, blocking=True, timeout=-1):
            if self._held and not self._again:
                if blocking and timeout < 0:
                    raise RuntimeError('this lock is held already, and nothing will ever release it')
                return False
            self._held += 1
            return True
        def release(self):
            if not self._held:
                raise RuntimeError('cannot release un-acquired lock' if self._again else 'release unlocked lock')
            self._held -= 1
        def locked(self):
            return self._held > 0
        def __enter__(self):
            return self.acquire()
        def __exit__(self, *details):
            self.release()
    def RLock():
        lock = Lock()
        lock._again = True
        return lock
    class Semaphore:
        def __init__(self, value=1):
            if value < 0:
                raise ValueError('semaphore initial value must be >= 0')
            self._value = value
        def acquire(self, blocking=True, timeout=None):
            if not self._value:
                if blocking and timeout is None:
                    raise RuntimeError('this semaphore is at zero, and nothing will ever release it')
                return False
            self._value -= 1
            return True
        def release(self, n=1):
            self._value += n
        def __enter__(self):
            return self.acquire()
        def __exit__(self, *details):
            self.release()
    class Event:
        def __init__(self):
            self._set = False
        def set(self):
            self._set = True
        def clear(self):
            self._set = False
        def is_set(self):
            return self._set
        def wait(self, timeout=None):
            if not self._set and timeout is None:
                raise RuntimeError('this event is not set, and nothing will ever set it')
            return self._set
    class Local:
        pass
    class Thread:
        def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
            if name is None:
                made[0] += 1
                name = f'Thread-{made[0]}'
            self.name, self.daemon, self.ident = name, daemon or False, None
            self._target, self._args, self._kwargs = target, args, kwargs or {}
        def run(self):
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        def start(self):
            if self.ident is not None:
                raise RuntimeError('threads can only be started once')
            self.ident = made[0] + 1
            running.append(self)
            try:
                self.run()
            except Exception as error:
                say(f'Exception in thread {self.name}:\n{type(error).__name__}: {error}', file=sys.stderr)
            running.pop()
        def join(self, timeout=None):
            if self.ident is None:
                raise RuntimeError('cannot join thread before it is started')
        def is_alive(self):
            return self in running
    first = Thread(name='MainThread')
    first.ident = 1
    running.append(first)
    return _rlm_Module('threading', {
        'Lock': Lock, 'RLock': RLock, 'Semaphore': Semaphore, 'BoundedSemaphore': Semaphore, 'Event': Event, 'local': Local,
        'Thread': Thread, 'current_thread': lambda: running[-1], 'main_thread': lambda: first,
        'active_count': lambda: len(running), 'enumerate': lambda: [*running], 'get_ident': lambda: running[-1].ident,
    })
_rlm_module_threading = _rlm_load(*_rlm_kit['builtins'])
