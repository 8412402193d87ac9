//! What this process leaves behind when a signal ends it: nothing.
//!
//! Commands run in process groups of their own, so that all of a group can be killed; a
//! terminal's Ctrl-C does not reach them. They are registered here, and [`watch`] kills
//! them before the process ends. It removes temporary files as well.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Process groups that must not outlive this process.
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// The handlers of interrupts; the last one gets the next. Without any an interrupt ends the process.
static HANDLERS: Mutex<Vec<Arc<Interrupted>>> = Mutex::new(Vec::new());

fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The process group of a command; killed when this is dropped.
#[derive(Debug)]
pub(crate) struct ProcessGroup(AtomicI32);

/// No process group.
const NONE: i32 = 0;

impl ProcessGroup {
    /// Takes charge of the group that `child` leads.
    pub(crate) fn of(child: &tokio::process::Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        groups().extend(id);
        Self(AtomicI32::new(id.unwrap_or(NONE)))
    }

    /// Kills every process of the group, once: another group may get the number when
    /// the last process of this one is gone.
    pub(crate) fn kill(&self) {
        let id = self.0.swap(NONE, Ordering::Relaxed);
        if id != NONE {
            kill_group(id);
            groups().remove(&id);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(unix)]
fn kill_group(id: i32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(id) = Pid::from_raw(id) {
        // It may have ended by itself.
        let _ = kill_process_group(id, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_id: i32) {}

#[derive(Debug, Default)]
struct Interrupted {
    is_set: AtomicBool,
    notify: Notify,
}

fn handlers() -> MutexGuard<'static, Vec<Arc<Interrupted>>> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns true if an interrupt came that the handler of the next one has got.
pub(crate) fn is_interrupted() -> bool {
    let handlers = handlers();
    handlers
        .last()
        .is_some_and(|last| last.is_set.load(Ordering::Acquire))
}

/// Handles interrupts while it exists, unless a later one does; where there is none, an interrupt ends the process.
///
/// The thread of [`watch`] alone receives the signal and decides which of the two it is,
/// so that an interrupt that ends a script does not end the process as well.
#[derive(Debug)]
pub(crate) struct InterruptHandler(Arc<Interrupted>);

impl InterruptHandler {
    pub(crate) fn new() -> Self {
        let interrupted = Arc::<Interrupted>::default();
        handlers().push(Arc::clone(&interrupted));
        Self(interrupted)
    }

    /// Waits for an interrupt since the handler exists.
    #[cfg(unix)]
    pub(crate) async fn interrupted(&self) {
        self.0.notify.notified().await;
    }

    /// Waits for an interrupt.
    #[cfg(not(unix))]
    pub(crate) async fn interrupted(&self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Returns whether an interrupt came since the handler exists.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.0.is_set.load(Ordering::Acquire)
    }
}

impl Drop for InterruptHandler {
    fn drop(&mut self) {
        handlers().retain(|other| !Arc::ptr_eq(other, &self.0));
    }
}

/// Signals that end a process by default and can be handled, except interrupts and those of
/// faults of the process itself.
#[cfg(target_os = "linux")]
const ENDING: [rustix::process::Signal; 12] = {
    use rustix::process::Signal;
    [
        Signal::HUP,
        Signal::QUIT,
        Signal::TERM,
        Signal::USR1,
        Signal::USR2,
        Signal::ALARM,
        Signal::VTALARM,
        Signal::PROF,
        Signal::XCPU,
        Signal::IO,
        Signal::POWER,
        Signal::STKFLT,
    ]
};
#[cfg(all(unix, not(target_os = "linux")))]
const ENDING: [rustix::process::Signal; 9] = {
    use rustix::process::Signal;
    [
        Signal::HUP,
        Signal::QUIT,
        Signal::TERM,
        Signal::USR1,
        Signal::USR2,
        Signal::ALARM,
        Signal::VTALARM,
        Signal::PROF,
        Signal::XCPU,
    ]
};

/// Hands an interrupt to the handler; false if there is none.
#[cfg(unix)]
fn hand_over_interrupt() -> bool {
    let handlers = handlers();
    if let Some(interrupted) = handlers.last() {
        interrupted.is_set.store(true, Ordering::Release);
        interrupted.notify.notify_one();
    }
    !handlers.is_empty()
}

/// Returns whether the system gives this process no more descriptors.
pub(crate) fn is_for_lack_of_descriptors(error: &io::Error) -> bool {
    #[cfg(unix)]
    let is_so = error.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error());
    #[cfg(not(unix))]
    let is_so = false;
    is_so
}

/// Descriptors that handling signals takes, and some more.
#[cfg(unix)]
const DESCRIPTORS: usize = 8;

/// Starts a thread that cleans up and ends the process when it is told to end. From
/// then on a write beyond `ulimit -f` is an error of that write.
///
/// # Errors
///
/// The system's, if it gives no thread or no handlers.
#[cfg(unix)]
pub(crate) fn watch() -> io::Result<()> {
    use std::future::poll_fn;
    use std::task::Poll;
    use tokio::signal::unix::{SignalKind, signal};
    // The first handler panics where there are no descriptors for it.
    let spare = (0..DESCRIPTORS).map(|_| std::fs::File::open("/dev/null"));
    drop(spare.collect::<io::Result<Vec<_>>>()?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    // Before the first command runs, and before any file is written.
    let (mut interrupt, mut ends) = {
        let _inside = runtime.enter();
        let mut ends = Vec::new();
        for number in ENDING.map(rustix::process::Signal::as_raw) {
            ends.push((number, signal(SignalKind::from_raw(number))?));
        }
        (signal(SignalKind::interrupt())?, ends)
    };
    {
        let _inside = runtime.enter();
        // With a handler the write fails with EFBIG. Ignoring the signal does so, too, but
        // commands would inherit that.
        let number = rustix::process::Signal::XFSZ.as_raw();
        drop(signal(SignalKind::from_raw(number))?);
    }
    std::thread::Builder::new()
        .name(String::from("signals"))
        .stack_size(128 << 10)
        .spawn(move || {
            let number = runtime.block_on(async {
                loop {
                    tokio::select! {
                        _ = interrupt.recv() => {
                            if !hand_over_interrupt() {
                                return 2;
                            }
                        }
                        number = poll_fn(|context| {
                            let came = ends.iter_mut().find_map(|(number, end)| {
                                end.poll_recv(context).is_ready().then_some(*number)
                            });
                            came.map_or(Poll::Pending, Poll::Ready)
                        }) => return number,
                    }
                }
            });
            end_all();
            std::process::exit(128 + number);
        })?;
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn watch() -> io::Result<()> {
    Ok(())
}

/// Held while a process is being started; true when none is started any more.
static HAS_ENDED: Mutex<bool> = Mutex::new(false);

fn has_ended() -> MutexGuard<'static, bool> {
    HAS_ENDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process, unless this one ends.
pub(crate) fn unless_ended(start: impl FnOnce()) {
    let has_ended = has_ended();
    if !*has_ended {
        start();
    }
}

/// Shuts a runtime down without waiting for its threads. A process that is being started is started before: a runtime that ends
/// meanwhile would lose it, and nothing would end it. At the end of this process no other one is started.
pub(crate) fn shut_down(runtime: tokio::runtime::Runtime, is_end: bool) {
    let mut has_ended = has_ended();
    *has_ended |= is_end;
    runtime.shutdown_background();
}

/// Starts no further process, ends all process groups, and removes all temporary files that are left.
pub(crate) fn end_all() {
    *has_ended() = true;
    for &group in &*groups() {
        kill_group(group);
    }
    rlm_sandbox_files::remove_temporary();
}
