//! Matches from CSV with a header line.

use std::io::BufRead;

use csv::ByteRecord;

use super::columns::Columns;
use super::rows::{Field, RawMatch, RowError, assemble, reading_error};
use crate::failure::suggestion;

/// The rows of a CSV file, one match each.
pub(super) struct CsvRows {
    reader: csv::Reader<Box<dyn BufRead>>,
    record: ByteRecord,
    header: Vec<String>,
    columns: Columns,
    uses_result: bool,
    /// Field numbers by meaning, from 0.
    places: Vec<(&'static str, usize)>,
    line: u64,
}

impl CsvRows {
    /// Reads the header and finds the columns in it.
    pub(super) fn new(text: Box<dyn BufRead>, columns: &Columns) -> Result<Self, RowError> {
        // Widths are checked row by row, so that one bad row can be skipped.
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
        let header = reader
            .byte_headers()
            .map_err(|error| csv_error(1, error))?
            .clone();
        let mut names = Vec::with_capacity(header.len());
        for (k, name) in header.iter().enumerate() {
            names.push(utf8(name, 1, k as u64 + 1)?.trim().to_owned());
        }
        if names.iter().all(String::is_empty) {
            return Err(RowError::fatal(
                1,
                1,
                "the file is empty; a header line and a line for each match are needed",
            ));
        }
        let has = |name: &str| names.iter().any(|n| n == name);
        let uses_result = columns.uses_result(has);
        let mut places = Vec::new();
        for meaning in Columns::needed(uses_result) {
            let wanted = columns.name(meaning);
            let mut found = (0..names.len()).filter(|k| names[*k] == wanted);
            let Some(place) = found.next() else {
                return Err(RowError::fatal(1, 1, missing_column(meaning, wanted, &names)));
            };
            if found.next().is_some() {
                let message =
                    format!("two columns are called `{wanted}`; rename one, the {meaning} must be unique");
                return Err(RowError::fatal(1, place as u64 + 1, message));
            }
            places.push((*meaning, place));
        }
        let record = ByteRecord::new();
        Ok(Self {
            reader,
            record,
            header: names,
            columns: columns.clone(),
            uses_result,
            places,
            line: 1,
        })
    }

    fn field(&self, meaning: &'static str) -> Result<Field, RowError> {
        let place = self
            .places
            .iter()
            .find(|(known, _)| *known == meaning)
            .map_or(0, |(_, place)| *place);
        let column = place as u64 + 1;
        let bytes = self.record.get(place).unwrap_or_default();
        let text = utf8(bytes, self.line, column)?.trim().to_owned();
        Ok(Field {
            name: self.columns.name(meaning).to_owned(),
            column,
            text,
        })
    }

    fn width(&self) -> Result<(), RowError> {
        let (found, wanted) = (self.record.len(), self.header.len());
        if found == wanted {
            return Ok(());
        }
        let message = format!(
            "the row has {found} fields and the header {wanted}; complete the row, or quote fields that hold commas (use --skip-bad to drop such rows)"
        );
        Err(RowError::at(self.line, found.min(wanted) as u64 + 1, message))
    }
}

impl Iterator for CsvRows {
    type Item = Result<RawMatch, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line_before = self.reader.position().line();
        match self.reader.read_byte_record(&mut self.record) {
            Ok(false) => None,
            Ok(true) => {
                self.line = self.record.position().map_or(line_before, csv::Position::line);
                let row = self
                    .width()
                    .and_then(|()| assemble(self.line, self.uses_result, |meaning| self.field(meaning)));
                Some(row)
            }
            Err(error) => Some(Err(csv_error(line_before, error))),
        }
    }
}

fn csv_error(line: u64, error: csv::Error) -> RowError {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => reading_error(line, &error),
        other => RowError::fatal(line, 1, format!("not readable as CSV: {other:?}")),
    }
}

fn utf8(bytes: &[u8], line: u64, column: u64) -> Result<&str, RowError> {
    std::str::from_utf8(bytes).map_err(|_| {
        let shown = String::from_utf8_lossy(bytes);
        let message = format!("`{shown}` is not UTF-8; convert the file, for example from Latin-1 with iconv (use --skip-bad to drop such rows)");
        RowError::at(line, column, message)
    })
}

fn missing_column(meaning: &str, wanted: &str, header: &[String]) -> String {
    let hint = suggestion(wanted, header.iter().map(String::as_str));
    let has = header.join(", ");
    format!(
        "no column `{wanted}` for the {meaning}{hint} The file has: {has}. Name it with --columns {meaning}=COLUMN"
    )
}
