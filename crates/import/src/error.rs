//! What is wrong with an input, and where.

use std::fmt::{self, Display, Formatter};

/// Why an input, or a part of it, cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It cannot be opened, or not be read from its beginning.
    #[error("reading {name}: {error}")]
    Io {
        /// What the input is called.
        name: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// What it says cannot be used.
    #[error("{name}{place}: {what}")]
    Refused {
        /// What the input is called.
        name: String,
        /// Where in it.
        place: Place,
        /// What is wrong there, and how to mend it.
        what: String,
    },
    /// An option makes no sense.
    #[error("{0}")]
    Option(String),
}

/// Where something stands in an input. All numbers are from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The input as a whole.
    Whole,
    /// A line of text.
    Line(u64),
    /// A line of text and a column of it: of CSV the number of the field, of JSON that of the byte.
    Column(u64, u64),
    /// A row of a format without lines, 0 for the names of its columns.
    Row(u64),
    /// Such a row and the number of the field.
    Field(u64, u64),
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let row = |row: u64| match row {
            0 => "names of the columns".to_owned(),
            row => format!("row {row}"),
        };
        match *self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Column(line, column) => write!(f, ":{line}:{column}"),
            Self::Row(number) => write!(f, ": {}", row(number)),
            Self::Field(number, column) => write!(f, ": {}, column {column}", row(number)),
        }
    }
}

/// What an input is called in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputName {
    name: String,
    /// Whether it has rows, not lines: line n of what is read is row n - 1.
    has_rows: bool,
}

impl Display for InputName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl InputName {
    /// Of text, which has lines.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            has_rows: false,
        }
    }

    /// The same of a format without lines.
    pub(crate) fn with_rows(self, has_rows: bool) -> Self {
        Self { has_rows, ..self }
    }

    fn refused(&self, place: Place, what: impl Display) -> ImportError {
        ImportError::Refused {
            name: self.name.clone(),
            place,
            what: what.to_string(),
        }
    }

    /// What is wrong with the whole.
    #[must_use]
    pub fn refuse(&self, what: impl Display) -> ImportError {
        self.refused(Place::Whole, what)
    }

    /// What is wrong with a line, from 1.
    #[must_use]
    pub fn in_line(&self, line: u64, what: impl Display) -> ImportError {
        let place = if self.has_rows {
            Place::Row(line.saturating_sub(1))
        } else {
            Place::Line(line)
        };
        self.refused(place, what)
    }

    /// What is wrong at a line and column, both from 1.
    #[must_use]
    pub fn at(&self, line: u64, (column, what): (u64, impl Display)) -> ImportError {
        let place = if self.has_rows {
            Place::Field(line.saturating_sub(1), column)
        } else {
            Place::Column(line, column)
        };
        self.refused(place, what)
    }

    /// What is wrong with a row.
    pub(crate) fn in_row(&self, error: RowError) -> ImportError {
        self.at(error.line, error.fault)
    }
}

/// A column of a row, from 1, and what is wrong there. In CSV the column is the number of the field.
pub(crate) type Fault = (u64, String);

/// What is wrong with a row, or with the match or ticket that it is part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    pub(crate) line: u64,
    pub(crate) fault: Fault,
    /// Not to be skipped: how much of the file is lost is unknown, or every row would be.
    pub(crate) fatal: bool,
    /// How many rows are lost with it: those of a match, a ticket.
    pub(crate) rows: u64,
}

impl RowError {
    pub(crate) fn new(line: u64, fault: Fault) -> Self {
        Self {
            line,
            fault,
            fatal: false,
            rows: 1,
        }
    }

    pub(crate) fn fatal(line: u64, what: String) -> Self {
        Self::fatal_at(line, 1, what)
    }

    pub(crate) fn fatal_at(line: u64, column: u64, what: String) -> Self {
        Self {
            fatal: true,
            ..Self::new(line, (column, what))
        }
    }
}

/// What is wrong with an input itself, where its reader knows.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Damaged(String);

impl Damaged {
    pub(crate) const fn new(what: String) -> Self {
        Self(what)
    }
}
