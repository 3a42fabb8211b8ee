//! [`ScheduledElo`]: Elo's system with a K that depends on the player's rating, games and age.

use super::EloCurve;
use crate::error::{ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::SystemSettings;
use crate::score::GameResult;
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::TeamSkill;
use crate::team::{ShiftRating, moved};
use crate::tunable::{Scale, Tunable};

/// How K depends on a player and, where the rule says so, on the number of games in the period.
///
/// ```
/// use matchwright_rating::{KSchedule, ScheduledRating};
///
/// let regular = ScheduledRating::new(2250.0)?.with_games(120);
/// assert_eq!(KSchedule::Fide.k(&regular, 9), 20.0);
/// assert_eq!(KSchedule::Fide.k(&regular.as_junior(true), 9), 40.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum KSchedule {
    /// 40 for the first 30 games and for juniors (until the year of their 18th birthday) below 2300; else 10 for who ever
    /// reached 2400 and 20 for others. Where K times the games of the period exceeds 700, the largest whole K that does
    /// not.
    ///
    /// FIDE Handbook B.02, "FIDE Rating Regulations", section 8.3.3.
    Fide,
    /// K = 800 / (N' + m), for m games in the period after N others:
    ///
    /// ```text
    /// N' = min(N, 50 / sqrt(1 + max(0, 2200 - rating)^2 / 100,000))
    /// ```
    ///
    /// Glickman, "The United States Chess Federation rating system", 2004, equation 1 and the standard formula, without its
    /// bonus and without the special formula for the first 8 games (by which a player may lose points by a win).
    UsChess,
    /// `first_k` for the first `games` games (those of the period that reaches them included), then `k`.
    Provisional {
        /// Games of the provisional period.
        games: u32,
        /// K during it; in (0, 1e6\].
        first_k: f64,
        /// K after it; in (0, 1e6\].
        k: f64,
    },
    /// K = scale / (games + offset)^exponent, for the games before the period.
    ///
    /// Kovalchik, "Searching for the GOAT of tennis win prediction", 2016 (doi 10.1515/jqas-2015-0059), with 250, 5 and 0.4.
    Decaying {
        /// In (0, 1e6\].
        scale: f64,
        /// From 1 to 1e6.
        offset: f64,
        /// From 0 to 2.
        exponent: f64,
    },
}

/// FIDE's: players are newcomers for this many games ...
const FIDE_NEW: u32 = 30;
/// ... juniors have a higher K below this ...
const FIDE_JUNIOR: f64 = 2300.0;
/// ... who reached this has a lower one ...
const FIDE_TOP: f64 = 2400.0;
/// ... and K times games stays within this.
const FIDE_SPAN: f64 = 700.0;

/// K, as in [`EloParams`](super::EloParams).
const FACTORS: std::ops::RangeInclusive<f64> = f64::MIN_POSITIVE..=1e6;

impl KSchedule {
    fn check(&self) -> Result<(), ParamError> {
        match *self {
            Self::Fide | Self::UsChess => {}
            Self::Provisional { first_k, k, .. } => {
                within("first_k", first_k, FACTORS)?;
                within("k", k, FACTORS)?;
            }
            Self::Decaying {
                scale,
                offset,
                exponent,
            } => {
                within("scale", scale, FACTORS)?;
                within("offset", offset, 1.0..=1e6)?;
                within("exponent", exponent, 0.0..=2.0)?;
            }
        }
        Ok(())
    }

    /// K for a period of `games` games of `player`, in points.
    #[must_use]
    pub fn k(&self, player: &ScheduledRating, games: usize) -> f64 {
        let (before, games) = (f64::from(player.games), games.max(1) as f64);
        match *self {
            Self::Fide => {
                let junior = player.junior && player.value < FIDE_JUNIOR;
                let k: f64 = if player.games < FIDE_NEW || junior {
                    40.0
                } else if player.peak >= FIDE_TOP {
                    10.0
                } else {
                    20.0
                };
                // A period of more than 700 games has no whole K.
                let most = FIDE_SPAN / games;
                k.min(if most < 1.0 { most } else { most.floor() })
            }
            Self::UsChess => {
                let below = (2200.0 - player.value).max(0.0);
                let effective = 50.0 / (1.0 + below * below / 1e5).sqrt();
                800.0 / (before.min(effective) + games)
            }
            Self::Provisional { games, first_k, k } => {
                if player.games < games {
                    first_k
                } else {
                    k
                }
            }
            Self::Decaying {
                scale,
                offset,
                exponent,
            } => scale / (before + offset).powf(exponent),
        }
    }
}

