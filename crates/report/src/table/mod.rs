//! [`Table`]: numbers and words, shown as terminal text, Markdown, CSV, HTML or JSON.

mod cell;
mod data;
mod html;
mod rows;
mod text;

use crate::number;

pub use cell::{Align, Cell, Column};
pub use rows::TableBuilder;

/// A table with a caption, columns, rows and notes.
///
/// [`Table::of`] reads the cells of a column from rows of any type; [`Table::new`] takes rows that are written out.
/// A table that is to be a file of its own names it, see [`file`](Self::file).
///
/// ```
/// use matchwright_report::{Cell, Column, Table};
///
/// let table = Table::new("Retained players per round")
///     .column(Column::text("Method"))
///     .column(Column::number("P = 100", 2).unit("players"))
///     .row(["RandomMM".into(), Cell::estimate(60.85, 0.21)])
///     .row(["EOMM".into(), Cell::estimate(61.58, 0.2)])
///     .note("200 rounds.");
///
/// assert_eq!(table.to_csv(), "Method,P = 100,P = 100_se\nRandomMM,60.85,0.21\nEOMM,61.58,0.2\n");
/// assert!(table.to_text().contains("61.58 ± 0.20"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
    file: Option<String>,
    excerpt: Excerpt,
}

/// The rows that people see; programs read all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Excerpt {
    #[default]
    All,
    First(usize),
    Last(usize),
}

impl Table {
    /// A table without columns or rows. The caption says what the numbers are.
    #[must_use]
    pub fn new(caption: impl Into<String>) -> Self {
        Self {
            caption: caption.into(),
            ..Self::default()
        }
    }

    /// Adds a column on the right.
    #[must_use]
    pub fn column(mut self, column: Column) -> Self {
        self.columns.push(column);
        self
    }

    /// Adds a row at the bottom.
    ///
    /// Nothing is lost when its width is wrong: a short row ends in empty cells, a long one widens the table by
    /// columns without a name.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.rows.push(cells.into_iter().collect());
        self
    }

    /// Adds a line under the table: sources, assumptions, how to read it.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds several lines under the table; an [`Option`] is one line or none.
    #[must_use]
    pub fn notes<S: Into<String>>(mut self, notes: impl IntoIterator<Item = S>) -> Self {
        self.notes.extend(notes.into_iter().map(Into::into));
        self
    }

    /// Names the file that the table is written to: `leagues` for `leagues.csv`.
    ///
    /// [`Page::files`](crate::Page::files) writes the tables that have a name.
    #[must_use]
    pub fn file(mut self, stem: impl Into<String>) -> Self {
        self.file = Some(stem.into());
        self
    }

    /// Shows the first `rows` rows only, and says so, in formats for people: text, Markdown, HTML. CSV and JSON hold
    /// all rows.
    ///
    /// ```
    /// use matchwright_report::{Column, Table};
    ///
    /// let table = Table::of("Squares", 1..=9).column(Column::integer("n²"), |n| n * n).build().show_first(2).file("squares");
    /// assert!(table.to_markdown().ends_with("|   1 |\n|   4 |\n\n*Rows 1 to 2 of 9; squares.csv has all.*\n"));
    /// assert!(table.to_csv().ends_with("64\n81\n"));
    /// ```
    #[must_use]
    pub fn show_first(mut self, rows: usize) -> Self {
        self.excerpt = Excerpt::First(rows);
        self
    }

    /// Shows the last `rows` rows only, as [`show_first`](Self::show_first) does the first.
    #[must_use]
    pub fn show_last(mut self, rows: usize) -> Self {
        self.excerpt = Excerpt::Last(rows);
        self
    }

    /// The caption.
    #[must_use]
    pub fn caption(&self) -> &str {
        &self.caption
    }

    /// The number of rows, the header not counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The stem of the table's file, if it has a name.
    #[must_use]
    pub fn file_stem(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The rows that people see.
    fn visible_rows(&self) -> &[Vec<Cell>] {
        let all = self.rows.len();
        let range = match self.excerpt {
            Excerpt::All => 0..all,
            Excerpt::First(rows) => 0..rows.min(all),
            Excerpt::Last(rows) => all.saturating_sub(rows)..all,
        };
        &self.rows[range]
    }

    /// The notes that people see: which rows are shown, if not all, and those that were given.
    fn visible_notes(&self) -> Vec<String> {
        let (all, shown) = (self.rows.len(), self.visible_rows().len());
        let first = if matches!(self.excerpt, Excerpt::Last(_)) {
            all - shown
        } else {
            0
        };
        let rest = self
            .file
            .as_ref()
            .map_or(String::new(), |file| format!("; {file}.csv has all"));
        let count = |number: usize| number::count(number as u64);
        let excerpt = (shown < all).then(|| {
            format!(
                "Rows {} to {} of {}{rest}.",
                count(first + 1),
                count(first + shown),
                count(all)
            )
        });
        excerpt.into_iter().chain(self.notes.iter().cloned()).collect()
    }

    /// The columns as shown: one for every cell of the widest row, those without a definition without a name.
    fn shown_columns(&self) -> Vec<Column> {
        let width = self
            .rows
            .iter()
            .map(Vec::len)
            .fold(self.columns.len(), usize::max);
        let nameless = std::iter::repeat_with(|| Column::text(""));
        self.columns.iter().cloned().chain(nameless).take(width).collect()
    }

    /// The rows as displayed strings, each as wide as `columns`.
    fn displayed_rows<'a>(&'a self, columns: &'a [Column]) -> impl Iterator<Item = Vec<String>> + 'a {
        self.visible_rows().iter().map(|row| {
            let display = |(index, column): (usize, &Column)| {
                row.get(index)
                    .map_or_else(String::new, |cell| column.scaled(cell).display(column.notation()))
            };
            columns.iter().enumerate().map(display).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_the_wrong_width_loses_nothing() {
        let table = Table::new("t")
            .column(Column::text("a"))
            .column(Column::number("b", 1))
            .row(["x".into()])
            .row(["y".into(), 1.0.into(), "surplus".into()]);
        for shown in [
            table.to_text(),
            table.to_markdown(),
            table.to_csv(),
            table.to_html(),
            table.to_json().to_string(),
        ] {
            assert!(shown.contains("surplus"), "{shown}");
        }
    }

    #[test]
    fn an_excerpt_is_for_people_and_says_which_rows_it_is() {
        let table = |rows| {
            Table::of("t", 0..rows)
                .column(Column::text("n"), |n| format!("row-{n}"))
                .build()
        };
        let last = table(12_000).show_last(2).note("n");
        for shown in [last.to_text(), last.to_markdown(), last.to_html()] {
            assert!(
                shown.contains("row-11998") && shown.contains("row-11999"),
                "{shown}"
            );
            assert!(!shown.contains("row-11997"), "{shown}");
            assert!(shown.contains("Rows 11,999 to 12,000 of 12,000."), "{shown}");
        }
        assert_eq!(last.to_csv().lines().count(), 12_001);
        assert_eq!(last.to_json()["rows"].as_array().map(Vec::len), Some(12_000));
        assert_eq!(last.to_json()["notes"], serde_json::json!(["n"]));
        for whole in [
            table(2).show_first(2),
            table(2).show_last(3),
            table(0).show_first(1),
        ] {
            assert!(!whole.to_text().contains("Rows"), "{}", whole.to_text());
        }
    }
}
