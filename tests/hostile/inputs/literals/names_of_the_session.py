# names until the tables of the session are full; then everything that needs one more
exec('\n'.join([f'a{n}=0' for n in range(65300)]))
