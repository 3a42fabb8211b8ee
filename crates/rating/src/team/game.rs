//! [`TeamGame`]: sides with members, shares and places, checked.

use thiserror::Error;

/// One player of a side, as rated before the game.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Member<R> {
    /// The rating before the game.
    pub rating: R,
    /// The share of a whole game that the player took part in, in \[0, 1\]; 1 unless someone came late
    /// or left early, or the game ended before its time. See [`TeamGame`].
    #[cfg_attr(feature = "serde", serde(default = "whole_game", with = "crate::packed"))]
    pub share: f64,
    /// Members of a side with the same number queued together; `None` queued alone.
    #[cfg_attr(feature = "serde", serde(default))]
    pub party: Option<u32>,
}

/// A share that nobody wrote down.
#[cfg(feature = "serde")]
const fn whole_game() -> f64 {
    1.0
}

impl<R> Member<R> {
    /// A player who queued alone and played the whole game.
    pub const fn new(rating: R) -> Self {
        Self {
            rating,
            share: 1.0,
            party: None,
        }
    }

    /// The same player, for a share of the game only.
    #[must_use]
    pub fn for_share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The same player, as one of a party.
    #[must_use]
    pub fn in_party(self, party: u32) -> Self {
        Self {
            party: Some(party),
            ..self
        }
    }

    /// The same seat with another rating in it.
    pub fn with_rating<T>(&self, rating: T) -> Member<T> {
        Member {
            rating,
            share: self.share,
            party: self.party,
        }
    }
}

/// The players of one side and the place that they took.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Side<R> {
    /// 1 for the winners, then 2 and so on; equal places are draws. Only their order counts.
    pub place: u32,
    /// At least one player.
    pub members: Vec<Member<R>>,
}

impl<R> Side<R> {
    /// A side whose `ratings` queued alone and played the whole game.
    pub fn new(place: u32, ratings: impl IntoIterator<Item = R>) -> Self {
        Self::of_members(place, ratings.into_iter().map(Member::new).collect())
    }

    /// A side with shares and parties.
    #[must_use]
    pub const fn of_members(place: u32, members: Vec<Member<R>>) -> Self {
        Self { place, members }
    }
}

/// A finished game of two sides or more, checked: each side has a player who took part.
///
/// Two sides of one are a duel, many sides of one a free-for-all.
///
/// Shares say two things: how long the game was, L, the greatest share of any player ([`length`](Self::length)); and for
/// which part of it each player was there, share / L. A game of length L is that part of a random walk: a difference in
/// skill shows L times as much as in a whole game, luck sqrt(L) times.
///
/// ```
/// use matchwright_rating::{EloRating, Side, TeamGame};
///
/// let elo = |value| EloRating::new(value).unwrap();
/// let game = TeamGame::new(vec![
///     Side::new(1, [elo(1500.0), elo(1620.0)]),
///     Side::new(2, [elo(1580.0), elo(1510.0)]),
/// ])?;
/// assert_eq!(game.sides().len(), 2);
/// assert!(TeamGame::new(vec![Side::new(1, [elo(1500.0)])]).is_err());
/// # Ok::<(), matchwright_rating::GameError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "Vec<Side<R>>",
        into = "Vec<Side<R>>",
        bound(serialize = "R: Clone + serde::Serialize")
    )
)]
pub struct TeamGame<R> {
    sides: Vec<Side<R>>,
}

/// Why some sides are no game.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GameError {
    /// Nobody to play against.
    #[error("a game has {sides} side(s): give two or more")]
    TooFewSides {
        /// How many there are.
        sides: usize,
    },
    /// A side without players.
    #[error("side {side} has no players: give each side one or more")]
    EmptySide {
        /// Its position, from 0.
        side: usize,
    },
    /// A share that is none.
    #[error("member {member} of side {side} played a share of {share}: give a number from 0 to 1")]
    Share {
        /// The side's position, from 0.
        side: usize,
        /// The member's position in it, from 0.
        member: usize,
        /// What was given; it may be NaN.
        share: f64,
    },
    /// A side of which nobody took part.
    #[error("all shares of side {side} are below 0.000001: a side needs a player who took part")]
    NobodyPlayed {
        /// Its position, from 0.
        side: usize,
    },
}

/// The smallest share that counts as taking part: below it, a side's skill would be made of rounding.
pub(crate) const LEAST_SHARE: f64 = 1e-6;

impl<R> TeamGame<R> {
    /// A game of `sides`.
    ///
    /// # Errors
    /// [`GameError`] for fewer than two sides, an empty one, a share outside \[0, 1\] or a side of
    /// which nobody played a millionth of the game.
    pub fn new(sides: Vec<Side<R>>) -> Result<Self, GameError> {
        if sides.len() < 2 {
            return Err(GameError::TooFewSides { sides: sides.len() });
        }
        for (position, side) in sides.iter().enumerate() {
            check_side(position, side)?;
        }
        Ok(Self { sides })
    }

