//! Positions in long texts: the price of a call follows what it reads, not how long the text is.

use rlm_sandbox::Session;

use crate::check::{block_on, session};

/// Loops of two hundred calls each, over a text `t` of `n` characters that ends with a word.
const LOOPS: [(&str, &str); 9] = [
    ("find", "for _ in range(200): t.find('needle', n - 20)"),
    ("rfind", "for _ in range(200): t.rfind('needle', n - 20)"),
    ("index", "for _ in range(200): t.index('needle', n - 20, n)"),
    ("count", "for _ in range(200): t.count('needle', -20)"),
    (
        "startswith",
        "for _ in range(200): t.startswith('needle', n - 20)",
    ),
    ("item", "for i in range(200): t[n - 1 - i]"),
    ("slice", "for i in range(200): t[n - 40:n - 20]"),
    ("len", "for _ in range(200): len(t)"),
    ("search", "for _ in range(200): p.search(t, n - 20).span()"),
];

/// Returns the fuel of each of [`LOOPS`] in a text of `lines` lines.
fn prices(session: &mut Session, line: &str, lines: usize) -> Vec<u64> {
    let prepared = format!(
        "import re\np = re.compile('needle')\nt = '{line}' * {lines} + 'needle'\nn = len(t)\n\
         _ = t.find('needle', n - 20), p.search(t, n - 20)"
    );
    let outcome = block_on(session.exec(&prepared)).expect("an outcome");
    assert!(outcome.is_success(), "{outcome:?}");
    let mut prices = Vec::new();
    for (_, code) in LOOPS {
        let outcome = block_on(session.exec(code)).expect("an outcome");
        assert!(outcome.is_success(), "{code}: {outcome:?}");
        prices.push(outcome.usage.fuel);
    }
    prices
}

/// Monty walked the text from its beginning in each such call: a megabyte cost a hundred times what ten kilobytes did.
#[test]
fn a_position_is_found_as_fast_in_a_long_text_as_in_a_short_one() {
    for line in [
        "2026-01-31 ERROR all is lost ",
        "2026-01-31 FEHLER größer 日本 ",
    ] {
        let mut session = session();
        let short = prices(&mut session, line, 400);
        let long = prices(&mut session, line, 40_000);
        for ((name, _), (short, long)) in LOOPS.iter().zip(short.into_iter().zip(long)) {
            assert!(
                long < short * 3 / 2,
                "{name} in {line:?}: {short} and {long}"
            );
        }
    }
}
