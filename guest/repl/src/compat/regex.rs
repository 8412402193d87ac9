//! Regular expressions: Monty's engine reads some patterns otherwise than Python
//! does. Calls whose pattern is there to see and means the same to both stay as
//! they are, others go by `prelude/compat/re.py`.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall, StmtImportFrom};
use ruff_text_size::Ranged;

use super::methods::is_looped;
use super::{Pass, Place};

/// The functions of `re` that take a pattern.
const FUNCTIONS: [&str; 10] = [
    "compile",
    "search",
    "match",
    "fullmatch",
    "findall",
    "finditer",
    "split",
    "sub",
    "subn",
    "purge",
];

/// Members of modules in place of which something of ours stands.
const MEMBERS: [(&str, &str, &str, &str); 10] = [
    ("re", "VERBOSE", "64", ""),
    ("re", "X", "64", ""),
    ("re", "UNICODE", "32", ""),
    ("re", "U", "32", ""),
    ("re", "Pattern", "_rlm_re_Pattern", "re"),
    ("re", "Match", "_rlm_re_Match", "re"),
    ("json", "loads", "_rlm_loads", "json"),
    ("json", "load", "_rlm_load_json", "json"),
    ("json", "JSONDecoder", "_rlm_json_Decoder", "json"),
    ("json", "JSONEncoder", "_rlm_json_Encoder", "json"),
];

impl Pass<'_> {
    /// Members of modules that Monty has not, or not as Python does.
    pub(super) fn module_member(
        &mut self,
        attribute: &ExprAttribute,
        place: Option<Place>,
    ) -> bool {
        let name = attribute.attr.as_str();
        let is_function = self.is_module(&attribute.value, "re")
            && place != Some(Place::Callee)
            && FUNCTIONS.contains(&name);
        let found = MEMBERS.iter().find(|(module, member, ..)| {
            *member == name && self.is_module(&attribute.value, module)
        });
        let (ours, helper) = match found {
            _ if is_function => (format!("_rlm_re_{name}"), "re"),
            Some((.., ours, helper)) => ((*ours).to_owned(), *helper),
            _ => return false,
        };
        self.rewrote("module-member", attribute.range(), helper);
        let range = attribute.range();
        self.replace_range(range, ours);
        true
    }

    /// `from re import sub`: the name means ours from then on.
    pub(super) fn imports_members(&mut self, import: &StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        for alias in &import.names {
            let name = alias.name.as_str();
            let bound = alias.asname.as_ref().unwrap_or(&alias.name);
            let found = MEMBERS
                .iter()
                .find(|(of, member, ..)| *of == module && *member == name);
            let (ours, helper) = match found {
                Some((.., ours, helper)) => ((*ours).to_owned(), *helper),
                None if module == "re" && FUNCTIONS.contains(&name) => {
                    (format!("_rlm_re_{name}"), "re")
                }
                None => continue,
            };
            self.rewrote("module-member", import.range(), helper);
            // In brackets it is no statement `match`.
            self.insert(import.range().end(), format!(";({bound})={ours}"));
        }
    }

    /// A call of a function of `re`.
    pub(super) fn regex(&mut self, call: &ExprCall, place: Option<Place>) {
        let Expr::Attribute(attribute) = &*call.func else {
            return;
        };
        let name = attribute.attr.as_str();
        let mut given = call.arguments.args.iter();
        let pattern = given.next();
        let is_plain = match pattern {
            Some(Expr::StringLiteral(text)) => {
                let only_finds = matches!(name, "search" | "match" | "fullmatch");
                is_plain(text.value.to_str(), only_finds)
            }
            _ => false,
        };
        let replaces = matches!(name, "sub" | "subn");
        let is_native = is_plain
            && !self.out.helpers.contains("re_full")
            && name != "subn"
            && (name != "finditer" || is_looped(place))
            && (!replaces || given.next().is_some_and(is_plain_text))
            && !self.may_set_flags(call, name);
        if !is_native {
            let ours = format!("_rlm_re_{name}");
            self.stands(&call.func, Place::Done);
            self.rewrote("re", call.range(), "re");
            let range = call.func.range();
            self.replace_range(range, ours);
        }
    }
}

