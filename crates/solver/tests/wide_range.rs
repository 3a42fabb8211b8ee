//! Costs of very different sizes, against every pairing tried in exact arithmetic.

use crate::common::{Edge, exact, random_edges, rng, sparse};
use matchwright_solver::{CostOracle, Objective, Pairing, SolveError, Verdict, verify};
use rand::RngExt;

const BOTH: [Objective; 2] = [Objective::Minimize, Objective::Maximize];

/// A number in units of 2^-110, as hi 2^80 + lo with 0 <= lo < 2^80: exact for all costs used here, and ordered
/// as the numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Exact {
    hi: i128,
    lo: i128,
}

impl Exact {
    const ZERO: Self = Self { hi: 0, lo: 0 };

    #[allow(clippy::cast_possible_truncation, reason = "integers of at most 90 bits")]
    fn parts(value: f64) -> (i128, f64) {
        let scaled = value * 2.0_f64.powi(30);
        (scaled.trunc() as i128, scaled.fract() * 2.0_f64.powi(80))
    }

    fn of(value: f64) -> Self {
        let (_, rest) = Self::parts(value);
        assert_eq!(rest.fract(), 0.0, "{value} has bits below 2^-110");
        Self::up(value)
    }

    /// Rounded up to the next unit.
    #[allow(clippy::cast_possible_truncation, reason = "an integer of at most 80 bits")]
    fn up(value: f64) -> Self {
        let (hi, rest) = Self::parts(value);
        Self::ZERO.plus(Self {
            hi,
            lo: rest.ceil() as i128,
        })
    }

    fn plus(self, other: Self) -> Self {
        let lo = self.lo + other.lo;
        Self {
            hi: self.hi + other.hi + lo.div_euclid(1 << 80),
            lo: lo.rem_euclid(1 << 80),
        }
    }

    fn minus(self, other: Self) -> f64 {
        (self.hi - other.hi) as f64 * 2.0_f64.powi(-30) + (self.lo - other.lo) as f64 * 2.0_f64.powi(-110)
    }
}

/// The least sum of `sign * cost` over all pairings.
fn least(n: usize, edges: &[Edge], sign: f64) -> Option<Exact> {
    fn extend(table: &[Vec<Option<Exact>>], free: u32) -> Option<Exact> {
        if free == 0 {
            return Some(Exact::ZERO);
        }
        let i = free.trailing_zeros() as usize;
        let later = (i + 1..table.len()).filter(|&j| free >> j & 1 == 1);
        let sums =
            later.filter_map(|j| Some(table[i][j]?.plus(extend(table, free & !(1 << i) & !(1 << j))?)));
        sums.min()
    }
    let mut table = vec![vec![None; n]; n];
    for &(i, j, cost) in edges {
        table[i][j] = Some(Exact::of(sign * cost));
    }
    extend(&table, (1 << n) - 1)
}

/// Solves, has it verified, and holds answer and verdict against all pairings. None if there is no pairing.
fn checked(n: usize, edges: &[Edge], objective: Objective) -> Option<(Pairing, Verdict)> {
    if let Some(best) = least(n, edges, objective.as_minimum(1.0)) {
        return Some(judged(n, edges, objective, best));
    }
    let error = exact(objective, &sparse(n, edges)).unwrap_err();
    assert!(matches!(error, SolveError::NoPerfectMatching(_)), "{error}");
    None
}

/// The same, knowing the `best` sum.
fn judged(n: usize, edges: &[Edge], objective: Objective, best: Exact) -> (Pairing, Verdict) {
    let (costs, sign) = (sparse(n, edges), objective.as_minimum(1.0));
    let pairing = exact(objective, &costs).unwrap();
    let verdict = verify(&costs, &pairing).unwrap();
    let matched = edges.iter().filter(|&&(i, j, _)| pairing.mate(i) == Some(j));
    let sum = matched
        .clone()
        .fold(Exact::ZERO, |sum, &(_, _, cost)| sum.plus(Exact::of(sign * cost)));
    let magnitude: f64 = matched.map(|(_, _, cost)| cost.abs()).sum();
    // The bound is on the right side of every pairing: of the best one, and of the cost as rounded.
    assert!(Exact::up(sign * verdict.dual_bound) <= best, "{edges:?}");
    assert!(sign * verdict.dual_bound <= sign * pairing.cost(), "{edges:?}");
    assert_eq!(
        (verdict.cost, verdict.gap),
        (pairing.cost(), (pairing.cost() - verdict.dual_bound).abs())
    );
    let stated = sign * pairing.certificate().unwrap().dual_bound();
    assert!(stated <= sign * verdict.dual_bound);
    let behind = sum.minus(best);
    if verdict.is_exact() {
        assert_eq!(sum, best, "{objective:?} {edges:?}");
    } else if verdict.optimal {
        assert!(behind <= 1e-12 * magnitude, "{objective:?} {behind} {edges:?}");
    }
    assert!(
        behind <= verdict.quantisation_error && behind <= verdict.gap,
        "{edges:?}"
    );
    (pairing, verdict)
}

