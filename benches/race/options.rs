//! What to run, as given on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};

use super::contender::{Contender, Family};

const EXAMPLES: &str = "\
Examples:
  cargo xtask bench solver
  cargo xtask bench solver --quick
  cargo xtask bench solver --families eomm --sizes 500,1000 --seeds 1-5 --contenders matchwright,lemon-full
  cargo xtask bench solver --families eomm,euclid --sizes 50000
  cargo xtask bench solver --families triangulated,road,nearest,nearest-clustered,random,unit,power-law
  cargo xtask bench solver --sizes 100 --seeds 1-1000 --contenders matchwright     # is there a bad seed?

Writes tables (Markdown and CSV) and a manifest, and prints the tables. The time is the median
of at least 5 solves; of 3 above 2 s; of 1 above 10 s. A solve's time is that of the wall clock or of the processor,
whichever is shorter, so that other programs on the machine do not count.";

/// One solve must not be predicted to take longer, in seconds.
const BUDGET: f64 = 120.0;

#[derive(Parser, Debug, Clone)]
#[command(name = "cargo xtask bench solver", about = "Exact pairing beside its peers: time, memory, scaling", after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Kinds of graphs
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Family::value_variants().iter().copied())]
    pub(crate) families: Vec<Family>,
    /// Numbers of vertices [default: 100,300,500,1000,2000,10000, and 50000 for eomm, euclid and clusters; of few pairs 10000, 100000
    /// and 1000000]
    #[arg(long, value_delimiter = ',', value_parser = size)]
    sizes: Option<Vec<usize>>,
    /// Seeds of the graphs, as numbers and ranges [default: 1-5 up to 500 vertices, else 1]
    #[arg(long)]
    seeds: Option<Seeds>,
    /// Who takes part [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    contenders: Option<Vec<Contender>>,
    /// Graphs of 100 and 300 vertices only
    #[arg(long, conflicts_with = "sizes")]
    quick: bool,
    /// Seconds: who is predicted to take longer for one solve drops out; who takes four times as long is stopped
    #[arg(long, default_value_t = BUDGET, value_parser = seconds)]
    pub(crate) budget: f64,
    /// Where to write [default: target/bench/solver]
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
}

impl Options {
    /// Ascending, since the budget learns from smaller graphs.
    pub(crate) fn sizes(&self, family: Family) -> Vec<usize> {
        let mut sizes = match &self.sizes {
            Some(sizes) => sizes.clone(),
            None if self.quick => vec![100, 300],
            None if family.is_sparse() => vec![10_000, 100_000, 1_000_000],
            None => {
                let largest = (!matches!(family, Family::Uniform | Family::Plateau)).then_some(50_000);
                [100, 300, 500, 1_000, 2_000, 10_000]
                    .into_iter()
                    .chain(largest)
                    .collect()
            }
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The seeds of the graphs of this size. Small graphs differ most from one to the next, and cost little.
    pub(crate) fn seeds(&self, n: usize) -> Vec<u64> {
        match &self.seeds {
            Some(seeds) => seeds.0.clone(),
            None if n <= 500 => (1..=5).collect(),
            None => vec![1],
        }
    }

    /// In the order of the tables.
    pub(crate) fn contenders(&self) -> Vec<Contender> {
        let all = Contender::value_variants().iter().copied();
        let named = self.contenders.as_ref();
        all.filter(|contender| named.is_none_or(|named| named.contains(contender)))
            .collect()
    }

    /// Of the graphs without a perfect matching.
    pub(crate) fn infeasible_sizes(&self) -> Vec<usize> {
        match &self.sizes {
            Some(sizes) => sizes.iter().copied().filter(|&n| n <= 10_000).collect(),
            None if self.quick => vec![1_000],
            None => vec![1_000, 3_000, 10_000],
        }
    }
}

/// Seeds as written: `1,2,10-19`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seeds(Vec<u64>);

impl FromStr for Seeds {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut seeds = Vec::new();
        for part in text.split(',') {
            match part.split_once('-') {
                Some((first, last)) => {
                    let (first, last): (u64, u64) = (first.trim().parse()?, last.trim().parse()?);
                    ensure!(first <= last, "the range {part} is empty");
                    ensure!(
                        last - first < 1_000_000,
                        "the range {part} has more than a million seeds"
                    );
                    seeds.extend(first..=last);
                }
                None => seeds.push(part.trim().parse()?),
            }
        }
        seeds.sort_unstable();
        seeds.dedup();
        Ok(Self(seeds))
    }
}

fn size(text: &str) -> Result<usize> {
    let n: usize = text.trim().parse()?;
    ensure!(
        n >= 2 && n.is_multiple_of(2),
        "a perfect pairing needs an even number"
    );
    Ok(n)
}

fn seconds(text: &str) -> Result<f64> {
    let seconds: f64 = text.parse()?;
    ensure!(
        seconds > 0.0 && seconds <= 1e6,
        "give seconds above 0, at most 1000000"
    );
    Ok(seconds)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The options of a command line.
    pub(crate) fn parse(line: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn seeds_are_numbers_and_ranges() {
        let seeds = |text: &str| text.parse::<Seeds>().ok().map(|seeds| seeds.0);
        assert_eq!(seeds("7"), Some(vec![7]));
        assert_eq!(seeds("10-12, 2,11"), Some(vec![2, 10, 11, 12]));
        for none in ["", "a", "3-1", "1-", "0-99999999999", "1.5"] {
            assert_eq!(seeds(none), None, "{none}");
        }
    }

    #[test]
    fn only_even_sizes_are_taken_and_they_are_sorted() {
        let options = parse("bench --sizes 300,100,300").unwrap();
        assert_eq!(options.sizes(Family::Uniform), [100, 300]);
        for bad in [
            "--sizes 101",
            "--sizes 0",
            "--sizes x",
            "--sizes 100 --quick",
            "--budget nan",
        ] {
            assert!(parse(&format!("bench {bad}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn without_options_everything_runs() {
        let given = parse("bench").unwrap();
        assert_eq!(given.contenders(), Contender::value_variants());
        assert_eq!(given.sizes(Family::Eomm).last(), Some(&50_000));
        assert_eq!(given.sizes(Family::Uniform).last(), Some(&10_000));
        assert_eq!(given.sizes(Family::Road), [10_000, 100_000, 1_000_000]);
        assert_eq!(parse("bench --quick").unwrap().sizes(Family::Euclid), [100, 300]);
        assert_eq!((given.seeds(300).len(), given.seeds(1_000)), (5, vec![1]));
    }
}
