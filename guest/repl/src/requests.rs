//! Requests: calls of functions that Python does not know.

use monty::Room;
use monty_types::{CallArgs, ExcType, MontyException, MontyObject, ObjectRef};

use crate::bindings::exports::rlm::sandbox::repl::Exception;
use crate::caps;
use crate::console::Console;
use crate::contexts;
use crate::evaluated;
use crate::finish;
use crate::host::{Host, Level, Prompt, Reply};
use crate::profile::Origin;
use crate::script;
use crate::turn::{Outcome, Turn};
use crate::value;

/// Gives the names of variables there may be.
const CANDIDATES: &str = "_rlm_candidates";
/// Words a list of variables.
const LISTING: &str = "_rlm_listing";
/// Checks what `eval` and `exec` are given.
pub(crate) const CHECKED: &str = "_rlm_checked";
/// Bytes of one message for the log.
const LOGGED: usize = 8 << 10;
/// Bytes that an error shows of what is no name of a model.
const SHOWN_BYTES: usize = 40;

impl<H: Host> Turn<'_, H> {
    /// Asks the host, or answers for it.
    pub(crate) fn request(&mut self, name: &str, args: &CallArgs) -> Outcome {
        if value::is_cut(args) {
            return Outcome::Raised(MontyException::new(
                ExcType::RecursionError,
                Some(String::from("maximum recursion depth exceeded")),
            ));
        }
        if self.functions.is_called(name) {
            return self.call_tool(name, value::encode_call(args));
        }
        if self.functions.is_namespace(name) {
            return type_error(String::from("'module' object is not callable"));
        }
        if name.starts_with(script::PREFIX) {
            return self.internal(name, args);
        }
        if self.profile.origin(name) != Some(Origin::Asked) {
            return Outcome::Unknown;
        }
        match name {
            contexts::READ => answered(self.contexts.read(self.host, args)),
            "budget" => self.call_tool(name, value::encode_call(args)),
            "log" => self.log(args),
            "ask_llm" => match with_context(args) {
                Ok(text) => self.query(&[Prompt { text, model: None }], false),
                Err(message) => type_error(message),
            },
            _ => self.model(name, args),
        }
    }

    /// Requests of functions of the prelude.
    fn internal(&mut self, name: &str, args: &CallArgs) -> Outcome {
        match name {
            finish::FINISH => match finish::read(args, self.value_bytes) {
                Some(finish) => Outcome::Finished(finish),
                None => Outcome::Unknown,
            },
            finish::SUBMIT => {
                match finish::submitted(args, &self.profile.outputs, self.value_bytes) {
                    Ok(finish) => Outcome::Finished(finish),
                    Err(error) => Outcome::Raised(error),
                }
            }
            finish::UNDEFINED => match finish::undefined(args, self.profile.ends_undefined) {
                Ok(finish) => Outcome::Finished(finish),
                Err(help) => Outcome::Returned(MontyObject::string(help)),
            },
            CANDIDATES => {
                self.open.pauses -= 1;
                let names = self
                    .scaffold
                    .candidates(self.names, self.profile, self.functions);
                Outcome::Returned(MontyObject::list(
                    names.into_iter().map(MontyObject::string),
                ))
            }
            LISTING => Outcome::Returned(MontyObject::string(listing(
                args,
                self.profile.shows_values,
            ))),
            _ => Outcome::Unknown,
        }
    }

    /// Checks what `eval` or `exec` is given, where the interpreter has `room`.
    pub(crate) fn checked(&mut self, args: &CallArgs, room: Room) -> Outcome {
        self.open.pauses -= 1;
        let Some(first) = args.arg(0) else {
            return Outcome::Unknown;
        };
        let Some(source) = first.as_str() else {
            return Outcome::Returned(first.to_owned());
        };
        match evaluated::checked(source, self.profile, args.args().len() > 1, room) {
            Ok(checked) => {
                let is_scripts =
                    |name: &&String| self.scaffold.is_scripts(name, self.profile, self.functions);
                let names = self
                    .scaffold
                    .candidates(self.names, self.profile, self.functions);
                let stores = checked.stores.iter().chain(&checked.later);
                let too_many = caps::too_many(names.iter(), stores.filter(is_scripts));
                if let Some(message) = too_many.or(checked.no_room) {
                    let error = MontyException::new(ExcType::RuntimeError, Some(message));
                    return Outcome::Raised(error);
                }
                self.scaffold.note_later(checked.later);
                self.scaffold
                    .note_stores(checked.stores, self.profile, self.functions);
                Outcome::Returned(MontyObject::string(checked.text))
            }
            Err(refusal) => {
                let kind = refusal.kind.parse().unwrap_or(ExcType::ValueError);
                Outcome::Raised(MontyException::new(kind, Some(refusal.message)))
            }
        }
    }

    /// `llm_query`, `rlm_query` and their kin.
    fn model(&mut self, name: &str, args: &CallArgs) -> Outcome {
        let batched = matches!(
            name,
            "llm_query_batched" | "llm_batch" | "rlm_query_batched"
        );
        let prompts = match prompts(name, args, batched, self.request_bytes) {
            Err(error) => return Outcome::Raised(error),
            Ok(prompts) if prompts.is_empty() => return Outcome::Returned(MontyObject::list([])),
            Ok(prompts) => prompts,
        };
        if !name.starts_with("rlm_") {
            return self.query(&prompts, batched);
        }
        // The host may have sessions of its own for these.
        let mut json = String::from("{\"args\":[[");
        for (index, prompt) in prompts.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            value::string(&prompt.text, &mut json);
        }
        json.push_str("]],\"kwargs\":{");
        if let Some(model) = prompts.first().and_then(|prompt| prompt.model.as_deref()) {
            json.push_str("\"model\":");
            value::string(model, &mut json);
        }
        json.push_str("}}");
        self.call_tool(name, json)
    }

    fn query(&mut self, prompts: &[Prompt], batched: bool) -> Outcome {
        let name = if batched {
            "llm_query_batched"
        } else {
            "llm_query"
        };
        let bytes =
            |prompt: &Prompt| prompt.text.len() + prompt.model.as_ref().map_or(0, String::len);
        if let Err(error) = self.fits(name, prompts.iter().map(bytes).sum()) {
            return Outcome::Raised(error);
        }
        self.ask(|host| host.llm_query(prompts, batched))
    }

    fn call_tool(&mut self, name: &str, arguments: String) -> Outcome {
        if let Err(error) = self.fits(name, arguments.len()) {
            return Outcome::Raised(error);
        }
        self.ask(|host| host.call_tool(name, &arguments))
    }

    fn log(&mut self, args: &CallArgs) -> Outcome {
        match (args.args().len(), args.arg(0)) {
            (1, Some(message)) => {
                let text = message.to_string();
                self.host
                    .log(Level::Info, &text[..text.floor_char_boundary(LOGGED)]);
                Outcome::Returned(MontyObject::bool(true))
            }
            _ => type_error(String::from("log() takes 1 argument (message)")),
        }
    }

    fn fits(&self, name: &str, bytes: usize) -> Result<(), MontyException> {
        fits(name, bytes, self.request_bytes)
    }

    /// Makes a request of the host, which gets the text that was printed before it first.
    fn ask(&mut self, request: impl FnOnce(&H) -> Reply) -> Outcome {
        Console {
            host: self.host,
            pending: self.pending,
            scripts: self.scripts,
        }
        .flush();
        match request(self.host) {
            Reply::Returned(json) => match value::decode(&json, true) {
                Ok(value) => Outcome::Returned(value),
                Err(error) => {
                    Outcome::Raised(MontyException::new(ExcType::ValueError, Some(error)))
                }
            },
            Reply::Raised(exception) => Outcome::Raised(exception_of(exception)),
            Reply::Pending(ticket) => Outcome::Pending(ticket),
            Reply::Stopped(stop) => Outcome::Stopped(stop),
        }
    }
}

