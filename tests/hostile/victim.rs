//! The process that a hostile script runs in.

use std::fs::{self, File};
use std::io::Read as _;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use rlm_sandbox::{
    Ending, Imports, Limits, Lm, LmAnswer, LmError, LmRequest, Outcome, Profile, Result, Sandbox,
    Session, State, Tool, ToolContext, ToolError,
};

use crate::place::{Place, SOURCE, Thread};
use crate::report::Suffered;
use crate::wall;

/// A thread of this size runs a session, whatever runs in it.
const SMALL_STACK: usize = 256 << 10;
/// The most that a script may compute.
const TIME: Duration = Duration::from_millis(500);
/// The most that it may have taken, deadlines included, on a machine that is busy.
const SLACK: Duration = Duration::from_secs(4);
/// Nothing here takes so long; the process ends itself then.
const PATIENCE: Duration = Duration::from_secs(60);

/// Status of a process that ran out of patience.
const HANGS: u8 = 97;

struct Echo;

impl Lm for Echo {
    async fn answer(&self, request: LmRequest) -> std::result::Result<LmAnswer, LmError> {
        Ok(LmAnswer::new(request.prompt))
    }
}

pub(crate) fn main(place: Place) -> ExitCode {
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        eprintln!("it hangs");
        std::process::exit(i32::from(HANGS));
    });
    let source = fs::read_to_string(std::env::var_os(SOURCE).expect("a file")).expect("UTF-8");
    let suffered = match place.thread {
        Thread::Small => {
            let small = thread::Builder::new().stack_size(SMALL_STACK);
            let thread = small.spawn(move || suffer(place, &source));
            thread.expect("starts").join().expect("it did not panic")
        }
        Thread::Main | Thread::Worker => suffer(place, &source),
    };
    match suffered {
        Ok(suffered) => {
            println!("{}", serde_json::to_string(&suffered).expect("JSON"));
            ExitCode::SUCCESS
        }
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
    }
}

