# Pools. A worker is a task: where it asks the host or sleeps, the next one runs,
# so what workers ask is asked together. Workers go on in the order in which they
# asked, and what they print comes in the order in which they were submitted, unless
# one sleeps. As long as they run, `_rlm_swap` has names of the host's functions mean
# ours, which let the others run; see `pools.rs`.
def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import asyncio, sys, time
    from collections import namedtuple
    from functools import partial
    say, stdout = print, sys.__stdout__
    dict = type({})
    Waited = namedtuple('DoneAndNotDoneFutures', 'done not_done')
    # As many as CPython has at most where nothing is said, and the most that all pools have
    # together: each may have a call of the host open, and a session may have 256.
    most, together = 32, 128
    workers = _rlm_kit['workers'] = []
    asked = _rlm_kit['asked']
    # How many locks are held: as long as one is, nobody else runs who might want it.
    held, never = _rlm_kit['held'], _rlm_kit['never']
    naps, askers = [0], []
    # How often what was pending was dropped. No future is touched for it: what its attributes are is for scripts to say.
    drops = [0]
    class Turn:
        def __init__(self, around):
            self.around = around
            self.is_over = False
            # What it said is kept until those before it are over.
            self.kept = []
        def begin(self):
            kept, self.kept = self.kept, None
            for text in kept or ():
                utter(self.around, text)
    turn = _rlm_kit['turn'] = [None]
    def keeper(of):
        while of is not None and of.kept is None:
            of = of.around
        return of
    def utter(of, text):
        of = keeper(of)
        if of is None:
            say(text, end='', file=stdout)
        else:
            of.kept.append(text)
    def printed(*args, sep=' ', end='\n', file=None, flush=False):
        of = keeper(turn[0])
        sep = ' ' if sep is None else sep
        end = '\n' if end is None else end
        if of is None or (sys.stdout if file is None else file) is not stdout or type(sep) is not str or type(end) is not str:
            say(*args, sep=sep, end=end, file=file)
        else:
            of.kept.append(sep.join([str(arg) for arg in args]) + end)
    # For modules of ours that print.
    _rlm_kit['print'] = printed
    def waits(awaitable):
        own_turn = turn[0]
        try:
            return asyncio.run(awaitable)
        finally:
            turn[0] = own_turn
    def asking(native):
        def ask(*args, **kwargs):
            if workers and not held[0]:
                return waits(asked(native, args, kwargs))
            return native(*args, **kwargs)
        askers.append(ask)
        return ask
    def only_asks(fn):
        fn = own(fn)
        fn = fn.func if type(fn) is partial else fn
        return any([fn is ask for ask in askers])
    def sleep(seconds):
        if pending and not workers and not held[0] and type(seconds) in (int, float):
            began = time.monotonic()
            settle()
            seconds = max(0, seconds - (time.monotonic() - began))
        if workers and not held[0] and type(seconds) in (int, float) and seconds > 0:
            naps[0] += 1
            # From here on it counts who wakes first.
            for turns, _ in workers:
                for each in turns:
                    each.begin()
            return waits(asyncio.sleep(seconds))
        return time.sleep(seconds)
    class Members:
        pass
    clock = Members()
    for name in ('time', 'time_ns', 'monotonic', 'monotonic_ns', 'perf_counter', 'perf_counter_ns', 'process_time', 'thread_time', 'ctime', 'asctime', 'gmtime', 'localtime', 'mktime', 'strftime', 'strptime', 'struct_time', 'timezone', 'altzone', 'daylight', 'tzname'):
        if hasattr(time, name):
            setattr(clock, name, getattr(time, name))
    clock.sleep = sleep
    clock._frozen = True
    swapped = [(time.sleep, sleep), (print, printed)]
    def enter(name, value, asks='', others=''):
        for native, ours in swapped:
            if value is native or value is ours:
                return ours
        ours = None
        if type(value) is type(enter) and f'{value!r}' == f"<function '{name}' external>":
            ours = asking(value)
        elif type(value) is type(time) and f'{value!r}' == f'{time!r}':
            ours = clock
        elif type(value) is type(time) and asks and all([hasattr(value, member) for member in asks.split()]):
            ours = Members()
            for member in asks.split():
                native = getattr(value, member)
                setattr(ours, member, asking(native))
                swapped.append((native, getattr(ours, member)))
            for member in others.split():
                setattr(ours, member, getattr(value, member))
        if ours is None:
            return value
        swapped.append((value, ours))
        return ours
    def leave(name, value, asks='', others=''):
        for native, ours in swapped:
            if value is ours:
                return native
        return value
    _rlm_kit['native'] = leave
    # Pools and their calls whose results nothing has asked for. They run where the script sleeps or ends. No attribute of a
    # pool says what they are: a script can set those.
    pending = []
    def taken(pool):
        # The calls of a pool, which are pending no more.
        noted = [call for other, calls in pending if other is pool for call in calls]
        before = len(pending)
        pending[:] = [record for record in pending if record[0] is not pool]
        if len(pending) < before:
            awake()
        return noted
    def settle():
        while pending:
            pool = pending[0][0]
            run(pool, taken(pool))
    _rlm_kit['settle'] = settle
    def drop():
        pending.clear()
        drops[0] += 1
    _rlm_kit['drop'] = drop
    def run(pool, noted):
        noted = [(future, call) for future, call in noted if future._state == 'pending']
        if noted and pool._initializer is not None:
            initializer, pool._initializer = pool._initializer, None
            initializer(*pool._initargs)
        for future, _ in noted:
            future._state = 'running'
        if noted:
            carry_out(noted, pool._max_workers)
    def nap(name, value, asks='', others=''):
        return enter(name, value) if name in ('time', 'sleep') else value
    def awake():
        if not workers:
            _rlm_swap(nap if pending else leave)
    def own(fn):
        if type(fn) is partial:
            return partial(own(fn.func), *fn.args, **fn.keywords)
        for native, ours in swapped:
            if fn is native:
                return ours
        return fn
    def carry_out(noted, width):
        before, began = naps[0], time.monotonic()
        queue = iter(range(len(noted)))
        turns = [Turn(turn[0]) for _ in noted]
        def work():
            for i in queue:
                future, (fn, args, kwargs) = noted[i]
                turn[0] = turns[i]
                try:
                    value, error = own(fn)(*args, **kwargs), None
                except BaseException as e:
                    if f'{e}'.startswith(never):
                        raise
                    value, error = None, e
                future._value, future._error = value, error
                future._took = time.monotonic() - began if naps[0] != before else 0
                future._finish('finished')
                turns[i].is_over = True
                while first[0] < len(turns) and turns[first[0]].is_over:
                    first[0] += 1
                    if first[0] < len(turns):
                        turns[first[0]].begin()
        first = [0]
        turns[0].begin()
        # What awaits in places that are not seen here needs the functions as they are.
        if _rlm_kit.get('is_async'):
            work()
            turn[0] = turns[0].around
            return
        async def worker():
            work()
        # A pool in a worker of another one runs while that worker waits.
        free = max(together - sum([others for _, others in workers]), 1)
        asked_for, width = width, min(width or most, len(noted), free)
        workers.append((turns, width))
        try:
            _rlm_swap(enter)
            # What only asks runs no code of the script's, so nobody sees how many there are.
            if asked_for is None and all([only_asks(fn) for _, (fn, args, kwargs) in noted]):
                width = min(together, len(noted), free)
                workers[-1] = (turns, width)
            waits(asyncio.gather(*[worker() for _ in range(width)]))
        finally:
            workers[:] = [others for others in workers if others[0] is not turns]
            awake()
    class Future:
        def __init__(self):
            self._state = 'pending'
            self._drops = drops[0]
            self._owner = None
            self._value = None
            self._error = None
            # Seconds, where it is known that there were any.
            self._took = 0
            self._callbacks = []
        def _now(self):
            is_dropped = self._state == 'pending' and self._owner is not None and self._drops != drops[0]
            return 'cancelled' if is_dropped else self._state
        def __repr__(self):
            if self._state != 'finished':
                return f'<Future state={self._now()}>'
            how = 'returned' if self._error is None else 'raised'
            what = self._value if self._error is None else self._error
            return f'<Future state=finished {how} {type(what).__name__}>'
        def _finish(self, state):
            self._state = state
            for fn in self._callbacks:
                self._tell(fn)
        def _tell(self, fn):
            try:
                fn(self)
            except Exception as e:
                say(f'exception calling callback: {e!r}', file=sys.stderr)
        def _outcome(self, timeout):
            is_new = self._now() == 'pending'
            if is_new and self._owner is not None:
                self._owner._carry_out()
            if self._now() == 'cancelled':
                raise RuntimeError('the call of this future was cancelled')
            if self._state != 'finished':
                raise RuntimeError(f'{never}: the call of this future has not come to its end')
            if is_new and timeout is not None and self._took > timeout:
                raise TimeoutError()
        def set_result(self, result):
            self._value = result
            self._finish('finished')
        def set_exception(self, exception):
            self._error = exception
            self._finish('finished')
        def result(self, timeout=None):
            self._outcome(timeout)
            if self._error is not None:
                raise self._error
            return self._value
        def exception(self, timeout=None):
            self._outcome(timeout)
            return self._error
        def done(self):
            if self._now() == 'pending' and self._owner is not None:
                self._owner._carry_out()
            return self._now() in ('finished', 'cancelled')
        def running(self):
            return self._state == 'running'
        def cancelled(self):
            return self._now() == 'cancelled'
        def cancel(self):
            if self._now() == 'pending':
                self._finish('cancelled')
            return self._now() == 'cancelled'
        def add_done_callback(self, fn):
            if self._now() in ('finished', 'cancelled'):
                self._tell(fn)
            else:
                self._callbacks.append(fn)
    class Mapped:
        def __init__(self, futures, timeout):
            self._futures = iter(futures)
            self._timeout = timeout
        def __iter__(self):
            return self
        def __next__(self):
            for future in self._futures:
                error = future._error
                if self._timeout is not None and future._took > self._timeout:
                    error = TimeoutError()
                if error is not None:
                    self._futures = iter(())
                    raise error
                return future._value
            raise StopIteration
    class Completed:
        def __init__(self, futures, late, count):
            self._futures = iter(futures)
            self._late = late
            self._count = count
        def __iter__(self):
            return self
        def __next__(self):
            for future in self._futures:
                return future
            late, self._late = self._late, 0
            if late:
                raise TimeoutError(f'{late} (of {self._count}) futures unfinished')
            raise StopIteration
    class ThreadPoolExecutor:
        def __init__(self, max_workers=None, thread_name_prefix='', initializer=None, initargs=(), mp_context=None):
            if max_workers is not None and max_workers <= 0:
                raise ValueError('max_workers must be greater than 0')
            self._max_workers = max_workers
            self._initializer = initializer
            self._initargs = initargs
            self._is_shut = False
        def submit(self, fn, *args, **kwargs):
            if self._is_shut:
                raise RuntimeError('cannot schedule new futures after shutdown')
            future = Future()
            future._owner = self
            for pool, calls in pending:
                if pool is self:
                    calls.append((future, (fn, args, kwargs)))
                    return future
            pending.append((self, [(future, (fn, args, kwargs))]))
            awake()
            return future
        def map(self, fn, *iterables, timeout=None, chunksize=1):
            futures = [self.submit(fn, *args) for args in zip(*iterables)]
            self._carry_out()
            return Mapped(futures, timeout)
        def shutdown(self, wait=True, *, cancel_futures=False):
            self._is_shut = True
            if cancel_futures:
                for future, _ in [call for pool, calls in pending if pool is self for call in calls]:
                    future.cancel()
            self._carry_out()
        def __enter__(self):
            return self
        def __exit__(self, kind, error, trace):
            self.shutdown()
            return False
        def _carry_out(self):
            run(self, taken(self))
    def ProcessPoolExecutor(max_workers=None, mp_context=None, initializer=None, initargs=(), *, max_tasks_per_child=None):
        return ThreadPoolExecutor(max_workers, '', initializer, initargs)
    def once(fs):
        return [*dict([(future, None) for future in fs])]
    def ended(fs, timeout):
        soon, late = [], []
        for future in once(fs):
            is_new = future._now() == 'pending'
            if future.done() and not (is_new and timeout is not None and future._took > timeout):
                soon.append(future)
            else:
                late.append(future)
        return sorted(soon, key=lambda future: future._took), late
    def as_completed(fs, timeout=None):
        soon, late = ended(fs, timeout)
        return Completed(soon, len(late), len(soon) + len(late))
    def wait(fs, timeout=None, return_when='ALL_COMPLETED'):
        if return_when not in ('FIRST_COMPLETED', 'FIRST_EXCEPTION', 'ALL_COMPLETED'):
            raise ValueError(f'Invalid return condition: {return_when!r}')
        soon, late = ended(fs, timeout)
        for future in soon:
            if return_when == 'FIRST_COMPLETED' or (return_when == 'FIRST_EXCEPTION' and future._error is not None):
                late = [other for other in soon if other._took > future._took] + late
                soon = [other for other in soon if other._took <= future._took]
                break
        return Waited(set(soon), set(late))
    module = _rlm_Module('concurrent.futures', {
        'ThreadPoolExecutor': ThreadPoolExecutor, 'ProcessPoolExecutor': ProcessPoolExecutor, 'Future': Future,
        'as_completed': as_completed, 'wait': wait, 'Executor': ThreadPoolExecutor, 'TimeoutError': TimeoutError,
        'FIRST_COMPLETED': 'FIRST_COMPLETED', 'FIRST_EXCEPTION': 'FIRST_EXCEPTION', 'ALL_COMPLETED': 'ALL_COMPLETED',
    })
    return _rlm_Module('concurrent', {'futures': module})
_rlm_module_concurrent = _rlm_load(*_rlm_kit['builtins'])
