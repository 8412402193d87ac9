# Tries to import everything that reaches out, by every form of the statement
names = ('os sys posix nt subprocess socket ctypes _ctypes signal multiprocessing threading _thread importlib importlib.util builtins __main__ pathlib shutil glob tempfile io _io '
         'pickle marshal shelve dbm sqlite3 ssl http.client urllib.request urllib.error ftplib smtplib telnetlib asyncio.subprocess mmap fcntl resource pty tty termios select selectors gc '
         'inspect dis ast code codeop runpy zipimport zipfile tarfile site sysconfig platform pkgutil atexit faulthandler tracemalloc weakref trace pdb bdb cProfile ensurepip pip venv '
         'webbrowser antigravity this turtle tkinter curses readline pwd grp crypt spwd nis syslog locale cffi numpy xxlimited _xxsubinterpreters concurrent.interpreters _testcapi .. . .os').split()
here = []
for name in names:
    for form in ('import {0}', 'import {0} as m', 'from {0} import *', 'from {0} import system', 'from . import {0}', 'from .{0} import a', 'import {0}.path, {0}', 'import\t{0};{0}'):
        try:
            exec(form.format(name))
            here.append(form.format(name))
        except BaseException as error:
            said = str(error)
here
