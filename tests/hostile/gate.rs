//! The list of all that is tried.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::input::{self, Input};
use crate::mutation::Mutation;
use crate::place::{self, Place};
use crate::report::Report;
use crate::{victim, wall};

pub(crate) fn main() -> ExitCode {
    if let Some(place) = place::asked_for() {
        return victim::main(place);
    }
    if let Some(status) = wall::asked_for() {
        return status;
    }
    let arguments = Arguments::from_args();
    let inputs: Vec<Arc<Input>> = input::all(&folder()).into_iter().map(Arc::new).collect();
    let report = Arc::new(Report::default());
    let mut trials: Vec<Trial> = wall::trials().collect();
    for (index, input) in inputs.iter().enumerate() {
        // Neighbours in the list meet, so that classes mix where they meet.
        let other = &inputs[(index + 1) % inputs.len()];
        let first = Place::ALL[index % Place::ALL.len()];
        for place in Place::ALL {
            let trial = trial(input, Arc::clone(input), None, place, &report);
            trials.push(trial.with_ignored_flag(place != first));
        }
        for (nth, mutation) in Mutation::ALL.into_iter().enumerate() {
            let place = Place::ALL[(index + nth) % Place::ALL.len()];
            let trial = trial(input, Arc::clone(other), Some(mutation), place, &report);
            trials.push(trial.with_ignored_flag(true));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    report.print();
    conclusion.exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile/inputs")
}

fn trial(
    input: &Arc<Input>,
    other: Arc<Input>,
    mutation: Option<Mutation>,
    place: Place,
    report: &Arc<Report>,
) -> Trial {
    let how = mutation.map_or("as it is", Mutation::name);
    let name = format!("{} ({how}, {})", input.name, place.name());
    let (input, report) = (Arc::clone(input), Arc::clone(report));
    Trial::test(name, move || {
        let source = match mutation {
            Some(mutation) => mutation.apply(&input.source(), &other.source()),
            None => input.source(),
        };
        let suffered = place.run(&source).map_err(Failed::from)?;
        report.note(&input.class, &suffered);
        Ok(())
    })
}
