# RUN: exec % --llm-command 'read n; sleep 0.0$n; echo got $n, ${LLM_MODEL:-no model}'
#
# A batch is asked side by side and answered in its order.
print(llm_query_batched([str(n) for n in (9, 5, 1)], model="tiny"))
print(llm_query("3"))
