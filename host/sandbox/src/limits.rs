//! What one exec may use.

use std::time::Duration;

use crate::arguments::READ_FACTOR;

/// How much one exec may use. Every limit is always on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Compute time of the guest: the time it runs, without the time the host
    /// takes to answer its calls or anybody waits for an answer. Default: 5 s.
    /// Looked at about four times a millisecond and acted on at the interpreter's next
    /// checkpoint. `time.sleep` takes none.
    pub time: Duration,
    /// Wall time from the beginning of an execution to its end: waits for room, for
    /// answers and for handlers are included. Default: none. An execution that is not over then
    /// ends and is rolled back, and its open calls are dropped; while an immediate tool runs, that
    /// is when it returns. The time runs on between [`step`](crate::Session::step) and
    /// [`resume`](crate::Session::resume), and stands still while the session is
    /// [stored](crate::Session::park), while it is brought back after a limit or because other sessions took its
    /// place, and while a tool [pauses](crate::ToolContext::pause_deadline) it.
    pub deadline: Option<Duration>,
    /// How long after `time` a script that does not reach a checkpoint is
    /// killed, together with its instance. Default: 250 ms.
    pub grace: Duration,
    /// Fuel, which is about one unit for each WebAssembly instruction and each byte that is
    /// copied. Default: none, and the budget follows [`time`](Self::time), with 250 × 10⁹ for
    /// each second, so that time strikes first; [`fuel_budget`](Self::fuel_budget) tells it. A
    /// script is ended at its first checkpoint past the budget, or killed at a tenth (at least
    /// 50 × 10⁶, at most 2 × 10⁹) over it; where the budget follows the time, at what
    /// [`grace`](Self::grace) comes to over it, so that that strikes first, too. What calls of plugins may use is set aside for them,
    /// and the script may use as much meanwhile. The same script uses the same fuel wherever it
    /// runs. Starting the interpreter is not counted.
    pub fuel: Option<u64>,
    /// The budget that [`time`](Self::time) came to when the session was opened or its time was
    /// changed. A journal says it, so that a replay does not depend on what a second comes to.
    pub(crate) fuel_of_time: Option<u64>,
    /// Bytes a script may hold beyond what the interpreter and its contexts
    /// take. Default: 64 MiB. Looked at at checkpoints and before large
    /// allocations. The memory of the instance has a hard cap above it.
    pub memory_bytes: u64,
    /// Depth of Python calls; one more raises `RecursionError`, which may be
    /// caught. Default: 1000, which is also the most.
    pub recursion: u32,
    /// Allocations of one exec, counted in the guest and exact to the next
    /// checkpoint. Default: none. One more ends the exec as
    /// [`memory_bytes`](Self::memory_bytes) does.
    pub allocations: Option<u64>,
    /// UTF-8 bytes of one source; a longer one is refused. Default: 64 KiB.
    pub source_bytes: u32,
    /// Text the script may print, in bytes of UTF-8, both channels together.
    /// Default: 1 MiB. What is over is dropped and counted. Exact.
    pub output_bytes: u64,
    /// What happens to an exec that prints more. Default: it goes on.
    pub output_overflow: Overflow,
    /// UTF-8 bytes of the repr, and of the JSON, of a value. Default: 1 MiB. A longer repr is
    /// cut; there is no longer JSON. The message of an exception has as many, and at most 1 MiB.
    /// All values of a listing, and all fields of an answer, have sixteen times that together.
    /// Names have caps that do not follow it: 1,000 bytes for one, 10,000 variables with
    /// 256 KiB for a session, 200 bytes for a class, a model or a function in a traceback.
    pub value_bytes: u32,
    /// UTF-8 bytes of the arguments of one call, as JSON. Default: 8 MiB. A larger call
    /// raises `ValueError`, and so does one that would take more than sixteen times as
    /// many bytes of memory to read: very many small values do.
    pub request_bytes: u32,
    /// Host calls of one exec, counting those that fail. Default: 100,000. One
    /// more ends the exec.
    pub calls: u64,
    /// Host calls that are asked and not answered. Default: 256. One more ends
    /// the exec, and so does one with which they would take more than sixteen times
    /// [`request_bytes`](Self::request_bytes) of memory together: texts count twice, and very many
    /// small values a hundred times. [`SandboxLimits::memory_bytes`] bounds them for all sessions
    /// together.
    pub open_calls: u32,
    /// How long a started call may take to answer. Default: 300 s. One that
    /// takes longer raises `TimeoutError`, which may be caught; its future is
    /// dropped. Not looked at where the embedder answers calls itself.
    pub call_wait: Duration,
    /// Prompts to the model over the life of the session. Default: 50. More
    /// raise `RuntimeError`, before anything is asked.
    pub model_calls: u64,
    /// Bytes of JSON of one tool's answer. Default: 100 KiB. A larger one is
    /// replaced by `{"error": "response_too_large", …}`. Of a plugin, or another
    /// member of a namespace, it is [`value_bytes`](Self::value_bytes) that counts, and a
    /// larger answer raises `ValueError`. Those that come at once, before the script waits
    /// or ends, may be 64 MiB together; one more raises `RuntimeError`.
    pub tool_answer_bytes: u64,
    /// Bytes of JSON of one answer of the model, or of a batch. Default: 1 MiB.
    /// A larger one raises `ValueError`.
    pub model_answer_bytes: u64,
}

