//! Our work beside its peers', as ratios from one run on one machine.

mod criterion;

use anyhow::Result;
use clap::Subcommand;

use crate::process::cargo;

#[derive(Subcommand)]
pub(crate) enum Benchmark {
    /// Exact pairing beside geometric-traits, mwmatching, rustworkx-core and LEMON: time, memory, scaling
    Solver {
        /// Handed on: see `cargo xtask bench solver -- --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Exact pairing within limits: proven gaps at a share of the work, and by how much deadlines are overrun
    Deadlines {
        /// Handed on: parts (gaps, overruns), --seeds FIRST LAST, --vertices
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Lobbies by the way of Awesomenauts beside ours, and what is proven of them; minutes, or hours with all seeds
    Lobbies {
        /// Handed on: parts (search, small, proof, bound, large, worlds, certified, deadlines, best-with), --seeds FIRST LAST, --port-seconds, --at-a-time, --players, --runs
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Two teams of a group, from five to fifty players each, beside trying all splits
    Teams,
    /// Rating updates beside skillratings: time a match, and how far the ratings are apart; CSV text to ratings
    Rating {
        /// Handed on: --matches, --players, --rounds, --seed
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// A store of ratings with a million duels: memory, file, saving, opening, changing the past
    Store {
        /// Handed on: --duels, --players, --rounds, --seed
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Forecasts of real matches beside those of skillratings, both tuned on the first four fifths; needs the real data
    Accuracy {
        /// Handed on: --all, --data PART
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Logistic regression beside scikit-learn's lbfgs, where Python has it
    Logistic {
        /// Handed on: worlds (independent, correlated, history), --rows, --columns, --runs, --seed, --python
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Bradley-Terry strengths of up to 50,000 players on ladders and other worlds, beside diagonal conjugate gradients
    BradleyTerry,
    /// Queues: what waiting and mismatch cost beside the best in hindsight, and events a second
    Queue {
        /// Handed on: parts (hindsight, slices, prices, policies, events, pairs, lobbies, worlds, teams, promises),
        /// --seeds FIRST LAST, --tickets, --worlds, --matches
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// The live service: durable tickets a second, how soon players are told, overload, memory, recovery
    Service {
        /// Handed on: parts (library, calls, told, slow-sync, overload, memory, recovery), --open, --seconds, --rate
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
}

pub(crate) fn run(which: Option<Benchmark>) -> Result<()> {
    match which {
        Some(Benchmark::Solver { options }) => solver(&options),
        Some(Benchmark::Deadlines { options }) => program("deadlines", &options),
        Some(Benchmark::Lobbies { options }) => program("lobbies", &options),
        Some(Benchmark::Teams) => criterion::run("teams"),
        Some(Benchmark::Rating { options }) => rating(&options),
        Some(Benchmark::Store { options }) => program("store", &options),
        Some(Benchmark::Accuracy { options }) => program("accuracy", &options),
        Some(Benchmark::Logistic { options }) => program("logistic", &options),
        Some(Benchmark::BradleyTerry) => program("bradley_terry", &[]),
        Some(Benchmark::Queue { options }) => program("queue", &options),
        Some(Benchmark::Service { options }) => program("service", &options),
        None => {
            solver(&[])?;
            program("deadlines", &[])?;
            program("lobbies", &[])?;
            criterion::run("teams")?;
            rating(&[])?;
            program("store", &[])?;
            program("accuracy", &[])?;
            program("logistic", &[])?;
            program("bradley_terry", &[])?;
            program("queue", &[])?;
            program("service", &[])
        }
    }
}

/// A program of its own, which starts every contender in a process of its own.
fn solver(options: &[String]) -> Result<()> {
    let race = cargo("run --release --quiet --package matchwright-benches --bin race --");
    race.args(options).run()
}

/// With the program, whose reading of CSV is measured.
fn rating(options: &[String]) -> Result<()> {
    cargo("build --release --quiet --package matchwright-cli --no-default-features").run()?;
    program("rating", options)
}

/// Whole runs, which need no sampling: the program prints its tables itself.
fn program(name: &str, options: &[String]) -> Result<()> {
    cargo("bench --package matchwright-benches --bench")
        .args([name, "--"])
        .args(options)
        .run()
}
