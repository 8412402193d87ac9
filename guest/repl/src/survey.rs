//! One walk over a script, and what the REPL needs to know of it.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    ExceptHandler, Expr, ExprCall, ExprContext, Parameter, Pattern, Stmt, TypeParam,
};
use ruff_text_size::{Ranged, TextRange};

use crate::bindings::exports::rlm::sandbox::repl::Syntax;
use crate::callbacks;
use crate::hints;
use crate::modules;
use crate::profile::Profile;
use crate::script::PREFIX;

/// The exception for a script that may not run.
const NO_AWAIT: &str = "Code contains 'await' which is not supported in Monty. Remove 'await' keywords — external \
                        function calls are synchronous in Monty.";

/// Why a script may not run, and where.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) kind: &'static str,
    pub(crate) cause: &'static str,
    pub(crate) message: String,
    pub(crate) range: TextRange,
    /// A replacement to write.
    pub(crate) hint: Option<&'static str>,
}

/// Keywords of Python. A name can only be one if it is written in letters that Python
/// normalises, as `𝐢𝐟`.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// True if a script binds a name at its top level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Binds {
    #[default]
    No,
    /// Names that are bound by plain assignments in blocks that may not run; each is marked.
    Marked,
    /// Names that are bound by a plain assignment that surely runs.
    Surely,
}

/// The findings.
#[derive(Debug)]
pub(crate) struct Survey<'a> {
    profile: &'a Profile,
    /// Names of the session's own in its text literals, where it may evaluate them.
    pub(crate) spoken: BTreeSet<String>,
    /// Names of the session's own that it reads or binds.
    pub(crate) mentioned: BTreeSet<&'a str>,
    /// Names that it binds for everybody.
    pub(crate) stores: BTreeSet<&'a str>,
    /// Names that its functions may bind for everybody, now or later.
    pub(crate) later: BTreeSet<&'a str>,
    /// True if it may bind names that cannot be seen in its text, now or, by
    /// its functions, later.
    pub(crate) stores_unseen: bool,
    /// True if something of it can run later: functions, classes, lambdas.
    pub(crate) defines_code: bool,
    /// True if it defines functions that run as tasks.
    pub(crate) defines_async: bool,
    /// `return` statements outside of any function.
    pub(crate) returns: Vec<TextRange>,
    pub(crate) refusal: Option<Refusal>,
    /// Statements that import a module of ours.
    pub(crate) imports: Vec<&'a Stmt>,
    /// Modules of ours that it imports.
    pub(crate) modules: BTreeSet<&'static str>,
    /// Arguments of `eval` and `exec`, and whether names of their own are among them.
    pub(crate) evaluated: Vec<(TextRange, bool)>,
    /// Calls of builtins that take a callback.
    pub(crate) callbacks: Vec<&'a ExprCall>,
    /// Addresses of expressions that native code goes through, which cannot wait.
    blocking: BTreeSet<usize>,
    /// `return_value` and `result`.
    pub(crate) results: [Binds; 2],
    /// Where the marks for [`Binds::Marked`] go, and for which of the two.
    pub(crate) marks: Vec<(u32, usize)>,
    /// True if the script may unbind one of the two after it has bound it.
    pub(crate) unbinds_results: bool,
    /// Functions, lambdas and classes around.
    depth: u32,
    /// Blocks around that may not run.
    blocks: u32,
    /// Bodies of `try` statements with handlers around.
    guards: u32,
}

/// Names whose value is the value of a script that binds them, and their marks.
pub(crate) const RESULTS: [(&str, &str); 2] = [
    ("return_value", "_rlm_returned"),
    ("result", "_rlm_resulted"),
];

impl<'a> Survey<'a> {
    pub(crate) fn of(body: &'a [Stmt], profile: &'a Profile) -> Self {
        let mut survey = Self {
            profile,
            spoken: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            stores: BTreeSet::new(),
            later: BTreeSet::new(),
            stores_unseen: false,
            defines_code: false,
            defines_async: false,
            returns: Vec::new(),
            refusal: None,
            imports: Vec::new(),
            modules: BTreeSet::new(),
            evaluated: Vec::new(),
            callbacks: Vec::new(),
            blocking: BTreeSet::new(),
            results: [Binds::No; 2],
            marks: Vec::new(),
            unbinds_results: false,
            depth: 0,
            blocks: 0,
            guards: 0,
        };
        survey.visit_body(body);
        survey.unbinds_results |= !survey.evaluated.is_empty();
        survey
    }

