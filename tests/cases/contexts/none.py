# RUN: exec %
#
# Without any context the names are there and empty.
(context, files, context_files)
