//! Matches from CSV with a header line.

use std::io::BufRead;

use super::columns::Columns;
use super::records::Records;
use super::rows::{Field, RawGame, RawMember, RawPlaces, RowError};
use crate::failure::{shown, suggestion};

/// The rows of a CSV file, one match each.
pub(super) struct CsvRows {
    records: Records,
    header: Vec<String>,
    columns: Columns,
    uses_result: bool,
    /// Field numbers by meaning, from 0.
    places: Vec<(&'static str, usize)>,
    /// Name and field number of every player's column, side by side, where rows tell teams.
    teams: Option<[Vec<(String, usize)>; 2]>,
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
        for meaning in columns.needed(uses_result) {
            places.push((meaning, place(meaning, columns.name(meaning), &header, line)?));
        }
        let teams = match columns.teams() {
            Some([one, two]) => {
                let find = |meaning, names: Vec<&str>| -> Result<Vec<_>, RowError> {
                    let find = |name: &str| Ok((name.to_owned(), place(meaning, name, &header, line)?));
                    names.into_iter().map(find).collect()
                };
                Some([find("team1", one)?, find("team2", two)?])
            }
            None => None,
        };
        Ok(Self {
            records,
            header,
            columns: columns.clone(),
            uses_result,
            places,
            teams,
            ended: false,
        })
    }

    fn row(&self) -> Result<RawGame, RowError> {
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
        let field = |name: &str, place: usize| -> Result<Field, RowError> {
            let column = place as u64 + 1;
            let text = utf8(self.records.field(place), line, column)?.trim().to_owned();
            Ok(Field {
                name: name.to_owned(),
                column,
                text,
            })
        };
        let meant = |meaning| {
            let known = self.places.iter().find(|(known, _)| *known == meaning);
            field(self.columns.name(meaning), known.map_or(0, |(_, place)| *place))
        };
        let Some(teams) = &self.teams else {
            return RawGame::duel(line, self.uses_result, meant);
        };
        // An empty field is an empty seat.
        let side = |columns: &Vec<(String, usize)>| -> Result<Vec<RawMember>, RowError> {
            let fields = columns.iter().map(|(name, place)| field(name, *place));
            let taken = fields.filter(|name| !matches!(name, Ok(name) if name.text.is_empty()));
            taken.map(|name| name.map(RawMember::alone)).collect()
        };
        Ok(RawGame {
            line,
            time: meant("time")?,
            column: teams[0].first().map_or(1, |(_, place)| *place as u64 + 1),
            sides: vec![side(&teams[0])?, side(&teams[1])?],
            decided_by: RawPlaces::of_two(self.uses_result, meant)?,
        })
    }
}

impl Iterator for CsvRows {
    type Item = Result<RawGame, RowError>;

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
