# How a script says that it is done, and the helpers of researchers.
def _rlm_make(kit, show, bound, type, str, dict, list, tuple, set, frozenset):
    text = kit['text']
    # What was submitted to a pool runs before the answer is looked at.
    def settled():
        settle = kit.get('settle')
        if settle is not None:
            settle()
    def FINAL(answer):
        settled()
        _rlm_finish('direct', show(answer))
    def submit_answer(answer):
        settled()
        _rlm_finish('direct', show(answer))
    def FINAL_VAR(name):
        settled()
        if type(name) is not str:
            _rlm_finish('direct', show(name))
        wanted = name.strip().strip('\'"').strip()
        if not wanted.isidentifier():
            _rlm_finish('direct', show(name))
        names = _rlm_candidates()
        # What the session defines for findings is no variable of the script's.
        found = bound(wanted) if wanted in names or wanted == 'buffers' else None
        if found is None:
            return _rlm_undefined(wanted, [n for n in names if bound(n) is not None])
        _rlm_finish('variable', show(found[0]), wanted)
    def SUBMIT(*args, **kwargs):
        settled()
        _rlm_submit([show(v) for v in args], [(k, show(v)) for k, v in kwargs.items()])
    def SHOW_VARS():
        shown = []
        for name in _rlm_candidates():
            found = bound(name)
            if found is not None:
                shown.append((name, f'{type(found[0]).__name__}'[:201], text(found[0], 100)))
        return _rlm_listing(shown)
    def chunk_indices(total, chunk_size=200000, overlap=0):
        if type(total) is str:
            raise TypeError('chunk_indices() needs a length; pass len(text)')
        if chunk_size <= 0:
            raise ValueError('chunk_size must be above 0')
        step = chunk_size - overlap
        if step <= 0:
            raise ValueError('overlap must be smaller than chunk_size')
        chunks = []
        start = 0
        while start < total:
            end = start + chunk_size
            chunks.append((start, end if end < total else total))
            if end >= total:
                break
            start += step
        return chunks
    leaves = kit['leaves']
    containers = (list, tuple, dict, set, frozenset)
    # What was there after the script before: nothing of an earlier script runs in a later one,
    # and no container of an earlier one says in a later one that the run is done.
    seen = [None, None]
    def ready(answer):
        # This is asked after each script, so it calls nothing of theirs: no key is compared
        # or hashed, and no truth is asked of an instance.
        if type(answer) is not dict:
            return
        done, content = False, ''
        for k, v in answer.items():
            if type(k) is str:
                if k == 'ready':
                    done = v
                elif k == 'content':
                    content = v
        is_new = [done is not seen[0], content is not seen[1]]
        seen[:] = [done, content]
        if type(done) not in leaves and not (is_new[0] and type(done) in containers) or not done:
            return
        seen[:] = [None, None]
        return f'{content}' if is_new[1] or type(content) in leaves else text(content, 1048576)
    kit['FINAL'] = FINAL
    kit['FINAL_VAR'] = FINAL_VAR
    kit['SUBMIT'] = SUBMIT
    kit['submit_answer'] = submit_answer
    kit['SHOW_VARS'] = SHOW_VARS
    kit['chunk_indices'] = chunk_indices
    kit['ready'] = ready
_rlm_make(_rlm_kit, _rlm_show, _rlm_bound, type, str, dict, list, tuple, set, frozenset)
