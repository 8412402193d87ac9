def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    from collections import deque
    # Not by the names that scripts can change.
    heappush, heappop = _rlm_kit['heap']
    never = _rlm_kit['never']
    Empty, Full = _rlm_failure('_queue', 'Empty'), _rlm_failure('queue', 'Full')
    def begin(self, maxsize=0):
        self.maxsize, self.unfinished_tasks = maxsize, 0
        self.queue = deque() if type(self) in (Queue, SimpleQueue) else []
    def put(self, item, block=True, timeout=None):
        if 0 < self.maxsize <= len(self.queue):
            if block and timeout is None:
                raise RuntimeError(f'{never}: the queue is full, and nothing takes from it')
            raise Full()
        self._put(item)
        self.unfinished_tasks += 1
    def get(self, block=True, timeout=None):
        if not self.queue:
            if block and timeout is None:
                raise RuntimeError(f'{never}: the queue is empty, and nothing puts into it')
            raise Empty()
        return self._get()
    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError('task_done() called too many times')
        self.unfinished_tasks -= 1
    def join(self):
        if self.unfinished_tasks:
            raise RuntimeError(f'{never}: items of the queue are not done, and nothing does them')
    class Queue:
        def _put(self, item):
            self.queue.append(item)
        def _get(self):
            return self.queue.popleft()
    class SimpleQueue:
        def _put(self, item):
            self.queue.append(item)
        def _get(self):
            return self.queue.popleft()
    class LifoQueue:
        def _put(self, item):
            self.queue.append(item)
        def _get(self):
            return self.queue.pop()
    class PriorityQueue:
        def _put(self, item):
            heappush(self.queue, item)
        def _get(self):
            return heappop(self.queue)
    shared = {
        '__init__': begin, 'put': put, 'get': get, 'task_done': task_done, 'join': join,
        'put_nowait': lambda self, item: self.put(item, False), 'get_nowait': lambda self: self.get(False),
        'qsize': lambda self: len(self.queue), 'empty': lambda self: not self.queue,
        'full': lambda self: 0 < self.maxsize <= len(self.queue),
    }
    kinds = {'Queue': Queue, 'SimpleQueue': SimpleQueue, 'LifoQueue': LifoQueue, 'PriorityQueue': PriorityQueue}
    for kind in kinds.values():
        for name, method in shared.items():
            setattr(kind, name, method)
    return _rlm_Module('queue', {'Empty': Empty, 'Full': Full, **kinds})
_rlm_module_queue = _rlm_load(*_rlm_kit['builtins'])
