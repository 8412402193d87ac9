//! The interpreter behind both walls against the same interpreter behind none.
//!
//! Programs of expressions over values of every type, each in a `try` of its own
//! that prints what came of it. What Monty says in a process of its own, behind no
//! wall (`tests/native`, which `.ci/fuzz` builds), the component has to say, too: the
//! same value, the same output, the same exception. Where the REPL has it otherwise on
//! purpose, it has it as Python does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use proptest::prelude::*;
use proptest::strategy::BoxedStrategy;
use rlm_sandbox::Limits;
use serde::{Deserialize, Serialize};

use crate::sandboxed::{described, exec};
use crate::target::Target;

pub(crate) struct Differential;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Program {
    statements: Vec<String>,
}

/// What expressions are about.
const NAMES: &str = "\
a, b, c, big = 7, -3, 2.5, 10 ** 30
s, u, raw = 'hello world', 'h\u{e9}llo \u{1f642}\\n', b'\\x00bytes'
xs, ys, empty = [3, 1, 2], ['b', 'a', 'c', 'a'], []
d, t, z = {'k': 1, 2: 'v', (1, 2): None}, (1, 'x', None), {1, 2, 3}
def f(x, y=2, *rest, k=None, **more): return (x, y, rest, k, sorted(more))
def g(n): return [i * i for i in range(n)]
class P:
    def __init__(self, n): self.n = n
    def __repr__(self): return f'P({self.n!r})'
    def __eq__(self, other): return isinstance(other, P) and self.n == other.n
    def __add__(self, other): return P(self.n + other.n)
p = P(4)
";

/// Expressions without a hole.
const ATOMS: [&str; 41] = [
    "a",
    "b",
    "c",
    "big",
    "s",
    "u",
    "raw",
    "xs",
    "ys",
    "empty",
    "d",
    "t",
    "z",
    "p",
    "None",
    "True",
    "False",
    "0",
    "-1",
    "255",
    "2**31",
    "2**63",
    "1e308",
    "0.1",
    "float('nan')",
    "float('inf')",
    "''",
    "'a,b,,c'",
    "'%s-%05.2f'",
    "'{:>8}|{!r}'",
    "b''",
    "()",
    "{}",
    "set()",
    "frozenset([1])",
    "range(5)",
    "range(10, 0, -3)",
    "list(g(4))",
    "int",
    "str",
    "...",
];

/// Expressions with holes.
const SHAPES: [&str; 117] = [
    "(_ + _)",
    "(_ - _)",
    "(_ * _)",
    "(_ / _)",
    "(_ // _)",
    "(_ % _)",
    "(_ ** 2)",
    "(_ & _)",
    "(_ | _)",
    "(_ ^ _)",
    "(_ << 3)",
    "(_ >> 1)",
    "(-_)",
    "(+_)",
    "(~_)",
    "(not _)",
    "(_ and _)",
    "(_ or _)",
    "(_ if _ else _)",
    "(_ == _)",
    "(_ != _)",
    "(_ < _)",
    "(_ <= _)",
    "(_ in _)",
    "(_ not in _)",
    "(_ is _)",
    "(_ < _ < _)",
    "_[0]",
    "_[-1]",
    "_[1:]",
    "_[::-1]",
    "_[_]",
    "_[1:_:2]",
    "[_, _]",
    "(_, _)",
    "{_: _}",
    "{_, _}",
    "[x for x in _]",
    "[(x, y) for x in _ for y in _]",
    "{x: _ for x in _}",
    "[x for x in _ if x]",
    "sum(_)",
    "len(_)",
    "str(_)",
    "repr(_)",
    "int(_)",
    "float(_)",
    "bool(_)",
    "list(_)",
    "tuple(_)",
    "set(_)",
    "dict(_)",
    "sorted(_)",
    "sorted(_, reverse=True)",
    "min(_)",
    "max(_, _)",
    "abs(_)",
    "round(_, 2)",
    "round(_)",
    "divmod(_, _)",
    "pow(_, 3, 7)",
    "hash(_) == hash(_)",
    "type(_)",
    "isinstance(_, (int, str))",
    "list(map(str, _))",
    "list(filter(None, _))",
    "list(zip(_, _))",
    "list(enumerate(_, 1))",
    "list(reversed(_))",
    "any(_)",
    "all(_)",
    "chr(_)",
    "ord(_)",
    "hex(_)",
    "bin(_)",
    "oct(_)",
    "f'{_}'",
    "f'{_!r:>12}'",
    "f'{_:.3f}'",
    "f'{_:,}'",
    "f'{_:08x}'",
    "f'{_:^10}|'",
    "f'{_:e}'",
    "f'{_:%}'",
    "'{} {}'.format(_, _)",
    "_ .upper()",
    "_ .split()",
    "_ .split(',')",
    "_ .strip('h')",
    "_ .replace('l', _)",
    "_ .find(_)",
    "_ .count(_)",
    "_ .join(_)",
    "_ .startswith(_)",
    "_ .encode()",
    "_ .decode()",
    "_ .isdigit()",
    "_ .title()",
    "_ .zfill(9)",
    "_ .partition('o')",
    "_ .splitlines()",
    "_ .get(_)",
    "_ .get(_, _)",
    "list(_ .items())",
    "list(_ .keys())",
    "_ .copy()",
    "_ .index(_)",
    "_ .union(_)",
    "_ .issubset(_)",
    "_ .hex()",
    "_ .bit_length()",
    "f(_)",
    "f(_, *_)",
    "f(k=_, **_)",
    "(lambda x: _)(_)",
    "P(_)",
    "P(_) + p",
];

