//! A game as a row has it: what the formats share in reading one, and where its parts stand for complaints.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};

use smallvec::SmallVec;

use crate::cell::composed::composed;
use crate::cell::date_and_time::Beside;
use crate::cell::names::Names;
use crate::cell::nobody::is_nobody;
use crate::cell::time::{TimeError, TimeReader};
use crate::cell::value::{parse_rank, parse_score};
use crate::error::{Fault, RowError};
use crate::matches::field::{Field, Standings};
use crate::matches::letters::{Letter, Said};
use crate::row::json_row::JsonRow;
use crate::text::shown;

/// The members of each side; those of two players take no memory of their own.
pub(crate) type Sides<'a> = SmallVec<[SmallVec<[Member<'a>; 1]>; 2]>;

/// A player of a side.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// The part of the match that it played, from 0 to 1.
    pub share: f64,
    /// A number of its own for each party of the match; `None` for who came alone.
    pub party: Option<u32>,
    /// How well it played, in whatever unit the file has.
    pub performance: Option<f64>,
    pub(crate) column: u64,
}

/// How a side did, and who was in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side<'m, 'a> {
    /// 1 for the best; sides that drew share a place.
    pub place: u32,
    /// Its score; 0 where none is given.
    pub score: f64,
    /// Its players, one or more.
    pub members: &'m [Member<'a>],
}

impl<'a> Member<'a> {
    /// A player who queued alone and played the whole game.
    pub(crate) fn new(name: Field<'a>, names: &Names) -> Result<Self, Fault> {
        if name.text.is_empty() {
            return Err(name.refuse("empty; every match needs two players or more, each with a name"));
        }
        names.check(&name.text).map_err(|what| name.refuse(&what))?;
        Ok(Self::of(name.text, name.column))
    }

    /// The same, of a name that is known to be one.
    pub(crate) const fn of(name: Cow<'a, str>, column: u64) -> Self {
        Self {
            name,
            share: 1.0,
            party: None,
            performance: None,
            column,
        }
    }
}