/// Refuses a request of more than `most` bytes.
fn fits(name: &str, bytes: usize, most: usize) -> Result<(), MontyException> {
    if bytes <= most {
        return Ok(());
    }
    let message = format!(
        "{name}() was given {bytes} bytes, more than the {most} that one request may carry; send a slice"
    );
    Err(MontyException::new(ExcType::ValueError, Some(message)))
}

fn answered(result: Result<MontyObject, MontyException>) -> Outcome {
    result.map_or_else(Outcome::Raised, Outcome::Returned)
}

fn type_error(message: String) -> Outcome {
    Outcome::Raised(MontyException::new(ExcType::TypeError, Some(message)))
}

/// Returns the text of `SHOW_VARS()`, of `[(name, type, repr), …]`.
fn listing(args: &CallArgs, shows_values: bool) -> String {
    let items = args
        .arg(0)
        .and_then(|list| list.items())
        .unwrap_or_default();
    let variables = items
        .iter()
        .filter_map(|item| match item.items().as_deref() {
            Some(&[name, kind, repr]) => Some((name.as_str()?, kind.as_str()?, repr.as_str()?)),
            _ => None,
        });
    let variables: Vec<_> = variables
        .map(|(name, kind, repr)| {
            let repr = &repr[..repr.floor_char_boundary(100)];
            let kind = caps::cut(kind, caps::KIND_BYTES);
            let kind = kind.replace(char::is_control, "?");
            match shows_values {
                true => format!("  {name}: {kind} = {repr}"),
                false => format!("'{name}': '{kind}'"),
            }
        })
        .collect();
    match (variables.is_empty(), shows_values) {
        (true, true) => String::from("No variables defined."),
        (true, false) => {
            String::from("No variables created yet. Use ```repl``` blocks to create variables.")
        }
        (false, true) => format!("Variables:\n{}", variables.join("\n")),
        (false, false) => format!("Available variables: {{{}}}", variables.join(", ")),
    }
}

