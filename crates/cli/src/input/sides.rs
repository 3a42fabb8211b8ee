//! What the fields of a game of sides mean.

use matchwright_churn::Outcome;
use matchwright_sim::team_history::{NamedGame, NamedSeat, NamedSide};

use super::rows::{Field, RawGame, RawMember, RawPlaces, RawSides, RowError};
use super::time::parse_time;
use super::value::{ReadMatch, parse_result, parse_score, read_match};
use crate::failure::shown;

/// A game of sides read from a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadGame {
    pub(super) line: u64,
    pub(super) time: i64,
    pub(super) sides: Vec<ReadSide>,
    /// Columns of the time and of the sides, for complaints that need the whole history.
    pub(super) time_column: u64,
    pub(super) sides_column: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadSide {
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

    /// Where a player stands, the last time.
    pub(super) fn column_of(&self, player: &str) -> u64 {
        let members = self.sides.iter().flat_map(|side| &side.members);
        let mut named = members.filter(|member| member.name == player);
        named
            .next_back()
            .map_or(self.sides_column, |member| member.column)
    }
}

/// Understands a row of either kind, or says which field cannot be understood.
pub(super) fn read_game(raw: RawGame) -> Result<ReadGame, RowError> {
    match raw {
        RawGame::Duel(raw) => read_match(raw).map(of_duel),
        RawGame::Sides(raw) => read_sides(raw),
    }
}

fn of_duel(duel: ReadMatch) -> ReadGame {
    let [one, two] = places_of(duel.outcome);
    let side = |place, score, name, column| ReadSide {
        place,
        score,
        members: vec![ReadMember {
            name,
            share: 1.0,
            party: None,
            column,
        }],
    };
    ReadGame {
        line: duel.line,
        time: duel.time,
        sides: vec![
            side(one, duel.score_difference, duel.player1, duel.player2_column),
            side(two, 0.0, duel.player2, duel.player2_column),
        ],
        time_column: duel.time_column,
        sides_column: duel.player2_column,
    }
}

fn places_of(outcome: Outcome) -> [u32; 2] {
    match outcome {
        Outcome::Win => [1, 2],
        Outcome::Draw => [1, 1],
        Outcome::Loss => [2, 1],
    }
}

fn read_sides(raw: RawSides) -> Result<ReadGame, RowError> {
    let line = raw.line;
    let bad = |field: &Field, what: String| {
        let message = format!("{} is {what} (use --skip-bad to drop such rows)", field.name);
        RowError::at(line, field.column, message)
    };
    let time = parse_time(&raw.time.text).map_err(|what| bad(&raw.time, what))?;
    let scores = |fields: &[Field]| -> Result<Vec<f64>, RowError> {
        let score = |field: &Field| parse_score(&field.text).map_err(|what| bad(field, what));
        fields.iter().map(score).collect()
    };
    let (places, scores) = match &raw.decided_by {
        RawPlaces::Ranks { ranks, scores: told } => {
            let rank = |field: &Field| parse_rank(&field.text).map_err(|what| bad(field, what));
            let told = told.as_deref().map_or(Ok(vec![0.0; ranks.len()]), scores)?;
            (ranks.iter().map(rank).collect::<Result<Vec<_>, _>>()?, told)
        }
        RawPlaces::Scores(fields) => {
            let scores = scores(fields)?;
            (places_by(&scores), scores)
        }
        RawPlaces::Result(field) => {
            let outcome = parse_result(&field.text).map_err(|what| bad(field, what))?;
            (places_of(outcome).to_vec(), vec![0.0; 2])
        }
    };
    let mut parties = Vec::new();
    let mut sides = Vec::with_capacity(raw.sides.len());
    for ((members, place), score) in raw.sides.into_iter().zip(places).zip(scores) {
        let members = members
            .into_iter()
            .map(|member| read_member(member, &mut parties, &bad));
        sides.push(ReadSide {
            place,
            score,
            members: members.collect::<Result<_, _>>()?,
        });
    }
    Ok(ReadGame {
        line,
        time,
        sides,
        time_column: raw.time.column,
        sides_column: raw.column,
    })
}

/// `parties` are the labels of this game's parties so far; their numbers are their positions.
fn read_member(
    raw: RawMember,
    parties: &mut Vec<String>,
    bad: &impl Fn(&Field, String) -> RowError,
) -> Result<ReadMember, RowError> {
    if raw.name.text.is_empty() {
        return Err(bad(&raw.name, "empty; every member needs a name".to_owned()));
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

fn parse_rank(text: &str) -> Result<u32, String> {
    let what = || format!("`{}`; places are whole numbers, 1 for the winners", shown(text));
    text.parse().map_err(|_| what())
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

    #[test]
    fn ranks_are_whole_numbers() {
        assert_eq!(parse_rank("3"), Ok(3));
        for text in ["1.5", "-1", "", "null", "first", "99999999999"] {
            assert!(parse_rank(text).is_err(), "{text}");
        }
    }
}
