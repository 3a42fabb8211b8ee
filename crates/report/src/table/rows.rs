//! A table from rows of any type: each column with the function that reads its cells.

use super::{Cell, Column, Table};

impl Table {
    /// Begins a table with one row for each of `rows`, whose cells the columns read.
    ///
    /// Rows are handed to the columns by value, so they are what is cheap to copy: references, indices, tuples of
    /// these.
    ///
    /// ```
    /// use matchwright_report::{Column, Table};
    ///
    /// struct League { name: String, players: u32, retained: Option<f64> }
    /// let leagues = [
    ///     League { name: "gold".into(), players: 12_000, retained: Some(0.625) },
    ///     League { name: "master".into(), players: 1, retained: None },
    /// ];
    ///
    /// let table = Table::of("Leagues", &leagues)
    ///     .column(Column::text("League"), |league| &league.name)
    ///     .column(Column::integer("Players"), |league| league.players)
    ///     .column(Column::percent("Retained", 1), |league| league.retained)
    ///     .build();
    /// assert_eq!(table.to_csv(), "League,Players,Retained\ngold,12000,62.5\nmaster,1,\n");
    /// ```
    pub fn of<R: Copy>(caption: impl Into<String>, rows: impl IntoIterator<Item = R>) -> TableBuilder<R> {
        let rows: Vec<R> = rows.into_iter().collect();
        let mut table = Self::new(caption);
        table.rows = vec![Vec::new(); rows.len()];
        TableBuilder { rows, table }
    }
}

/// A table whose rows are known and whose columns are being added; see [`Table::of`].
#[derive(Debug, Clone)]
#[must_use = "call build() for the table"]
pub struct TableBuilder<R> {
    rows: Vec<R>,
    table: Table,
}

impl<R: Copy> TableBuilder<R> {
    /// Adds a column on the right, each cell read from its row by `cell`.
    pub fn column<C: Into<Cell>>(mut self, column: Column, cell: impl Fn(R) -> C) -> Self {
        self.table.columns.push(column);
        for (cells, &row) in self.table.rows.iter_mut().zip(&self.rows) {
            cells.push(cell(row).into());
        }
        self
    }

    /// Adds a column as [`column`](Self::column) does, but only if it has a value in some row.
    ///
    /// ```
    /// use matchwright_report::{Column, Table};
    ///
    /// let table = Table::of("Ratings", [("ann", Some(1512.0), None::<f64>), ("bob", None, None)])
    ///     .column(Column::text("player"), |(name, ..)| name)
    ///     .optional_column(Column::number("rating", 0), |(_, rating, _)| rating)
    ///     .optional_column(Column::number("deviation", 0), |(.., deviation)| deviation)
    ///     .build();
    /// assert_eq!(table.to_csv(), "player,rating\nann,1512\nbob,\n");
    /// ```
    pub fn optional_column<C: Into<Cell>>(self, column: Column, cell: impl Fn(R) -> C) -> Self {
        let any = self.rows.iter().any(|&row| cell(row).into() != Cell::Empty);
        self.when(any, |table| table.column(column, cell))
    }

    /// Adds a column for each of `keys`: `column` heads it, `cell` reads a row's cell in it.
    ///
    /// ```
    /// use matchwright_report::{Column, Table};
    ///
    /// let sizes = [100, 200];
    /// let table = Table::of("Retained", [("random", [60.5, 121.0]), ("by skill", [61.0, 122.5])])
    ///     .column(Column::text("Method"), |(method, _)| method)
    ///     .columns(0..2, |size| Column::number(format!("P = {}", sizes[size]), 1), |(_, retained), size| retained[size])
    ///     .build();
    /// assert_eq!(table.to_csv(), "Method,P = 100,P = 200\nrandom,60.5,121\nby skill,61,122.5\n");
    /// ```
    pub fn columns<K: Copy, C: Into<Cell>>(
        self,
        keys: impl IntoIterator<Item = K>,
        column: impl Fn(K) -> Column,
        cell: impl Fn(R, K) -> C,
    ) -> Self {
        keys.into_iter()
            .fold(self, |table, key| table.column(column(key), |row| cell(row, key)))
    }

    /// Adds what `more` adds, if `condition` holds.
    pub fn when(self, condition: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if condition { more(self) } else { self }
    }

    /// The table.
    #[must_use]
    pub fn build(self) -> Table {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_rows_keeps_its_columns_but_for_optional_ones() {
        let none: [(f64, f64); 0] = [];
        let table = Table::of("t", none)
            .column(Column::text("a"), |_| "x")
            .optional_column(Column::number("b", 0), |(b, _)| b)
            .columns([1, 2], |k| Column::integer(k.to_string()), |_, k| k)
            .build();
        assert_eq!(table.to_csv(), "a,1,2\n");
    }

    #[test]
    fn columns_stand_in_the_order_in_which_they_were_added() {
        let build = |more| {
            Table::of("t", [1, 2])
                .column(Column::integer("one"), |row| row)
                .when(more, |table| table.column(Column::integer("ten"), |row| 10 * row))
                .column(Column::text("word"), |row| row.to_string())
                .build()
                .to_csv()
        };
        assert_eq!(build(true), "one,ten,word\n1,10,1\n2,20,2\n");
        assert_eq!(build(false), "one,word\n1,1\n2,2\n");
    }
}
