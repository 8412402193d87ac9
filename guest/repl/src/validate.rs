//! Validation of a script that does not run.

use std::collections::BTreeSet;

use monty::{MontyRepl, MontyRun};
use monty_types::{BuiltinsFunctions, CompileOptions, ExcType, ResourceTracker};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{ExceptHandler, Expr, ExprContext, Parameter, Pattern, Stmt, TypeParam};

use crate::bindings::exports::rlm::sandbox::repl::{Failure, Settings, Validation};
use crate::caps;
use crate::compat::{self, Habits};
use crate::failure::{Fed, Scripts, plain, refusal, unwrapped};
use crate::functions::Functions;
use crate::hints::{self, Offered};
use crate::modules;
use crate::nesting;
use crate::profile::Profile;
use crate::script::{Around, Script};
use crate::source::normalize;
use crate::survey::{Refusal, captured};
use crate::unfinished;
use crate::wrap::{as_main, wrapped};

/// Builtins that are types, or that Monty's list of functions lacks.
const TYPES: [&str; 36] = [
    "bool",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "iter",
    "list",
    "object",
    "property",
    "range",
    "set",
    "slice",
    "str",
    "tuple",
    "type",
    "ascii",
    "callable",
    "classmethod",
    "delattr",
    "dir",
    "exit",
    "quit",
    "staticmethod",
    "super",
    "vars",
    "Ellipsis",
    "NotImplemented",
    "EOFError",
    "FloatingPointError",
    "IndentationError",
    "UnicodeError",
    "__name__",
    "__file__",
    "__doc__",
];

/// `repl.validate`.
pub fn validate(source: &str, settings: Settings, known: &[String]) -> Validation {
    // Names that a session could not have are nobody's.
    let functions = Functions::new(settings.functions).unwrap_or_default();
    let limit = settings.limits.source_bytes as usize;
    let profile = Profile::from(settings.profile).with_namespaces(&functions);
    let source = normalize(source, profile.fences);
    let checked = checked(&source, limit, &profile, &functions, known);
    let checked = checked.and_then(|parsed| match missing(&parsed, &profile) {
        Some(refused) => Err(Box::new(refusal(
            refused,
            Scripts::default().next_name(),
            &source,
            Offered::of(&profile),
        ))),
        None => Ok(parsed),
    });
    match checked {
        Err(failure) => Validation {
            failure: Some(*failure),
            unknown: Vec::new(),
        },
        Ok(parsed) => {
            let mut names = Names::default();
            names.visit_body(&parsed.syntax().body);
            let disabled = profile.disabled();
            let is_known = |name: &&str| {
                names.bound.contains(name)
                    || functions.defines(name)
                    || known.iter().any(|known| known == name)
                    || profile.origin(name).is_some()
                    || compat::is_exception(name)
                    || (profile.compat && compat::provides(name))
                    || TYPES.contains(name)
                    || name
                        .parse::<BuiltinsFunctions>()
                        .is_ok_and(|builtin| !disabled.contains(builtin))
            };
            // What is evaluated may define anything.
            let evaluates = profile.eval
                && ["eval", "exec"]
                    .iter()
                    .any(|name| names.read.contains(name));
            let unknown = names.read.iter().copied();
            let unknown = unknown.filter(|name| !evaluates && !is_known(name));
            let missing = names.modules.iter().copied();
            let missing = missing.filter(|name| !is_there(name, &profile));
            let unknown: BTreeSet<&str> = unknown.chain(missing).collect();
            Validation {
                failure: None,
                unknown: unknown.into_iter().map(str::to_owned).collect(),
            }
        }
    }
}

fn is_there(module: &str, profile: &Profile) -> bool {
    modules::is_standard(module) || profile.has_namespace(module)
}

/// Returns why a script surely fails: a statement of it imports a module that there is not. What is imported in a block or a
/// function may never be.
fn missing(parsed: &Parsed, profile: &Profile) -> Option<Refusal> {
    let mut imported = parsed.syntax().body.iter().flat_map(|stmt| match stmt {
        Stmt::Import(import) => {
            let names = import.names.iter();
            let modules = names.map(|alias| (alias.name.as_str(), alias.range));
            modules.collect::<Vec<_>>()
        }
        Stmt::ImportFrom(import) if import.level == 0 => {
            let module = import.module.iter();
            let modules = module.map(|module| (module.as_str(), module.range));
            modules.collect()
        }
        _ => Vec::new(),
    });
    let (module, range) = imported.find(|(module, _)| !is_there(module, profile))?;
    Some(Refusal {
        kind: ExcType::ModuleNotFoundError.into(),
        cause: "import-missing",
        message: format!("No module named '{module}' (import failed)"),
        range,
        hint: Some(hints::missing_module(module)),
    })
}

/// `repl.wrap`.
pub fn wrap(source: &str, settings: Settings) -> Result<String, Box<Failure>> {
    let limit = settings.limits.source_bytes as usize;
    let functions = Functions::new(settings.functions).unwrap_or_default();
    let profile = Profile::from(settings.profile).with_namespaces(&functions);
    let source = normalize(source, profile.fences);
    let parsed = checked(&source, limit, &profile, &functions, &[])?;
    Ok(wrapped(&source, &parsed).unwrap_or_else(|| source.into_owned()))
}

/// The name of a script that is only compiled.
const SCRIPT: &str = "<script>";

type Parsed = ruff_python_parser::Parsed<ruff_python_ast::ModModule>;

