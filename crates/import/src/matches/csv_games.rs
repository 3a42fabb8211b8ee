//! Games from CSV with a header line: a column for each player.

use smallvec::smallvec;

use crate::cell::decimals::Decimals;
use crate::error::{Fault, RowError};
use crate::matches::columns::Columns;
use crate::matches::columns::many_sides::ManySides;
use crate::matches::field::Field;
use crate::matches::games::{Batch, Games, Match, Sides, Wanted, When};
use crate::matches::outcome::{Outcome, Telling, Winners};
use crate::matches::sample::Sample;
use crate::matches::seats::Seats;
use crate::row::csv::{Record, Table};
use crate::unused::ColumnUse;

/// What to write where more than two sides meet.
const SEVERAL: &str = "each needs a rank or score of its own, as the columns rank1, rank2 and so on have";

/// The rows of a CSV file, one game each.
pub(crate) struct CsvGames<'a> {
    table: Table<'a>,
    /// What tells how each game ended.
    tellings: Vec<Telling>,
    /// Field numbers, from 0, of what tells it, by meaning; and of the time.
    outcome: Vec<(&'static str, usize)>,
    /// None where the order of the rows tells.
    time: Option<usize>,
    /// Of the date beside it, and whether a complete time must agree with it.
    date: Option<(usize, bool)>,
    /// Of the name of each match, if there is one.
    id: Option<usize>,
    /// Of what was played in each, if there is one.
    context: Option<usize>,
    /// Field numbers of the players of both sides.
    sides: [Vec<usize>; 2],
    /// Those of more than two sides, which then count instead.
    many: Option<ManySides>,
    seats: Seats,
    winners: Winners,
    /// What commas in numbers are.
    decimals: Decimals,
    wanted: Wanted,
}

impl<'a> CsvGames<'a> {
    /// Finds the columns of a table; with what there is to say of how they were found.
    pub(crate) fn new(
        table: Table<'a>,
        columns: &Columns,
        (as_written, unused): (bool, &ColumnUse),
        sample: &Sample<'_>,
        wanted: Wanted,
    ) -> Result<(Self, Vec<String>), RowError> {
        let chose_players = columns.chosen(&["player1", "player2", "team1", "team2"]);
        let (columns, note) = columns.fitted(&table.header);
        let header = Header {
            table: &table,
            columns: &columns,
        };
        let (time, date) = header.time(wanted.in_order)?;
        let mut tellings = columns.tellings(|name| table.header.iter().any(|known| known == name));
        // One cell is no list of places.
        tellings.retain(|telling| !matches!(telling, Telling::Ranks | Telling::Scores));
        let [(_, one), _] = columns.sides();
        let many = one.first().filter(|_| !chose_players);
        let many = many.and_then(|first| ManySides::of(&table.header, first, &columns));
        if let Some(many) = &many {
            tellings = many.tellings(&tellings);
        } else if !tellings.iter().any(|telling| telling.tells_result()) {
            tellings = vec![Telling::TwoScores];
        }
        let mut outcome = header.outcome(&tellings)?;
        header.check_sides(chose_players || many.is_some())?;
        let id = columns.match_id(&table.header);
        let id = id.and_then(|name| table.place(name).transpose());
        let id = id.transpose().map_err(|fault| header.refuse(fault))?;
        let context = header.context()?;
        let places = |is_wanted: fn(&str) -> bool| {
            let wanted = outcome.iter().filter(|(meaning, _)| is_wanted(meaning));
            wanted.map(|(_, place)| *place).collect::<Vec<_>>()
        };
        let labels = sample.labels(&places(|meaning| {
            ["result", "winner", "loser"].contains(&meaning)
        }));
        let mut numbers = places(has_numbers);
        numbers.extend(many.iter().flat_map(ManySides::scores));
        let decimals = sample.decimals(&numbers);
        let sides = header.sides()?;
        let of_sides = columns.sides().into_iter().zip(&sides);
        let of_sides =
            of_sides.flat_map(|((meaning, _), places)| places.iter().map(move |place| (meaning, *place)));
        let used = time.map(|place| ("time", place)).into_iter();
        let used = used
            .chain(date.map(|(place, _)| ("date", place)))
            .chain(of_sides.filter(|_| many.is_none()))
            .chain(many.iter().flat_map(ManySides::used))
            .chain(outcome.iter().copied())
            .chain(id.map(|place| ("match", place)))
            .chain(context.map(|place| ("context", place)));
        note_use(&table.header, used, unused);
        // What the sides are called may tell who won.
        let called = ["player1", "player2"].into_iter().zip(&sides);
        outcome.extend(called.filter_map(|(meaning, places)| Some((meaning, *places.first()?))));
        let seats = Seats::new(&columns, as_written);
        let games = Self {
            table,
            tellings,
            outcome,
            time,
            date,
            id,
            context,
            sides,
            many,
            seats,
            winners: Winners::new(labels),
            decimals,
            wanted,
        };
        Ok((
            games,
            note.into_iter().chain(unused.take_decimals(decimals)).collect(),
        ))
    }

