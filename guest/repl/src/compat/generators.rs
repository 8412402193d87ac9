//! Generator functions. Monty has none. The body of one is told, in parts that
//! are small functions over its variables, to an object that works them off up
//! to the next `yield`; see `prelude/compat/generators.py`.
//!
//! The lines that are put between stand one space deeper than the `def`, so that
//! the lines of the script keep their own places below them.

use std::collections::BTreeSet;

use ruff_python_ast::{
    ExceptHandler, Expr, Stmt, StmtFor, StmtFunctionDef, StmtIf, StmtTry, StmtWith,
};
use ruff_text_size::{Ranged, TextRange};

use super::names::Names;
use super::{Pass, flow};
use crate::edits::Change;

const ALONE: &str = "give what yield gives a name, as in x = yield y";

/// A generator function that is taken apart.
struct Taken<'a> {
    /// What stands before each line of ours.
    margin: String,
    /// What its small functions are called.
    part: String,
    own: BTreeSet<&'a str>,
    global: BTreeSet<&'a str>,
    /// What has to come before the next line of ours.
    first: String,
}

impl Taken<'_> {
    /// The head of a small function that binds `names`; `deep` stands before its lines.
    fn head(&self, names: &BTreeSet<&str>, parameter: &str, deep: &str) -> String {
        let Self { margin, part, .. } = self;
        let mut head = format!("{margin}def {part}({parameter}):\n");
        for (word, of) in [("nonlocal", &self.own), ("global", &self.global)] {
            let names: Vec<_> = names.intersection(of).copied().collect();
            if !names.is_empty() {
                head.push_str(&format!("{deep}{word} {}\n", names.join(",")));
            }
        }
        head
    }

    /// The beginning of one that gives what `expr` is.
    fn giving(&self, expr: &Expr) -> String {
        let deep = format!("{} ", self.margin);
        let head = self.head(&Names::of_expr(expr).bound, "", &deep);
        format!("{head}{deep}return (")
    }

    /// The beginning of one that is given a value for `target`.
    fn taking(&self, target: &Expr) -> String {
        let deep = format!("{} ", self.margin);
        self.head(&Names::of_expr(target).bound, "_rlm_v", &deep) + &deep
    }

    /// A line that tells something about the part before it.
    fn tell(&self, what: &str) -> String {
        format!("{}_rlm_g._{what}", self.margin)
    }

    /// The same for the small function before it.
    fn hand(&self, what: &str) -> String {
        format!("{}_rlm_g._{what}({})", self.margin, self.part)
    }
}

impl<'a> Pass<'a> {
    /// Changes a function that yields.
    pub(super) fn generator(&mut self, function: &'a StmtFunctionDef) {
        if !flow::yields(&function.body) {
            return;
        }
        let range = function.name.range();
        if function.is_async {
            return self.refuse("an asynchronous generator", "return a list", range);
        }
        let indent = self.indent(function.range().start().to_u32());
        let margin = format!("{} ", indent.unwrap_or_default());
        let body = match &function.body[..] {
            [Stmt::Expr(text), rest @ ..] if text.value.is_string_literal_expr() => {
                let end = text.range().end().to_u32();
                let (from, _) = self.lead(text.range().start().to_u32());
                self.replace(from, end, "");
                rest
            }
            body => body,
        };
        let start = body[0].range().start().to_u32();
        if self
            .indent(start)
            .is_some_and(|deep| deep.len() <= margin.len() || !deep.starts_with(&margin))
        {
            return self.refuse(
                "a generator function with lines that are not indented by spaces",
                "indent its lines by four spaces",
                range,
            );
        }
        self.rewrote("generator", range, "generators");
        let names = Names::of(&function.body);
        let given = flow::names(&function.parameters);
        let others = &names.global | &names.nonlocal;
        let made: Vec<_> = names.bound.difference(&others).copied().collect();
        let name = function.name.as_str();
        let guarded = match flow::catches(&function.body) {
            true => "True",
            false => "False",
        };
        let mut first = format!("{margin}_rlm_g=_rlm_steps('{name}',{guarded})\n");
        if !made.is_empty() {
            first.push_str(&format!("{margin}if 0:{}=None\n", made.join("=")));
        }
        let mut taken = Taken {
            part: format!("{}{name}", crate::failure::PART),
            own: &(&given | &names.bound) - &names.global,
            global: names.global,
            margin,
            first,
        };
        let end = function.range().end().to_u32();
        self.ends
            .push((end, format!("\n{}return _rlm_g", taken.margin)));
        self.block(&mut taken, body);
    }

