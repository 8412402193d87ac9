# RUN: exec % --fuel 100e6
#
# A script within its fuel is left alone.
sum(range(1000))
