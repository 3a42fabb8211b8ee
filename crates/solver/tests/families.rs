//! Graphs of the sizes in use: published optima, proofs on the families, nested blossoms.

use std::io::Read;

use crate::common::{Edge, eomm, euclid, exact, proven, random_edges, rng, sparse, uniform};
use flate2::read::GzDecoder;
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, GreedyPairing, Limits, Objective, PairingSolver, SparseCosts,
    Workspace,
};
use rand::RngExt;

/// Reads `n m`, then `i j weight` a line.
fn read_graph(bytes: &[u8]) -> (usize, Vec<Edge>) {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace();
    let mut next = || numbers.next().unwrap().parse::<u32>().unwrap();
    let (n, m) = (next(), next());
    let edges = (0..m)
        .map(|_| (next() as usize, next() as usize, f64::from(next())))
        .collect();
    (n as usize, edges)
}

/// Optima on which at least 14 runs of different solvers agree.
#[test]
fn the_nine_published_optima_are_found_and_proven() {
    let Some(folder) = std::env::var_os("MATCHWRIGHT_INSTANCES") else {
        say("skipped: MATCHWRIGHT_INSTANCES is not set");
        return;
    };
    for (name, optimum) in [
        ("eomm-100-1", 49103462.0),
        ("eomm-100-2", 49883533.0),
        ("eomm-300-1", 151471638.0),
        ("uniform-100-1", 780638.0),
        ("uniform-100-2", 719439.0),
        ("uniform-300-1", 861836.0),
        ("euclid-100-1", 3161538.0),
        ("euclid-100-2", 3150360.0),
        ("euclid-300-1", 5451551.0),
    ] {
        let path = std::path::Path::new(&folder).join(format!("{name}.txt.gz"));
        let (n, edges) = read_graph(&std::fs::read(path).unwrap());
        let costs = SparseCosts::from_edges(n, edges).unwrap();
        let pairing = proven(Objective::Minimize, &costs);
        assert_eq!(pairing.cost(), optimum, "{name}");
        assert_eq!(pairing.certificate().unwrap().dual_bound(), optimum, "{name}");
        assert_eq!(pairing.certificate().unwrap().quantisation_error(), 0.0, "{name}");
    }
}

#[test]
fn every_family_is_proven_at_both_ends_of_the_scale() {
    for (n, seed) in [(50, 1), (100, 2), (150, 3), (200, 4)] {
        for costs in [eomm(n, seed), euclid(n, seed), uniform(n, seed)] {
            let least = proven(Objective::Minimize, &costs).cost();
            let most = proven(Objective::Maximize, &costs).cost();
            assert!(least < most);
        }
    }
}

#[test]
fn sparse_graphs_and_ties_are_proven() {
    let mut rng = rng(5);
    let mut proofs = 0;
    for round in 0..120 {
        let n = 2 * rng.random_range(25..=100);
        let density = [2.5, 4.0, 10.0, 40.0][round % 4] / n as f64;
        let range = [2, 4, 50, 100_000][round / 4 % 4];
        let edges = random_edges(&mut rng, n, density, |rng| f64::from(rng.random_range(0..range)));
        let costs = sparse(n, &edges);
        if exact(Objective::Minimize, &costs).is_ok() {
            let least = proven(Objective::Minimize, &costs).cost();
            assert!(least <= proven(Objective::Maximize, &costs).cost());
            proofs += 1;
        }
    }
    assert!(proofs > 50, "{proofs}");
}

/// Weights that reward closeness in a tree of groups of three: blossoms within blossoms within blossoms.
fn groups_of_three(seed: u64) -> DenseCosts {
    let mut rng = rng(seed);
    let level = |i: usize, j: usize| {
        [3, 9, 27]
            .iter()
            .position(|group| i / group == j / group)
            .unwrap_or(3)
    };
    let costs = DenseCosts::from_fn(54, |i, j| {
        f64::from([0, 10, 100, 1000][level(i, j)] + rng.random_range(0..=[2, 4, 20, 200][level(i, j)]))
    });
    costs.unwrap()
}

#[test]
fn blossoms_nest_and_come_apart_again() {
    let depths = (0..60).map(|seed| depth(&proven(Objective::Minimize, &groups_of_three(seed))));
    let deepest = depths.max();
    assert!(deepest >= Some(3), "{deepest:?}");
}

