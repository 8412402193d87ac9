//! Where a session lives: in an instance, or for now in none.

use std::mem;
use std::sync::Arc;

use crate::admission::{Admission, Left, Place};
use crate::guest_state::GuestState;
use crate::instance::Instance;
use rlm_sandbox_engine::Result;

/// Instance of a session, or its absence, and its place among those that run.
#[derive(Debug)]
pub(crate) struct Residence {
    home: Home,
    place: Place,
}

/// The host's side of a session, and the instance that holds it, if one does.
#[derive(Debug)]
enum Home {
    /// No instance.
    Resting(Box<GuestState>),
    /// An instance that can be entered.
    Settled(Box<Instance>),
    /// An instance into which or out of which the session moves. Where that was broken off, it is of no use any more.
    Moving(Box<Instance>),
    /// Content of the place, where other sessions can have the room.
    Left,
}

impl Residence {
    pub(crate) fn new(state: GuestState, admission: &Arc<Admission>) -> Self {
        Self {
            home: Home::Resting(Box::new(state)),
            place: Place::new(admission),
        }
    }

    /// The host's side, wherever it is.
    pub(crate) fn state(&mut self) -> &mut GuestState {
        self.come_back();
        match &mut self.home {
            Home::Settled(instance) | Home::Moving(instance) => instance.store.data_mut(),
            Home::Resting(state) => state,
            Home::Left => unreachable!("a session always has its host's side"),
        }
    }

    /// The instance, if there is one that runs.
    pub(crate) fn instance(&mut self) -> Option<&mut Instance> {
        match &mut self.home {
            Home::Settled(instance) | Home::Moving(instance) => Some(instance),
            Home::Resting(_) | Home::Left => None,
        }
    }

    /// Puts the host's side into a new instance, which the session [settles](Self::settle) in once it is what it was.
    pub(crate) fn move_in(&mut self, make: impl FnOnce(GuestState) -> Instance) -> &mut Instance {
        let Home::Resting(state) = mem::replace(&mut self.home, Home::Left) else {
            unreachable!("a session without an instance rests");
        };
        self.home = Home::Moving(Box::new(make(*state)));
        self.instance().expect("it was just made")
    }

    /// Begins to move out of the instance, if there is one that runs, and returns it.
    pub(crate) fn move_out(&mut self) -> Option<&mut Instance> {
        self.home = match mem::replace(&mut self.home, Home::Left) {
            Home::Settled(instance) => Home::Moving(instance),
            home => home,
        };
        self.instance()
    }

    /// Ends a move: the instance is what the session is.
    pub(crate) fn settle(&mut self) {
        self.home = match mem::replace(&mut self.home, Home::Left) {
            Home::Moving(instance) => Home::Settled(instance),
            home => home,
        };
    }

    /// Lets go of an instance in which a move was broken off.
    pub(crate) fn end_broken_move(&mut self) {
        if matches!(self.home, Home::Moving(_)) {
            self.rest();
        }
    }

    /// Waits until there is room to run in, of `bytes`; whatever instance there
    /// was is here then, unless somebody needed its room.
    pub(crate) async fn run(&mut self, bytes: u64) -> Result<()> {
        if !self.place.is_running() {
            self.leave();
            let left = self.place.run(bytes).await?;
            self.unpack(left);
        }
        Ok(())
    }

    fn come_back(&mut self) {
        let left = self.place.take();
        self.unpack(left);
    }

    fn unpack(&mut self, left: Option<Left>) {
        match left {
            Some(Left::Instance(instance)) => self.home = Home::Settled(instance),
            Some(Left::State(state)) => self.home = Home::Resting(state),
            None => {}
        }
    }

    /// Lets go of the instance.
    pub(crate) fn rest(&mut self) {
        self.come_back();
        self.home = match mem::replace(&mut self.home, Home::Left) {
            Home::Settled(instance) | Home::Moving(instance) => {
                Home::Resting(Box::new(instance.into_state()))
            }
            home => home,
        };
    }

    /// Lets others run. One that was moving does not come back.
    pub(crate) fn leave(&mut self) {
        self.end_broken_move();
        let (mut instance, home) = match mem::replace(&mut self.home, Home::Left) {
            Home::Settled(instance) => (Some(instance), Home::Left),
            home => (None, home),
        };
        self.place.leave(&mut instance);
        self.home = instance.map_or(home, Home::Settled);
    }
}
