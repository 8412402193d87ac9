//! Modules of ours do what Python's do.

use crate::host::{TestHost, check, repl, tell};

/// Checks that each expression is true after `import`.
#[track_caller]
fn holds(import: &str, expressions: &[&str]) {
    let host = TestHost::default();
    let mut repl = repl(&host);
    assert_eq!(tell(repl.exec(import).expect("idle")), "None");
    for expression in expressions {
        let told = tell(repl.exec(expression).expect("idle"));
        assert_eq!(told, "True = true", "{expression}");
    }
}

#[test]
fn string() {
    holds(
        "import string\nfrom string import Template, capwords as cap",
        &[
            "string.ascii_letters == 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'",
            "len(string.punctuation) == 32 and len(string.printable) == 100",
            "cap('hello  big world') == 'Hello Big World' and cap('a-b', '-') == 'A-B'",
            "Template('$who owes ${amount} $$').substitute(who='Ann', amount=3) == 'Ann owes 3 $'",
            "Template('$a $b').safe_substitute({'a': 1}) == '1 $b'",
            "string.Template('$a ${b}').get_identifiers() == ['a', 'b']",
        ],
    );
    let host = TestHost::default();
    let mut repl = repl(&host);
    for (source, told) in [
        (
            "import string\nstring.Template('$a').substitute()",
            "KeyError: ",
        ),
        (
            "from string import nothing",
            "ImportError: cannot import name 'nothing' from 'string'",
        ),
        (
            "import stringy",
            "ModuleNotFoundError: No module named 'stringy' (import failed)",
        ),
        ("string.nothing", "AttributeError: "),
    ] {
        let step = tell(repl.exec(source).expect("idle"));
        assert!(step.starts_with(told), "{step}");
    }
}

#[test]
fn statistics() {
    holds(
        "import statistics as s, math",
        &[
            "s.mean([1, 2, 3, 4]) == 2.5 and s.mean([1, 3]) == 2 and s.mean([0.5, 1.5]) == 1.0",
            "s.fmean([1, 2]) == 1.5 and s.fmean([1, 2], [3, 1]) == 1.25",
            "s.median([3, 1, 2]) == 2 and s.median([1, 2, 3, 4]) == 2.5",
            "s.median_low([1, 2, 3, 4]) == 2 and s.median_high([1, 2, 3, 4]) == 3",
            "s.mode(['a', 'b', 'b']) == 'b' and s.multimode('aabbc') == ['a', 'b']",
            "s.variance([2, 4, 4, 4, 5, 5, 7, 9]) == 32 / 7 and s.pvariance([2, 4, 4, 4, 5, 5, 7, 9]) == 4",
            "s.pstdev([2, 4, 4, 4, 5, 5, 7, 9]) == 2.0 and math.isclose(s.stdev([1.5, 2.5, 4.0]), 1.2583057392117916)",
            "s.quantiles([1, 2, 3, 4, 5]) == [1.5, 3.0, 4.5]",
            "s.quantiles([1, 2, 3, 4, 5], n=4, method='inclusive') == [2.0, 3.0, 4.0]",
            "math.isclose(s.geometric_mean([54, 24, 36]), 36.0) and math.isclose(s.harmonic_mean([40, 60]), 48.0)",
            "math.isclose(s.correlation([1, 2, 3], [2, 4, 6]), 1.0) and s.covariance([1, 2, 3], [1, 2, 3]) == 1.0",
        ],
    );
}

