def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    CycleError = _rlm_failure('graphlib', 'CycleError', ValueError)
    class TopologicalSorter:
        def __init__(self, graph=None):
            self._before, self._after, self._ready, self._given, self._done = {}, {}, None, 0, 0
            if graph is not None:
                for node, predecessors in graph.items():
                    self.add(node, *predecessors)
        def add(self, node, *predecessors):
            if self._ready is not None:
                raise ValueError('Nodes cannot be added after a call to prepare()')
            for one in (node, *predecessors):
                if one not in self._before:
                    self._before[one], self._after[one] = 0, []
            self._before[node] += len(predecessors)
            for one in predecessors:
                self._after[one].append(node)
        def prepare(self):
            if self._ready is not None:
                raise ValueError('cannot prepare() more than once')
            self._ready = [node for node, count in self._before.items() if count == 0]
            cycle = self._cycle()
            if cycle:
                said = 'nodes are in a cycle'
                raise ValueError(f'{(said, cycle)!r}') if CycleError is ValueError else CycleError(said, cycle)
        def _cycle(self):
            seen = set()
            for start in self._before:
                if start in seen:
                    continue
                path, rest = [], []
                node = start
                while True:
                    if node in seen:
                        if node in path:
                            return path[path.index(node):] + [node]
                    else:
                        seen.add(node)
                        path.append(node)
                        rest.append([*self._after[node]])
                    while path and not rest[-1]:
                        path.pop()
                        rest.pop()
                    if not path:
                        break
                    node = rest[-1].pop(0)
            return None
        def get_ready(self):
            if self._ready is None:
                raise ValueError('prepare() must be called first')
            ready = (*self._ready,)
            self._ready = []
            self._given += len(ready)
            for node in ready:
                self._before[node] = -1
            return ready
        def is_active(self):
            if self._ready is None:
                raise ValueError('prepare() must be called first')
            return self._done < self._given or len(self._ready) > 0
        def done(self, *nodes):
            if self._ready is None:
                raise ValueError('prepare() must be called first')
            for node in nodes:
                if node not in self._before:
                    raise ValueError(f'node {node!r} was not added using add()')
                state = self._before[node]
                if state >= 0:
                    raise ValueError(f'node {node!r} was not passed out (still not ready)')
                if state == -2:
                    raise ValueError(f'node {node!r} was already marked done')
                self._before[node] = -2
                self._done += 1
                for after in self._after[node]:
                    self._before[after] -= 1
                    if self._before[after] == 0:
                        self._ready.append(after)
        def static_order(self):
            self.prepare()
            order = []
            while self.is_active():
                group = self.get_ready()
                order.extend(group)
                self.done(*group)
            return iter(order)
    return _rlm_Module('graphlib', {'TopologicalSorter': TopologicalSorter, 'CycleError': CycleError})
_rlm_module_graphlib = _rlm_load(*_rlm_kit['builtins'])