    fn block(&mut self, taken: &mut Taken<'a>, body: &'a [Stmt]) {
        let mut rest = body;
        while let Some(stmt) = rest.first() {
            // One behind another on its line has no indent that those on lines of their own could have.
            let is_behind = |stmt: &Stmt| self.indent(stmt.range().start().to_u32()).is_none();
            let is_first_behind = is_behind(stmt);
            let plain = rest
                .iter()
                .take_while(|stmt| flow::is_plain(stmt) && (!is_first_behind || is_behind(stmt)));
            let plain = plain.count();
            if plain > 0 {
                self.run(taken, &rest[..plain]);
            } else {
                self.step(taken, stmt);
            }
            rest = &rest[plain.max(1)..];
        }
    }

    /// Statements that run from their first to their last.
    fn run(&mut self, taken: &mut Taken<'a>, body: &'a [Stmt]) {
        let (start, end) = (body[0].range().start(), body[body.len() - 1].range().end());
        let (from, before) = self.lead(start.to_u32());
        let first = std::mem::take(&mut taken.first);
        let deep = match self.indent(start.to_u32()) {
            Some(indent) => indent.to_owned(),
            None => format!("{} ", taken.margin),
        };
        let head = taken.head(&Names::of(body).bound, "", &deep);
        self.replace(from, start.to_u32(), format!("{before}{first}{head}{deep}"));
        self.ends
            .push((end.to_u32(), format!("\n{}", taken.hand("do"))));
    }

    /// Where the line of a statement begins; or, behind another on its line,
    /// where that ends, and a line end.
    fn lead(&self, start: u32) -> (u32, &'static str) {
        if let Some(indent) = self.indent(start) {
            return (start - indent.len() as u32, "");
        }
        let before = self.source[..start as usize].trim_end_matches([' ', '\t']);
        (before.len() as u32, "\n")
    }

    /// Replaces what stands from the beginning of a statement's line up to `until`.
    fn cut(&mut self, taken: &mut Taken<'a>, start: u32, until: u32, text: &str) {
        let (from, before) = self.lead(start);
        let first = std::mem::take(&mut taken.first);
        self.replace(from, until, format!("{before}{first}{text}"));
    }

    /// One that may be left in its midst.
    fn step(&mut self, taken: &mut Taken<'a>, stmt: &'a Stmt) {
        let (start, end) = (stmt.range().start().to_u32(), stmt.range().end().to_u32());
        match stmt {
            Stmt::Global(_) | Stmt::Nonlocal(_) => {
                let margin = taken.margin.clone();
                self.cut(taken, start, start, &margin);
            }
            Stmt::Break(_) => self.cut(taken, start, end, &taken.tell("leave('break')")),
            Stmt::Continue(_) => self.cut(taken, start, end, &taken.tell("leave('continue')")),
            Stmt::Raise(_) => self.cut(taken, start, end, &taken.tell("leave('raise')")),
            Stmt::Return(inner) => match &inner.value {
                None => self.cut(taken, start, end, &taken.tell("leave('return')")),
                Some(value) => {
                    let word = start + "return".len() as u32;
                    self.cut(taken, start, word, &taken.giving(value));
                    let told = format!("leave('return',{})", taken.part);
                    let text = format!(")\n{}", taken.tell(&told));
                    self.close(end, text);
                }
            },
            Stmt::Expr(inner) => {
                self.give(taken, start, &inner.value, end, String::new());
            }
            Stmt::Assign(inner) if inner.targets.len() == 1 => {
                let target = &inner.targets[0];
                let at = target.range();
                self.cut(taken, start, at.start().to_u32(), &taken.taking(target));
                let bound = format!("=_rlm_v\n{}\n", taken.hand("into"));
                self.give(taken, at.end().to_u32(), &inner.value, end, bound);
            }
            Stmt::If(inner) => self.choice(taken, inner),
            Stmt::While(inner) if !flow::yields_in(&inner.test) => {
                self.ends.push((end, format!("\n{}", taken.tell("end()"))));
                self.head(taken, start, "while", &inner.test, taken.hand("loop"));
                self.block(taken, &inner.body);
                self.otherwise(taken, &inner.body, &inner.orelse, "else", "otherwise()");
            }
            Stmt::For(inner) if !inner.is_async && !flow::yields_in(&inner.iter) => {
                self.each(taken, inner);
            }
            Stmt::With(inner) if !inner.is_async => self.within(taken, inner),
            Stmt::Try(inner) if !inner.is_star => self.attempt(taken, inner),
            _ => self.refuse("yield inside of this statement", ALONE, stmt.range()),
        }
    }

