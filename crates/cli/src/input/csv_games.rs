//! Games from CSV with a header line: a column for each player.

use std::io::BufRead;

use super::columns::Columns;
use super::csv::Table;
use super::games::{Field, Game, Member, of_two};
use super::rows::{Fault, RowError};
use crate::failure::{shown, suggestion};

/// The rows of a CSV file, one game each.
pub(super) struct CsvGames<'a> {
    table: Table<'a>,
    uses_result: bool,
    /// Field numbers by meaning, from 0.
    places: Vec<(&'static str, usize)>,
    /// Field numbers of the players of both sides.
    sides: [Vec<usize>; 2],
}

impl<'a> CsvGames<'a> {
    /// Reads the header and finds the columns in it.
    pub(super) fn open(text: impl BufRead + 'a, columns: &Columns) -> Result<Self, RowError> {
        let table = Table::open(text, "match")?;
        let line = table.records.line();
        let place =
            |meaning, name: &str| place(&table, meaning, name).map_err(|fault| RowError::new(line, fault));
        let uses_result = columns.uses_result(|name| table.header.iter().any(|n| n == name));
        let outcome: &[&'static str] = if uses_result {
            &["result"]
        } else {
            &["score1", "score2"]
        };
        let meanings = std::iter::once(&"time").chain(outcome);
        let places = meanings
            .map(|meaning| Ok((*meaning, place(meaning, columns.name(meaning))?)))
            .collect::<Result<_, _>>()?;
        let side = |(meaning, names): (&'static str, Vec<&str>)| {
            names
                .into_iter()
                .map(|name| place(meaning, name))
                .collect::<Result<_, _>>()
        };
        let [one, two] = columns.sides();
        let sides = [side(one)?, side(two)?];
        Ok(Self {
            table,
            uses_result,
            places,
            sides,
        })
    }

    fn game(&self, line: u64) -> Result<Game, Fault> {
        let field = |place: usize| -> Result<Field, Fault> {
            Ok(Field {
                name: self.table.header[place].clone(),
                column: place as u64 + 1,
                text: self.table.records.field(place)?.to_owned(),
            })
        };
        let meant = |meaning| {
            let known = self.places.iter().find(|(known, _)| *known == meaning);
            field(known.map_or(0, |(_, place)| *place))
        };
        let side = |places: &[usize]| -> Result<Vec<Member>, Fault> {
            let mut fields = places
                .iter()
                .map(|place| field(*place))
                .collect::<Result<Vec<_>, _>>()?;
            // In a team an empty field is an empty seat.
            if places.len() > 1 {
                fields.retain(|name| !name.text.is_empty());
            }
            fields.into_iter().map(Member::new).collect()
        };
        let first = self.sides[0].first().map_or(1, |place| *place as u64 + 1);
        let sides = vec![side(&self.sides[0])?, side(&self.sides[1])?];
        let standings = of_two(self.uses_result, meant)?;
        Ok(Game::new(line, meant("time")?, (first, sides), standings))
    }
}

impl Iterator for CsvGames<'_> {
    type Item = Result<Game, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.table.advance().transpose()?;
        Some(line.and_then(|line| self.game(line).map_err(|fault| RowError::new(line, fault))))
    }
}

/// Where the wanted column stands.
fn place(table: &Table<'_>, meaning: &str, wanted: &str) -> Result<usize, Fault> {
    table.place(wanted)?.ok_or_else(|| {
        let hint = suggestion(wanted, table.header.iter().map(String::as_str));
        let what = format!(
            "no column `{wanted}` for the {meaning}{hint} The file has: {}. Name it with --columns {meaning}=COLUMN",
            shown(&table.header.join(", "))
        );
        (1, what)
    })
}
