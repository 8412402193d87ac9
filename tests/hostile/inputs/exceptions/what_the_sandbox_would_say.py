# Raises in the sandbox's own words that memory is used up, though it is not
raise MemoryError('memory limit exceeded: 1 bytes > 0 bytes')
