# Puts itself and much else into the data that the sandbox lends
buffers.append(buffers)
files['x' * 1000000] = files
for i in range(10 ** 6):
    buffers.append((buffers, files, f'{i}' * 100))
    buffers[0] = [buffers[-1]]
