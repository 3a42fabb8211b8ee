//! Section 3.3 and the four methods: which pairings there are, which is best, and what finding it takes.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::eomm::Method;
use matchwright_sim::statistics::Summary;
use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, ExactPairing, GreedyPairing, Limits, Objective, Pairing,
    PairingSolver, Progress, SolveError, Workspace, verify,
};
use rand::{Rng, RngExt};

use super::pool::Pool;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new(
        "EOMM-Eq1",
        Exact(|inputs| least_sum(inputs, &ExactPairing::minimum())),
    ),
    Check::new("EOMM-paircount", Exact(|_| count(BruteForce::visit_pairings))),
    Check::new(
        "EOMM-O3",
        Exact(|inputs| growth(inputs, &ExactPairing::minimum())),
    ),
    Check::new(
        "EOMM-greedy",
        Exact(|inputs| greedy(inputs, &ExactPairing::minimum())),
    ),
    Check::new("EOMM-methods", Exact(|inputs| methods(inputs, Method::pair))),
    Check::new("EOMM-X6", Exact(|inputs| worst(inputs, Method::pair))),
];

/// What shows all pairings of some vertices.
pub(crate) type Enumerate = fn(usize, &mut dyn FnMut(&[usize])) -> Result<u64, SolveError>;
/// What pairs players by a method.
pub(crate) type Pair =
    fn(Method, &[f64], &dyn CostOracle, &mut dyn Rng, &mut Workspace) -> Result<Pairing, SolveError>;

fn uniform(vertices: usize, rng: &mut impl Rng) -> Result<DenseCosts> {
    Ok(DenseCosts::from_fn(vertices, |_, _| rng.random::<f64>())?)
}

pub(crate) fn least_sum(inputs: &EommInputs, solver: &dyn PairingSolver) -> Result<Finding> {
    const EACH: u64 = 40;
    let mut workspace = Workspace::new();
    let (mut graphs, mut proven, mut perfect) = (0, 0, true);
    let mut off = 0.0_f64;
    for vertices in [2_usize, 4, 6, 8, 10] {
        let mut rng = check_stream(inputs.seed, 10, vertices as u64);
        for k in 0..EACH {
            let costs = match k % 2 {
                0 => uniform(vertices, &mut rng)?,
                _ => Pool::draw(inputs, vertices, &mut rng)?.graph(inputs)?,
            };
            let ours = solver.solve_in(&mut workspace, &costs, &Limits::unlimited())?;
            let best = BruteForce::new(Objective::Minimize).solve_in(
                &mut workspace,
                &costs,
                &Limits::unlimited(),
            )?;
            deviate(&mut off, ours.cost(), best.cost());
            proven += u64::from(verify(&costs, &ours)?.optimal);
            perfect &= ours.pairs().count() == vertices / 2;
            perfect &= (0..vertices).all(|i| ours.mate(i).and_then(|mate| ours.mate(mate)) == Some(i));
            graphs += 1;
        }
    }
    Ok(Finding::new()
        .count("graphs", graphs)
        .count("proofs that hold", proven)
        .number("largest difference of sums", off, 15)
        .require(off <= 1e-12, "the least sum of all pairings")
        .require(perfect, "everybody is paired once")
        .require(proven == graphs, "each pairing has a proof"))
}

pub(crate) fn count(enumerate: Enumerate) -> Result<Finding> {
    let mut found = Finding::new();
    let (mut double_factorial, mut seed_is_wrong) = (1_u64, false);
    for players in (2_u32..=10).step_by(2) {
        double_factorial *= u64::from(players - 1);
        let mut seen = std::collections::BTreeSet::new();
        let counted = enumerate(players as usize, &mut |mates| {
            seen.insert(mates.to_vec());
        })?;
        let half = players / 2;
        let ways = (1..=half).fold(1.0, |product, k| product * f64::from(half + k) / f64::from(k));
        let printed = ways / 2_f64.powi(i32::try_from(half)?);
        seed_is_wrong |= printed != double_factorial as f64;
        found = found
            .count(format!("N = {players}:"), counted)
            .number("by the printed formula", printed, 2)
            .require(
                counted == double_factorial && seen.len() as u64 == counted,
                format!("{double_factorial} different pairings of {players}"),
            );
    }
    Ok(found.refutes_page(seed_is_wrong, "the printed formula gives other numbers"))
}

