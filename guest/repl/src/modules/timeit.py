def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import time
    def timeit(stmt='pass', setup='pass', timer=time.perf_counter, number=1000000, globals=None):
        if isinstance(stmt, str) and stmt != 'pass' or isinstance(setup, str) and setup != 'pass':
            raise NotImplementedError('timeit of text is not available in this sandbox; give it a function')
        if not isinstance(setup, str):
            setup()
        start = timer()
        for _ in range(number):
            if not isinstance(stmt, str):
                stmt()
        return timer() - start
    def repeat(stmt='pass', setup='pass', timer=time.perf_counter, repeat=5, number=1000000, globals=None):
        return [timeit(stmt, setup, timer, number) for _ in range(repeat)]
    return _rlm_Module('timeit', {'timeit': timeit, 'repeat': repeat, 'default_timer': time.perf_counter})
_rlm_module_timeit = _rlm_load(*_rlm_kit['builtins'])
