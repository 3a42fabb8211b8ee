//! The settings of Weng and Lin's systems.

use crate::draw::DrawChoice;
use crate::error::{AMOUNTS, POSITIVE, ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::{SystemSettings, probit};
use crate::tunable::{Scale, Tunable};
use crate::weng_lin::WengLin;

/// Which model of a ranking the update follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum WengLinModel {
    /// Every side against every other, each pair by Bradley and Terry (the paper's algorithm 1). Quadratic
    /// in the number of sides, and so is what a game moves ratings by: in games of many sides they run away.
    BradleyTerryFull,
    /// Every side against those of its own and of the next places alone, by Bradley and Terry (algorithm 2). Linear in the
    /// number of sides, quadratic in those that share a place.
    BradleyTerryPartial,
    /// Every side against every other, each pair by Thurstone and Mosteller: normal performances (algorithm 3).
    ThurstoneMostellerFull,
    /// Pairs as in algorithm 2, each by Thurstone and Mosteller.
    ThurstoneMostellerPartial,
    /// The ranking as one choice after another of the best side left (algorithm 4). n ln n in the number of sides; for two
    /// sides it is Bradley and Terry's model to the last bit.
    #[default]
    PlackettLuce,
}

impl WengLinModel {
    pub(super) const fn is_partial(self) -> bool {
        matches!(self, Self::BradleyTerryPartial | Self::ThurstoneMostellerPartial)
    }

    /// Whether performances are normal rather than logistic.
    pub(super) const fn is_normal(self) -> bool {
        matches!(
            self,
            Self::ThurstoneMostellerFull | Self::ThurstoneMostellerPartial
        )
    }
}

/// gamma: how much of what a game says about sigma is believed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum WengLinGamma {
    /// `sigma_i / c`, the paper's choice for its algorithms: the surer of a side, the slower its sigma falls.
    #[default]
    Deviation,
    /// `1 / k` in a game of k sides, so that large games do not settle ratings at once.
    Sides,
    /// The same for every game, in \[0, 1\].
    Fixed(f64),
}

/// The settings of [`WengLin`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct WengLinParams {
    /// Default Plackett-Luce: in games of two sides that is Bradley-Terry.
    pub model: WengLinModel,
    /// A newcomer's mu. Default 25.
    pub initial_mu: f64,
    /// A newcomer's sigma, at most `max_sigma`. Default 25/3.
    pub initial_sigma: f64,
    /// beta, the uncertainty of one side's performance, in points; from 1e-6 to 1e9. Default 25/6. It is a
    /// side's, whatever the number of its members.
    pub beta: f64,
    /// epsilon, how much better than another a side must perform not to draw with it, in points; 0 or more. Default 0.1.
    /// Only the updates of Thurstone and Mosteller's models count it.
    pub draw_margin: f64,
    /// kappa, the least fraction of `sigma^2` that one game leaves, in (0, 1\]. Default 1e-4.
    pub kappa: f64,
    /// gamma. Default `sigma_i / c`.
    pub gamma: WengLinGamma,
    /// How far a skill wanders from one game to the next, in points; 0 or more. Default 0, as in the
    /// paper; then ratings settle for good.
    pub tau: f64,
    /// How far a skill wanders in one period without games, in points per square root of a period; 0 or
    /// more. Default 0.
    pub tau_per_period: f64,
    /// Idle growth of sigma stops here. Default 25/3. It does not limit `tau`.
    pub max_sigma: f64,
    /// The paper's models know no draws: this one adds them to the predictions. Default Davidson's, with
    /// one draw in ten games of equals.
    pub draws: DrawChoice,
}

impl Default for WengLinParams {
    fn default() -> Self {
        Self {
            model: WengLinModel::default(),
            initial_mu: 25.0,
            initial_sigma: 25.0 / 3.0,
            beta: 25.0 / 6.0,
            draw_margin: 0.1,
            kappa: 1e-4,
            gamma: WengLinGamma::default(),
            tau: 0.0,
            tau_per_period: 0.0,
            max_sigma: 25.0 / 3.0,
            draws: DrawChoice::default(),
        }
    }
}

impl WengLinParams {
    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<WengLin, ParamError> {
        within("initial_mu", self.initial_mu, RATINGS)?;
        within("max_sigma", self.max_sigma, POSITIVE)?;
        within("initial_sigma", self.initial_sigma, 0.0..=self.max_sigma)?;
        within("beta", self.beta, 1e-6..=RATING_LIMIT)?;
        within("draw_margin", self.draw_margin, AMOUNTS)?;
        within("kappa", self.kappa, f64::MIN_POSITIVE..=1.0)?;
        if let WengLinGamma::Fixed(gamma) = self.gamma {
            within("Fixed", gamma, 0.0..=1.0)?;
        }
        within("tau", self.tau, AMOUNTS)?;
        within("tau_per_period", self.tau_per_period, AMOUNTS)?;
        Ok(WengLin { params: self })
    }
}

impl Tunable for WengLinParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("beta", Scale::Factors(0.2, 100.0), &mut self.beta);
        turn("tau", Scale::FactorsOrZero(1e-3, 10.0), &mut self.tau);
        turn(
            "tau_per_period",
            Scale::FactorsOrZero(1e-3, 10.0),
            &mut self.tau_per_period,
        );
    }
}

impl SystemSettings for WengLinParams {
    fn points_per_log_odds(&self) -> f64 {
        if self.model.is_normal() {
            probit(self.beta)
        } else {
            std::f64::consts::SQRT_2 * self.beta
        }
    }

    fn grows_with_time(&self) -> bool {
        self.tau_per_period > 0.0
    }
}
