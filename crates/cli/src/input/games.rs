//! From a row as text to a game, and from a refused game to a complaint about its row.

use matchwright_rating::history::{HistoryError, NamedGame, NamedSeat, NamedSide};

use super::rows::{Field, RawGame, RawMember, RawPlaces, RowError};
use super::time::parse_time;
use super::value::{parse_rank, parse_result, parse_score};
use crate::failure::shown;

const SKIP: &str = "use --skip-bad to drop such rows";
const SORT: &str = "sort the file by time, or use --sort";
const REPEATS: &str =
    "remove it or use --skip-bad to drop such rows, or --keep-repeats if they did play twice";

/// A game read from a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadGame {
    line: u64,
    pub(super) time: i64,
    sides: Vec<ReadSide>,
    /// Columns of the time and of the sides, for complaints that need the whole history.
    time_column: u64,
    sides_column: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct ReadSide {
    place: u32,
    score: f64,
    members: Vec<ReadMember>,
}

#[derive(Clone, Debug, PartialEq)]
struct ReadMember {
    name: String,
    share: f64,
    party: Option<u32>,
    column: u64,
}

impl ReadMember {
    fn seat(&self) -> NamedSeat<'_> {
        NamedSeat {
            player: &self.name,
            share: self.share,
            party: self.party,
        }
    }
}

impl ReadGame {
    /// Understands a row, or says which field cannot be understood.
    pub(super) fn new(raw: RawGame) -> Result<Self, RowError> {
        let line = raw.line;
        let bad = |field: &Field, what: String| {
            RowError::at(line, field.column, format!("{} is {what} ({SKIP})", field.name))
        };
        let time = parse_time(&raw.time.text).map_err(|what| bad(&raw.time, what))?;
        let standings = standings(&raw.decided_by, &bad)?;
        let mut parties = Vec::new();
        let mut sides = Vec::with_capacity(raw.sides.len());
        for (members, (place, score)) in raw.sides.into_iter().zip(standings) {
            let members = members
                .into_iter()
                .map(|member| read_member(member, &mut parties, &bad));
            sides.push(ReadSide {
                place,
                score,
                members: members.collect::<Result<_, _>>()?,
            });
        }
        Ok(Self {
            line,
            time,
            sides,
            time_column: raw.time.column,
            sides_column: raw.column,
        })
    }

    /// The same game, if it is one player against one.
    pub(super) fn into_duel(self) -> Result<Self, RowError> {
        let alone = |side: &ReadSide| side.members.len() == 1 && side.members[0].share == 1.0;
        if self.sides.len() == 2 && self.sides.iter().all(alone) {
            return Ok(self);
        }
        let message = format!(
            "a game of teams, where one against one is needed; `matchwright rate` takes teams ({SKIP})"
        );
        Err(RowError::at(self.line, self.sides_column, message))
    }

    /// The game as a history takes it.
    pub(super) fn named(&self) -> NamedGame<'_> {
        let sides = self.sides.iter().map(|side| NamedSide {
            place: side.place,
            score: side.score,
            seats: side.members.iter().map(ReadMember::seat).collect(),
        });
        NamedGame {
            time: self.time,
            sides: sides.collect(),
        }
    }

    /// The row's fault, where a history refuses its game.
    pub(super) fn refused(&self, error: &HistoryError) -> RowError {
        let (column, mend) = match error {
            HistoryError::Unsorted { .. } => (self.time_column, SORT),
            HistoryError::Duplicate => (1, REPEATS),
            HistoryError::TwoSides { player, .. }
            | HistoryError::Twice { player, .. }
            | HistoryError::Share { player, .. } => (self.column_of(player), SKIP),
            _ => (self.sides_column, SKIP),
        };
        RowError::at(self.line, column, format!("{error}; {mend}"))
    }

    /// Where a player stands, the last time.
    fn column_of(&self, player: &str) -> u64 {
        let members = self.sides.iter().flat_map(|side| &side.members);
        let mut named = members.filter(|member| member.name == player);
        named
            .next_back()
            .map_or(self.sides_column, |member| member.column)
    }
}

/// Place and score of each side; scores are 0 where none are told.
fn standings(
    decided_by: &RawPlaces,
    bad: &impl Fn(&Field, String) -> RowError,
) -> Result<Vec<(u32, f64)>, RowError> {
    let scores = |fields: &[Field]| -> Result<Vec<f64>, RowError> {
        let score = |field: &Field| parse_score(&field.text).map_err(|what| bad(field, what));
        let scores = fields.iter().map(score).collect::<Result<Vec<_>, _>>()?;
        let apart = |score: &&f64| !(**score - scores[0]).is_finite();
        match scores.iter().find(apart) {
            Some(_) => Err(bad(
                &fields[0],
                format!("`{}`, too far from another score", shown(&fields[0].text)),
            )),
            None => Ok(scores),
        }
    };
    let rank = |field: &Field| parse_rank(&field.text).map_err(|what| bad(field, what));
    let (places, scores) = match decided_by {
        RawPlaces::Ranks { ranks, scores: told } => {
            let told = told.as_deref().map_or(Ok(vec![0.0; ranks.len()]), scores)?;
            (ranks.iter().map(rank).collect::<Result<Vec<_>, _>>()?, told)
        }
        RawPlaces::Scores(fields) => {
            let scores = scores(fields)?;
            (places_by(&scores), scores)
        }
        RawPlaces::Result(field) => {
            let places = parse_result(&field.text).map_err(|what| bad(field, what))?;
            (places.to_vec(), vec![0.0; 2])
        }
    };
    Ok(places.into_iter().zip(scores).collect())
}

/// `parties` are the labels of this game's parties so far; their numbers are their positions.
fn read_member(
    raw: RawMember,
    parties: &mut Vec<String>,
    bad: &impl Fn(&Field, String) -> RowError,
) -> Result<ReadMember, RowError> {
    if raw.name.text.is_empty() {
        return Err(bad(
            &raw.name,
            "empty; every match needs two players or more, each with a name".to_owned(),
        ));
    }
    let share = match &raw.share {
        None => 1.0,
        Some(field) => {
            let share = field
                .text
                .parse::<f64>()
                .ok()
                .filter(|share| (0.0..=1.0).contains(share));
            let what = || format!("`{}`; a share is a number from 0 to 1", shown(&field.text));
            share.ok_or_else(|| bad(field, what()))?
        }
    };
    let party = raw.party.map(|field| {
        let known = parties.iter().position(|label| *label == field.text);
        known.unwrap_or_else(|| {
            parties.push(field.text);
            parties.len() - 1
        })
    });
    Ok(ReadMember {
        name: raw.name.text,
        share,
        party: party.and_then(|party| u32::try_from(party).ok()),
        column: raw.name.column,
    })
}

/// 1 for the highest score; equal scores share a place.
fn places_by(scores: &[f64]) -> Vec<u32> {
    let mut falling = scores.to_vec();
    falling.sort_by(|a, b| b.total_cmp(a));
    let place = |score: &f64| {
        let better = falling.partition_point(|other| other > score);
        u32::try_from(better).map_or(u32::MAX, |better| better.saturating_add(1))
    };
    scores.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_make_places_and_equal_scores_share_one() {
        assert_eq!(places_by(&[3.0, 7.5, 3.0, -1.0]), [2, 1, 2, 4]);
        assert_eq!(places_by(&[0.0, -0.0]), [1, 1]);
        assert_eq!(places_by(&[-0.0, 0.0]), [1, 1]);
    }
}
