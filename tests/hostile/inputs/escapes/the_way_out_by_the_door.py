# Leaves by every door that Python has for a program that wants to end, or to be asked
import sys
for text in ['sys.exit()', 'exit()', 'quit()', 'raise SystemExit("1")', 'breakpoint()', 'input("x" * 100000)', 'help()', 'license()', 'sys._getframe()', 'sys.settrace(print)', 'sys.setrecursionlimit(10 ** 9)', 'sys.stdin.read()', 'sys.stdout.close()',
             'sys.stdout.buffer.write(b"x")', 'sys.stderr.fileno()', 'sys.modules["os"]', 'sys.path.append("/")', 'sys.meta_path', 'sys.exc_info()[2].tb_frame', 'sys.excepthook = print', 'sys.displayhook(1)', 'sys.argv.clear()', 'sys.intern("x" * 10 ** 7)',
             'sys.getsizeof(sys)', 'sys.getrefcount(sys)', 'sys.call_tracing(print, ())', 'sys.addaudithook(print)', 'sys.activate_stack_trampoline("perf")', 'sys._clear_type_cache()', 'sys.set_int_max_str_digits(0)', 'print(sys.version, sys.argv, sys.platform)',
             'sys.exit(sys)', 'sys.exit("x" * 10 ** 7)', 'sys.exit(-2 ** 63)', 'sys.stdout = None', 'sys.stdout.write = print', 'del sys.stdout', 'sys.builtin_module_names = 5', 'memoryview(b"x")', 'bytearray(10 ** 10)', 'super().__init__()', 'id(10 ** 30)', 'hash(sys)']:
    try:
        exec(text)
        print('did', text)
    except BaseException as error:
        print(text, str(error)[:60])
def f(n):
    sys.setrecursionlimit(10 ** 9)
    return f(n + 1) + 1
try:
    f(0)
finally:
    sys.exit(f)