/// How much the sessions of one sandbox may take together. A session for which
/// there is no room waits for it, in the order of asking: nobody is let in on
/// the hope that others take less than they may.
///
/// A session that does not run, idle or waiting for a call, may lose its
/// instance to one that does, least recently used first. It gets a new one, in
/// the same state, when it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SandboxLimits {
    /// Sessions that have an instance. Default: 1000. Exact. An instance that
    /// [`park`](crate::Session::park) or [`fork`](crate::Session::fork) makes in
    /// passing takes the place of the session's own. More sessions may be open:
    /// what they hold outside of an instance is not counted.
    pub live_sessions: usize,
    /// Bytes of linear memory: of a session that runs, all that its own limits
    /// and contexts allow it while it runs or is moved (48 MiB, three times
    /// [`Limits::memory_bytes`], and six to 96 times its contexts, but never more
    /// than 4 GiB); of any other, what its memory has grown to. Default: 8 GiB,
    /// which is room for 34 to run under the default limits. Exact, but for one
    /// that is moved and whose state is larger as bytes than it was in memory. Not counted are the contexts themselves, output,
    /// stacks, and the compiled interpreter, which all share.
    ///
    /// Outside of instances a session keeps what it is brought back from: a state that was
    /// written, and answers and values since (8 MiB, or as much as scripts hold). All sessions
    /// together may keep as much as this limit, in addition. While they keep more no script
    /// begins or goes on: [`exec`](crate::Session::exec), [`step`](crate::Session::step),
    /// [`resume`](crate::Session::resume) and [`finish`](crate::Session::finish) return
    /// [`ErrorKind::Host`](crate::ErrorKind::Host), and nothing has changed; nor is a session
    /// restored from a snapshot or journal. A session that itself keeps at most a 256th of this limit goes on
    /// until all keep half more. What runs at that
    /// moment ends as it would, so the sum may be exceeded by what those scripts leave. Forks
    /// share a state until they have one of their own.
    ///
    /// Instances of plugins that sessions call count, too, with the linear memory and the tables
    /// that they have, their stacks and what the host keeps for them, and may have half of it
    /// together. A session waits until they leave room for it. A plugin does not wait: while all the
    /// rest is reserved by executions that run, the sum may exceed this by half.
    ///
    /// Arguments of calls that have no answer yet (prompts, too) may take a quarter of it
    /// together, in addition, whether their sessions have an instance or not. They count as for
    /// [`Limits::open_calls`]; one more call ends its exec in the same way. Those of a session that
    /// is replayed count and are never refused; a restore or fork for which they leave no room is.
    ///
    /// Beside them a session holds on the host, counted by limits of its own and in no sum of
    /// the sandbox: answers that it has not taken yet (as text, each within its cap), values that
    /// were [set](crate::Session::set) for its next exec, output of its exec, descriptions of its
    /// tools, histories, and what the embedder keeps of it: snapshots, outcomes, contexts.
    pub memory_bytes: u64,
    /// Execs that run at the same moment. One that waits for a deferred call
    /// does not run; one whose immediate tool is busy does. Default: 64. Exact.
    pub concurrent_execs: usize,
}

