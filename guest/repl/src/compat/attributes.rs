//! Attributes that Monty does not have as Python has them, by name: those of functions, of exceptions and of named tuples.
//! They are read and set by functions of ours.

use ruff_python_ast::{
    Expr, ExprAttribute, ExprCall, Stmt, StmtAssign, StmtAugAssign, StmtDelete, StmtFunctionDef,
};
use ruff_text_size::Ranged;

use super::{Pass, Place, methods};

/// Methods of patterns.
pub(super) const OF_PATTERNS: [&str; 8] = [
    "search",
    "match",
    "fullmatch",
    "findall",
    "finditer",
    "sub",
    "subn",
    "groups",
];

impl<'a> Pass<'a> {
    fn is_routed(&self, name: &str) -> bool {
        self.out.habits.properties.contains(name)
    }

    /// An attribute that is read.
    pub(super) fn reads_property(&mut self, attribute: &ExprAttribute) -> bool {
        let name = attribute.attr.as_str();
        if !self.is_routed(name) {
            return false;
        }
        let other = match methods::is_missing(name) {
            true => {
                self.out.helpers.insert("methods");
                ",_rlm_method"
            }
            false => "",
        };
        let end = format!(",'{}'{other})", self.mangled(name));
        self.rewrote("property", attribute.range(), "attributes");
        self.insert(attribute.range().start(), "_rlm_get(");
        let range = attribute.attr.range();
        self.replace(self.dot(attribute), range.end().to_u32(), end);
        true
    }

    /// Where the dot of `attribute` stands; parentheses may close before it.
    pub(super) fn dot(&self, attribute: &ExprAttribute) -> u32 {
        let value = attribute.value.range().end().to_u32();
        let between = &self.source[value as usize..attribute.attr.range().start().to_usize()];
        value + between.rfind('.').unwrap_or(0) as u32
    }

    /// An attribute among the targets of an assignment.
    pub(super) fn targets_property(&mut self, attribute: &ExprAttribute) {
        if !self.is_routed(attribute.attr.as_str()) {
            return;
        }
        let name = self.mangled(attribute.attr.as_str());
        self.rewrote("property", attribute.range(), "attributes");
        self.insert(attribute.range().start(), "_rlm_target(");
        let end = attribute.attr.range().end().to_u32();
        self.replace(self.dot(attribute), end, format!(")['{name}']"));
    }

    /// Assignments to attributes that are not just set.
    pub(super) fn writes_property(&mut self, assign: &StmtAssign) {
        let [target @ Expr::Attribute(attribute)] = &assign.targets[..] else {
            return;
        };
        if !self.is_routed(attribute.attr.as_str()) {
            return;
        }
        let name = self.mangled(attribute.attr.as_str());
        self.stands(target, Place::Done);
        self.rewrote("property", assign.range(), "attributes");
        self.insert(attribute.range().start(), "_rlm_set(");
        let attr = attribute.attr.range().end().to_u32();
        let rest = &self.source[attr as usize..];
        let equals = attr + rest.find('=').unwrap_or(0) as u32;
        self.replace(self.dot(attribute), equals + 1, format!(",'{name}',("));
        self.close(assign.range().end().to_u32(), "))");
    }

    /// `f.calls += 1`, where the attribute is not just set.
    pub(super) fn changes_in_place(&mut self, assign: &'a StmtAugAssign) {
        self.stands(&assign.value, Place::Drained);
        let Expr::Attribute(attribute) = &*assign.target else {
            return;
        };
        self.stands(&assign.target, Place::Done);
        if !self.is_routed(attribute.attr.as_str()) {
            return self.mangle(&attribute.attr, attribute.attr.as_str());
        }
        let target = assign.target.range();
        let word = assign.op.as_str();
        let end = target.end().to_u32();
        let between = &self.source[end as usize..assign.value.range().start().to_usize()];
        let equals = end + between.find('=').unwrap_or(0) as u32 + 1;
        let name = self.mangled(attribute.attr.as_str());
        let text = format!("),'{name}',_rlm_in_place('{word}',_rlm_get(_rlm_t,'{name}'),(");
        self.rewrote("in-place", assign.range(), "attributes");
        // The target may be in brackets.
        let start = assign.range().start().to_u32();
        if start == target.start().to_u32() {
            self.insert(target.start(), "_rlm_set((_rlm_t:=");
        } else {
            self.replace(start, target.start().to_u32(), "_rlm_set((_rlm_t:=");
        }
        self.replace(self.dot(attribute), equals, text);
        self.close(assign.range().end().to_u32(), ")))");
    }

