//! The settings of TrueSkill.

use crate::error::{AMOUNTS, POSITIVE, ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::normal::central_quantile;
use crate::registry::{SystemSettings, probit};
use crate::trueskill::TrueSkill;
use crate::tunable::{Scale, Tunable};

/// The settings of [`TrueSkill`], unchecked until [`build`](Self::build).
///
/// The defaults are the paper's scale: skills from about 0 to 50.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TrueSkillParams {
    /// A newcomer's mu. Default 25.
    pub initial_mu: f64,
    /// A newcomer's sigma, at most `max_sigma`. Default 25/3.
    pub initial_sigma: f64,
    /// beta, the standard deviation of one player's performance around the skill, in points; from 1e-6
    /// to 1e9. Default 25/6. A player beta points better wins 76 % of the duels. The more luck there is
    /// in the game, the larger.
    pub beta: f64,
    /// tau, how far a skill wanders from one game to the next, in points; 0 or more. Default 25/300.
    /// Its square is added to sigma^2 before every game. 0: ratings settle for good.
    pub tau: f64,
    /// How far a skill wanders in one period without games, in points per square root of a period; 0 or
    /// more. Default 0: TrueSkill counts games, not time.
    pub tau_per_period: f64,
    /// Idle growth of sigma stops here: a player of whom nothing is known any more. Default 25/3. It
    /// does not limit tau.
    pub max_sigma: f64,
    /// How likely two equal sides draw, whose skills are known exactly; from 0 to below 1. Default 0.1.
    /// It must be above 0 where draws occur: a draw of probability 0 says that both performed alike to
    /// the last digit.
    pub draw_probability: f64,
}

impl Default for TrueSkillParams {
    fn default() -> Self {
        Self {
            initial_mu: 25.0,
            initial_sigma: 25.0 / 3.0,
            beta: 25.0 / 6.0,
            tau: 25.0 / 300.0,
            tau_per_period: 0.0,
            max_sigma: 25.0 / 3.0,
            draw_probability: 0.1,
        }
    }
}

impl TrueSkillParams {
    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<TrueSkill, ParamError> {
        within("initial_mu", self.initial_mu, RATINGS)?;
        within("max_sigma", self.max_sigma, POSITIVE)?;
        within("initial_sigma", self.initial_sigma, 0.0..=self.max_sigma)?;
        within("beta", self.beta, 1e-6..=RATING_LIMIT)?;
        within("tau", self.tau, AMOUNTS)?;
        within("tau_per_period", self.tau_per_period, AMOUNTS)?;
        within("draw_probability", self.draw_probability, 0.0..=1.0 - 1e-11)?;
        let margin_per_root_player = self.beta * central_quantile(self.draw_probability);
        Ok(TrueSkill {
            params: self,
            margin_per_root_player,
        })
    }
}

impl Tunable for TrueSkillParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("beta", Scale::Factors(0.2, 100.0), &mut self.beta);
        turn("tau", Scale::FactorsOrZero(1e-3, 10.0), &mut self.tau);
        turn(
            "tau_per_period",
            Scale::FactorsOrZero(1e-3, 10.0),
            &mut self.tau_per_period,
        );
        // Without draws there is nothing to fit.
        if self.can_draw() {
            turn(
                "draw_probability",
                Scale::Factors(1e-4, 0.9),
                &mut self.draw_probability,
            );
        }
    }
}

impl SystemSettings for TrueSkillParams {
    fn points_per_log_odds(&self) -> f64 {
        probit(self.beta)
    }

    fn grows_with_time(&self) -> bool {
        self.tau_per_period > 0.0
    }

    fn can_draw(&self) -> bool {
        self.draw_probability > 0.0
    }
}