#[test]
fn operator() {
    holds(
        "import operator\nfrom operator import itemgetter, attrgetter, methodcaller\nclass P:\n    def __init__(self, x): \
         self.x = x\n    def twice(self, n=2): return self.x * n",
        &[
            "sorted([(1, 'b'), (2, 'a')], key=itemgetter(1)) == [(2, 'a'), (1, 'b')]",
            "itemgetter('a', 'b')({'a': 1, 'b': 2}) == (1, 2)",
            "max([P(1), P(3)], key=attrgetter('x')).x == 3",
            "methodcaller('upper')('a') == 'A' and methodcaller('twice', n=5)(P(2)) == 10",
            "operator.add(2, 3) == 5 and operator.truediv(1, 2) == 0.5 and operator.contains([1], 1)",
            "operator.countOf([1, 2, 1], 1) == 2 and operator.indexOf('abc', 'c') == 2",
            "operator.not_([]) and operator.abs(-2) == 2 and operator.is_(None, None)",
        ],
    );
}

#[test]
fn textwrap() {
    holds(
        "import textwrap\nfrom textwrap import dedent, fill",
        &[
            "dedent('  a\\n    b\\n\\n  c') == 'a\\n  b\\n\\nc'",
            "textwrap.indent('a\\n\\nb', '> ') == '> a\\n\\n> b'",
            "textwrap.wrap('the quick brown fox', 10) == ['the quick', 'brown fox']",
            "fill('aaa bbb ccc', width=7) == 'aaa bbb\\nccc'",
            "textwrap.wrap('abcdefghij', 4) == ['abcd', 'efgh', 'ij']",
            "textwrap.shorten('Hello  world, how are you?', width=18) == 'Hello world, [...]'",
            "textwrap.wrap('', 10) == []",
            "textwrap.wrap('a b c d', 3, initial_indent='* ', subsequent_indent='  ') == ['* a', '  b', '  c', '  d']",
        ],
    );
}

#[test]
fn modules_do_not_mind_what_scripts_call_their_variables() {
    holds(
        "sum = len = sorted = max = any = all = range = isinstance = enumerate = getattr = hasattr = setattr = 3\nimport statistics, \
         heapq, textwrap, string, operator\nfrom operator import itemgetter",
        &[
            "statistics.mean([1, 2]) == 1.5 and statistics.median([3, 1, 2]) == 2 and statistics.stdev([1, 2, 3]) == 1.0",
            "heapq.nlargest(1, [1, 2]) == [2] and textwrap.wrap('a b', 1) == ['a', 'b']",
            "string.Template('$a').substitute(a=1) == '1' and itemgetter(0)([5]) == 5",
        ],
    );
}

#[test]
fn odd_arguments_of_modules_are_as_in_python() {
    holds(
        "import statistics, textwrap, operator\nfrom decimal import Decimal\ndef fails(f, *a, **k):\n    try:\n        f(*a, **k)\n    \
         except Exception as e:\n        return type(e).__name__",
        &[
            "statistics.mean([13.04, 6.55, 23.43]) == 14.34",
            "statistics.mean([Decimal('1.5'), Decimal('2.5')]) == Decimal('2') and type(statistics.stdev([Decimal(1), Decimal(2)])) is Decimal",
            "fails(statistics.mean, []) == 'StatisticsError' and fails(statistics.fmean, [1, 2], [0, 0]) == 'StatisticsError'",
            "fails(textwrap.wrap, ' a', width=1, initial_indent='**', max_lines=1) == 'ValueError'",
            "textwrap.wrap(' a', width=1, initial_indent='**') != []",
            "textwrap.wrap('a\\tb', 10) == ['a       b'] and textwrap.wrap('2020-2021', 6) == ['2020-', '2021']",
            "textwrap.wrap('well-known fact', 8) == ['well-', 'known', 'fact']",
            "operator.abs(3 + 4j) == 5.0 and operator.index(3) == 3 and fails(operator.index, 'a') == 'TypeError'",
        ],
    );
}