/// Costs that count how often they are asked for.
struct Counting<'a> {
    costs: &'a DenseCosts,
    reads: AtomicU64,
}

impl CostOracle for Counting<'_> {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.costs.cost(i, j)
    }
}

/// The slope of a least-squares line.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / n;
    let along = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y));
    along.sum::<f64>() / points.iter().map(|p| (p.0 - mean_x).powi(2)).sum::<f64>()
}

/// A graph of this many vertices, by the kind of its costs.
type Kind = fn(&EommInputs, usize, u64) -> Result<DenseCosts>;

const KINDS: [(&str, Kind); 5] = [
    ("EOMM", |inputs, vertices, k| {
        Pool::draw(inputs, vertices, &mut check_stream(inputs.seed, 11, k))?.graph(inputs)
    }),
    ("random", |inputs, vertices, k| {
        uniform(vertices, &mut check_stream(inputs.seed, 12, k))
    }),
    ("tied", |inputs, vertices, k| {
        let mut rng = check_stream(inputs.seed, 13, k);
        let cost = |_, _| f64::from(rng.random_range(0..10_u8));
        Ok(DenseCosts::from_fn(vertices, cost)?)
    }),
    ("odd groups", odd_groups),
    ("nests", |_, vertices, _| nests(vertices)),
];

/// Groups of three of groups of three and so on: blossoms within blossoms.
fn odd_groups(inputs: &EommInputs, vertices: usize, k: u64) -> Result<DenseCosts> {
    let mut rng = check_stream(inputs.seed, 14, k);
    let cost = |i: usize, j: usize| {
        let mut level = 1.0;
        let (mut i, mut j) = (i / 3, j / 3);
        while i != j {
            (level, i, j) = (3.0 * level, i / 3, j / 3);
        }
        level * (1.0 + 0.2 * rng.random::<f64>())
    };
    Ok(DenseCosts::from_fn(vertices, cost)?)
}

/// Two nests of odd sets, each around a centre, as deep as there is room: the next couple is reached from the centre at
/// the time 2k + 1 and closes a blossom around all before at 2k + 2. One dear edge joins the innermost sets; all
/// others are dearer by far.
fn nests(vertices: usize) -> Result<DenseCosts> {
    let levels = (vertices / 2 - 1) / 2;
    let size = 2 * levels + 1;
    let cost = |i: usize, j: usize| {
        let (i, j) = (i.min(j), i.max(j));
        if (i, j) == (2, size + 2) {
            return 1e6;
        }
        let (place, other) = (i % size, j % size);
        match (i / size == j / size, place, other) {
            (true, 0, odd) if odd % 2 == 1 => odd as f64,
            (true, 0, even) => (even + 1) as f64,
            (true, odd, even) if odd % 2 == 1 && even == odd + 1 => 0.0,
            _ => 1e9,
        }
    };
    Ok(DenseCosts::from_fn(2 * size, cost)?)
}

/// What a solve took: costs read, and units of work, which are trees grown and rows read.
struct Effort {
    reads: u64,
    work: u64,
}

fn effort(solver: &dyn PairingSolver, workspace: &mut Workspace, costs: &DenseCosts) -> Result<Effort> {
    let oracle = Counting {
        costs,
        reads: AtomicU64::new(0),
    };
    solver.solve_in(workspace, &oracle, &Limits::unlimited())?;
    let spent = AtomicU64::new(0);
    let watch = |progress: &Progress| {
        spent.fetch_max(progress.work, Ordering::Relaxed);
        0.0
    };
    let limits = Limits::unlimited().with_watch(&watch);
    solver.solve_in(workspace, costs, &limits)?;
    Ok(Effort {
        reads: oracle.reads.into_inner(),
        work: spent.into_inner().max(1),
    })
}