/// What the sessions of a sandbox take together, at one moment; in the units of
/// [`SandboxLimits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SandboxUsage {
    /// Sessions that have an instance.
    pub live_sessions: usize,
    /// What counts as theirs, in bytes.
    pub memory_bytes: u64,
    /// Bytes of the instances of plugins that they called.
    pub plugin_bytes: u64,
    /// Memory mappings of these instances, at the most; a process has 65,530 of them on Linux. All
    /// together may have 16,384: idle instances are dropped, and one more fails.
    pub plugin_mappings: u64,
    /// Bytes of the arguments of calls that have no answer yet.
    pub argument_bytes: u64,
    /// Bytes that sessions keep outside of instances to be brought back: states that were written,
    /// and what happened since.
    pub kept_bytes: u64,
    /// Execs that run.
    pub running_execs: usize,
    /// Execs that wait for room.
    pub queued_execs: usize,
}

impl SandboxLimits {
    /// Returns the bytes that instances of plugins may have together.
    pub(crate) fn plugin_bytes(&self) -> u64 {
        self.memory_bytes / 2
    }

    /// Returns the bytes that sessions may keep together outside of instances to be brought back.
    pub(crate) fn kept_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// Returns the bytes up to which a session keeps little: 32 MiB by default.
    pub(crate) fn little_kept_bytes(&self) -> u64 {
        self.kept_bytes() / 256
    }

    /// Returns the bytes that the arguments of open calls may have together.
    pub(crate) fn argument_bytes(&self) -> u64 {
        self.memory_bytes / 4
    }
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            live_sessions: 1000,
            memory_bytes: 8 << 30,
            concurrent_execs: 64,
        }
    }
}

/// Fuel for each second of compute time where no budget is set. The most that was measured is
/// 85 × 10⁹, for scripts that do nothing but copy 16 KB in a processor's first cache; ordinary
/// ones use 7 to 35 × 10⁹.
const FUEL_OF_A_SECOND: u64 = 250_000_000_000;

/// Returns the fuel that nothing uses in this time.
fn fuel_of(time: Duration) -> u64 {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    nanoseconds.saturating_mul(FUEL_OF_A_SECOND / 1_000_000_000)
}

/// What happens to an exec that prints more than it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// It goes on; what it prints is dropped and counted.
    #[default]
    Drop,
    /// It is stopped at its next checkpoint, as by any other limit.
    Stop,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(5),
            deadline: None,
            grace: Duration::from_millis(250),
            fuel: None,
            fuel_of_time: None,
            memory_bytes: 64 << 20,
            recursion: 1000,
            allocations: None,
            source_bytes: 64 << 10,
            output_bytes: 1 << 20,
            output_overflow: Overflow::Drop,
            value_bytes: 1 << 20,
            request_bytes: 8 << 20,
            calls: 100_000,
            open_calls: 256,
            call_wait: Duration::from_secs(300),
            model_calls: 50,
            tool_answer_bytes: 100 << 10,
            model_answer_bytes: 1 << 20,
        }
    }
}

impl Limits {
    /// Returns the fuel of one exec: [`fuel`](Self::fuel), or what the time comes to.
    pub fn fuel_budget(&self) -> u64 {
        self.fuel
            .or(self.fuel_of_time)
            .unwrap_or_else(|| fuel_of(self.time))
    }

    /// Works out the budget anew where it follows the time.
    pub(crate) fn settle_fuel(&mut self) {
        self.fuel_of_time = self.fuel.is_none().then(|| fuel_of(self.time));
    }

    /// Removes from limits that a file names those that would make others void: a grace above a second, in which nothing
    /// ends a script that does not end by itself, and a budget of fuel that does not follow from the time.
    pub(crate) fn distrust(&mut self) {
        const MOST_GRACE: Duration = Duration::from_secs(1);
        self.grace = self.grace.min(MOST_GRACE);
        if self.fuel_of_time.is_some() {
            self.settle_fuel();
        }
    }

