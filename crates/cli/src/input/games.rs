//! A game as a row has it: what the formats share in reading one, and where its parts stand for complaints.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use itertools::Itertools as _;
use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedSeat};
use smallvec::SmallVec;

use super::date_and_time::Beside;
use super::letters::{Letter, Said};
use super::names::Names;
use super::nobody::is_nobody;
use super::rows::{Fault, RowError};
use super::time::{TimeError, TimeReader};
use super::value::{parse_rank, parse_score};
use crate::failure::{Failure, shown};

/// A field of a row.
#[derive(Clone)]
pub(super) struct Field<'a> {
    /// Its name in the file.
    pub(super) name: Cow<'a, str>,
    pub(super) column: u64,
    /// What it says, without surrounding blanks.
    pub(super) text: Cow<'a, str>,
}

impl Field<'_> {
    fn into_owned(self) -> Field<'static> {
        Field {
            name: self.name.into_owned().into(),
            column: self.column,
            text: self.text.into_owned().into(),
        }
    }

    pub(super) fn refuse(&self, what: &str) -> Fault {
        (self.column, format!("{} is {what}", self.name))
    }

    pub(super) fn read<T>(&self, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, Fault> {
        parse(&self.text).map_err(|what| self.refuse(&what))
    }
}

/// A player of a side.
pub(super) struct Member<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) share: f64,
    /// A number of its own for each party of the game.
    pub(super) party: Option<u32>,
    pub(super) performance: Option<f64>,
    pub(super) column: u64,
}

impl<'a> Member<'a> {
    /// A player who queued alone and played the whole game.
    pub(super) fn new(name: Field<'a>, names: &Names) -> Result<Self, Fault> {
        if name.text.is_empty() {
            return Err(name.refuse("empty; every match needs two players or more, each with a name"));
        }
        names.check(&name.text).map_err(|what| name.refuse(&what))?;
        Ok(Self::of(name.text, name.column))
    }

    /// The same, of a name that is known to be one.
    pub(super) const fn of(name: Cow<'a, str>, column: u64) -> Self {
        Self {
            name,
            share: 1.0,
            party: None,
            performance: None,
            column,
        }
    }

    fn seat(&self) -> NamedSeat<'_> {
        NamedSeat {
            player: &self.name,
            share: self.share,
            party: self.party,
            performance: self.performance,
        }
    }
}

/// The members of each side; those of two players take no memory of their own.
pub(super) type Sides<'a> = SmallVec<[SmallVec<[Member<'a>; 1]>; 2]>;
/// Place and score of each side; scores are 0 where none are given.
pub(super) type Standings = SmallVec<[(u32, f64); 2]>;

