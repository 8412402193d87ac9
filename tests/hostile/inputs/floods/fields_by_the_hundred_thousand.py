# Ends with a hundred thousand fields, each of which is a value of its own
SUBMIT(**{f'field{i}': (i, f'{i}') for i in range(150000)})
