//! Oracles that lie in every way at random: a typed error or a pairing, never a panic, an endless loop or a
//! wrong answer with a proof.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod liar;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{euclid, rng};
use liar::{COSTS, Form, HINTS, Liar, Lie, VERTICES};
use matchwright_solver::{
    BruteForce, CostOracle, ExactPairing, GreedyPairing, Limits, LocalSearch, Objective, Pairing,
    PairingSolver, PathGrowing, RandomPairing, SolveError, SortAdjacent, UnmatchedPenalties, Workspace,
    dual_bound, verify, verify_bound,
};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// Every pairing of the true costs tried: the least or largest sum; `None` if there is none.
fn best(liar: &Liar, objective: Objective, taken: usize) -> Option<f64> {
    let Some(i) = (0..liar.n).find(|i| taken >> i & 1 == 0) else {
        return Some(0.0);
    };
    let partners = (i + 1..liar.n).filter(|j| taken >> j & 1 == 0);
    let sums = partners.filter_map(|j| {
        let cost = liar.true_cost(i, j)?;
        Some(cost + best(liar, objective, taken | 1 << i | 1 << j)?)
    });
    sums.min_by(|a, b| objective.as_minimum(*a).total_cmp(&objective.as_minimum(*b)))
}

/// Within rounding of sums, as far as they can be told.
fn is_best(liar: &Liar, objective: Objective, cost: f64) -> bool {
    let size = liar.magnitude();
    let best = best(liar, objective, 0);
    best.is_some_and(|best| !size.is_finite() || (cost - best).abs() <= 1e-12 * size)
}

/// Everyone has another partner, who has them.
fn is_matching(pairing: &Pairing) -> bool {
    let mates = pairing.mates();
    (0..mates.len()).all(|i| mates[i] != i && mates.get(mates[i]) == Some(&i))
}

