//! The exact solver against every pairing there is.

use crate::common::{random_edges, rng, sparse};
use matchwright_solver::{
    BruteForce, ExactPairing, Limits, Objective, PairingSolver, SolveError, Workspace, verify,
};
use rand::RngExt;

const KINDS: usize = 8;

/// One of the kinds of costs that have broken solvers before.
fn draw(kind: usize, rng: &mut rand_chacha::ChaCha8Rng) -> f64 {
    match kind {
        0 => rng.random(),
        1 => f64::from(rng.random_range(0..3)),
        2 => f64::from(rng.random_range(-5..=5)),
        3 => f64::from(rng.random_range(-1000..1000)) / 8.0,
        4 => 0.0,
        5 => (rng.random_range(0..2_000_000_000_000_000_i64) - 1_000_000_000_000_000) as f64,
        6 => 1e15 + f64::from(rng.random_range(0..4)),
        _ => 10.0_f64.powi(rng.random_range(-12..12)) * (rng.random::<f64>() - 0.5),
    }
}

#[test]
fn ten_thousand_random_graphs_agree_with_every_pairing_tried() {
    let mut rng = rng(20_170_403);
    let mut workspace = Workspace::new();
    let (mut solved, mut impossible, mut with_blossoms) = (0, 0, 0);
    for round in 0..10_000 {
        // Mostly small: twelve vertices have 10,395 pairings.
        let n = 2 * [1, 2, 3, 3, 4, 4, 5, 5, 5, 6][rng.random_range(0..10)];
        let density = [0.25, 0.4, 0.6, 0.8, 1.0][rng.random_range(0..5)];
        let kind = round % KINDS;
        let costs = sparse(n, &random_edges(&mut rng, n, density, |rng| draw(kind, rng)));
        for objective in [Objective::Minimize, Objective::Maximize] {
            let best = BruteForce::new(objective).solve_in(&mut workspace, &costs, &Limits::unlimited());
            let found = ExactPairing::new(objective).solve_in(&mut workspace, &costs, &Limits::unlimited());
            match (best, found) {
                (Ok(best), Ok(found)) => {
                    let verdict =
                        verify(&costs, &found).unwrap_or_else(|error| panic!("round {round}: {error}"));
                    assert!(verdict.optimal, "round {round}");
                    let allowed = verdict.quantisation_error + 1e-15 * best.cost().abs();
                    let worse = objective.as_minimum(found.cost()) - objective.as_minimum(best.cost());
                    assert!(
                        worse.abs() <= allowed,
                        "round {round}: {} for {}",
                        found.cost(),
                        best.cost()
                    );
                    assert!(kind == 7 || verdict.is_exact(), "round {round}");
                    with_blossoms += usize::from(!found.certificate().unwrap().blossoms().is_empty());
                    solved += 1;
                }
                (Err(SolveError::DeadEnd { .. }), Err(SolveError::NoPerfectMatching(_))) => impossible += 1,
                (best, found) => panic!("round {round}: {best:?} but {found:?}"),
            }
        }
    }
    // The sample has some of each.
    assert!(
        solved > 10_000 && impossible > 2_000 && with_blossoms > 300,
        "{solved} {impossible} {with_blossoms}"
    );
}
