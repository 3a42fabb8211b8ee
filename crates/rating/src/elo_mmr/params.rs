//! The settings of Elo-MMR.

use crate::draw::DrawChoice;
use crate::elo_mmr::EloMmr;
use crate::elo_mmr::rating::DEVIATIONS;
use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::SystemSettings;
use crate::tunable::{Scale, Tunable, newcomers};

/// The settings of [`EloMmr`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct EloMmrParams {
    /// A newcomer's rating. Default 1500.
    pub initial: f64,
    /// A newcomer's deviation, at least 1e-6 and at most `max_deviation`. Default 350.
    pub initial_deviation: f64,
    /// beta, the standard deviation of a performance around the skill, in points; from 1e-6 to 1e9. Default
    /// 80 sqrt(6) = 195.96: see [`with_limit`](Self::with_limit).
    pub beta: f64,
    /// gamma, the random-walk standard deviation of a skill in a game, in points; 0 or more. Default 80 sqrt(1/5) =
    /// 35.78. With 0 (here and per period) no performance is ever forgotten and ratings settle for good.
    pub gamma: f64,
    /// The random-walk standard deviation of a skill in one period without games, in points per square root of a period;
    /// 0 or more. Default 0.
    pub gamma_per_period: f64,
    /// rho, how much faster than the belief as a whole single performances are forgotten, in \[0, 1e3\]. Default 1. Near 0
    /// outliers are discounted for ever, at large values the belief turns normal after each game.
    pub rho: f64,
    /// Idle growth of the deviation stops here. Default 350. It does not limit `gamma`.
    pub max_deviation: f64,
    /// How many performances of a player are kept; the oldest beyond count as normal from then on. Default 30, of which
    /// the last weighs 3e-6 of the belief under the other defaults. With 0 the state is a rating and a deviation.
    pub max_history: u16,
    /// The paper's model knows draws only as results: this adds them to the predictions. Default Davidson's, with one draw
    /// in ten games of equals.
    pub draws: DrawChoice,
}

impl Default for EloMmrParams {
    fn default() -> Self {
        Self {
            initial: 1500.0,
            initial_deviation: 350.0,
            beta: 80.0 * 6.0_f64.sqrt(),
            gamma: 80.0 * 0.2_f64.sqrt(),
            gamma_per_period: 0.0,
            rho: 1.0,
            max_deviation: 350.0,
            max_history: 30,
            draws: DrawChoice::default(),
        }
    }
}

impl EloMmrParams {
    /// The same settings with the beta and gamma under which deviations tend to `deviation` points and a game is worth
    /// `weight` of all that was known before it.
    ///
    /// ```text
    /// gamma^2 = weight deviation^2          beta^2 = (1 + 1 / weight) deviation^2
    /// ```
    ///
    /// These are the limits that the authors' own program is set by, with 80 and 0.2 as its defaults and ours.
    #[must_use]
    pub fn with_limit(self, deviation: f64, weight: f64) -> Self {
        Self {
            beta: deviation * (1.0 + 1.0 / weight).sqrt(),
            gamma: deviation * weight.sqrt(),
            ..self
        }
    }

    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<EloMmr, ParamError> {
        within("initial", self.initial, RATINGS)?;
        within("max_deviation", self.max_deviation, DEVIATIONS)?;
        within(
            "initial_deviation",
            self.initial_deviation,
            *DEVIATIONS.start()..=self.max_deviation,
        )?;
        within("beta", self.beta, 1e-6..=RATING_LIMIT)?;
        within("gamma", self.gamma, AMOUNTS)?;
        within("gamma_per_period", self.gamma_per_period, AMOUNTS)?;
        within("rho", self.rho, 0.0..=1e3)?;
        Ok(EloMmr { params: self })
    }
}

impl Tunable for EloMmrParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        newcomers(turn, &mut self.initial_deviation, &mut self.max_deviation);
        turn("beta", Scale::Factors(5.0, 5000.0), &mut self.beta);
        turn("gamma", Scale::FactorsOrZero(0.05, 1000.0), &mut self.gamma);
        turn(
            "gamma_per_period",
            Scale::FactorsOrZero(0.05, 500.0),
            &mut self.gamma_per_period,
        );
        turn("rho", Scale::Factors(0.03, 100.0), &mut self.rho);
    }
}

impl SystemSettings for EloMmrParams {
    fn points_per_log_odds(&self) -> f64 {
        std::f64::consts::SQRT_2 * self.beta * 3.0_f64.sqrt() / std::f64::consts::PI
    }

    fn grows_with_time(&self) -> bool {
        self.gamma_per_period > 0.0
    }
}
