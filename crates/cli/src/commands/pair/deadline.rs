//! The exact solver with a clock beside it.

use std::time::{Duration, Instant};

use matchwright_solver::{CostOracle, ExactPairing, Objective, Snapshot, Workspace, verify, verify_bound};

use super::solve::{Claim, Solved, rejected};
use crate::failure::Failure;

/// What came of a deadline.
pub(super) struct Met {
    /// Whether the solver was stopped.
    pub(super) reached: bool,
    /// No pairing is better by more.
    pub(super) gap: f64,
}

/// The best pairing that the exact solver finds in time, and how far from the optimum that can be. The clock starts
/// here; what is left to do when it has run down takes time as well.
pub(super) fn within(
    limit: Duration,
    check: bool,
    objective: Objective,
    graph: &dyn CostOracle,
    name: &str,
) -> Result<Solved, Failure> {
    let started = Instant::now();
    let mut reached = false;
    let mut in_time = |_: &Snapshot<'_>| {
        reached = started.elapsed() >= limit;
        !reached
    };
    let best = ExactPairing::new(objective)
        .solve_while(&mut Workspace::new(), graph, &mut in_time)
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let solve_seconds = started.elapsed().as_secs_f64();
    let (pairing, certificate) = (best.pairing(), best.certificate());
    let mut claim = Claim {
        dual_bound: certificate.dual_bound(),
        quantisation_error: certificate.quantisation_error(),
    };
    let started = Instant::now();
    let mut verdict = None;
    if check && reached {
        claim = verify_bound(graph, objective, certificate)
            .map_err(rejected)?
            .into();
    } else if check {
        verdict = Some(verify(graph, pairing).map_err(rejected)?);
    }
    Ok(Solved {
        cost: pairing.cost(),
        pairs: pairing.pairs().collect(),
        sitting_out: None,
        barrier: None,
        claim: Some(claim),
        measured: check && reached,
        verdict,
        deadline: Some(Met {
            reached,
            gap: best.gap(),
        }),
        solve_seconds,
        verify_seconds: check.then(|| started.elapsed().as_secs_f64()),
    })
}
