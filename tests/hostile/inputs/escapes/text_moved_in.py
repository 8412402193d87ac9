# Names of the sandbox's own, in text that only the first of two parsers finds wrong
eval('  [_rlm_kit.clear(), (_rlm_locals := 5), (_rlm_show := print)]')
