def _rlm_load(abs, all, any, divmod, enumerate, float, getattr, hasattr, int, isinstance, iter, len, list, max, min, range, reversed, set, setattr, sorted, str, sum, type, zip):
    import sys
    traceback = _rlm_module_traceback
    from datetime import datetime
    def say(*args, **kwargs):
        _rlm_kit['print'](*args, **kwargs)
    dict = type({})
    names = {50: 'CRITICAL', 40: 'ERROR', 30: 'WARNING', 20: 'INFO', 10: 'DEBUG', 0: 'NOTSET'}
    numbers = {'FATAL': 50, 'WARN': 30}
    for number, name in names.items():
        numbers[name] = number
    loggers = {}
    disabled = [0]
    def getLevelName(level):
        return names[level] if level in names else numbers[level] if level in numbers else f'Level {level}'
    def addLevelName(level, levelName):
        names[level] = levelName
        numbers[levelName] = level
    def checked(level):
        if isinstance(level, int):
            return level
        if not isinstance(level, str):
            raise TypeError(f'Level not an integer or a valid string: {level!r}')
        if level not in numbers:
            raise ValueError(f'Unknown level: {level!r}')
        return numbers[level]
    def passes(owner, record):
        return all((f.filter(record) if hasattr(f, 'filter') else f(record)) for f in owner.filters)
    class LogRecord:
        def __init__(self, name, level, msg, args, exc_info, extra):
            self.name = name
            self.msg = msg
            self.args = args[0] if len(args) == 1 and isinstance(args[0], dict) and args[0] else args
            self.levelno = level
            self.levelname = getLevelName(level)
            # The exception, whatever stands for it.
            self.exc_info = exc_info[1] if isinstance(exc_info, type(())) else _rlm_handled() if exc_info is True else exc_info
            line = _rlm_running_line()
            code = None if line is None else line.tb_frame.f_code
            self.lineno = 0 if line is None else line.tb_lineno
            self.funcName = '<module>' if code is None else code.co_name
            self.pathname = self.filename = self.module = '<string>' if code is None else code.co_filename
            self.process, self.processName, self.thread, self.threadName = 1, 'MainProcess', 1, 'MainThread'
            self._extra = extra or {}
            for k, v in self._extra.items():
                setattr(self, k, v)
        def getMessage(self):
            return str(self.msg) % self.args if self.args else str(self.msg)
    class Formatter:
        def __init__(self, fmt=None, datefmt=None, style='%'):
            if style not in ('%', '{'):
                raise ValueError('style must be % or {')
            self.datefmt = datefmt
            self._style = style
            self._fmt = fmt or ('%(message)s' if style == '%' else '{message}')
        def formatTime(self, record, datefmt=None):
            now = datetime.now()
            return now.strftime(datefmt) if datefmt else f"{now.strftime('%Y-%m-%d %H:%M:%S')},{now.microsecond // 1000:03}"
        def format(self, record):
            record.message = record.getMessage()
            fields = {
                'name': record.name, 'levelname': record.levelname, 'levelno': record.levelno, 'msg': record.msg,
                'args': record.args, 'message': record.message, 'lineno': record.lineno, 'funcName': record.funcName,
                'process': record.process, 'processName': record.processName, 'thread': record.thread,
                'threadName': record.threadName, 'module': record.module, 'pathname': record.pathname,
                'filename': record.filename, **record._extra,
            }
            if 'asctime' in self._fmt:
                fields['asctime'] = record.asctime = self.formatTime(record, self.datefmt)
            text = self._fmt % fields if self._style == '%' else self._fmt.format(**fields)
            e = record.exc_info
            if not isinstance(e, BaseException):
                return text
            return f'{text}\n{self.formatException((type(e), e, e.__traceback__))}'
        def formatException(self, ei):
            return ''.join(traceback.format_exception(ei[1])).rstrip('\n')
    class Filter:
        def __init__(self, name=''):
            self.name = name
        def filter(self, record):
            return not self.name or record.name == self.name or record.name.startswith(self.name + '.')
    class Handler:
        def __init__(self, level=0):
            self.level = checked(level)
            self.formatter = None
            self.filters = []
        def setLevel(self, level):
            self.level = checked(level)
        def setFormatter(self, fmt):
            self.formatter = fmt
        def addFilter(self, filter):
            self.filters.append(filter)
        def format(self, record):
            return (plain if self.formatter is None else self.formatter).format(record)
        def emit(self, record):
            raise NotImplementedError('emit must be implemented by Handler subclasses')
        def handle(self, record):
            if passes(self, record):
                try:
                    self.emit(record)
                except Exception as e:
                    say(f'--- Logging error ---\n{type(e).__name__}: {e}', file=sys.stderr)
                    say(f'Message: {record.msg!r}\nArguments: {record.args!r}', file=sys.stderr)
        def flush(self):
            pass
        def close(self):
            pass
    class StreamHandler(Handler):
        def __init__(self, stream=None):
            Handler.__init__(self)
            self.stream = sys.stderr if stream is None else stream
        def emit(self, record):
            if self.stream is sys.stdout or self.stream is sys.stderr:
                say(self.format(record), file=self.stream)
            else:
                self.stream.write(self.format(record) + '\n')
    class NullHandler(Handler):
        def handle(self, record):
            pass
    # The methods by level, over log().
    class ByLevel:
        def debug(self, msg, *args, **kwargs):
            self.log(10, msg, *args, **kwargs)
        def info(self, msg, *args, **kwargs):
            self.log(20, msg, *args, **kwargs)
        def warning(self, msg, *args, **kwargs):
            self.log(30, msg, *args, **kwargs)
        def error(self, msg, *args, **kwargs):
            self.log(40, msg, *args, **kwargs)
        def critical(self, msg, *args, **kwargs):
            self.log(50, msg, *args, **kwargs)
        def exception(self, msg, *args, exc_info=True, **kwargs):
            self.log(40, msg, *args, exc_info=exc_info, **kwargs)
        warn = warning
        fatal = critical
    class Logger(ByLevel):
        def __init__(self, name, level=0):
            self.name = name
            self.level = checked(level)
            self.parent = None
            self.propagate = True
            self.disabled = False
            self.handlers = []
            self.filters = []
        def __repr__(self):
            kind = 'RootLogger' if self is root else 'Logger'
            return f'<{kind} {self.name} ({getLevelName(self.getEffectiveLevel())})>'
        def setLevel(self, level):
            self.level = checked(level)
        def getEffectiveLevel(self):
            return self.level if self.level or self.parent is None else self.parent.getEffectiveLevel()
        def isEnabledFor(self, level):
            return not self.disabled and level > disabled[0] and level >= self.getEffectiveLevel()
        def addHandler(self, hdlr):
            if hdlr not in self.handlers:
                self.handlers.append(hdlr)
        def removeHandler(self, hdlr):
            if hdlr in self.handlers:
                self.handlers.remove(hdlr)
        def addFilter(self, filter):
            self.filters.append(filter)
        def _reached(self):
            return self.handlers + (self.parent._reached() if self.propagate and self.parent is not None else [])
        def hasHandlers(self):
            return len(self._reached()) > 0
        def getChild(self, suffix):
            return getLogger(suffix if self is root else f'{self.name}.{suffix}')
        def handle(self, record):
            if self.disabled or not passes(self, record):
                return
            for handler in self._reached() or [lastResort]:
                if record.levelno >= handler.level:
                    handler.handle(record)
        def log(self, level, msg, *args, exc_info=None, stack_info=False, stacklevel=1, extra=None):
            if not isinstance(level, int):
                raise TypeError('level must be an integer')
            if self.isEnabledFor(level):
                self.handle(LogRecord(self.name, level, msg, args, exc_info, extra))
    class LoggerAdapter(ByLevel):
        def __init__(self, logger, extra=None):
            self.logger = logger
            self.extra = extra
        def process(self, msg, kwargs):
            kwargs['extra'] = self.extra
            return msg, kwargs
        def log(self, level, msg, *args, **kwargs):
            if self.logger.isEnabledFor(level):
                msg, kwargs = self.process(msg, kwargs)
                self.logger.log(level, msg, *args, **kwargs)
        def isEnabledFor(self, level):
            return self.logger.isEnabledFor(level)
    plain = Formatter()
    lastResort = StreamHandler()
    lastResort.level = 30
    root = Logger('root', 30)
    def getLogger(name=None):
        if name is None or name == '' or name == 'root':
            return root
        if not isinstance(name, str):
            raise TypeError('A logger name must be a string')
        if name in loggers:
            return loggers[name]
        logger = loggers[name] = Logger(name)
        logger.parent = root
        steps = name.split('.')
        for i in range(1, len(steps)):
            logger.parent = loggers.get('.'.join(steps[:i]), logger.parent)
        for other in loggers.values():
            if other.name.startswith(name + '.') and other.parent is logger.parent:
                other.parent = logger
        return logger
    def basicConfig(
        *, filename=None, format=None, datefmt=None, style='%', level=None, stream=None, handlers=None, force=False, **rest,
    ):
        if filename is not None:
            raise NotImplementedError('logging to a file is not available: use stream=')
        for name in rest:
            if name not in ('filemode', 'encoding', 'errors'):
                raise ValueError(f'Unrecognised argument(s): {name}')
        if force:
            root.handlers = []
        if root.handlers:
            return
        usual = '%(levelname)s:%(name)s:%(message)s' if style == '%' else '{levelname}:{name}:{message}'
        formatter = Formatter(format or usual, datefmt, style)
        for handler in [StreamHandler(stream)] if handlers is None else handlers:
            if hasattr(handler, 'formatter') and handler.formatter is None:
                handler.setFormatter(formatter)
            root.addHandler(handler)
        if level is not None:
            root.setLevel(level)
    def log(level, msg, *args, **kwargs):
        basicConfig()
        root.log(level, msg, *args, **kwargs)
    def disable(level=50):
        disabled[0] = checked(level)
    members = {
        'getLogger': getLogger, 'basicConfig': basicConfig, 'getLevelName': getLevelName, 'addLevelName': addLevelName,
        'disable': disable, 'log': log, 'shutdown': lambda: None,
        'Logger': Logger, 'LogRecord': LogRecord, 'Formatter': Formatter, 'StreamHandler': StreamHandler,
        'Handler': Handler, 'NullHandler': NullHandler, 'Filter': Filter, 'LoggerAdapter': LoggerAdapter, 'root': root, 'lastResort': lastResort,
        'BASIC_FORMAT': '%(levelname)s:%(name)s:%(message)s', 'raiseExceptions': True,
    }
    def at(level):
        return lambda msg, *args, **kwargs: log(level, msg, *args, **kwargs)
    for name, number in numbers.items():
        members[name] = number
        members[name.lower()] = at(number)
    members.pop('notset')
    members['exception'] = lambda msg, *args, exc_info=True, **kwargs: log(40, msg, *args, exc_info=exc_info, **kwargs)
    return _rlm_Module('logging', members)
_rlm_module_logging = _rlm_load(*_rlm_kit['builtins'])
