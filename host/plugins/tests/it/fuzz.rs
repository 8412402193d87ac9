//! Bytes that nobody meant as a plugin, and arguments that nobody meant for one.
//! `RLM_SANDBOX_FUZZ` is how many of each; a number that fails is the seed.

use rlm_sandbox_plugins::Manifest;
use serde_json::{Map, Value as Json, json};

use crate::check::{call, echo_in_memory, plugin, registry};

fn rounds(fallback: u64) -> u64 {
    let set = std::env::var("RLM_SANDBOX_FUZZ").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(fallback)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

/// Gives back the list of records that it is given.
fn subject() -> String {
    let types = "(type $h (record (field \"line\" u32) (field \"text\" (option string))))
                 (export $hit \"hit\" (type $h))";
    echo_in_memory(types, "(list $hit)")
}

#[test]
fn arbitrary_bytes_are_no_plugin_and_do_no_harm() {
    let whole = wat::parse_str(subject()).expect("a component");
    for seed in 0..rounds(300) {
        let mut random = Random(seed);
        let mut bytes = whole.clone();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at.max(8)),
                _ => bytes.insert(at.max(8), random.next() as u8),
            }
        }
        let mut manifest = Manifest::named("fuzzed");
        manifest.limits.fuel = Some(1_000_000);
        // An error or a plugin; and if it is one, an answer or an exception.
        if let Ok(plugin) = registry().load(manifest, &bytes) {
            for function in plugin.inspect().functions {
                let _ = call(&plugin, &function.name, json!([[{"line": 1, "text": "a"}]]));
            }
        }
    }
}

#[test]
fn arbitrary_arguments_fit_or_are_refused() {
    let plugin = plugin("", &subject());
    for seed in 0..rounds(3000) {
        let mut random = Random(seed);
        let given = any(&mut random, 0);
        match call(&plugin, "f", json!([given])).answer {
            // What fits comes back, with what was left out filled in.
            Ok(answer) => assert_eq!(
                answer.as_array().map(Vec::len),
                given_items(&given),
                "{seed}: {given}"
            ),
            Err(error) => {
                let kind = error.exception().kind.as_str();
                assert!(
                    matches!(kind, "TypeError" | "RuntimeError"),
                    "{seed}: {given}: {}",
                    error.exception()
                );
            }
        }
    }
}

fn given_items(given: &Json) -> Option<usize> {
    let tagged = |tag: &str| given.get(tag).and_then(Json::as_array).map(Vec::len);
    let list = given.as_array().map(Vec::len);
    list.or_else(|| tagged("$tuple"))
        .or_else(|| tagged("$set"))
        .or_else(|| tagged("$frozenset"))
}

/// Something that is often nearly right.
fn any(random: &mut Random, depth: usize) -> Json {
    const NAMES: [&str; 8] = [
        "line", "text", "value", "$tuple", "$bytes", "$int", "some", "ok",
    ];
    let leaf = depth > 4;
    match random.below(if leaf { 5 } else { 9 }) {
        0 => Json::Null,
        1 => json!(random.next() as i64),
        2 => json!(random.below(100)),
        3 => json!(f64::from_bits(random.next())),
        4 => json!(NAMES[random.below(NAMES.len())]),
        5 => json!({"line": any(random, 5), "text": any(random, 5)}),
        6 | 7 => (0..random.below(4))
            .map(|_| any(random, depth + 1))
            .collect(),
        _ => {
            let members = (0..random.below(3)).map(|_| {
                let name = NAMES[random.below(NAMES.len())].to_owned();
                (name, any(random, depth + 1))
            });
            Json::Object(members.collect::<Map<_, _>>())
        }
    }
}