/// Opens two sessions, lets one have the source, and looks at both.
fn suffer(place: Place, source: &str) -> std::result::Result<Suffered, String> {
    let mut builder = Sandbox::builder();
    if place.is_pooled {
        builder = builder.live_sessions(4);
    }
    let sandbox = builder.build().map_err(|error| error.to_string())?;
    let runner = Runner::new(place);
    let mut neighbour = open(&sandbox, place)?;
    neighbour = runner.good(neighbour, "mine = list(range(1000))\nsum(mine)", "499500")?;
    let mut session = open(&sandbox, place)?;
    session = runner.good(session, "_as_it_was = [1, 2, 3]\nlen(_as_it_was)", "3")?;
    let mut status = File::open("/proc/self/status").map_err(|error| error.to_string())?;
    wall::close();
    let started = Instant::now();
    let (mut session, outcome) = runner.exec(session, source);
    let outcome =
        outcome.map_err(|error| format!("not an outcome, but {:?}: {error}", error.kind()))?;
    let compute = outcome.usage.compute;
    if compute > TIME + SLACK {
        return Err(format!("it computed {compute:?}: {outcome:?}"));
    }
    session = runner.forked(session)?;
    session = runner.good(session, "1+1", "2")?;
    if outcome.state == State::RolledBack {
        session = runner.good(session, "_as_it_was", "[1, 2, 3]")?;
    }
    let elapsed = started.elapsed();
    runner.good(neighbour, "sum(mine) + len(mine)", "500500")?;
    drop(session);
    Ok(Suffered {
        ending: ending(&outcome),
        compute_ms: millis(compute),
        elapsed_ms: millis(elapsed),
        peak_kib: peak_kib(&mut status),
    })
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A session that can be hurt in every way there is.
fn open(sandbox: &Sandbox, place: Place) -> std::result::Result<Session, String> {
    let mut profile = Profile::default();
    profile.eval = true;
    let mut limits = Limits::default();
    limits.time = TIME;
    if place.is_lax() {
        profile.imports = Imports::All;
        limits.source_bytes = 256 << 20;
    }
    let echo = |_: &ToolContext, (value,): (serde_json::Value,)| Ok(value);
    let later = |_, (value,): (serde_json::Value,)| async move { Ok(value) };
    let fail = |_: &ToolContext, (kind, message): (String, String)| {
        Err::<(), _>(ToolError::new(kind, message))
    };
    let session = sandbox
        .session()
        .profile(profile)
        .limits(limits)
        .seed(1)
        .model(Echo)
        .tool(Tool::immediate("echo", echo))
        .tool(Tool::deferred("later", later))
        .tool(Tool::deferred("soon", later).awaitable())
        .tool(Tool::immediate("fail", fail));
    session.open().map_err(|error| error.to_string())
}

/// Runs execs as the place has it.
struct Runner(Option<tokio::runtime::Runtime>);

impl Runner {
    fn new(place: Place) -> Self {
        Self((place.thread == Thread::Worker).then(|| {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            builder.worker_threads(2).thread_stack_size(SMALL_STACK);
            builder.build().expect("a runtime")
        }))
    }

    fn exec(&self, mut session: Session, source: &str) -> (Session, Result<Outcome>) {
        let Some(runtime) = &self.0 else {
            let outcome = session.exec_blocking(source);
            return (session, outcome);
        };
        let source = source.to_owned();
        let task = runtime.spawn(async move {
            let outcome = session.exec(&source).await;
            (session, outcome)
        });
        runtime.block_on(task).expect("it did not panic")
    }

    /// Forks the session. What it has become, and the fuel of looking at it, is the same in both, and neither sees the other.
    fn forked(&self, mut session: Session) -> std::result::Result<Session, String> {
        let forked = match &self.0 {
            None => {
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                runtime.expect("a runtime").block_on(session.fork())
            }
            Some(runtime) => {
                let task = runtime.spawn(async move {
                    let fork = session.fork().await;
                    (session, fork)
                });
                let fork;
                (session, fork) = runtime.block_on(task).expect("it did not panic");
                fork
            }
        };
        let fork = forked.map_err(|error| format!("no fork: {error}"))?;
        let look = "_as_it_was.append(4)\n_as_it_was.pop()";
        let (fork, theirs) = self.exec(fork, look);
        let (session, ours) = self.exec(session, look);
        let shown = |outcome: Result<Outcome>| {
            let outcome = outcome.map_err(|error| error.to_string())?;
            let (ending, fuel) = (outcome.ending, outcome.usage.fuel);
            Ok(format!("{ending:?}, {fuel} fuel, {:?}", outcome.names))
        };
        let (theirs, ours): (std::result::Result<_, String>, _) = (shown(theirs), shown(ours));
        drop(fork);
        match theirs == ours {
            true => Ok(session),
            false => Err(format!("a fork differs: {theirs:?}, not {ours:?}")),
        }
    }

    /// Runs what must give this value.
    fn good(
        &self,
        session: Session,
        source: &str,
        wanted: &str,
    ) -> std::result::Result<Session, String> {
        let (session, outcome) = self.exec(session, source);
        let outcome = outcome.map_err(|error| format!("`{source}`: {error}"))?;
        match &outcome.ending {
            Ending::Value(Some(value)) if value.repr == wanted => Ok(session),
            other => Err(format!("`{source}` should be {wanted}, and is {other:?}")),
        }
    }
}

/// One or two words about how an exec ended.
fn ending(outcome: &Outcome) -> String {
    match &outcome.ending {
        Ending::Value(_) => String::from("value"),
        Ending::Raised(exception) => format!("raised {}", exception.cause.as_str()),
        Ending::Stopped(stop, _) => format!("stopped {stop:?}").to_lowercase(),
        Ending::Crashed(_) => String::from("crashed"),
        other => format!("{other:?}"),
    }
}

/// The most that this process ever held, in KiB. The file is made anew for each
/// reader of its start.
fn peak_kib(status: &mut File) -> u64 {
    let mut text = String::new();
    status.read_to_string(&mut text).expect("Linux has it");
    let line = text.lines().find(|line| line.starts_with("VmHWM:"));
    let figure = line.and_then(|line| line.split_whitespace().nth(1));
    figure
        .and_then(|figure| figure.parse().ok())
        .expect("a number")
}
