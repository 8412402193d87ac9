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
