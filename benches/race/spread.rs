//! How much slower than the median our slowest graph is: there must be no bad seeds.

use std::time::Duration;

use anyhow::{Context, Result};
use matchwright_report::{Column, Table};

use super::Options;
use super::contender::{Contender, Family};
use super::output::Folder;
use super::programs::Programs;
use super::race::PREPARATION;
use super::statistics::{median, percentile};
use super::worker::Worker;

/// The slowest may take this many times the median.
const BAR: f64 = 10.0;

/// A graph's time is the median of so many solves, so that what else the machine does is no bad seed.
const SOLVES: usize = 3;

/// The times of many graphs that differ by their seed.
#[derive(Debug, Clone)]
pub(crate) struct Spread {
    contender: Contender,
    family: Family,
    n: usize,
    /// Seeds with seconds.
    times: Vec<(u64, f64)>,
}

pub(crate) fn run(options: &Options, folder: &Folder) -> Result<()> {
    let programs = Programs::build(options, folder.path())?;
    let mut spreads = Vec::new();
    for contender in options.spread_contenders()? {
        for &family in &options.families {
            for n in options.sizes(family) {
                let spread = Spread {
                    contender,
                    family,
                    n,
                    times: times(options, &programs, contender, family, n)?,
                };
                eprintln!(
                    "{contender} on {family}, {n} vertices: {} seeds",
                    spread.times.len()
                );
                spreads.push(spread);
            }
        }
    }
    let summary = summary(&spreads);
    println!("{}", summary.to_text());
    folder.write_spread(options, &summary, &every_seed(&spreads))?;
    println!("written to {}", folder.path().display());
    Ok(())
}

/// Each seed's time, every answer verified. One process solves all, in memory that it reuses.
fn times(
    options: &Options,
    programs: &Programs,
    contender: Contender,
    family: Family,
    n: usize,
) -> Result<Vec<(u64, f64)>> {
    let limit = Duration::from_secs_f64(options.budget);
    let command = programs.command(contender).context("our program is not here")?;
    let mut worker = Worker::start(command)?;
    let mut time = |seed: u64| -> Result<(u64, f64)> {
        worker.ask(&format!("draw {family} {n} {seed}"), "ready", PREPARATION)?;
        let mut solves = Vec::new();
        for _ in 0..SOLVES {
            solves.push(worker.time("solve", "solved", limit)?.0);
        }
        worker.ask("verify", "verified", limit)?;
        Ok((seed, median(&solves)))
    };
    options
        .spread_seeds(n)
        .into_iter()
        .map(|seed| time(seed).with_context(|| format!("{contender} on {family}, {n} vertices, seed {seed}")))
        .collect()
}

fn summary(spreads: &[Spread]) -> Table {
    let table = Table::new(format!(
        "Exact pairing: the slowest of many graphs, at most {BAR} times the median"
    ))
    .column(Column::text("contender"))
    .column(Column::text("family"))
    .column(Column::integer("n"))
    .column(Column::integer("graphs"))
    .column(Column::significant("median", 4).unit("ms"))
    .column(Column::significant("99 %", 4).unit("ms"))
    .column(Column::significant("slowest", 4).unit("ms"))
    .column(Column::number("slowest / median", 2))
    .column(Column::text("its seed"))
    .column(Column::text("within the bar"));
    spreads.iter().fold(table, |table, spread| {
        let seconds: Vec<f64> = spread.times.iter().map(|&(_, seconds)| seconds).collect();
        let middle = median(&seconds);
        let slowest = spread.times.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let ratio = slowest.map_or(f64::NAN, |(_, seconds)| seconds / middle);
        table.row([
            spread.contender.to_string().into(),
            spread.family.to_string().into(),
            spread.n.into(),
            seconds.len().into(),
            (1e3 * middle).into(),
            (1e3 * percentile(&seconds, 99)).into(),
            slowest.map(|(_, seconds)| 1e3 * seconds).into(),
            ratio.into(),
            slowest.map(|(seed, _)| seed.to_string()).into(),
            if ratio <= BAR { "yes" } else { "no" }.into(),
        ])
    })
}

fn every_seed(spreads: &[Spread]) -> Table {
    let table = Table::new("spread")
        .column(Column::text("contender"))
        .column(Column::text("family"))
        .column(Column::integer("n"))
        .column(Column::text("seed"))
        .column(Column::significant("median_s", 6));
    let rows = spreads.iter().flat_map(|spread| {
        spread.times.iter().map(|&(seed, seconds)| {
            [
                spread.contender.to_string().into(),
                spread.family.to_string().into(),
                spread.n.into(),
                seed.into(),
                seconds.into(),
            ]
        })
    });
    rows.fold(table, Table::row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_is_held_against_the_median() {
        let spread = |slowest| Spread {
            contender: Contender::Matchwright,
            family: Family::Eomm,
            n: 100,
            times: vec![(1, 0.002), (2, slowest), (3, 0.001)],
        };
        let csv = summary(&[spread(0.02), spread(0.0201)]).to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[1], "matchwright,eomm,100,3,2,20,20,10,2,yes");
        assert!(lines[2].ends_with(",2,no"), "{csv}");
        let all = every_seed(&[spread(0.02)]).to_csv();
        assert_eq!(all.lines().nth(2), Some("matchwright,eomm,100,2,0.02"));
    }
}
