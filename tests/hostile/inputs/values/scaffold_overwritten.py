# Overwrites all that the session lends, with functions, classes and itself
def FINAL(x): FINAL(x)
class SUBMIT:
    def __init__(self, *args): later(args)
def llm_query(x, FINAL=FINAL):
    global print, FINAL_VAR, echo, answer, context, buffers, read_context, later
    print = echo = FINAL_VAR = answer = context = buffers = read_context = later = llm_query
    return SUBMIT(x)
SHOW_VARS = files = history = budget = llm_query
history_1 = context_0 = context_255 = context_files = lambda: llm_query
files(1)
for chunk_indices in [SUBMIT]: submit_answer = chunk_indices
import math as llm_query_batched
from json import dumps as rlm_query
[FINAL, SUBMIT, answer, echo, context, SHOW_VARS, llm_query_batched, print]
