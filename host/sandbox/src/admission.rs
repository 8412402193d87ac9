//! Which sessions have an instance, and which of them run: the limits of a
//! sandbox, kept by letting nobody in whom there is no room for.
//!
//! A session that does not run leaves its instance here. Whoever needs the room
//! drops the one that was used least recently; its session makes a new one when
//! it goes on (`recovery.rs`), and nothing shows.

use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::guest_state::GuestState;
use crate::instance::Instance;
use crate::limits::{SandboxLimits, SandboxUsage};
use rlm_sandbox_engine::{Error, Result};

/// Memory mappings that the instances of plugins of one sandbox may have together: a quarter of
/// `vm.max_map_count` of Linux. A process without free mappings cannot make instances, and an
/// allocation of more than some KiB ends it.
const PLUGIN_MAPPINGS: u64 = 16 << 10;

/// Of one sandbox.
#[derive(Debug)]
pub(crate) struct Admission {
    limits: SandboxLimits,
    room: Mutex<Room>,
    /// Bytes that the arguments of all open calls count for.
    argument_bytes: AtomicU64,
    /// Bytes that sessions keep outside of instances to be brought back.
    kept_bytes: AtomicU64,
}

#[derive(Debug, Default)]
struct Room {
    /// Sessions that have an instance.
    live: usize,
    /// Those that run, which is why they cannot lose it.
    running: usize,
    /// What those that run may reach, and what the others have, in bytes.
    memory_bytes: u64,
    /// Bytes that instances of plugins have.
    plugin_bytes: u64,
    /// Memory mappings of instances of plugins, at the most.
    plugin_mappings: u64,
    /// Those that do not run, by when they last did.
    resting: BTreeMap<u64, Resting>,
    /// Instances of plugins that wait for their next call, by when they last had one.
    idle_plugins: BTreeMap<u64, IdlePlugin>,
    /// Those that wait for room, in the order in which they came.
    queue: VecDeque<(u64, Waker)>,
    next: u64,
}

/// Drops an instance of a plugin.
struct IdlePlugin(Box<dyn FnOnce() + Send>);

impl std::fmt::Debug for IdlePlugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdlePlugin").finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Resting {
    left: Arc<Mutex<Option<Left>>>,
    bytes: u64,
}

/// What a session left behind when it last ran.
#[derive(Debug)]
pub(crate) enum Left {
    Instance(Box<Instance>),
    /// The host's side alone: somebody needed the room.
    State(Box<GuestState>),
}

