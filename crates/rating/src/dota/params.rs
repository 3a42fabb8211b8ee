//! [`DotaMmrParams`]: the settings of Dota 2's rating.

use crate::dota::DotaMmr;
use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::{SystemSettings, probit};
use crate::team::TeamSkill;
use crate::tunable::{Scale, Tunable};

/// The settings of [`DotaMmr`], unchecked until [`build`](Self::build).
#[doc(alias("MMR with uncertainty", "Dota 2"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct DotaMmrParams {
    /// A newcomer's MMR. Default 2250, the median that the source prints.
    pub initial_mmr: f64,
    /// A newcomer's uncertainty; from `floor` to `max_uncertainty`. Default 542: the standard deviation of a
    /// normal curve with the source's quartiles, 731 points apart, since of a newcomer nothing is known but
    /// the population.
    pub initial_uncertainty: f64,
    /// The most that uncertainty grows to; from `floor` to 1e9. Default 542.
    pub max_uncertainty: f64,
    /// What uncertainty shrinks to; in \[1e-3, 1e9\]. Default 200, Elo's standard deviation of one player's
    /// performance from game to game: that much is left however well a player is known.
    pub floor: f64,
    /// Points that one game moves at most, per point of uncertainty; in (0, 10\]. Default 0.16: a K of 32 over
    /// Elo's deviation of 200.
    pub step: f64,
    /// How much of the uncertainty a fully expected result takes; 0 to 0.99. Default 0.15: with
    /// `neutral_error` at 3/4 an even game takes 5 %, and the ten games of a calibration take two thirds of what a
    /// newcomer has over the floor.
    pub gain_below: f64,
    /// How much a result that nobody expected adds to the uncertainty; 0 to 100. Default 0.15, as much as
    /// `gain_below`.
    pub gain_above: f64,
    /// The surprise, from 0 (certain beforehand) to 1 (impossible), that leaves the uncertainty as it is; in \[0.01, 0.99\]. Default 3/4: a win at one to three. It must be above 1/2, the surprise of
    /// an even game, for even games to teach anything.
    pub neutral_error: f64,
    /// How much individual performance counts beside the result, at full uncertainty; 0 (not at all) to 1 (as
    /// much). Default 1/2: the result is the primary criterion.
    pub performance_weight: f64,
    /// Uncertainty gained per square root of a period without games, in points; 0 or more. Default 0: the source
    /// names surprise, not time, as what raises it.
    pub growth: f64,
}

impl Default for DotaMmrParams {
    fn default() -> Self {
        Self {
            initial_mmr: 2250.0,
            initial_uncertainty: 542.0,
            max_uncertainty: 542.0,
            floor: 200.0,
            step: 0.16,
            gain_below: 0.15,
            gain_above: 0.15,
            neutral_error: 0.75,
            performance_weight: 0.5,
            growth: 0.0,
        }
    }
}

impl DotaMmrParams {
    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<DotaMmr, ParamError> {
        within("initial_mmr", self.initial_mmr, RATINGS)?;
        within("floor", self.floor, 1e-3..=RATING_LIMIT)?;
        within("max_uncertainty", self.max_uncertainty, self.floor..=RATING_LIMIT)?;
        within(
            "initial_uncertainty",
            self.initial_uncertainty,
            self.floor..=self.max_uncertainty,
        )?;
        within("step", self.step, f64::MIN_POSITIVE..=10.0)?;
        within("gain_below", self.gain_below, 0.0..=0.99)?;
        within("gain_above", self.gain_above, 0.0..=100.0)?;
        within("neutral_error", self.neutral_error, 0.01..=0.99)?;
        within("performance_weight", self.performance_weight, 0.0..=1.0)?;
        within("growth", self.growth, AMOUNTS)?;
        Ok(DotaMmr::of(self))
    }
}

impl Tunable for DotaMmrParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("step", Scale::Factors(1e-3, 1.0), &mut self.step);
        turn("growth", Scale::FactorsOrZero(0.05, 500.0), &mut self.growth);
    }
}

impl SystemSettings for DotaMmrParams {
    fn points_per_log_odds(&self) -> f64 {
        probit(self.floor)
    }

    fn grows_with_time(&self) -> bool {
        self.growth > 0.0
    }

    fn team_skill(&self) -> TeamSkill {
        TeamSkill::Mean
    }
}