/// Statements with holes.
const STATEMENTS: [&str; 21] = [
    "r = _",
    "r = _",
    "r = _",
    "r = _",
    "r = _",
    "r = _",
    "r = []\nfor i in _:\n    r.append(i)\n    if len(r) > 5: break\nelse:\n    r.append('else')",
    "r = 0\nwhile r < 5:\n    r += 1\n    if r == _: continue",
    "q, *r = _",
    "r, q = _",
    "r = list(_)\nr[0] = _\nr.extend(_)",
    "r = list(_)\nr.sort()\nr.insert(1, _)\nr.pop()",
    "r = dict(_)\nr[_] = _\nr.update({'n': _})",
    "r = set(_)\nr.add(_)\nr.discard(_)\nr = sorted(r)",
    "r = a\nr += _",
    "r = xs[:]\nr += _",
    "assert _, _\nr = 'held'",
    "try:\n    r = _\nfinally:\n    print('finally')",
    "try:\n    r = _\nexcept (TypeError, ValueError):\n    r = ('caught', _)",
    "match _:\n    case int(): r = 'int'\n    case [x, *y]: r = x\n    case other: r = 'else'",
    "def h(x):\n    return _\nr = h(_)",
];

fn filled(shape: &str, parts: Vec<String>) -> String {
    let mut parts = parts.into_iter().cycle();
    let mut text = String::new();
    let mut letters = shape.char_indices().peekable();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut before = ' ';
    while let Some((_, letter)) = letters.next() {
        let after = letters.peek().map_or(' ', |(_, letter)| *letter);
        // A hole stands alone.
        if letter == '_' && (before == '*' || !is_word(before) && !is_word(after)) {
            text.push_str(&parts.next().unwrap_or_default());
        } else {
            text.push(letter);
        }
        before = letter;
    }
    text
}

fn expression() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(&ATOMS[..]).prop_map(str::to_owned);
    atom.prop_recursive(3, 12, 3, |inner| {
        (
            prop::sample::select(&SHAPES[..]),
            prop::collection::vec(inner, 3),
        )
            .prop_map(|(shape, parts)| filled(shape, parts))
    })
}

impl Target for Differential {
    type Input = Program;
    const NAME: &'static str = "differential";

    fn inputs() -> BoxedStrategy<Program> {
        let statement = (
            prop::sample::select(&STATEMENTS[..]),
            prop::collection::vec(expression(), 3),
        );
        let statement = statement.prop_map(|(shape, parts)| filled(shape, parts));
        prop::collection::vec(statement, 1..12)
            .prop_map(|statements| Program { statements })
            .boxed()
    }

    fn attempt(program: &Program) -> Result<(), String> {
        let source = program.source();
        let mut limits = Limits::default();
        limits.output_bytes = 16 << 20;
        let mut session = described(limits)
            .open()
            .map_err(|error| error.to_string())?;
        let outcome = exec(&mut session, &source)?;
        let ours = Alone {
            output: outcome.stdout.clone(),
            raised: outcome.exception().map(|raised| raised.kind.clone()),
        };
        let Some(native) = NATIVE.run(&source) else {
            // What ends a process is what walls are for.
            return Ok(());
        };
        if ours == native {
            return Ok(());
        }
        let Some(python) = PYTHON.run(&source) else {
            return Ok(());
        };
        if python.raised.is_some() || ours.raised.is_some() {
            let is_theirs = ours.raised == python.raised || ours.raised == native.raised;
            // What we run and neither of them parses is ours to run.
            let is_more = ours.raised.is_none() && python.raised.as_deref() == Some("SyntaxError");
            return match is_theirs || is_more {
                true => Ok(()),
                false => Err(format!("{ours:?}, alone {native:?}, in Python {python:?}")),
            };
        }
        // One line for each statement, after what it printed itself.
        let lines = |output: &str| output.split("\n#").map(str::to_owned).collect::<Vec<_>>();
        let (native, python) = (lines(&native.output), lines(&python.output));
        let ours = lines(&ours.output);
        if ours.len() < native.len().min(python.len()) {
            return Err(format!("{ours:?}, alone {native:?}, in Python {python:?}"));
        }
        for (number, ours) in ours.iter().enumerate() {
            let is_natives = native.get(number) == Some(ours);
            let is_pythons = python.get(number).is_some_and(|told| is_alike(told, ours));
            // Monty looks arguments up before methods, so of two errors another may come first.
            let are_errors = [Some(ours), native.get(number), python.get(number)]
                .iter()
                .all(|told| told.is_some_and(|told| gist(told).ends_with("Error")));
            if !is_natives && !is_pythons && !is_lacking(ours) && !are_errors {
                return Err(format!(
                    "{ours:?}, alone {:?}, in Python {:?}",
                    native.get(number),
                    python.get(number)
                ));
            }
        }
        Ok(())
    }
}