    /// A `yield`; what stands from `from` up to it gives way to `before`.
    fn give(&mut self, taken: &mut Taken<'a>, from: u32, expr: &'a Expr, end: u32, before: String) {
        let (value, word, told) = match expr {
            Expr::Yield(inner) => (inner.value.as_deref(), "yield", "give"),
            Expr::YieldFrom(inner) => (Some(&*inner.value), "from", "over"),
            _ => return self.refuse("yield inside of an expression", ALONE, expr.range()),
        };
        if value.is_some_and(flow::yields_in) {
            return self.refuse("yield inside of an expression", ALONE, expr.range());
        }
        let start = expr.range().start().to_u32();
        let (until, text) = match value {
            None => (end, format!("{before}{}", taken.tell("give(None)"))),
            Some(value) => (
                self.find(start, word) + word.len() as u32,
                format!("{before}{}", taken.giving(value)),
            ),
        };
        match before.is_empty() {
            true => self.cut(taken, from, until, &text),
            false => self.replace(from, until, text),
        }
        if value.is_some() {
            let done = expr.range().end().to_u32();
            let text = format!(")\n{}", taken.hand(told));
            self.closings.push(Change::new(done, end - done, text));
        }
    }

    /// The head of a compound statement, `word`, an expression and a colon; `told`
    /// is what follows.
    fn head(
        &mut self,
        taken: &mut Taken<'a>,
        start: u32,
        word: &str,
        expr: &'a Expr,
        told: String,
    ) {
        if flow::yields_in(expr) {
            return self.refuse("yield inside of an expression", ALONE, expr.range());
        }
        self.cut(taken, start, start + word.len() as u32, &taken.giving(expr));
        self.colon(expr.range(), format!(")\n{told}"));
    }

    /// Puts `text` in the place of the colon after `range`.
    fn colon(&mut self, range: TextRange, text: String) {
        let colon = self.find(range.end().to_u32(), ":");
        self.closings.push(Change::new(colon, 1, text));
    }

    pub(super) fn find(&self, from: u32, what: &str) -> u32 {
        from + self.source[from as usize..].find(what).unwrap_or(0) as u32
    }

    fn past_space(&self, from: u32) -> u32 {
        let rest = &self.source[from as usize..];
        from + (rest.len() - rest.trim_start_matches([' ', '\t']).len()) as u32
    }

    /// A clause that is nothing but a word and a colon, after `body`.
    fn otherwise(
        &mut self,
        taken: &mut Taken<'a>,
        body: &'a [Stmt],
        clause: &'a [Stmt],
        word: &str,
        told: &str,
    ) {
        let (Some(last), false) = (body.last(), clause.is_empty()) else {
            return;
        };
        // Comments may stand between.
        let mut at = last.range().end().to_u32();
        for line in self.source[at as usize..].split_inclusive('\n') {
            if line.trim_start().starts_with(word) {
                break;
            }
            at += line.len() as u32;
        }
        let (word, colon) = (self.past_space(at), self.find(at, ":"));
        self.cut(taken, word, colon + 1, &taken.tell(told));
        self.block(taken, clause);
    }

    fn choice(&mut self, taken: &mut Taken<'a>, stmt: &'a StmtIf) {
        let end = stmt.range().end().to_u32();
        self.ends.push((end, format!("\n{}", taken.tell("end()"))));
        self.head(
            taken,
            stmt.range().start().to_u32(),
            "if",
            &stmt.test,
            taken.hand("when"),
        );
        self.block(taken, &stmt.body);
        for clause in &stmt.elif_else_clauses {
            let start = clause.range().start().to_u32();
            match &clause.test {
                Some(test) => self.head(taken, start, "elif", test, taken.hand("orwhen")),
                None => {
                    let colon = self.find(start, ":");
                    self.cut(taken, start, colon + 1, &taken.tell("otherwise()"));
                }
            }
            self.block(taken, &clause.body);
        }
    }

