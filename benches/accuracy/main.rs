//! How well our systems forecast real matches beside those of the crate `skillratings`: system and parameters of both
//! are chosen on the first four fifths alone, the last fifth is forecast game by game.
//!
//! The loss is that of decided games, -ln(P(winner) / (P(win) + P(loss))). Both are tuned by the same search for the same
//! target, the forecasts of the second to the fourth quarter of the first part. Intervals are of a paired bootstrap.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may stop at the first surprise, and prints what it found"
)]

mod contexts;
mod data;
mod defaults;
mod peer;

use std::ops::Range;

use anyhow::Result;
use clap::Parser;
use data::Data;
use matchwright_rating::history::History;
use matchwright_rating::{DrawKind, RatingParams, Score, SystemName};
use matchwright_sim::progress::Quiet;
use matchwright_sim::rate::{LossDifference, decided_losses, evaluate_games, rate_games, tune_games};
use matchwright_sim::statistics::share_of;

/// The share of the games that systems and parameters are chosen on.
const LEARNT: f64 = 0.8;
/// Of these, the forecasts from here on count.
const COUNTED: f64 = 0.25;
/// Seed of the bootstrap.
const SEED: u64 = 1;

#[derive(Parser)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Options {
    /// Print every system, not only the chosen ones
    #[arg(long)]
    all: bool,
    /// Compare default parameters with others instead, on these matches and on generated populations
    #[arg(long)]
    defaults: bool,
    /// What ratings in contexts gain instead, on generated worlds and on these matches
    #[arg(long, conflicts_with = "defaults")]
    contexts: bool,
    /// Our systems, of which the best on the first part is taken
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "elo,scheduled-elo,glicko,glicko2,trueskill,weng-lin"
    )]
    systems: Vec<SystemName>,
    /// Data sets, by a part of their names
    #[arg(long)]
    data: Option<String>,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// The games whose forecasts are tuned.
fn counted(history: &History) -> Range<usize> {
    let end = share_of(history.len(), LEARNT);
    share_of(end, COUNTED)..end
}

/// -ln of the winner's probability; none of a draw.
fn loss(result: Score, first: f64) -> Option<f64> {
    let winner = match result {
        Score::WIN => first,
        Score::LOSS => 1.0 - first,
        _ => return None,
    };
    Some(-winner.max(1e-15).ln())
}

/// A system at its best parameters.
struct Ours {
    system: SystemName,
    learnt_loss: f64,
    evaluations: usize,
    losses: Vec<f64>,
    fitted: Vec<(&'static str, f64)>,
}

fn ours(systems: &[SystemName], history: &History) -> Result<Vec<Ours>> {
    systems
        .iter()
        .map(|&system| {
            let found = tune_games(&RatingParams::of(system), history, LEARNT, &Quiet)?;
            let rated = rate_games(&found.params, history, LEARNT, &[])?;
            let draws = DrawKind::default();
            let (_, forecasts) = evaluate_games(history, &rated.predictions, &rated.pairs, LEARNT, draws)?;
            Ok(Ours {
                system,
                learnt_loss: found.log_loss[1],
                evaluations: found.passes,
                losses: decided_losses(&forecasts[counted(history).end..]),
                fitted: found.fitted,
            })
        })
        .collect()
}

fn mean(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len() as f64
}

/// Prints the row of a data set, and gives the rows of all its systems.
fn compare(data: &Data, systems: &[SystemName]) -> Result<Vec<String>> {
    let (ours, peers) = (ours(systems, &data.history)?, peer::tuned(&data.history));
    let best = ours
        .iter()
        .min_by(|a, b| a.learnt_loss.total_cmp(&b.learnt_loss))
        .unwrap();
    let peer = peers
        .iter()
        .min_by(|a, b| a.learnt_loss.total_cmp(&b.learnt_loss))
        .unwrap();
    let apart = LossDifference::between(&best.losses, &peer.losses, SEED).unwrap();
    println!(
        "| {} | {} | {:.4} | {:.4} | {} | {:.4} | {:+.4}, {:+.4} to {:+.4} | {} and {} |",
        data.name,
        best.system.name(),
        mean(&best.losses),
        data.published,
        peer.name,
        mean(&peer.losses),
        apart.mean,
        apart.low,
        apart.high,
        ours.iter().map(|one| one.evaluations).sum::<usize>(),
        peers.iter().map(|one| one.evaluations).sum::<usize>(),
    );
    let of_ours = ours.iter().map(|one| {
        let fitted = one
            .fitted
            .iter()
            .map(|(name, value)| format!("{name} {value:.4}"));
        let fitted = fitted.collect::<Vec<_>>().join(", ");
        row(
            data,
            one.system.name(),
            one.learnt_loss,
            (&one.losses, one.evaluations),
            &fitted,
        )
    });
    let of_peers = peers.iter().map(|one| {
        let name = format!("skillratings {}", one.name);
        row(data, &name, one.learnt_loss, (&one.losses, one.evaluations), "")
    });
    Ok(of_ours.chain(of_peers).collect())
}

fn row(
    data: &Data,
    name: &str,
    learnt_loss: f64,
    (losses, evaluations): (&[f64], usize),
    fitted: &str,
) -> String {
    let (data, loss) = (data.name, mean(losses));
    format!("| {data} | {name} | {learnt_loss:.4} | {loss:.4} | {evaluations} | {fitted} |")
}

fn main() -> Result<()> {
    let options = Options::parse();
    let Some(folder) = std::env::var_os("MATCHWRIGHT_DATA") else {
        println!("skipped: MATCHWRIGHT_DATA is not set, so there are no real matches to forecast");
        return Ok(());
    };
    let mut data = data::read(folder.as_ref())?;
    if let Some(part) = &options.data {
        data.retain(|data| data.name.contains(part.as_str()));
    }
    if options.defaults {
        return defaults::print(data);
    }
    if options.contexts {
        return contexts::print(data, &options.systems);
    }
    println!("## Forecasts: log loss of the decided games of the last fifth\n");
    println!(
        "| matches | ours | log loss | published baseline | skillratings, tuned | log loss | difference, 95 % | evaluations |"
    );
    println!("|---|---|---:|---:|---|---:|---|---|");
    let mut details: Vec<String> = Vec::new();
    for data in &data {
        details.extend(compare(data, &options.systems)?);
    }
    if options.all {
        println!(
            "\n| matches | system | tuned on | last fifth | evaluations | parameters |\n|---|---|---:|---:|---:|---|\n{}",
            details.join("\n")
        );
    }
    Ok(())
}
