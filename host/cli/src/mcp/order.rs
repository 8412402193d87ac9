//! The order of requests.
//!
//! The protocol's library runs each request in a task of its own, and tasks run in
//! any order. So a request takes its places in the queues when its line is read, and
//! its task waits for them. All places are taken by the one task that reads lines, and
//! all those of a request at once, so each request waits only for earlier ones and
//! none for itself.

use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::{Mutex, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// The queues of a session: one for itself, and one for its contexts, which are read
/// also while it runs. Both locks are fair: they are given in the order of asking.
#[derive(Debug)]
pub(super) struct Queues<S> {
    session: Arc<Mutex<S>>,
    contexts: Arc<RwLock<()>>,
}

/// Parts of a session that a request uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Runs code, or reads or empties the namespace.
    Session,
    /// Reads the contexts alone.
    ReadContexts,
    /// Reads the namespace and the contexts.
    SessionAndContexts,
    /// Changes the contexts, in the session, too.
    ChangeContexts,
}

/// The turn of a request. Others have theirs when it is dropped.
#[derive(Debug)]
pub(super) struct Turn<S> {
    /// The session, if the request uses it.
    pub(super) session: Option<OwnedMutexGuard<S>>,
    #[expect(
        dead_code,
        reason = "holding it keeps others from changing the contexts"
    )]
    contexts: Option<Contexts>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "a guard is held, not read")]
enum Contexts {
    Read(OwnedRwLockReadGuard<()>),
    Write(OwnedRwLockWriteGuard<()>),
}

/// The places of a request in the queues. They are given back when the last clone
/// is dropped, wherever the request ends.
pub(super) struct Place<S>(Arc<std::sync::Mutex<Option<Waiting<S>>>>);

type Waiting<S> = Pin<Box<dyn Future<Output = Turn<S>> + Send>>;
type Locking<G> = Pin<Box<dyn Future<Output = G> + Send>>;

impl<S> Clone for Queues<S> {
    fn clone(&self) -> Self {
        Self {
            session: Arc::clone(&self.session),
            contexts: Arc::clone(&self.contexts),
        }
    }
}

impl<S> Clone for Place<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Send + 'static> Queues<S> {
    pub(super) fn new(session: S) -> Self {
        Self {
            session: Arc::new(Mutex::new(session)),
            contexts: Arc::default(),
        }
    }

    /// Takes the places of a request behind those of all earlier requests.
    pub(super) fn place(&self, what: Use) -> Place<S> {
        let session =
            (what != Use::ReadContexts).then(|| enqueued(Arc::clone(&self.session).lock_owned()));
        let contexts = Arc::clone(&self.contexts);
        let contexts: Option<Locking<Contexts>> = match what {
            Use::Session => None,
            Use::ReadContexts | Use::SessionAndContexts => Some(enqueued(async move {
                Contexts::Read(contexts.read_owned().await)
            })),
            Use::ChangeContexts => Some(enqueued(async move {
                Contexts::Write(contexts.write_owned().await)
            })),
        };
        let waiting = async move {
            let session = match session {
                Some(session) => Some(session.await),
                None => None,
            };
            let contexts = match contexts {
                Some(contexts) => Some(contexts.await),
                None => None,
            };
            Turn { session, contexts }
        };
        Place(Arc::new(std::sync::Mutex::new(Some(Box::pin(waiting)))))
    }
}

impl<S> Place<S> {
    /// Waits for the turn; none if the place was used before, or if `canceled` ends
    /// first. Either way the place is given back.
    pub(super) async fn turn(&self, canceled: impl Future<Output = ()>) -> Option<Turn<S>> {
        let place = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let waiting = place?;
        tokio::select! {
            // A request that was canceled while it waited has no effect.
            biased;
            () = canceled => None,
            turn = waiting => Some(turn),
        }
    }
}

