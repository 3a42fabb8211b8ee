//! The law suite passes our solvers and catches those that are wrong.

use std::sync::atomic::{AtomicU64, Ordering};

use matchwright_solver::laws::{Claims, Law, check_all, check_oracle};
use matchwright_solver::{
    BruteForce, Certificate, CostOracle, DenseCosts, ExactPairing, GreedyPairing, Objective, Pairing,
    PairingSolver, RandomPairing, SolveError, SortAdjacent, SparseCosts, Workspace,
};

#[test]
fn our_solvers_keep_what_they_claim() {
    for seed in 0..3 {
        for objective in [Objective::Minimize, Objective::Maximize] {
            check_all(&ExactPairing::new(objective), Claims::exact(objective), seed).unwrap();
            check_all(&BruteForce::new(objective), Claims::exact(objective), seed).unwrap();
            check_all(&GreedyPairing::new(objective), Claims::heuristic(), seed).unwrap();
        }
        check_all(&SortAdjacent::by_index(), Claims::heuristic(), seed).unwrap();
        check_all(&RandomPairing::new(seed), Claims::heuristic(), seed).unwrap();
    }
    let boxed: Box<dyn PairingSolver> = Box::new(ExactPairing::minimum());
    check_all(&boxed, Claims::exact(Objective::Minimize), 9).unwrap();
}

/// A solver made of a function.
struct Wrong<F>(F);

impl<F: Fn(&mut Workspace, &dyn CostOracle) -> Result<Pairing, SolveError>> PairingSolver for Wrong<F> {
    fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        (self.0)(workspace, costs)
    }
}

/// The law that a solver breaks, which claims to be an exact minimum if `exact`.
fn broken(
    exact: bool,
    solve: impl Fn(&mut Workspace, &dyn CostOracle) -> Result<Pairing, SolveError>,
) -> Option<Law> {
    let claims = if exact {
        Claims::exact(Objective::Minimize)
    } else {
        Claims::heuristic()
    };
    check_all(&Wrong(solve), claims, 4).err().map(|violation| {
        assert!(violation.to_string().contains(violation.graph()));
        violation.law()
    })
}

fn right(workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
    ExactPairing::minimum().solve(workspace, costs)
}

fn claim(mates: Vec<usize>, cost: f64) -> Pairing {
    Pairing::from_parts(mates, cost, None, None)
}

#[test]
fn the_right_one_breaks_none() {
    assert_eq!(broken(true, right), None);
}

#[test]
fn each_law_catches_who_breaks_it() {
    let alone = |_: &mut Workspace, costs: &dyn CostOracle| Ok(claim((0..costs.vertices()).collect(), 0.0));
    assert_eq!(broken(false, alone), Some(Law::Perfect));

    let short = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        right(workspace, costs).map(|pairing| claim(pairing.mates()[1..].to_vec(), pairing.cost()))
    };
    let short = move |workspace: &mut Workspace, costs: &dyn CostOracle| {
        if costs.vertices() < 2 {
            right(workspace, costs)
        } else {
            short(workspace, costs)
        }
    };
    assert_eq!(broken(false, short), Some(Law::Perfect));

    let round = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let n = costs.vertices();
        right(workspace, costs).map(|pairing| claim((0..n).map(|i| (i + 1) % n).collect(), pairing.cost()))
    };
    assert_eq!(broken(false, round), Some(Law::Symmetric));

    let forbidden = |_: &mut Workspace, costs: &dyn CostOracle| match costs.vertices() {
        n if n % 2 == 1 => Err(SolveError::OddVertices { vertices: n }),
        n => Ok(claim((0..n).map(|i| i ^ 1).collect(), 0.0)),
    };
    assert_eq!(broken(false, forbidden), Some(Law::Allowed));

    let boasts = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        right(workspace, costs).map(|pairing| claim(pairing.mates().to_vec(), pairing.cost() - 0.5))
    };
    assert_eq!(broken(false, boasts), Some(Law::WithinBruteForce));

    let understates = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let best = right(workspace, costs)?;
        let most = ExactPairing::maximum().solve(workspace, costs)?;
        Ok(claim(most.mates().to_vec(), best.cost()))
    };
    assert_eq!(broken(true, understates), Some(Law::CostIsSum));

    let greedy = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        GreedyPairing::default()
            .solve(workspace, costs)
            .or_else(|_| right(workspace, costs))
    };
    assert_eq!(broken(true, greedy), Some(Law::Optimal));

    let gives_up = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        GreedyPairing::default().solve(workspace, costs)?;
        right(workspace, costs)
    };
    assert_eq!(broken(true, gives_up), Some(Law::Answers));
    assert_eq!(broken(false, gives_up), None);

    let forged = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let pairing = right(workspace, costs)?;
        let mut parts = pairing.certificate().unwrap().clone().into_parts();
        parts.vertex_duals.iter_mut().for_each(|dual| *dual += 1);
        Ok(pairing.with_certificate(Certificate::from_parts(parts)))
    };
    assert_eq!(broken(true, forged), Some(Law::Certified));
}

