# From now on matches know all of themselves; see `compat/regex.rs`.
_rlm_re_full.append(True)
