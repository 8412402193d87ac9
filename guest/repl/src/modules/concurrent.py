def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    from collections import namedtuple
    say = print
    dict = type({})
    Waited = namedtuple('DoneAndNotDoneFutures', 'done not_done')
    class Future:
        def __init__(self):
            self._state = 'pending'
            self._owner = None
            self._value = None
            self._error = None
            self._callbacks = []
        def __repr__(self):
            if self._state != 'finished':
                return f'<Future state={self._state}>'
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
        def _outcome(self):
            if self._state == 'pending' and self._owner is not None:
                self._owner._carry_out()
            if self._state == 'cancelled':
                raise RuntimeError('the call of this future was cancelled')
            if self._state != 'finished':
                raise RuntimeError('the call of this future has not come to its end, and never will while this waits for it')
        def set_result(self, result):
            self._value = result
            self._finish('finished')
        def set_exception(self, exception):
            self._error = exception
            self._finish('finished')
        def result(self, timeout=None):
            self._outcome()
            if self._error is not None:
                raise self._error
            return self._value
        def exception(self, timeout=None):
            self._outcome()
            return self._error
        def done(self):
            if self._state == 'pending' and self._owner is not None:
                self._owner._carry_out()
            return self._state in ('finished', 'cancelled')
        def running(self):
            return self._state == 'running'
        def cancelled(self):
            return self._state == 'cancelled'
        def cancel(self):
            if self._state == 'pending':
                self._finish('cancelled')
            return self._state == 'cancelled'
        def add_done_callback(self, fn):
            if self._state in ('finished', 'cancelled'):
                self._tell(fn)
            else:
                self._callbacks.append(fn)
    class Mapped:
        def __init__(self, futures):
            self._futures = iter(futures)
        def __iter__(self):
            return self
        def __next__(self):
            for future in self._futures:
                return future.result()
            raise StopIteration
    class ThreadPoolExecutor:
        def __init__(self, max_workers=None, thread_name_prefix='', initializer=None, initargs=(), mp_context=None):
            if max_workers is not None and max_workers <= 0:
                raise ValueError('max_workers must be greater than 0')
            self._max_workers = max_workers
            self._initializer = initializer
            self._initargs = initargs
            self._noted = []
            self._is_shut = False
        def submit(self, fn, *args, **kwargs):
            if self._is_shut:
                raise RuntimeError('cannot schedule new futures after shutdown')
            future = Future()
            future._owner = self
            self._noted.append((future, (fn, args, kwargs)))
            return future
        def map(self, fn, *iterables, timeout=None, chunksize=1):
            futures = [self.submit(fn, *args) for args in zip(*iterables)]
            self._carry_out()
            return Mapped(futures)
        def shutdown(self, wait=True, *, cancel_futures=False):
            self._is_shut = True
            if cancel_futures:
                for future, _ in self._noted:
                    future.cancel()
            self._carry_out()
        def __enter__(self):
            return self
        def __exit__(self, kind, error, trace):
            self.shutdown()
            return False
        def _carry_out(self):
            noted = [(future, call) for future, call in self._noted if future._state == 'pending']
            self._noted = []
            if noted and self._initializer is not None:
                initializer, self._initializer = self._initializer, None
                initializer(*self._initargs)
            for future, _ in noted:
                future._state = 'running'
            outcomes = module.run([call for _, call in noted]) if noted else []
            for i in range(len(outcomes)):
                future = noted[i][0]
                future._value, future._error = outcomes[i]
                future._finish('finished')
    def ProcessPoolExecutor(max_workers=None, mp_context=None, initializer=None, initargs=(), *, max_tasks_per_child=None):
        return ThreadPoolExecutor(max_workers, '', initializer, initargs)
    def run(calls):
        outcomes = []
        for fn, args, kwargs in calls:
            try:
                outcomes.append((fn(*args, **kwargs), None))
            except Exception as e:
                outcomes.append((None, e))
        return outcomes
    def once(fs):
        return [*dict([(future, None) for future in fs])]
    def as_completed(fs, timeout=None):
        fs = once(fs)
        late = [future for future in fs if not future.done()]
        if late:
            raise TimeoutError(f'{len(late)} (of {len(fs)}) futures unfinished')
        return iter(fs)
    def wait(fs, timeout=None, return_when='ALL_COMPLETED'):
        if return_when not in ('FIRST_COMPLETED', 'FIRST_EXCEPTION', 'ALL_COMPLETED'):
            raise ValueError(f'Invalid return condition: {return_when!r}')
        fs = once(fs)
        done = [future for future in fs if future.done()]
        return Waited(set(done), set(fs) - set(done))
    module = _rlm_Module('concurrent.futures', {
        'ThreadPoolExecutor': ThreadPoolExecutor, 'ProcessPoolExecutor': ProcessPoolExecutor, 'Future': Future,
        'as_completed': as_completed, 'wait': wait, 'run': run, 'TimeoutError': TimeoutError,
        'FIRST_COMPLETED': 'FIRST_COMPLETED', 'FIRST_EXCEPTION': 'FIRST_EXCEPTION', 'ALL_COMPLETED': 'ALL_COMPLETED',
    })
    return _rlm_Module('concurrent', {'futures': module})
_rlm_module_concurrent = _rlm_load(*_rlm_kit['builtins'])
