//! The most that the answer to a call may be.

use std::io;

use serde_json::Value as Json;

use crate::call::{Answer, Request};
use crate::journal::Said;
use crate::limits::Limits;
use crate::outcome::Exception;

/// The cap of one call's answer, in bytes of JSON. A longer answer is replaced by an error.
///
/// An answer that was replaced stays as it is if the cap is applied again: a journal has the
/// answers of sessions after that, and before it those of an embedder's own loop.
#[derive(Clone, Debug)]
pub(crate) enum AnswerCap {
    Tool {
        name: String,
        most: u64,
    },
    /// A member of a namespace.
    Member {
        name: String,
        most: u64,
    },
    Model {
        most: u64,
    },
}

/// Returns the answer, or the error in place of one that no journal could hold: a script would end its recording with it.
pub(crate) fn readable(answer: Said) -> Said {
    if answer.is_readable() {
        return answer;
    }
    let message =
        "the answer nests too deeply, or has too many values, to be read again; answer with a text";
    Said::of(&Answer::Raised(Exception::new("ValueError", message)))
}

impl AnswerCap {
    pub(crate) fn new(request: &Request, limits: &Limits) -> Self {
        match request {
            Request::Tool { name, .. } if name.contains('.') => Self::Member {
                name: name.clone(),
                most: limits.value_bytes.into(),
            },
            Request::Tool { name, .. } => Self::Tool {
                name: name.clone(),
                most: limits.tool_answer_bytes,
            },
            Request::Model { .. } => Self::Model {
                most: limits.model_answer_bytes,
            },
        }
    }

    /// Returns the text of an answer, or of the error in place of one that is too long, of which
    /// no text is made.
    pub(crate) fn settle(&self, answer: Answer) -> Said {
        if let Answer::Returned(value) = &answer {
            let bytes = json_bytes(value);
            if bytes > self.most() {
                return self.refusal(bytes);
            }
        }
        readable(Said::of(&answer))
    }

    /// Returns the answer, or the error in place of one that is too long.
    pub(crate) fn apply(&self, answer: Said) -> Said {
        match &answer {
            Said::Returned(json) if json.len() as u64 > self.most() && !self.is_refusal(json) => {
                self.refusal(json.len() as u64)
            }
            _ => answer,
        }
    }

    fn most(&self) -> u64 {
        match self {
            Self::Tool { most, .. } | Self::Member { most, .. } | Self::Model { most } => *most,
        }
    }

    fn refusal(&self, bytes: u64) -> Said {
        let exception = match self {
            Self::Tool { name, most } => {
                return Said::Returned(long_tool_answer(name, bytes, *most));
            }
            Self::Member { name, most } => {
                let message = format!(
                    "{name}() answered {bytes} bytes, more than the {most} that a value may have here; ask for less"
                );
                Exception::new("ValueError", message)
            }
            Self::Model { most } => long_model_answer(bytes, *most),
        };
        Said::of(&Answer::Raised(exception))
    }

    /// Returns whether this is a [`refusal`](Self::refusal), which may itself be over a small cap.
    fn is_refusal(&self, json: &str) -> bool {
        let Self::Tool { name, .. } = self else {
            return false;
        };
        let bytes = json
            .split_once(&format!("{name}() answered "))
            .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        bytes.is_some_and(|bytes| self.refusal(bytes) == Said::Returned(json.to_owned()))
    }
}

/// Returns the text of a tool's answer that comes at once, or of the error in place of one that is
/// too long.
pub(crate) fn tool_answer(name: &str, value: &Json, limits: &Limits) -> String {
    let (bytes, most) = (json_bytes(value), limits.tool_answer_bytes);
    match bytes > most {
        true => long_tool_answer(name, bytes, most),
        false => value.to_string(),
    }
}

fn long_tool_answer(name: &str, bytes: u64, most: u64) -> String {
    let message = format!(
        "{name}() answered {bytes} bytes, more than the {most} a tool may answer; ask for less"
    );
    serde_json::json!({"error": "response_too_large", "message": message}).to_string()
}

/// Returns the error in place of an answer of a model that is too long.
pub(crate) fn long_model_answer(bytes: u64, most: u64) -> Exception {
    let message =
        format!("the model answered {bytes} bytes, more than the {most} it may; ask for less");
    Exception::new("ValueError", message)
}

/// Returns the bytes of a value as JSON.
pub(crate) fn json_bytes(value: &Json) -> u64 {
    struct Counter(u64);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).expect("a value has a JSON form");
    counter.0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_that_was_replaced_is_not_replaced_again() {
        let limits = Limits {
            tool_answer_bytes: 10,
            value_bytes: 10,
            model_answer_bytes: 10,
            ..Limits::default()
        };
        let tool = |name: &str| Request::Tool {
            name: name.to_owned(),
            arguments: crate::arguments::Arguments::of(name, Json::Null),
        };
        let model = Request::Model {
            prompts: Vec::new(),
            batched: false,
            recursive: false,
        };
        for request in [tool("find"), tool("a.b"), model] {
            let cap = AnswerCap::new(&request, &limits);
            let short = cap.settle(Answer::Returned(json!([1, 2])));
            assert_eq!(short, Said::Returned(String::from("[1,2]")));
            assert_eq!(cap.apply(short.clone()), short);
            let long = json!({"a": ["é\"", 1.5, null]});
            let settled = cap.settle(Answer::Returned(long.clone()));
            assert_eq!(cap.apply(Said::of(&Answer::Returned(long))), settled);
            assert_eq!(cap.apply(settled.clone()), settled);
            assert!(
                format!("{settled:?}").contains("answered 23 bytes"),
                "{settled:?}"
            );
            // An answer that only looks like one is replaced.
            let alike =
                json!({"error": "response_too_large", "message": "find() answered 9 bytes"});
            let alike = Said::of(&Answer::Returned(alike));
            assert_ne!(cap.apply(alike.clone()), alike);
        }
    }
}
