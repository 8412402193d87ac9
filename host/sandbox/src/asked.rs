//! Host calls of a guest.

use std::borrow::Cow;

use crate::arguments::held_bytes;
use crate::bindings::rlm::sandbox::calls;
use crate::call::{digest, model_name, prompt_text};
use crate::caps::{KIND_BYTES, NAME_BYTES};
use crate::journal::{CallLine, Count, Said, shown};
use crate::profile::{Name, Profile};

/// Cuts the name of a function that nobody registered: each call keeps its name.
pub(crate) fn cut_name(mut name: String, is_tool: bool) -> String {
    if name.len() > NAME_BYTES && !is_tool {
        name.truncate(name.floor_char_boundary(NAME_BYTES));
        // No identifier has this, so it is still nobody's name.
        name.push('…');
    }
    name
}

/// Bytes of a prompt beside its texts: there are two while it is open, for the session and for the
/// model, and one in a message to a client.
const PROMPT_BYTES: u64 = 200;

/// Returns the bytes of memory that a prompt counts for while it is open: its texts are there twice.
pub(crate) fn prompt_bytes(text: &str, model: Option<&str>) -> u64 {
    let bytes = text.len() + model.map_or(0, str::len);
    PROMPT_BYTES + 2 * bytes as u64
}

/// A host call, as the guest claims it.
#[derive(Debug)]
pub(crate) enum Asked {
    Tool {
        name: String,
        arguments: String,
    },
    Model {
        prompts: Vec<calls::Prompt>,
        batched: bool,
        recursive: bool,
    },
}

impl Asked {
    /// What is asked through `call-tool`: a tool, or one of the names that are
    /// reserved for the session.
    pub(crate) fn tool(name: String, arguments: String, profile: &Profile) -> Self {
        let batched = match name.as_str() {
            "rlm_query" if profile.defines(Name::RlmQuery) => false,
            "rlm_query_batched" if profile.defines(Name::RlmQueryBatched) => true,
            _ => return Self::Tool { name, arguments },
        };
        #[derive(serde::Deserialize)]
        struct Given {
            args: (Vec<String>,),
            kwargs: Model,
        }
        #[derive(serde::Deserialize)]
        struct Model {
            model: Option<String>,
        }
        let given = serde_json::from_str::<Given>(&arguments).ok();
        // Each prompt has its own copy of the model's name.
        let given = given.filter(|given| {
            let model = given.kwargs.model.as_ref();
            model.is_none_or(|model| model.len() <= KIND_BYTES)
        });
        let Some(given) = given else {
            // What no guest of ours sends is no request to a model.
            return Self::Tool { name, arguments };
        };
        let prompts = given.args.0.into_iter().map(|text| calls::Prompt {
            text,
            model: given.kwargs.model.clone(),
        });
        Self::Model {
            prompts: prompts.collect(),
            batched,
            recursive: true,
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Tool { name, .. } => name,
            Self::Model {
                batched, recursive, ..
            } => model_name(*batched, *recursive),
        }
    }

    /// Returns the bytes that its digest covers.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Tool { arguments, .. } => arguments.as_bytes().into(),
            Self::Model { prompts, .. } => {
                let prompts = prompts
                    .iter()
                    .map(|prompt| (prompt.text.as_str(), prompt.model.as_deref()));
                prompt_text(prompts).into()
            }
        }
    }

    /// Bytes that it brought from the guest.
    pub(crate) fn size_bytes(&self) -> usize {
        match self {
            Self::Tool { name, arguments } => name.len() + arguments.len(),
            Self::Model { prompts, .. } => {
                let bytes = prompts.iter().map(|prompt| {
                    size_of::<calls::Prompt>()
                        + prompt.text.len()
                        + prompt.model.as_ref().map_or(0, String::len)
                });
                bytes.sum()
            }
        }
    }

    /// Returns the bytes of memory that it counts for while it is open.
    pub(crate) fn held_bytes(&self) -> u64 {
        match self {
            Self::Tool { arguments, .. } => held_bytes(arguments),
            Self::Model { prompts, .. } => prompts
                .iter()
                .map(|prompt| prompt_bytes(&prompt.text, prompt.model.as_deref()))
                .sum(),
        }
    }

    pub(crate) fn prompts(&self) -> u64 {
        match self {
            Self::Tool { .. } => 0,
            Self::Model { prompts, .. } => prompts.len() as u64,
        }
    }

    /// All that it asks, as JSON.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        let prompts = match self {
            Self::Tool { arguments, .. } => return arguments.as_str().into(),
            Self::Model { prompts, .. } => prompts.iter(),
        };
        let prompts = prompts.map(|prompt| match &prompt.model {
            None => serde_json::json!(prompt.text),
            Some(model) => serde_json::json!({"prompt": prompt.text, "model": model}),
        });
        prompts.collect::<serde_json::Value>().to_string().into()
    }

    /// Returns the line of the journal for this call, before which the execution made `made`
    /// calls. Arguments are shown to people, so those of very many calls are cut to little.
    pub(crate) fn line(
        &self,
        ticket: u64,
        made: usize,
        fuel: u64,
        reply: Said,
        refused: bool,
    ) -> CallLine {
        const MANY_CALLS: usize = 1000;
        const SHOWN_OF_MANY_BYTES: usize = 200;
        let text = self.text();
        let mut arguments = shown(&text);
        if made >= MANY_CALLS {
            arguments = &arguments[..arguments.floor_char_boundary(SHOWN_OF_MANY_BYTES)];
        }
        let arguments = arguments.to_owned();
        CallLine {
            ticket,
            name: self.name().to_owned(),
            digest: (arguments.len() < text.len()).then(|| digest(text.as_bytes())),
            arguments: Some(arguments),
            fuel: Count(fuel),
            reply,
            prompts: self.prompts(),
            refused,
            set_aside: None,
        }
    }
}
