# FAIL 2: exec % --tool run_code=cat
#
# A tool that would run code inside the code is refused.
