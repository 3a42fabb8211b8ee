//! A game as a row has it: what the formats share in reading one, and where its parts stand for complaints.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedSeat};
use smallvec::SmallVec;

use super::rows::{Fault, RowError};
use super::time::{TimeError, TimeReader};
use super::value::{parse_rank, parse_score};
use crate::failure::{Failure, shown};

/// A field of a row.
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
    pub(super) fn new(name: Field<'a>) -> Result<Self, Fault> {
        if name.text.is_empty() {
            return Err(name.refuse("empty; every match needs two players or more, each with a name"));
        }
        Ok(Self {
            name: name.text,
            share: 1.0,
            party: None,
            performance: None,
            column: name.column,
        })
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
    time: Field<'a>,
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
    pub(super) times: Vec<(u64, Field<'static>)>,
}

impl<'a> Game<'a> {
    /// `sides_column` is where the sides begin.
    pub(super) fn new(
        line: u64,
        time: Field<'a>,
        (sides_column, sides): (u64, Sides<'a>),
        standings: Standings,
    ) -> Self {
        Self {
            line,
            time,
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

    /// When it was played, in Unix seconds.
    pub(super) fn time(&self, times: &TimeReader) -> Result<i64, RowError> {
        let read = |line: u64, time: &Field<'_>| {
            times.read(&time.text).map_err(|error| match error {
                TimeError::Unreadable(what) => self.fault(line, time.refuse(&what)),
                TimeError::NoUnit(what) => RowError {
                    fatal: true,
                    ..self.fault(line, time.refuse(&what))
                },
            })
        };
        let found = read(self.line, &self.time)?;
        for (line, other) in self.rows.iter().flat_map(|rows| &rows.times) {
            if read(*line, other)? != found {
                let what = format!(
                    "`{}`, and `{}` in line {} of the same match; give each match an id of its own",
                    shown(&other.text),
                    shown(&self.time.text),
                    self.line
                );
                return Err(self.fault(*line, other.refuse(&what)));
            }
        }
        Ok(found)
    }

    /// Refuses a game whose name another game has that was played at another time.
    pub(super) fn check_id(&self, time: i64, seen: &mut HashMap<u64, (i64, u64)>) -> Result<(), RowError> {
        let Some(id) = self.id.as_ref().filter(|id| !id.text.is_empty()) else {
            return Ok(());
        };
        // Names take as little memory as may be: files have millions.
        let mut hasher = DefaultHasher::new();
        id.text.hash(&mut hasher);
        let (first, line) = *seen.entry(hasher.finish()).or_insert((time, self.line));
        if first == time {
            return Ok(());
        }
        let what = format!(
            "`{}`, as in line {line} of another time; give each match an id of its own, or rename the column if it is no id",
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
            time: self.time.into_owned(),
            id: self.id.map(Field::into_owned),
            sides: sides.map(|side| side.into_iter().map(member).collect()).collect(),
            ..self
        }
    }

    /// The row's fault, where a history refuses its game.
    pub(super) fn refused(&self, error: &HistoryError) -> RowError {
        let ((line, column), mend) = match error {
            HistoryError::Unsorted { .. } => (
                (self.line, self.time.column),
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
