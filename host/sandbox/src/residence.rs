//! Where a session lives: in an instance, or for now in none.

use std::sync::Arc;

use crate::admission::{Admission, Left, Place};
use crate::guest_state::GuestState;
use crate::instance::Instance;
use rlm_sandbox_engine::Result;

/// The instance of a session, if it has one, and the host's side of it, which
/// it always has.
#[derive(Debug)]
pub(crate) struct Residence {
    instance: Option<Box<Instance>>,
    /// The host's side, while there is no instance to hold it.
    resting: Option<Box<GuestState>>,
    /// Whether the instance is on its way in or out: then, if that was broken
    /// off, it is of no use any more.
    pub(crate) moving: bool,
    place: Place,
}

impl Residence {
    pub(crate) fn new(state: GuestState, admission: &Arc<Admission>) -> Self {
        Self {
            instance: None,
            resting: Some(Box::new(state)),
            moving: false,
            place: Place::new(admission),
        }
    }

    /// The host's side, wherever it is.
    pub(crate) fn state(&mut self) -> &mut GuestState {
        self.come_back();
        match (&mut self.instance, &mut self.resting) {
            (Some(instance), _) => instance.store.data_mut(),
            (None, Some(state)) => state,
            (None, None) => unreachable!("a session always has its host's side"),
        }
    }

    /// The instance, if there is one that runs.
    pub(crate) fn instance(&mut self) -> Option<&mut Instance> {
        self.instance.as_deref_mut()
    }

    /// The host's side, to be put into a new instance.
    pub(crate) fn move_in(&mut self, make: impl FnOnce(GuestState) -> Instance) -> &mut Instance {
        match self.resting.take() {
            Some(state) => self.instance.insert(Box::new(make(*state))),
            None => unreachable!("a session without an instance rests"),
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
            Some(Left::Instance(instance)) => self.instance = Some(instance),
            Some(Left::State(state)) => self.resting = Some(state),
            None => {}
        }
    }

    /// Lets go of the instance.
    pub(crate) fn rest(&mut self) {
        self.moving = false;
        self.come_back();
        if let Some(instance) = self.instance.take() {
            self.resting = Some(Box::new(instance.into_state()));
        }
    }

    /// Lets others run. One that was moving does not come back.
    pub(crate) fn leave(&mut self) {
        if self.moving {
            self.rest();
        }
        self.place.leave(&mut self.instance);
    }
}
