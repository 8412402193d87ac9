# Locks, for workers of pools. While one is held (a semaphore: by as many as may),
# nobody else runs, so nobody ever has to wait for it; see `concurrent.py`. A thread
# runs to its end when it is started, and what could only wait for others fails.
def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    say = print
    held, never = _rlm_kit['held'], _rlm_kit['never']
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
            stuck(f'the {self._name} is held, and nobody can release it')
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
                stuck('nobody can set the event')
            return True
    class Thread:
        def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
            count[0] += name is None
            called = f'{target!r}'.split(' ')[1].strip("'") if f'{target!r}'.startswith('<function ') else ''
            self.name = name or f'Thread-{count[0]}' + (f' ({called})' if called else '')
            self.daemon = daemon or False
            self.ident = None
            self._target = target
            self._args = args
            self._kwargs = kwargs or {}
        def start(self):
            if self.ident is not None:
                raise RuntimeError('threads can only be started once')
            started[0] += 1
            self.ident = started[0]
            running.append(self)
            try:
                if self._target is not None:
                    self._target(*self._args, **self._kwargs)
            except Exception as e:
                if f'{e}'.startswith(never):
                    raise
                say(f'Exception in thread {self.name}: {e!r}', file=sys.stderr)
            finally:
                running[:] = [other for other in running if other is not self]
        def join(self, timeout=None):
            if self.ident is None:
                raise RuntimeError('cannot join thread before it is started')
        def is_alive(self):
            return self in running
        def __repr__(self):
            how = 'initial' if self.ident is None else 'started' if self in running else 'stopped'
            return f'<Thread({self.name}, {how})>'
    running, count, started = [], [0], [0]
    main = Thread(name='MainThread')
    main.ident = 0
    def current_thread():
        if running:
            return running[-1]
        return Thread(name='ThreadPoolExecutor-0_0') if _rlm_kit.get('workers') else main
    # Under CPython somebody might come; here nobody does.
    def stuck(why):
        raise RuntimeError(f'{never}: {why}')
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
        'Lock': Lock, 'RLock': RLock, 'Semaphore': Semaphore, 'BoundedSemaphore': BoundedSemaphore, 'Event': Event, 'Thread': Thread, 'current_thread': current_thread, 'main_thread': lambda: main,
    })
_rlm_module_threading = _rlm_load(*_rlm_kit['builtins'])