/// The prompt of `ask_llm(prompt, context="")`.
fn with_context(args: &CallArgs) -> Result<String, String> {
    let mut given = [args.arg(0), args.arg(1)];
    let mut extra = args.args().len() > 2;
    for (key, value) in args.kwargs() {
        let slot = match key.as_str() {
            Some("prompt") => &mut given[0],
            Some("context") => &mut given[1],
            _ => {
                extra = true;
                continue;
            }
        };
        extra |= slot.replace(value).is_some();
    }
    let text = |value: ObjectRef<'_>| value.as_str().map(str::to_owned);
    let usage = || String::from("ask_llm() takes a prompt and a context, both text");
    if extra {
        return Err(usage());
    }
    let prompt = given[0].and_then(text).ok_or_else(usage)?;
    match given[1] {
        None => Ok(prompt),
        Some(context) => match text(context).ok_or_else(usage)? {
            context if context.is_empty() => Ok(prompt),
            context => Ok(format!("{prompt}\n\nContext:\n{context}")),
        },
    }
}

/// The arguments of `llm_query(prompt, model=None)` and
/// `llm_query_batched(prompts, model=None)`.
///
/// # Errors
///
/// `TypeError` for arguments of another kind, `ValueError` for what is too long; nothing
/// long has been copied then.
fn prompts(
    name: &str,
    args: &CallArgs,
    batched: bool,
    request_bytes: usize,
) -> Result<Vec<Prompt>, MontyException> {
    let wrong = |message: String| MontyException::new(ExcType::TypeError, Some(message));
    let wanted = if batched { "prompts" } else { "prompt" };
    let (mut first, mut model) = (args.arg(0), args.arg(1));
    if args.args().len() > 2 {
        return Err(wrong(format!(
            "{name}() takes at most 2 arguments ({wanted}, model)"
        )));
    }
    for (key, value) in args.kwargs() {
        let slot = match key.as_str() {
            Some("model") => &mut model,
            Some(key) if key == wanted => &mut first,
            Some(key) => {
                return Err(wrong(format!(
                    "{name}() got an unexpected keyword argument '{}'",
                    caps::cut(key, caps::KIND_BYTES)
                )));
            }
            None => continue,
        };
        if slot.replace(value).is_some() {
            return Err(wrong(format!(
                "{name}() got multiple values for argument '{}'",
                key.as_str().unwrap_or_default()
            )));
        }
    }
    let first = first.ok_or_else(|| {
        wrong(format!(
            "{name}() missing 1 required positional argument: '{wanted}'"
        ))
    })?;
    let model = match model {
        Some(model) if model.type_name() != "NoneType" => match model.as_str() {
            Some(model) if model.len() > caps::KIND_BYTES => {
                let message = format!(
                    "{name}() was given the name of a model of {} bytes; give one of at most {} bytes",
                    model.len(),
                    caps::KIND_BYTES
                );
                return Err(MontyException::new(ExcType::ValueError, Some(message)));
            }
            Some(model) if model.contains(char::is_whitespace) => {
                let message = format!(
                    "{name}() takes a prompt and the name of a model, which has no spaces: {:?}",
                    caps::cut(model, SHOWN_BYTES)
                );
                return Err(MontyException::new(ExcType::ValueError, Some(message)));
            }
            Some(model) => Some(model.to_owned()),
            None => {
                return Err(wrong(format!(
                    "{name}() needs the name of a model, not {}",
                    model.type_name()
                )));
            }
        },
        _ => None,
    };
    let prompt = |value: monty_types::ObjectRef<'_>| match value.as_str() {
        Some(text) => Ok(Prompt {
            text: text.to_owned(),
            model: model.clone(),
        }),
        None => Err(wrong(format!(
            "{name}() needs text, not {}",
            value.type_name()
        ))),
    };
    let room = |given: &[ObjectRef<'_>]| {
        let texts = given.iter().filter_map(|prompt| prompt.as_str());
        let bytes = |text: &str| text.len() + model.as_ref().map_or(0, String::len);
        fits(name, texts.map(bytes).sum(), request_bytes)
    };
    if !batched {
        room(&[first])?;
        return Ok(vec![prompt(first)?]);
    }
    match (first.type_name(), first.items()) {
        ("list" | "tuple", Some(items)) => {
            room(&items)?;
            items.into_iter().map(prompt).collect()
        }
        (kind, _) => Err(wrong(format!(
            "{name}() needs a list of prompts, not {kind}"
        ))),
    }
}

/// An exception of the host's; a class that Python does not have becomes a
/// `RuntimeError` that names it.
pub(crate) fn exception_of(exception: Exception) -> MontyException {
    match exception.kind.parse::<ExcType>() {
        Ok(kind) => MontyException::new(kind, Some(exception.message)),
        Err(_) => MontyException::new(
            ExcType::RuntimeError,
            Some(format!("{}: {}", exception.kind, exception.message)),
        ),
    }
}
