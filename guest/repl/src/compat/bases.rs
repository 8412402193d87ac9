//! Bases that say nothing that matters when the script runs, or that a decorator
//! of ours can stand for; every other base is refused with what to write instead.

use ruff_python_ast::{Arguments, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::{Pass, decorators, last_name};

/// The name of the only base of `class`.
pub(super) fn of(class: &StmtClassDef) -> Option<&str> {
    let arguments = class.arguments.as_deref()?;
    match &arguments.args[..] {
        [base] => Some(last_name(base)),
        [] if is_abstract(arguments) => Some("ABC"),
        // `Protocol[T]` and `Generic[T]` go together.
        [first, second] if last_name(second) == "Generic" => match last_name(first) {
            base @ ("ABC" | "Protocol") => Some(base),
            _ => None,
        },
        _ => None,
    }
}

/// `metaclass=ABCMeta`
fn is_abstract(arguments: &Arguments) -> bool {
    matches!(&arguments.keywords[..], [keyword]
        if keyword.arg.as_ref().is_some_and(|arg| arg == "metaclass") && last_name(&keyword.value) == "ABCMeta")
}

fn methods(class: &StmtClassDef) -> impl Iterator<Item = &StmtFunctionDef> {
    class.body.iter().filter_map(|stmt| match stmt {
        Stmt::FunctionDef(method) => Some(method),
        _ => None,
    })
}

impl Pass<'_> {
    /// Takes the bases of a class away; false if that cannot be.
    pub(super) fn bases(&mut self, class: &StmtClassDef) -> bool {
        let Some(arguments) = class.arguments.as_deref() else {
            return true;
        };
        let has_keywords = !arguments.keywords.is_empty();
        let base = of(class);
        match base {
            Some(_) if self.embodies(class) => {}
            None if arguments.is_empty() => {}
            Some("object") if !has_keywords => {}
            Some("Generic") if !has_keywords => {}
            Some("ABC" | "Protocol") => self.abstracted(class, base == Some("Protocol")),
            Some("NamedTuple") if !has_keywords => {
                if let Some(special) = methods(class).find(|method| method.name.starts_with("__")) {
                    self.refuse(
                        "a special method of a NamedTuple",
                        "write a @dataclass(frozen=True) with this method",
                        special.name.range(),
                    );
                    return false;
                }
                let names = methods(class).map(|method| method.name.as_str());
                let names = names.collect::<Vec<_>>().join(" ");
                self.made(class, format!("_rlm_named('{names}')"), "rows");
            }
            Some("TypedDict") => {
                let total = arguments.find_keyword("total");
                let total = total.is_none_or(|total| self.text(total.value.range()) == "True");
                let total = if total { "True" } else { "False" };
                self.made(class, format!("_rlm_typed({total})"), "rows");
            }
            _ => {
                let (message, hint) = inherited(arguments.args.first().map_or("", last_name));
                self.refuse(message, hint, arguments.range());
                return false;
            }
        }
        let range = arguments.range();
        self.rewrote("class", class.name.range(), "");
        self.replace_range(range, "");
        true
    }

    /// Puts a decorator of ours in front of `class`.
    pub(super) fn made(&mut self, class: &StmtClassDef, decorator: String, helper: &'static str) {
        let keyword = self.class_keyword(class);
        let indent = self.indent(keyword).unwrap_or_default().to_owned();
        self.rewrote("class", class.name.range(), helper);
        self.insert(keyword, format!("@{decorator}\n{indent}"));
    }

    /// Where the word `class` stands.
    pub(super) fn class_keyword(&self, class: &StmtClassDef) -> u32 {
        let name = class.name.range().start().to_usize();
        self.source[..name].rfind("class").unwrap_or(name) as u32
    }

    /// A class of which there can be no instances.
    fn abstracted(&mut self, class: &StmtClassDef, is_protocol: bool) {
        let mut names: Vec<_> = methods(class)
            .filter(|method| decorators::is_abstract(method))
            .map(|method| method.name.as_str())
            .collect();
        names.sort_unstable();
        if names.is_empty() && !is_protocol {
            return;
        }
        let names = if is_protocol {
            String::new()
        } else {
            names.join(" ")
        };
        let outer = self.class_keyword(class);
        let outer = self.indent(outer).unwrap_or_default();
        let name = class.name.as_str();
        let line = format!("\n{outer}{name}.__init__=_rlm_abstract('{name}','{names}')");
        let at = self.line_end(class.range().end().to_u32());
        self.ends.push((at, line));
        self.rewrote("class", class.name.range(), "rows");
    }
}

/// Why a class cannot have such a base, and what to do instead.
fn inherited(base: &str) -> (&'static str, &'static str) {
    match base {
        _ if base.ends_with("Error") || base.ends_with("Exception") || base == "Warning" => (
            "a class of exceptions of your own",
            "give it nothing but values, __init__, __str__, plain methods and properties, which use self only for its attributes, or raise a builtin exception, as in raise ValueError('parse error: ...')",
        ),
        "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" => (
            "an Enum",
            "use plain constants or a dict of names and values",
        ),
        "NamedTuple" => (
            "a class that inherits from NamedTuple",
            "use collections.namedtuple or a @dataclass",
        ),
        "ABC" | "Protocol" | "Generic" => (
            "a class that inherits from several",
            "keep one base, or leave the bases out: any object with the methods will do",
        ),
        "dict" | "list" | "str" | "set" | "tuple" | "int" | "float" | "OrderedDict"
        | "defaultdict" | "Counter" | "UserDict" => (
            "a class that inherits from a builtin type",
            "keep one in an attribute and write the methods that you need",
        ),
        _ => (
            "a class that inherits from another",
            "write functions, or put an instance of the other class into an attribute and call its methods",
        ),
    }
}
