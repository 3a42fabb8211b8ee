//! [`RatingSystem`], the trait of systems for two players, and [`RatingEstimate`], what any rating tells.

use std::fmt::Debug;

use crate::score::{GameResult, Score};

/// Who is how good, learnt from results.
///
/// # Contract
/// - **Pure.** The same arguments give the same answer; nothing is read but the arguments and
///   `self`.
/// - **Total.** Neither method panics or returns NaN for ratings that the system made or checked.
/// - [`expected_score`](Self::expected_score) is in \[0, 1\]; two equal ratings expect 1/2.
/// - [`update`](Self::update) takes one rating period: all opponents as they were rated before it,
///   in any order. One game is a period of one; no game is inactivity. A better score never gives a
///   lower rating; no game and no time change nothing.
/// - A game of a [share](GameResult::share) is that much evidence: as the share of a newcomer's game against an equal falls to
///   0, so does what it moves the rating by, and a deviation after it never falls.
///
/// Whatever implements this can be held against the whole contract with `laws::check_all` (feature
/// `laws`). The trait is object-safe once `Rating` is fixed, and forwarded through `&` and `Box`.
///
/// ```
/// use matchwright_rating::{EloParams, EloRating, GameResult, RatingSystem, Score};
///
/// let elo: Box<dyn RatingSystem<Rating = EloRating>> = Box::new(EloParams::default().build()?);
/// let (ann, bob) = (EloRating::new(1000.0)?, EloRating::new(1000.0)?);
/// let ann = elo.update(&ann, 0.0, &[GameResult::new(bob, Score::WIN)]);
/// assert_eq!(ann.value(), 1016.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
pub trait RatingSystem {
    /// What the system knows about one player.
    type Rating: Clone + PartialEq + Debug;

    /// The rating of a player of whom nothing is known.
    fn initial(&self) -> Self::Rating;

    /// The score that `player` should expect against `opponent`, in \[0, 1\].
    fn expected_score(&self, player: &Self::Rating, opponent: &Self::Rating) -> f64;

    /// The probability that `player` wins a decided game against `opponent`, as a forecast: in \[0, 1\].
    ///
    /// By default the expected score. Systems whose update looks at the opponent's deviation alone, as Glicko's does, forecast
    /// from both; the two players' own need not add up to 1.
    fn win_probability(&self, player: &Self::Rating, opponent: &Self::Rating) -> f64 {
        self.expected_score(player, opponent)
    }

    /// `player`'s rating after one period with `games`, `elapsed_periods` after the player's last
    /// update.
    ///
    /// `elapsed_periods` may be fractional, and infinite for "as long as it takes"; a negative
    /// number or NaN counts as no time passed, so the method is total. Without games only the time
    /// counts.
    fn update(
        &self,
        player: &Self::Rating,
        elapsed_periods: f64,
        games: &[GameResult<Self::Rating>],
    ) -> Self::Rating;

    /// Both ratings after a game that ended with `score` for the first player; with each player come the periods since
    /// that player's own last update.
    ///
    /// Each meets the other as rated just before the game: as the time since then has left the rating, not as the last
    /// game did.
    ///
    /// ```
    /// use matchwright_rating::{GaussianRating, GlickoParams, RatingSystem, Score};
    ///
    /// // Two players who have been away for 30 periods are both unsure again.
    /// let glicko = GlickoParams::default().build()?;
    /// let rating = GaussianRating::new(1500.0, 50.0)?;
    /// let (winner, loser) = glicko.update_pair((&rating, 30.0), (&rating, 30.0), Score::WIN);
    /// assert_eq!((winner.rating().round(), winner.deviation().round()), (1662.0, 290.0));
    /// assert_eq!(loser.rating().round(), 1338.0);
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    fn update_pair(
        &self,
        first: (&Self::Rating, f64),
        second: (&Self::Rating, f64),
        score: Score,
    ) -> (Self::Rating, Self::Rating) {
        let [first_now, second_now] =
            [first, second].map(|(rating, elapsed)| self.update(rating, elapsed, &[]));
        (
            self.update(first.0, first.1, &[GameResult::new(second_now, score)]),
            self.update(
                second.0,
                second.1,
                &[GameResult::new(first_now, score.reversed())],
            ),
        )
    }
}

/// What any rating can be read as: a point on the rating scale, and how uncertain it is.
pub trait RatingEstimate {
    /// The estimate, in rating points.
    fn rating(&self) -> f64;

    /// Its standard deviation in rating points; `None` where the system keeps none.
    fn deviation(&self) -> Option<f64>;

    /// Its volatility, what it is expected to change by besides; `None` where the system keeps none.
    fn volatility(&self) -> Option<f64> {
        None
    }
}

/// A bare number is a rating: a system of one number needs no type of its own.
impl RatingEstimate for f64 {
    fn rating(&self) -> f64 {
        *self
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: RatingSystem + ?Sized> RatingSystem for $pointer {
            type Rating = S::Rating;

            fn initial(&self) -> S::Rating {
                (**self).initial()
            }

            fn expected_score(&self, player: &S::Rating, opponent: &S::Rating) -> f64 {
                (**self).expected_score(player, opponent)
            }

            fn win_probability(&self, player: &S::Rating, opponent: &S::Rating) -> f64 {
                (**self).win_probability(player, opponent)
            }

            fn update(
                &self,
                player: &S::Rating,
                elapsed_periods: f64,
                games: &[GameResult<S::Rating>],
            ) -> S::Rating {
                (**self).update(player, elapsed_periods, games)
            }

            fn update_pair(
                &self,
                first: (&S::Rating, f64),
                second: (&S::Rating, f64),
                score: Score,
            ) -> (S::Rating, S::Rating) {
                (**self).update_pair(first, second, score)
            }
        }
    )+};
}

forward!(&S, Box<S>);

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn RatingSystem<Rating = crate::EloRating>> = None;
const _: Option<&dyn RatingEstimate> = None;

/// Time passed as the contract of [`RatingSystem::update`] counts it: negative and NaN are none.
#[inline]
pub(crate) fn time_passed(elapsed_periods: f64) -> f64 {
    // `max` returns the other number when one is NaN.
    elapsed_periods.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_time_passes() {
        for nothing in [0.0, -0.5, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(time_passed(nothing), 0.0);
        }
        assert_eq!(
            (time_passed(0.25), time_passed(f64::INFINITY)),
            (0.25, f64::INFINITY)
        );
    }
}
