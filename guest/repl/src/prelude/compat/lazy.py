_rlm_iter = iter
