//! The settings of TrueSkill Through Time.

use super::ThroughTime;
use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::{SystemSettings, probit};
use crate::trueskill::TrueSkillParams;
use crate::tunable::{Scale, Tunable};

/// The settings of [`ThroughTime`], unchecked until [`build`](Self::build).
///
/// The defaults are TrueSkill's scale: skills from about 0 to 50. Where `initial_sigma` is a million times beta or
/// more, rounding can keep a fit from settling.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ThroughTimeParams {
    /// The mean of all skills before anyone played. Default 25.
    pub initial_mu: f64,
    /// The standard deviation of skills at a player's first game, in points; from 1e-6 to 1e9. Default 25/3.
    pub initial_sigma: f64,
    /// beta, the standard deviation of one player's performance around the skill, in points; from 1e-6
    /// to 1e9. Default 25/6. A player beta points better wins 76 % of the duels.
    pub beta: f64,
    /// gamma, how far a skill wanders in one rating period, in points per square root of a period; from 0 to
    /// 1e9. Default 25/300. 0: skills stay what they are, and games count alike whenever they were played.
    pub gamma: f64,
    /// How likely two equal sides draw, whose skills are known exactly; from 0 to below 1. Default 0.1.
    /// It must be above 0 where draws occur: a draw of probability 0 says that both performed alike to
    /// the last digit, and the log evidence is then minus infinity.
    pub draw_probability: f64,
    /// The fit ends after a sweep that moves no mean and no deviation of a skill by more than this, in units of
    /// that skill's deviation; from 1e-12 to 1e-2. Default 1e-8.
    pub tolerance: f64,
    /// Sweeps at most; 1 or more. Default 1000.
    pub max_sweeps: u32,
}

impl Default for ThroughTimeParams {
    fn default() -> Self {
        Self {
            initial_mu: 25.0,
            initial_sigma: 25.0 / 3.0,
            beta: 25.0 / 6.0,
            gamma: 25.0 / 300.0,
            draw_probability: 0.1,
            tolerance: 1e-8,
            max_sweeps: 1000,
        }
    }
}

impl ThroughTimeParams {
    /// The model, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<ThroughTime, ParamError> {
        within("initial_mu", self.initial_mu, RATINGS)?;
        within("initial_sigma", self.initial_sigma, 1e-6..=RATING_LIMIT)?;
        within("beta", self.beta, 1e-6..=RATING_LIMIT)?;
        within("gamma", self.gamma, AMOUNTS)?;
        within("draw_probability", self.draw_probability, 0.0..=1.0 - 1e-11)?;
        within("tolerance", self.tolerance, 1e-12..=1e-2)?;
        within(
            "max_sweeps",
            f64::from(self.max_sweeps),
            1.0..=f64::from(u32::MAX),
        )?;
        let system = TrueSkillParams {
            initial_mu: self.initial_mu,
            initial_sigma: self.initial_sigma,
            beta: self.beta,
            tau: 0.0,
            tau_per_period: self.gamma,
            max_sigma: RATING_LIMIT,
            draw_probability: self.draw_probability,
        }
        .build()?;
        Ok(ThroughTime { params: self, system })
    }
}

impl Tunable for ThroughTimeParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("beta", Scale::Factors(0.2, 100.0), &mut self.beta);
        turn("gamma", Scale::Factors(1e-3, 10.0), &mut self.gamma);
    }
}

impl SystemSettings for ThroughTimeParams {
    fn points_per_log_odds(&self) -> f64 {
        probit(self.beta)
    }

    fn grows_with_time(&self) -> bool {
        self.gamma > 0.0
    }

    fn can_draw(&self) -> bool {
        self.draw_probability > 0.0
    }
}
