//! Games from CSV with a header line: a column for each player.

use smallvec::{SmallVec, smallvec};

use super::columns::Columns;
use super::csv::{Record, Table};
use super::games::{Field, Game, Games, Member, Take};
use super::outcome::{Outcome, Telling};
use super::rows::{Fault, RowError};
use super::unused::Unused;
use crate::failure::Failure;

/// The rows of a CSV file, one game each.
pub(super) struct CsvGames<'a> {
    table: Table<'a>,
    /// What tells how each game ended.
    tellings: Vec<Telling>,
    /// Field numbers, from 0, of what tells it, by meaning; and of the time.
    outcome: Vec<(&'static str, usize)>,
    time: usize,
    /// Of the name of each match, if there is one.
    id: Option<usize>,
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
        let refuse = |fault| RowError::new(line, fault);
        let place = |meaning, name: &str| {
            let place = table.place(name).map_err(refuse)?;
            let place = place.ok_or_else(|| refuse((1, columns.missing(meaning, name, &table.header))))?;
            let twin = columns.check_twin(meaning, name, &table.header);
            twin.map_err(|what| refuse((place as u64 + 1, what)))?;
            Ok(place)
        };
        let meant = |meaning| place(meaning, columns.name(meaning));
        let time = meant("time")?;
        let mut tellings = columns.tellings(|name| table.header.iter().any(|known| known == name));
        // One cell is no list of places.
        tellings.retain(|telling| !matches!(telling, Telling::Ranks | Telling::Scores));
        if tellings.is_empty() {
            tellings.push(Telling::TwoScores);
        }
        let meanings = tellings.iter().flat_map(|telling| telling.meanings());
        let players = ["player1", "player2"].iter().filter(|_| !columns.has_teams());
        let outcome = meanings
            .chain(players)
            .map(|meaning| Ok((*meaning, meant(meaning)?)))
            .collect::<Result<Vec<_>, RowError>>()?;
        let id = columns.match_id(&table.header);
        let id = id.and_then(|name| table.place(name).transpose());
        let id = id.transpose().map_err(refuse)?;
        let side = |(meaning, names): (&'static str, Vec<&str>)| {
            names
                .into_iter()
                .map(|name| place(meaning, name))
                .collect::<Result<Vec<usize>, RowError>>()
        };
        let [one, two] = columns.sides();
        let sides = [side(one)?, side(two)?];
        let told = outcome.iter().map(|(_, place)| *place);
        let used = sides.concat().into_iter().chain(told).chain(id).chain([time]);
        unused.add_all_but(&table.header, &used.collect::<Vec<_>>());
        let games = Self {
            table,
            tellings,
            outcome,
            time,
            id,
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
        let told = |meaning: &str| {
            let known = self.outcome.iter().find(|(known, _)| *known == meaning);
            let (_, place) = known.ok_or_else(|| (1, format!("no column for the {meaning}")))?;
            field(*place)
        };
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
        let outcome = Outcome {
            field: told,
            list: |_| Ok(Vec::new()),
            sides: &sides,
        };
        let standings = outcome.standings(&self.tellings)?;
        let time = field(self.time)?;
        let id = self.id.map(field).transpose()?;
        Ok(Game::new(row.line(), time, (first, sides), standings).named(id))
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
