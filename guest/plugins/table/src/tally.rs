//! What a table's columns and groups come to.

use std::collections::{BTreeMap, BTreeSet};

use rlm_plugin::Error;

use crate::filter::Condition;
use crate::number::{Number, Sum, number};
use crate::rows::{each, names};
use crate::table::{Column, Function, Group, Kind};

/// The columns of a table, and what is in them.
pub(crate) fn columns(text: &str) -> Result<Vec<Column>, Error> {
    let names = names(text)?;
    let mut columns: Vec<(Column, u64)> = names
        .iter()
        .map(|name| {
            let column = Column {
                name: name.clone(),
                kind: Kind::Empty,
                filled: 0,
                example: None,
            };
            (column, 0)
        })
        .collect();
    each(text, &names, &[], |cells| {
        for ((column, numbers), cell) in columns.iter_mut().zip(cells) {
            if cell.is_empty() {
                continue;
            }
            column.filled += 1;
            *numbers += u64::from(number(cell).is_some());
            column.example.get_or_insert_with(|| (*cell).to_owned());
        }
        true
    })?;
    let finish = |(mut column, numbers): (Column, u64)| {
        column.kind = match (column.filled, numbers) {
            (0, _) => Kind::Empty,
            (filled, numbers) if filled == numbers => Kind::Number,
            (_, 0) => Kind::Text,
            _ => Kind::Mixed,
        };
        column
    };
    Ok(columns.into_iter().map(finish).collect())
}

/// Groups the rows that fulfil all conditions; the greatest value comes first.
pub(crate) fn groups(
    text: &str,
    by: &[String],
    function: Function,
    column: Option<&str>,
    conditions: &[Condition],
) -> Result<Vec<Group>, Error> {
    if column.is_none() && function != Function::Count {
        return Err(Error::new("name the column that is to be told of"));
    }
    let columns: Vec<String> = by
        .iter()
        .cloned()
        .chain(column.map(str::to_owned))
        .collect();
    let mut tallies: BTreeMap<Vec<String>, Tally> = BTreeMap::new();
    let mut key: Vec<String> = Vec::new();
    each(text, &columns, conditions, |cells| {
        let (of_key, cell) = cells.split_at(by.len());
        key.resize(by.len(), String::new());
        for (part, cell) in key.iter_mut().zip(of_key) {
            part.clear();
            part.push_str(cell);
        }
        let tally = match tallies.get_mut(&key) {
            Some(tally) => tally,
            None => tallies.entry(key.clone()).or_default(),
        };
        tally.add(cell.first().copied(), function);
        true
    })?;
    let mut groups: Vec<Group> = tallies
        .into_iter()
        .map(|(key, tally)| Group {
            key,
            value: tally.value(function),
            rows: tally.rows,
        })
        .collect();
    // Stable, so that equal ones stay in the order of their keys.
    groups.sort_by(|a, b| {
        let least = f64::NEG_INFINITY;
        let (a, b) = (a.value.unwrap_or(least), b.value.unwrap_or(least));
        b.total_cmp(&a)
    });
    Ok(groups)
}

/// What is known of a group so far.
#[derive(Debug, Default)]
struct Tally {
    rows: u64,
    /// Cells that are not empty, or rows if no column is told of.
    filled: u64,
    numbers: u64,
    sum: Sum,
    min: Option<f64>,
    max: Option<f64>,
    /// Cells that differ, as a filter compares them.
    distinct_numbers: BTreeSet<Number>,
    distinct_texts: BTreeSet<String>,
}

impl Tally {
    fn add(&mut self, cell: Option<&str>, function: Function) {
        self.rows += 1;
        let Some(cell) = cell else {
            self.filled += 1;
            return;
        };
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        let number = number(cell);
        if function == Function::Distinct {
            if let Some(number) = number {
                self.distinct_numbers.insert(number);
            } else if !self.distinct_texts.contains(cell) {
                self.distinct_texts.insert(cell.to_owned());
            }
            return;
        }
        if let Some(number) = number.map(Number::float) {
            self.numbers += 1;
            self.sum.add(number);
            self.min = Some(self.min.map_or(number, |it| it.min(number)));
            self.max = Some(self.max.map_or(number, |it| it.max(number)));
        }
    }