/// Parses and checks a script. `known` are the names that its session has bound.
fn checked(
    source: &str,
    limit: usize,
    profile: &Profile,
    functions: &Functions,
    known: &[String],
) -> Result<Parsed, Box<Failure>> {
    if let Some(failure) = unreadable(source, limit) {
        return Err(failure);
    }
    let options = CompileOptions {
        source_scan_threshold: 0,
        ..CompileOptions::default()
    };
    let repl = MontyRepl::new("<validation>", ResourceTracker::default(), options);
    let mut scripts = Scripts::default();
    let offered = Offered::of(profile);
    if let Err(error) = repl.check_source(source) {
        return Err(Box::new(scripts.failure(&error, usize::MAX, offered)));
    }
    if let Err(refused) = nesting::check(source) {
        return Err(Box::new(refusal(
            refused,
            scripts.next_name(),
            source,
            offered,
        )));
    }
    match ruff_python_parser::parse_module(source) {
        Ok(parsed) => {
            if let Err(refused) = caps::check_tokens(source, parsed.tokens()) {
                return Err(Box::new(refusal(
                    refused,
                    scripts.next_name(),
                    source,
                    offered,
                )));
            }
            let main = match profile.wraps_return {
                true => as_main(source, &parsed),
                false => None,
            };
            let (text, module) = match &main {
                Some((text, module)) => (text.as_str(), module),
                None => (source, &parsed),
            };
            let mut names = known.to_vec();
            names.sort_unstable();
            let models = profile.models().map(str::to_owned);
            let asking = functions.names().cloned().chain(models).collect();
            let habits = Habits::default();
            let around = Around {
                profile,
                functions: &asking,
                asking: &BTreeSet::new(),
                known: None,
                names: &names,
                value_bytes: 0,
                wrapped: main.is_some(),
                habits: profile.compat.then_some(&habits),
                has_pools: false,
            };
            let script = match Script::new(text, module, &around) {
                Ok(script) => script,
                Err(refused) => {
                    let failure = refusal(refused, scripts.next_name(), text, offered);
                    return Err(Box::new(match main {
                        Some(_) => unwrapped(failure),
                        None => failure,
                    }));
                }
            };
            let fed = Fed {
                source: source.into(),
                text: &script.fed,
                edits: script.edits,
                awaited: Vec::new(),
                defines_code: false,
            };
            scripts.put(SCRIPT.to_owned(), fed);
            // What Monty's compiler has against it, as that a class inherits.
            match MontyRun::new(script.fed, SCRIPT, Vec::new(), options) {
                Ok(_) => Ok(parsed),
                Err(error) => Err(Box::new(scripts.failure(&error, usize::MAX, offered))),
            }
        }
        Err(error) => {
            let refused = unfinished::refusal(source, &error).unwrap_or_else(|| {
                let mut text = error.error.to_string();
                if let Some(first) = text.get(..1) {
                    text.replace_range(..1, &first.to_uppercase());
                }
                Refusal {
                    kind: ExcType::SyntaxError.into(),
                    cause: "syntax",
                    message: text,
                    range: error.location,
                    hint: None,
                }
            });
            Err(Box::new(refusal(
                refused,
                scripts.next_name(),
                source,
                offered,
            )))
        }
    }
}

/// Why a source cannot even be parsed, if so.
pub(crate) fn unreadable(source: &str, limit: usize) -> Option<Box<Failure>> {
    let (kind, message) = if source.len() > limit {
        let message = format!("source is too long: {} bytes > {limit} bytes", source.len());
        ("SyntaxError", message)
    } else if source.contains('\0') {
        (
            "SyntaxError",
            String::from("source code string cannot contain null bytes"),
        )
    } else {
        return None;
    };
    Some(Box::new(plain(kind, "source", message)))
}

/// Names that a script reads, those that it binds anywhere, and modules that it cannot do without.
#[derive(Default)]
struct Names<'a> {
    read: BTreeSet<&'a str>,
    bound: BTreeSet<&'a str>,
    modules: BTreeSet<&'a str>,
    /// The depth of `try` statements with handlers, which may do without what is imported in them.
    handled: u32,
}

impl<'a> Visitor<'a> for Names<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(function) => {
                self.bound.insert(function.name.as_str());
            }
            Stmt::ClassDef(class) => {
                self.bound.insert(class.name.as_str());
            }
            Stmt::Try(tried) if !tried.handlers.is_empty() => {
                self.handled += 1;
                visitor::walk_stmt(self, stmt);
                self.handled -= 1;
                return;
            }
            Stmt::Import(import) => {
                if self.handled == 0 {
                    self.modules
                        .extend(import.names.iter().map(|alias| alias.name.as_str()));
                }
                for alias in &import.names {
                    let bound = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    self.bound.insert(bound.split('.').next().unwrap_or(bound));
                }
            }
            Stmt::ImportFrom(import) => {
                if self.handled == 0 && import.level == 0 {
                    self.modules
                        .extend(import.module.as_ref().map(|module| module.as_str()));
                }
                for alias in &import.names {
                    self.bound
                        .insert(alias.asname.as_ref().unwrap_or(&alias.name).as_str());
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr {
            match name.ctx {
                ExprContext::Load => self.read.insert(name.id.as_str()),
                _ => self.bound.insert(name.id.as_str()),
            };
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_annotation(&mut self, _: &'a Expr) {
        // Nobody looks at it.
    }

    fn visit_type_param(&mut self, parameter: &'a TypeParam) {
        self.bound.insert(parameter.name().as_str());
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.bound.insert(parameter.name.as_str());
        visitor::walk_parameter(self, parameter);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        self.bound
            .extend(inner.name.as_ref().map(|name| name.as_str()));
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        self.bound
            .extend(captured(pattern).map(|name| name.as_str()));
        visitor::walk_pattern(self, pattern);
    }
}
