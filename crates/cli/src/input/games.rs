//! A game as a row has it: what the formats share in reading one, and where its parts stand for complaints.

use std::borrow::Cow;

use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedSeat};
use smallvec::SmallVec;

use super::date_and_time::Beside;
use super::letters::Letter;
use super::names::Names;
use super::rows::{Fault, RowError};
use super::time::{TimeError, TimeReader};
use super::value::{parse_rank, parse_result, parse_score};
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

/// Standings by places, with scores beside them if there are any.
pub(super) fn by_ranks(ranks: &[Field<'_>], scores: Option<&[Field<'_>]>) -> Result<Standings, Fault> {
    let scores = scores.map_or_else(|| Ok(SmallVec::from_elem(0.0, ranks.len())), read_scores)?;
    let places = ranks.iter().map(|field| field.read(parse_rank));
    places
        .zip(scores)
        .map(|(place, score)| Ok((place?, score)))
        .collect()
}

/// Standings of two sides of which the first won.
pub(super) fn first_won() -> Standings {
    SmallVec::from_buf([(1, 0.0), (2, 0.0)])
}

/// Standings of two sides, by `result` or else by `score1` and `score2`.
pub(super) fn of_two<'a>(
    uses_result: bool,
    field: impl Fn(&'static str) -> Result<Field<'a>, Fault>,
) -> Result<Standings, Fault> {
    if uses_result {
        let places = field("result")?.read(parse_result)?;
        return Ok(SmallVec::from_buf(places.map(|place| (place, 0.0))));
    }
    // As `by_scores`, for most rows of most files.
    let (field, second) = (field("score1")?, field("score2")?);
    let (one, other) = (field.read(parse_score)?, second.read(parse_score)?);
    check_gap(&field, other - one)?;
    let places = [1 + u32::from(one < other), 1 + u32::from(other < one)];
    Ok(SmallVec::from_buf([(places[0], one), (places[1], other)]))
}

/// Finite numbers whose differences are finite, too.
fn read_scores(fields: &[Field<'_>]) -> Result<SmallVec<[f64; 2]>, Fault> {
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

/// A game read from a row.
pub(super) struct Game<'a> {
    pub(super) line: u64,
    time: Field<'a>,
    /// What stands in a column of dates, and whether a complete time must agree with it.
    date: Option<(Cow<'a, str>, bool)>,
    /// What its result says of the letters of the file, and where the result stands.
    pub(super) letter: Option<Letter>,
    result: Option<(String, u64)>,
    /// Whether the columns say that the first side won.
    is_named_winner: bool,
    standings: Standings,
    sides: Sides<'a>,
    /// Column of the sides, for complaints that need the whole history.
    sides_column: u64,
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
            date: None,
            letter: None,
            result: None,
            is_named_winner: false,
            standings,
            sides,
            sides_column,
        }
    }

    /// With what a column of dates says, and whether a complete time must agree with it.
    pub(super) fn on(mut self, date: Option<(Cow<'a, str>, bool)>) -> Self {
        self.date = date;
        self
    }

    /// With its result as it is written, of which letters may say more together.
    pub(super) fn said(mut self, result: Option<Field<'_>>) -> Self {
        self.letter = result.as_ref().and_then(|result| Letter::of(&result.text));
        let place = |field: Field<'_>| (field.name.into_owned(), field.column);
        self.result = result.filter(|_| self.letter.is_some()).map(place);
        self
    }

    /// With a first side that the columns call the winner.
    pub(super) const fn won_by_name(mut self, is_named: bool) -> Self {
        self.is_named_winner = is_named;
        self
    }

    /// With the result `T` as a win of the first side, or as a tie.
    pub(super) fn with_t(mut self, is_true: bool) -> Self {
        self.standings = SmallVec::from_buf([(1, 0.0), (1 + u32::from(is_true), 0.0)]);
        self
    }

    /// What is wrong with its result.
    pub(super) fn refuse_letter(&self, what: &str) -> Fault {
        let (name, column) = self.result.clone().unwrap_or_default();
        (column, format!("{name} is {what}"))
    }

    /// Whether the first side alone won, where one side alone did and the columns do not say so.
    pub(super) fn first_won(&self) -> Option<bool> {
        let mut winners = self.standings.iter().map(|(place, _)| *place);
        let best = winners.clone().min()?;
        let is_one = winners.clone().filter(|place| *place == best).count() == 1;
        let first = winners.next()?;
        (is_one && !self.is_named_winner).then_some(first == best)
    }

    /// When it was played, in Unix seconds.
    pub(super) fn time(&self, times: &TimeReader) -> Result<i64, RowError> {
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
            TimeError::Unreadable(what) => RowError::new(self.line, self.time.refuse(&what)),
            TimeError::NoUnit(what) => RowError {
                fatal: true,
                ..RowError::new(self.line, self.time.refuse(&what))
            },
        })
    }

    /// Refuses a game that is not one player against one.
    pub(super) fn check_duel(&self) -> Result<(), RowError> {
        let is_alone = |side: &SmallVec<[Member<'_>; 1]>| matches!(&side[..], [one] if one.share == 1.0);
        if self.sides.len() == 2 && self.sides.iter().all(is_alone) {
            return Ok(());
        }
        let what = "a game of teams, where one against one is needed; `matchwright rate` takes teams";
        Err(RowError::new(self.line, (self.sides_column, what.to_owned())))
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
            date: self
                .date
                .map(|(date, is_checked)| (date.into_owned().into(), is_checked)),
            sides: sides.map(|side| side.into_iter().map(member).collect()).collect(),
            ..self
        }
    }

    /// The row's fault, where a history refuses its game.
    pub(super) fn refused(&self, error: &HistoryError) -> Fault {
        let (column, mend) = match error {
            HistoryError::Unsorted { .. } => (self.time.column, "; sort the file by time, or use --sort"),
            HistoryError::Duplicate => (1, "; remove it, or use --keep-repeats if they did play twice"),
            HistoryError::TwoSides { player, .. }
            | HistoryError::Twice { player, .. }
            | HistoryError::Share { player, .. } => (self.column_of(player), ""),
            _ => (self.sides_column, ""),
        };
        (column, format!("{error}{mend}"))
    }

    /// Where a player stands, the last time.
    fn column_of(&self, player: &str) -> u64 {
        let mut members = self.sides.iter().flatten().rev();
        let named = members.find(|member| member.name == player);
        named.map_or(self.sides_column, |member| member.column)
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
