//! [`Cell`] and [`Column`]: what a table is made of.

use crate::number::{self, MISSING, Notation};
use crate::time::utc_time;

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
    /// A point in time, in Unix seconds, shown as a date and a time of day, UTC.
    Time(i64),
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
    /// Numbers in their order, drawn as a small line as high as a row, each line on a scale of its own; sorted by the
    /// last of them.
    Sparkline(Vec<f64>),
}

/// Characters of a sparkline in a terminal.
const SPARK_WIDTH: usize = 24;

impl Cell {
    /// A number with its standard error.
    #[must_use]
    pub fn estimate(value: f64, standard_error: f64) -> Self {
        Self::Estimate {
            value,
            standard_error,
        }
    }

    /// The number that a cell is sorted by, in ASCII digits; none for words and for numbers that are not finite.
    pub(crate) fn sort_key(&self) -> Option<String> {
        match self {
            Self::Empty | Self::Text(_) | Self::Time(_) => None,
            Self::Integer(value) => Some(value.to_string()),
            Self::Number(value) | Self::Estimate { value, .. } => {
                value.is_finite().then(|| number::shortest(*value))
            }
            Self::Sparkline(values) => Self::Number(*values.last()?).sort_key(),
        }
    }

    /// The cell as a reader sees it, not yet escaped for any format.
    pub(crate) fn display(&self, notation: Notation) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => text.clone(),
            Self::Time(seconds) => utc_time(*seconds),
            Self::Integer(value) => number::integer(*value),
            Self::Number(value) => notation.format(*value),
            Self::Sparkline(values) => blocks(values),
            Self::Estimate { value, .. } if !value.is_finite() => MISSING.to_owned(),
            Self::Estimate {
                value,
                standard_error,
            } => {
                let is_known = *standard_error > 0.0 && standard_error.is_finite();
                if is_known && matches!(notation, Notation::Significant(_)) {
                    let [value, error] =
                        [value, standard_error].map(|number| number::rounded(*number, *standard_error));
                    return format!("{value} ± {error}");
                }
                format!(
                    "{} ± {}",
                    notation.format(*value),
                    notation.format(*standard_error)
                )
            }
        }
    }
}

/// Least and greatest of the finite values.
pub(crate) fn range(values: &[f64]) -> Option<(f64, f64)> {
    let mut finite = values.iter().copied().filter(|value| value.is_finite());
    let first = finite.next()?;
    Some(finite.fold((first, first), |(low, high), value| {
        (low.min(value), high.max(value))
    }))
}

/// A line of characters of eight heights, evenly sampled.
fn blocks(values: &[f64]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let Some((low, high)) = range(values) else {
        return String::new();
    };
    let width = values.len().min(SPARK_WIDTH);
    let sampled = (0..width).map(|place| {
        let last = (width - 1).max(1);
        values[place * (values.len() - 1) / last]
    });
    let height = |value: f64| {
        let share = if high > low {
            (value - low) / (high - low)
        } else {
            0.5
        };
        BLOCKS[(1..8).filter(|&step| 8.0 * share >= f64::from(step)).count()]
    };
    sampled
        .map(|value| if value.is_finite() { height(value) } else { ' ' })
        .collect()
}

/// Cells of the types that hold such values.
macro_rules! cells {
    ($($type:ty => $value:ident: $cell:expr;)*) => {$(
        impl From<$type> for Cell {
            fn from($value: $type) -> Self {
                $cell
            }
        }
    )*};
}

cells! {
    &str => text: Self::Text(text.to_owned());
    &String => text: Self::Text(text.clone());
    String => text: Self::Text(text);
    f64 => value: Self::Number(value);
    i64 => value: Self::Integer(value);
    i32 => value: Self::Integer(value.into());
    u8 => value: Self::Integer(value.into());
    u16 => value: Self::Integer(value.into());
    u32 => value: Self::Integer(value.into());
    // Above `i64::MAX` the digits are kept as text rather than rounded.
    u64 => value: i64::try_from(value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer);
    usize => value: i64::try_from(value).map_or_else(|_| Self::Text(value.to_string()), Self::Integer);
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
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    unit: String,
    align: Align,
    notation: Notation,
    /// What numbers are multiplied by before anybody sees them.
    scale: f64,
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
            scale: 1.0,
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

    /// A column of shares, written as percentages with `decimals` decimals: 0.125 is 12.5 in every format.
    #[must_use]
    pub fn percent(name: impl Into<String>, decimals: usize) -> Self {
        Self {
            scale: 100.0,
            ..Self::number(name, decimals).unit("%")
        }
    }

    /// The unit of the column's numbers, shown in the header.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
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

    /// A cell in the unit of the column.
    pub(crate) fn scaled(&self, cell: &Cell) -> Cell {
        match cell {
            Cell::Number(value) => Cell::Number(self.scale * value),
            Cell::Estimate {
                value,
                standard_error,
            } => Cell::estimate(self.scale * value, self.scale * standard_error),
            Cell::Sparkline(values) => {
                Cell::Sparkline(values.iter().map(|value| self.scale * value).collect())
            }
            other => other.clone(),
        }
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
    fn a_sparkline_is_a_line_of_blocks_and_its_numbers_in_data() {
        let notation = Notation::Fixed(0);
        assert_eq!(
            Cell::Sparkline(vec![0.0, 1.0, 8.0, 4.0]).display(notation),
            "▁▂█▅"
        );
        assert_eq!(Cell::Sparkline(vec![3.0]).display(notation), "▅");
        assert_eq!(Cell::Sparkline(vec![f64::NAN, 1.0, 2.0]).display(notation), " ▁█");
        assert_eq!(Cell::Sparkline(Vec::new()).display(notation), "");
        let long = Cell::Sparkline((0..1_000).map(f64::from).collect()).display(notation);
        assert_eq!((long.chars().count(), long.chars().last()), (24, Some('█')));
        let table = crate::Table::of("t", [Cell::Sparkline(vec![1.0, 2.5])].iter())
            .column(Column::number("x", 1), Cell::clone)
            .build();
        assert_eq!(table.to_csv(), "x\n1 2.5\n");
        assert_eq!(table.to_json()["rows"][0][0], serde_json::json!([1.0, 2.5]));
        let html = table.to_html();
        assert!(
            html.contains("data-sort=\"2.5\"") && html.contains("<svg"),
            "{html}"
        );
        assert!(
            html.contains("<title>from 1.0 to 2.5, between 1.0 and 2.5</title>"),
            "{html}"
        );
    }

    #[test]
    fn a_percentage_is_scaled_with_its_error_in_every_format() {
        let table = crate::Table::of(
            "t",
            [Cell::estimate(0.125, 0.01), 0.5.into(), Cell::Empty, 7.into()].iter(),
        )
        .column(Column::percent("x", 1), Cell::clone)
        .build();
        assert_eq!(table.to_csv(), "x,x_se\n12.5,1\n50,\n,\n7,\n");
        assert!(table.to_text().contains("x (%)") && table.to_text().contains("12.5 ± 1.0"));
        assert_eq!(table.to_json()["rows"][1][0], 50.0);
    }

    #[test]
    fn a_count_too_large_for_i64_keeps_its_digits() {
        assert_eq!(Cell::from(u64::MAX), Cell::Text("18446744073709551615".into()));
        assert_eq!(Cell::from(u64::MAX / 2), Cell::Integer(i64::MAX));
    }
}