/// Standings by scores, of which the highest wins.
pub(super) fn by_scores(fields: &[Field<'_>]) -> Result<Standings, Fault> {
    let scores = read_scores(fields)?;
    Ok(places_by(&scores).into_iter().zip(scores).collect())
}

/// Standings by places.
pub(super) fn by_ranks(ranks: &[Field<'_>]) -> Result<Standings, Fault> {
    let places = read_places(ranks)?;
    Ok(places.into_iter().map(|place| (place, 0.0)).collect())
}

/// Places, 1 for the winners.
pub(super) fn read_places(ranks: &[Field<'_>]) -> Result<SmallVec<[u32; 2]>, Fault> {
    ranks.iter().map(|field| field.read(parse_rank)).collect()
}

/// As [`by_scores`], for most rows of most files.
pub(super) fn two_scores(field: &Field<'_>, second: &Field<'_>) -> Result<Standings, Fault> {
    let (one, other) = (field.read(parse_score)?, second.read(parse_score)?);
    check_gap(field, other - one)?;
    let places = [1 + u32::from(one < other), 1 + u32::from(other < one)];
    Ok(SmallVec::from_buf([(places[0], one), (places[1], other)]))
}

/// Finite numbers whose differences are finite, too.
pub(super) fn read_scores(fields: &[Field<'_>]) -> Result<SmallVec<[f64; 2]>, Fault> {
    let scores = fields.iter().map(|field| field.read(parse_score));
    let scores: SmallVec<[f64; 2]> = scores.collect::<Result<_, _>>()?;
    for score in &scores {
        check_gap(&fields[0], score - scores[0])?;
    }
    Ok(scores)
}

/// Refuses a score whose difference from another is not finite.
fn check_gap(first: &Field<'_>, gap: f64) -> Result<(), Fault> {
    if gap.is_finite() {
        return Ok(());
    }
    Err(first.refuse(&format!("`{}`, too far from another score", shown(&first.text))))
}

/// 1 for the highest score; equal scores share a place.
fn places_by(scores: &[f64]) -> SmallVec<[u32; 2]> {
    let mut falling = SmallVec::<[f64; 2]>::from_slice(scores);
    falling.sort_by(|a, b| b.total_cmp(a));
    let better = |score: &f64| falling.partition_point(|other| other > score);
    scores
        .iter()
        .map(|score| u32::try_from(better(score) + 1).unwrap_or(u32::MAX))
        .collect()
}

/// What is done with some games, or with rows that are none.
pub(super) type Take<'t> = dyn FnMut(Vec<Result<Game<'_>, RowError>>) -> Result<(), Failure> + 't;

/// The games of a file, some at a time, which are gone before the next.
pub(super) trait Games {
    /// Hands all of them to `take`, in order, until it fails.
    fn each(&mut self, take: &mut Take<'_>) -> Result<(), Failure>;

    /// What there is to say once all were read, or what is wrong with all of them together.
    fn finish(&self) -> Result<Vec<String>, RowError> {
        Ok(Vec::new())
    }
}

/// Games that own what they say.
pub(super) struct Owned<I>(pub(super) I);

impl<I: Iterator<Item = Result<Game<'static>, RowError>>> Games for Owned<I> {
    fn each(&mut self, take: &mut Take<'_>) -> Result<(), Failure> {
        self.0.try_for_each(|game| take(vec![game]))
    }
}

/// A game read from a row, or from the rows of its players.
pub(super) struct Game<'a> {
    pub(super) line: u64,
    when: When<'a>,
    /// Its result, where letters say more together.
    said: Option<Box<Said>>,
    /// Whether the columns say that the first side won.
    is_named_winner: bool,
    standings: Standings,
    sides: Sides<'a>,
    /// Column of the sides, for complaints that need the whole history.
    sides_column: u64,
    /// The name that its file has for it.
    pub(super) id: Option<Field<'a>>,
    rows: Option<Box<PlayerRows>>,
}

/// The rows of a game's players.
pub(super) struct PlayerRows {
    /// Of each player, side by side.
    pub(super) lines: Vec<u64>,
    /// What else its rows say of its time, which must be the same time.
    pub(super) times: Vec<(u64, When<'static>)>,
}

/// When a game was played, as its row has it.
#[derive(Clone)]
pub(super) struct When<'a> {
    pub(super) time: Field<'a>,
    /// What stands in a column of dates, and whether a complete time must agree with it.
    pub(super) date: Option<(Cow<'a, str>, bool)>,
}

impl When<'_> {
    fn into_owned(self) -> When<'static> {
        let date = self.date;
        When {
            time: self.time.into_owned(),
            date: date.map(|(date, is_checked)| (date.into_owned().into(), is_checked)),
        }
    }

    /// In Unix seconds.
    fn read(&self, times: &TimeReader, refuse: impl Fn(Fault) -> RowError) -> Result<i64, RowError> {
        let date = self.date.as_ref().map(|(date, is_checked)| {
            if *is_checked {
                Beside::Checked(date)
            } else {
                Beside::Chosen(date)
            }
        });
        let read = times.read_beside(date, &self.time.text);
        let seconds = read.map(|millis| millis.div_euclid(1000));
        seconds.map_err(|error| match error {
            TimeError::Unreadable(what) => refuse(self.time.refuse(&what)),
            TimeError::NoUnit(what) => RowError {
                fatal: true,
                ..refuse(self.time.refuse(&what))
            },
        })
    }
}

impl<'a> Game<'a> {
    /// `sides_column` is where the sides begin.
    pub(super) fn new(
        line: u64,
        when: When<'a>,
        (sides_column, sides): (u64, Sides<'a>),
        standings: Standings,
    ) -> Self {
        Self {
            line,
            when,
            said: None,
            is_named_winner: false,
            standings,
            sides,
            sides_column,
            id: None,
            rows: None,
        }
    }

    /// The same game, of rows of its players.
    pub(super) fn of_rows(self, rows: PlayerRows) -> Self {
        let rows = Some(Box::new(rows));
        Self { rows, ..self }
    }

    /// The same game, with a name of its own.
    pub(super) fn named(self, id: Option<Field<'a>>) -> Self {
        Self { id, ..self }
    }

    /// A fault of one of its rows; all of them are lost with it.
    fn fault(&self, line: u64, fault: Fault) -> RowError {
        let rows = self.rows.as_ref().map_or(1, |rows| rows.lines.len());
        RowError {
            rows: rows as u64,
            ..RowError::new(line, fault)
        }
    }

    /// With its result, where it is in letters that say more together.
    pub(super) fn said(self, said: Option<Box<Said>>) -> Self {
        Self { said, ..self }
    }

    /// What its result says of the letters of the file.
    pub(super) fn letter(&self) -> Option<Letter> {
        self.said.as_ref().map(|said| said.letter)
    }

    /// With a first side that the columns call the winner.
    pub(super) const fn won_by_name(mut self, is_named: bool) -> Self {
        self.is_named_winner = is_named;
        self
    }

    /// With the result `T` as a win of the first side, or as a tie.
    pub(super) fn with_t(mut self, is_true: bool) -> Result<Self, RowError> {
        if let Some([won, tied]) = self.said.as_mut().and_then(|said| said.with_t.take()) {
            let standings = if is_true { won } else { tied };
            self.standings = standings.map_err(|fault| self.fault(self.line, fault))?;
        }
        Ok(self)
    }

    /// What is wrong with its result.
    pub(super) fn refuse_letter(&self, what: &str) -> Fault {
        let said = self.said.as_deref();
        said.map_or_else(|| (1, what.to_owned()), |said| said.refuse(what))
    }

    /// Whether the first side alone won, where one side alone did and the columns do not say so.
    pub(super) fn first_won(&self) -> Option<bool> {
        let mut winners = self.standings.iter().map(|(place, _)| *place);
        let best = winners.clone().min()?;
        let is_one = winners.clone().filter(|place| *place == best).count() == 1;
        let first = winners.next()?;
        (is_one && !self.is_named_winner).then_some(first == best)
    }

    /// Whether two sides share a place.
    pub(super) fn has_draw(&self) -> bool {
        let mut places = self.standings.iter().map(|(place, _)| *place);
        !places.all_unique()
    }

    /// When it was played, in Unix seconds.
    pub(super) fn time(&self, times: &TimeReader) -> Result<i64, RowError> {
        let read = |line: u64, time: &When<'_>| time.read(times, |fault| self.fault(line, fault));
        let found = read(self.line, &self.when)?;
        for (line, other) in self.rows.iter().flat_map(|rows| &rows.times) {
            if read(*line, other)? != found {
                let (other, first) = (&other.time, &self.when.time);
                let what = format!(
                    "`{}`, and `{}` in line {} of the same match; give each match an id of its own",
                    shown(&other.text),
                    shown(&first.text),
                    self.line
                );
                return Err(self.fault(*line, other.refuse(&what)));
            }
        }
        Ok(found)
    }

    /// Refuses a game whose name another game has.
    pub(super) fn check_id(
        &self,
        (time, keep_repeats): (i64, bool),
        seen: &mut HashMap<u64, (i64, u64)>,
    ) -> Result<(), RowError> {
        let Some(id) = self
            .id
            .as_ref()
            .filter(|id| !id.text.is_empty() && !is_nobody(&id.text))
        else {
            return Ok(());
        };
        // Names take as little memory as may be: files have millions.
        let mut hasher = DefaultHasher::new();
        id.text.hash(&mut hasher);
        let (first, line) = match seen.entry(hasher.finish()) {
            Entry::Vacant(free) => {
                free.insert((time, self.line));
                return Ok(());
            }
            Entry::Occupied(known) => *known.get(),
        };
        let (of, mend) = match first == time {
            true if keep_repeats => return Ok(()),
            true => ("", "remove one, use --keep-repeats if they did play twice, "),
            false => (" of another time", ""),
        };
        let what = format!(
            "`{}`, as in line {line}{of}; {mend}give each match an id of its own, or rename the column if it is no id",
            shown(&id.text)
        );
        Err(self.fault(self.line, id.refuse(&what)))
    }

    /// Refuses a game that is not one player against one.
    pub(super) fn check_duel(&self) -> Result<(), RowError> {
        let is_alone = |side: &SmallVec<[Member<'_>; 1]>| matches!(&side[..], [one] if one.share == 1.0);
        if self.sides.len() == 2 && self.sides.iter().all(is_alone) {
            return Ok(());
        }
        let what = "a game of teams, where one against one is needed; `matchwright rate` takes teams";
        Err(self.fault(self.line, (self.sides_column, what.to_owned())))
    }

    /// The names of its players.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.sides.iter().flatten().map(|member| &*member.name)
    }

    /// Adds the game to a history.
    pub(super) fn enter(&self, time: i64, builder: &mut HistoryBuilder) -> Result<(), HistoryError> {
        let mut entry = builder.start(time);
        for (members, &(place, score)) in self.sides.iter().zip(&self.standings) {
            entry.side(place, score);
            for member in members {
                entry.seat(member.seat());
            }
        }
        entry.finish()
    }

    /// The same game, apart from the row.
    pub(super) fn into_owned(self) -> Game<'static> {
        let member = |member: Member<'_>| Member {
            name: member.name.into_owned().into(),
            ..member
        };
        let sides = self.sides.into_iter();
        Game {
            when: self.when.into_owned(),
            id: self.id.map(Field::into_owned),
            sides: sides.map(|side| side.into_iter().map(member).collect()).collect(),
            ..self
        }
    }

    /// The row's fault, where a history refuses its game.
    pub(super) fn refused(&self, error: &HistoryError) -> RowError {
        let ((line, column), mend) = match error {
            HistoryError::Unsorted { .. } => (
                (self.line, self.when.time.column),
                "; sort the file by time, or use --sort",
            ),
            HistoryError::Duplicate => (
                (self.line, 1),
                "; remove it, or use --keep-repeats if they did play twice",
            ),
            HistoryError::TwoSides { player, .. }
            | HistoryError::Twice { player, .. }
            | HistoryError::Share { player, .. } => (self.place_of(player), ""),
            _ => ((self.line, self.sides_column), ""),
        };
        self.fault(line, (column, format!("{error}{mend}")))
    }

    /// Line and column where a player stands, the last time.
    fn place_of(&self, player: &str) -> (u64, u64) {
        let line = |place: usize| {
            let line = self.rows.as_ref().and_then(|rows| rows.lines.get(place));
            line.copied().unwrap_or(self.line)
        };
        let members = self.sides.iter().flatten().enumerate();
        let places = members
            .filter(|(_, member)| member.name == player)
            .map(|(place, member)| (line(place), member.column));
        places.max().unwrap_or((self.line, self.sides_column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_make_places_and_equal_scores_share_one() {
        assert_eq!(places_by(&[3.0, 7.5, 3.0, -1.0])[..], [2, 1, 2, 4]);
        assert_eq!(places_by(&[0.0, -0.0])[..], [1, 1]);
        assert_eq!(places_by(&[-0.0, 0.0])[..], [1, 1]);
    }
}