    fn refuse(
        &mut self,
        kind: &'static str,
        cause: &'static str,
        message: String,
        range: TextRange,
    ) {
        self.refusal.get_or_insert(Refusal {
            kind,
            cause,
            message,
            range,
            hint: None,
        });
    }

    fn refuse_syntax(&mut self, syntax: Syntax, range: TextRange) {
        if !self.profile.refuses(syntax) {
            return;
        }
        let word = match syntax {
            Syntax::Await => {
                return self.refuse("ValueError", "policy", NO_AWAIT.to_owned(), range);
            }
            Syntax::Class => "class",
            Syntax::Decorator => "a decorator",
            Syntax::Match => "match",
            Syntax::Lambda => "lambda",
            Syntax::Try => "try",
            Syntax::With => "with",
        };
        let message = format!("{word} is not allowed in this sandbox");
        self.refuse("SyntaxError", "policy", message, range);
    }

    /// Refuses `async` where `await` is refused, in the same words.
    fn refuse_async(&mut self, range: TextRange) {
        self.refuse_syntax(Syntax::Await, range);
        if let Some(refusal) = &mut self.refusal
            && refusal.range == range
        {
            refusal.hint = Some(
                "`async` is refused as `await` is: write def, for and with without it, and call functions without await",
            );
        }
    }

    /// Notes a name that is read or bound.
    fn mention(&mut self, name: &'a str, range: TextRange) {
        if self.profile.origin(name).is_some() {
            self.mentioned.insert(name);
        }
        // Other letters take more bytes than the ASCII that they are read as.
        if usize::from(range.len()) != name.len() && KEYWORDS.contains(&name) {
            let message =
                format!("a name in other letters reads as the keyword {name}; choose another one");
            self.refuse("SyntaxError", "source", message, range);
        }
        if name.starts_with(PREFIX) {
            let message = format!("'{name}': names that begin with {PREFIX} are the sandbox's own");
            self.refuse("NameError", "policy", message, range);
        }
    }

    fn load(&mut self, name: &'a str, range: TextRange) {
        self.mention(name, range);
        if self.profile.eval && matches!(name, "exec" | "eval") {
            let message = format!("{name} can only be called, as {name}(source)");
            self.refuse("NameError", "policy", message, range);
        }
    }

    /// Visits the body of a function or class.
    fn visit_nested(&mut self, body: &'a [Stmt]) {
        self.depth += 1;
        self.visit_body(body);
        self.depth -= 1;
    }

    /// Notes what native code goes through.
    fn blocks(&mut self, expr: &Expr) {
        if let Expr::Call(call) = expr {
            self.blocking.insert(std::ptr::from_ref(call) as usize);
            if callbacks::is_lazy(call) {
                call.arguments.args.iter().for_each(|arg| self.blocks(arg));
            }
        }
    }

    /// Returns whether native code goes through what a call gives.
    pub(crate) fn is_blocking(&self, call: &ExprCall) -> bool {
        self.blocking.contains(&(std::ptr::from_ref(call) as usize))
    }

    /// Notes a name that may be unbound, at any depth: functions have `global` statements.
    fn unbind(&mut self, name: &str) {
        self.unbinds_results |= RESULTS.iter().any(|(result, _)| *result == name);
    }

    fn store(&mut self, name: &'a str, range: TextRange) {
        self.mention(name, range);
        if self.depth > 0 {
            return;
        }
        self.stores.insert(name);
    }

    fn import(&mut self, module: &'a str, range: TextRange) {
        if let Some(message) = self.profile.denial(module) {
            if self.guards > 0 && self.profile.denies_late() {
                return;
            }
            self.refuse("ImportError", "import-denied", message, range);
            if let Some(refusal) = &mut self.refusal {
                refusal.hint = refusal.hint.or(hints::package(module));
            }
        }
    }

    /// Notes what plain assignments to the two names of results do.
    fn assign(&mut self, targets: &'a [Expr], end: u32) {
        if self.depth > 0 {
            return;
        }
        for (index, (name, _)) in RESULTS.iter().enumerate() {
            if !targets.iter().any(|target| binds(target, name)) {
                continue;
            }
            let how = &mut self.results[index];
            if self.blocks == 0 {
                *how = Binds::Surely;
            } else {
                self.marks.push((end, index));
                if *how == Binds::No {
                    *how = Binds::Marked;
                }
            }
        }
    }
}

