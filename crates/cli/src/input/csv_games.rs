//! Games from CSV with a header line: a column for each player.

use smallvec::{SmallVec, smallvec};

use super::columns::Columns;
use super::csv::{Record, Table};
use super::games::{Field, Game, Games, Member, Take, first_won, of_two};
use super::rows::{Fault, RowError};
use super::unused::Unused;
use crate::failure::Failure;

/// The rows of a CSV file, one game each.
pub(super) struct CsvGames<'a> {
    table: Table<'a>,
    uses_result: bool,
    /// Whether the first player won, by the name of the column.
    names_winner: bool,
    /// Field numbers, from 0, of the time and of both scores, or of the result in place of the first.
    time: usize,
    outcome: [usize; 2],
    /// Field numbers of the players of both sides.
    sides: [Vec<usize>; 2],
}

impl<'a> CsvGames<'a> {
    /// Finds the columns of a table; with what there is to say of how they were found.
    pub(super) fn new(
        table: Table<'a>,
        columns: &Columns,
        unused: &Unused,
    ) -> Result<(Self, Option<String>), RowError> {
        let line = table.records.line();
        let (columns, note) = columns.fitted(&table.header);
        let place = |meaning, name: &str| match table.place(name) {
            Ok(Some(place)) => Ok(place),
            Ok(None) => Err(RowError::new(
                line,
                (1, columns.missing(meaning, name, &table.header)),
            )),
            Err(fault) => Err(RowError::new(line, fault)),
        };
        let uses_result = columns.uses_result(|name| table.header.iter().any(|n| n == name));
        let names_winner = columns.name_the_winner(|name| table.header.iter().any(|n| n == name));
        let meant = |meaning| place(meaning, columns.name(meaning));
        let time = meant("time")?;
        let outcome = match (names_winner, uses_result) {
            (true, _) => [0; 2],
            (_, true) => [meant("result")?; 2],
            _ => [meant("score1")?, meant("score2")?],
        };
        let side = |(meaning, names): (&'static str, Vec<&str>)| {
            names
                .into_iter()
                .map(|name| place(meaning, name))
                .collect::<Result<Vec<usize>, RowError>>()
        };
        let [one, two] = columns.sides();
        let sides = [side(one)?, side(two)?];
        let told: &[usize] = if names_winner { &[] } else { &outcome };
        let seats = sides.concat();
        unused.add_all_but(&table.header, &[&[time], told, &seats[..]].concat());
        let games = Self {
            table,
            uses_result,
            names_winner,
            time,
            outcome,
            sides,
        };
        Ok((games, note))
    }

    /// The game of one of the rows at hand.
    fn game(&self, at: usize) -> Result<Game<'_>, RowError> {
        let row = self.table.row(at)?;
        self.read(&row).map_err(|fault| RowError::new(row.line(), fault))
    }

    fn read<'r>(&'r self, row: &Record<'r>) -> Result<Game<'r>, Fault> {
        let field = |place: usize| -> Result<Field<'r>, Fault> {
            Ok(Field {
                name: self.table.header[place].as_str().into(),
                column: place as u64 + 1,
                text: row.field(place)?.into(),
            })
        };
        let told = |meaning| field(self.outcome[usize::from(meaning == "score2")]);
        let side = |places: &[usize]| -> Result<SmallVec<_>, Fault> {
            if let &[place] = places {
                return Ok(SmallVec::from_buf([Member::new(field(place)?)?]));
            }
            let mut members = SmallVec::new();
            for &place in places {
                let name = field(place)?;
                // An empty field is an empty seat.
                if !name.text.is_empty() {
                    members.push(Member::new(name)?);
                }
            }
            Ok(members)
        };
        let first = self.sides[0].first().map_or(1, |place| *place as u64 + 1);
        let sides = smallvec![side(&self.sides[0])?, side(&self.sides[1])?];
        let standings = if self.names_winner {
            first_won()
        } else {
            of_two(self.uses_result, told)?
        };
        Ok(Game::new(
            row.line(),
            field(self.time)?,
            (first, sides),
            standings,
        ))
    }
}

impl Games for CsvGames<'_> {
    fn each(&mut self, take: &mut Take<'_>) -> Result<(), Failure> {
        loop {
            let games = match self.table.advance_some() {
                Ok(0) => return Ok(()),
                Ok(rows) => (0..rows).map(|at| self.game(at)).collect(),
                Err(error) => vec![Err(error)],
            };
            take(games)?;
        }
    }
}