/// Operations alone, which do not depend on the machine.
pub(crate) fn growth(inputs: &EommInputs, solver: &dyn PairingSolver) -> Result<Finding> {
    const EACH: u64 = 3;
    let mut found = Finding::new();
    let mut workspace = Workspace::new();
    for (name, graph) in KINDS {
        let mut points = [const { Vec::new() }; 2];
        for vertices in [128_usize, 256, 512, 1024] {
            let mut least = [f64::INFINITY; 2];
            let mut n = 0.0;
            for k in 0..EACH {
                let costs = graph(inputs, vertices, k)?;
                n = costs.vertices() as f64;
                let Effort { reads, work } = effort(solver, &mut workspace, &costs)?;
                for (least, one) in least.iter_mut().zip([reads as f64, work as f64]) {
                    *least = smaller(*least, one);
                }
            }
            for (points, least) in points.iter_mut().zip(least) {
                points.push((n.ln(), least.ln()));
            }
        }
        let [reads, work] = points.map(|points| slope(&points));
        found = found
            .number(format!("{name}: costs read as N^"), reads, 2)
            .number("trees and rows as N^", work, 2)
            .require(reads <= 3.0, "costs read grow no steeper than N^3")
            .require(
                work <= 2.0,
                "trees and rows, each row N costs, grow no steeper than N^2",
            );
    }
    Ok(found)
}

/// Steps of greedy pairing: each of the N (N - 1) / 2 pairs is compared in a sort, then looked at once.
fn steps_of_greedy(vertices: usize) -> f64 {
    let pairs = (vertices * (vertices - 1) / 2) as f64;
    pairs * (pairs.log2() + 1.0)
}

/// Quicker by how steps grow where they grow fastest: those of the best pairing are its trees and rows, each row N costs, in
/// nests of blossoms as deep as the graph.
pub(crate) fn greedy(inputs: &EommInputs, solver: &dyn PairingSolver) -> Result<Finding> {
    const PLAYERS: usize = 300;
    let mut workspace = Workspace::new();
    let (mut gaps, mut least) = (Vec::new(), f64::MAX);
    for k in 0..10 {
        let costs = Pool::draw(inputs, PLAYERS, &mut check_stream(inputs.seed, 20, k))?.graph(inputs)?;
        let best = solver
            .solve_in(&mut workspace, &costs, &Limits::unlimited())?
            .cost();
        let greedy =
            GreedyPairing::new(Objective::Minimize).solve_in(&mut workspace, &costs, &Limits::unlimited())?;
        let gap = 100.0 * (greedy.cost() / best - 1.0);
        least = smaller(least, gap);
        gaps.push(gap);
    }
    let gap = Summary::of(gaps).estimate();
    let (mut exact, mut sorted) = (Vec::new(), Vec::new());
    for vertices in [128_usize, 256, 512, 1024] {
        let costs = nests(vertices)?;
        let n = costs.vertices();
        let steps = effort(solver, &mut workspace, &costs)?.work as f64 * n as f64;
        exact.push(((n as f64).ln(), steps.ln()));
        sorted.push(((n as f64).ln(), steps_of_greedy(n).ln()));
    }
    let [exact, sorted] = [exact, sorted].map(|points| slope(&points));
    Ok(Finding::new()
        .estimate(format!("gap to the best at P = {PLAYERS}, %,"), gap, 3)
        .number("in nests of blossoms steps to the best grow as N^", exact, 2)
        .number("those of greedy as N^", sorted, 2)
        .require(least >= -1e-10, "greedy is never below the best")
        .require(gap.mean > 4.0 * gap.standard_error, "greedy misses the best")
        .require(exact > sorted + 0.2, "the steps of greedy grow less"))
}

/// A pool of eight with what there is to compare with: all of its pairings' sums.
struct Small {
    skills: Vec<f64>,
    costs: DenseCosts,
    least: f64,
    largest: f64,
}

impl Small {
    const PLAYERS: usize = 8;

    fn draw(inputs: &EommInputs, check: u64, sample: u64) -> Result<Self> {
        let pool = Pool::draw(
            inputs,
            Self::PLAYERS,
            &mut check_stream(inputs.seed, check, sample),
        )?;
        let costs = pool.graph(inputs)?;
        let end = |objective| BruteForce::new(objective).solve(&costs);
        let (least, largest) = (end(Objective::Minimize)?.cost(), end(Objective::Maximize)?.cost());
        Ok(Self {
            skills: pool.skills(),
            costs,
            least,
            largest,
        })
    }