#[test]
fn heapq() {
    holds(
        "import heapq\nh = [5, 1, 4, 2]\nheapq.heapify(h)\nheapq.heappush(h, 0)\nout = [heapq.heappop(h) for _ in \
         range(5)]\nNone",
        &[
            "out == [0, 1, 2, 4, 5]",
            "heapq.nlargest(2, [3, 1, 2]) == [3, 2] and heapq.nsmallest(2, ['bb', 'a'], key=len) == ['a', 'bb']",
            "heapq.heappushpop([1, 2], 0) == 0 and heapq.heapreplace([1, 2], 5) == 1",
            "list(heapq.merge([1, 3], [2])) == [1, 2, 3]",
        ],
    );
}

#[test]
fn threading() {
    holds(
        "import threading\nfrom threading import Lock, Thread\nlock, again, two = Lock(), threading.RLock(), threading.BoundedSemaphore(2)\nevent, \
         seen = threading.Event(), []\ndef fails(f, *a, **k):\n    try:\n        f(*a, **k)\n    except Exception as e:\n        return \
         repr(e)\ndef work(x, n=1):\n    with lock, again, again:\n        seen.append((x * n, lock.locked(), \
         threading.current_thread().name))\nthread = Thread(target=work, args=(2,), kwargs={'n': 3})",
        &[
            "fails(thread.join) == \"RuntimeError('cannot join thread before it is started')\"",
            "thread.start() is None and thread.join() is None and not thread.is_alive()",
            "seen == [(6, True, 'Thread-1 (work)')] and not lock.locked() and threading.current_thread().name == 'MainThread'",
            "fails(thread.start) == \"RuntimeError('threads can only be started once')\"",
            "Thread(target=fails, args=(work,), name='x', daemon=True).name == 'x' and Thread(target=int, args=('x',)).start() is None",
            "lock.acquire() and not lock.acquire(blocking=False) and fails(lock.acquire).startswith(\"RuntimeError('this waits for ever\")",
            "lock.release() is None and fails(lock.release) == \"RuntimeError('release unlocked lock')\"",
            "two.acquire() and two.acquire() and not two.acquire(False) and two.release() is None and two.release() is None",
            "fails(two.release) == \"ValueError('Semaphore released too many times')\"",
            "fails(again.release) == \"RuntimeError('cannot release un-acquired lock')\"",
            "fails(event.wait, 1).startswith(\"RuntimeError('this waits\") and event.set() is None and event.wait() and event.is_set()",
        ],
    );
}

#[test]
fn kinds_are_tested_for() {
    holds(
        "from collections.abc import Iterable, Mapping, Sequence, Callable\nimport collections.abc, numbers\nfrom typing import \
         Dict, List, TypeVar, cast\nTable = Dict[str, List[int]]\nT = TypeVar('T')",
        &[
            "isinstance({}, Mapping) and not isinstance([], Mapping) and isinstance('a', (int, Sequence))",
            "isinstance(3, numbers.Integral) and not isinstance(0.5, numbers.Integral) and isinstance(0.5, numbers.Real)",
            "isinstance(len, Callable) and not isinstance(3, Iterable) and isinstance([], collections.abc.Sized)",
            "repr(Table) == 'typing.Dict[str, typing.List[int]]' and repr(T) == '~T' and cast(int, 'a') == 'a'",
            "[isinstance([], kind) for kind in (Mapping, Sequence)] == [False, True]",
        ],
    );
}

#[test]
fn output_of_functions_of_earlier_scripts_goes_elsewhere_too() {
    let host = TestHost::default();
    check(
        &host,
        &[
            ("def f():\n    print('lost')", "None"),
            (
                "import io\nfrom contextlib import redirect_stdout\ndef taken(g):\n    out = io.StringIO()\n    with \
                 redirect_stdout(out):\n        g()\n    return out.getvalue()\ntaken(f)",
                "'lost\\n' = \"lost\\n\"",
            ),
            ("taken(f) == 'lost\\n'", "True = true"),
            ("print('told')", "None"),
        ],
    );
    assert_eq!(*host.said.borrow(), "told\n");
}

