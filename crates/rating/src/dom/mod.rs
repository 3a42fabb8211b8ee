//! DOM MMR: Elo whose K depends on how new, how streaky and how high an alliance is.
//!
//! After "World War Matchmaking - Design Spotlight 2019" (the developers of DomiNations), section "The
//! Leaderboard was not Part of the Evaluation". The text names the three reasons for another K and prints
//! no number but the centre of 12,000 and the range of the top hundred: the other defaults are ours, each
//! with its reason.

mod base;
mod k;
mod ledger;
mod nearest;
mod params;
mod pull;
mod pulled;
mod rating;
mod reasons;

pub use base::{BaseOdds, BaseOddsParams, BaseRating};
pub use ledger::PointsLedger;
pub use nearest::{BaseComparison, nearest_bases};
pub use params::{DomMmrParams, KeepSum};
pub use pull::{PullError, SeasonPull, SeasonPullParams};
pub use pulled::{PulledRatings, RatingSpread};
pub use rating::DomRating;
pub use reasons::{DomLedger, KReason};

use crate::limit::RATING_LIMIT;
use crate::score::{GameResult, Score};
use crate::system::RatingSystem;

/// DOM MMR: points move as in [`Elo`](crate::Elo), by a K that looks at the player.
///
/// ```text
/// K  = high_k                                          from high_from points on: no streaks, no newcomers
///    = max(newcomer_k, k S)                            in the first newcomer_games games
///    = k S                                             otherwise
/// S  = min(streak_max, 1 + streak_step (n - streak_from + 1))      after n >= streak_from results in a row
///    = 1                                                           after fewer
/// r' = r + sum K (s - E)                               K and every E from before the period
/// ```
///
/// K is the most that one game can move: |r' - r| <= K for a period of one game. Because it is read before
/// the period, the order of a period's games plays no part and a better score never rates lower.
///
/// A period continues a streak if all of its games ended alike, all above 1/2 or all below; any other
/// period with games ends it. A period of one game does what one expects. Time plays no part.
///
/// Sum of points: where the two sides' K differ, a game makes or destroys (`K_A` - `K_B`)(S - E) points
/// ([`drift`](Self::drift), [`PointsLedger`]); [`KeepSum`] gives both sides one K and so keeps the sum, under
/// every curve whose two expectations sum to 1.
///
/// Bounds: the result is kept within [`RATING_LIMIT`]. Cost: linear in the games. Errors: none.
///
/// ```
/// use matchwright_rating::{DomMmrParams, DomRating, GameResult, RatingSystem, Score};
///
/// let dom = DomMmrParams::default().build()?;
/// let veteran = DomRating::new(12_000.0, 300, 0)?;
/// let won = |who: &DomRating| dom.update(who, 0.0, &[GameResult::new(veteran, Score::WIN)]).glory() - 12_000.0;
/// // A newcomer moves twice as far as a veteran; the game makes the difference out of nothing.
/// assert_eq!((won(&dom.initial()), won(&veteran)), (128.0, 64.0));
/// assert_eq!(dom.drift(&dom.initial(), &veteran, Score::WIN), 64.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[doc(alias("variable K", "DomiNations", "K-factor"))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DomMmr {
    params: DomMmrParams,
}

impl DomMmr {
    /// Of parameters that were checked.
    const fn of(params: DomMmrParams) -> Self {
        Self { params }
    }

    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &DomMmrParams {
        &self.params
    }

    /// The points that one game of `a` and `b` makes (destroys, if negative), `score` from a's view:
    /// (`K_A` - `K_B`)(S - E), in rating points.
    ///
    /// In general `K_A` (S - E(a, b)) + `K_B` (1 - S - E(b, a)), which is that wherever the two expectations sum
    /// to 1. 0 under [`KeepSum`]. Its mean is 0 if E is right: points are made where K is high and E is wrong,
    /// that is by newcomers stronger than their rating, and destroyed by weaker ones.
    #[must_use]
    pub fn drift(&self, a: &DomRating, b: &DomRating, score: Score) -> f64 {
        let gain = |player, opponent, score: Score| {
            self.k_against(player, opponent) * (score.value() - self.expected_score(player, opponent))
        };
        gain(a, b, score) + gain(b, a, score.reversed())
    }
}

impl RatingSystem for DomMmr {
    type Rating = DomRating;

    fn initial(&self) -> DomRating {
        DomRating::newcomer(self.params.initial)
    }

    fn expected_score(&self, player: &DomRating, opponent: &DomRating) -> f64 {
        self.params.curve.expected(player.glory(), opponent.glory())
    }

    fn update(
        &self,
        player: &DomRating,
        _elapsed_periods: f64,
        games: &[GameResult<DomRating>],
    ) -> DomRating {
        let change: f64 = games
            .iter()
            .map(|game| {
                let surplus = game.score.value() - self.expected_score(player, &game.opponent);
                self.k_against(player, &game.opponent) * game.share * surplus
            })
            .sum();
        let glory = (player.glory() + change).clamp(-RATING_LIMIT, RATING_LIMIT);
        player.after(glory, games)
    }
}
