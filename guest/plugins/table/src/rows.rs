//! A table's rows, whatever it is written in.

use rlm_plugin::Error;

use crate::filter::Condition;
use crate::json::Object;
use crate::sheet::Sheet;

/// What a table is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// With what parts the cells.
    Csv(u8),
    /// An object on each line.
    Lines,
    /// An array of objects.
    Array,
}

/// The names of all columns, in the order in which they come.
pub(crate) fn names(text: &str) -> Result<Vec<String>, Error> {
    let text = text.trim_start_matches('\u{feff}');
    if let Format::Csv(parting) = format(text) {
        return Ok(Sheet::open(text, parting)?.names().to_vec());
    }
    let mut names: Vec<String> = Vec::new();
    objects(text, |Object(cells)| {
        for (name, _) in cells {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        true
    })?;
    Ok(names)
}

/// Tells `found` the cells that each row has in `columns`, if it fulfils all
/// conditions, until that says `false`. A cell that a row lacks is empty.
///
/// # Errors
///
/// If the table cannot be read, or no row has one of the columns.
pub(crate) fn each(
    text: &str,
    columns: &[String],
    conditions: &[Condition],
    mut found: impl FnMut(&[&str]) -> bool,
) -> Result<(), Error> {
    let text = text.trim_start_matches('\u{feff}');
    let wanted: Vec<&str> = columns
        .iter()
        .map(String::as_str)
        .chain(conditions.iter().map(|it| it.column.as_str()))
        .collect();
    let mut take = |cells: &[&str]| {
        let (cells, tested) = cells.split_at(columns.len());
        let mut tested = conditions.iter().zip(tested);
        !tested.all(|(condition, cell)| condition.holds(cell)) || found(cells)
    };
    if let Format::Csv(parting) = format(text) {
        let mut sheet = Sheet::open(text, parting)?;
        let place = |name: &&str| {
            let place = sheet.names().iter().position(|it| it == name);
            place.ok_or_else(|| unknown(name, sheet.names()))
        };
        let places: Vec<usize> = wanted.iter().map(place).collect::<Result<_, _>>()?;
        while let Some(row) = sheet.next_row()? {
            let cells: Vec<&str> = places.iter().map(|&at| row.get(at).unwrap_or("")).collect();
            if !take(&cells) {
                break;
            }
        }
        return Ok(());
    }
    let mut seen = vec![false; wanted.len()];
    let mut rows = 0_u64;
    objects(text, |Object(object)| {
        rows += 1;
        let mut cells = vec![""; wanted.len()];
        for (name, cell) in &object {
            for (at, _) in wanted.iter().enumerate().filter(|(_, it)| *it == name) {
                cells[at] = cell;
                seen[at] = true;
            }
        }
        take(&cells)
    })?;
    match seen.iter().position(|seen| !seen) {
        Some(at) if rows > 0 => {
            // It may come in the rows that nobody wanted to see.
            let names = names(text)?;
            if names.iter().any(|name| name == wanted[at]) {
                return Ok(());
            }
            Err(unknown(wanted[at], &names))
        }
        _ => Ok(()),
    }
}

/// Tells `found` each object of a text, until it says `false`.
fn objects(text: &str, mut found: impl FnMut(Object) -> bool) -> Result<(), Error> {
    if format(text) == Format::Array {
        let all: Vec<Object> = serde_json::from_str(text)?;
        all.into_iter().all(found);
        return Ok(());
    }
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let object = serde_json::from_str(line).map_err(|error| {
            Error::new(format_args!("line {} is no JSON object: {error}", at + 1))
        })?;
        if !found(object) {
            break;
        }
    }
    Ok(())
}

fn format(text: &str) -> Format {
    if text.trim_start().starts_with('{') {
        return Format::Lines;
    }
    // `[` may be the beginning of a column's name, too.
    let inside = text.trim_start().strip_prefix('[').map(str::trim_start);
    if inside.is_some_and(|it| it.starts_with(['{', ']'])) {
        return Format::Array;
    }
    let first = text.lines().next().unwrap_or_default();
    let times = |parting: u8| {
        let mut quoted = false;
        let outside = first.bytes().filter(|&byte| {
            quoted ^= byte == b'"';
            byte == parting && !quoted
        });
        outside.count()
    };
    // Of two that are there equally often the later one is taken.
    let parting = [b'|', b'\t', b';', b',']
        .into_iter()
        .max_by_key(|&it| times(it));
    Format::Csv(parting.unwrap_or(b','))
}