impl Admission {
    pub(crate) fn new(limits: SandboxLimits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            room: Mutex::default(),
            argument_bytes: AtomicU64::new(0),
            kept_bytes: AtomicU64::new(0),
        })
    }

    /// Drops the instance that was used least recently, of a session or of a plugin. Returns false if none rests.
    pub(crate) fn evict_idle(&self) -> bool {
        evict_oldest(self, self.room(), None, true).is_ok()
    }

    pub(crate) fn limits(&self) -> &SandboxLimits {
        &self.limits
    }

    pub(crate) fn usage(&self) -> SandboxUsage {
        let room = self.room();
        SandboxUsage {
            live_sessions: room.live,
            memory_bytes: room.memory_bytes,
            plugin_bytes: room.plugin_bytes,
            plugin_mappings: room.plugin_mappings,
            argument_bytes: self.argument_bytes.load(Ordering::Relaxed),
            kept_bytes: self.kept_bytes(),
            running_execs: room.running,
            queued_execs: room.queue.len(),
        }
    }

    /// Counts the arguments of an open call. Returns false, and counts nothing, if all together
    /// would have more than [`SandboxLimits::argument_bytes`] and the call need not be open.
    #[must_use]
    pub(crate) fn hold_arguments(&self, bytes: u64, is_needed: bool) -> bool {
        let most = match is_needed {
            true => u64::MAX,
            false => self.limits.argument_bytes(),
        };
        let (held, relaxed) = (&self.argument_bytes, Ordering::Relaxed);
        let more = |held: u64| Some(held.saturating_add(bytes)).filter(|held| *held <= most);
        // What takes nothing is no reason to refuse it.
        bytes == 0 || held.fetch_update(relaxed, relaxed, more).is_ok()
    }

    /// Returns whether the arguments of all open calls are within their limit.
    pub(crate) fn has_room_for_arguments(&self) -> bool {
        self.argument_bytes.load(Ordering::Relaxed) <= self.limits.argument_bytes()
    }

    pub(crate) fn release_arguments(&self, bytes: u64) {
        self.argument_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn kept_bytes(&self) -> u64 {
        self.kept_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn keep(&self, bytes: u64) {
        self.kept_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn release_kept(&self, bytes: u64) {
        self.kept_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Lets whoever is first see whether there is room now.
    fn wake_first(&self) {
        if let Some((_, waker)) = self.queue.front() {
            waker.wake_by_ref();
        }
    }
}

/// A session's own part in it.
#[derive(Debug)]
pub(crate) struct Place {
    admission: Arc<Admission>,
    left: Arc<Mutex<Option<Left>>>,
    standing: Standing,
}

#[derive(Clone, Copy, Debug)]
enum Standing {
    /// No instance that counts.
    Out,
    /// It left what it has, under this number.
    Resting(u64),
    /// It has its instance and does not run it.
    Holding {
        bytes: u64,
    },
    Running {
        bytes: u64,
    },
}

impl Place {
    pub(crate) fn new(admission: &Arc<Admission>) -> Self {
        Self {
            admission: Arc::clone(admission),
            left: Arc::default(),
            standing: Standing::Out,
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.standing, Standing::Running { .. })
    }

    /// Takes back what the session left, if it did.
    pub(crate) fn take(&mut self) -> Option<Left> {
        let Standing::Resting(number) = self.standing else {
            return None;
        };
        let found = self.admission.room().resting.remove(&number);
        self.standing = match found {
            Some(resting) => Standing::Holding {
                bytes: resting.bytes,
            },
            None => Standing::Out,
        };
        lock(&self.left).take()
    }

    /// Stops running. An instance stays where others can have its room.
    pub(crate) fn leave(&mut self, instance: &mut Option<Box<Instance>>) {
        let (Standing::Running { bytes } | Standing::Holding { bytes }) = self.standing else {
            return;
        };
        let instance = instance.take();
        let held = instance.as_ref().map(|instance| instance.memory_bytes());
        *lock(&self.left) = instance.map(Left::Instance);
        let mut room = self.admission.room();
        room.running -= usize::from(self.is_running());
        room.memory_bytes -= bytes;
        self.standing = match held {
            Some(bytes) => {
                room.memory_bytes += bytes;
                let number = room.number();
                let left = Arc::clone(&self.left);
                room.resting.insert(number, Resting { left, bytes });
                Standing::Resting(number)
            }
            None => {
                room.live -= 1;
                Standing::Out
            }
        };
        room.wake_first();
    }

    /// Waits until the session may run and take up to `bytes`, and takes back
    /// what it left. It must have left what it has, so that nobody waits for
    /// somebody who waits.
    pub(crate) async fn run(&mut self, bytes: u64) -> Result<Option<Left>> {
        if bytes > self.admission.limits.memory_bytes {
            return Err(Error::usage(format!(
                "one script may take {bytes} bytes with its contexts and while its session is moved, and all sessions together {}; \
                 raise the memory of all sessions (`--limit total-memory`), lower that of a script (`--memory`), or give \
                 smaller contexts",
                self.admission.limits.memory_bytes
            )));
        }
        let mut waiting = Waiting {
            admission: &self.admission,
            number: None,
        };
        let standing = &mut self.standing;
        poll_fn(|context| waiting.poll(context, standing, bytes)).await;
        Ok(lock(&self.left).take())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Room is free only when what filled it is gone.
        drop(self.take());
        self.leave(&mut None);
    }
}

/// A session in the queue, or about to join it.
struct Waiting<'a> {
    admission: &'a Admission,
    number: Option<u64>,
}

impl Waiting<'_> {
    fn poll(&mut self, context: &Context<'_>, standing: &mut Standing, bytes: u64) -> Poll<()> {
        let admission = self.admission;
        let limits = &admission.limits;
        loop {
            let mut room = admission.room();
            let mine = match *standing {
                Standing::Resting(number) => Some(number),
                _ => None,
            };
            let is_first = match (room.queue.front(), self.number) {
                (None, _) => true,
                (Some((first, _)), mine) => Some(*first) == mine,
            };
            if !is_first || room.running >= limits.concurrent_execs {
                return self.queue(&mut room, context);
            }
            let own = mine.and_then(|number| room.resting.get(&number));
            let own = own.map(|resting| resting.bytes);
            let live = room.live + usize::from(own.is_none());
            let memory_bytes = room.memory_bytes - own.unwrap_or(0) + bytes;
            let is_memory_free =
                memory_bytes.saturating_add(room.plugin_bytes) <= limits.memory_bytes;
            if live <= limits.live_sessions && is_memory_free {
                room.live = live;
                room.running += 1;
                room.memory_bytes = memory_bytes;
                if let Some(mine) = mine {
                    room.resting.remove(&mine);
                }
                *standing = Standing::Running { bytes };
                self.number = None;
                room.queue.pop_front();
                room.wake_first();
                return Poll::Ready(());
            }
            // A plugin's instance has no place that a session could take.
            let counts_plugins = live <= limits.live_sessions;
            if let Err(mut room) = evict_oldest(admission, room, mine, counts_plugins) {
                return self.queue(&mut room, context);
            }
        }
    }

    fn queue(&mut self, room: &mut Room, context: &Context<'_>) -> Poll<()> {
        let waker = context.waker().clone();
        let number = match self.number {
            Some(number) => number,
            None => *self.number.insert(room.number()),
        };
        match room.queue.iter_mut().find(|(other, _)| *other == number) {
            Some((_, old)) => *old = waker,
            None => room.queue.push_back((number, waker)),
        }
        Poll::Pending
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let mut room = self.admission.room();
            room.queue.retain(|(other, _)| *other != number);
            room.wake_first();
        }
    }
}