/// Standings by scores, of which the highest wins.
pub(crate) fn by_scores(fields: &[Field<'_>]) -> Result<Standings, Fault> {
    let scores = read_scores(fields)?;
    Ok(places_by(&scores).into_iter().zip(scores).collect())
}

/// Standings by places.
pub(crate) fn by_ranks(ranks: &[Field<'_>]) -> Result<Standings, Fault> {
    let places = read_places(ranks)?;
    Ok(places.into_iter().map(|place| (place, 0.0)).collect())
}

/// Places, 1 for the winners.
pub(crate) fn read_places(ranks: &[Field<'_>]) -> Result<SmallVec<[u32; 2]>, Fault> {
    ranks.iter().map(|field| field.read(parse_rank)).collect()
}

/// As [`by_scores`], for most rows of most files.
pub(crate) fn two_scores(field: &Field<'_>, second: &Field<'_>) -> Result<Standings, Fault> {
    let (one, other) = (field.read(parse_score)?, second.read(parse_score)?);
    check_gap(field, other - one)?;
    let places = [1 + u32::from(one < other), 1 + u32::from(other < one)];
    Ok(SmallVec::from_buf([(places[0], one), (places[1], other)]))
}

/// Finite numbers whose differences are finite, too.
pub(crate) fn read_scores(fields: &[Field<'_>]) -> Result<SmallVec<[f64; 2]>, Fault> {
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

/// Some games of a file, or rows that are none.
pub(crate) enum Batch<'b> {
    /// Of lines at hand; nothing once all were read.
    Several(Vec<Result<Match<'b>, RowError>>),
    /// That owns what it says; nothing once all were read.
    One(Option<Box<Result<Match<'static>, RowError>>>),
}

/// What the user wants of games that lack something.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// Those without times in the order of the file.
    pub(crate) in_order: bool,
    /// Those that were won by a forfeit.
    pub(crate) forfeits: bool,
}

/// The games of a file, some at a time, which are gone before the next.
pub(crate) trait Games {
    /// The next games, or rows that are none; nothing once all were read.
    fn some(&mut self) -> Batch<'_>;

    /// What there is to say once all were read, or what is wrong with all of them together.
    fn finish(&self) -> Result<Vec<String>, RowError> {
        Ok(Vec::new())
    }
}

/// Games that own what they say.
pub(crate) struct Owned<I>(pub(crate) I);

impl<I: Iterator<Item = Result<Match<'static>, RowError>>> Games for Owned<I> {
    fn some(&mut self) -> Batch<'_> {
        Batch::One(self.0.next().map(Box::new))
    }
}

/// A match read from a row, or from the rows of its players.
#[derive(Clone)]
pub struct Match<'a> {
    pub(crate) line: u64,
    /// In Unix seconds; 0 until it is read.
    seconds: i64,
    when: When<'a>,
    /// Its result, where letters say more together.
    said: Option<Box<Said>>,
    /// Whether the columns say that the first side won.
    is_named_winner: bool,
    /// Whether it was not played, or has no result.
    is_unplayed: bool,
    standings: Standings,
    sides: Sides<'a>,
    /// Column of the sides, for complaints that need the whole history.
    sides_column: u64,
    /// The name that its file has for it.
    pub(crate) id: Option<Field<'a>>,
    /// What was played, where its file says so.
    context: Option<Field<'a>>,
    rows: Option<Box<PlayerRows>>,
    /// Where its row stands, if that is in several lines.
    place: Option<Box<JsonRow>>,
}

/// The rows of a game's players.
#[derive(Clone)]
pub(crate) struct PlayerRows {
    /// Of each player, side by side.
    pub(crate) lines: Vec<u64>,
    /// What else its rows say of its time, which must be the same time.
    pub(crate) times: Vec<(u64, When<'static>)>,
}

/// When a game was played, as its row has it.
#[derive(Clone)]
pub(crate) struct When<'a> {
    /// None of files without times, whose order tells.
    pub(crate) time: Option<Field<'a>>,
    /// What stands in a column of dates, and whether a complete time must agree with it.
    pub(crate) date: Option<(Cow<'a, str>, bool)>,
}

impl When<'_> {
    fn into_owned(self) -> When<'static> {
        let date = self.date;
        When {
            time: self.time.map(Field::into_owned),
            date: date.map(|(date, is_checked)| (date.into_owned().into(), is_checked)),
        }
    }

    /// What it says; nothing of files without times.
    pub(crate) fn text(&self) -> Option<&str> {
        self.time.as_ref().map(|time| &*time.text)
    }

    /// In Unix seconds; `None` where later times must tell what it is.
    fn read(&self, times: &TimeReader, refuse: impl Fn(Fault) -> RowError) -> Result<Option<i64>, RowError> {
        let Some(time) = &self.time else {
            return Ok(Some(times.place_in_order()));
        };
        match self.millis(time, times) {
            Ok(millis) => Ok(Some(millis.div_euclid(1000))),
            Err(TimeError::Open(_)) => Ok(None),
            Err(TimeError::Unreadable(what)) => Err(refuse(time.refuse(&what))),
            Err(TimeError::NoUnit(what)) => Err(RowError {
                fatal: true,
                ..refuse(time.refuse(&what))
            }),
        }
    }

    fn millis(&self, time: &Field<'_>, times: &TimeReader) -> Result<i64, TimeError> {
        let date = self.date.as_ref().map(|(date, is_checked)| {
            if *is_checked {
                Beside::Checked(date)
            } else {
                Beside::Chosen(date)
            }
        });
        times.read_beside(date, &time.text)
    }
}

impl<'a> Match<'a> {
    /// `sides_column` is where the sides begin.
    pub(crate) fn new(
        line: u64,
        when: When<'a>,
        (sides_column, sides): (u64, Sides<'a>),
        standings: Standings,
    ) -> Self {
        Self {
            line,
            seconds: 0,
            when,
            said: None,
            is_named_winner: false,
            is_unplayed: false,
            standings,
            sides,
            sides_column,
            id: None,
            context: None,
            rows: None,
            place: None,
        }
    }

    /// The same game, of rows of its players.
    pub(crate) fn of_rows(self, rows: PlayerRows) -> Self {
        let rows = Some(Box::new(rows));
        Self { rows, ..self }
    }

    /// The same game, with a name of its own.
    pub(crate) fn named(self, id: Option<Field<'a>>) -> Self {
        Self { id, ..self }
    }

    /// The same game, of what was played: a mode, a map, a surface.
    pub(crate) fn in_context(self, context: Option<Field<'a>>) -> Self {
        let context = context.filter(|context| !context.text.is_empty() && !is_nobody(&context.text));
        Self { context, ..self }
    }

    /// Of a row of JSON, whose text is not kept.
    pub(crate) fn placed(self, mut row: JsonRow) -> Self {
        if row.is_in_one_line() {
            return self;
        }
        row.text = Vec::new();
        let place = Some(Box::new(row));
        Self { place, ..self }
    }

    /// A fault of one of its rows; all of them are lost with it.
    fn fault(&self, line: u64, fault: Fault) -> RowError {
        if let Some(place) = &self.place {
            return place.fault(fault);
        }
        let rows = self.rows.as_ref().map_or(1, |rows| rows.lines.len());
        RowError {
            rows: rows as u64,
            ..RowError::new(line, fault)
        }
    }

    /// With its result, where it is in letters that say more together.
    pub(crate) fn said(self, said: Option<Box<Said>>) -> Self {
        Self { said, ..self }
    }

    /// What its result says of the letters of the file.
    pub(crate) fn letter(&self) -> Option<Letter> {
        self.said.as_ref().map(|said| said.letter)
    }

    /// With a first side that the columns call the winner.
    pub(crate) const fn won_by_name(mut self, is_named: bool) -> Self {
        self.is_named_winner = is_named;
        self
    }

    /// As one that was not played.
    pub(crate) const fn unplayed(mut self, is_unplayed: bool) -> Self {
        self.is_unplayed = is_unplayed;
        self
    }

    pub(crate) const fn is_unplayed(&self) -> bool {
        self.is_unplayed
    }

    /// With the result `T` as a win of the first side, or as a tie.
    pub(crate) fn with_t(mut self, is_true: bool) -> Result<Self, RowError> {
        if let Some([won, tied]) = self.said.as_mut().and_then(|said| said.with_t.take()) {
            let standings = if is_true { won } else { tied };
            self.standings = standings.map_err(|fault| self.fault(self.line, fault))?;
        }
        Ok(self)
    }

    /// What is wrong with its result.
    pub(crate) fn refuse_letter(&self, what: &str) -> Fault {
        let said = self.said.as_deref();
        said.map_or_else(|| (1, what.to_owned()), |said| said.refuse(what))
    }

    /// Whether the first side alone won, where one side alone did and the columns do not say so.
    pub(crate) fn first_won(&self) -> Option<bool> {
        let mut winners = self.standings.iter().map(|(place, _)| *place);
        let best = winners.clone().min()?;
        let is_one = winners.clone().filter(|place| *place == best).count() == 1;
        let first = winners.next()?;
        (is_one && !self.is_named_winner).then_some(first == best)
    }

    /// Whether two sides share a place.
    #[must_use]
    pub fn has_draw(&self) -> bool {
        let places: SmallVec<[u32; 2]> = self.standings.iter().map(|(place, _)| *place).collect();
        (1..places.len()).any(|side| places[..side].contains(&places[side]))
    }

    /// Reads when it was played; false where later times must tell.
    pub(crate) fn read_time(&mut self, times: &TimeReader) -> Result<bool, RowError> {
        let read = |line: u64, time: &When<'_>| time.read(times, |fault| self.fault(line, fault));
        let mut found = read(self.line, &self.when)?;
        for (line, other) in self.rows.iter().flat_map(|rows| &rows.times) {
            let read = read(*line, other)?;
            // Both, so that each may tell what comes first.
            let (Some(first), Some(second)) = (found, read) else {
                found = None;
                continue;
            };
            if let (true, Some(time), Some(first)) = (first != second, &other.time, &self.when.time) {
                let what = format!(
                    "`{}`, and `{}` in line {} of the same match; give each match an id of its own",
                    shown(&time.text),
                    shown(&first.text),
                    self.line
                );
                return Err(self.fault(*line, time.refuse(&what)));
            }
        }
        self.seconds = found.unwrap_or_default();
        Ok(found.is_some())
    }

    /// What is wrong with a time of which no other has told what it is; every row will be as unclear, unless some were read.
    pub(crate) fn open_time(&self, times: &TimeReader) -> RowError {
        let others = self.rows.iter().flat_map(|rows| &rows.times);
        let all = std::iter::once((self.line, &self.when)).chain(others.map(|(line, when)| (*line, when)));
        let mut faults = all.filter_map(|(line, when)| {
            let time = when.time.as_ref()?;
            let what = when.millis(time, times).err()?.into_words();
            Some((line, time.refuse(&what)))
        });
        let (line, fault) = faults
            .next()
            .unwrap_or_else(|| (self.line, (1, "its time is unclear".to_owned())));
        RowError {
            fatal: !times.has_read(),
            ..self.fault(line, fault)
        }
    }

    /// Refuses a game whose name another game has.
    pub(crate) fn check_id(
        &self,
        keep_repeats: bool,
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
                free.insert((self.seconds, self.line));
                return Ok(());
            }
            Entry::Occupied(known) => *known.get(),
        };
        let (of, mend) = match first == self.seconds {
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
    pub(crate) fn check_duel(&self) -> Result<(), RowError> {
        let is_alone = |side: &SmallVec<[Member<'_>; 1]>| matches!(&side[..], [one] if one.share == 1.0);
        if self.sides.len() == 2 && self.sides.iter().all(is_alone) {
            return Ok(());
        }
        let what = "more players than one against one, which is needed here; `matchwright rate` takes teams and several sides";
        Err(self.fault(self.line, (self.sides_column, what.to_owned())))
    }

    /// The line of the file that it stands in, or begins in, from 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// When it was played, in Unix seconds, or in the order that `index` numbers.
    #[must_use]
    pub const fn time(&self) -> i64 {
        self.seconds
    }

    /// What was played, such as a mode, a map or a surface, where the column `context` says so.
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        self.context.as_ref().map(|context| &*context.text)
    }

    /// Its sides, two or more.
    #[must_use]
    pub fn sides(&self) -> impl ExactSizeIterator<Item = Side<'_, 'a>> {
        let both = self.sides.iter().zip(&self.standings);
        both.map(|(members, &(place, score))| Side {
            place,
            score,
            members,
        })
    }

    /// The names of its players.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sides.iter().flatten().map(|member| &*member.name)
    }

    /// The same match, apart from the file.
    #[must_use]
    pub fn into_owned(self) -> Match<'static> {
        let member = |member: Member<'_>| Member {
            name: member.name.into_owned().into(),
            ..member
        };
        let sides = self.sides.into_iter();
        Match {
            when: self.when.into_owned(),
            id: self.id.map(Field::into_owned),
            context: self.context.map(Field::into_owned),
            sides: sides.map(|side| side.into_iter().map(member).collect()).collect(),
            ..self
        }
    }

    /// With composed letters in all names; one that was not, if any.
    pub(crate) fn compose(&mut self) -> Option<String> {
        let mut found = None;
        for member in self.sides.iter_mut().flatten() {
            if let Some(name) = composed(&member.name) {
                found = Some(name.clone());
                member.name = name.into();
            }
        }
        found
    }

    /// What is wrong with the match as a whole, such as a repetition of another one.
    #[must_use]
    pub fn refuse(&self, what: impl Display) -> RowError {
        self.fault(self.line, (1, what.to_string()))
    }

    /// What is wrong with its time.
    #[must_use]
    pub fn refuse_time(&self, what: impl Display) -> RowError {
        let column = self.when.time.as_ref().map_or(1, |time| time.column);
        self.fault(self.line, (column, what.to_string()))
    }

    /// What is wrong with its sides.
    #[must_use]
    pub fn refuse_sides(&self, what: impl Display) -> RowError {
        self.fault(self.line, (self.sides_column, what.to_string()))
    }

    /// What is wrong with a player of it.
    #[must_use]
    pub fn refuse_player(&self, player: &str, what: impl Display) -> RowError {
        let (line, column) = self.place_of(player);
        self.fault(line, (column, what.to_string()))
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