/// An Elo rating with what a K schedule asks of: games played, the highest rating so far, and whether the player is a
/// junior.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawRating"))]
pub struct ScheduledRating {
    value: f64,
    peak: f64,
    games: u32,
    junior: bool,
}

impl ScheduledRating {
    /// A rating of `value` points before the first game, which is the highest so far.
    ///
    /// # Errors
    /// [`ParamError`] if `value` is NaN or beyond [`RATING_LIMIT`].
    pub fn new(value: f64) -> Result<Self, ParamError> {
        within("ScheduledRating", value, RATINGS)?;
        Ok(Self {
            value,
            peak: value,
            games: 0,
            junior: false,
        })
    }

    /// The same player after this many games.
    #[must_use]
    pub const fn with_games(self, games: u32) -> Self {
        Self { games, ..self }
    }

    /// The same player, whose highest rating was `peak`, if that is above the rating.
    #[must_use]
    pub fn with_peak(self, peak: f64) -> Self {
        // `max` returns the other number when one is NaN.
        let peak = peak.max(self.value).min(RATING_LIMIT);
        Self { peak, ..self }
    }

    /// The same player as a junior, or not.
    #[must_use]
    pub const fn as_junior(self, junior: bool) -> Self {
        Self { junior, ..self }
    }

    /// The rating in points.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// The highest rating after any period.
    #[must_use]
    pub const fn peak(&self) -> f64 {
        self.peak
    }