/// Drops the instance that was used least recently: of a session other than `mine`, or of a
/// plugin if those count. Gives the lock back if there is none.
fn evict_oldest<'a>(
    admission: &Admission,
    mut room: MutexGuard<'a, Room>,
    mine: Option<u64>,
    counts_plugins: bool,
) -> Result<(), MutexGuard<'a, Room>> {
    let session = room.resting.keys().find(|number| Some(**number) != mine);
    let plugin = room.idle_plugins.keys().next().filter(|_| counts_plugins);
    match (session.copied(), plugin.copied()) {
        (session, Some(plugin)) if session.is_none_or(|session| plugin < session) => {
            let idle = room.idle_plugins.remove(&plugin);
            drop(room);
            if let Some(IdlePlugin(drop_instance)) = idle {
                drop_instance();
            }
            Ok(())
        }
        (Some(session), _) => {
            if let Some(resting) = room.resting.remove(&session) {
                evict(admission, room, &resting);
            }
            Ok(())
        }
        (None, _) => Err(room),
    }
}

/// Drops an instance that nobody runs. Its session sees that it is not in the
/// room any more, and waits for what is left of it.
fn evict(admission: &Admission, room: MutexGuard<'_, Room>, resting: &Resting) {
    let mut left = lock(&resting.left);
    drop(room);
    if let Some(Left::Instance(instance)) = left.take() {
        *left = Some(Left::State(Box::new(instance.into_state())));
    }
    drop(left);
    // Only now is the room really free.
    let mut room = admission.room();
    room.live -= 1;
    room.memory_bytes -= resting.bytes;
    room.wake_first();
}

/// Memory and memory mappings of one instance of a plugin, in the sandbox whose session made the call:
/// the memory counts in [`SandboxLimits::memory_bytes`]. Dropping the value returns all of it.
///
/// Counts nothing for a call outside of any session.
#[derive(Debug, Default)]
pub struct PluginMemory {
    admission: Option<Arc<Admission>>,
    bytes: u64,
    mappings: u64,
    idle: Option<u64>,
}

impl PluginMemory {
    pub(crate) fn new(admission: &Arc<Admission>) -> Self {
        Self {
            admission: Some(Arc::clone(admission)),
            ..Self::default()
        }
    }