#[test]
fn small_costs_beside_huge_ones_are_not_rounded_away() {
    let edges = [
        (0, 1, 0.24),
        (2, 3, 0.24),
        (0, 2, 0.22),
        (1, 3, 0.22),
        (0, 3, 1e15),
        (1, 2, 1e15),
    ];
    let (pairing, verdict) = checked(4, &edges, Objective::Minimize).unwrap();
    assert_eq!((pairing.cost(), verdict.is_exact()), (0.44, true));
    let edges = [
        (0, 1, 0.1),
        (2, 3, 1.0 / 3.0),
        (0, 2, 1e-17),
        (1, 3, 3e15),
        (0, 3, 0.2),
        (1, 2, 0.2),
    ];
    let (pairing, verdict) = checked(4, &edges, Objective::Minimize).unwrap();
    assert_eq!((pairing.cost(), verdict.optimal), (0.4, true));
}

#[test]
fn mixed_magnitudes_agree_with_every_pairing_tried() {
    let mut rng = rng(53);
    let (mut rounds, mut exactly, mut optimal) = ([0; 4], [0; 4], [0; 4]);
    for round in 0..4000 {
        let n = 2 * [2, 2, 3, 3, 4, 4, 5][rng.random_range(0..7)];
        let density = [0.5, 0.8, 1.0][rng.random_range(0..3)];
        let kind = round % 4;
        let edges = random_edges(&mut rng, n, density, |rng| match kind {
            0 if rng.random::<f64>() < 0.3 => 1e15,
            0 => f64::from(rng.random_range(0..1000)) / 1000.0,
            1 => [1e-17, 1e-9, 0.1, 1.0 / 3.0, 7.0, 1e9, 3e15][rng.random_range(0..7)],
            2 => f64::from(rng.random_range(-20..20)) / 10.0,
            _ => 10.0_f64.powi(rng.random_range(-8..15)) * f64::from(rng.random_range(-9..=9)) / 7.0,
        });
        for objective in BOTH {
            if let Some((_, verdict)) = checked(n, &edges, objective) {
                rounds[kind] += 1;
                exactly[kind] += usize::from(verdict.is_exact());
                optimal[kind] += usize::from(verdict.optimal);
            }
        }
    }
    // Kinds 1 and 3 may span more than 118 bits; only 1 has costs as small as what is lost then.
    assert!(rounds.iter().all(|&count| count > 1000), "{rounds:?}");
    assert_eq!(
        (exactly[0], exactly[2], optimal[3]),
        (rounds[0], rounds[2], rounds[3])
    );
    assert!(
        optimal[1] > rounds[1] * 9 / 10 && exactly[1] < rounds[1],
        "{rounds:?} {exactly:?} {optimal:?}"
    );
}

/// Forty vertices in four groups that may not meet, so that each can be tried on its own.
#[test]
fn on_larger_graphs_rounding_never_hides_more_than_is_said() {
    let mut rng = rng(54);
    let (mut exactly, mut rounded) = (0, 0);
    for round in 0..60 {
        let huge = if round % 2 == 0 { 1e15 } else { 1.0 };
        let groups: Vec<_> = (0..4)
            .map(|_| {
                random_edges(&mut rng, 10, 1.0, |rng| {
                    if rng.random::<f64>() < 0.3 {
                        huge
                    } else {
                        f64::from(rng.random_range(1..1000)) / 1000.0
                    }
                })
            })
            .collect();
        let edges: Vec<_> = groups
            .iter()
            .enumerate()
            .flat_map(|(k, edges)| {
                edges
                    .iter()
                    .map(move |&(i, j, cost)| (10 * k + i, 10 * k + j, cost))
            })
            .collect();
        for objective in BOTH {
            let sign = objective.as_minimum(1.0);
            let bests = groups.iter().map(|edges| least(10, edges, sign).unwrap());
            let best = bests.fold(Exact::ZERO, Exact::plus);
            let verdict = judged(40, &edges, objective, best).1;
            assert!(verdict.optimal);
            exactly += usize::from(verdict.is_exact());
            rounded += usize::from(!verdict.is_exact());
        }
    }
    assert!(exactly > 20 && rounded > 20, "{exactly} {rounded}");
}

