//! A table in CSV.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Chain, Read as _};

use csv::{Reader, ReaderBuilder, StringRecord};
use rlm_plugin::Error;

/// What is read behind the text: a row of its own, unless a quote is open.
const END: &[u8] = b"\n\0";

/// A table that is read row by row.
#[derive(Debug)]
pub(crate) struct Sheet<'a> {
    text: &'a str,
    reader: Reader<Chain<&'a [u8], &'static [u8]>>,
    record: StringRecord,
    names: Vec<String>,
}

impl<'a> Sheet<'a> {
    /// Reads the names in the first line; `parting` is what parts the cells.
    pub(crate) fn open(text: &'a str, parting: u8) -> Result<Self, Error> {
        let reader = ReaderBuilder::new()
            .delimiter(parting)
            .has_headers(false)
            // A row that is too short lacks cells; one that is too long is
            // refused here, with its line.
            .flexible(true)
            .from_reader(text.as_bytes().chain(END));
        let mut sheet = Self {
            text,
            reader,
            record: StringRecord::new(),
            names: Vec::new(),
        };
        if sheet.read()? {
            sheet.names = named(&sheet.record);
        }
        Ok(sheet)
    }

    /// The names of the columns, no two of them the same.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of the next row.
    ///
    /// # Errors
    ///
    /// If there are more than there are names, and not only empty ones, or if a
    /// quote is not closed.
    pub(crate) fn next_row(&mut self) -> Result<Option<&StringRecord>, Error> {
        if !self.read()? {
            return Ok(None);
        }
        let names = self.names.len();
        if self.record.iter().skip(names).any(|cell| !cell.is_empty()) {
            return Err(Error::new(format_args!(
                "line {} has {} cells, but the first line has {names}",
                self.line(),
                self.record.len()
            )));
        }
        Ok(Some(&self.record))
    }

    /// Reads a record, if there is one left.
    fn read(&mut self) -> Result<bool, Error> {
        if !self.reader.read_record(&mut self.record)? {
            return Ok(false);
        }
        let read = self.reader.position().byte();
        if read < (self.text.len() + END.len()) as u64 {
            return Ok(true);
        }
        if self.record.len() == 1 && &self.record[0] == "\0" {
            return Ok(false);
        }
        Err(Error::new(format_args!(
            "the row in line {} has a quote that is not closed",
            self.line()
        )))
    }

    /// The line in which the record begins.
    fn line(&self) -> u64 {
        let Some(position) = self.record.position() else {
            return 1;
        };
        // Empty lines in front of it have been read with it.
        let start = self.text.as_bytes().iter().skip(position.byte() as usize);
        let empty = start.take_while(|it| matches!(it, b'\r' | b'\n'));
        position.line() + empty.filter(|&&it| it == b'\n').count() as u64
    }
}

/// Names for all columns: one without is called by its number, and the second
/// `a` is `a_2`.
fn named(record: &StringRecord) -> Vec<String> {
    let wanted: Vec<String> = record
        .iter()
        .enumerate()
        .map(|(at, name)| match name.trim() {
            "" => (at + 1).to_string(),
            name => name.to_owned(),
        })
        .collect();
    let mut taken: BTreeSet<String> = wanted.iter().cloned().collect();
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    let mut names = Vec::new();
    for name in &wanted {
        let times = times.entry(name).or_default();
        *times += 1;
        if *times == 1 {
            names.push(name.clone());
            continue;
        }
        // There may be an `a_2` already.
        let mut other = format!("{name}_{times}");
        while !taken.insert(other.clone()) {
            *times += 1;
            other = format!("{name}_{times}");
        }
        names.push(other);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<String>, String> {
        let mut sheet = Sheet::open(text, b',').map_err(|it| it.to_string())?;
        let mut rows = vec![sheet.names().join("/")];
        while let Some(row) = sheet.next_row().map_err(|it| it.to_string())? {
            rows.push(row.iter().collect::<Vec<_>>().join("/"));
        }
        Ok(rows)
    }

    #[test]
    fn rows_are_read_to_the_end() {
        for (text, wanted) in [
            ("", vec![""]),
            ("\n\r\n", vec![""]),
            ("a,b", vec!["a/b"]),
            ("a,b\n1,2", vec!["a/b", "1/2"]),
            ("a,b\r\n\r\n1,2\r\n\n\n", vec!["a/b", "1/2"]),
            ("a,b\n\"1\n,\"\"\",2\n3", vec!["a/b", "1\n,\"/2", "3"]),
            ("a\n\0", vec!["a", "\0"]),
            ("a\n\"\"", vec!["a", ""]),
            ("a\n5\" wide", vec!["a", "5\" wide"]),
        ] {
            let wanted = wanted.into_iter().map(str::to_owned).collect();
            assert_eq!(rows(text), Ok(wanted), "{text:?}");
        }
    }

    #[test]
    fn no_two_columns_have_one_name() {
        for (text, wanted) in [
            ("a,a,b,a", "a/a_2/b/a_3"),
            ("a,a,a_2,a_2,a", "a/a_3/a_2/a_2_2/a_4"),
            ("2,,, x ,x", "2/2_2/3/x/x_2"),
        ] {
            assert_eq!(rows(text).expect(text), [wanted]);
        }
    }

    #[test]
    fn rows_that_are_too_long_are_refused() {
        for (text, line) in [
            ("a,b\n1,2,3\n", 2),
            ("a,b\n1,2\n\n\n1,2,,3\n", 5),
            ("a,b\r\n\r\n1,\"2\r\n\"\r\n1,2,3\r\n", 5),
        ] {
            let told = rows(text).expect_err(text);
            assert!(told.starts_with(&format!("line {line} has ")), "{told}");
            assert!(told.ends_with("but the first line has 2"), "{told}");
        }
        // Nothing is lost here.
        assert_eq!(rows("a,b\n1,2,,\n1\n").expect("rows").len(), 3);
    }

    #[test]
    fn quotes_have_to_be_closed() {
        for (text, line) in [
            ("a,b\n1,\"2\n3,4\n", 2),
            ("a,b\n1,2\n\n\"", 4),
            ("\"a,b\n1,2\n", 1),
            ("a\n\"x\"\"", 2),
        ] {
            let told = format!("the row in line {line} has a quote that is not closed");
            assert_eq!(rows(text), Err(told), "{text:?}");
        }
    }
}
