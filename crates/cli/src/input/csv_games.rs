//! Games from CSV with a header line: a column for each player.

use smallvec::smallvec;

use super::columns::Columns;
use super::csv::{Record, Table};
use super::games::{Field, Game, Games, Sides, Take, first_won, of_two};
use super::rows::{Fault, RowError};
use super::seats::Seats;
use crate::failure::Failure;

/// The rows of a CSV file, one game each.
pub(super) struct CsvGames<'a> {
    table: Table<'a>,
    uses_result: bool,
    /// Whether the first player won, by the name of the column.
    names_winner: bool,
    /// Field numbers, from 0, of the time and of both scores, or of the result in place of the first.
    time: usize,
    /// Of the date beside it, and whether a complete time must agree with it.
    date: Option<(usize, bool)>,
    outcome: [usize; 2],
    /// Field numbers of the players of both sides.
    sides: [Vec<usize>; 2],
    seats: Seats,
}

impl<'a> CsvGames<'a> {
    /// Finds the columns of a table; with what there is to say of how they were found.
    pub(super) fn new(
        table: Table<'a>,
        columns: &Columns,
        as_written: bool,
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
        let date = columns.date(table.header.iter().map(String::as_str), columns.name("time"));
        let date = date.map(|(name, is_checked)| Ok((place("date", name)?, is_checked)));
        let date = date.transpose()?;
        let outcome = match (names_winner, uses_result) {
            (true, _) => [0; 2],
            (_, true) => [meant("result")?; 2],
            _ => [meant("score1")?, meant("score2")?],
        };
        let side = |(meaning, names): (&'static str, Vec<&str>)| {
            names
                .into_iter()
                .map(|name| place(meaning, name))
                .collect::<Result<_, _>>()
        };
        let seats = Seats::new(&columns, as_written);
        let [one, two] = columns.sides();
        let sides = [side(one)?, side(two)?];
        let games = Self {
            table,
            uses_result,
            names_winner,
            time,
            date,
            outcome,
            sides,
            seats,
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
        let side = |places: &[usize]| self.seats.side(places, row.line(), field);
        let first = self.sides[0].first().map_or(1, |place| *place as u64 + 1);
        let sides: Sides<'r> = smallvec![side(&self.sides[0])?, side(&self.sides[1])?];
        self.seats.count(row.line(), [sides[0].len(), sides[1].len()]);
        let standings = if self.names_winner {
            first_won()
        } else {
            of_two(self.uses_result, told)?
        };
        let date = self.date.map(|(place, is_checked)| {
            let text = row.field(place)?.into();
            Ok::<_, Fault>((text, is_checked))
        });
        let game = Game::new(row.line(), field(self.time)?, (first, sides), standings);
        let result = self.uses_result && !self.names_winner;
        let result = result.then(|| field(self.outcome[0])).transpose()?;
        Ok(game
            .on(date.transpose()?)
            .said(result)
            .won_by_name(self.names_winner))
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

    fn finish(&self) -> Result<Vec<String>, RowError> {
        Ok(self.seats.notes())
    }
}
