//! What can be said of a script that does not run.

use crate::bindings::exports::rlm::sandbox::repl::{Failure, Validation as Told};
use crate::caps;
use crate::ending;
use crate::instance::Instance;
use crate::outcome::{Cause, Exception};
use crate::profile::{Profile, Returns, Syntax};
use crate::sandbox::Sandbox;
use crate::session::Session;
use rlm_sandbox_engine::{Error, ErrorKind, Result};

/// Bytes of the line that says what speaks against a script.
const LINE_BYTES: usize = 4 << 10;

/// What is told where types were to be checked.
pub(crate) const NO_TYPES: &str = "type checking is not built in; nothing was checked";

/// What speaks against a script, as far as that can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validation {
    /// Why it would not begin to run.
    pub exception: Option<Exception>,
    /// The same in one line, as in `Syntax error: … (line 1, column 5)`.
    pub message: Option<String>,
    /// Names that it reads and that are defined nowhere, and modules that it imports outside of `try` and that do not exist,
    /// sorted. It runs all the same, up to there.
    pub unknown_names: Vec<String>,
    /// What a type checker has against it: always none, for want of one.
    pub type_errors: Option<String>,
    /// What else is to be said, as that types were not checked.
    pub note: Option<String>,
}

impl Validation {
    /// Returns whether it would begin to run.
    pub fn is_ok(&self) -> bool {
        self.exception.is_none()
    }
}

/// Code of an agent that was prepared to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preprocessed {
    /// The code, without a top-level `return`.
    Code(String),
    /// The exception that Python would raise: the code awaits or does not parse.
    Rejected(Exception),
}

impl Sandbox {
    /// Checks a script without running it and without a session: syntax, imports
    /// and whatever else the profile refuses, and names that are unknown beside
    /// `known` variables and host `functions`.
    ///
    /// # Errors
    ///
    /// The errors of [`Session::exec`](crate::Session::exec); a script that does not pass
    /// is no error.
    pub async fn validate(
        &self,
        code: &str,
        profile: &Profile,
        known: &[&str],
        functions: &[&str],
    ) -> Result<Validation> {
        let mut checker = self.checker(profile)?;
        if let Some(exception) = ending::too_long(code, checker.limits()) {
            return Ok(Validation {
                message: Some(exception.to_string()),
                exception: Some(exception),
                unknown_names: Vec::new(),
                type_errors: None,
                note: profile.type_check.then(|| NO_TYPES.to_owned()),
            });
        }
        let known = known.iter().chain(functions);
        let known: Vec<_> = known.map(|&name| name.to_owned()).collect();
        let Told { failure, unknown } = checker.validate_here(code, &known).await?;
        let note = profile.type_check.then(|| NO_TYPES.to_owned());
        Ok(Validation {
            message: failure
                .as_ref()
                .map(one_line)
                .map(|line| caps::cut(line, LINE_BYTES)),
            exception: failure.map(|failure| ending::exception(failure, &checker.settings.limits)),
            unknown_names: caps::names(unknown),
            type_errors: None,
            note,
        })
    }

    /// Puts the top-level `return` of code into a function that is called. Text inside of literals stays
    /// as it is, and so does code without such a `return`.
    ///
    /// # Errors
    ///
    /// The errors of [`validate`](Self::validate); code that awaits or does not parse is no error.
    pub async fn preprocess_agent_code(&self, code: &str) -> Result<Preprocessed> {
        let mut profile = Profile::default();
        profile.imports = crate::profile::Imports::All;
        profile.refused = vec![Syntax::Await];
        profile.returns = Returns::Wrap;
        let mut checker = self.checker(&profile)?;
        if let Some(exception) = ending::too_long(code, checker.limits()) {
            return Ok(Preprocessed::Rejected(exception));
        }
        let wrapped = checker.wrap_here(code).await?;
        Ok(match wrapped {
            Ok(code) => Preprocessed::Code(code),
            Err(failure) => {
                let exception = ending::exception(failure, &checker.settings.limits);
                Preprocessed::Rejected(exception)
            }
        })
    }

    /// A session that nothing runs in.
    fn checker(&self, profile: &Profile) -> Result<Session> {
        let builder = self.session().profile(profile.clone());
        builder.names_as_given().seed(0).id("validation").open()
    }
}

impl Session {
    async fn validate_here(&mut self, code: &str, known: &[String]) -> Result<Told> {
        let seed = self.seed;
        self.checking().await?.validate(code, seed, known).await
    }

    async fn wrap_here(&mut self, code: &str) -> Result<std::result::Result<String, Failure>> {
        let seed = self.seed;
        self.checking().await?.wrap(code, seed).await
    }

    /// The instance that looks at sources.
    async fn checking(&mut self) -> Result<&mut Instance> {
        self.live().await?;
        let instance = self.residence.instance();
        instance.ok_or_else(|| Error::new(ErrorKind::Host, "there is no interpreter to ask"))
    }
}

/// What a person is told in one line.
fn one_line(failure: &Failure) -> String {
    let exception = &failure.exception;
    if Cause::parse(&failure.cause) != Cause::Syntax {
        return format!("{}: {}", exception.kind, exception.message);
    }
    let message = exception.message.split(" (syntax error at ").next();
    let message = message.unwrap_or_default();
    match failure.frames.last() {
        Some(frame) => format!(
            "Syntax error: {message} (line {}, column {})",
            frame.line, frame.column
        ),
        None => format!("Syntax error: {message}"),
    }
}
