//! Queues: what waiting and mismatch cost on generated logs of 1v1 tickets, and how many events a second they take.
//!
//! Whole runs, so nothing for a sampler of many short ones: every figure is one log.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

mod batches;
mod events;
mod files;
mod hindsight;
mod lobbies;
mod policies;
mod prices;
mod steps;
mod tickets;
mod worlds;

use clap::{Parser, ValueEnum};

#[derive(Parser)]
struct Options {
    /// What to measure; all if not given
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// The first and the last seed, both included
    #[arg(long, num_args = 2, default_values_t = [1, 10])]
    seeds: Vec<u64>,
    /// Tickets of each log of `hindsight` and `prices`
    #[arg(long, default_value_t = 20_000)]
    tickets: usize,
    /// Worlds of each setting of `policies`, 2 or more
    #[arg(long, default_value_t = 20)]
    worlds: u64,
    /// Players of a team in the tables of `policies`
    #[arg(long, num_args = 1.., default_values_t = [1, 3, 5])]
    sizes: Vec<usize>,
    /// Matches that `teams` makes
    #[arg(long, default_value_t = 140_000)]
    matches: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The hindsight optimum of logs at a steady and a swinging rate, a second of waiting worth 1 point or 4
    Hindsight,
    /// The same of 200,000 tickets in slices of 50,000: cost and bound
    Slices,
    /// Prices against the best of 98 widening windows in several worlds, paired by seed
    Prices,
    /// Every policy's cost and regret in 1v1, 3v3 and 5v5 with parties, the seeds' policies tuned on other worlds
    Policies,
    /// Events a second of pairs with a handshake, 10,000 and 100,000 waiting
    Events,
    /// How long steps of 256 creates take, 100,000 waiting, and the mismatch beside that of all pairs
    Batches,
    /// How long one round of 50 to 2,000 tickets takes
    Rounds,
    /// How much memory an hour of 5,000 creates a second takes
    Memory,
    /// A million events into files with 100,000 waiting, and how long opening them again takes
    Files,
    /// One step that has much to do: a resume, tickets alone under their keys, one whom nobody fits
    Steps,
    /// 10,000 tickets paired optimally within their windows
    Pairs,
    /// 5v5 with parties and the Dota policy, 10,000 waiting: events a second, the quality of its matches, and the time of a
    /// step, also after a pause
    Lobbies,
    /// A simulated day of 10,000 to a million players; an hour in which 100,000 wait at once
    Worlds,
    /// Simulated worlds of 5v5 with parties and the Dota policy, and the matches a second of the processor
    Teams,
    /// How many waits promised to 80 % are kept, in worlds with hours, patience, regions and teams
    Promises,
}

fn main() {
    let options = Options::parse();
    let all = Part::value_variants();
    let parts = if options.parts.is_empty() {
        all
    } else {
        &options.parts
    };
    for part in parts {
        match part {
            Part::Hindsight => hindsight::hindsight(&options),
            Part::Slices => hindsight::slices(&options),
            Part::Prices => prices::prices(&options),
            Part::Policies => policies::policies(&options),
            Part::Events => events::events(),
            Part::Batches => batches::batches(),
            Part::Rounds => batches::rounds(),
            Part::Memory => batches::memory(),
            Part::Files => files::files(),
            Part::Steps => steps::steps(),
            Part::Pairs => events::pairs(),
            Part::Lobbies => lobbies::lobbies(&options),
            Part::Worlds => worlds::worlds(),
            Part::Teams => worlds::teams(&options),
            Part::Promises => worlds::promises(),
        }
    }
}
