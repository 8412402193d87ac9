//! Sources that the guest looks at without running them.

use crate::bindings::exports::rlm::sandbox::repl::{self, Settings};
use crate::guest_state::Purpose;
use crate::instance::{Instance, never_started, refused, settings};
use rlm_sandbox_engine::{Error, Result};

/// What looking at a source may take, some two seconds.
const CHECKING_FUEL: u64 = 10_000_000_000;

impl Instance {
    /// Has a source looked at by the guest; none of it runs.
    pub(crate) async fn validate(
        &mut self,
        source: &str,
        seed: u64,
        known: &[String],
    ) -> Result<repl::Validation> {
        let settings = self.begin_checking(seed)?;
        let python = self.python.as_ref().ok_or_else(never_started)?;
        let told = python.rlm_sandbox_repl();
        told.call_validate(&mut self.store, source, &settings, known)
            .await
            .map_err(not_checked)
    }

    fn begin_checking(&mut self, seed: u64) -> Result<Settings> {
        let state = self.store.data_mut();
        state.purpose = Purpose::Upkeep;
        state.clock.stands_still = true;
        state.clock.fuel_set = CHECKING_FUEL;
        state.passed_bytes = 0;
        let settings = settings(state, seed);
        self.store.set_fuel(CHECKING_FUEL).map_err(refused)?;
        Ok(settings)
    }

    /// Has a source wrapped by the guest; none of it runs.
    pub(crate) async fn wrap(
        &mut self,
        source: &str,
        seed: u64,
    ) -> Result<std::result::Result<String, repl::Failure>> {
        let settings = self.begin_checking(seed)?;
        let python = self.python.as_ref().ok_or_else(never_started)?;
        let told = python.rlm_sandbox_repl();
        told.call_wrap(&mut self.store, source, &settings)
            .await
            .map_err(not_checked)
    }
}

fn not_checked(error: wasmtime::Error) -> Error {
    Error::limit("the interpreter could not check this source; it may nest too deeply")
        .because(error)
}
