# Deletes builtins, host functions, data of the session and its own value
import concurrent.futures, json, time
for again in range(2):
    print = len = str = type = repr = list = dict = isinstance = Exception = 1
    del print, len, str, type, repr, list, dict, isinstance, Exception
    echo = later = llm_query = FINAL = SUBMIT = buffers = 1
    del echo, later, llm_query, FINAL, SUBMIT, buffers
    concurrent = json = time = 1
    del concurrent, json, time
    FINAL_VAR('again') if again else SHOW_VARS()
    result = 1
    del result, again
[1, {2}]
