# RUN: exec % --input 'name="reader"'
#
# How to write a case. The first line says how it is run: `RUN:` must exit with
# status 0, `FAIL 3:` with status 3. `%` is this file, `%d` its folder; single
# quotes keep words together. The next comment says what is promised. What must
# be printed stands beside this file, in `readme.py.stdout` and, if there is
# anything, `readme.py.stderr`; what it called stands in `.calls`. Every case is
# recorded and replayed as well, with a settled seed and clock, and its fuel must
# be what `fuel.txt` says. `UPDATE_EXPECT=1 cargo test --test cases` writes all of
# these. To add a case, add a file.
print("hello,", name)
len(name)