fn binds(target: &Expr, name: &str) -> bool {
    match target {
        Expr::Name(target) => target.id.as_str() == name,
        Expr::Tuple(tuple) => tuple.elts.iter().any(|target| binds(target, name)),
        Expr::List(list) => list.elts.iter().any(|target| binds(target, name)),
        Expr::Starred(starred) => binds(&starred.value, name),
        _ => false,
    }
}

impl<'a> Visitor<'a> for Survey<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let (mut nested, mut block) = (false, false);
        let end = stmt.range().end().to_u32();
        match stmt {
            Stmt::FunctionDef(function) => {
                nested = true;
                self.store(function.name.as_str(), function.name.range());
                if function.is_async {
                    self.defines_async = true;
                    self.refuse_async(function.name.range());
                }
                if let Some(decorator) = function.decorator_list.first() {
                    self.refuse_syntax(Syntax::Decorator, decorator.range());
                }
            }
            Stmt::ClassDef(class) => {
                nested = true;
                self.refuse_syntax(Syntax::Class, class.name.range());
                if let Some(decorator) = class.decorator_list.first() {
                    self.refuse_syntax(Syntax::Decorator, decorator.range());
                }
                self.store(class.name.as_str(), class.name.range());
            }
            Stmt::Return(statement) if self.depth == 0 => self.returns.push(statement.range()),
            Stmt::Assign(assign) => {
                let is_slice = |target: &Expr| matches!(target, Expr::Subscript(subscript) if subscript.slice.is_slice_expr());
                if assign.targets.iter().any(is_slice) {
                    self.blocks(&assign.value);
                }
                self.assign(&assign.targets, end);
            }
            Stmt::AugAssign(assign) => {
                // It is read, too, and an operator of a script is given its value.
                if let Expr::Name(name) = &*assign.target {
                    self.load(name.id.as_str(), name.range());
                }
                self.assign(std::slice::from_ref(&assign.target), end);
            }
            Stmt::AnnAssign(assign) if assign.value.is_some() => {
                self.assign(std::slice::from_ref(&assign.target), end);
            }
            Stmt::Import(import) => {
                let mut is_ours = false;
                for alias in &import.names {
                    self.import(alias.name.as_str(), import.range());
                    self.modules.extend(modules::find(alias.name.as_str()));
                    is_ours |= modules::find(alias.name.as_str()).is_some();
                    let bound = alias
                        .asname
                        .as_ref()
                        .map_or(alias.name.as_str(), |name| name.as_str());
                    self.store(bound.split('.').next().unwrap_or(bound), alias.range());
                }
                if is_ours {
                    self.imports.push(stmt);
                }
            }
            Stmt::ImportFrom(import) => {
                if let Some(module) = &import.module {
                    self.import(module.as_str(), import.range());
                    let names = import.names.iter().map(|alias| alias.name.as_str());
                    let ours: Vec<_> = names
                        .filter_map(|name| modules::find_member(module.as_str(), name))
                        .collect();
                    if !ours.is_empty() && import.level == 0 {
                        self.modules.extend(ours);
                        self.imports.push(stmt);
                    }
                }
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.store(name.as_str(), alias.range());
                }
            }
            Stmt::Global(global) => {
                self.stores_unseen = true;
                for name in &global.names {
                    self.mention(name.as_str(), global.range());
                    self.stores.insert(name.as_str());
                    if self.depth > 0 {
                        self.later.insert(name.as_str());
                    }
                }
            }
            Stmt::If(_) | Stmt::While(_) => block = true,
            Stmt::For(statement) => {
                block = true;
                if statement.is_async {
                    self.refuse_async(statement.range());
                }
            }
            Stmt::With(statement) => {
                block = true;
                let syntax = if statement.is_async {
                    Syntax::Await
                } else {
                    Syntax::With
                };
                self.refuse_syntax(syntax, statement.range());
            }
            Stmt::Try(statement) => {
                block = true;
                self.refuse_syntax(Syntax::Try, statement.range());
            }
            Stmt::Match(statement) => {
                block = true;
                self.refuse_syntax(Syntax::Match, statement.range());
            }
            _ => {}
        }
        self.defines_code |= nested;
        self.blocks += u32::from(block);
        match stmt {
            // All but the body is evaluated around it, and binds there.
            Stmt::FunctionDef(function) => {
                let decorators = function.decorator_list.iter();
                decorators.for_each(|decorator| self.visit_decorator(decorator));
                if let Some(parameters) = &function.type_params {
                    self.visit_type_params(parameters);
                }
                self.visit_parameters(&function.parameters);
                if let Some(returns) = &function.returns {
                    self.visit_annotation(returns);
                }
                self.visit_nested(&function.body);
            }
            Stmt::ClassDef(class) => {
                let decorators = class.decorator_list.iter();
                decorators.for_each(|decorator| self.visit_decorator(decorator));
                if let Some(parameters) = &class.type_params {
                    self.visit_type_params(parameters);
                }
                if let Some(arguments) = &class.arguments {
                    self.visit_arguments(arguments);
                }
                self.visit_nested(&class.body);
            }
            Stmt::Try(statement) if !statement.handlers.is_empty() => {
                self.guards += 1;
                self.visit_body(&statement.body);
                self.guards -= 1;
                for handler in &statement.handlers {
                    self.visit_except_handler(handler);
                }
                self.visit_body(&statement.orelse);
                self.visit_body(&statement.finalbody);
            }
            _ => visitor::walk_stmt(self, stmt),
        }
        self.blocks -= u32::from(block);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) if name.ctx == ExprContext::Load => {
                self.load(name.id.as_str(), name.range());
            }
            Expr::Name(name) => {
                if name.ctx == ExprContext::Del {
                    self.unbind(name.id.as_str());
                }
                self.store(name.id.as_str(), name.range());
            }
            Expr::Lambda(lambda) => {
                self.defines_code = true;
                self.refuse_syntax(Syntax::Lambda, lambda.range());
            }
            // It may be evaluated, and then it names what it names.
            Expr::StringLiteral(text) if self.profile.eval => {
                let is_part = |character: char| character == '_' || character.is_alphanumeric();
                for word in text.value.to_str().split(|character| !is_part(character)) {
                    self.spoken
                        .extend(self.profile.origin(word).map(|_| word.to_owned()));
                }
            }
            Expr::Await(awaited) => self.refuse_syntax(Syntax::Await, awaited.range()),
            Expr::Call(call) => {
                if let Expr::Name(name) = &*call.func
                    && matches!(name.id.as_str(), "eval" | "exec")
                    && self.profile.eval
                {
                    self.stores_unseen = true;
                    if let Some(Expr::Starred(spread)) = call.arguments.args.first() {
                        let message = format!("{} needs its source by itself", name.id);
                        self.refuse("TypeError", "policy", message, spread.range());
                    } else if let Some(first) = call.arguments.args.first() {
                        self.evaluated
                            .push((first.range(), call.arguments.len() > 1));
                    }
                    self.visit_arguments(&call.arguments);
                    return;
                }
                if callbacks::blocks(call) {
                    call.arguments.args.iter().for_each(|arg| self.blocks(arg));
                }
                if callbacks::takes_callback(call) {
                    self.callbacks.push(call);
                }
            }
            _ => {}
        }
        visitor::walk_expr(self, expr);
    }

    fn visit_parameter(&mut self, parameter: &'a Parameter) {
        self.mention(parameter.name.as_str(), parameter.name.range());
        visitor::walk_parameter(self, parameter);
    }

    fn visit_type_param(&mut self, parameter: &'a TypeParam) {
        self.mention(parameter.name().as_str(), parameter.range());
        visitor::walk_type_param(self, parameter);
    }

    fn visit_comprehension(&mut self, comprehension: &'a ruff_python_ast::Comprehension) {
        if comprehension.is_async {
            self.refuse_async(comprehension.range());
        }
        // Its target is its own.
        self.depth += 1;
        self.visit_expr(&comprehension.target);
        self.depth -= 1;
        self.visit_expr(&comprehension.iter);
        comprehension
            .ifs
            .iter()
            .for_each(|condition| self.visit_expr(condition));
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        if let Some(name) = &inner.name {
            self.unbind(name.as_str());
            self.store(name.as_str(), name.range());
        }
        visitor::walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        if let Some(name) = captured(pattern) {
            self.store(name.as_str(), name.range());
        }
        visitor::walk_pattern(self, pattern);
    }
}

/// Returns the name that `pattern` itself binds.
pub(crate) fn captured(pattern: &Pattern) -> Option<&ruff_python_ast::Identifier> {
    match pattern {
        Pattern::MatchAs(inner) => inner.name.as_ref(),
        Pattern::MatchStar(inner) => inner.name.as_ref(),
        Pattern::MatchMapping(inner) => inner.rest.as_ref(),
        _ => None,
    }
}
