def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    def less(a, b):
        try:
            return a < b
        except TypeError:
            # Instances, alone or first in their rows, are asked themselves.
            if type(a) in (list, row) and type(a) is type(b):
                for i in range(min(len(a), len(b))):
                    if not a[i] == b[i]:
                        return less(a[i], b[i])
            if hasattr(a, '__lt__'):
                return a.__lt__(b)
            if hasattr(b, '__gt__'):
                return b.__gt__(a)
            raise
    row = type(())
    def down(heap, start, at):
        item = heap[at]
        while at > start:
            parent = (at - 1) >> 1
            if less(item, heap[parent]):
                heap[at] = heap[parent]
                at = parent
            else:
                break
        heap[at] = item
    def up(heap, at):
        end = len(heap)
        start = at
        item = heap[at]
        child = 2 * at + 1
        while child < end:
            right = child + 1
            if right < end and not less(heap[child], heap[right]):
                child = right
            heap[at] = heap[child]
            at = child
            child = 2 * at + 1
        heap[at] = item
        down(heap, start, at)
    def heappush(heap, item):
        heap.append(item)
        down(heap, 0, len(heap) - 1)
    def heappop(heap):
        if not heap:
            raise IndexError('index out of range')
        last = heap.pop()
        if not heap:
            return last
        item = heap[0]
        heap[0] = last
        up(heap, 0)
        return item
    def heapify(x):
        for i in range(len(x) // 2 - 1, -1, -1):
            up(x, i)
    def heapreplace(heap, item):
        first = heap[0]
        heap[0] = item
        up(heap, 0)
        return first
    def heappushpop(heap, item):
        if heap and less(heap[0], item):
            return heapreplace(heap, item)
        return item
    def drained(xs):
        heapify(xs)
        return [heappop(xs) for _ in range(len(xs))]
    def nlargest(n, iterable, key=None):
        xs = [*iterable]
        if key is None and [x for x in xs if hasattr(x, '__lt__')]:
            return [*drained(xs)][::-1][:n if n > 0 else 0]
        return sorted(xs, key=key, reverse=True)[:n if n > 0 else 0] if key else sorted(xs, reverse=True)[:n if n > 0 else 0]
    def nsmallest(n, iterable, key=None):
        xs = [*iterable]
        if key is None and [x for x in xs if hasattr(x, '__lt__')]:
            return drained(xs)[:n if n > 0 else 0]
        return sorted(xs, key=key)[:n if n > 0 else 0] if key else sorted(xs)[:n if n > 0 else 0]
    def merge(*iterables, key=None, reverse=False):
        def ordered(xs):
            return sorted(xs, key=key, reverse=reverse) if key else sorted(xs, reverse=reverse)
        runs = [[*it] for it in iterables]
        if not [1 for run in runs for a, b in zip(run, ordered(run)) if a is not b]:
            return iter(ordered([x for run in runs for x in run]))
        # What is not in order comes as it is met, the earliest of those in front first.
        ranks = [[key(x) for x in run] if key else run for run in runs]
        at, merged = [0] * len(runs), []
        while True:
            best = None
            for i in range(len(runs)):
                if at[i] < len(runs[i]):
                    rank = ranks[i][at[i]]
                    if best is None or (less(least, rank) if reverse else less(rank, least)):
                        best, least = i, rank
            if best is None:
                return iter(merged)
            merged.append(runs[best][at[best]])
            at[best] += 1
    # For modules of ours.
    _rlm_kit['heap'] = heappush, heappop
    return _rlm_Module('heapq', {
        'heappush': heappush, 'heappop': heappop, 'heapify': heapify, 'heapreplace': heapreplace,
        'heappushpop': heappushpop, 'nlargest': nlargest, 'nsmallest': nsmallest, 'merge': merge,
    })
_rlm_module_heapq = _rlm_load(*_rlm_kit['builtins'])
