//! EOMM's edge: how much two players are expected to churn if they are matched.
//!
//! Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", 2017, section 3 (doi
//! 10.1145/3038912.3052559).

use crate::outcome::{ChurnByOutcome, OutcomeChances};
use crate::scorer::MatchScorer;

/// The directed part of an edge: how likely one player is to churn after the match, in \[0, 1\].
///
/// ```text
/// c_ij = P(W) c(s_i, W) + P(D) c(s_i, D) + P(L) c(s_i, L)       probabilities from i's view
/// ```
///
/// EOMM, eq. 5 for one player. In general `c_ij` is not `c_ji`: a match may please one side only.
///
/// ```
/// use matchwright_scoring::{ChurnByOutcome, OutcomeChances, expected_churn};
///
/// let chances = OutcomeChances::new(0.5, 0.25, 0.25)?;
/// assert_eq!(expected_churn(&chances, &ChurnByOutcome::new(0.25, 0.5, 0.75)?), 0.4375);
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[must_use]
pub fn expected_churn(chances: &OutcomeChances, own: &ChurnByOutcome) -> f64 {
    chances.win() * own.win() + chances.loss() * own.loss() + chances.draw() * own.draw()
}

/// EOMM's edge weight w between players i and j, in \[0, 2\]: the expected number of them that
/// churn.
///
/// ```text
/// w = sum over o of P(o) (c(s_i, o) + c(s_j, o reversed)) = c_ij + c_ji
/// ```
///
/// EOMM, eq. 4-6. `chances` are player i's. Symmetric to the last bit: swapping the players and
/// reversing the chances gives the same number. As a cost for a solver it is w; as a quality, 1 -
/// w/2. Cost: six products.
///
/// ```
/// use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge};
///
/// // Both leave after a loss only: in a match without draws exactly one of them does, the stronger or the weaker.
/// let sore = ChurnByOutcome::new(0.0, 0.0, 1.0)?;
/// assert_eq!(churn_edge(&OutcomeChances::new(0.5, 0.0, 0.5)?, &sore, &sore), 1.0);
/// assert_eq!(churn_edge(&OutcomeChances::new(0.9, 0.0, 0.1)?, &sore, &sore), 1.0);
/// // A draw keeps both.
/// assert_eq!(churn_edge(&OutcomeChances::new(0.25, 0.5, 0.25)?, &sore, &sore), 0.5);
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[must_use]
#[inline]
pub fn churn_edge(chances: &OutcomeChances, i: &ChurnByOutcome, j: &ChurnByOutcome) -> f64 {
    let decided = chances.win() * (i.win() + j.loss()) + chances.loss() * (i.loss() + j.win());
    // Win and loss first: their sum is the same from both sides, so the whole is.
    decided + chances.draw() * (i.draw() + j.draw())
}

/// EOMM as a scorer of pairs: quality = 1 - w/2 with w from [`churn_edge`]; a pair without chances is forbidden.
///
/// `chances(a, b)` are a's chances against b (EOMM, eq. 3: from skills alone), `churn(a)` is a's
/// churn after each outcome (eq. 2: from a's own state alone). Symmetric if `chances(b, a)` is
/// `chances(a, b)` reversed.
///
/// ```
/// use matchwright_scoring::{ChurnByOutcome, EommScorer, MatchScorer, OutcomeChances};
///
/// struct Player {
///     skill: f64,
///     churn: ChurnByOutcome,
/// }
///
/// let chances = |a: &Player, b: &Player| {
///     let p = 0.8 / (1.0 + 10_f64.powf((b.skill - a.skill) / 400.0));
///     OutcomeChances::new(p, 0.2, 0.8 - p).ok()
/// };
/// let eomm = EommScorer::new(chances, |player: &Player| player.churn);
///
/// // A player who leaves after a loss is better matched with a weaker one who does not mind.
/// let sore = |skill| Player { skill, churn: ChurnByOutcome::new(0.1, 0.2, 0.6).unwrap() };
/// let calm = |skill| Player { skill, churn: ChurnByOutcome::new(0.2, 0.2, 0.2).unwrap() };
/// assert!(eomm.quality(&(sore(1500.0), calm(1300.0))) > eomm.quality(&(sore(1500.0), calm(1500.0))));
/// ```
#[doc(alias("EOMM", "engagement optimized matchmaking"))]
#[derive(Debug, Clone, Copy)]
pub struct EommScorer<P, C> {
    chances: P,
    churn: C,
}

impl<P, C> EommScorer<P, C> {
    /// From the two models, as closures.
    pub const fn new(chances: P, churn: C) -> Self {
        Self { chances, churn }
    }

    /// The edge weight between `a` and `b`, in \[0, 2\]: the cost whose quality is 1 - w/2. `None` without chances.
    pub fn cost<A>(&self, a: &A, b: &A) -> Option<f64>
    where
        P: Fn(&A, &A) -> Option<OutcomeChances>,
        C: Fn(&A) -> ChurnByOutcome,
    {
        let chances = (self.chances)(a, b)?;
        Some(churn_edge(&chances, &(self.churn)(a), &(self.churn)(b)))
    }
}

impl<A, P, C> MatchScorer<(A, A)> for EommScorer<P, C>
where
    P: Fn(&A, &A) -> Option<OutcomeChances>,
    C: Fn(&A) -> ChurnByOutcome,
{
    fn quality(&self, candidate: &(A, A)) -> Option<f64> {
        // Chances may exceed a sum of 1 by their tolerance.
        Some((1.0 - 0.5 * self.cost(&candidate.0, &candidate.1)?).clamp(0.0, 1.0))
    }
}