#[test]
fn errors_and_warnings_can_be_looked_at() {
    holds(
        "import sys, traceback, warnings\ndef last():\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        \
         return traceback.format_exc().splitlines()[-1], sys.exc_info()[0].__name__\nwith warnings.catch_warnings(record=True) as w:\n    \
         warnings.simplefilter('always')\n    warnings.warn('old', DeprecationWarning)",
        &[
            "last() == ('ZeroDivisionError: division by zero', 'ZeroDivisionError')",
            "sys.exc_info() == (None, None, None) and sys.getrecursionlimit() == 1000",
            "w[0].category is DeprecationWarning and str(w[0].message) == 'old' and issubclass(w[0].category, Warning)",
        ],
    );
}

#[test]
fn tracebacks_that_scripts_read_have_the_lines_that_the_exception_came_from() {
    holds(
        "import sys, traceback
def divide(n):
    return divide(n - 1) if n else 1 / 0
try:
    divide(2)
except Exception as error:
    shown, held = traceback.format_exc(), error
    first = (error.__traceback__.tb_lineno, error.__traceback__.tb_next.tb_frame.f_code.co_name)
try:
    try:
        divide(0)
    except ZeroDivisionError as error:
        raise ValueError('outer') from error
except ValueError:
    chained, line = traceback.format_exc(), sys.exc_info()[2].tb_lineno
def deep(n):
    if n == 0:
        raise RuntimeError('deep')
    deep(n - 1)
try:
    deep(40)
except RuntimeError:
    repeated = traceback.format_exc().splitlines()
unraised = traceback.format_exception(ValueError('new'))
left = []
class Noted:
    def __enter__(self): return self
    def __exit__(self, kind, error, frames):
        left.append((kind.__name__, frames.tb_lineno))
        return True
with Noted():
    raise ValueError('left')",
        &[
            "shown == 'Traceback (most recent call last):\\n  File \"<python-input-0>\", line 5, in <module>\\n    divide(2)\\n' + 3 * '  \
             File \"<python-input-0>\", line 3, in divide\\n    return divide(n - 1) if n else 1 / 0\\n' + 'ZeroDivisionError: division by zero\\n'",
            "traceback.extract_tb(held.__traceback__)[0].line == 'divide(2)'",
            "first == (5, 'divide') and line == 13 and unraised == ['ValueError: new\\n']",
            "[text.lineno for text in traceback.extract_tb(held.__traceback__)] == [5, 3, 3, 3]",
            "''.join(traceback.format_exception(held)) == shown",
            "chained.count('in divide') == 1 and chained.count('line 11, in <module>') == 1 and 'direct cause' in chained",
            "chained.endswith('line 13, in <module>\\n    raise ValueError(\\'outer\\') from error\\nValueError: outer\\n')",
            "repeated[9] == '  [Previous line repeated 37 more times]' and len(repeated) == 13 and repeated[1].endswith('line 21, in <module>') and repeated[-3].endswith('line 18, in deep')",
            "held.with_traceback(None).__traceback__ is None",
            "left == [('ValueError', 32)]",
        ],
    );
}

#[test]
fn exceptions_with_attributes_of_their_own_are_known_to_later_scripts() {
    holds(
        "class Failed(ValueError):\n    def __init__(self, code):\n        super().__init__(f'failed: {code}')\n        self.code = \
         code\nclass Again(Failed):\n    pass",
        &[
            "Failed(3).code == 3 and str(Again(4)) == 'failed: 4' and Again(4).args == ('failed: 4',)",
            "[e.code for e in (Failed(1), Again(2))] == [1, 2] and isinstance(Again(1), ValueError)",
        ],
    );
}

