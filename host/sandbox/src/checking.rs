//! Sources that the guest looks at without running them.

use std::time::Duration;

use crate::bindings::exports::rlm::sandbox::repl::{self, Settings};
use crate::guest_state::Purpose;
use crate::instance::{Instance, never_started, settings};
use crate::meter::within;
use rlm_sandbox_engine::{Error, Result, RunningGuest};

/// What looking at a source may take, some two seconds.
const CHECKING_FUEL: u64 = 10_000_000_000;
/// Time for that where no fuel is counted.
const CHECKING_TIME: Duration = Duration::from_secs(3);

impl Instance {
    /// Has a source looked at by the guest; none of it runs.
    pub(crate) async fn validate(
        &mut self,
        source: &str,
        seed: u64,
        known: &[String],
    ) -> Result<repl::Validation> {
        let (settings, _running) = self.begin_checking(seed)?;
        let bound = self.bound(0).map(|_| CHECKING_TIME);
        let python = self.python.as_ref().ok_or_else(never_started)?;
        let told = python.rlm_sandbox_repl();
        let checked = told.call_validate(&mut self.store, source, &settings, known);
        within(bound, checked).await.map_err(not_checked)
    }

    fn begin_checking(&mut self, seed: u64) -> Result<(Settings, Option<RunningGuest>)> {
        let state = self.store.data_mut();
        state.purpose = Purpose::Upkeep;
        state.clock.stands_still = true;
        state.passed_bytes = 0;
        let settings = settings(state, seed);
        Ok((settings, self.refill(CHECKING_FUEL)?))
    }

    /// Has a source wrapped by the guest; none of it runs.
    pub(crate) async fn wrap(
        &mut self,
        source: &str,
        seed: u64,
    ) -> Result<std::result::Result<String, repl::Failure>> {
        let (settings, _running) = self.begin_checking(seed)?;
        let bound = self.bound(0).map(|_| CHECKING_TIME);
        let python = self.python.as_ref().ok_or_else(never_started)?;
        let told = python.rlm_sandbox_repl();
        within(bound, told.call_wrap(&mut self.store, source, &settings))
            .await
            .map_err(not_checked)
    }
}

fn not_checked(error: wasmtime::Error) -> Error {
    Error::limit("the interpreter could not check this source; it may nest too deeply")
        .because(error)
}
