# Numbers that take for ever to be written down in tens
big = 1 << 8000000
try:
    echo([big] * 3)
except ValueError:
    later(-big)
finally:
    SUBMIT(big, {big: big})
