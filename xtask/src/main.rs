//! Automation of matchwright, run as `cargo xtask <command>`: one place for everything that a
//! contributor or a continuous-integration job does to the workspace.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program talks to its user"
)]

mod bench;
mod changed;
mod checks;
mod downstream;
mod interface;
mod layers;
mod process;
mod rules;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use crate::process::{Process, cargo, workspace_root};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Automation of the matchwright workspace")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reproduce a document on generated players: its tables, figures and theory beside ours, as one page; without one EOMM,
    /// and then every scenario of examples/scenarios on three worlds
    #[command(
        after_help = "Examples:\n  cargo xtask reproduce\n  cargo xtask reproduce eomm --rounds 10000\n  \
                            cargo xtask reproduce dota\n  cargo xtask reproduce dominations --seed 2\n  \
                            cargo xtask reproduce awesomenauts\n  cargo xtask reproduce sc2\n  \
                            cargo xtask reproduce scenarios\n\n\
                            In parts, on several machines: `matchwright reproduce eomm --shard K/N`, then `matchwright merge`."
    )]
    Reproduce {
        /// Which document, or the scenarios [default: eomm and the scenarios]
        #[arg(value_parser = ["eomm", "dota", "dominations", "awesomenauts", "sc2", "scenarios"])]
        paper: Option<String>,
        /// eomm alone: rounds of matchmaking for each pool size (the paper: 10000) [default: 200]
        #[arg(long)]
        rounds: Option<u32>,
        /// Seed of everything random
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where to write [default: target/reproduce/PAPER]
        #[arg(long, requires = "paper")]
        out: Option<PathBuf>,
    },
    /// EOMM's study at the scale of its data: 36.9 million matches of 1.68 million players, generated, saved as Parquet,
    /// rated and studied (minutes on two cores, 3.5 GB of memory)
    Study {
        /// Rounds of matchmaking for each pool size (the paper: 10000)
        #[arg(long, default_value_t = 200)]
        rounds: u32,
        /// Where to write [default: target/study]
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Run every test: the workspace with all features, and the packages under tests/downstream
    #[command(after_help = "Examples:\n  cargo xtask test\n  cargo xtask test --deep\n  \
                            cargo xtask test --deep --graph large-nested:17\n  \
                            cargo xtask test --changed               # since main\n  \
                            cargo xtask test --changed HEAD~1")]
    Test {
        /// Instead, hold the exact solver against every pairing of 100,000 small graphs and against peers on 2,000
        /// larger ones (up to an hour), the readers against a million small files, and every policy to its laws (hours);
        /// all generated tests draw cases that no run had before
        #[arg(long)]
        deep: bool,
        /// One graph of the deep test, as it names them: written out, and made smaller if it fails
        #[arg(long, requires = "deep", value_name = "SIZE-KIND:NUMBER")]
        graph: Option<String>,
        /// Only what a change can have broken: the packages that differ from this commit, and those that depend on them
        #[arg(long, value_name = "COMMIT", num_args = 0..=1, default_missing_value = "main", conflicts_with = "deep")]
        changed: Option<String>,
    },
    /// All that a change must pass: format, clippy, layers, docs, packaging, tests
    Ci,
    /// Prove that the crates know each other only as ARCHITECTURE.md allows
    Layers,
    /// Write the public interface of each library to docs/interface, with nightly Rust and cargo-public-api
    Interface {
        /// Only fail where a text there is not what the sources say
        #[arg(long)]
        check: bool,
    },
    /// Check every claim of the five documents: `matchwright claims`, optimised
    #[command(after_help = "Examples:\n  cargo xtask claims --source eomm\n  \
                            cargo xtask claims --quick                  # under a minute: without the study\n  \
                            cargo xtask claims --deep                   # at full scale: hours\n  \
                            cargo xtask claims --only EOMM-Eq1,EOMM-X3  # these rows\n  \
                            cargo xtask claims --rounds 10000 --json    # as many rounds as the paper\n  \
                            cargo xtask claims --write                  # everything, and docs/claims.md anew\n  \
                            cargo xtask claims --source dota --write    # its rows of docs/claims.md alone")]
    Claims {
        /// Write docs/claims.md as well: all of it, or the rows that were checked
        #[arg(long)]
        write: bool,
        /// Handed on: see `matchwright claims --help`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Draw the pictures of docs/exact-pairing.md, from real solves
    Pictures,
    /// Benchmark against the peers, on the same inputs in one run, and print the ratios; all when none is named
    Bench {
        #[command(subcommand)]
        which: Option<bench::Benchmark>,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Reproduce {
            paper,
            rounds,
            seed,
            out,
        } => reproduce(paper.as_deref(), rounds, seed, out),
        Command::Study { rounds, out } => study(rounds, out),
        Command::Test {
            deep: true, graph, ..
        } => checks::deep(graph.as_deref()),
        Command::Test {
            changed: Some(since), ..
        } => changed::test(&since),
        Command::Test { .. } => test(),
        Command::Interface { check } => interface::run(check),
        Command::Ci => checks::ci(),
        Command::Layers => layers::check(),
        Command::Claims { write, options } => claims(write, &options),
        Command::Pictures => pictures(),
        Command::Bench { which } => bench::run(which),
    }
}

/// The main job goes through the command line that users have, so that what it proves holds for
/// them too.
fn reproduce(paper: Option<&str>, rounds: Option<u32>, seed: u64, out: Option<PathBuf>) -> Result<()> {
    match paper {
        None => {
            document("eomm", rounds, seed, None)?;
            scenarios(seed, None)
        }
        Some("scenarios") if rounds.is_none() => scenarios(seed, out),
        Some(paper) => document(paper, rounds, seed, out),
    }
}

/// Every scenario that the binary carries, small: its policies on the same three worlds, a page each.
fn scenarios(seed: u64, out: Option<PathBuf>) -> Result<()> {
    let out = out.unwrap_or_else(|| workspace_root().join("target/reproduce/scenarios"));
    let mut names = Vec::new();
    for entry in std::fs::read_dir(workspace_root().join("examples/scenarios"))? {
        names.extend(entry?.path().file_stem().map(std::ffi::OsStr::to_owned));
    }
    names.sort();
    for name in names {
        matchwright()
            .args(["simulate", "compare"])
            .arg(&name)
            .args(["--worlds", "3", "--seed", &seed.to_string(), "--out"])
            .arg(out.join(&name))
            .run()?;
    }
    Ok(())
}

fn document(paper: &str, rounds: Option<u32>, seed: u64, out: Option<PathBuf>) -> Result<()> {
    if paper != "eomm" && rounds.is_some() {
        bail!(
            "--rounds is the number of EOMM's rounds; `matchwright reproduce {paper} --help` has what {paper} takes"
        );
    }
    let out = out.unwrap_or_else(|| workspace_root().join("target/reproduce").join(paper));
    let rounds = (paper == "eomm").then(|| ["--rounds".to_owned(), rounds.unwrap_or(200).to_string()]);
    matchwright()
        .args(["reproduce", paper])
        .args(rounds.into_iter().flatten())
        .args(["--seed", &seed.to_string(), "--out"])
        .arg(&out)
        .run()
}

fn study(rounds: u32, out: Option<PathBuf>) -> Result<()> {
    let out = out.unwrap_or_else(|| workspace_root().join("target/study"));
    matchwright()
        .args([
            "study",
            "eomm",
            "--scale",
            "paper",
            "--rounds",
            &rounds.to_string(),
        ])
        .arg("--save-matches")
        .arg(out.join("matches.parquet"))
        .arg("--out")
        .arg(out.join("page"))
        .run()
}

fn claims(write: bool, options: &[String]) -> Result<()> {
    let page = write.then_some(["--write", "docs/claims.md"]);
    matchwright()
        .arg("claims")
        .args(page.into_iter().flatten())
        .args(options)
        .run()
}

/// The binary that users have, optimised, but for the live service, which none of the short names needs.
fn matchwright() -> Process {
    cargo("run --release --quiet --package matchwright-cli --no-default-features --")
}

fn pictures() -> Result<()> {
    cargo("run --quiet --package matchwright-solver --example pictures").run()
}

/// All tests, with generated cases that are the same each time; under `--deep` they are others.
pub(crate) fn test() -> Result<()> {
    workspace_tests().seeded(SEED).run()?;
    downstream::test_all()
}

/// What generated tests draw their cases from, unless the environment says otherwise.
pub(crate) const SEED: u64 = 1;

pub(crate) fn workspace_tests() -> Process {
    cargo("test --workspace --exclude matchwright-benches --all-features")
}
