# FAIL 1: exec %
#
# Without a model the script is told how to attach one.
llm_query("hello?")
