//! What rating a history gives: players by rating, predictions, and how single players fared.

use super::accounts::AccountTrack;
use super::prediction::{Prediction, SidePair, Standing};
use matchwright_rating::{BradleyTerryPrior, Connectivity, LadderStanding, RatingEstimate, TeamGame};
use serde::Serialize;

/// The quantile of a normal curve that 95 % lie within.
pub const WITHIN_95: f64 = 1.96;
/// How many deviations below its rating a player is put by [`RatedPlayer::conservative`].
pub const CONSERVATIVE: f64 = 3.0;

/// A player at the end of a rated history.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// Name.
    pub player: String,
    /// Rating points.
    pub rating: f64,
    /// Standard deviation of the rating; none where the system keeps none.
    pub deviation: Option<f64>,
    /// Volatility; Glicko-2 alone keeps one.
    pub volatility: Option<f64>,
    /// Matches won: the first place alone.
    pub wins: u32,
    /// Matches drawn: the first place shared.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
    /// When the last one ended, Unix seconds.
    pub last_time: Option<i64>,
    /// What a ladder shows; none without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ladder: Option<LadderStanding>,
    /// Which of the player's four ratings it is, and who sees it; none where a player has one.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub track: Option<AccountTrack>,
}

impl RatedPlayer {
    /// Matches played.
    #[must_use]
    pub fn games(&self) -> u64 {
        [self.wins, self.draws, self.losses].map(u64::from).iter().sum()
    }

    /// Where the rating lies with 95 %: 1.96 deviations either way; none without a deviation.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        let reach = WITHIN_95 * self.deviation?;
        Some((self.rating - reach, self.rating + reach))
    }

    /// The rating less three deviations: a lower bound with a probability of 99.9 %. None without a deviation.
    #[must_use]
    pub fn conservative(&self) -> Option<f64> {
        Some(self.rating - CONSERVATIVE * self.deviation?)
    }
}

/// How players are rated by the games of one context alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContextRatings {
    /// What was played.
    pub context: String,
    /// Those who played it, by rating, best first.
    pub players: Vec<RatedPlayer>,
}

/// A player's rating just after a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoursePoint {
    /// When the match ended, Unix seconds.
    pub time: i64,
    /// Rating points.
    pub rating: f64,
    /// Standard deviation of the rating; none where the system keeps none.
    pub deviation: Option<f64>,
}

/// A player's ratings, match by match.
pub type Course = Vec<CoursePoint>;

/// How strengths that were fitted all at once hang together.
#[derive(Clone, Debug, PartialEq)]
pub struct AtOnce {
    /// Of all comparisons.
    pub connectivity: Connectivity,
    /// Precision of the prior, if one was used.
    pub prior_precision: Option<f64>,
    /// Whether the prior is on every player, or only on what the games do not tell.
    pub prior: BradleyTerryPrior,
    /// How many players each group holds that results connect both ways, the largest first.
    pub groups: Vec<usize>,
    /// Whether deviations were worked out; it takes too long for many players.
    pub has_deviations: bool,
}

/// How a fit of skills at all times ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Smoothed {
    /// Sweeps through all games.
    pub sweeps: u32,
    /// The largest move of a skill in the last one, in units of its deviation: the certificate.
    pub last_change: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
    /// ln of the probability that the settings give to all results: of two settings the one with the higher value
    /// explains the history better.
    pub log_evidence: f64,
}

/// A rated history of games.
#[derive(Clone, Debug, Default)]
pub struct Rated {
    /// By rating, best first; equals by name.
    pub players: Vec<RatedPlayer>,
    /// What was expected of pairs of sides, in the order of games.
    pub predictions: Vec<Prediction>,
    /// Whose predictions those are.
    pub pairs: Vec<SidePair>,
    /// The courses of the watched players, in the order asked for.
    pub courses: Vec<Course>,
    /// The home (first-side) advantage, rating points.
    pub home_advantage: f64,
    /// Ratings in each context, where they count.
    pub contexts: Vec<ContextRatings>,
    /// For Bradley-Terry alone.
    pub at_once: Option<AtOnce>,
    /// For TrueSkill Through Time alone.
    pub smoothed: Option<Smoothed>,
    /// The games of two sides as rated just before them, with their positions in the history, where they were asked
    /// for.
    pub(super) before: Vec<(usize, TeamGame<Estimate>)>,
}

/// A rating of any system as its number and deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    rating: f64,
    deviation: Option<f64>,
}

impl Estimate {
    /// The number, and the deviation where the system keeps one.
    #[must_use]
    pub const fn new(rating: f64, deviation: Option<f64>) -> Self {
        Self { rating, deviation }
    }

    /// That of a rating.
    pub fn of(rating: &impl RatingEstimate) -> Self {
        Self::new(rating.rating(), rating.deviation())
    }
}

impl RatingEstimate for Estimate {
    fn rating(&self) -> f64 {
        self.rating
    }

    fn deviation(&self) -> Option<f64> {
        self.deviation
    }
}

/// What only some systems tell of a player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extras {
    pub(super) volatility: Option<f64>,
    pub(super) ladder: Option<LadderStanding>,
}

impl Extras {
    pub(super) fn of(rating: &impl RatingEstimate) -> Self {
        Self {
            volatility: rating.volatility(),
            ladder: None,
        }
    }
}

/// Players by rating, best first; equals by name.
pub(super) fn rank<R: RatingEstimate>(
    names: &[String],
    standings: &[Standing<R>],
    extras: impl Fn(&R) -> Extras,
) -> Vec<RatedPlayer> {
    let both = names.iter().zip(standings);
    let mut players: Vec<RatedPlayer> = both
        .map(|(name, standing)| {
            let Extras { volatility, ladder } = extras(&standing.rating);
            RatedPlayer {
                player: name.clone(),
                rating: standing.rating.rating(),
                deviation: standing.rating.deviation(),
                volatility,
                wins: standing.record[0],
                draws: standing.record[1],
                losses: standing.record[2],
                last_time: standing.last_time,
                ladder,
                track: None,
            }
        })
        .collect();
    players.sort_by(|a, b| {
        b.rating
            .total_cmp(&a.rating)
            .then_with(|| a.player.cmp(&b.player))
    });
    players
}