/// Enqueues for a lock now. Locks enqueue when they are first polled; without a budget,
/// as a task that has used its own is told to wait before it is enqueued.
fn enqueued<G: Send + 'static>(lock: impl Future<Output = G> + Send + 'static) -> Locking<G> {
    let mut lock = Box::pin(tokio::task::unconstrained(lock));
    match lock.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(guard) => Box::pin(std::future::ready(guard)),
        // The task that waits polls it with its own waker.
        Poll::Pending => lock,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const USES: [Use; 4] = [
        Use::Session,
        Use::ReadContexts,
        Use::SessionAndContexts,
        Use::ChangeContexts,
    ];

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(4)
            .enable_all()
            .build()
            .expect("a runtime")
    }

    /// Numbers that look drawn, the same in each run.
    fn drawn(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state >> 33
        }
    }

    #[test]
    fn turns_come_in_the_order_of_places_whichever_task_runs_first() {
        runtime().block_on(async {
            let queues = Queues::new(Vec::new());
            // More than a task may poll before it has to yield.
            let places: Vec<_> = (0..1000).map(|_| queues.place(Use::Session)).collect();
            let tasks = places.into_iter().enumerate().rev().map(|(number, place)| {
                tokio::spawn(async move {
                    let turn = place.turn(std::future::pending()).await;
                    let mut turn = turn.expect("a turn");
                    tokio::task::yield_now().await;
                    turn.session.as_mut().expect("used").push(number);
                })
            });
            for task in tasks.collect::<Vec<_>>() {
                task.await.expect("no panic");
            }
            let done = queues.session.lock().await;
            assert_eq!(*done, (0..1000).collect::<Vec<_>>());
        });
    }

    #[test]
    fn places_that_are_dropped_or_canceled_block_no_other() {
        runtime().block_on(async {
            for seed in 0..50 {
                let mut draw = drawn(seed);
                let queues = Queues::new(Vec::new());
                let places: Vec<_> = (0..100)
                    .map(|number| (number, queues.place(USES[draw() as usize % 4])))
                    .collect();
                let (mut kept, mut tasks) = (Vec::new(), Vec::new());
                let mut cancels = Vec::new();
                for (number, place) in places {
                    let fate = draw() % 6;
                    if fate == 0 {
                        // The request never reaches a handler.
                        drop(place);
                        continue;
                    }
                    let (cancel, canceled) = tokio::sync::oneshot::channel::<()>();
                    match fate {
                        1 => drop(cancel),
                        2 => cancels.push(cancel),
                        _ => kept.push((number, cancel)),
                    }
                    tasks.push(tokio::spawn(async move {
                        let canceled = async { drop(canceled.await) };
                        if let Some(mut turn) = place.turn(canceled).await
                            && let Some(session) = &mut turn.session
                        {
                            tokio::task::yield_now().await;
                            session.push(number);
                        }
                    }));
                }
                drop(cancels);
                for task in tasks {
                    let ended = tokio::time::timeout(Duration::from_secs(60), task).await;
                    ended.expect("no deadlock").expect("no panic");
                }
                let done = queues.session.lock().await;
                assert!(done.is_sorted(), "{seed}: {done:?}");
                drop(kept);
            }
        });
    }

    #[test]
    fn contexts_are_read_beside_a_session_that_runs() {
        runtime().block_on(async {
            let queues = Queues::new(());
            let turn = |place: Place<()>| async move {
                place.turn(std::future::pending()).await.expect("a turn")
            };
            let running = turn(queues.place(Use::Session)).await;
            let first = turn(queues.place(Use::ReadContexts)).await;
            let changes = queues.place(Use::ChangeContexts);
            // What comes after a change waits for it, and the change for what runs.
            let after = queues.place(Use::ReadContexts);
            let after = tokio::spawn(turn(after));
            let changes = tokio::spawn(turn(changes));
            drop(first);
            tokio::task::yield_now().await;
            assert!(!after.is_finished() && !changes.is_finished());
            drop(running);
            drop(changes.await.expect("no panic"));
            after.await.expect("no panic");
        });
    }
}
