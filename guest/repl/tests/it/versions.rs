//! States that another version of the program wrote.

use rlm_repl::Repl;
use rlm_repl::bindings::exports::rlm::sandbox::repl::*;

use crate::host::{TestHost, profile, repl, settings, tell};

const MADE: &str = "
import json, re
from collections import Counter, defaultdict, namedtuple
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
@dataclass
class Point:
    x: int
    y: int = 2
class Color(Enum):
    RED = 1
Pair = namedtuple('Pair', 'a b')
counts = Counter('abca')
groups = defaultdict(list)
def shifted(text): return re.sub(r'\\d+', lambda m: str(int(m.group()) + 1), text)
squares = (i * i for i in range(5))
next(squares)
with ThreadPoolExecutor() as pool: shown = list(pool.map(shifted, ['a1']))
";

/// Scripts that go on with all of it, and what each gives.
const USED: [(&str, &str); 10] = [
    (
        "str(Point(1)), Point(1) == Point(1, 2)",
        "('Point(x=1, y=2)', True)",
    ),
    (
        "Color(1) is Color.RED, str(Color.RED)",
        "(True, 'Color.RED')",
    ),
    ("counts.most_common(1), counts['z']", "([('a', 2)], 0)"),
    (
        "str(Pair(1, 2)), json.dumps(Pair(1, 2))",
        "('Pair(a=1, b=2)', '[1, 2]')",
    ),
    ("groups['k'].append(1)\ndict(groups)", "{'k': [1]}"),
    ("shifted('a1'), shown", "('a2', ['a2'])"),
    ("list(squares)", "[1, 4, 9, 16]"),
    (
        "class Near(Point):\n    def close(self): return self.x < self.y\nNear(1).close(), isinstance(Near(1), Point)",
        "(True, True)",
    ),
    (
        "with ThreadPoolExecutor() as pool: again = list(pool.map(shifted, ['b1', 'b2']))\nagain",
        "['b2', 'b3']",
    ),
    (
        "from collections import Counter\nsorted(Counter('aab').items()), isinstance(counts, dict)",
        "([('a', 2), ('b', 1)], True)",
    ),
];

/// Returns the state with another digest in place of the one that it has as `member`.
fn renamed(state: &[u8], member: &str) -> Vec<u8> {
    let before = format!("\"{member}\":\"");
    let places = state.windows(before.len());
    let at = places.rev().position(|part| part == before.as_bytes());
    let at = state.len() - before.len() - at.expect("it has a digest");
    let mut state = state.to_vec();
    state[at + before.len()..][..16].fill(b'0');
    state
}

#[test]
fn a_state_of_another_version_goes_on_and_one_of_another_interpreter_is_refused() {
    let host = TestHost::default();
    let mut first = repl(&host);
    assert_eq!(tell(first.exec(MADE).expect("idle")), "None");
    let mut state = Vec::new();
    for number in 0.. {
        match first.dump(number).expect("written") {
            piece if piece.is_empty() => break,
            piece => state.extend(piece),
        }
    }
    let load = |state: Vec<u8>| {
        let mut repl = Repl::new(&host);
        repl.configure(settings(profile())).expect("fits");
        repl.load(state, true).map(|_| repl)
    };
    let refused = load(renamed(&state, "interpreter"));
    assert!(matches!(refused, Err(Misuse::Dump)));
    for state in [state.clone(), renamed(&state, "repl")] {
        let mut repl = load(state).expect("read");
        for (source, wanted) in USED {
            let told = tell(repl.exec(source).expect("idle"));
            assert_eq!(told.split(" = ").next(), Some(wanted), "{source}");
        }
    }
}