/// Checks what may be said of an outcome.
fn examine(liar: &Liar, outcome: &Result<Pairing, SolveError>) {
    assert!(liar.was_patient(), "asked without end");
    match outcome {
        Ok(pairing) => {
            assert!(is_matching(pairing), "{:?}", pairing.mates());
            judge(liar, pairing);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The judge says something, and takes nothing wrong for proven.
fn judge(liar: &Liar, pairing: &Pairing) {
    let verdict = verify(liar, pairing);
    let objective = pairing.objective().unwrap_or_default();
    let certificate = pairing.certificate();
    let bound = certificate.map(|certificate| verify_bound(liar, objective, certificate));
    assert!(liar.was_patient(), "asked without end");
    if let Some(Err(error)) = bound {
        assert!(!error.to_string().is_empty());
    }
    match verdict {
        Ok(verdict) if verdict.optimal && liar.is_true_but_for_hints() && liar.n <= 10 => {
            assert!(
                is_best(liar, objective, verdict.cost),
                "{} is proven, and wrong",
                verdict.cost
            );
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// An honest oracle, whatever it offers, gets the optimum with its proof, or a barrier.
fn expect_truth(liar: &Liar, objective: Objective, outcome: &Result<Pairing, SolveError>) {
    match outcome {
        Ok(pairing) => {
            // Where some costs are lost beside others, an optimum need not be proven.
            let lossy = [Form::Extreme, Form::Wide].contains(&liar.form);
            assert!(verify(liar, pairing).unwrap().optimal || lossy);
        }
        Err(SolveError::NoPerfectMatching(_)) => {
            assert!(
                liar.n > 10 || best(liar, objective, 0).is_none(),
                "there is a pairing"
            );
        }
        Err(SolveError::SumOverflow { .. }) => assert_eq!(liar.form, Form::Extreme),
        Err(error) => panic!("{error}"),
    }
}

/// The exact solver in all its ways, and whether it gave a pairing.
fn try_exact(liar: &Liar, objective: Objective, workspace: &mut Workspace) -> bool {
    let solver = ExactPairing::new(objective);
    let outcome = solver.solve_in(workspace, liar, &Limits::unlimited());
    examine(liar, &outcome);
    if liar.is_honest() {
        expect_truth(liar, objective, &outcome);
    }
    let threads = solver
        .with_threads(2)
        .solve_in(workspace, liar, &Limits::unlimited());
    examine(liar, &threads);
    if liar.is_honest() {
        assert_eq!(threads, outcome);
    }
    let duals: Vec<_> = (0..liar.n)
        .map(|i| [f64::NAN, 1e300, -3.0, f64::NEG_INFINITY, 0.5][i % 5])
        .collect();
    let started = solver.solve_from(workspace, liar, &duals);
    examine(liar, &started);
    if liar.is_honest() {
        expect_truth(liar, objective, &started);
    }
    outcome.is_ok()
}

/// The other solvers, and the bound without one.
fn try_others(liar: &Liar, objective: Objective, workspace: &mut Workspace) {
    let solvers: [Box<dyn PairingSolver>; 6] = [
        Box::new(GreedyPairing::new(objective)),
        Box::new(BruteForce::new(objective)),
        Box::new(LocalSearch::new(objective)),
        Box::new(PathGrowing::new(objective)),
        Box::new(SortAdjacent::by_index()),
        Box::new(RandomPairing::new(liar.salt)),
    ];
    for solver in solvers {
        examine(liar, &solver.solve_in(workspace, liar, &Limits::unlimited()));
    }
    if let Ok(certificate) = dual_bound(liar, objective) {
        let bound = verify_bound(liar, objective, &certificate);
        if let (Ok(bound), true) = (bound, liar.is_true_but_for_hints() && liar.n <= 10) {
            let least = best(liar, objective, 0).map_or(f64::INFINITY, |best| objective.as_minimum(best));
            let size = liar.magnitude();
            let bound = objective.as_minimum(bound.dual_bound);
            assert!(
                !size.is_finite() || bound <= least + 1e-12 * size,
                "{bound} beyond {least}"
            );
        }
    }
    assert!(liar.was_patient(), "asked without end");
}

/// Stopped half way, whenever that is.
fn try_stopped(liar: &Liar, objective: Objective, workspace: &mut Workspace) {
    let mut looks = liar.salt % 12;
    let outcome = ExactPairing::new(objective).solve_while(workspace, liar, &mut |progress| {
        assert!(progress.vertices().count() <= liar.n + 3);
        looks = looks.saturating_sub(1);
        looks > 0
    });
    assert!(liar.was_patient(), "asked without end");
    match outcome {
        Ok(answer) => {
            assert!(is_matching(answer.pairing()), "{:?}", answer.pairing().mates());
            let bound = verify_bound(liar, objective, answer.certificate());
            assert!(bound.is_ok() || !liar.is_honest(), "{bound:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Vertices that may stay unmatched, at a penalty or as few as possible.
fn try_unmatched(liar: &Liar, objective: Objective, workspace: &mut Workspace) {
    let penalty = |i: usize| [0.5, 2.0, -1.0, 1e300, 0.0][(i + liar.n) % 5];
    let Ok(priced) = UnmatchedPenalties::new(liar, (0..liar.n).map(penalty).collect()) else {
        return;
    };
    for problem in [priced, UnmatchedPenalties::maximum_cardinality(liar)] {
        let found = ExactPairing::new(objective).solve_in(workspace, &problem, &Limits::unlimited());
        assert!(liar.was_patient(), "asked without end");
        match found {
            Ok(found) => {
                // What the judge thinks of a liar's matching is open.
                let verdict = verify(&problem, &found);
                assert!(verdict.is_ok() || !liar.is_honest(), "{verdict:?}");
                let mates = found.mates();
                assert!(
                    (0..mates.len()).all(|i| mates.get(mates[i]) == Some(&i)),
                    "{mates:?}"
                );
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Everything on one liar; then an honest graph in the same workspace, whose answer is known.
fn try_all(liar: &Liar, honest: &dyn CostOracle, claim: &Pairing, workspace: &mut Workspace) -> usize {
    let mut answered = 0;
    for objective in BOTH {
        answered += usize::from(try_exact(liar, objective, workspace));
        try_others(liar, objective, workspace);
        try_stopped(liar, objective, workspace);
        try_unmatched(liar, objective, workspace);
    }
    // A claim about other costs, which fits only by chance.
    if claim.vertices() == liar.n {
        judge(liar, claim);
    }
    let again = ExactPairing::minimum()
        .solve_in(workspace, honest, &Limits::unlimited())
        .unwrap();
    assert_eq!(&again, claim, "lies left something in the workspace");
    answered
}

/// Liars to try, by number, and how large they are.
struct Trial<'a> {
    numbers: std::ops::Range<u64>,
    sizes: std::ops::RangeInclusive<usize>,
    lies: &'a [Lie],
    forms: &'a [Form],
}

const ORDINARY: [Form; 5] = [
    Form::Integers,
    Form::Fractions,
    Form::Tiny,
    Form::Zeros,
    Form::Metric,
];

impl Trial<'_> {
    /// Runs all; what fails is named by its number and lies, behind what its panic said. The share of exact solves
    /// that gave a pairing.
    fn run(self) -> f64 {
        let honest = euclid(10, 1);
        let claim = ExactPairing::minimum().solve(&honest).unwrap();
        let mut workspace = Workspace::new();
        let (mut answered, mut failures) = (0, Vec::new());
        let all = 2 * (self.numbers.end - self.numbers.start);
        for number in self.numbers {
            let mut rng = rng(number);
            let n = rng.random_range(self.sizes.clone());
            let liar = Liar::draw(&mut rng, n, self.lies, self.forms);
            let attempt = AssertUnwindSafe(|| try_all(&liar, &honest, &claim, &mut workspace));
            if let Ok(solved) = catch_unwind(attempt) {
                answered += solved;
            } else {
                failures.push(format!(
                    "liar {number} of {n} vertices, {:?} {:?}",
                    liar.form, liar.lies
                ));
                workspace = Workspace::new();
            }
        }
        assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
        answered as f64 / all as f64
    }
}

#[test]
fn small_liars_get_a_typed_error_or_a_pairing_that_the_judge_can_tell() {
    let lies = [COSTS.as_slice(), &HINTS].concat();
    let answered = Trial {
        numbers: 0..10_000,
        sizes: 0..=10,
        lies: &lies,
        forms: &ORDINARY,
    };
    // The sample has some of each.
    assert!((0.1..0.9).contains(&answered.run()));
}

#[test]
fn larger_liars_get_one_too() {
    let lies = [COSTS.as_slice(), &HINTS].concat();
    let answered = Trial {
        numbers: 0..150,
        sizes: 11..=150,
        lies: &lies,
        forms: &ORDINARY,
    };
    assert!((0.1..0.9).contains(&answered.run()));
}

#[test]
fn hints_alone_that_lie_do_no_worse() {
    let answered = Trial {
        numbers: 20_000..24_000,
        sizes: 0..=10,
        lies: &HINTS,
        forms: &ORDINARY,
    };
    assert!((0.1..0.9).contains(&answered.run()));
}

#[test]
fn false_points_of_graphs_large_enough_for_them_do_no_worse() {
    let answered = Trial {
        numbers: 50_000..50_060,
        sizes: 96..=200,
        lies: &HINTS,
        forms: &[Form::Metric],
    };
    assert!((0.1..0.9).contains(&answered.run()));
}

/// Each hint by itself, where costs are read as they are needed.
#[test]
fn liars_too_large_for_a_matrix_get_one_too() {
    let (mut workspace, mut failures) = (Workspace::new(), Vec::new());
    for (number, lie) in (60_000..).zip(HINTS) {
        let mut rng = rng(number);
        let n = 2 * rng.random_range(1025..1040);
        let forms = [Form::Metric, Form::Integers, Form::Fractions];
        let mut liar = Liar::draw(&mut rng, n, &[lie], &forms);
        liar.lies = vec![lie];
        let objective = BOTH[usize::from(rng.random_ratio(1, 5))];
        let attempt = AssertUnwindSafe(|| {
            let outcome = ExactPairing::new(objective).with_threads(2).solve_in(
                &mut workspace,
                &liar,
                &Limits::unlimited(),
            );
            examine(&liar, &outcome);
        });
        if catch_unwind(attempt).is_err() {
            failures.push(format!("liar {number} of {n} vertices, {:?} {lie:?}", liar.form));
            workspace = Workspace::new();
        }
    }
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
}

#[test]
fn liars_about_the_number_of_vertices_get_one_too() {
    let lies = [VERTICES.as_slice(), &VERTICES, &COSTS, &HINTS].concat();
    let answered = Trial {
        numbers: 30_000..33_000,
        sizes: 0..=10,
        lies: &lies,
        forms: &ORDINARY,
    };
    assert!((0.1..0.9).contains(&answered.run()));
}

#[test]
fn costs_at_the_ends_of_the_floats_are_solved_or_refused() {
    let lies = [COSTS.as_slice(), &HINTS].concat();
    let answered = Trial {
        numbers: 40_000..43_000,
        sizes: 0..=10,
        lies: &lies,
        forms: &[Form::Extreme, Form::Wide],
    };
    assert!((0.1..0.9).contains(&answered.run()));
}
