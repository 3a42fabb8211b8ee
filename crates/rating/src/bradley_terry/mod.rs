//! Bradley and Terry's model by maximum likelihood: all strengths at once, from all games.

mod cholesky;
mod comparison;
mod connectivity;
mod fit;
mod information;
mod newton;
mod prior;

pub use comparison::{BradleyTerryError, Comparison};
pub use connectivity::Connectivity;
pub use fit::{AdvantageEstimate, BradleyTerryFit};

use crate::error::{ParamError, within};
use crate::registry::SystemSettings;
use crate::tunable::{Scale, Tunable};
use comparison::pairs;
use connectivity::{advantage_is_identified, connected_groups};
use newton::Problem;
use prior::{Prior, Spread};

/// When strengths are drawn towards each other by a prior.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BradleyTerryPrior {
    /// Only on what the data alone leave without a maximum: how far groups that are connected inside lie apart,
    /// and an advantage that cannot be told from strength.
    #[default]
    WhenNeeded,
    /// On every player, for any data, so that players of few games are not judged by luck.
    Always,
}

/// The settings of [`BradleyTerry`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BradleyTerryParams {
    /// When the prior is used. Default: when needed.
    pub prior: BradleyTerryPrior,
    /// lambda, the precision of the prior: what it is on (a group's mean, a player's log-strength, the advantage) is
    /// normal around 0 with variance 1 / lambda; from 1e-6 to 1e6. Default 0.1, a standard deviation of 3.2, which
    /// is 549 of Elo's points: who won all of 10 games against average players is put 3.4 above them, not
    /// infinitely.
    pub prior_precision: f64,
    /// Whether moving first (or playing at home) is worth something, to be estimated too. Default no.
    pub home_advantage: bool,
    /// Newton's method ends where no derivative of the log-likelihood exceeds this, times the sum of its terms without
    /// their signs (what a player's wins and losses were unexpected by, together); from 1e-14 to 1e-2. Default 1e-12.
    pub tolerance: f64,
    /// Newton steps at most; 1 or more. Default 100; ordinary data need 4 to 10.
    pub max_steps: u32,
}

impl Default for BradleyTerryParams {
    fn default() -> Self {
        Self {
            prior: BradleyTerryPrior::default(),
            prior_precision: 0.1,
            home_advantage: false,
            tolerance: 1e-12,
            max_steps: 100,
        }
    }
}

impl BradleyTerryParams {
    /// The model, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<BradleyTerry, ParamError> {
        within("prior_precision", self.prior_precision, 1e-6..=1e6)?;
        within("tolerance", self.tolerance, 1e-14..=1e-2)?;
        within("max_steps", f64::from(self.max_steps), 1.0..=f64::from(u32::MAX))?;
        Ok(BradleyTerry { params: self })
    }
}

impl Tunable for BradleyTerryParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        let before = self.prior_precision;
        turn(
            "prior_precision",
            Scale::Factors(1e-3, 1e3),
            &mut self.prior_precision,
        );
        // Else the prior would count only where no maximum exists.
        if self.prior_precision != before {
            self.prior = BradleyTerryPrior::Always;
        }
    }
}

impl SystemSettings for BradleyTerryParams {
    fn points_per_log_odds(&self) -> f64 {
        400.0 / std::f64::consts::LN_10
    }
}

