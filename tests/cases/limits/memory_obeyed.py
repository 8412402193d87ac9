# RUN: exec % --memory 8MiB
#
# A script within its memory is left alone.
len([0] * 100_000)
