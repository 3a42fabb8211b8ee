//! [`BradleyTerryFit`]: fitted strengths with standard errors.

use super::connectivity::Connectivity;
use super::information::Information;
use super::newton::{Optimum, Problem};
use crate::sigmoid::logistic;

/// What moving first is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AdvantageEstimate {
    /// a, the log-odds of the first player between equals.
    pub log_odds: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Whether the data tell it from the strengths; if not, the prior alone made it finite.
    pub identified: bool,
}

/// Strengths fitted by [`BradleyTerry::fit`](crate::BradleyTerry::fit).
#[derive(Debug, Clone, PartialEq)]
pub struct BradleyTerryFit {
    problem: Problem,
    optimum: Optimum,
    connectivity: Connectivity,
    groups: Vec<Vec<usize>>,
    information: Information,
    advantage: Option<AdvantageEstimate>,
}

/// To which part of the right side linear equations are solved for standard errors.
const PRECISION: f64 = 1e-13;

impl BradleyTerryFit {
    pub(super) fn new(
        problem: Problem,
        optimum: Optimum,
        connectivity: Connectivity,
        groups: Vec<Vec<usize>>,
        identified: bool,
    ) -> Self {
        let information = problem.information(&optimum.unknowns, optimum.factored);
        let advantage = problem.with_advantage.then(|| {
            let mut unit = vec![0.0; problem.size()];
            unit[problem.players] = 1.0;
            let variance = problem.solve(&information, &unit, PRECISION)[problem.players];
            AdvantageEstimate {
                log_odds: optimum.unknowns[problem.players],
                standard_error: variance.max(0.0).sqrt(),
                identified,
            }
        });
        Self {
            problem,
            optimum,
            connectivity,
            groups,
            information,
            advantage,
        }
    }

    /// w, the natural logarithms of the strengths, by player; they sum to 0.
    ///
    /// 400 / ln 10 = 173.7 of Elo's points are one unit.
    #[must_use]
    pub fn log_strengths(&self) -> &[f64] {
        &self.optimum.unknowns[..self.problem.players]
    }

    /// P(i beats j), neither being first; `None` if there is no such player.
    #[must_use]
    pub fn win_probability(&self, i: usize, j: usize) -> Option<f64> {
        let strengths = self.log_strengths();
        Some(logistic(strengths.get(i)? - strengths.get(j)?))
    }

    /// P(first beats second) with the advantage of moving first, if one was estimated.
    #[must_use]
    pub fn home_win_probability(&self, first: usize, second: usize) -> Option<f64> {
        let strengths = self.log_strengths();
        let advantage = self.advantage.map_or(0.0, |advantage| advantage.log_odds);
        Some(logistic(
            strengths.get(first)? - strengths.get(second)? + advantage,
        ))
    }

    /// What moving first is worth; `None` if it was not asked for.
    #[must_use]
    pub const fn home_advantage(&self) -> Option<AdvantageEstimate> {
        self.advantage
    }

    /// How the comparisons hang together.
    #[must_use]
    pub const fn connectivity(&self) -> &Connectivity {
        &self.connectivity
    }

    /// The groups of players that results connect both ways, each in ascending order, no group after one that it
    /// scored against. Strengths within a group are told by the games; how far apart groups lie, by the prior too.
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// The precision of the prior, if one was used: on each player because it was asked for, or else on the mean of
    /// each of several [`groups`](Self::groups), and on an advantage that is not identified.
    #[must_use]
    pub fn prior_precision(&self) -> Option<f64> {
        self.problem.prior.precision()
    }

    /// ln of the probability of all results, a draw as half a win and half a loss; without the prior.
    #[must_use]
    pub fn log_likelihood(&self) -> f64 {
        self.problem.log_likelihood(&self.optimum.unknowns)
    }

    /// The certificate: the largest derivative of the log-likelihood (with the prior), in games. 0 at the optimum,
    /// where everybody scored as much as expected.
    #[must_use]
    pub const fn gradient_norm(&self) -> f64 {
        self.optimum.gradient
    }

    /// Newton steps until the tolerance was met.
    #[must_use]
    pub const fn steps(&self) -> u32 {
        self.optimum.steps
    }

    /// The standard errors of all log-strengths, measured from their mean: the roots of the diagonal of the
    /// observed information's inverse on strengths that sum to 0.
    ///
    /// With a prior its precision counts as information. The errors of two players are not independent: for
    /// "who is better" ask [`standard_error_of_difference`](Self::standard_error_of_difference).
    ///
    /// Cost: a third of n^3 multiplications and n^2 numbers of memory for n players: some seconds and 32 MB for
    /// 2,000.
    #[must_use]
    pub fn standard_errors(&self) -> Vec<f64> {
        let mut variances = self.problem.variances(&self.information);
        variances.truncate(self.problem.players);
        variances.into_iter().map(f64::sqrt).collect()
    }

    /// The standard error of `w_i - w_j`; `None` if there is no such player.
    ///
    /// Cost: some dozens of passes over the pairs that met, or over their factors on a ladder.
    #[must_use]
    pub fn standard_error_of_difference(&self, i: usize, j: usize) -> Option<f64> {
        let players = self.problem.players;
        if i >= players || j >= players {
            return None;
        }
        let mut right = vec![0.0; self.problem.size()];
        right[i] += 1.0;
        right[j] -= 1.0;
        let solution = self.problem.solve(&self.information, &right, PRECISION);
        Some((solution[i] - solution[j]).max(0.0).sqrt())
    }
}
