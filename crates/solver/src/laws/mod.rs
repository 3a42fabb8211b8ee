//! The contracts of [`PairingSolver`] and [`CostOracle`] as suites that anyone can run on an implementation.
//!
//! ```
//! use matchwright_solver::laws::{Claims, check_all};
//! use matchwright_solver::{ExactPairing, GreedyPairing, Limits, Objective};
//!
//! check_all(&ExactPairing::minimum(), Claims::exact(Objective::Minimize), 1)?;
//! check_all(&GreedyPairing::new(Objective::Maximize), Claims::heuristic(), 1)?;
//! // Greedy is not exact, and the law says where.
//! let claims = Claims { exact: Some(Objective::Minimize), ..Claims::heuristic() };
//! assert!(check_all(&GreedyPairing::default(), claims, 1).is_err());
//! # Ok::<(), matchwright_solver::laws::LawViolation>(())
//! ```

mod forms;
mod graphs;
mod oracle;
mod violation;

pub use oracle::check_oracle;
pub use violation::{Law, LawViolation};

use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::limits::Limits;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::simple::BruteForce;
use crate::solver::{PairingSolver, Workspace};
use crate::verify::verify;
use graphs::Case;

/// What a solver promises beyond a perfect matching of allowed pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claims {
    /// Its pairings are optimal for this objective.
    pub exact: Option<Objective>,
    /// It finds a pairing whenever there is one; if false, it may fail on graphs with forbidden pairs.
    pub forbidden_pairs: bool,
}

impl Claims {
    /// Optimal on every graph that has a pairing.
    #[must_use]
    pub const fn exact(objective: Objective) -> Self {
        Self {
            exact: Some(objective),
            forbidden_pairs: true,
        }
    }

    /// Some pairing of every complete graph.
    #[must_use]
    pub const fn heuristic() -> Self {
        Self {
            exact: None,
            forbidden_pairs: false,
        }
    }
}

/// Checks every [`Law`] on a few hundred small graphs drawn from `seed`: complete and sparse, of even and
/// odd size, with ties, zeros, negative and large costs, with and without a perfect matching.
///
/// # Errors
/// The first [`LawViolation`], with its graph.
pub fn check_all(solver: &dyn PairingSolver, claims: Claims, seed: u64) -> Result<(), LawViolation> {
    let mut used = Workspace::new();
    for case in graphs::cases(seed) {
        let answer = solver.solve(&case.costs);
        match &answer {
            Ok(pairing) => check_pairing(&case, claims, pairing)?,
            Err(error) => check_refusal(&case, claims, error)?,
        }
        if solver.solve(&case.costs) != answer {
            return Err(case.violates(Law::Deterministic, "a second solve gave another answer"));
        }
        if solver.solve_in(&mut used, &case.costs, &Limits::unlimited()) != answer {
            return Err(case.violates(Law::WorkspaceIndependent, "a used workspace gave another answer"));
        }
    }
    Ok(())
}

fn check_pairing(case: &Case, claims: Claims, pairing: &Pairing) -> Result<(), LawViolation> {
    let (costs, mates) = (&case.costs, pairing.mates());
    let vertices = costs.vertices();
    if mates.len() != vertices {
        return Err(case.violates(Law::Perfect, format!("{} mates", mates.len())));
    }
    if let Some(i) = (0..vertices).find(|&i| mates[i] == i || mates[i] >= vertices) {
        return Err(case.violates(Law::Perfect, format!("vertex {i} has the mate {}", mates[i])));
    }
    if let Some(i) = (0..vertices).find(|&i| mates[mates[i]] != i) {
        return Err(case.violates(
            Law::Symmetric,
            format!("vertex {i} is not the mate of its mate {}", mates[i]),
        ));
    }
    let mut sum = 0.0;
    for (i, j) in pairing.pairs() {
        let forbidden = || case.violates(Law::Allowed, format!("the pair ({i}, {j}) is forbidden"));
        sum += costs.cost(i, j).ok_or_else(forbidden)?;
    }
    let cost = pairing.cost();
    let [least, most] = [Objective::Minimize, Objective::Maximize].map(|objective| optimum(case, objective));
    if !(least.is_some_and(|least| cost >= least) && most.is_some_and(|most| cost <= most)) {
        let range = format!("a cost of {cost}, but the least is {least:?} and the most {most:?}");
        return Err(case.violates(Law::WithinBruteForce, range));
    }
    if cost != sum {
        return Err(case.violates(
            Law::CostIsSum,
            format!("a cost of {cost}, but the pairs cost {sum}"),
        ));
    }
    if let Some(objective) = claims.exact {
        let best = if objective == Objective::Minimize {
            least
        } else {
            most
        };
        if best != Some(cost) {
            return Err(case.violates(
                Law::Optimal,
                format!("a cost of {cost}, but the best is {best:?}"),
            ));
        }
    }
    match verify(costs, pairing) {
        Ok(_) => Ok(()),
        Err(error) => Err(case.violates(Law::Certified, error.to_string())),
    }
}

/// A graph that the solver should have managed was refused.
fn check_refusal(case: &Case, claims: Claims, error: &SolveError) -> Result<(), LawViolation> {
    let expected = case.complete || claims.forbidden_pairs;
    if expected && optimum(case, Objective::Minimize).is_some() {
        return Err(case.violates(Law::Answers, error.to_string()));
    }
    Ok(())
}

fn optimum(case: &Case, objective: Objective) -> Option<f64> {
    BruteForce::new(objective)
        .solve(&case.costs)
        .ok()
        .map(|best| best.cost())
}
