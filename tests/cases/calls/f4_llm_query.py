# RUN: exec % --llm-command 'cat >/dev/null; echo The answer is 42'
#
# The model is a command, too (F4).
print(llm_query("What is the answer?"))
