# FAIL 1: exec % --tool 'find(text)=cat'
#
# Wrong arguments are told as Python tells them.
find("a", colour="red")