#[test]
fn memory_of_earlier_solves_is_caught() {
    let calls = AtomicU64::new(0);
    let moody = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let even_first = |i: usize| if calls.load(Ordering::Relaxed).is_multiple_of(2) { i } else { i % 2 } as f64;
        let keys = (0..costs.vertices()).map(even_first).collect();
        calls.fetch_add(1, Ordering::Relaxed);
        SortAdjacent::by_keys(keys).solve(workspace, costs)
    };
    assert_eq!(broken(false, moody), Some(Law::Deterministic));

    // The contents of a workspace are private, but for its Debug output.
    let new = format!("{:?}", Workspace::new());
    let haunted = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let seed = u64::from(format!("{workspace:?}") != new);
        right(workspace, costs)?;
        RandomPairing::new(seed).solve(workspace, costs)
    };
    assert_eq!(broken(false, haunted), Some(Law::WorkspaceIndependent));
}

#[test]
fn our_graphs_keep_the_laws_of_oracles() {
    check_oracle(&DenseCosts::from_optional_fn(5, |i, j| (i + j != 4).then_some(1.5)).unwrap()).unwrap();
    check_oracle(&SparseCosts::from_edges(4, [(3, 0, 1.0), (1, 2, -2.0)]).unwrap()).unwrap();
    check_oracle(&Box::new(DenseCosts::default())).unwrap();
}

/// Costs by a function; neighbours as listed.
struct Oracle<F>(F, Option<Vec<(usize, f64)>>);

impl<F: Fn(usize, usize) -> Option<f64> + Sync> CostOracle for Oracle<F> {
    fn vertices(&self) -> usize {
        3
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (self.0)(i, j)
    }
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        match &self.1 {
            Some(list) => list.iter().for_each(|&(j, cost)| visit(j, cost)),
            None => (0..3).filter(|&j| j != i).for_each(|j| {
                if let Some(cost) = self.cost(i, j) {
                    visit(j, cost);
                }
            }),
        }
    }
}

#[test]
fn each_law_of_oracles_catches_who_breaks_it() {
    let law = |oracle: &dyn CostOracle| check_oracle(oracle).map_err(|violation| violation.law());
    assert_eq!(law(&Oracle(|_, _| Some(1.0), None)), Ok(()));
    assert_eq!(law(&Oracle(|_, _| Some(f64::NAN), None)), Err(Law::FiniteCosts));
    assert_eq!(
        law(&Oracle(|i, j| Some((2 * i + j) as f64), None)),
        Err(Law::SymmetricCosts)
    );
    for list in [
        vec![],
        vec![(1, 1.0)],
        vec![(1, 1.0), (2, 2.0)],
        vec![(1, 1.0), (1, 1.0), (2, 1.0)],
    ] {
        assert_eq!(law(&Oracle(|_, _| Some(1.0), Some(list))), Err(Law::Neighbours));
    }
}
