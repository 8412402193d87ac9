def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    def down(heap, start, at):
        item = heap[at]
        while at > start:
            parent = (at - 1) >> 1
            if item < heap[parent]:
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
            if right < end and not heap[child] < heap[right]:
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
        if heap and heap[0] < item:
            return heapreplace(heap, item)
        return item
    def nlargest(n, iterable, key=None):
        xs = [*iterable]
        return sorted(xs, key=key, reverse=True)[:n if n > 0 else 0] if key else sorted(xs, reverse=True)[:n if n > 0 else 0]
    def nsmallest(n, iterable, key=None):
        xs = [*iterable]
        return sorted(xs, key=key)[:n if n > 0 else 0] if key else sorted(xs)[:n if n > 0 else 0]
    def merge(*iterables, key=None, reverse=False):
        xs = []
        for it in iterables:
            xs.extend(it)
        return iter(sorted(xs, key=key, reverse=reverse) if key else sorted(xs, reverse=reverse))
    return _rlm_Module('heapq', {
        'heappush': heappush, 'heappop': heappop, 'heapify': heapify, 'heapreplace': heapreplace,
        'heappushpop': heappushpop, 'nlargest': nlargest, 'nsmallest': nsmallest, 'merge': merge,
    })
_rlm_module_heapq = _rlm_load(*_rlm_kit['builtins'])
