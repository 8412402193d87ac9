# What generator functions give; see `compat/generators.rs`. The parts of such a
# function are told to `steps` in the order in which they stand. A part is
# `[what, its function, ..]`, or a name of what leaves a block. A block that is
# being worked off is `[what, parts, how many of them are done, part, more]`; a
# way out of blocks is `(how, value)`.
def _rlm_load(kit, iter, next, len, type, isinstance, hasattr, BaseException, StopIteration, RuntimeError, ValueError, TypeError):
    class builder:
        def __init__(self):
            self.parts = []
            self.around = []
            self.target = None
        def add(self, part):
            self.parts.append(part)
        def taken(self):
            into = self.target
            self.target = None
            return into
        def enter(self, part, parts):
            self.parts.append(part)
            self.around.append((part, self.parts))
            self.parts = parts
        def branch(self, parts):
            self.parts = parts
            return parts
    class generator:
        def __init__(self, name, guarded):
            self.__name__ = self.__qualname__ = name
            self._made = builder()
            self._blocks = None
            self._waits = None
            self.gi_running = False
            self.gi_frame = self._made
            self.gi_yieldfrom = None
            self._guarded = guarded
            self._result = None
        def _do(self, f):
            self._made.add(['do', f])
        def _give(self, f):
            self._made.add(['give', f, self._made.taken()])
        def _over(self, f):
            self._made.add(['over', f, self._made.taken()])
        def _into(self, f):
            self._made.target = f
        def _leave(self, how, f=None):
            self._made.add([how, f])
        def _when(self, test):
            parts = []
            self._made.enter(['if', [(test, parts)]], parts)
        def _orwhen(self, test):
            self._made.around[-1][0][1].append((test, self._made.branch([])))
        def _loop(self, test):
            parts = []
            self._made.enter(['while', test, parts, (), None, False], parts)
        def _each(self, f, passing):
            parts = []
            self._made.enter(['for', f, parts, (), self._made.taken(), passing], parts)
        def _within(self, f):
            parts = []
            self._made.enter(['with', f, parts, None], parts)
        def _attempt(self):
            parts = []
            self._made.enter(['try', [], parts, (), ()], parts)
        def _handle(self, kinds):
            self._made.around[-1][0][1].append([kinds, None, self._made.branch([])])
        def _bind(self, f):
            part = self._made.around[-1][0]
            if part[0] == 'with':
                part[3] = f
            else:
                part[1][-1][1] = f
        def _otherwise(self):
            part = self._made.around[-1][0]
            if part[0] == 'if':
                part[1].append((None, self._made.branch([])))
            else:
                part[3] = self._made.branch([])
        def _lastly(self):
            self._made.around[-1][0][4] = self._made.branch([])
        def _end(self):
            self._made.parts = self._made.around.pop()[1]
        def __iter__(self):
            return self
        def __next__(self):
            return self.send(None)
        def send(self, value):
            return self._sent(value, None)
        def throw(self, error, *more):
            return self._sent(None, ('raise', error if isinstance(error, BaseException) else error(*more[:1])))
        def _sent(self, value, out):
            item = self._run(value, out)
            if item is nothing:
                latest[0] = self._result
                self._result = None
                if latest[0] is None:
                    raise StopIteration
                raise StopIteration(f'{latest[0]}')
            return item
        def close(self):
            if not self._blocks:
                self._blocks = ()
                self.gi_frame = None
            elif self._run(None, ('close', None)) is not nothing:
                raise RuntimeError('generator ignored GeneratorExit')
        def __repr__(self):
            return f'<generator object {self.__name__}>'
        def _run(self, value, out):
            if self.gi_running:
                if self._guarded:
                    raise ValueError('generator already executing')
                return nothing
            if self._blocks is None:
                if out is None and value is not None:
                    raise TypeError("can't send non-None value to a just-started generator")
                self._blocks = [['all', self._made.parts, 0, None, None]]
            self.gi_running = True
            # What is caught and raised once more has lost where it came from, so
            # where nothing catches, an exception ends it by this mark.
            if not self._guarded:
                item = self._work(value, out)
                self.gi_running = False
                return item
            try:
                return self._work(value, out)
            finally:
                self.gi_running = False
        def _work(self, value, out):
            blocks = self._blocks
            waits = self._waits
            self._waits = None
            if waits is not None and waits[0] == 'give':
                if out is None and waits[2] is not None:
                    blocks.append(['into', [['do', lambda: waits[2](value)]], 0, None, None])
                given = None
            else:
                given = value
            while blocks:
                if self._guarded:
                    try:
                        gives, out = self._step(blocks, given, out)
                    except BaseException as error:
                        came(blocks, error)
                        gives, out = False, ('raise', error)
                else:
                    gives, out = self._step(blocks, given, out)
                given = None
                if gives:
                    return out
            self.gi_frame = None
            if out is not None and out[0] == 'raise':
                if isinstance(out[1], StopIteration):
                    error = RuntimeError('generator raised StopIteration')
                    if 'came' in kit:
                        kit['came'](kit['raised'](error, out[1]), out[1])
                    raise error from out[1]
                if 'fly' in kit:
                    kit['fly'](out[1])
                raise out[1]
            if out is not None and out[0] == 'return':
                self._result = out[1]
            return nothing
        def _step(self, blocks, value, out):
            block = blocks[-1]
            if block[0] == 'over' and (out is None or out[0] == 'raise'):
                # Where it raises an exception it has ended.
                block[0] = 'ended'
                item = block[4]._run(value, out)
                if item is not nothing:
                    block[0] = 'over'
                    self._waits = block[3]
                    return True, item
                blocks.pop()
                if block[3][2] is not None:
                    block[3][2](block[4]._result)
                return False, None
            if out is not None:
                return False, left(blocks, block, out)
            if block[2] >= len(block[1]):
                return False, ended(blocks, block)
            part = block[1][block[2]]
            block[2] += 1
            if part[0] == 'do':
                return False, part[1]()
            if part[0] == 'give':
                self._waits = part
                return True, part[1]() if part[1] else None
            return False, entered(blocks, part)
    class walk:
        def __init__(self, it):
            self._it = it
            self._result = None
        def _run(self, value, out):
            try:
                if out is not None:
                    if not hasattr(self._it, 'throw'):
                        raise out[1]
                    return self._it.throw(out[1])
                return next(self._it) if value is None else self._it.send(value)
            except StopIteration:
                return nothing
        def close(self):
            if hasattr(self._it, 'close'):
                self._it.close()
    def came(blocks, error):
        # Keeps what an exception was raised in the handling of, where that is kept.
        if 'came' in kit:
            for block in blocks[::-1]:
                if block[0] == 'except' and block[4][0] == 'raise':
                    return kit['came'](error, block[4][1])
    class GeneratorExit:
        pass
    nothing = ['no item']
    latest = [None]
    def begin():
        latest[0] = None
    kit['begin_generators'] = begin
    def stepped(made):
        return made if type(made) is generator else walk(iter(made))
    def entered(blocks, part):
        what = part[0]
        if what == 'if':
            for test, parts in part[1]:
                if test is None or truth(test()):
                    blocks.append(['if', parts, 0, part, None])
                    break
        elif what == 'while':
            blocks.append(['while', (), 0, part, None])
        elif what == 'for' or what == 'over':
            blocks.append([what, (), 0, part, stepped(part[1]())])
        elif what == 'with':
            manager = part[1]()
            if not hasattr(manager, '__enter__'):
                raise TypeError(f"'{type(manager).__name__}' object does not support the context manager protocol")
            value = manager.__enter__()
            blocks.append(['with', part[2], 0, part, manager])
            if part[3] is not None:
                part[3](value)
        elif what == 'try':
            if part[4]:
                blocks.append(['lastly', (), 0, part, None])
            blocks.append(['try', part[2], 0, part, None])
        elif what == 'return':
            return ('return', part[1]() if part[1] else None)
        elif what == 'raise':
            for block in blocks[::-1]:
                if block[0] == 'except':
                    return block[4]
            raise RuntimeError('No active exception to reraise')
        else:
            return (what, None)
    def ended(blocks, block):
        what, parts, done, part, more = block
        if what == 'while' and truth(part[1]()):
            block[1] = part[2]
            block[2] = 0
            return None
        if what == 'for':
            item = more._run(None, None)
            if item is not nothing:
                block[1] = part[2]
                block[2] = 0
                part[4](item)
                return None
        if what == 'lastly':
            block[0] = 'last'
            block[1] = part[4]
            block[2] = 0
            return None
        blocks.pop()
        if what == 'with':
            more.__exit__(None, None, None)
        elif what in ('while', 'for', 'try') and part[3]:
            blocks.append(['else', part[3], 0, part, None])
        elif what == 'last':
            return more
    def left(blocks, block, out):
        what, parts, done, part, more = block
        how, value = out
        if what in ('while', 'for') and how in ('break', 'continue'):
            if how == 'continue':
                block[1] = ()
                return None
            blocks.pop()
            out = None
        elif what == 'lastly':
            block[0] = 'last'
            block[1] = part[4]
            block[2] = 0
            block[4] = out
            return None
        elif what == 'try' and how in ('raise', 'close'):
            blocks.pop()
            for kinds, into, parts in part[1]:
                kinds = kinds and kinds()
                # `GeneratorExit` is the empty tuple.
                if kinds is None or (kit.get('is_instance', isinstance)(value, kinds) if how == 'raise' else kinds == ()):
                    blocks.append(['except', parts, 0, part, out])
                    if into is not None:
                        into(value)
                    return None
            return out
        else:
            blocks.pop()
        if what == 'with':
            if how == 'raise':
                return None if truth(more.__exit__(type(value), value, None)) else out
            if how == 'close':
                return None if truth(more.__exit__(GeneratorExit, GeneratorExit(), None)) else out
            more.__exit__(None, None, None)
        elif what == 'for' and part[5] or what == 'over':
            more.close()
        return out
    def truth(x):
        if hasattr(x, '__bool__'):
            return x.__bool__()
        if hasattr(x, '__len__'):
            return x.__len__() != 0
        return x
    def result_of(error, of):
        # Monty's has nothing but a text, which tells whether it is from the latest.
        value = latest[0] if latest[0] is not None and f'{latest[0]}' == f'{error}' else None
        if value is None and 'read' in kit:
            return kit['read'](error, of)
        if of == 'value':
            return value if value is not None or not error.args else error.args[0]
        return error.args if value is None else (value,)
    def next_of(made):
        made.item = made._run(None, None)
        return None if made.item is nothing else made
    def gathered(made):
        if type(made) is not generator:
            return made
        items = []
        while next_of(made) is not None:
            items.append(made.item)
        return items
    def closed(made, value):
        if made is not None:
            made.close()
        return value
    return generator, stepped, next_of, gathered, closed, result_of
_rlm_GeneratorExit = ()
_rlm_steps, _rlm_stepped, _rlm_next_of, _rlm_gathered, _rlm_closed, _rlm_result_of = _rlm_load(_rlm_kit, iter, next, len, type, isinstance, hasattr, BaseException, StopIteration, RuntimeError, ValueError, TypeError)
