//! Our work beside its peers', as ratios from one run on one machine.

mod criterion;
mod solver;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Benchmark {
    /// Exact pairing beside geometric-traits, mwmatching, rustworkx-core and LEMON: time, memory, scaling
    Solver(solver::Options),
    /// EOMM's pairing from duals learnt once, beside a start from nothing
    Policy,
    /// Two teams of a group, from five to fifty players each, beside trying all splits
    Teams,
    /// Rating updates beside skillratings
    Rating,
}

pub(crate) fn run(which: Option<Benchmark>) -> Result<()> {
    match which {
        Some(Benchmark::Solver(options)) => solver::run(&options),
        Some(Benchmark::Policy) => criterion::run("policy"),
        Some(Benchmark::Teams) => criterion::run("teams"),
        Some(Benchmark::Rating) => criterion::run("rating"),
        None => {
            solver::run(&solver::Options::default())?;
            criterion::run("policy")?;
            criterion::run("teams")?;
            criterion::run("rating")
        }
    }
}
