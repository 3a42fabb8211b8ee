//! Pairing within limits: how far the proven gap is at half of the work, and by how much deadlines are overrun.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

use std::time::Instant;

use clap::{Parser, ValueEnum};
use matchwright_benches::{Family, SparseFamily};
use matchwright_solver::{
    BoundedPairing, CostOracle, ExactPairing, Limits, Objective, PairingSolver, Progress, Workspace,
    verify_bound_within,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[derive(Parser)]
struct Options {
    /// What to measure; all if not given
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// The first and the last seed, both included
    #[arg(long, num_args = 2, default_values_t = [1, 200])]
    seeds: Vec<u64>,
    /// Vertices of sparse graphs and points for `gaps`; complete graphs have a tenth
    #[arg(long, default_value_t = 20_000)]
    vertices: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Every family at a quarter, half and three quarters of the work: the gap that is claimed, and the true one
    Gaps,
    /// Random graphs of all families, with random deadlines of .05 to 2 s: seconds of pairing and verification
    Overruns,
}

fn main() {
    let options = Options::parse();
    let all = [Part::Gaps, Part::Overruns];
    let parts = if options.parts.is_empty() {
        &all[..]
    } else {
        &options.parts
    };
    for part in parts {
        match part {
            Part::Gaps => gaps(options.vertices, options.seeds[0]),
            Part::Overruns => overruns(options.seeds[0], options.seeds[1]),
        }
    }
}

/// A kind of graph.
#[derive(Clone, Copy)]
enum Kind {
    Complete(Family),
    Sparse(SparseFamily),
}

impl Kind {
    fn all() -> Vec<Self> {
        let complete = Family::ALL.into_iter().map(Self::Complete);
        complete
            .chain(
                SparseFamily::ALL
                    .into_iter()
                    .map(|(family, _)| Self::Sparse(family)),
            )
            .collect()
    }

    fn name(self) -> String {
        match self {
            Self::Complete(family) => family.to_string(),
            Self::Sparse(family) => {
                let all = SparseFamily::ALL.into_iter();
                let name = all.filter(|(other, _)| *other == family).map(|(_, name)| name);
                name.collect()
            }
        }
    }

    /// How many times fewer vertices make a graph of about the same work.
    fn scale(self) -> usize {
        match self {
            Self::Complete(Family::Euclid | Family::Clusters) | Self::Sparse(_) => 1,
            Self::Complete(_) => 10,
        }
    }

    fn graph(self, vertices: usize, seed: u64) -> Box<dyn CostOracle> {
        match self {
            Self::Complete(family) => family.implicit(vertices, seed).unwrap(),
            Self::Sparse(family) => Box::new(family.edges(vertices, seed).sparse().unwrap()),
        }
    }
}

fn within(graph: &dyn CostOracle, limits: &Limits<'_>) -> BoundedPairing {
    let solver = ExactPairing::minimum().with_time_for_looks(3);
    solver
        .approximate_within(&mut Workspace::new(), graph, limits)
        .unwrap()
}

fn gaps(vertices: usize, seed: u64) {
    println!("\n## At a share of the work\n");
    println!("| costs | vertices | share of work | claimed gap (%) | true gap (%) | share of time |");
    println!("|---|---:|---:|---:|---:|---:|");
    for kind in Kind::all() {
        let vertices = vertices / kind.scale();
        let graph = kind.graph(vertices, seed);
        let start = Instant::now();
        let best = ExactPairing::minimum().solve(&*graph).unwrap();
        let whole = start.elapsed().as_secs_f64();
        let counted = std::sync::atomic::AtomicU64::new(0);
        let count = |progress: &Progress| {
            counted.store(progress.work, std::sync::atomic::Ordering::Relaxed);
            0.0
        };
        within(&*graph, &Limits::unlimited().with_watch(&count));
        let work = counted.into_inner();
        for share in [0.25, 0.5, 0.75] {
            let start = Instant::now();
            let limit = (work as f64 * share) as u64;
            let early = within(&*graph, &Limits::unlimited().with_work(limit));
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "| {} | {vertices} | {share} | {:.3} | {:.3} | {:.2} |",
                kind.name(),
                100.0 * early.relative_gap(),
                100.0 * (early.pairing().cost() / best.cost() - 1.0),
                seconds / whole
            );
        }
    }
}

fn overruns(first: u64, last: u64) {
    println!("\n## Deadlines\n");
    println!("| seed | costs | vertices | deadline (s) | pairing (s) | verified (s) | gap (%) | kept |");
    println!("|---:|---|---:|---:|---:|---:|---:|---|");
    let mut late = 0;
    for seed in first..=last {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let kinds = Kind::all();
        let kind = kinds[random.random_range(0..kinds.len())];
        let vertices = 2 * ((250.0 * 80_f64.powf(random.random())) as usize / kind.scale());
        let deadline = 0.05 * 40_f64.powf(random.random());
        let graph = kind.graph(vertices, seed);
        let start = Instant::now();
        let watch = |_: &Progress| start.elapsed().as_secs_f64() / deadline;
        let limits = Limits::unlimited().with_watch(&watch);
        let found = within(&*graph, &limits);
        let paired = start.elapsed().as_secs_f64();
        let verified = verify_bound_within(&*graph, Objective::Minimize, found.certificate(), &limits);
        let seconds = start.elapsed().as_secs_f64();
        let is_kept = seconds <= (1.1 * deadline).max(deadline + 0.05);
        late += usize::from(!is_kept);
        println!(
            "| {seed} | {} | {vertices} | {deadline:.3} | {paired:.3} | {seconds:.3}{} | {:.2} | {} |",
            kind.name(),
            if verified.is_ok() { "" } else { " no" },
            100.0 * found.relative_gap(),
            if is_kept { "yes" } else { "no" }
        );
    }
    println!(
        "\n{late} of {} are late by more than 10 % and 50 ms.",
        last + 1 - first
    );
}