    /// `del f.name`, where the attribute is not just set.
    pub(super) fn delete(&mut self, delete: &StmtDelete) {
        let mut targets = Vec::new();
        flatten(&delete.targets, &mut targets);
        self.out.unbinds |= targets.iter().any(|target| target.is_name_expr());
        let is_routed = |target: &&Expr| matches!(target, Expr::Attribute(attribute) if self.is_routed(attribute.attr.as_str()));
        if !targets.iter().any(is_routed) {
            return;
        }
        let range = delete.range();
        let [Expr::Attribute(attribute)] = targets[..] else {
            return self.refuse(
                "del of an attribute of a function and of something else together",
                "write a del statement for each",
                range,
            );
        };
        let name = self.mangled(attribute.attr.as_str());
        self.rewrote("del", range, "attributes");
        self.replace(
            range.start().to_u32(),
            attribute.range().start().to_u32(),
            "_rlm_del(",
        );
        let end = attribute.attr.range().end().to_u32();
        self.replace(self.dot(attribute), end, format!(",'{name}')"));
        self.stands(targets[0], Place::Done);
    }

    /// Functions of attributes by name. Whether they became functions of ours.
    pub(super) fn by_name(&mut self, call: &ExprCall, function: &str) -> bool {
        let given = match call.arguments.args.get(1) {
            Some(Expr::StringLiteral(text)) => Some(text.value.to_str()),
            _ => None,
        };
        let routed = given.map_or(!self.out.habits.properties.is_empty(), |name| {
            self.is_routed(name)
        });
        let ours = match function {
            "setattr" if routed => "_rlm_set",
            "delattr" => "_rlm_del",
            "getattr" | "hasattr" if routed => {
                if given.is_none_or(methods::is_missing) {
                    self.out.helpers.insert("methods");
                }
                match (function, given.is_none_or(methods::is_missing)) {
                    ("getattr", true) => "_rlm_get_or(_rlm_method)",
                    ("getattr", false) => "_rlm_get_or(getattr)",
                    (_, true) => "_rlm_has(_rlm_method)",
                    (_, false) => "_rlm_has(getattr)",
                }
            }
            _ => return false,
        };
        self.stand_in(call, "attribute", ours, "attributes");
        true
    }

    /// Notes what a function says of itself, where scripts ask for that.
    pub(super) fn described(&mut self, function: &StmtFunctionDef, in_class: bool) {
        let defaults = match self.is_routed("__defaults__") && !in_class {
            true => self.defaults(function),
            false => String::new(),
        };
        if !self.is_routed("__doc__") && defaults.is_empty() {
            return;
        }
        let doc = match function.body.first() {
            Some(Stmt::Expr(first)) if first.value.is_string_literal_expr() => {
                self.text(first.range()).to_owned()
            }
            _ => String::from("None"),
        };
        let name = function.name.as_str();
        let start = function
            .decorator_list
            .last()
            .map_or(function.range().start(), |last| last.range().end());
        let word = if function.is_async { "async" } else { "def" };
        let found = self.source[start.to_usize()..].find(word).unwrap_or(0);
        let keyword = start.to_u32() + found as u32;
        let Some(indent) = self.indent(keyword).map(str::to_owned) else {
            return;
        };
        self.rewrote("described", function.name.range(), "attributes");
        if in_class {
            let at = self.line_end(function.range().end().to_u32());
            let name = self.mangled(name);
            let line = format!("\n{indent}{name}=_rlm_described({doc})({name})");
            self.ends.push((at, line));
        } else {
            let decorator = format!("@_rlm_described({doc}{defaults})\n{indent}");
            self.insert(keyword, decorator);
        }
    }

    /// Gives the defaults of `function` names, by which it can tell them.
    fn defaults(&mut self, function: &StmtFunctionDef) -> String {
        let (mut plain, mut named) = (String::new(), String::new());
        let by_name = function.parameters.kwonlyargs.len();
        let count = function.parameters.iter_non_variadic_params().count() - by_name;
        for (index, parameter) in function.parameters.iter_non_variadic_params().enumerate() {
            let Some(default) = parameter.default.as_deref() else {
                continue;
            };
            let range = default.range();
            let own = format!("_rlm_p{}", range.start().to_u32());
            self.insert(range.start(), format!("({own}:="));
            self.close(range.end().to_u32(), ")");
            match index < count {
                true => plain.push_str(&format!("{own},")),
                false => named.push_str(&format!("'{}':{own},", parameter.name())),
            }
        }
        format!(",lambda:(({plain}),{{{named}}})")
    }

    pub(super) fn line_end(&self, offset: u32) -> u32 {
        let rest = &self.source[offset as usize..];
        offset + rest.find('\n').unwrap_or(rest.len()) as u32
    }
}

fn flatten<'a>(targets: &'a [Expr], flat: &mut Vec<&'a Expr>) {
    for target in targets {
        match target {
            Expr::Tuple(tuple) => flatten(&tuple.elts, flat),
            Expr::List(list) => flatten(&list.elts, flat),
            _ => flat.push(target),
        }
    }
}
