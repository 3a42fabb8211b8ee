//! What a table is made of: cells and columns.

use crate::number::{self, MISSING, Notation};

/// The side that a column's cells are pushed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers, so that units stand under units.
    Right,
}

/// One value of a table.
///
/// A number that is not finite is shown as `-` and is empty in CSV and `null` in JSON.
///
/// ```
/// use matchwright_report::Cell;
///
/// assert_eq!(Cell::from("EOMM"), Cell::Text("EOMM".into()));
/// assert_eq!(Cell::from(500), Cell::Integer(500));
/// assert_eq!(Cell::from(None::<f64>), Cell::Empty);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Words, shown as they are.
    Text(String),
    /// A count.
    Integer(i64),
    /// A measured or computed number.
    Number(f64),
    /// A number with its standard error, shown as `value ± standard error`.
    Estimate {
        /// The estimate itself.
        value: f64,
        /// Its standard error, in the same unit.
        standard_error: f64,
    },
}

impl Cell {
    /// A number with its standard error.
    #[must_use]
    pub fn estimate(value: f64, standard_error: f64) -> Self {
        Self::Estimate {
            value,
            standard_error,
        }
    }

    /// The cell as a reader sees it, not yet escaped for any format.
    pub(crate) fn display(&self, notation: Notation) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => text.clone(),
            Self::Integer(value) => number::integer(*value),
            Self::Number(value) => notation.format(*value),
            Self::Estimate { value, .. } if !value.is_finite() => MISSING.to_owned(),
            Self::Estimate {
                value,
                standard_error,
            } => {
                format!(
                    "{} ± {}",
                    notation.format(*value),
                    notation.format(*standard_error)
                )
            }
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<i64> for Cell {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for Cell {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for Cell {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u64> for Cell {
    /// Above `i64::MAX` the digits are kept as text rather than rounded.
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer)
    }
}

impl From<usize> for Cell {
    /// Above `i64::MAX` the digits are kept as text rather than rounded.
    fn from(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    /// `None` is an empty cell.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// A column: its name, its unit, and how its numbers are written.
///
/// ```
/// use matchwright_report::Column;
///
/// let retained = Column::number("P = 100", 2).unit("players");
/// assert_eq!(retained.name(), "P = 100");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    name: String,
    unit: String,
    align: Align,
    notation: Notation,
}

impl Column {
    /// A column of words, pushed to the left.
    #[must_use]
    pub fn text(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: String::new(),
            align: Align::Left,
            notation: Notation::Shortest,
        }
    }

    /// A column of numbers with `decimals` decimals, pushed to the right.
    ///
    /// From 10^15 on, where an `f64` has no decimals to show, the number is written with a power of ten.
    #[must_use]
    pub fn number(name: impl Into<String>, decimals: usize) -> Self {
        Self {
            align: Align::Right,
            notation: Notation::Fixed(decimals),
            ..Self::text(name)
        }
    }

    /// A column of counts, pushed to the right.
    #[must_use]
    pub fn integer(name: impl Into<String>) -> Self {
        Self::number(name, 0)
    }

    /// A column of numbers with `digits` significant digits, pushed to the right; below 10^-4 and from 10^6 on with a
    /// power of ten. Right for p-values and times, which span many magnitudes.
    #[must_use]
    pub fn significant(name: impl Into<String>, digits: usize) -> Self {
        Self {
            align: Align::Right,
            notation: Notation::Significant(digits),
            ..Self::text(name)
        }
    }

    /// The unit of the column's numbers, shown in the header.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// The side that the cells are pushed to, where the default is wrong.
    #[must_use]
    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    /// The name, without its unit.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn unit_text(&self) -> &str {
        &self.unit
    }

    pub(crate) fn alignment(&self) -> Align {
        self.align
    }

    pub(crate) fn notation(&self) -> Notation {
        self.notation
    }

    /// Name and unit in one string, for formats without markup.
    pub(crate) fn heading(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.unit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_shows_value_and_error_with_the_same_decimals() {
        let two = Notation::Fixed(2);
        assert_eq!(Cell::estimate(-61.5, 0.254).display(two), "−61.50 ± 0.25");
        assert_eq!(Cell::estimate(1.0, f64::NAN).display(two), "1.00 ± -");
        assert_eq!(Cell::estimate(f64::NAN, 1.0).display(two), "-");
    }

    #[test]
    fn a_count_too_large_for_i64_keeps_its_digits() {
        assert_eq!(Cell::from(u64::MAX), Cell::Text("18446744073709551615".into()));
        assert_eq!(Cell::from(u64::MAX / 2), Cell::Integer(i64::MAX));
    }
}
