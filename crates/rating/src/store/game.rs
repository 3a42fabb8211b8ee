//! What a store can rate: duels with any [`RatingSystem`], games of sides with any [`TeamRatingSystem`].

use std::fmt::Debug;
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::score::Score;
use crate::season::SeasonChange;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::{ShiftRating, TeamGame, TeamRatingSystem};

/// One player against one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duel<Id> {
    /// First player.
    pub first: Id,
    /// Second player.
    pub second: Id,
    /// The first player's score.
    pub score: Score,
    /// The first player's points less the second's, for a system [`Adjusted`](super::Adjusted) by margins; 0 if unknown.
    #[serde(default, with = "crate::packed")]
    pub margin: f64,
}

impl<Id> Duel<Id> {
    /// `first` against `second`, with the first player's score.
    pub const fn new(first: Id, second: Id, score: Score) -> Self {
        Self {
            first,
            second,
            score,
            margin: 0.0,
        }
    }
}

/// A game that a store can keep: its players under the caller's ids, or under numbers.
pub trait StoredGame: Sized {
    /// The caller's ids.
    type Player: Clone + Eq + Hash + Debug;
    /// The same game with numbers for ids: what the store keeps, in [postcard](https://postcard.jamesmunns.com)'s format.
    type Numbered: Clone + PartialEq + Debug + Serialize + DeserializeOwned;

    /// Its players, side after side.
    fn players(&self) -> Vec<&Self::Player>;

    /// The game with the numbers that `number` gives, asked in the order of [`players`](Self::players).
    fn numbered(&self, number: impl FnMut(&Self::Player) -> u32) -> Self::Numbered;

    /// The game with ids again.
    fn named(game: &Self::Numbered, name: impl FnMut(u32) -> Self::Player) -> Self;

    /// Puts the numbers into `slots`, in the order of [`players`](Self::players).
    fn slots(game: &Self::Numbered, slots: &mut Vec<u32>);
}

impl<Id: Clone + Eq + Hash + Debug> StoredGame for Duel<Id> {
    type Player = Id;
    type Numbered = Duel<u32>;

    fn players(&self) -> Vec<&Id> {
        vec![&self.first, &self.second]
    }

    fn numbered(&self, mut number: impl FnMut(&Id) -> u32) -> Duel<u32> {
        Duel {
            margin: self.margin,
            ..Duel::new(number(&self.first), number(&self.second), self.score)
        }
    }

    fn named(game: &Duel<u32>, mut name: impl FnMut(u32) -> Id) -> Self {
        Self {
            margin: game.margin,
            ..Self::new(name(game.first), name(game.second), game.score)
        }
    }

    fn slots(game: &Duel<u32>, slots: &mut Vec<u32>) {
        slots.extend([game.first, game.second]);
    }
}

/// Members carry ids instead of ratings.
impl<Id: Clone + Eq + Hash + Debug> StoredGame for TeamGame<Id> {
    type Player = Id;
    type Numbered = TeamGame<u32>;

    fn players(&self) -> Vec<&Id> {
        let members = self.sides().iter().flat_map(|side| &side.members);
        members.map(|member| &member.rating).collect()
    }

    fn numbered(&self, mut number: impl FnMut(&Id) -> u32) -> TeamGame<u32> {
        self.map(|member| number(&member.rating))
    }

    fn named(game: &TeamGame<u32>, mut name: impl FnMut(u32) -> Id) -> Self {
        game.map(|member| name(member.rating))
    }

    fn slots(game: &TeamGame<u32>, slots: &mut Vec<u32>) {
        let members = game.sides().iter().flat_map(|side| &side.members);
        slots.extend(members.map(|member| member.rating));
    }
}

/// A system that rates games of type `G`: every [`RatingSystem`] does so with duels, every [`TeamRatingSystem`] with
/// [`TeamGame`]s, if its ratings are [estimates](RatingEstimate) that can be [shifted](ShiftRating).
pub trait RatesGames<G> {
    /// What the system knows about one player.
    type Rating: Clone + PartialEq + Debug;

    /// The rating of a player of whom nothing is known.
    fn newcomer(&self) -> Self::Rating;

    /// A rating this many periods later.
    fn idle(&self, rating: &Self::Rating, elapsed_periods: f64) -> Self::Rating;

    /// Adds the ratings after `game` to `after`. `before` has each player's rating after the player's last game and the
    /// periods since, in the game's order.
    fn rate(&self, game: &G, before: &[(Self::Rating, f64)], after: &mut Vec<Self::Rating>);

    /// A rating in a new season.
    fn in_season(&self, rating: &Self::Rating, change: &SeasonChange) -> Self::Rating;
}

impl<S> RatesGames<Duel<u32>> for S
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    type Rating = S::Rating;

    fn newcomer(&self) -> S::Rating {
        self.initial()
    }

    fn idle(&self, rating: &S::Rating, elapsed_periods: f64) -> S::Rating {
        self.update(rating, elapsed_periods, &[])
    }

    fn rate(&self, game: &Duel<u32>, before: &[(S::Rating, f64)], after: &mut Vec<S::Rating>) {
        if let [first, second] = before {
            let pair = self.update_pair((&first.0, first.1), (&second.0, second.1), game.score);
            after.extend(<[_; 2]>::from(pair));
        }
    }

    fn in_season(&self, rating: &S::Rating, change: &SeasonChange) -> S::Rating {
        change.apply(rating, &self.initial())
    }
}

impl<S> RatesGames<TeamGame<u32>> for S
where
    S: TeamRatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
{
    type Rating = S::Rating;

    fn newcomer(&self) -> S::Rating {
        self.initial()
    }

    fn idle(&self, rating: &S::Rating, elapsed_periods: f64) -> S::Rating {
        self.after_inactivity(rating, elapsed_periods)
    }

    fn rate(&self, game: &TeamGame<u32>, before: &[(S::Rating, f64)], after: &mut Vec<S::Rating>) {
        let mut before = before.iter();
        let now = game.map(|_| {
            let known = before.next();
            known.map_or_else(
                || self.initial(),
                |(rating, elapsed)| self.after_inactivity(rating, *elapsed),
            )
        });
        after.extend(self.update(&now).into_iter().flatten());
    }

    fn in_season(&self, rating: &S::Rating, change: &SeasonChange) -> S::Rating {
        change.apply(rating, &self.initial())
    }
}
