# Locks, for workers of pools. While one is held (a semaphore: by as many as may),
# nobody else runs, so nobody ever has to wait for it; see `concurrent.py`. A thread
# runs to its end when it is started, and what could only wait for others fails.
def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    say = print
    held, never, enter, left = _rlm_kit['held'], _rlm_kit['never'], _rlm_kit['enter'], _rlm_kit['left']
    def counted(state, acquire):
        # Has a finisher leave what `acquire` took. It sets what was, for a script may have
        # put anything in the place of the count.
        if type(state) is not list:
            raise TypeError('the state of a lock was replaced')
        was, held_before = state[0], held[0]
        acquire()
        taken = held[0] - held_before
        def leave():
            state[0] = was
            held[0] = max(0, held[0] - taken)
        return enter(leave)
    class semaphore:
        def __init__(self, value, most, name):
            self._state = [value]
            self._most = most
            self._name = name
            self._leave = []
        def acquire(self, blocking=True, timeout=-1):
            state = self._state
            if state[0] > 0:
                state[0] -= 1
                if state[0] == 0:
                    held[0] += 1
                return True
            if not blocking:
                return False
            stuck(f'the {self._name} is held, and nobody can release it')
        def release(self, n=1):
            state = self._state
            if self._most is not None and state[0] + n > self._most:
                if self._name == 'lock':
                    raise RuntimeError('release unlocked lock')
                raise ValueError('Semaphore released too many times')
            if state[0] == 0 and n > 0:
                held[0] = max(0, held[0] - 1)
            state[0] += n
        def locked(self):
            return self._state[0] == 0
        def __enter__(self):
            self._leave.append(counted(self._state, self.acquire))
            return True
        def __exit__(self, kind, error, trace):
            if self._leave:
                left(self._leave.pop())
            self.release()
        def __repr__(self):
            return f'<{self._name}>'
    class RLock:
        def __init__(self):
            self._state = [0]
            self._leave = []
        def acquire(self, blocking=True, timeout=-1):
            if self._state[0] == 0:
                held[0] += 1
            self._state[0] += 1
            return True
        def release(self):
            if self._state[0] == 0:
                raise RuntimeError('cannot release un-acquired lock')
            self._state[0] -= 1
            if self._state[0] == 0:
                held[0] = max(0, held[0] - 1)
        def __enter__(self):
            self._leave.append(counted(self._state, self.acquire))
            return True
        def __exit__(self, kind, error, trace):
            if self._leave:
                left(self._leave.pop())
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
    def runs(thread):
        def leave():
            running[:] = [other for other in running if other is not thread]
        running.append(thread)
        return enter(leave)
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
        def run(self):
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        def start(self):
            if self.ident is not None:
                raise RuntimeError('threads can only be started once')
            started[0] += 1
            self.ident = started[0]
            run = runs(self)
            try:
                self.run()
            except Exception as e:
                if f'{e}'.startswith(never):
                    raise
                say(f'Exception in thread {self.name}: {e!r}', file=sys.stderr)
            finally:
                left(run)()
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
