//! Programs as models write them give what they give under CPython, or are
//! refused with a hint. The programs lie in `tests/idioms`, one file for each
//! kind of idiom.

use std::path::Path;

use crate::oracle::{Oracle, context, folder, run};

/// What is expected of a program, by the mark before its name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// `%`: it runs as in CPython.
    Same,
    /// `!`: it is refused, with a hint.
    Refused,
    /// `-`: so it is by a rule: what it needs is not to be had here (inheritance,
    /// `Enum`, files, packages, `exec`).
    Ruled,
    /// `?`: it is known to differ, in the text of a message or in a corner of a
    /// builtin; all of these are in `wordings.py`.
    Differs,
}

struct Program {
    name: String,
    source: String,
    fate: Fate,
}

/// The programs of one file; `# %`, the mark and the name begin each.
fn programs(path: &Path) -> Vec<Program> {
    let class = path.file_stem().expect("named").to_string_lossy();
    let text = std::fs::read_to_string(path).expect("readable");
    let mut programs: Vec<Program> = Vec::new();
    for line in text.lines() {
        let head = line
            .strip_prefix("# %")
            .and_then(|head| head.split_once(' '));
        match (head, programs.last_mut()) {
            (Some((mark @ ("%" | "!" | "-" | "?"), name)), _) => programs.push(Program {
                name: format!("{class}: {name}"),
                source: String::new(),
                fate: match mark {
                    "?" => {
                        assert_eq!(class, "wordings", "{name} differs");
                        Fate::Differs
                    }
                    "!" => Fate::Refused,
                    "-" => Fate::Ruled,
                    _ => Fate::Same,
                },
            }),
            (_, Some(program)) => {
                program.source.push_str(line);
                program.source.push('\n');
            }
            (_, None) => panic!("{}: a program begins with its name", path.display()),
        }
    }
    programs
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "nobody is to miss that nothing was compared"
)]
fn programs_do_what_they_do_in_cpython_or_are_refused_with_a_hint() {
    let context = context();
    let mut files: Vec<_> = std::fs::read_dir(folder())
        .expect("a folder")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| {
            path.extension().is_some_and(|end| end == "py") && !path.ends_with("expect.py")
        })
        .collect();
    files.sort();
    let wanted = std::env::var("IDIOMS").ok();
    let mut all: Vec<_> = files.iter().flat_map(|path| programs(path)).collect();
    if let Some(wanted) = &wanted {
        all.retain(|program| program.name.starts_with(wanted));
    }
    let Some(mut oracle) = Oracle::start() else {
        eprintln!(
            "NOT COMPARED: there is no python3 here, so nothing is known of {} programs",
            all.len()
        );
        return;
    };
    let expected = oracle.ask(&context, all.iter().map(|program| program.source.as_str()));
    let (mut counts, mut wrong) = ([0; 4], Vec::new());
    for (program, expected) in all.iter().zip(expected) {
        let (got, hint) = run(&context, &program.source);
        let fate = match (got == expected, hint.is_some()) {
            (true, _) => Fate::Same,
            (false, true) if program.fate == Fate::Ruled => Fate::Ruled,
            (false, true) => Fate::Refused,
            (false, false) => Fate::Differs,
        };
        counts[fate as usize] += 1;
        let Program { name, source, .. } = program;
        if fate != program.fate {
            wrong.push(format!(
                "##### {name}, {:?} expected\n{source}\n--- want {expected:?}\n--- got  {got:?} {hint:?}\n",
                program.fate
            ));
        }
    }
    let [same, refused, ruled, differ] = counts;
    eprintln!(
        "{same} the same, {refused} refused, {differ} known to differ; {ruled} refused by a rule"
    );
    if let Ok(path) = std::env::var("IDIOMS_REPORT") {
        std::fs::write(path, wrong.join("\n")).expect("writable");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Those that differ are no programs: each is the one line that does.
    let programs = same + refused;
    assert!(
        wanted.is_some() || same * 100 >= programs * 95,
        "{same} of {programs}"
    );
}
