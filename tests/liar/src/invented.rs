//! Scripts made up from a seed.

/// Exports that a made-up script has lines for, most of them for the first.
const EXPORTS: [&str; 16] = [
    "exec",
    "exec",
    "exec",
    "exec",
    "resume",
    "resume",
    "resume",
    "variables",
    "get-variable",
    "set-variable",
    "set-contexts",
    "dump",
    "load",
    "after-exec",
    "after-dump",
    "after-variables",
];

const TEXTS: [&str; 16] = [
    "",
    "a",
    "%00",
    "%0A%1B[31m%0D",
    "%ff%fe",
    "x*1000",
    "y*1048577",
    "z*9000000",
    "{\"a\":",
    "[*100000",
    "[[[[[[]]]]]]",
    "1e999",
    "NaN",
    "{\"$int\":\"99999999999999999999\"}",
    "{\"$dict\":[[1]]}",
    "18446744073709551616",
];

const NUMBERS: [&str; 10] = [
    "0",
    "1",
    "2",
    "7",
    "1000",
    "65537",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "max",
];

const COUNTS: [&str; 8] = ["0", "1", "2", "3", "100", "3000", "100001", "600000"];

/// Actions: a `T` is a text, an `N` a number, a `C` a count, a `K` tickets, and an
/// `O` the number of an offset; everything else stands for itself.
const ACTIONS: [&str; 56] = [
    "call echo {\"args\":[1],\"kwargs\":{}}",
    "call later {\"args\":[1],\"kwargs\":{}}",
    "call later {\"args\":[2],\"kwargs\":{}} 3",
    "call later {\"args\":[2],\"kwargs\":{}} C",
    "call later T",
    "call echo T C",
    "call T T",
    "call fail {\"args\":[\"ValueError\",\"no\"],\"kwargs\":{}} C",
    "call budget T",
    "call history T",
    "call rlm_query {\"args\":[[\"hello\"]],\"kwargs\":{}}",
    "ask T",
    "ask T C",
    "ask T 1 C T",
    "print out T C",
    "print err T",
    "repeated 2000000 trap",
    "repeated 2000000 loop",
    "log error T C",
    "log warn T",
    "read notes N N C",
    "read T N N",
    "clock C",
    "sleep N C",
    "grow 1048576 C",
    "heap null C",
    "heap wild C",
    "heap odd",
    "heap low C",
    "heap trap C",
    "heap loop C",
    "trap",
    "panic",
    "exit",
    "loop",
    "recurse",
    "wild",
    "forget",
    "work 1000000",
    "value T T",
    "value T T truncated",
    "raised T T T T C T N",
    "stopped time",
    "stopped memory T T T T C T N",
    "finish fields T T - T C",
    "finish variable T T - T",
    "pauses N",
    "live N",
    "names C T",
    "rewrites C T N N",
    "suspend K K",
    "misuse state",
    "misuse limit",
    "pieces C C",
    "list C T T T N T",
    "poke O N",
];

const TICKETS: [&str; 8] = [
    "mine", "mine", "mine", "none", "0", "0,0", "7,max", "0x100000",
];

/// Makes a script up.
pub(crate) fn script(seed: u64) -> String {
    let mut random = Random(seed);
    let mut script = String::new();
    let lines = 1 + random.below(8);
    for _ in 0..lines {
        script.push_str(random.of(&EXPORTS));
        for word in random.of(&ACTIONS).split(' ') {
            script.push(' ');
            match word {
                "T" => script.push_str(random.of(&TEXTS)),
                "N" => script.push_str(random.of(&NUMBERS)),
                "C" => script.push_str(random.of(&COUNTS)),
                "K" => script.push_str(random.of(&TICKETS)),
                "O" => script.push_str(&(4 * random.below(40)).to_string()),
                word => script.push_str(word),
            }
        }
        script.push('\n');
    }
    // Half of them wait for the calls that they make.
    if random.below(2) == 0 {
        script.push_str("exec call later {\"args\":[3],\"kwargs\":{}} 2\nexec suspend mine\n");
    }
    script
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % most as u64) as usize
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}
