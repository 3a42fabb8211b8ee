//! A field of a row, and how the sides of a game did.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::cell::decimals::Decimals;
use crate::error::Fault;
use crate::text::shown;

/// Place and score of each side; scores are 0 where none are given.
pub(crate) type Standings = SmallVec<[(u32, f64); 2]>;

/// A field of a row.
#[derive(Clone)]
pub(crate) struct Field<'a> {
    /// Its name in the file.
    pub(crate) name: Cow<'a, str>,
    pub(crate) column: u64,
    /// What it says, without surrounding blanks.
    pub(crate) text: Cow<'a, str>,
}

impl Field<'_> {
    /// With a point before decimals.
    pub(crate) fn with_decimals(self, decimals: Decimals) -> Result<Self, Fault> {
        let Self { name, column, text } = self;
        let says = text.clone();
        match decimals.plain(text) {
            Ok(text) => Ok(Self { name, column, text }),
            Err(what) => {
                let says = shown(&says);
                let what =
                    format!("{name} is `{says}`: {what} --decimal comma or --decimal point says which");
                Err((column, what))
            }
        }
    }

    pub(crate) fn into_owned(self) -> Field<'static> {
        Field {
            name: self.name.into_owned().into(),
            column: self.column,
            text: self.text.into_owned().into(),
        }
    }

    pub(crate) fn refuse(&self, what: &str) -> Fault {
        (self.column, format!("{} is {what}", self.name))
    }

    pub(crate) fn read<T>(&self, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, Fault> {
        parse(&self.text).map_err(|what| self.refuse(&what))
    }
}