#[test]
fn a_range_beyond_118_bits_is_not_called_optimal_where_that_matters() {
    let tiny = 2.0_f64.powi(-100);
    let edges = [
        (0, 1, 3.0 * tiny),
        (2, 3, tiny),
        (0, 2, tiny),
        (1, 3, tiny),
        (0, 3, 1e15),
        (1, 2, 1e15),
    ];
    let (_, verdict) = checked(4, &edges, Objective::Minimize).unwrap();
    assert!(!verdict.optimal && !verdict.is_exact() && verdict.quantisation_error >= 4.0 * tiny);
    // At the other end nothing that small matters.
    let (pairing, verdict) = checked(4, &edges, Objective::Maximize).unwrap();
    assert!(pairing.cost() == 2e15 && verdict.optimal && !verdict.is_exact());
}

/// Squares, each with two pairings that nearly tie, on a chain of links that are tempting but would leave an odd
/// number on either side: duals drift by four times the cost a square, beyond 64 bits.
#[test]
fn integers_near_two_to_the_53_on_a_chain_are_exact() {
    let mut rng = rng(2);
    for n in [40, 200] {
        for _ in 0..30 {
            let (mut edges, mut least, mut most) = (Vec::new(), 0, 0);
            for a in (0..n).step_by(4) {
                let sides = [(); 4].map(|()| (1_i64 << 53) - rng.random_range(0..10));
                edges.extend((0..4).map(|k| (a + k, a + (k + 1) % 4, sides[k] as f64)));
                edges.extend((a > 0).then(|| (a - 1, a, -(2.0_f64.powi(53)))));
                let sums = (sides[0] + sides[2], sides[1] + sides[3]);
                least += sums.0.min(sums.1);
                most += sums.0.max(sums.1);
            }
            for (objective, best) in BOTH.into_iter().zip([least, most]) {
                let costs = sparse(n, &edges);
                let pairing = exact(objective, &costs).unwrap();
                #[allow(clippy::cast_possible_truncation, reason = "integers below 2^54")]
                let sum = pairing
                    .pairs()
                    .filter_map(|(i, j)| costs.cost(i, j))
                    .map(|cost| cost as i64)
                    .sum::<i64>();
                assert_eq!(sum, best);
                assert!(verify(&costs, &pairing).unwrap().is_exact());
            }
        }
    }
}

/// A ladder's pairings are tilings by dominoes, whose best a recurrence finds.
#[test]
fn integers_near_two_to_the_53_on_a_ladder_are_exact() {
    let mut rng = rng(3);
    for _ in 0..100 {
        let columns = 20;
        let mut draw = || {
            let size: i64 = (1 << 53) - rng.random_range(0..1000);
            if rng.random() { size } else { -size }
        };
        let rungs: Vec<_> = (0..columns).map(|_| draw()).collect();
        let rails: Vec<_> = (1..columns).map(|_| [draw(), draw()]).collect();
        let mut edges: Vec<_> = (0..columns)
            .map(|k| (2 * k, 2 * k + 1, rungs[k] as f64))
            .collect();
        for (k, rail) in rails.iter().enumerate() {
            edges.extend([0, 1].map(|side| (2 * k + side, 2 * k + 2 + side, rail[side] as f64)));
        }
        for objective in BOTH {
            let better = |a: i64, b: i64| {
                if objective == Objective::Minimize {
                    a.min(b)
                } else {
                    a.max(b)
                }
            };
            let (mut before, mut best) = (0, rungs[0]);
            for k in 1..columns {
                let rail: i64 = rails[k - 1].iter().sum();
                (before, best) = (best, better(best + rungs[k], before + rail));
            }
            let costs = sparse(2 * columns, &edges);
            let pairing = exact(objective, &costs).unwrap();
            assert_eq!(pairing.cost(), best as f64);
            assert!(verify(&costs, &pairing).unwrap().is_exact());
        }
    }
}
