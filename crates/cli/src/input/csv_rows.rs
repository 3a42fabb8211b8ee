//! Matches from CSV with a header line.

use std::io::BufRead;

use super::columns::Columns;
use super::records::Records;
use super::rows::{Field, RawMatch, RowError, assemble};
use crate::failure::{shown, suggestion};

/// The rows of a CSV file, one match each.
pub(super) struct CsvRows {
    records: Records,
    header: Vec<String>,
    columns: Columns,
    uses_result: bool,
    /// Field numbers by meaning, from 0.
    places: Vec<(&'static str, usize)>,
    /// Nothing can follow what went wrong.
    ended: bool,
}

impl CsvRows {
    /// Reads the header and finds the columns in it.
    pub(super) fn new(text: Box<dyn BufRead>, columns: &Columns) -> Result<Self, RowError> {
        let mut records = Records::new(text);
        if !records.advance()? {
            let message = "the file is empty; a header line and a line for each match are needed";
            return Err(RowError::fatal(1, 1, message));
        }
        let line = records.span().0;
        let mut header = Vec::with_capacity(records.len());
        for k in 0..records.len() {
            header.push(utf8(records.field(k), line, k as u64 + 1)?.trim().to_owned());
        }
        let uses_result = columns.uses_result(|name| header.iter().any(|n| n == name));
        let mut places = Vec::new();
        for meaning in Columns::needed(uses_result) {
            places.push((*meaning, place(meaning, columns.name(meaning), &header, line)?));
        }
        Ok(Self {
            records,
            header,
            columns: columns.clone(),
            uses_result,
            places,
            ended: false,
        })
    }

    fn row(&self) -> Result<RawMatch, RowError> {
        let (line, last) = self.records.span();
        let (found, wanted) = (self.records.len(), self.header.len());
        if found != wanted {
            let quote = if last > line {
                format!(" The row runs on to line {last}: is a quote left open?")
            } else {
                String::new()
            };
            let message = format!(
                "the row has {found} fields and the header {wanted}; complete the row, or quote fields that hold commas (use --skip-bad to drop such rows){quote}"
            );
            return Err(RowError::at(line, found.min(wanted) as u64 + 1, message));
        }
        assemble(line, self.uses_result, |meaning| {
            let known = self.places.iter().find(|(known, _)| *known == meaning);
            let place = known.map_or(0, |(_, place)| *place);
            let column = place as u64 + 1;
            let text = utf8(self.records.field(place), line, column)?.trim().to_owned();
            Ok(Field {
                name: self.columns.name(meaning).to_owned(),
                column,
                text,
            })
        })
    }
}

impl Iterator for CsvRows {
    type Item = Result<RawMatch, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.records.advance() {
            Ok(true) => Some(self.row()),
            Ok(false) => None,
            Err(error) => {
                self.ended = true;
                Some(Err(error))
            }
        }
    }
}

/// Where the wanted column stands in the header.
fn place(meaning: &str, wanted: &str, header: &[String], line: u64) -> Result<usize, RowError> {
    let mut found = (0..header.len()).filter(|k| header[*k] == wanted);
    let Some(place) = found.next() else {
        let hint = suggestion(wanted, header.iter().map(String::as_str));
        let message = format!(
            "no column `{wanted}` for the {meaning}{hint} The file has: {}. Name it with --columns {meaning}=COLUMN",
            shown(&header.join(", "))
        );
        return Err(RowError::fatal(line, 1, message));
    };
    if found.next().is_some() {
        let message = format!("two columns are called `{wanted}`; rename one, the {meaning} must be unique");
        return Err(RowError::fatal(line, place as u64 + 1, message));
    }
    Ok(place)
}

fn utf8(bytes: &[u8], line: u64, column: u64) -> Result<&str, RowError> {
    std::str::from_utf8(bytes).map_err(|_| {
        let text = shown(&String::from_utf8_lossy(bytes));
        let message = format!(
            "`{text}` is not UTF-8; convert the file, for example from Latin-1 or UTF-16 with iconv (use --skip-bad to drop such rows)"
        );
        RowError::at(line, column, message)
    })
}