    /// The game of one of the rows at hand.
    fn game(&self, at: usize) -> Result<Match<'_>, RowError> {
        let row = self.table.row(at)?;
        self.read(&row).map_err(|fault| RowError::new(row.line(), fault))
    }

    fn read<'r>(&'r self, row: &Record<'r>) -> Result<Match<'r>, Fault> {
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
            let field = field(*place)?;
            if !has_numbers(meaning) {
                return Ok(field);
            }
            field.with_decimals(self.decimals)
        };
        let side = |places: &[usize]| self.seats.side(places, row.line(), field);
        let first = self.sides[0].first().map_or(1, |place| *place as u64 + 1);
        let present = self.many.as_ref().map(|many| many.present(field)).transpose()?;
        let present = present.unwrap_or_default();
        let sides: Sides<'r> = match &self.many {
            None => smallvec![side(&self.sides[0])?, side(&self.sides[1])?],
            Some(many) => (present.iter())
                .map(|number| side(&[many.players[*number]]))
                .collect::<Result<_, _>>()?,
        };
        if self.many.is_none() {
            self.seats.count(row.line(), [sides[0].len(), sides[1].len()]);
        }
        let list = |meaning: &'static str| match &self.many {
            None => Ok(Vec::new()),
            Some(many) => many.list((meaning, &present), self.decimals, field),
        };
        let outcome = Outcome {
            field: told,
            list,
            sides: &sides,
            winners: &self.winners,
        };
        let many = self.many.as_ref();
        let (standings, said, is_unplayed) = match many.map(|many| many.is_unplayed(&present, field)) {
            Some(is_unplayed) if is_unplayed.clone()? => (smallvec![(1, 0.0); sides.len()], None, true),
            _ => outcome.end(&self.tellings, self.wanted.forfeits)?,
        };
        let date = self.date.map(|(place, is_checked)| {
            let text = row.field(place)?.into();
            Ok::<_, Fault>((text, is_checked))
        });
        let when = When {
            time: self.time.map(field).transpose()?,
            date: date.transpose()?,
        };
        let id = self.id.map(field).transpose()?;
        let context = self.context.map(field).transpose()?;
        let game = Match::new(row.line(), when, (first, sides), standings);
        let game = game.named(id).in_context(context);
        let is_named = self.tellings.contains(&Telling::Players);
        Ok(game.said(said).won_by_name(is_named).unplayed(is_unplayed))
    }
}

/// Where the times stand, and the dates beside them, and whether a complete time must agree with its date.
type Times = (Option<usize>, Option<(usize, bool)>);

/// A header, and what its columns mean.
struct Header<'t, 'a> {
    table: &'t Table<'a>,
    columns: &'t Columns,
}

impl Header<'_, '_> {
    fn refuse(&self, fault: Fault) -> RowError {
        RowError::new(self.table.records.line(), fault)
    }

