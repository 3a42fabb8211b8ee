//! Logistic regression of 1,000,000 rows and 60 columns beside scikit-learn's lbfgs: time to the same coefficients.
//!
//! Whole fits, timed by turns: ours with the check of its input, scikit-learn's `fit` on an array in memory.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

mod peer;
mod worlds;

use std::time::Instant;

use clap::{Parser, ValueEnum};
use matchwright_churn::{Dataset, LogisticFit, LogisticParams, LogisticSolver};
use matchwright_sim::statistics::quantile;

use peer::ScikitLearn;
use worlds::{Sample, World};

/// Of the largest component of the gradient, for both.
const TOLERANCES: [f64; 2] = [1e-4, 1e-8];
/// How far coefficients may be apart at the tighter tolerance.
const AGREEMENT: f64 = 1e-6;

#[derive(Parser)]
struct Options {
    /// Which generated rows; all if not given
    #[arg(value_enum)]
    worlds: Vec<World>,
    /// Rows of each world
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// Columns of each world
    #[arg(long, default_value_t = 60)]
    columns: usize,
    /// Runs of each fit; the tables show medians
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Of the generated rows
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The Python that has scikit-learn
    #[arg(long, default_value = "python3")]
    python: String,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let options = Options::parse();
    let worlds = if options.worlds.is_empty() {
        World::value_variants()
    } else {
        &options.worlds
    };
    println!(
        "Logistic regression, {} rows x {} columns, C = 1, median of {} runs, seconds",
        options.rows, options.columns, options.runs
    );
    for &world in worlds {
        let sample = world.generate(options.rows, options.columns, options.seed);
        match ScikitLearn::start(&options.python, &sample) {
            Ok(mut peer) => beside(world, &sample, &mut peer, &options),
            Err(reason) => alone(world, &sample, &reason, &options),
        }
    }
}

/// Both by turns.
fn beside(world: World, sample: &Sample, peer: &mut ScikitLearn, options: &Options) {
    println!(
        "\n{world:?}: {}; Newton's method beside {}",
        sample.summary(),
        peer.version()
    );
    println!(
        "tolerance  scikit-learn (iterations)    ours (iterations)  ratio  largest difference of a coefficient"
    );
    for tolerance in TOLERANCES {
        let (mut times, mut difference, mut steps) = ([vec![], vec![]], 0.0_f64, [0, 0]);
        for _ in 0..options.runs {
            let theirs = peer.fit(tolerance);
            let (seconds, fit) = ours(sample, LogisticSolver::Newton, tolerance);
            difference = difference.max(theirs.distance(&fit.model));
            steps = [theirs.iterations, fit.iterations];
            times[0].push(theirs.seconds);
            times[1].push(seconds);
        }
        let [theirs, ours] = times.map(median);
        println!(
            "{tolerance:>9.0e}  {theirs:>12.3} ({:>10})  {ours:>6.3} ({:>10})  {:>5.2}  {difference:.1e}",
            steps[0],
            steps[1],
            theirs / ours
        );
        assert!(
            tolerance > TOLERANCES[1] || difference <= AGREEMENT,
            "coefficients differ by {difference:.1e}: more than {AGREEMENT:.0e}"
        );
    }
}

/// Ours where there is no scikit-learn.
fn alone(world: World, sample: &Sample, reason: &str, options: &Options) {
    println!(
        "\n{world:?}: {}; scikit-learn did not take part: {reason}",
        sample.summary()
    );
    for solver in [LogisticSolver::Newton, LogisticSolver::Lbfgs] {
        for tolerance in TOLERANCES {
            let runs: Vec<(f64, LogisticFit)> = (0..options.runs)
                .map(|_| ours(sample, solver, tolerance))
                .collect();
            let times: Vec<f64> = runs.iter().map(|run| run.0).collect();
            let iterations = runs[0].1.iterations;
            println!(
                "{solver:?} {tolerance:.0e}: {:.3} ({iterations} iterations)",
                median(times)
            );
        }
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    quantile(&times, 0.5)
}

/// Seconds of a fit from rows in memory, and the fit.
fn ours(sample: &Sample, solver: LogisticSolver, tolerance: f64) -> (f64, LogisticFit) {
    let (names, rows, labels) = (sample.names(), sample.rows.clone(), sample.labels.clone());
    let regression = LogisticParams {
        solver,
        tolerance,
        standardize: false,
        ..LogisticParams::default()
    }
    .build()
    .unwrap();
    let start = Instant::now();
    let data = Dataset::new(names, rows, labels).unwrap();
    let fit = regression.fit(&data).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert!(fit.converged, "{solver:?} did not converge to {tolerance}");
    (seconds, fit)
}