    fn each(&mut self, taken: &mut Taken<'a>, stmt: &'a StmtFor) {
        let (start, end) = (stmt.range().start().to_u32(), stmt.range().end().to_u32());
        self.taken_apart.insert(start);
        self.ends.push((end, format!("\n{}", taken.tell("end()"))));
        let target = self.past_space(start + "for".len() as u32);
        self.cut(taken, start, target, &taken.taking(&stmt.target));
        let word = self.find(stmt.target.range().end().to_u32(), "in");
        let bound = format!("=_rlm_v\n{}\n", taken.hand("into"));
        let text = format!("{bound}{}", taken.giving(&stmt.iter));
        self.replace(word, word + "in".len() as u32, text);
        let passing = if stmt.iter.is_call_expr() {
            "True"
        } else {
            "False"
        };
        let told = format!("each({},{passing})", taken.part);
        self.colon(stmt.iter.range(), format!(")\n{}", taken.tell(&told)));
        self.block(taken, &stmt.body);
        self.otherwise(taken, &stmt.body, &stmt.orelse, "else", "otherwise()");
    }

    fn within(&mut self, taken: &mut Taken<'a>, stmt: &'a StmtWith) {
        let (start, end) = (stmt.range().start().to_u32(), stmt.range().end().to_u32());
        let word = start + "with".len() as u32;
        let first = stmt.items[0].context_expr.range().start().to_usize();
        let yields = stmt
            .items
            .iter()
            .any(|item| flow::yields_in(&item.context_expr));
        if yields || self.source[word as usize..first].contains('(') {
            return self.refuse(
                "yield inside of a with statement in parentheses",
                "write a with statement for each, one inside of the other",
                stmt.range(),
            );
        }
        self.cut(
            taken,
            start,
            word,
            &taken.giving(&stmt.items[0].context_expr),
        );
        for (index, item) in stmt.items.iter().enumerate() {
            self.ends.push((end, format!("\n{}", taken.tell("end()"))));
            let mut text = format!(")\n{}", taken.hand("within"));
            if let Some(target) = &item.optional_vars {
                let word = self.find(item.context_expr.range().end().to_u32(), "as");
                let until = self.past_space(word + "as".len() as u32);
                self.replace(word, until, format!("{text}\n{}", taken.taking(target)));
                text = format!("=_rlm_v\n{}", taken.hand("bind"));
            }
            match stmt.items.get(index + 1) {
                None => self.colon(item.range(), text),
                Some(next) => {
                    let comma = self.find(item.range().end().to_u32(), ",");
                    let text = format!("{text}\n{}", taken.giving(&next.context_expr));
                    self.closings.push(Change::new(comma, 1, text));
                }
            }
        }
        self.block(taken, &stmt.body);
    }

    fn attempt(&mut self, taken: &mut Taken<'a>, stmt: &'a StmtTry) {
        let (start, end) = (stmt.range().start().to_u32(), stmt.range().end().to_u32());
        self.ends.push((end, format!("\n{}", taken.tell("end()"))));
        self.taken_apart.insert(start);
        let colon = self.find(start, ":");
        self.cut(taken, start, colon + 1, &taken.tell("attempt()"));
        self.block(taken, &stmt.body);
        let mut last = &stmt.body[..];
        for handler in &stmt.handlers {
            let ExceptHandler::ExceptHandler(inner) = handler;
            let start = inner.range().start().to_u32();
            match &inner.type_ {
                None => {
                    let colon = self.find(start, ":");
                    self.cut(taken, start, colon + 1, &taken.tell("handle(None)"));
                }
                Some(kinds) => {
                    let mut told = taken.hand("handle");
                    if let Some(name) = &inner.name {
                        let from = kinds.range().end().to_u32();
                        let (word, colon) = (self.find(from, "as"), self.find(from, ":"));
                        // Up to the colon, which the head replaces.
                        self.replace(word, colon, "");
                        let deep = format!("{} ", taken.margin);
                        let head = taken.head(&BTreeSet::from([name.as_str()]), "_rlm_v", &deep);
                        let bind = taken.hand("bind");
                        told.push_str(&format!("\n{head}{deep}{name}=_rlm_v\n{bind}"));
                    }
                    self.head(taken, start, "except", kinds, told);
                }
            }
            self.block(taken, &inner.body);
            last = &inner.body;
        }
        self.otherwise(taken, last, &stmt.orelse, "else", "otherwise()");
        let last = if stmt.orelse.is_empty() {
            last
        } else {
            &stmt.orelse
        };
        self.otherwise(taken, last, &stmt.finalbody, "finally", "lastly()");
    }
}