impl Pass<'_> {
    /// Returns whether `func` is a function of `re`.
    pub(super) fn is_regex(&self, func: &Expr) -> bool {
        matches!(func, Expr::Attribute(attribute)
            if FUNCTIONS.contains(&attribute.attr.as_str()) && self.is_module(&attribute.value, "re"))
    }

    /// Returns whether a call may be given flags that Monty does not follow.
    fn may_set_flags(&self, call: &ExprCall, name: &str) -> bool {
        let args = &call.arguments.args;
        let keywords = &call.arguments.keywords;
        // Where the flags are when they are given by their place.
        let at = match name {
            "compile" => 1,
            "sub" | "subn" => 4,
            "split" => 3,
            _ => 2,
        };
        let is_spread = args.iter().any(Expr::is_starred_expr)
            || keywords.iter().any(|keyword| keyword.arg.is_none());
        let named = call
            .arguments
            .find_keyword("flags")
            .map(|flags| &flags.value);
        is_spread
            || args
                .get(at)
                .or(named)
                .is_some_and(|flags| !self.is_followed(flags))
    }

    /// Returns whether these are flags that Monty follows.
    fn is_followed(&self, flags: &Expr) -> bool {
        match flags {
            Expr::Attribute(attribute) if self.is_module(&attribute.value, "re") => matches!(
                attribute.attr.as_str(),
                "I" | "IGNORECASE" | "S" | "DOTALL" | "M" | "MULTILINE"
            ),
            Expr::BinOp(operation) => {
                self.is_followed(&operation.left) && self.is_followed(&operation.right)
            }
            _ => false,
        }
    }
}

/// Returns whether a script wants more of matches than Monty's tell.
pub(super) fn needs_all(source: &str) -> bool {
    const WORDS: [&str; 15] = [
        ".start('",
        ".start(\"",
        ".end('",
        ".end(\"",
        ".span('",
        ".span(\"",
        "{re.compile(",
        "hash(re.",
        ".lastgroup",
        ".lastindex",
        ".endpos",
        ".regs",
        ".expand(",
        ".re.",
        ".re)",
    ];
    source.contains("re.") && WORDS.iter().any(|word| source.contains(word))
}

/// A text that stands for nothing but itself where `re.sub` puts it.
fn is_plain_text(expr: &Expr) -> bool {
    matches!(expr, Expr::StringLiteral(text) if !text.value.to_str().contains(['\\', '$']))
}

/// Returns whether `pattern` means the same to both engines, and takes something
/// wherever it matches, if that matters.
fn is_plain(pattern: &str, may_be_empty: bool) -> bool {
    // Whether this branch takes something, and whether those before it do.
    let mut open = vec![(false, true)];
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let takes = match c {
            '\\' => match chars.next() {
                Some('b' | 'B') => false,
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 't') => true,
                Some(other) if other.is_ascii_punctuation() => true,
                _ => return false,
            },
            '[' => {
                chars.next_if_eq(&'^');
                let mut is_first = true;
                loop {
                    match chars.next() {
                        Some(']') if !is_first => break,
                        None | Some('[' | ']' | '&' | '~') => return false,
                        Some('-') if chars.peek() == Some(&'-') => return false,
                        Some('\\') => match chars.next() {
                            Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 't') => {}
                            Some(other) if other.is_ascii_punctuation() => {}
                            _ => return false,
                        },
                        _ => {}
                    }
                    is_first = false;
                }
                true
            }
            '(' => {
                if chars.next_if_eq(&'?').is_some() && chars.next() != Some(':') {
                    return false;
                }
                open.push((false, true));
                continue;
            }
            ')' => {
                let Some((branch, others)) = open.pop() else {
                    return false;
                };
                branch && others
            }
            '|' => {
                let Some(last) = open.last_mut() else {
                    return false;
                };
                *last = (false, last.0 && last.1);
                continue;
            }
            '*' | '+' | '?' | '^' => continue,
            '$' | '{' | '}' | ']' => return false,
            _ => true,
        };
        let Some(last) = open.last_mut() else {
            return false;
        };
        last.0 |= takes && !matches!(chars.peek(), Some('*' | '?'));
    }
    let takes = matches!(open[..], [(branch, others)] if branch && others);
    open.len() == 1 && (takes || may_be_empty)
}