    /// Where the column with this name stands, which is for this meaning.
    fn place(&self, meaning: &'static str, name: &str) -> Result<usize, RowError> {
        let Self { table, columns } = self;
        let place = table.place(name).map_err(|fault| self.refuse(fault))?;
        let missing = || (1, columns.missing(meaning, name, &table.header));
        let place = place.ok_or_else(|| self.refuse(missing()))?;
        let twin = columns.check_twin(meaning, name, &table.header);
        twin.map_err(|what| self.refuse((place as u64 + 1, what)))?;
        Ok(place)
    }

    fn meant(&self, meaning: &'static str) -> Result<usize, RowError> {
        self.place(meaning, self.columns.name(meaning))
    }

    /// Where the times stand, if not the order of the rows tells, and the dates beside them.
    fn time(&self, in_order: bool) -> Result<Times, RowError> {
        let (names, called) = (&self.table.header, self.columns.name("time"));
        let has_time = names.iter().any(|known| known == called);
        let time = (has_time || !in_order).then(|| self.meant("time"));
        let date = self.columns.date(names.iter().map(String::as_str), called);
        let date = date.map(|(name, is_checked)| Ok((self.place("date", name)?, is_checked)));
        Ok((time.transpose()?, date.transpose()?))
    }

    /// Where it stands what was played, if the user names that column or it is called so.
    fn context(&self) -> Result<Option<usize>, RowError> {
        let called = self.columns.name("context");
        let is_there = self.table.header.iter().any(|name| name == called);
        let is_read = is_there || self.columns.chosen(&["context"]);
        is_read.then(|| self.meant("context")).transpose()
    }

    /// Where all stands by which these tell how games ended.
    fn outcome(&self, tellings: &[Telling]) -> Result<Vec<(&'static str, usize)>, RowError> {
        let meanings = tellings.iter().flat_map(|telling| telling.meanings());
        let is_side = |meaning: &&&str| ["player1", "player2", "ranks", "scores"].contains(meaning);
        let others = meanings.filter(|meaning| !is_side(meaning));
        others
            .map(|meaning| Ok((*meaning, self.meant(meaning)?)))
            .collect()
    }

    /// Where the players of both sides stand.
    fn sides(&self) -> Result<[Vec<usize>; 2], RowError> {
        let side = |(meaning, names): (&'static str, Vec<&str>)| -> Result<Vec<usize>, RowError> {
            names.into_iter().map(|name| self.place(meaning, name)).collect()
        };
        let [one, two] = self.columns.sides();
        Ok([side(one)?, side(two)?])
    }

    /// Refuses a result that is the second side's, and one more player unless all `are_known`.
    fn check_sides(&self, are_known: bool) -> Result<(), RowError> {
        let names = &self.table.header;
        if let Some((name, what)) = self.columns.reversed(names) {
            return Err(self.refuse((self.place("result", name)? as u64 + 1, what)));
        }
        match self.columns.one_more(names, SEVERAL).filter(|_| !are_known) {
            None => Ok(()),
            Some((more, what)) => {
                let place = names.iter().position(|name| name == more);
                Err(self.refuse((place.map_or(1, |place| place as u64 + 1), what)))
            }
        }
    }
}

/// Notes which columns have a meaning, and which nothing looks at.
fn note_use(header: &[String], used: impl Iterator<Item = (&'static str, usize)>, unused: &ColumnUse) {
    let mut places = Vec::new();
    for (meaning, place) in used {
        unused.take(&header[place], meaning);
        places.push(place);
    }
    unused.add_all_but(header, &places);
}

/// Whether a column may hold numbers with commas.
pub(crate) fn has_numbers(meaning: &str) -> bool {
    [
        "score1",
        "score2",
        "shootout1",
        "shootout2",
        "result",
        "performance",
    ]
    .contains(&meaning)
}

impl Games for CsvGames<'_> {
    fn some(&mut self) -> Batch<'_> {
        Batch::Several(match self.table.advance_some() {
            Ok(rows) => (0..rows).map(|at| self.game(at)).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    fn finish(&self) -> Result<Vec<String>, RowError> {
        Ok(self
            .seats
            .notes()
            .into_iter()
            .chain(self.winners.note())
            .chain(self.many.as_ref().and_then(ManySides::note))
            .chain(self.table.note())
            .collect())
    }
}
