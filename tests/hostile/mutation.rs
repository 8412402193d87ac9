//! One harm, in other clothes.

/// A way to change a source. All are plain text: what comes of it need not be
/// Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// Everything that can be caught is.
    Caught,
    /// The same, again and again.
    CaughtAgain,
    Function,
    Class,
    Coroutine,
    /// In a `__repr__` that is called to show the value.
    Repr,
    /// In a key that is hashed, compared and sorted.
    Key,
    /// Given to `exec` as text.
    Text,
    /// As a string that `eval` gets.
    Expression,
    /// After the names that everything needs have gone.
    Rebound,
    /// Numbers are a thousand times as large.
    Larger,
    /// The first half alone.
    Half,
    /// Lines from two inputs in turn.
    Mixed,
    /// Every other pair of letters is swapped.
    Shuffled,
}

impl Mutation {
    pub(crate) const ALL: [Self; 14] = [
        Self::Caught,
        Self::CaughtAgain,
        Self::Function,
        Self::Class,
        Self::Coroutine,
        Self::Repr,
        Self::Key,
        Self::Text,
        Self::Expression,
        Self::Rebound,
        Self::Larger,
        Self::Half,
        Self::Mixed,
        Self::Shuffled,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::CaughtAgain => "caught again",
            Self::Function => "in a function",
            Self::Class => "in a class",
            Self::Coroutine => "in a coroutine",
            Self::Repr => "in a repr",
            Self::Key => "in a key",
            Self::Text => "as text",
            Self::Expression => "as an expression",
            Self::Rebound => "after rebinding",
            Self::Larger => "larger",
            Self::Half => "half",
            Self::Mixed => "mixed",
            Self::Shuffled => "shuffled",
        }
    }

    pub(crate) fn apply(self, source: &str, other: &str) -> String {
        let caught = |by: usize| {
            let indent = " ".repeat(by);
            let body = indented(source, by + 1);
            format!(
                "{indent}try:\n{body}\n{indent}except BaseException as error:\n{indent} print(repr(error)[:100])\n"
            )
        };
        match self {
            Self::Caught => caught(0),
            Self::CaughtAgain => format!("for again in range(3):\n{}", caught(1)),
            Self::Function => format!("def harm():\n{}\nharm()\n", indented(source, 1)),
            Self::Class => format!("class Harm:\n{}\nHarm()\n", indented(source, 1)),
            Self::Coroutine => format!(
                "import asyncio\nasync def harm():\n{}\nawait asyncio.gather(harm(), harm())\n",
                indented(source, 1)
            ),
            Self::Repr => format!(
                "class Harm:\n def __repr__(self):\n{}\n  return 'harm'\n[Harm()]\n",
                indented(source, 2)
            ),
            Self::Key => format!(
                "class Harm:\n def __init__(self, n): self.n = n\n def __hash__(self):\n{0}\n  return 1\n def __eq__(self, other):\n{0}\n  return False\n def __lt__(self, other):\n{0}\n  return True\n{{Harm(1): 1, Harm(2): 2}}\nsorted([Harm(1), Harm(2), Harm(3)])\n",
                indented(source, 2)
            ),
            Self::Text => format!("exec({})\n", literal(source)),
            Self::Expression => format!("eval({})\n", literal(source.trim())),
            Self::Rebound => format!(
                "print = len = range = str = repr = list = dict = int = isinstance = type = Exception = None\n{source}"
            ),
            Self::Larger => larger(source),
            Self::Half => source.chars().take(source.chars().count() / 2).collect(),
            Self::Mixed => mixed(source, other),
            Self::Shuffled => shuffled(source),
        }
    }
}

/// Every line moved in.
fn indented(source: &str, by: usize) -> String {
    let indent = " ".repeat(by);
    let lines = source.split('\n').map(|line| format!("{indent}{line}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A Python string that is this text.
fn literal(text: &str) -> String {
    let mut literal = String::from("'");
    for letter in text.chars() {
        match letter {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\0' => literal.push_str("\\0"),
            other => literal.push(other),
        }
    }
    literal.push('\'');
    literal
}

/// Numbers of two digits and more get three more.
fn larger(source: &str) -> String {
    let mut larger = String::new();
    let mut digits = 0;
    for letter in source.chars().chain(['\n']) {
        if letter.is_ascii_digit() {
            digits += 1;
        } else {
            if digits >= 2 {
                larger.push_str("000");
            }
            digits = 0;
        }
        larger.push(letter);
    }
    larger
}

fn mixed(source: &str, other: &str) -> String {
    let mut others = other.lines();
    let mut mixed = String::new();
    for line in source.lines() {
        for line in [Some(line), others.next()].into_iter().flatten() {
            mixed.push_str(line);
            mixed.push('\n');
        }
    }
    mixed
}

fn shuffled(source: &str) -> String {
    let mut letters: Vec<char> = source.chars().collect();
    for pair in letters.chunks_exact_mut(2).step_by(2) {
        pair.swap(0, 1);
    }
    letters.into_iter().collect()
}