    /// A game of sides that [`new`](Self::new) would accept.
    #[cfg(feature = "history")]
    pub(crate) const fn of_checked(sides: Vec<Side<R>>) -> Self {
        Self { sides }
    }

    /// A game of two players.
    ///
    /// `place_a` and `place_b` are as in [`Side::place`].
    pub fn duel(a: R, place_a: u32, b: R, place_b: u32) -> Self {
        Self {
            sides: vec![Side::new(place_a, [a]), Side::new(place_b, [b])],
        }
    }

    /// The sides, in the order given.
    #[must_use]
    pub fn sides(&self) -> &[Side<R>] {
        &self.sides
    }

    /// L, the length of the game as a share of a whole one, in (0, 1\]: the greatest share of its players.
    #[must_use]
    pub fn length(&self) -> f64 {
        // None is longer, and most games are whole.
        if self
            .sides
            .iter()
            .any(|side| side.members.first().is_some_and(|one| one.share == 1.0))
        {
            return 1.0;
        }
        length(self.sides.iter().map(|side| side.members.as_slice()))
    }

    /// The same game with other ratings: `change` sees each member.
    pub fn map<T>(&self, mut change: impl FnMut(&Member<R>) -> T) -> TeamGame<T> {
        self.map_seats(|_, _, member| change(member))
    }

    /// The same game with other ratings: `change` sees each side's position, the member's position in
    /// it, and the member.
    pub fn map_seats<T>(&self, mut change: impl FnMut(usize, usize, &Member<R>) -> T) -> TeamGame<T> {
        let sides = self.sides.iter().enumerate().map(|(position, side)| Side {
            place: side.place,
            members: side
                .members
                .iter()
                .enumerate()
                .map(|(seat, member)| member.with_rating(change(position, seat, member)))
                .collect(),
        });
        TeamGame {
            sides: sides.collect(),
        }
    }
}

/// The greatest share among the members of `sides`; 1 if nobody took part.
pub(crate) fn length<'a, R: 'a>(sides: impl IntoIterator<Item = &'a [Member<R>]>) -> f64 {
    let members = sides.into_iter().flatten();
    let longest = members.fold(0.0_f64, |longest, member| longest.max(member.share));
    if longest > 0.0 { longest } else { 1.0 }
}

fn check_side<R>(position: usize, side: &Side<R>) -> Result<(), GameError> {
    if side.members.is_empty() {
        return Err(GameError::EmptySide { side: position });
    }
    for (member, one) in side.members.iter().enumerate() {
        if !(0.0..=1.0).contains(&one.share) {
            return Err(GameError::Share {
                side: position,
                member,
                share: one.share,
            });
        }
    }
    if side.members.iter().all(|member| member.share < LEAST_SHARE) {
        return Err(GameError::NobodyPlayed { side: position });
    }
    Ok(())
}

impl<R> TryFrom<Vec<Side<R>>> for TeamGame<R> {
    type Error = GameError;

    fn try_from(sides: Vec<Side<R>>) -> Result<Self, GameError> {
        Self::new(sides)
    }
}

impl<R> From<TeamGame<R>> for Vec<Side<R>> {
    fn from(game: TeamGame<R>) -> Self {
        game.sides
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_game_is_refused_with_its_place() {
        assert_eq!(
            TeamGame::<f64>::new(vec![]),
            Err(GameError::TooFewSides { sides: 0 })
        );
        let empty = TeamGame::new(vec![Side::new(1, [1.0]), Side::new(2, [])]);
        assert_eq!(empty, Err(GameError::EmptySide { side: 1 }));
        for share in [-0.1, 1.5, f64::INFINITY] {
            let odd = Side::of_members(1, vec![Member::new(1.0), Member::new(1.0).for_share(share)]);
            assert_eq!(
                TeamGame::new(vec![odd, Side::new(2, [1.0])]),
                Err(GameError::Share {
                    side: 0,
                    member: 1,
                    share
                })
            );
        }
        let nan = Side::of_members(1, vec![Member::new(1.0).for_share(f64::NAN)]);
        assert!(matches!(
            TeamGame::new(vec![nan, Side::new(2, [1.0])]),
            Err(GameError::Share { .. })
        ));
        let absent = Side::of_members(1, vec![Member::new(1.0).for_share(0.0)]);
        assert_eq!(
            TeamGame::new(vec![Side::new(2, [1.0]), absent]),
            Err(GameError::NobodyPlayed { side: 1 })
        );
    }

    #[test]
    fn mapping_ratings_keeps_shares_parties_and_places() -> Result<(), GameError> {
        let late = Member::new(10.0).for_share(0.25).in_party(7);
        let game = TeamGame::new(vec![
            Side::of_members(3, vec![late, Member::new(20.0)]),
            Side::new(3, [30.0]),
        ])?;
        let half = game.map(|member| member.rating / 2.0);
        assert_eq!(
            half.sides()[0].members[0],
            Member {
                rating: 5.0,
                share: 0.25,
                party: Some(7)
            }
        );
        assert_eq!(
            (half.sides()[0].place, half.sides()[1].members[0].rating),
            (3, 15.0)
        );
        Ok(())
    }
}
