# Eight megabytes of JSON that take a gigabyte once somebody has parsed them
echo([{'a': 0}] * 1000000)
