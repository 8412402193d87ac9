# RUN: exec % --input 'name="reader"'
#
# How to write a case. The first line says how it is run: `RUN:` must exit with
# status 0, `FAIL 3:` with status 3. `%` is this file, `%d` its folder; single
# quotes keep words together. The next comment says what is promised. What must
# be printed stands beside this file, in `readme.py.stdout` and, if there is
# anything, `readme.py.stderr`; `UPDATE_EXPECT=1 cargo test --test cases` writes
# them. To add a case, add a file.
print("hello,", name)
len(name)
