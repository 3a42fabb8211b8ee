//! [`DomMmrParams`]: the settings of DOM MMR.

use crate::dom::DomMmr;
use crate::elo::EloCurve;
use crate::error::{ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::SystemSettings;
use crate::team::TeamSkill;
use crate::tunable::{Scale, Tunable};

/// How the two sides of a game get one K, so that what one gains the other loses.
///
/// Both K follow from the two ratings before the game, so each side works out the same number alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum KeepSum {
    /// The mean of both. Half of a newcomer's extra speed is left, and veterans pay for it.
    Mean,
    /// The smaller of both. Veterans are safe; newcomers move fast among themselves only.
    Smaller,
    /// The larger of both. Newcomers keep their speed; who meets them swings as far.
    Larger,
}

/// The settings of [`DomMmr`], unchecked until [`build`](Self::build).
///
/// The source prints no K and no width. Ours are Elo's 32 and 400 times four: then 15,000 points, where its
/// top hundred begins, stand for odds of 75 to 1 over the centre, as 750 points do in chess.
#[doc(alias("variable K", "DomiNations"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct DomMmrParams {
    /// K of a settled player without a streak, in points; in (0, 1e6\]. Default 128: a fortieth of the way
    /// from the centre to 17,500, as Elo's 32 is to chess.
    pub k: f64,
    /// K of a newcomer; from `k` to 1e6. Default 256, twice `k`, as FIDE has 40 against 20.
    pub newcomer_k: f64,
    /// How many games one is a newcomer. Default 10: the source says "the first several", and a war takes
    /// days. 0 switches newcomers off.
    pub newcomer_games: u32,
    /// The results in a row from which a streak counts; at least 1. Default 3: among equals one player in
    /// four has as many behind them, so that it starts to say something.
    pub streak_from: u32,
    /// What each result of a streak, from that one on, adds to K, as a share of `k`; 0 to 1e3. Default 1/4:
    /// four results take K to its most. 0 switches streaks off.
    pub streak_step: f64,
    /// The most that a streak multiplies `k` with; 1 to 1e3. Default 2, so that a streak makes nobody faster
    /// than a newcomer.
    pub streak_max: f64,
    /// The rating from which on neither streak nor newness count. Default 15,000, where the source's top
    /// hundred begins. [`RATING_LIMIT`] is out of reach for all practical purposes.
    pub high_from: f64,
    /// K from there on; in (0, 1e6\]. Default 64, half of `k`, as FIDE has 10 against 20.
    pub high_k: f64,
    /// A newcomer's rating. Default 12,000, the source's centre.
    pub initial: f64,
    /// From a rating difference to an expected score. Default logistic with scale 1600.
    pub curve: EloCurve,
    /// One K for both sides of a game, so that points are only moved. Default none, as in the source: each
    /// side moves by its own.
    pub keep_sum: Option<KeepSum>,
}

impl Default for DomMmrParams {
    fn default() -> Self {
        Self {
            k: 128.0,
            newcomer_k: 256.0,
            newcomer_games: 10,
            streak_from: 3,
            streak_step: 0.25,
            streak_max: 2.0,
            high_from: 15_000.0,
            high_k: 64.0,
            initial: 12_000.0,
            curve: EloCurve::Logistic { scale: 1600.0 },
            keep_sum: None,
        }
    }
}

impl DomMmrParams {
    /// Elo: one K for all, on this curve. For comparing what the schedule does.
    #[must_use]
    pub fn constant_k(k: f64) -> Self {
        Self {
            k,
            newcomer_k: k,
            newcomer_games: 0,
            streak_step: 0.0,
            high_from: RATING_LIMIT,
            high_k: k,
            ..Self::default()
        }
    }

    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<DomMmr, ParamError> {
        within("k", self.k, f64::MIN_POSITIVE..=1e6)?;
        within("high_k", self.high_k, f64::MIN_POSITIVE..=1e6)?;
        within("newcomer_k", self.newcomer_k, self.k..=1e6)?;
        let from = f64::from(self.streak_from);
        within("streak_from", from, 1.0..=f64::from(u32::MAX))?;
        within("streak_step", self.streak_step, 0.0..=1e3)?;
        within("streak_max", self.streak_max, 1.0..=1e3)?;
        within("high_from", self.high_from, RATINGS)?;
        within("initial", self.initial, RATINGS)?;
        self.curve.check()?;
        Ok(DomMmr::of(self))
    }
}

impl Tunable for DomMmrParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        let before = self.k;
        turn("k", Scale::Factors(1.0, 2000.0), &mut self.k);
        if self.k != before {
            self.high_k = 0.5 * self.k;
        }
        turn("newcomer_k", Scale::Factors(1.0, 4000.0), &mut self.newcomer_k);
    }
}

impl SystemSettings for DomMmrParams {
    fn points_per_log_odds(&self) -> f64 {
        self.curve.points_per_log_odds()
    }

    fn team_skill(&self) -> TeamSkill {
        TeamSkill::Mean
    }
}