    /// Games played; counting stops at the largest `u32`.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Whether the player counts as a junior.
    #[must_use]
    pub const fn is_junior(&self) -> bool {
        self.junior
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRating {
    value: f64,
    peak: f64,
    games: u32,
    junior: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<RawRating> for ScheduledRating {
    type Error = ParamError;

    fn try_from(raw: RawRating) -> Result<Self, ParamError> {
        let rating = Self::new(raw.value)?;
        within("peak", raw.peak, raw.value..=RATING_LIMIT)?;
        Ok(rating
            .with_peak(raw.peak)
            .with_games(raw.games)
            .as_junior(raw.junior))
    }
}

impl RatingEstimate for ScheduledRating {
    fn rating(&self) -> f64 {
        self.value
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

impl ShiftRating for ScheduledRating {
    fn shifted(&self, points: f64) -> Self {
        Self {
            value: moved(self.value, points),
            peak: moved(self.peak, points),
            ..*self
        }
    }

    fn set_off(&self, points: f64) -> Self {
        let value = moved(self.value, points);
        Self {
            value,
            peak: self.peak.max(value),
            ..*self
        }
    }

    fn with_deviation(&self, _deviation: f64) -> Self {
        *self
    }
}

/// The settings of [`ScheduledElo`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ScheduledEloParams {
    /// K. Default FIDE's 40, 20 and 10.
    pub schedule: KSchedule,
    /// A newcomer's rating. Default 1500.
    pub initial: f64,
    /// From a rating difference to an expected score. Default logistic with scale 400.
    pub curve: EloCurve,
}

impl Default for ScheduledEloParams {
    fn default() -> Self {
        Self {
            schedule: KSchedule::Fide,
            initial: 1500.0,
            curve: EloCurve::default(),
        }
    }
}

impl ScheduledEloParams {
    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<ScheduledElo, ParamError> {
        self.schedule.check()?;
        within("initial", self.initial, RATINGS)?;
        self.curve.check()?;
        Ok(ScheduledElo { params: self })
    }
}

impl Tunable for ScheduledEloParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        let factors = Scale::Factors(0.5, 4000.0);
        match &mut self.schedule {
            KSchedule::Fide | KSchedule::UsChess => {}
            KSchedule::Provisional { first_k, k, .. } => {
                turn("first_k", factors, first_k);
                turn("k", factors, k);
            }
            KSchedule::Decaying {
                scale,
                offset,
                exponent,
            } => {
                turn("scale", Scale::Factors(0.5, 1e5), scale);
                turn("offset", Scale::Factors(1.0, 1e3), offset);
                turn("exponent", Scale::Factors(0.01, 2.0), exponent);
            }
        }
    }

    /// The other schedules: both federations', and around the K of [`EloParams`](super::EloParams) one that is twice as high for
    /// 30 games, and one that falls to it in 30 games.
    fn other_forms(&self) -> Vec<Self> {
        let k = 48.0;
        let (offset, exponent): (f64, f64) = (5.0, 0.4);
        let schedules = [
            KSchedule::Fide,
            KSchedule::UsChess,
            KSchedule::Provisional {
                games: 30,
                first_k: 2.0 * k,
                k,
            },
            KSchedule::Decaying {
                scale: k * (30.0 + offset).powf(exponent),
                offset,
                exponent,
            },
        ];
        let others = schedules
            .into_iter()
            .filter(|schedule| std::mem::discriminant(schedule) != std::mem::discriminant(&self.schedule));
        others.map(|schedule| Self { schedule, ..*self }).collect()
    }
}

impl SystemSettings for ScheduledEloParams {
    fn points_per_log_odds(&self) -> f64 {
        self.curve.points_per_log_odds()
    }

    fn team_skill(&self) -> TeamSkill {
        TeamSkill::Mean
    }
}

/// Elo's system with a [`KSchedule`]: r' = r + K sum (s - E), K and every E from before the period.
///
/// Two players with different K do not only move points: newcomers win or lose more than their opponents. Time plays no
/// part. Bounds, cost and errors as for [`Elo`](crate::Elo).
///
/// ```
/// use matchwright_rating::{EloCurve, GameResult, RatingSystem, ScheduledEloParams, ScheduledRating, Score};
///
/// let fide = ScheduledEloParams { curve: EloCurve::FideTable, ..ScheduledEloParams::default() }.build()?;
/// let (new, old) = (ScheduledRating::new(1500.0)?, ScheduledRating::new(1900.0)?.with_games(200));
/// let (winner, loser) = fide.update_pair((&new, 0.0), (&old, 0.0), Score::WIN);
/// assert_eq!((winner.value() * 10.0).round(), 15368.0);
/// assert_eq!((loser.value() * 10.0).round(), 18816.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScheduledElo {
    params: ScheduledEloParams,
}

impl ScheduledElo {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &ScheduledEloParams {
        &self.params
    }
}

impl RatingSystem for ScheduledElo {
    type Rating = ScheduledRating;

    fn initial(&self) -> ScheduledRating {
        ScheduledRating {
            value: self.params.initial,
            peak: self.params.initial,
            games: 0,
            junior: false,
        }
    }

    fn expected_score(&self, player: &ScheduledRating, opponent: &ScheduledRating) -> f64 {
        self.params.curve.expected(player.value, opponent.value)
    }

    fn update(
        &self,
        player: &ScheduledRating,
        _elapsed_periods: f64,
        games: &[GameResult<ScheduledRating>],
    ) -> ScheduledRating {
        let surplus: f64 = games
            .iter()
            .map(|game| game.share * (game.score.value() - self.expected_score(player, &game.opponent)))
            .sum();
        let change = self.params.schedule.k(player, games.len()) * surplus;
        let value = (player.value + change).clamp(-RATING_LIMIT, RATING_LIMIT);
        let count = u32::try_from(games.len()).unwrap_or(u32::MAX);
        ScheduledRating {
            value,
            peak: player.peak.max(value),
            games: player.games.saturating_add(count),
            ..*player
        }
    }
}