#[test]
fn smaller_modules() {
    holds(
        "import queue, threading, shlex, fnmatch, graphlib, hmac, keyword, inspect, csv\nq = queue.PriorityQueue()\nq.put((2, \
         'b'))\nq.put((1, 'a'))\nlock = threading.Lock()\ndone = []\nt = threading.Thread(target=done.append, \
         args=(1,))\nt.start()\nt.join()",
        &[
            "q.get() == (1, 'a') and q.qsize() == 1 and done == [1] and not lock.locked()",
            "shlex.split(\"a 'b c' d\") == ['a', 'b c', 'd'] and shlex.quote('a b') == \"'a b'\"",
            "fnmatch.filter(['a.py', 'b.txt'], '*.py') == ['a.py']",
            "[*graphlib.TopologicalSorter({'b': ['a']}).static_order()] == ['a', 'b']",
            "hmac.new(b'k', b'm', 'md5').hexdigest() == 'ed7e724d3a91554aaa2043041d9c5305'",
            "keyword.iskeyword('for') and inspect.isfunction(lambda: 1) and csv.Sniffer().sniff('a;b\\n1;2').delimiter == ';'",
        ],
    );
}

#[test]
fn datetime() {
    let import = "import datetime\nfrom datetime import timedelta as T\nspan = datetime.timedelta";
    // As CPython 3.13 has them.
    holds(
        import,
        &[
            "T(hours=1.5) == T(0, 5400, 0)",
            "T(1.5) == T(1, 43200, 0)",
            "T(seconds=0.0000005) == T(0, 0, 0)",
            "T(seconds=0.0000015) == T(0, 0, 2)",
            "T(microseconds=0.5, seconds=-1) == T(-1, 86399, 0)",
            "T(weeks=-1.25, hours=2.75) == T(-9, 31500, 0)",
            "T(days=1e-7) == T(0, 0, 8640)",
            "T(minutes=90)*1.5 == T(0, 8100, 0)",
            "1.5*T(minutes=90) == T(0, 8100, 0)",
            "T(minutes=90)/1.5 == T(0, 3600, 0)",
            "T(microseconds=3)*0.5 == T(0, 0, 2)",
            "T(microseconds=5)*0.5 == T(0, 0, 2)",
            "T(microseconds=-3)*0.5 == T(-1, 86399, 999998)",
            "T(microseconds=3)/2.0 == T(0, 0, 2)",
            "T(days=999)*1e-9 == T(0, 0, 86314)",
            "T(1)*0.1 == T(0, 8640, 0)",
            "T(1)/3.0 == T(0, 28800, 0)",
            "T(milliseconds=0.1, microseconds=0.4) == T(0, 0, 100)",
            "T(days=-26008.966690384157) == T(-26009, 2877, 950809)",
            "T(days=2, microseconds=640)*-26008.966690384157 == T(-52018, 5739, 255879)",
            "T(days=4, microseconds=67)/-26008.966690384157 == T(-1, 86386, 712275)",
            "T(weeks=-6153.532476195673) == T(-43075, 23558, 396857)",
            "T(days=-2, microseconds=196)*-6153.532476195673 == T(12307, 5610, 680520)",
            "T(days=2, microseconds=553)/-6153.532476195673 == T(-1, 86371, 918569)",
            "T(weeks=-0.4256422434119713) == T(-3, 1771, 571184)",
            "T(days=5, microseconds=155)*-0.4256422434119713 == T(-3, 75322, 550780)",
            "T(days=3, microseconds=399)/-0.4256422434119713 == T(-8, 82237, 885899)",
            "T(hours=-68120.01204754377) == T(-2839, 57556, 628842)",
            "T(days=-5, microseconds=308)*-68120.01204754377 == T(340600, 5183, 557946)",
            "T(days=-5, microseconds=843)/-68120.01204754377 == T(0, 6, 341749)",
            "T(seconds=2.5) == T(0, 2, 500000)",
            "T(days=1, microseconds=404)*2.5 == T(2, 43200, 1010)",
            "T(days=4, microseconds=455)/2.5 == T(1, 51840, 182)",
            "T(days=-2.5) == T(-3, 43200, 0)",
            "T(days=-2, microseconds=264)*-2.5 == T(4, 86399, 999340)",
            "T(days=5, microseconds=446)/-2.5 == T(-3, 86399, 999822)",
            "T(seconds=3.5) == T(0, 3, 500000)",
            "T(days=3, microseconds=599)*3.5 == T(10, 43200, 2096)",
            "T(days=1, microseconds=598)/3.5 == T(0, 24685, 714457)",
            "T(days=7.2756318752599505) == T(7, 23814, 594022)",
            "T(days=-1, microseconds=620)*7.2756318752599505 == T(-8, 62585, 410488)",
            "T(days=5, microseconds=712)/7.2756318752599505 == T(0, 59376, 286228)",
            "T(days=92926.58946181228) == T(92926, 50929, 500581)",
            "T(days=4, microseconds=106)*92926.58946181228 == T(371706, 30927, 852544)",
            "T(days=5, microseconds=216)/92926.58946181228 == T(0, 4, 648831)",
            "T(weeks=-87307.88457095413) == T(-611156, 69811, 486939)",
            "T(days=2, microseconds=90)*-87307.88457095413 == T(-174616, 19938, 281416)",
            "T(days=0, microseconds=819)/-87307.88457095413 == T(0, 0, 0)",
            "T(hours=-1.5) == T(-1, 81000, 0)",
            "T(days=1, microseconds=893)*-1.5 == T(-2, 43199, 998660)",
            "T(days=-4, microseconds=45)/-1.5 == T(2, 57599, 999970)",
            "T(weeks=-24439.046206414) == T(-171074, 58454, 360812)",
            "T(days=0, microseconds=564)*-24439.046206414 == T(-1, 86386, 216378)",
            "T(days=-1, microseconds=517)/-24439.046206414 == T(0, 3, 535326)",
            "T(days=8.973161016763978) == T(8, 84081, 111848)",
            "T(days=4, microseconds=548)*8.973161016763978 == T(35, 77124, 452311)",
            "T(days=-5, microseconds=971)/8.973161016763978 == T(-1, 38256, 430725)",
            "T(days=8.485715846291559) == T(8, 41965, 849120)",
            "T(days=-5, microseconds=888)*8.485715846291559 == T(-43, 49370, 761937)",
            "T(days=0, microseconds=321)/8.485715846291559 == T(0, 0, 38)",
            "T(seconds=3.5) == T(0, 3, 500000)",
            "T(days=3, microseconds=395)*3.5 == T(10, 43200, 1382)",
            "T(days=5, microseconds=887)/3.5 == T(1, 37028, 571682)",
            "T(weeks=24025.227089052394) == T(168176, 50943, 458888)",
            "T(days=-1, microseconds=441)*24025.227089052394 == T(-24026, 66790, 100998)",
            "T(days=5, microseconds=737)/24025.227089052394 == T(0, 17, 981100)",
            "T(days=95559.46328972708) == T(95559, 40028, 232420)",
            "T(days=-1, microseconds=561)*95559.46328972708 == T(-95560, 46425, 376439)",
            "T(days=0, microseconds=11)/95559.46328972708 == T(0, 0, 0)",
            "T(milliseconds=-95989.42193908013) == T(-1, 86304, 10578)",
            "T(days=4, microseconds=647)*-95989.42193908013 == T(-383958, 26915, 748751)",
            "T(days=-3, microseconds=61)/-95989.42193908013 == T(0, 2, 700298)",
            "T(seconds=83467.7194842353) == T(0, 83467, 719484)",
            "T(days=-1, microseconds=755)*83467.7194842353 == T(-83468, 24299, 580198)",
            "T(days=2, microseconds=22)/83467.7194842353 == T(0, 2, 70261)",
            "T(weeks=2.5) == T(17, 43200, 0)",
            "T(days=-1, microseconds=643)*2.5 == T(-3, 43200, 1608)",
            "T(days=2, microseconds=305)/2.5 == T(0, 69120, 122)",
            "T(weeks=-1.5) == T(-11, 43200, 0)",
            "T(days=0, microseconds=864)*-1.5 == T(-1, 86399, 998704)",
            "T(days=4, microseconds=270)/-1.5 == T(-3, 28799, 999820)",
            "T(seconds=5.1714344828492855) == T(0, 5, 171434)",
            "T(days=4, microseconds=700)*5.1714344828492855 == T(20, 59247, 760893)",
            "T(days=-3, microseconds=317)/5.1714344828492855 == T(-1, 36278, 510393)",
            "T(weeks=3.5) == T(24, 43200, 0)",
            "T(days=-3, microseconds=694)*3.5 == T(-11, 43200, 2429)",
            "T(days=1, microseconds=665)/3.5 == T(0, 24685, 714476)",
            "T(hours=89829.81344126709) == T(3742, 78528, 388562)",
            "T(days=-2, microseconds=448)*89829.81344126709 == T(-179660, 32277, 592803)",
            "T(days=-3, microseconds=81)/89829.81344126709 == T(-1, 86397, 114544)",
            "T(seconds=-1.5) == T(-1, 86398, 500000)",
            "T(days=-1, microseconds=230)*-1.5 == T(1, 43199, 999655)",
            "T(days=-4, microseconds=34)/-1.5 == T(2, 57599, 999977)",
            "T(weeks=61355.44752509147) == T(429488, 11463, 175321)",
            "T(days=-3, microseconds=884)*61355.44752509147 == T(-184067, 56855, 734507)",
            "T(days=-1, microseconds=348)/61355.44752509147 == T(-1, 86398, 591812)",
            "T(hours=-0.5) == T(-1, 84600, 0)",
            "T(days=-1, microseconds=530)*-0.5 == T(0, 43199, 999735)",
            "T(days=-1, microseconds=475)/-0.5 == T(1, 86399, 999050)",
            "T(seconds=-0.5) == T(-1, 86399, 500000)",
            "T(days=-5, microseconds=942)*-0.5 == T(2, 43199, 999529)",
            "T(days=1, microseconds=159)/-0.5 == T(-3, 86399, 999682)",
            "T(days=75995.6503252096) == T(75995, 56188, 98110)",
            "T(days=1, microseconds=572)*75995.6503252096 == T(75995, 56231, 567621)",
            "T(days=-2, microseconds=33)/75995.6503252096 == T(-1, 86397, 726186)",
            "T(milliseconds=2.5) == T(0, 0, 2500)",
            "T(days=3, microseconds=349)*2.5 == T(7, 43200, 872)",
            "T(days=-2, microseconds=882)/2.5 == T(-1, 17280, 353)",
            "datetime.datetime.fromisoformat('20260105T101112').isoformat() == '2026-01-05T10:11:12'",
            "datetime.datetime.fromisoformat('2026-01-05T10').isoformat() == '2026-01-05T10:00:00'",
            "datetime.datetime.fromisoformat('2026-01-05T1011').isoformat() == '2026-01-05T10:11:00'",
            "datetime.datetime.fromisoformat('2026-W01').isoformat() == '2025-12-29T00:00:00'",
            "datetime.datetime.fromisoformat('2026W011').isoformat() == '2025-12-29T00:00:00'",
            "datetime.datetime.fromisoformat('2026-W01-7').isoformat() == '2026-01-04T00:00:00'",
            "datetime.datetime.fromisoformat('20260105').isoformat() == '2026-01-05T00:00:00'",
            "datetime.datetime.fromisoformat('2026-01-05 10:11:12.123456789').isoformat() == '2026-01-05T10:11:12.123456'",
            "datetime.datetime.fromisoformat('20260105T101112.5+0130').isoformat() == '2026-01-05T10:11:12.500000+01:30'",
            "datetime.datetime.fromisoformat('2026-01-05T10:11:12Z').isoformat() == '2026-01-05T10:11:12+00:00'",
            "datetime.datetime.fromisoformat('2026-01-05T10-03').isoformat() == '2026-01-05T10:00:00-03:00'",
            "datetime.datetime.fromisoformat('2026-01-05T10:11:12,25').isoformat() == '2026-01-05T10:11:12.250000'",
            "datetime.date.fromisoformat('2026-W01').isoformat() == '2025-12-29'",
            "datetime.date.fromisoformat('2026W011').isoformat() == '2025-12-29'",
            "datetime.date.fromisoformat('20260105').isoformat() == '2026-01-05'",
            "span(hours=1.5) == T(minutes=90)",
        ],
    );
    let host = TestHost::default();
    let mut repl = repl(&host);
    repl.exec(import).expect("idle");
    for (source, told) in [
        (
            "T(hours=float('nan'))",
            "ValueError: cannot convert float NaN to integer",
        ),
        (
            "T(hours=float('inf'))",
            "OverflowError: cannot convert float infinity to integer",
        ),
        (
            "T(1)*float('nan')",
            "ValueError: cannot convert NaN to integer ratio",
        ),
        (
            "T(1)*float('inf')",
            "OverflowError: cannot convert Infinity to integer ratio",
        ),
        (
            "datetime.datetime.fromisoformat('2026-01-05T1')",
            "ValueError: Invalid isoformat string: '2026-01-05T1'",
        ),
        (
            "datetime.datetime.fromisoformat('2026-W54')",
            "ValueError: Invalid isoformat string: '2026-W54'",
        ),
        (
            "datetime.datetime.fromisoformat('202601')",
            "ValueError: Invalid isoformat string: '202601'",
        ),
        (
            "datetime.datetime.now() < datetime.datetime.now(datetime.timezone.utc)",
            "TypeError: can't compare offset-naive and offset-aware datetimes",
        ),
        (
            "sorted([datetime.datetime(2026,1,1), datetime.datetime(2026,1,1,tzinfo=datetime.timezone.utc)])",
            "TypeError: can't compare offset-naive and offset-aware datetimes",
        ),
    ] {
        let said = tell(repl.exec(source).expect("idle"));
        assert!(said.starts_with(told), "{source}: {said}");
    }
}

