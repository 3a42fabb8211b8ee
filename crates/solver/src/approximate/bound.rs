//! How far a pairing can be from the best, proven without finding it.

use crate::certificate::Certificate;
use crate::costs::{CostOracle, Counted};
use crate::error::SolveError;
use crate::exact::fractional_bound;
use crate::limits::{Limits, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// A bound on the cost of every pairing, from the optimal fractional matching: no pairing costs less (if minimised) or
/// more (if maximised) than [`Certificate::dual_bound`].
///
/// [`verify_bound`](crate::verify_bound) checks it as it checks an exact solver's. The certificate has no
/// blossoms, so the bound is at most that of fractional pairings, in which cycles of an odd number of
/// vertices may be paired by halves. How far that is from the optimum depends on the costs: next to nothing
/// where they are smooth in many properties of the players, as EOMM's, or independent; some percent where
/// they are distances in a plane; a third if they are gaps in one number, where all groups of three near
/// players want to be such cycles. The table of [`BoundedPairing`] has numbers.
///
/// It takes as long as the first half of an exact solve: samples, candidates, pricing, but no blossoms.
///
/// Vertices without an allowed pair, and an odd number of them, are no error: nothing is a pairing then, and
/// the bound holds for all.
///
/// # Errors
/// The oracle breaks its contract: [`SolveError::NotFinite`], [`SolveError::Asymmetric`],
/// [`SolveError::Contradiction`], [`SolveError::BadNeighbour`], [`SolveError::TooManyVertices`];
/// [`SolveError::Overflow`]; [`SolveError::SumOverflow`] if the bound is no float.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, Objective, PairingSolver, Workspace, dual_bound, verify_bound};
///
/// let costs = DenseCosts::from_fn(8, |i, j| ((3 * i + 5 * j) % 17) as f64)?;
/// let certificate = dual_bound(&costs, Objective::Minimize)?;
/// assert!(verify_bound(&costs, Objective::Minimize, &certificate).is_ok());
/// let best = ExactPairing::minimum().solve(&costs)?;
/// assert!(certificate.dual_bound() <= best.cost());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dual_bound(costs: &dyn CostOracle, objective: Objective) -> Result<Certificate, SolveError> {
    Ok(dual_bound_within(costs, objective, &Limits::unlimited())?.0)
}

/// As [`dual_bound`], within limits of work and time, and which of them ended it. Work is counted as by
/// [`ExactPairing::approximate_within`](crate::ExactPairing::approximate_within), whose end takes as long.
///
/// # Errors
/// As [`dual_bound`].
pub fn dual_bound_within(
    costs: &dyn CostOracle,
    objective: Objective,
    limits: &Limits<'_>,
) -> Result<(Certificate, Status), SolveError> {
    fractional_bound(&mut Workspace::new(), &Counted::new(costs)?, objective, limits)
}

/// A pairing, and a proof of how far from the best it can be.
///
/// Made by [`approximate`], [`ExactPairing::solve_while`](crate::ExactPairing::solve_while) and
/// [`approximate_within`](crate::ExactPairing::approximate_within).
///
/// # What to expect
/// The proven gap in percent of the cost, and in brackets by how many percent the cost truly exceeds the
/// least: medians of graphs with the seeds 1 to 5, default settings.
///
/// | costs | n | greedy | path growing | local search |
/// |---|---|---|---|---|
/// | eomm | 100 | 1.1 (1.1) | 1.3 (1.3) | 0.15 (0.15) |
/// | | 500 | 0.59 (0.55) | 0.77 (0.72) | 0.19 (0.15) |
/// | | 1,000 | 0.62 (0.45) | 0.74 (0.59) | 0.26 (0.18) |
/// | uniform | 100 | 65 (189) | 59 (145) | 22 (28) |
/// | | 500 | 72 (260) | 71 (246) | 30 (42) |
/// | | 1,000 | 76 (318) | 74 (284) | 38 (61) |
/// | euclid | 100 | 32 (32) | 30 (30) | 11 (0.4) |
/// | | 500 | 27 (28) | 33 (40) | 9.9 (5.3) |
/// | | 1,000 | 25 (26) | 34 (42) | 8.7 (3.5) |
/// | skill | 1,000 | 73 (164) | 53 (41) | 33 (0) |
///
///
/// eomm is the chance that one of a pair stops playing, from ratings, deviations and three churn chances;
/// uniform is drawn from 0 to 1 for each pair, euclid the distance of points drawn from the unit square,
/// skill that of numbers drawn from 0 to 1. The bound alone misses the optimum by less than 0.1 percent on eomm
/// and uniform, 5 to 10 on euclid and 30 on skill.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundedPairing {
    pairing: Pairing,
    objective: Objective,
    certificate: Certificate,
}

