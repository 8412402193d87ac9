//! `del`: items and slices go by a function of ours, names by the one statement
//! of Monty that unbinds, the end of an `except … as name`.

use ruff_python_ast::{Expr, ExprSubscript, StmtDelete};
use ruff_text_size::Ranged;

use super::Pass;

impl Pass<'_> {
    pub(super) fn delete(&mut self, delete: &StmtDelete) {
        let mut targets = Vec::new();
        flatten(&delete.targets, &mut targets);
        let range = delete.range();
        let start = range.start().to_u32();
        if targets
            .iter()
            .all(|target| target.is_subscript_expr() || target.is_attribute_expr())
        {
            self.rewrote("del", range, "deletion");
            let word = "del".len() as u32;
            let rest = &self.source[(start + word) as usize..];
            let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            self.replace(start, start + word + space as u32, "");
            for target in targets {
                match target {
                    Expr::Subscript(subscript) => {
                        self.delete_item(subscript);
                    }
                    Expr::Attribute(attribute) => self.delete_attribute(attribute),
                    _ => {}
                }
            }
        } else if targets.iter().all(|target| target.is_name_expr()) {
            let end = range.end().to_u32();
            let indent = self.indent(start).map(str::to_owned);
            let Some(indent) = indent.filter(|_| self.ends_line(end)) else {
                return self.refuse(
                    "del of a name beside other statements",
                    "put the del statement on a line of its own",
                    range,
                );
            };
            self.rewrote("del", range, "deletion");
            self.out.unbinds = true;
            let names = targets
                .iter()
                .map(|target| self.text(target.range()).to_owned());
            let each = names.map(|name| {
                format!("try: {name};raise _rlm_gone\n{indent}except _rlm_gone as {name}: pass")
            });
            let text = each.collect::<Vec<_>>().join(&format!("\n{indent}"));
            self.replace(start, end, text);
        } else {
            self.refuse(
                "del of names and items together",
                "write a del statement for each",
                range,
            );
        }
    }

    fn delete_item(&mut self, subscript: &ExprSubscript) {
        self.insert(subscript.range().start(), "_rlm_delete(");
        let value = subscript.value.range().end().to_u32();
        let slice = subscript.slice.range();
        let between = &self.source[value as usize..slice.start().to_usize()];
        let bracket = value + between.find('[').unwrap_or(0) as u32;
        let end = subscript.range().end().to_u32();
        match &*subscript.slice {
            Expr::Slice(parts) => {
                self.replace(bracket, bracket + 1, ",_rlm_slice(");
                let mut at = bracket + 1;
                for (colons, part) in [&parts.lower, &parts.upper, &parts.step]
                    .into_iter()
                    .enumerate()
                {
                    // From one part to the next there is a colon, or the end.
                    if colons > 0 {
                        let rest = &self.source[at as usize..end as usize];
                        let Some(colon) = rest.find(':').filter(|colon| {
                            part.as_ref().is_none_or(|part| {
                                at + *colon as u32 <= part.range().start().to_u32()
                            })
                        }) else {
                            break;
                        };
                        self.replace(at + colon as u32, at + colon as u32 + 1, ",");
                        at += colon as u32 + 1;
                    }
                    match part {
                        Some(part) => at = part.range().end().to_u32(),
                        None => self.insert(at, "None"),
                    }
                }
                self.replace(end - 1, end, "))");
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_slice_expr) => self.refuse(
                "del of slices in several dimensions",
                "write a method and call it",
                subscript.range(),
            ),
            Expr::Tuple(tuple) if !tuple.parenthesized => {
                self.replace(bracket, bracket + 1, ",(");
                self.replace(end - 1, end, "))");
            }
            _ => {
                self.replace(bracket, bracket + 1, ",");
                self.replace(end - 1, end, ")");
            }
        }
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