#[test]
fn sums_of_floats_are_those_of_python_since_3_12() {
    holds(
        "None",
        &[
            "sum([0.1]*10) == 1.0",
            "sum([1e100, 1.0, -1e100]) == 1.0",
            "sum([1.0, 1e16, -1e16, 3]) == 4.0",
            "sum([0.1, 0.2, True, 5]) == 6.3",
            // Whole numbers among them as since 3.14.
            "sum([1, 2, 0.1]*3) == 9.3",
            "sum([0.1]*3, 0.5) == 0.8",
            "sum(x/7 for x in range(50)) == 175.0",
            "sum([1e308, 1e308, -1e308]) == float('inf')",
            "sum([float('inf'), 1.0]) == float('inf')",
        ],
    );
}

#[test]
fn attributes_are_listed_also_where_they_are_set_later() {
    holds(
        "from types import SimpleNamespace\nclass A:\n    def __init__(self):\n        self.x = 1\na = A()\na.y = 2\nsetattr(a, 'z', 3)\n\
         n, other = SimpleNamespace(a=1), SimpleNamespace(a=1, b=2)\nn.b = 2\nloop = SimpleNamespace()\nloop.me = loop\nb = bytes(range(3))\nNone",
        &[
            "vars(a) == {'x': 1, 'y': 2, 'z': 3}",
            "list(vars(a)) == ['x', 'y', 'z']",
            "repr(n) == 'namespace(a=1, b=2)' and n == other",
            "vars(n) == {'a': 1, 'b': 2}",
            "repr(loop) == 'namespace(me=namespace(...))'",
        ],
    );
}
