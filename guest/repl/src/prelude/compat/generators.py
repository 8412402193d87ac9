# What iterators give, for what cannot wait for the host; see `compat/gathered.rs`.
def _rlm_load(type, map, filter, zip, enumerate, isinstance):
    def some():
        yield
    kinds = (type(some()), type(map(type, '')), type(filter(type, '')), type(zip('')), type(enumerate('')))
    def gathered(made):
        return [item for item in made] if isinstance(made, kinds) else made
    def kept(made):
        # What comes before an error is given before it.
        if not isinstance(made, kinds):
            return made
        items = []
        try:
            for item in made:
                items.append(item)
        except BaseException as error:
            return failing(items, error)
        return items
    def failing(items, error):
        yield from items
        raise error
    return gathered, kept
_rlm_gathered, _rlm_kept = _rlm_load(type, map, filter, zip, enumerate, isinstance)
_rlm_iter = iter
