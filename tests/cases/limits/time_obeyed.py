# RUN: exec % --timeout 30s
#
# A script within its time is left alone.
sum(range(1000))