/// The pairing of any solver with a proven bound: how much might the best of all pairings save?
///
/// The bound is that of [`dual_bound`], or the pairing's own certificate if it comes with one. It is for the objective that the pairing is made for; one that is made for neither,
/// such as [`RandomPairing`](crate::RandomPairing)'s, is measured against the least sum.
///
/// # Errors
/// Those of the solver and of [`dual_bound`].
///
/// ```
/// use matchwright_solver::{DenseCosts, LocalSearch, Objective, SortAdjacent, Workspace, approximate};
///
/// let skill = |k: usize| ((k * k) % 101) as f64;
/// let costs = DenseCosts::from_fn(40, |i, j| 50.0 + (skill(i) - skill(j)).abs())?;
/// let mut workspace = Workspace::new();
/// let simple = approximate(&SortAdjacent::by_index(), &mut workspace, &costs)?;
/// let searched = approximate(&LocalSearch::new(Objective::Minimize), &mut workspace, &costs)?;
/// assert!(searched.gap() < simple.gap());
/// assert!(searched.relative_gap() < 0.03);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn approximate<S: PairingSolver + ?Sized>(
    solver: &S,
    workspace: &mut Workspace,
    costs: &dyn CostOracle,
) -> Result<BoundedPairing, SolveError> {
    let costs = &Counted::new(costs)?;
    let pairing = solver.solve_in(workspace, costs, &Limits::unlimited())?;
    let objective = pairing.objective().unwrap_or_default();
    let certificate = match pairing.certificate() {
        Some(own) => own.clone(),
        None => fractional_bound(workspace, costs, objective, &Limits::unlimited())?.0,
    };
    Ok(BoundedPairing {
        pairing,
        objective,
        certificate,
    })
}

impl BoundedPairing {
    /// A pairing and a bound for the same objective.
    pub(super) fn new(pairing: Pairing, objective: Objective, certificate: Certificate) -> Self {
        Self {
            pairing,
            objective,
            certificate,
        }
    }

    /// A pairing that comes with the proof that it is optimal.
    pub(crate) fn of_proven(pairing: Pairing, objective: Objective, certificate: Certificate) -> Self {
        Self::new(
            pairing.with_certificate(certificate.clone()),
            objective,
            certificate,
        )
    }

    /// The pairing.
    #[must_use]
    pub fn pairing(&self) -> &Pairing {
        &self.pairing
    }

    /// The pairing alone.
    #[must_use]
    pub fn into_pairing(self) -> Pairing {
        self.pairing
    }

    /// What the bound is for.
    #[must_use]
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The proof of the bound, for [`verify_bound`](crate::verify_bound). It is not the pairing's: for
    /// [`verify`](crate::verify()) the two would have to meet.
    #[must_use]
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// No pairing is better by more, in units of cost: cost less bound, or bound less cost if maximised.
    #[must_use]
    pub fn gap(&self) -> f64 {
        let bound = self.objective.as_minimum(self.certificate.dual_bound());
        self.objective.as_minimum(self.pairing.cost()) - bound
    }

    /// The [`gap`](Self::gap) as a part of the magnitude of the cost; 0 if there is none, infinite if only
    /// the cost is 0.
    #[must_use]
    pub fn relative_gap(&self) -> f64 {
        let gap = self.gap();
        if gap == 0.0 {
            0.0
        } else {
            gap / self.pairing.cost().abs()
        }
    }
}