impl Program {
    fn source(&self) -> String {
        let mut source = NAMES.to_owned();
        for (number, statement) in self.statements.iter().enumerate() {
            let moved = statement.replace('\n', "\n    ");
            source.push_str(&format!(
                "try:\n    r = None\n    {moved}\n    print('#{number}', type(r).__name__, repr(r))\nexcept Exception as e:\n    print('#{number}', type(e).__name__, e)\n"
            ));
        }
        source
    }
}

/// Returns whether both are the same but for what an exception says, and for the order of
/// sets, which is another in every process of Python.
fn is_alike(one: &str, other: &str) -> bool {
    let letters = |told: &str| {
        let mut letters: Vec<char> = gist(told).chars().collect();
        letters.sort_unstable();
        letters
    };
    letters(one) == letters(other)
}

/// Without what an exception says.
fn gist(told: &str) -> &str {
    let mut words = told.trim_start_matches('#').splitn(3, ' ');
    match words.nth(1) {
        Some(kind) if kind.ends_with("Error") => kind,
        _ => told.trim_end(),
    }
}

/// Returns whether we say that we have not got something.
fn is_lacking(told: &str) -> bool {
    told.contains("NotImplementedError")
}

/// Names the program of `tests/native`.
const PROGRAM: &str = "RLM_SANDBOX_NATIVE";

/// Returns whether there are interpreters to compare with.
pub(crate) fn is_here() -> bool {
    std::env::var_os(PROGRAM).is_some() && [&NATIVE, &PYTHON].iter().all(|other| other.is_here())
}

/// The interpreter behind no wall.
static NATIVE: Other = Other::new(|| Command::new(std::env::var_os(PROGRAM).unwrap_or_default()));

/// What Python is, where the interpreter and the REPL on it differ.
static PYTHON: Other = Other::new(|| {
    let mut command = Command::new("python3");
    command.args(["-c", PYTHON_SOURCE]);
    command
});

const PYTHON_SOURCE: &str = "
import contextlib, io, json, resource, signal, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
for line in sys.stdin:
    signal.alarm(5)
    said, raised = io.StringIO(), None
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(json.loads(line), '<repl>', 'exec'), {'__name__': '__main__'})
        except BaseException as error:
            raised = type(error).__name__
    signal.alarm(0)
    print(json.dumps({'output': said.getvalue(), 'raised': raised}), flush=True)
";

/// Another interpreter, as a process.
struct Other {
    command: fn() -> Command,
    running: Mutex<Option<(Child, BufReader<ChildStdout>)>>,
}

/// What a program printed, and the kind of exception that ended it.
#[derive(Debug, PartialEq, Deserialize)]
struct Alone {
    output: String,
    raised: Option<String>,
}

impl Other {
    const fn new(command: fn() -> Command) -> Self {
        Self {
            command,
            running: Mutex::new(None),
        }
    }

    fn start(&self) -> Option<(Child, BufReader<ChildStdout>)> {
        let mut command = (self.command)();
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::null()).spawn().ok()?;
        let stdout = BufReader::new(child.stdout.take()?);
        Some((child, stdout))
    }

    fn is_here(&self) -> bool {
        self.run("None").is_some()
    }

    /// None if the program is the end of it, or it is not on this machine.
    fn run(&self, source: &str) -> Option<Alone> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_none() {
            *running = Some(self.start()?);
        }
        let (child, stdout) = running.as_mut()?;
        let line = serde_json::to_string(source).ok()? + "\n";
        let mut answer = String::new();
        let stdin = child.stdin.as_mut()?;
        let told = stdin.write_all(line.as_bytes());
        let told = told.and_then(|()| stdout.read_line(&mut answer));
        let alone = told.ok().and_then(|_| serde_json::from_str(&answer).ok());
        if alone.is_none() {
            let _ = child.kill();
            let _ = child.wait();
            *running = None;
        }
        alone
    }
}