/// How many blossoms of the certificate lie around one vertex at most.
fn depth(pairing: &matchwright_solver::Pairing) -> usize {
    let mut depths: Vec<usize> = Vec::new();
    for blossom in pairing.certificate().unwrap().blossoms() {
        depths.push(1 + blossom.around.map_or(0, |around| depths[around]));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Two nests of odd sets around a centre each, joined by one dear edge between their innermost sets.
/// Growing from a centre, the next couple of vertices is reached at the time 2k + 1 and closes a blossom
/// around all before at 2k + 2.
#[test]
fn blossoms_as_deep_as_the_graph_do_not_overflow_the_stack() {
    let levels = 1000;
    let size = 2 * levels + 1;
    let mut edges = Vec::new();
    for centre in [0, size] {
        for k in 0..levels {
            let (a, b, time) = (centre + 2 * k + 1, centre + 2 * k + 2, (2 * k + 1) as f64);
            edges.extend([(a, b, 0.0), (centre, a, time), (centre, b, time + 2.0)]);
        }
    }
    edges.push((2, size + 2, 1e6));
    let pairing = proven(Objective::Minimize, &sparse(2 * size, &edges));
    // The dear edge takes both of the innermost couples apart: each centre plays its vertex 1.
    assert_eq!(pairing.cost(), 1e6 + 2.0);
    assert_eq!(depth(&pairing), levels);
}

/// On smooth costs, and on the nests above: what a certificate's documentation promises of its blossoms.
#[test]
fn blossoms_are_listed_once_from_the_outside_in() {
    let (mut nested, mut solved) = (0, 0);
    for seed in 0..20 {
        let mut rng = rng(seed);
        let ties = random_edges(&mut rng, 150, 0.04, |rng| f64::from(rng.random_range(0..3)));
        let graphs: [&dyn CostOracle; 4] = [
            &eomm(200, seed),
            &euclid(200, seed),
            &groups_of_three(seed),
            &sparse(150, &ties),
        ];
        for costs in graphs {
            let Ok(pairing) = exact(Objective::Minimize, costs) else {
                continue;
            };
            solved += 1;
            let certificate = pairing.certificate().unwrap();
            let blossoms = certificate.blossoms();
            let mut keys = Vec::new();
            let mut named = vec![false; pairing.vertices()];
            for (k, blossom) in blossoms.iter().enumerate() {
                assert!(blossom.dual > 0 && blossom.direct_vertices.is_sorted());
                for &v in &blossom.direct_vertices {
                    assert!(!std::mem::replace(&mut named[v], true));
                }
                let vertices = certificate.blossom_vertices(k);
                assert!(vertices.len() % 2 == 1 && vertices.is_sorted_by(|a, b| a < b));
                keys.push((vertices[0], std::cmp::Reverse(vertices.len())));
                if let Some(around) = blossom.around {
                    let outer = certificate.blossom_vertices(around);
                    assert!(around < k && outer.len() > vertices.len());
                    assert!(vertices.iter().all(|v| outer.contains(v)));
                    nested += 1;
                }
            }
            assert!(keys.is_sorted_by(|a, b| a < b));
        }
    }
    assert!(nested > 100 && solved > 70, "{nested} {solved}");
}

/// A path of even length has one pairing; its duals grow by twice the largest weight an edge.
fn path(n: usize, weight: impl Fn(usize) -> f64) -> SparseCosts {
    let edges: Vec<_> = (0..n - 1).map(|i| (i, i + 1, weight(i))).collect();
    sparse(n, &edges)
}

#[test]
fn duals_that_drift_beyond_64_bits_are_counted_in_128() {
    let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
    let costs = path(2000, |i| sign(i) + (i as f64) * 2.0_f64.powi(-52));
    let pairing = proven(Objective::Minimize, &costs);
    assert!(pairing.pairs().all(|(i, j)| i.is_multiple_of(2) && j == i + 1));
    assert_eq!(pairing.certificate().unwrap().quantisation_error(), 0.0);
}

#[test]
fn duals_that_drift_beyond_128_bits_make_the_resolution_coarser() {
    let costs = path(4000, |i| match i % 10 {
        5 => 2.0_f64.powi(-118),
        even if even.is_multiple_of(2) => 1.0,
        _ => -1.0,
    });
    let pairing = proven(Objective::Minimize, &costs);
    assert!(pairing.pairs().all(|(i, j)| i.is_multiple_of(2) && j == i + 1));
    let error = pairing.certificate().unwrap().quantisation_error();
    assert!(error > 0.0 && error < 1e-25, "{error}");
}

#[test]
fn greedy_never_beats_exact() {
    let mut workspace = Workspace::new();
    for seed in 0..30 {
        for costs in [eomm(40, seed), euclid(40, seed), uniform(40, seed)] {
            for objective in [Objective::Minimize, Objective::Maximize] {
                let greedy = GreedyPairing::new(objective)
                    .solve_in(&mut workspace, &costs, &Limits::unlimited())
                    .unwrap()
                    .cost();
                let best = ExactPairing::new(objective)
                    .solve_in(&mut workspace, &costs, &Limits::unlimited())
                    .unwrap()
                    .cost();
                let lead = objective.as_minimum(greedy) - objective.as_minimum(best);
                assert!(lead >= -1e-12, "{objective:?} {seed}");
                // Half of the largest sum, if weights are not negative.
                assert!(objective == Objective::Minimize || greedy >= best / 2.0);
            }
        }
    }
}

#[test]
fn a_workspace_used_before_changes_nothing() {
    let mut reused = Workspace::new();
    let large = euclid(60, 1);
    let small = sparse(8, &random_edges(&mut rng(3), 8, 0.7, rand::RngExt::random));
    let star = sparse(4, &[(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]);
    let graphs: [&dyn CostOracle; 5] = [&large, &small, &star, &large, &small];
    for costs in graphs {
        for objective in [Objective::Minimize, Objective::Maximize] {
            let again = ExactPairing::new(objective).solve_in(&mut reused, costs, &Limits::unlimited());
            assert_eq!(again, exact(objective, costs));
        }
    }
}

/// Past the capture of test output, so that the output of a test run says what was left out.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}
