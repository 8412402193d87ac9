//! A plugin that filters and groups tables: CSV, JSON lines.

mod filter;
mod json;
mod number;
mod rows;
mod sheet;
mod tally;

/// Filters and groups tables.
///
/// A table is CSV with a line of names (parted by commas, semicolons, tabs or
/// bars), lines of JSON objects, or a JSON array of them; a nested value is
/// called `outer.inner`. Of columns of one name the second is called `name_2`,
/// and a column without one by its number. A table is given as `text`, or else
/// read from `context`, or else from the context named `context`.
#[rlm_plugin::plugin]
mod table {
    use rlm_plugin::{Error, host};

    use crate::filter::Condition;
    use crate::{rows, tally};

    /// The context that is read when no table is given.
    const CONTEXT: &str = "context";

    /// Rows that are given when no limit is.
    const LIMIT: u32 = 100;

    /// A column, and what is in it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Column {
        pub name: String,
        pub kind: Kind,
        /// Cells that are not empty.
        pub filled: u64,
        /// The first of them.
        pub example: Option<String>,
    }

    /// What the cells of a column are that are not empty.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// There are none.
        Empty,
        /// All are numbers.
        Number,
        /// None is a number.
        Text,
        /// Some are numbers.
        Mixed,
    }

    /// What is asked about a group.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Function {
        /// How many rows it has, or with a column how many cells are not empty.
        Count,
        /// The sum of the numbers in a column.
        Sum,
        /// Their mean.
        Mean,
        /// The least of them.
        Min,
        /// The greatest of them.
        Max,
        /// How many cells of a column differ, as a filter compares them: `1`,
        /// `1.0` and `01` are the same. Empty ones do not count.
        Distinct,
    }

    /// Something that rows have to fulfil.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Filter {
        pub column: String,
        pub test: Test,
        /// What cells are compared with. If it is a number, cells that are none
        /// are neither less nor more; else all are compared as text. Numbers
        /// without a fraction are compared to the last digit, up to 38 of them.
        pub value: String,
    }

    /// How a cell is compared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Test {
        Equals,
        Differs,
        Less,
        AtMost,
        More,
        AtLeast,
        /// The cell has the value in it, in any case of letters.
        Contains,
    }

    /// Rows with the same values in some columns.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Group {
        /// These values, in the order in which the columns were named.
        pub key: Vec<String>,
        /// What was asked for; nothing if there is no number to tell it from.
        pub value: Option<f64>,
        /// Rows of the group.
        pub rows: u64,
    }

    /// The columns of a table, and what is in them.
    pub fn columns(text: Option<String>, context: Option<&str>) -> Result<Vec<Column>, Error> {
        tally::columns(&source(text, context)?)
    }

    /// The rows that fulfil all of `filters`, at most `limit` of them (100 if not
    /// given), with `columns` in that order, or with all of them.
    pub fn rows(
        filters: Option<&[Filter]>,
        columns: Option<&[String]>,
        limit: Option<u32>,
        text: Option<String>,
        context: Option<&str>,
    ) -> Result<Vec<Vec<String>>, Error> {
        let text = source(text, context)?;
        let all;
        let columns = match columns {
            Some(columns) => columns,
            None => {
                all = rows::names(&text)?;
                &all
            }
        };
        let limit = limit.unwrap_or(LIMIT) as usize;
        let mut found = Vec::new();
        rows::each(&text, columns, &conditions(filters), |row| {
            found.push(row.iter().map(|cell| cell.to_string()).collect());
            found.len() < limit
        })?;
        // A row is found before the limit is looked at, even if that is 0.
        found.truncate(limit);
        Ok(found)
    }

    /// Groups the rows that fulfil all of `filters` by what is in the columns
    /// `by`, and tells `function` of `column` for each group, the greatest first.
    /// All rows are one group if `by` is empty.
    pub fn group_by(
        by: &[String],
        function: Function,
        column: Option<&str>,
        filters: Option<&[Filter]>,
        text: Option<String>,
        context: Option<&str>,
    ) -> Result<Vec<Group>, Error> {
        let text = source(text, context)?;
        tally::groups(&text, by, function, column, &conditions(filters))
    }

    fn source(text: Option<String>, context: Option<&str>) -> Result<String, Error> {
        match text {
            Some(text) => Ok(text),
            None => Ok(host::read_context_text(context.unwrap_or(CONTEXT))?),
        }
    }

    fn conditions(filters: Option<&[Filter]>) -> Vec<Condition> {
        let filters = filters.unwrap_or_default();
        filters.iter().map(Condition::new).collect()
    }
}
