//! Attributes in the text of a script.

use ruff_python_ast::{Expr, ExprAttribute, StmtAugAssign, StmtDelete};
use ruff_text_size::Ranged;

use super::{Pass, Place};

impl<'a> Pass<'a> {
    /// Returns where the dot of `attribute` stands; parentheses may close before it.
    pub(super) fn dot(&self, attribute: &ExprAttribute) -> u32 {
        let value = attribute.value.range().end().to_u32();
        let between = &self.source[value as usize..attribute.attr.range().start().to_usize()];
        value + between.rfind('.').unwrap_or(0) as u32
    }

    /// `self.__count += 1`
    pub(super) fn changes_in_place(&mut self, assign: &'a StmtAugAssign) {
        if let Expr::Attribute(attribute) = &*assign.target {
            self.stands(&assign.target, Place::Done);
            self.mangle(&attribute.attr, attribute.attr.as_str());
        }
    }

    /// Notes that names are unbound.
    pub(super) fn delete(&mut self, delete: &StmtDelete) {
        let mut targets = Vec::new();
        flatten(&delete.targets, &mut targets);
        self.out.unbinds |= targets.iter().any(|target| target.is_name_expr());
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