    fn pair(&self, pair: Pair, method: Method, rng: &mut impl Rng) -> Result<Pairing> {
        let workspace = &mut Workspace::new();
        Ok(pair(method, &self.skills, &self.costs, rng, workspace)?)
    }

    /// Whether partners are neighbours, once sorted by skill.
    fn are_neighbours(&self, pairing: &Pairing) -> bool {
        let mut order: Vec<usize> = (0..Self::PLAYERS).collect();
        order.sort_by(|&a, &b| self.skills[a].total_cmp(&self.skills[b]));
        order.chunks(2).all(|two| pairing.mate(two[0]) == Some(two[1]))
    }
}

pub(crate) fn methods(inputs: &EommInputs, pair: Pair) -> Result<Finding> {
    const POOLS: u64 = 50;
    const DRAWS: u32 = 3_000;
    let (mut neighbours, mut off) = (0, 0.0_f64);
    for k in 0..POOLS {
        let pool = Small::draw(inputs, 21, k)?;
        let mut rng = check_stream(inputs.seed, 22, k);
        let skill = pool.pair(pair, Method::Skill, &mut rng)?;
        neighbours += u64::from(pool.are_neighbours(&skill));
        let eomm = pool.pair(pair, Method::Eomm, &mut rng)?.cost();
        let worst = pool.pair(pair, Method::Worst, &mut rng)?.cost();
        deviate(&mut off, eomm, pool.least);
        deviate(&mut off, worst, pool.largest);
    }
    let four = DenseCosts::from_fn(4, |_, _| 1.0)?;
    let (mut rng, mut workspace) = (check_stream(inputs.seed, 23, 0), Workspace::new());
    let mut seen = [0_u32; 3];
    for _ in 0..DRAWS {
        let pairing = pair(Method::Random, &[0.0; 4], &four, &mut rng, &mut workspace)?;
        let count = pairing.mate(0).and_then(|mate| seen.get_mut(mate - 1));
        *count.context("a partner beyond the pool")? += 1;
    }
    let expected = f64::from(DRAWS) / 3.0;
    let squares = seen.map(|n| (f64::from(n) - expected).powi(2) / expected);
    let chi_square: f64 = squares.iter().sum();
    // Two degrees of freedom: an exponential tail.
    let p = (-0.5 * chi_square).exp();
    Ok(Finding::new()
        .count("pools", POOLS)
        .count("paired as neighbours by SkillMM", neighbours)
        .number("EOMM and WorstMM off the ends of all pairings by", off, 15)
        .number("RandomMM: p", p, 3)
        .require(neighbours == POOLS, "SkillMM pairs neighbours in skill")
        .require(off <= 1e-12, "EOMM has the least, WorstMM the largest sum")
        .require(p > 0.001, "RandomMM takes each pairing equally often"))
}

pub(crate) fn worst(inputs: &EommInputs, pair: Pair) -> Result<Finding> {
    const POOLS: u64 = 50;
    let (mut off, mut ahead) = (0.0_f64, f64::MAX);
    for k in 0..POOLS {
        let pool = Small::draw(inputs, 24, k)?;
        let mut rng = check_stream(inputs.seed, 25, k);
        let worst = pool.pair(pair, Method::Worst, &mut rng)?.cost();
        deviate(&mut off, worst, pool.largest);
        let eomm = pool.pair(pair, Method::Eomm, &mut rng)?.cost();
        ahead = smaller(ahead, worst - eomm);
    }
    Ok(Finding::new()
        .count("pools", POOLS)
        .number("off the largest sum by", off, 15)
        .number("least excess over EOMM's sum", ahead, 4)
        .require(off <= 1e-12, "WorstMM has the largest sum of churn")
        .completes_page(
            ahead > 1e-9,
            "the objective as printed in section 3.3, a sum of churn, has its minimum elsewhere",
        ))
}