    /// Returns the bytes that the instances of all plugins may have together: half of
    /// [`SandboxLimits::memory_bytes`].
    pub fn most_bytes(&self) -> u64 {
        let admission = self.admission.as_ref();
        admission.map_or(u64::MAX, |admission| admission.limits.plugin_bytes())
    }

    /// Returns the memory mappings that the instances of all plugins may have together.
    pub fn most_mappings(&self) -> u64 {
        self.admission
            .as_ref()
            .map_or(u64::MAX, |_| PLUGIN_MAPPINGS)
    }

    /// Returns another account of the same sandbox, with nothing on it.
    #[must_use]
    pub fn another(&self) -> Self {
        self.admission
            .as_ref()
            .map_or_else(Self::default, Self::new)
    }

    /// Takes `bytes` more. Drops idle instances of plugins, and of sessions, to make room.
    ///
    /// Returns false, and takes nothing, if the instances of plugins would have more than
    /// [`most_bytes`](Self::most_bytes). Never waits for executions that run: until they end, all
    /// together may have half more than [`SandboxLimits::memory_bytes`].
    #[must_use]
    pub fn grow(&mut self, bytes: u64) -> bool {
        self.take(bytes, 0)
    }

    /// Takes so many memory mappings more, of which a process has few. Drops idle instances of plugins
    /// to make room.
    ///
    /// Returns false, and takes nothing, if the instances of plugins would have more than
    /// [`most_mappings`](Self::most_mappings).
    #[must_use]
    pub fn map(&mut self, mappings: u64) -> bool {
        self.take(0, mappings)
    }

    fn take(&mut self, bytes: u64, mappings: u64) -> bool {
        let Some(admission) = &self.admission else {
            return true;
        };
        let limits = &admission.limits;
        let mut room = admission.room();
        loop {
            let plugin_bytes = room.plugin_bytes.saturating_add(bytes);
            let plugin_mappings = room.plugin_mappings.saturating_add(mappings);
            if plugin_bytes <= limits.plugin_bytes() && plugin_mappings <= PLUGIN_MAPPINGS {
                break;
            }
            let Some((_, IdlePlugin(drop_instance))) = room.idle_plugins.pop_first() else {
                return false;
            };
            drop(room);
            drop_instance();
            room = admission.room();
        }
        room.plugin_bytes += bytes;
        self.bytes += bytes;
        room.plugin_mappings += mappings;
        self.mappings += mappings;
        while room.memory_bytes.saturating_add(room.plugin_bytes) > limits.memory_bytes {
            let Some((_, resting)) = room.resting.pop_first() else {
                break;
            };
            evict(admission, room, &resting);
            room = admission.room();
        }
        true
    }

    /// Says that the instance waits for its next call; until [`resume`](Self::resume) it may be
    /// dropped by `drop_instance` when others need its memory. That is called at most once, on any
    /// thread, and does nothing if the instance is in use again.
    pub fn rest(&mut self, drop_instance: impl FnOnce() + Send + 'static) {
        self.resume();
        if let Some(admission) = &self.admission {
            let mut room = admission.room();
            let number = room.number();
            let idle = IdlePlugin(Box::new(drop_instance));
            room.idle_plugins.insert(number, idle);
            // A session may wait for nothing but this.
            room.wake_first();
            self.idle = Some(number);
        }
    }

    /// Says that the instance is in use.
    pub fn resume(&mut self) {
        if let (Some(admission), Some(number)) = (&self.admission, self.idle.take()) {
            let idle = admission.room().idle_plugins.remove(&number);
            // What it holds may need the lock to be dropped.
            drop(idle);
        }
    }
}

impl Drop for PluginMemory {
    fn drop(&mut self) {
        self.resume();
        if let Some(admission) = &self.admission {
            let mut room = admission.room();
            room.plugin_bytes -= self.bytes;
            room.plugin_mappings -= self.mappings;
            room.wake_first();
        }
    }
}

fn lock(left: &Mutex<Option<Left>>) -> MutexGuard<'_, Option<Left>> {
    left.lock().unwrap_or_else(PoisonError::into_inner)
}
