# Eight megabytes of arguments that are many times as much once somebody has parsed them
row = [0] * 2000
echo([row] * 1990)