fn unknown(name: &str, names: &[String]) -> Error {
    Error::new(format_args!(
        "there is no column {name:?}; there are {names:?}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Filter, Test};

    const CSV: &str = "name,size,\n\"a, b\",1,x\nc,2\n\nd,10,y,\n";
    const LINES: &str = "{\"name\": \"a\", \"size\": 1}\n\n{\"size\": 2, \"of\": {\"x\": true}}\n";

    fn read(text: &str, columns: &[&str], filter: Option<(&str, Test, &str)>) -> Vec<String> {
        let columns: Vec<String> = columns.iter().map(|&it| it.to_owned()).collect();
        let conditions: Vec<Condition> = filter
            .into_iter()
            .map(|(column, test, value)| {
                let (column, value) = (column.to_owned(), value.to_owned());
                Condition::new(&Filter {
                    column,
                    test,
                    value,
                })
            })
            .collect();
        let mut rows = Vec::new();
        each(text, &columns, &conditions, |cells| {
            rows.push(cells.join("/"));
            true
        })
        .expect("a table");
        rows
    }

    #[test]
    fn all_formats_are_read() {
        assert_eq!(names(CSV).expect("a table"), ["name", "size", "3"]);
        assert_eq!(
            read(CSV, &["size", "name"], None),
            ["1/a, b", "2/c", "10/d"]
        );
        assert_eq!(read(CSV, &["3"], None), ["x", "", "y"]);
        assert_eq!(names(LINES).expect("a table"), ["name", "size", "of.x"]);
        assert_eq!(
            read(LINES, &["name", "of.x", "size"], None),
            ["a//1", "/true/2"]
        );
        let array = "\n[{\"a\": 1}, {\"a\": null}]";
        assert_eq!(read(array, &["a", "a"], None), ["1/1", "/"]);
        for parting in [";", "\t", "|"] {
            let text = format!("\u{feff}a{parting}b,c\n1{parting}2,3\n");
            // As often as commas, which are the usual ones.
            assert_eq!(names(&text).expect("a table").len(), 2);
            let text = format!("a{parting}\"b,c,d\"{parting}e\n1{parting}2,3{parting}4\n");
            assert_eq!(read(&text, &["e", "b,c,d"], None), ["4/2,3"]);
        }
        assert_eq!(read("a,a\n1,2", &["a", "a_2"], None), ["1/2"]);
        assert!(read("[]", &["a"], None).is_empty());
        assert!(names("").expect("a table").is_empty());
    }

    #[test]
    fn rows_are_filtered() {
        let sizes = |test| read(CSV, &["size"], Some(("size", test, "2")));
        assert_eq!(sizes(Test::AtLeast), ["2", "10"]);
        assert_eq!(sizes(Test::Equals), ["2"]);
        assert_eq!(
            read(LINES, &["size"], Some(("of.x", Test::Equals, ""))),
            ["1"]
        );
    }

    #[test]
    fn it_stops_when_told() {
        for text in [CSV, LINES] {
            let mut rows = 0;
            let ended = each(text, &["size".to_owned()], &[], |_| {
                rows += 1;
                false
            });
            assert!(ended.is_ok());
            assert_eq!(rows, 1);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str, column: &str| {
            let error = each(text, &[column.to_owned()], &[], |_| true);
            error.expect_err(text).to_string()
        };
        let unknown = "there is no column \"x\"; there are [\"name\", \"size\"";
        assert!(wrong(CSV, "x").starts_with(unknown));
        assert!(wrong(LINES, "x").starts_with(unknown));
        assert_eq!(
            wrong("a,b\n1,2\n1,2,3\n", "a"),
            "line 3 has 3 cells, but the first line has 2"
        );
        assert!(wrong("a,b\n1,\"2\n1,2\n", "a").contains("a quote that is not closed"));
        assert!(wrong("{\"a\": 1}\n{", "a").starts_with("line 2 is no JSON object: EOF"));
        assert!(wrong("{\"a\": 1}\n7", "a").contains("an object for each row"));
    }
}