/// Bradley and Terry's model: who has strength `r_i` beats who has `r_j` with probability
///
/// ```text
/// P(i beats j) = r_i / (r_i + r_j) = 1 / (1 + e^-(w_i - w_j)),    w = ln r, sum of w = 0
/// ```
///
/// Bradley and Terry, "Rank analysis of incomplete block designs: I. The method of paired comparisons",
/// Biometrika 39, 1952 (doi 10.2307/2334029); Zermelo 1929. It is logistic regression of the results on who
/// played, with weights w. A draw is half a win for each. With an advantage a of the first player the
/// difference is `w_i - w_j + a`.
///
/// It rates a closed list of players over games that are all alike: a tournament, a season, a set of judgments.
/// Unlike the systems that learn game by game it forgets nothing and does not depend on the order of games.
///
/// # When there is no maximum
/// The likelihood has a maximum only if results lead from everyone to everyone, see [`Connectivity`], and if the
/// advantage, where one is asked for, can be told from the strengths. Where not, the players fall into groups that
/// are connected inside ([`BradleyTerryFit::groups`]). Strengths within a group are told by the games alone; how far
/// apart the groups lie is not, and a normal prior draws the mean of each group towards that of all players:
///
/// ```text
/// maximise  log-likelihood - lambda / 2 * sum over groups g of (mean of w in g - mean of w)^2
/// ```
///
/// with lambda the [`prior_precision`](BradleyTerryParams::prior_precision). So a newcomer with a single game, won, is
/// a group of one, and leaves the others where their games put them. [`BradleyTerryFit::prior_precision`] says that
/// the prior was used, and [`BradleyTerryFit::connectivity`] why.
///
/// # Method
/// Newton's method on the concave log-likelihood, its linear equations by conjugate gradients over the pairs that met;
/// [`BradleyTerryFit::gradient_norm`] is the certificate. Where opponents are alike or drawn at random the gradients
/// take some dozens of iterations; where neighbours on a long ladder meet they are preconditioned by approximate
/// Cholesky factors of the graph (Kyng and Sachdeva 2016, doi 10.1109/FOCS.2016.68). Cost: 4 to 10 steps, each of
/// m ln m for m pairs that met; some seconds for 500,000 games of 50,000 players on a ladder. The same input gives the
/// same bits.
///
/// ```
/// use matchwright_rating::{BradleyTerryParams, Comparison, Score};
///
/// // Ann won 7 of 10 games against Bob, who won 6 of 8 against Cid.
/// let games = [
///     Comparison::new(0, 1, Score::WIN).times(7.0),
///     Comparison::new(0, 1, Score::LOSS).times(3.0),
///     Comparison::new(1, 2, Score::WIN).times(6.0),
///     Comparison::new(2, 1, Score::WIN).times(2.0),
/// ];
/// let fit = BradleyTerryParams::default().build()?.fit(3, &games)?;
/// assert!(fit.connectivity().is_connected() && fit.gradient_norm() < 1e-10);
/// // 7 : 3 times 6 : 2 are the odds of Ann against Cid.
/// let odds: f64 = 7.0 / 3.0 * 6.0 / 2.0;
/// assert!((fit.win_probability(0, 2).unwrap() - odds / (1.0 + odds)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BradleyTerry {
    params: BradleyTerryParams,
}

impl BradleyTerry {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &BradleyTerryParams {
        &self.params
    }

    /// The strengths of `players` under which `comparisons` are likeliest.
    ///
    /// Players are numbered from 0; who is in no comparison gets a component of its own.
    ///
    /// # Errors
    /// [`BradleyTerryError`] that says which comparison is wrong, or how far Newton's method was after the
    /// last step.
    pub fn fit(
        &self,
        players: usize,
        comparisons: &[Comparison],
    ) -> Result<BradleyTerryFit, BradleyTerryError> {
        let params = &self.params;
        let with_advantage = params.home_advantage;
        let pairs = pairs(players, comparisons, with_advantage)?;
        let connectivity = Connectivity::of(players, &pairs);
        let identified = !with_advantage || advantage_is_identified(players, &pairs);
        let groups = connected_groups(players, &pairs);
        let prior = match params.prior {
            BradleyTerryPrior::Always => Prior {
                precision: params.prior_precision,
                spread: Spread::Players,
                advantage: with_advantage,
            },
            BradleyTerryPrior::WhenNeeded => {
                Prior::on_groups(params.prior_precision, players, &groups, !identified)
            }
        };
        let problem = Problem {
            players,
            pairs,
            with_advantage,
            prior,
        };
        let optimum = problem.maximise(params.tolerance, params.max_steps)?;
        Ok(BradleyTerryFit::new(
            problem,
            optimum,
            connectivity,
            groups,
            identified,
        ))
    }
}