    fn value(&self, function: Function) -> Option<f64> {
        let sum = (self.numbers > 0).then(|| self.sum.get());
        match function {
            Function::Count => Some(self.filled as f64),
            Function::Distinct => {
                Some((self.distinct_numbers.len() + self.distinct_texts.len()) as f64)
            }
            Function::Sum => sum,
            Function::Mean => sum.map(|sum| sum / self.numbers as f64),
            Function::Min => self.min,
            Function::Max => self.max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
        level,host,ms\n\
        info,a,10\n\
        error,a,30\n\
        error,b,x\n\
        error,a,20\n\
        info,b,\n\
        debug,b,\n";

    fn group(by: &[&str], function: Function, column: Option<&str>) -> Vec<(String, Option<f64>)> {
        let by: Vec<String> = by.iter().map(|&it| it.to_owned()).collect();
        let groups = groups(TABLE, &by, function, column, &[]).expect("a table");
        let short = |it: Group| (it.key.join("/"), it.value);
        groups.into_iter().map(short).collect()
    }

    fn keyed<const N: usize>(groups: [(&str, Option<f64>); N]) -> Vec<(String, Option<f64>)> {
        groups.map(|(key, value)| (key.to_owned(), value)).into()
    }

    #[test]
    fn columns_are_described() {
        let columns = columns(TABLE).expect("a table");
        let short: Vec<_> = columns
            .iter()
            .map(|it| (it.name.as_str(), it.kind, it.filled, it.example.as_deref()))
            .collect();
        assert_eq!(
            short,
            [
                ("level", Kind::Text, 6, Some("info")),
                ("host", Kind::Text, 6, Some("a")),
                ("ms", Kind::Mixed, 4, Some("10")),
            ]
        );
    }

    #[test]
    fn groups_are_counted() {
        assert_eq!(
            group(&["level"], Function::Count, None),
            keyed([
                ("error", Some(3.0)),
                ("info", Some(2.0)),
                ("debug", Some(1.0))
            ])
        );
        assert_eq!(
            group(&["level"], Function::Count, Some("ms")),
            keyed([
                ("error", Some(3.0)),
                ("info", Some(1.0)),
                ("debug", Some(0.0))
            ])
        );
        assert_eq!(
            group(&["host", "level"], Function::Count, None)[0],
            ("a/error".to_owned(), Some(2.0))
        );
        assert_eq!(group(&[], Function::Count, None), keyed([("", Some(6.0))]));
    }

    #[test]
    fn numbers_are_told_of() {
        for (function, error, info, debug) in [
            (Function::Sum, Some(50.0), Some(10.0), None),
            (Function::Mean, Some(25.0), Some(10.0), None),
            (Function::Min, Some(20.0), Some(10.0), None),
            (Function::Max, Some(30.0), Some(10.0), None),
            (Function::Distinct, Some(3.0), Some(1.0), Some(0.0)),
        ] {
            assert_eq!(
                group(&["level"], function, Some("ms")),
                keyed([("error", error), ("info", info), ("debug", debug)])
            );
        }
        assert!(groups(TABLE, &[], Function::Sum, None, &[]).is_err());
    }

    #[test]
    fn cells_differ_as_filters_say() {
        let distinct = |text: &str| {
            let found = groups(text, &[], Function::Distinct, Some("a"), &[]);
            found.expect("a table")[0].value
        };
        assert_eq!(distinct("a\n1\n1.0\n01\n1e0\n"), Some(1.0));
        assert_eq!(distinct("a\n0\n-0.0\nx\nX\n\"\"\n"), Some(3.0));
        let large = "a\n9007199254740993\n9007199254740992\n";
        assert_eq!(distinct(large), Some(2.0));
    }
}
