//! Contexts as resources: `context://NAME`, in parts if they are long.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rlm_sandbox::Context;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

/// Characters, or bytes, of one answer.
const MOST: usize = 200_000;
/// Resources of one page of the list, and bytes of their names and addresses: a page has at least
/// one resource, and a name has 4 KiB at the most.
const PAGE: usize = 500;
const PAGE_BYTES: usize = 1 << 20;
const SCHEME: &str = "context://";

/// Returns a page of the list of contexts, from the one on whose number the cursor has.
pub(super) fn list(
    contexts: &[Context],
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let start = cursor.map_or(Ok(0), str::parse::<usize>).map_err(|_| {
        let message = "the cursor is not the `nextCursor` of a page; leave it out for the first";
        ErrorData::invalid_params(message, None)
    })?;
    let (mut page, mut bytes) = (Vec::new(), 0);
    let mut rest = contexts.iter().skip(start);
    while page.len() < PAGE
        && bytes < PAGE_BYTES
        && let Some(context) = rest.next()
    {
        let resource = describe(context);
        bytes += resource.uri.len() + resource.name.len();
        page.push(resource);
    }
    let end = start.saturating_add(page.len());
    let mut list = ListResourcesResult::with_all_items(page);
    list.next_cursor = (end < contexts.len()).then(|| end.to_string());
    Ok(list)
}

fn describe(context: &Context) -> Resource {
    let resource = Resource::new(uri(context.name()), context.name());
    let mut resource = resource.with_description("A context; Python sees it as files[NAME].");
    resource.size = Some(context.size_bytes());
    resource.mime_type = Some(String::from(mime_type(context)));
    resource
}

pub(super) fn template() -> ResourceTemplate {
    let template = ResourceTemplate::new("context://{name}{?start,length}", "part of a context");
    template.with_description(
        "So many characters of a context from `start` on, from 0; 200,000 at the most.",
    )
}

pub(super) fn read(contexts: &[Context], wanted: &str) -> Result<ReadResourceResult, ErrorData> {
    let (address, query) = wanted.split_once('?').unwrap_or((wanted, ""));
    let name = name_at(address);
    let context = contexts
        .iter()
        .find(|context| name.as_deref() == Some(context.name()))
        .ok_or_else(|| {
            let none =
                format!("there is no resource {address}; resources/list names those there are");
            ErrorData::resource_not_found(none, None)
        })?;
    let (mut start, mut asked) = (0, usize::MAX);
    for setting in query.split('&').filter(|setting| !setting.is_empty()) {
        let (name, number) = setting.split_once('=').unwrap_or((setting, ""));
        let place = match name {
            "start" => &mut start,
            "length" => &mut asked,
            _ => return Err(wrong(name)),
        };
        *place = number.parse().map_err(|_| wrong(name))?;
    }
    let length = asked.min(MOST);
    let contents = match context.as_text() {
        Some(text) => {
            let rest = &text[byte_at(text, start)..];
            let (part, left) = rest.split_at(byte_at(rest, length));
            let mut part = part.to_owned();
            if asked > MOST && !left.is_empty() {
                let next = start.saturating_add(MOST);
                let total = text.chars().count();
                part.push_str(&format!(
                    "\n[cut: characters {start} to {next} of {total}; read {address}?start={next} for more]"
                ));
            }
            ResourceContents::text(part, wanted).with_mime_type(mime_type(context))
        }
        None => {
            let bytes = context.as_bytes();
            let start = start.min(bytes.len());
            let end = start.saturating_add(length).min(bytes.len());
            ResourceContents::blob(BASE64_STANDARD.encode(&bytes[start..end]), wanted)
                .with_mime_type(mime_type(context))
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

/// Returns the byte at which a character of a text begins, or the end of a shorter text.
pub(super) fn byte_at(text: &str, characters: usize) -> usize {
    /// Bytes whose characters are counted at once, which is quicker than one by one.
    const STEP: usize = 4096;
    let (mut at, mut left) = (0, characters);
    while at < text.len() {
        let end = text.floor_char_boundary(at + STEP);
        let part = &text[at..end];
        let count = part.chars().count();
        if count > left {
            return at + part.char_indices().nth(left).map_or(0, |(byte, _)| byte);
        }
        left -= count;
        at = end;
    }
    text.len()
}

fn wrong(name: &str) -> ErrorData {
    let message = format!("`{name}` cannot be read; write ?start=0&length={MOST}");
    ErrorData::invalid_params(message, None)
}

pub(super) fn mime_type(context: &Context) -> &'static str {
    match context.form() {
        "json" => "application/json",
        "bytes" => "application/octet-stream",
        _ => "text/plain",
    }
}

/// The address of a context, with `%20` and its kin for what an address lacks.
pub(super) fn uri(name: &str) -> String {
    let mut uri = String::from(SCHEME);
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Returns the name of the context whose address this is.
fn name_at(address: &str) -> Option<String> {
    let mut rest = address.strip_prefix(SCHEME)?.as_bytes();
    let mut name = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        name.push(match byte {
            b'%' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let name = String::from_utf8(name).ok()?;
    // A context has one address, however else its name could be written.
    (uri(&name) == address).then_some(name)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_context_is_found_at_its_address_and_no_other() {
        for name in ["", "a", "a b/c~d", "é%41%", "\0\n?&=", "%20", "context://x"] {
            assert_eq!(name_at(&uri(name)).as_deref(), Some(name));
        }
        for address in [
            "",
            "x",
            "context:/a",
            "context://%61",
            "context://%c3%a9",
            "context://%C3",
            "context://%+1",
            "context://%2",
            "context://é",
            "context://a b",
        ] {
            assert_eq!(name_at(address), None, "{address}");
        }
    }

    #[test]
    fn an_address_is_read_once_however_many_contexts_there_are() {
        let name = |number: usize| format!("{}{number:05}", "é".repeat(2000));
        let contexts: Vec<_> = (0..5000)
            .map(|number| Context::text(name(number), "x"))
            .collect();
        let since = Instant::now();
        for number in (0..5000).rev().take(100) {
            read(&contexts, &uri(&name(number))).expect("it is there");
        }
        // Writing the addresses of all contexts for each takes minutes.
        assert!(
            since.elapsed() < Duration::from_secs(20),
            "{:?}",
            since.elapsed()
        );
    }

    #[test]
    fn characters_are_found_in_texts_of_any_length() {
        for unit in ["a", "é", "漢", "\u{1f600}", "aé漢\u{1f600}\n"] {
            let text = unit.repeat(9000);
            let bytes: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
            for characters in [0, 1, 1023, 1024, 1025, 4095, 4096, 4097, 8999] {
                assert_eq!(byte_at(&text, characters), bytes[characters], "{unit}");
            }
            for characters in [bytes.len(), bytes.len() + 1, usize::MAX] {
                assert_eq!(byte_at(&text, characters), text.len(), "{unit}");
            }
        }
        assert_eq!(byte_at("", 3), 0);
    }
}