    /// Returns the limits that the interpreter learns when it starts.
    pub(crate) fn of_guest(&self) -> impl PartialEq + use<> {
        (
            self.memory_bytes,
            self.allocations,
            self.source_bytes,
            self.value_bytes,
            self.request_bytes,
        )
    }

    /// Lowers each limit that is above the one of `most` to that, but for
    /// [`recursion`](Self::recursion), which is a part of the interpreter's state.
    pub(crate) fn lower_to(&mut self, most: &Self) {
        let budget = self.fuel_budget();
        // Every field by name, so that none is forgotten.
        let Self {
            time,
            deadline,
            grace,
            fuel,
            fuel_of_time,
            memory_bytes,
            recursion: _,
            allocations,
            source_bytes,
            output_bytes,
            output_overflow,
            value_bytes,
            request_bytes,
            calls,
            open_calls,
            call_wait,
            model_calls,
            tool_answer_bytes,
            model_answer_bytes,
        } = self;
        *time = most.time.min(*time);
        *deadline = match (*deadline, most.deadline) {
            (Some(is), Some(most)) => Some(is.min(most)),
            (is, most) => is.or(most),
        };
        *grace = most.grace.min(*grace);
        // Time that is lowered strikes first all the same.
        if let Some(most) = most.fuel.filter(|most| *most < budget) {
            (*fuel, *fuel_of_time) = (Some(most), None);
        }
        *memory_bytes = most.memory_bytes.min(*memory_bytes);
        *allocations = match (*allocations, most.allocations) {
            (Some(is), Some(most)) => Some(is.min(most)),
            (is, most) => is.or(most),
        };
        *source_bytes = most.source_bytes.min(*source_bytes);
        *output_bytes = most.output_bytes.min(*output_bytes);
        if most.output_overflow == Overflow::Stop {
            *output_overflow = Overflow::Stop;
        }
        *value_bytes = most.value_bytes.min(*value_bytes);
        *request_bytes = most.request_bytes.min(*request_bytes);
        *calls = most.calls.min(*calls);
        *open_calls = most.open_calls.min(*open_calls);
        *call_wait = most.call_wait.min(*call_wait);
        *model_calls = most.model_calls.min(*model_calls);
        *tool_answer_bytes = most.tool_answer_bytes.min(*tool_answer_bytes);
        *model_answer_bytes = most.model_answer_bytes.min(*model_answer_bytes);
    }

    /// Returns whether none of them is above that of `most`. The recursion limit is not compared.
    pub fn is_within(&self, most: &Self) -> bool {
        let mut lowered = self.clone();
        lowered.lower_to(most);
        lowered == *self
    }

    /// Returns the bytes of memory that requests that are open may take together, and the
    /// arguments of each when they are read.
    pub(crate) fn open_bytes(&self) -> u64 {
        READ_FACTOR * u64::from(self.request_bytes) + (64 << 10)
    }

    /// Returns the fuel between the graceful end and the trap: enough to unwind and report, and where the budget follows
    /// the time, what the grace comes to at the same rate.
    pub(crate) fn fuel_reserve(&self) -> u64 {
        let budget = self.fuel_budget();
        let least = (budget / 10).clamp(50_000_000, 2_000_000_000);
        if self.fuel.is_some() || self.time.is_zero() {
            return least;
        }
        let of_grace =
            u128::from(budget).saturating_mul(self.grace.as_nanos()) / self.time.as_nanos();
        least.max(u64::try_from(of_grace).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_budget_follows_the_time_the_grace_passes_before_fuel_ends_a_script() {
        let mut limits = Limits {
            time: Duration::from_millis(20),
            ..Limits::default()
        };
        limits.settle_fuel();
        assert_eq!(limits.grace, Duration::from_millis(250));
        let per_millisecond = FUEL_OF_A_SECOND / 1000;
        assert_eq!(limits.fuel_budget(), 20 * per_millisecond);
        assert_eq!(limits.fuel_reserve(), 250 * per_millisecond);
        // A journal says what the time came to: another rate there is another one here.
        limits.fuel_of_time = Some(20);
        assert_eq!(limits.fuel_reserve(), 50_000_000);
        limits.fuel = Some(1_000_000_000);
        assert_eq!(limits.fuel_reserve(), 100_000_000);
    }
}
