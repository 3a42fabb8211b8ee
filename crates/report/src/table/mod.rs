//! A table of numbers and words, made once and shown as terminal text, Markdown, CSV, HTML or JSON.

mod cell;
mod data;
mod html;
mod text;

pub use cell::{Align, Cell, Column};

/// Why a row or a table was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// A row has not as many cells as the table has columns.
    #[error(
        "table \"{caption}\": row {row} has {found} cells, the table has {expected} columns; give one cell per column (Cell::Empty for none)"
    )]
    Width {
        /// The table's caption.
        caption: String,
        /// The row, counted from 1.
        row: usize,
        /// The number of its cells.
        found: usize,
        /// The number of columns.
        expected: usize,
    },
}

/// A table with a caption, columns, rows and notes.
///
/// Built in one expression; [`push_row`](Self::push_row) serves loops and checks the width of each row.
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
    /// columns without a name. [`push_row`](Self::push_row) and [`check`](Self::check) refuse such rows instead.
    #[must_use]
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.rows.push(cells.into_iter().collect());
        self
    }

    /// Adds a row at the bottom.
    ///
    /// # Errors
    /// [`TableError::Width`] unless there is one cell per column; the table stays as it was.
    pub fn push_row(&mut self, cells: Vec<Cell>) -> Result<(), TableError> {
        self.check_width(self.rows.len(), cells.len())?;
        self.rows.push(cells);
        Ok(())
    }

    /// Adds a line under the table: sources, assumptions, how to read it.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Checks that every row has one cell per column.
    ///
    /// # Errors
    /// [`TableError::Width`] for the first row that has not.
    pub fn check(&self) -> Result<(), TableError> {
        self.rows
            .iter()
            .enumerate()
            .try_for_each(|(index, row)| self.check_width(index, row.len()))
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

    fn check_width(&self, index: usize, found: usize) -> Result<(), TableError> {
        let expected = self.columns.len();
        if found == expected {
            return Ok(());
        }
        Err(TableError::Width {
            caption: self.caption.clone(),
            row: index + 1,
            found,
            expected,
        })
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
        self.rows.iter().map(|row| {
            let display = |(index, column): (usize, &Column)| {
                row.get(index)
                    .map_or_else(String::new, |cell| cell.display(column.notation()))
            };
            columns.iter().enumerate().map(display).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_columns() -> Table {
        Table::new("t")
            .column(Column::text("a"))
            .column(Column::number("b", 1))
    }

    #[test]
    fn a_pushed_row_of_the_wrong_width_is_refused_and_named() {
        let mut table = two_columns();
        table.push_row(vec!["x".into(), 1.0.into()]).unwrap();
        let error = table.push_row(vec!["y".into()]).unwrap_err();
        assert_eq!(
            error,
            TableError::Width {
                caption: "t".into(),
                row: 2,
                found: 1,
                expected: 2
            }
        );
        assert_eq!(table.len(), 1);
        assert!(table.check().is_ok());
    }

    #[test]
    fn a_built_row_of_the_wrong_width_loses_nothing() {
        let table = two_columns()
            .row(["x".into()])
            .row(["y".into(), 1.0.into(), "surplus".into()]);
        assert!(table.check().is_err());
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
}
