//! Tables for programs: cells, CSV and JSON, at full precision and without formatting.

use serde_json::{Value, json};

use super::{Cell, Column, Table};
use crate::number::shortest;
use crate::time::utc_time;

impl Table {
    /// The names of the columns, and the rows, each as wide: numbers as people see them but for rounding.
    ///
    /// A column `x` that holds an estimate becomes two, `x` and `x_se`. For writers of formats that are none of this
    /// crate's.
    pub fn records(&self) -> (Vec<String>, impl Iterator<Item = Vec<Cell>> + '_) {
        let columns = self.shown_columns();
        let is_estimate = |index| {
            let mut cells = self.rows.iter().map(|row| row.get(index));
            cells.any(|cell| matches!(cell, Some(Cell::Estimate { .. })))
        };
        let has_error: Vec<bool> = (0..columns.len()).map(is_estimate).collect();
        let mut header = Vec::new();
        for (column, &with_error) in columns.iter().zip(&has_error) {
            header.push(column.name().to_owned());
            if with_error {
                header.push(format!("{}_se", column.name()));
            }
        }
        let width = header.len();
        let records = self.rows.iter().map(move |row| {
            let mut record = Vec::with_capacity(width);
            for (index, &with_error) in has_error.iter().enumerate() {
                let cell = row.get(index).map(|cell| columns[index].scaled(cell));
                let (value, standard_error) = match cell.unwrap_or_default() {
                    Cell::Estimate {
                        value,
                        standard_error,
                    } => (Cell::Number(value), Cell::Number(standard_error)),
                    cell => (cell, Cell::Empty),
                };
                record.push(value);
                if with_error {
                    record.push(standard_error);
                }
            }
            record
        });
        (header, records)
    }

    /// The table as CSV (RFC 4180, with line feeds): a header, then one record per row.
    ///
    /// Numbers have the fewest digits that read back as the same `f64`; one that is not finite is empty. A column `x`
    /// that holds an estimate becomes two, `x` and `x_se`. Caption, units and notes are not part of it.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let (header, records) = self.records();
        let records = records.map(|record| record.iter().map(csv_field).collect());
        write_csv(std::iter::once(header).chain(records))
    }

    /// The table as JSON: `caption`, `columns` (each `name` and `unit`), `rows` (each an array in the order of the
    /// columns) and `notes`. An estimate is an object with `value` and `standard_error`; a number that is not finite
    /// is `null`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let columns = self.shown_columns();
        let cell = |row: &[Cell], (index, column): (usize, &Column)| {
            row.get(index)
                .map_or(Value::Null, |cell| json_cell(&column.scaled(cell)))
        };
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                columns
                    .iter()
                    .enumerate()
                    .map(|column| cell(row, column))
                    .collect()
            })
            .collect();
        let columns: Vec<Value> = columns
            .iter()
            .map(|column| json!({ "name": column.name(), "unit": column.unit_text() }))
            .collect();
        json!({ "caption": self.caption, "columns": columns, "rows": rows, "notes": self.notes })
    }
}

fn csv_field(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Time(seconds) => utc_time(*seconds),
        Cell::Integer(value) => value.to_string(),
        // An estimate's error has a field of its own.
        Cell::Number(value) | Cell::Estimate { value, .. } => csv_number(*value),
        Cell::Sparkline(values) => {
            let numbers: Vec<String> = values.iter().copied().map(csv_number).collect();
            numbers.join(" ")
        }
    }
}

fn csv_number(value: f64) -> String {
    if value.is_finite() {
        shortest(value)
    } else {
        String::new()
    }
}

fn json_cell(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Time(seconds) => Value::from(utc_time(*seconds)),
        Cell::Integer(value) => Value::from(*value),
        Cell::Number(value) => Value::from(*value),
        Cell::Sparkline(values) => Value::from(values.clone()),
        Cell::Estimate {
            value,
            standard_error,
        } => json!({ "value": value, "standard_error": standard_error }),
    }
}

fn write_csv(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for record in records {
        // A table without columns has records without fields, which CSV cannot express.
        if record.is_empty() {
            continue;
        }
        // Writing to memory cannot fail, and `flexible` allows records of any length.
        let written = writer.write_record(&record);
        debug_assert!(written.is_ok(), "{written:?}");
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(csv: &str) -> Vec<Vec<String>> {
        csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(csv.as_bytes())
            .records()
            .map(|record| record.unwrap().iter().map(str::to_owned).collect())
            .collect()
    }

    #[test]
    fn only_a_column_with_an_estimate_gets_an_error_column() {
        let table = Table::new("t")
            .column(Column::text("who"))
            .column(Column::number("x", 1))
            .column(Column::number("y", 1))
            .row(["a".into(), Cell::estimate(0.1, f64::NAN), 1.5.into()])
            .row(["b".into(), 2.into(), f64::INFINITY.into()])
            .row(["c".into(), Cell::estimate(-0.25, 0.5), Cell::Empty]);
        assert_eq!(table.to_csv(), "who,x,x_se,y\na,0.1,,1.5\nb,2,,\nc,-0.25,0.5,\n");
    }

    #[test]
    fn json_keeps_integers_and_turns_nan_into_null() {
        let table = Table::new("t")
            .column(Column::number("x", 0).unit("s"))
            .row([i64::MAX.into()])
            .row([f64::NAN.into()])
            .row([Cell::estimate(0.5, f64::INFINITY)])
            .note("n");
        assert_eq!(
            table.to_json(),
            json!({ "caption": "t", "columns": [{ "name": "x", "unit": "s" }], "notes": ["n"],
                    "rows": [[i64::MAX], [null], [{ "value": 0.5, "standard_error": null }]] })
        );
    }

    proptest! {
        #[test]
        fn any_strings_round_trip_through_csv(rows in prop::collection::vec([any::<String>(), any::<String>()], 0..6), head in any::<String>()) {
            let start = Table::new("t").column(Column::text(head.clone())).column(Column::text("b"));
            let table = rows.iter().fold(start, |table, row| table.row(row.iter().map(|text| text.as_str().into())));
            let mut expected = vec![vec![head, "b".to_owned()]];
            expected.extend(rows.iter().map(|row| row.to_vec()));
            prop_assert_eq!(read(&table.to_csv()), expected);
        }

        #[test]
        fn one_column_of_any_strings_round_trips_through_csv(rows in prop::collection::vec(any::<String>(), 0..6)) {
            let table = rows.iter().fold(Table::new("t").column(Column::text("a")), |table, text| table.row([text.as_str().into()]));
            let back: Vec<String> = read(&table.to_csv()).into_iter().skip(1).flatten().collect();
            prop_assert_eq!(back, rows);
        }

        #[test]
        fn finite_numbers_round_trip_through_csv_and_json(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            let table = Table::new("t").column(Column::number("x", 2)).row([value.into()]);
            prop_assert_eq!(read(&table.to_csv())[1][0].parse::<f64>().unwrap(), value);
            let json: Value = serde_json::from_str(&table.to_json().to_string()).unwrap();
            prop_assert_eq!(json["rows"][0][0].as_f64().unwrap(), value);
        }
    }
}
