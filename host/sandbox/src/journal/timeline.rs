//! A journal, for people to read.

use std::fmt;
use std::time::Duration;

use super::Journal;
use super::line::{Line, Said, one_line};

impl fmt::Display for Journal {
    /// A line for each exec, call, answer and outcome, with the time since the
    /// recording began and the fuel of the exec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = &self.inner.header;
        let session = one_line(&header.session);
        writeln!(f, "session {session}, seed {}", header.seed.0)?;
        writeln!(f, "interpreter {}", one_line(&header.guest))?;
        let configuration = one_line(&header.configuration.to_string());
        writeln!(
            f,
            "engine {}, configuration {configuration}",
            one_line(&header.engine)
        )?;
        if let Some(branch_of) = &header.branch_of {
            let parent = one_line(&branch_of.session);
            writeln!(f, "branches from {parent} before exec {}", branch_of.exec)?;
            let steps = self.inner.steps_of_run();
            if steps > 0 {
                let plural = if steps > 1 { "s" } else { "" };
                writeln!(
                    f,
                    "  ahead of that exec the run has {steps} step{plural} of the host that are no part of the branch"
                )?;
            }
        }
        if let Some(parked) = &header.parked {
            let digest = one_line(&parked.digest);
            writeln!(
                f,
                "begins with a parked session, which nothing compares: sha256 {digest}"
            )?;
        }
        if header.redacted {
            writeln!(f, "redacted: it can be compared, but not replayed")?;
        }
        for (index, entry) in self.inner.entries.iter().enumerate() {
            let number = index + 1;
            match &entry.line {
                // The header is above.
                Some(_) if index == 0 => {}
                Some(line) => tell(line, f)?,
                None => writeln!(f, "           line {number} cannot be read")?,
            }
            if let Some(why) = entry.contradicts {
                writeln!(
                    f,
                    "           line {number} contradicts itself or the lines before it: {why}"
                )?;
            }
            if entry.altered && entry.line.is_some() {
                writeln!(
                    f,
                    "           line {number} was changed after it was recorded"
                )?;
            }
        }
        let mut entries = self.inner.entries.iter();
        let is_closed = entries.any(|entry| matches!(entry.line, Some(Line::End { .. })));
        if is_closed && entries.next().is_some() {
            writeln!(f, "text stands after the end of the recording")?;
        } else if !is_closed {
            writeln!(
                f,
                "no end: the program that recorded this died or recorded no further, or lines were cut off"
            )?;
        }
        Ok(())
    }
}

fn tell(line: &Line, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match line {
        Line::Exec {
            number,
            source,
            at_us,
            ..
        } => {
            writeln!(f, "{} exec {number}", at(*at_us))?;
            for line in source.lines() {
                writeln!(f, "             | {line}")?;
            }
            Ok(())
        }
        Line::Call(call) => {
            let arguments = one_line(call.arguments.as_deref().unwrap_or("…"));
            writeln!(
                f,
                "           call {} {} {arguments}",
                call.ticket,
                one_line(&call.name)
            )?;
            writeln!(
                f,
                "             {} fuel, {}",
                call.fuel.0,
                said(&call.reply)
            )
        }
        Line::Answer {
            ticket,
            answer,
            charge,
            at_us,
            ..
        } => {
            let (at, answer) = (at(*at_us), said(answer));
            writeln!(f, "{at} answer to call {ticket}: {answer}")?;
            match charge {
                Some(charge) => writeln!(f, "             {} fuel of the plugin", charge.fuel),
                None => Ok(()),
            }
        }
        Line::Told {
            ticket,
            number,
            answer,
            at_us,
            ..
        } => writeln!(
            f,
            "{} the model to the plugin of call {ticket}, question {number}: {}",
            at(*at_us),
            said(answer)
        ),
        Line::Suspended { waiting, fuel, .. } => writeln!(
            f,
            "           waits for {}, {} fuel in this turn",
            numbers(waiting),
            fuel.0
        ),
        Line::Resume { tickets, stop } => match stop {
            None => writeln!(f, "           goes on with {}", numbers(tickets)),
            Some(why) => writeln!(f, "           ended for {}", why.word()),
        },
        Line::Stop { why, fuel, .. } => writeln!(
            f,
            "           told to end for {}, at {} fuel of this turn",
            why.word(),
            fuel.0
        ),
        Line::Outcome(outcome) => {
            for (name, text) in [("out", &outcome.stdout), ("err", &outcome.stderr)] {
                for line in text.iter().flat_map(|text| text.lines()) {
                    writeln!(f, "             {name} {}", one_line(line))?;
                }
            }
            let took = Duration::from_micros(outcome.compute_us);
            // Two clocks, which part by some microseconds.
            let elapsed = Duration::from_micros(outcome.elapsed_us).max(took);
            let shown = one_line(outcome.shown.as_deref().unwrap_or_default());
            let ending = format!("{:?}", outcome.ending).to_lowercase();
            let state = match outcome.rolled_back {
                true => ", rolled back",
                false => "",
            };
            match (&outcome.answer, shown.is_empty()) {
                (Some(answer), true) => {
                    writeln!(f, "           final answer {}", one_line(answer))?
                }
                (Some(answer), false) => {
                    writeln!(f, "           {ending} {shown}")?;
                    writeln!(f, "           final answer {}", one_line(answer))?;
                }
                (None, _) => writeln!(f, "           {}", format!("{ending} {shown}").trim_end())?,
            }
            writeln!(
                f,
                "             {} fuel, {took:?} of {elapsed:?}{state}; {} fuel in all",
                outcome.fuel.0, outcome.total.0
            )
        }
        Line::Contexts { files, default } => {
            let other = default.iter().filter(|given| !files.contains(given));
            let names = files.iter().chain(other);
            for given in names {
                let (name, form) = (one_line(&given.name), one_line(&given.form.to_string()));
                let bytes = given.bytes;
                writeln!(f, "           context {name}, {form}, {bytes} bytes")?;
            }
            Ok(())
        }
        Line::Set { name, value } => {
            writeln!(f, "           set {} = {}", one_line(name), said(value))
        }
        Line::Base { bytes, .. } => writeln!(f, "           written down, {bytes} bytes"),
        Line::Failed { why, .. } => writeln!(f, "             refused: {}", one_line(why)),
        Line::Returned { .. } => Ok(()),
        Line::End { execs, total } => {
            let plural = if *execs == 1 { "" } else { "s" };
            let fuel = total.0;
            writeln!(
                f,
                "           end, after {execs} exec{plural} and {fuel} fuel"
            )
        }
        Line::Header(_)
        | Line::Get { .. }
        | Line::Variables { .. }
        | Line::Reset {}
        | Line::TimeLimit { .. }
        | Line::GivenUp { .. } => writeln!(f, "           {}", line.noun()),
    }
}

fn at(microseconds: u64) -> String {
    format!("{:>8} ms", microseconds / 1000)
}

fn numbers(tickets: &[u64]) -> String {
    const SHOWN: usize = 100;
    let shown = tickets.iter().take(SHOWN).map(u64::to_string);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match tickets.len().saturating_sub(SHOWN) {
        0 => format!("call {shown}"),
        more => format!("call {shown} and {more} more"),
    }
}

fn said(said: &Said) -> String {
    match said {
        Said::Returned(json) => one_line(json),
        Said::Raised { kind, message } => {
            format!("raises {}", one_line(&format!("{kind}: {message}")))
        }
        Said::Pending => String::from("answered later"),
        Said::Stopped => String::from("the script is ended"),
        Said::Redacted(_) => String::from("redacted"),
    }
}
