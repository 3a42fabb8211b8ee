//! The options of `matchwright simulate`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use matchwright_sim::simulate::{Figure, Target};

use super::common::{PageOptions, SeedOption};
use super::{LogOptions, ShardOptions};

pub(super) const SIMULATE_EXAMPLES: &str = "\
Examples:
  matchwright simulate run ladder-season --policy prices
  matchwright simulate compare ladder-season --worlds 5
  matchwright simulate fit examples/queue/tickets.csv --policy widening

`matchwright simulate run --help` and the others have more.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  matchwright simulate run ladder-season
  matchwright simulate run examples/scenarios/ladder-season.toml \\
    --policy prices --seed 7 --out target/season

SCENARIO is a document of a world, TOML or JSON, or the name of one that the program carries (`matchwright examples`
lists them under scenarios/): when parties come, who they are, how long they wait, how they answer, what matches are
like, who comes again, what ratings learn. FILE is a policy document, or the name of one that the program carries;
without --policy it is the first that the scenario names. A scenario reads files below its own folder alone.

The queue is the one that a service runs: it sees tickets, answers and results, and nothing of what is true. Everything
that came before the scenario's warm-up is over is left out of all figures.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  matchwright simulate compare ladder-season
  matchwright simulate compare ladder-season --policy widening \\
    --policy prices --worlds 40 --out target/season
  matchwright simulate compare three-a-side --hindsight
  matchwright simulate compare ladder-season --shard 1/2 --out part-1.cbor
  matchwright simulate compare ladder-season --shard 2/2 --out part-2.cbor
  matchwright merge part-1.cbor part-2.cbor --out target/season

All policies run the same worlds: the same parties come at the same times with the same skills and patience, and what a
player's third wait is drawn from does not depend on the policy. Differences are to the first policy, paired by worlds,
with 95 % intervals of Student's t; of rare events (tickets that left, say) by the exact interval of the ratio of their
totals. One objective judges all: that of --objective, else that which the scenario names, else that of the first policy.

With --hindsight every policy is compared with the least that could have been paid for the tickets of its world: of two
tickets a match a proven bound, of teams the best that a search from the policies' own matches finds. Tickets of the
warm-up count here. It asks for `lost` in [objective], which who left, was refused or waits at the end pays.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const TUNE_EXAMPLES: &str = "\
Examples:
  matchwright simulate tune ladder-season --policy widening \\
    --vary queue.windows.0.per_second=0.5,1,2,4,8 --keep wait_50=30 \\
    --best cost --out target/tuned
  matchwright simulate tune ladder-season --policy widening --worlds 5 \\
    --vary queue.windows.0.start=10..80 --keep wait_50=15 --best mismatch

KEY is a key of the policy document with its tables, numbers for places in lists. Every value, or every combination of the
values of several --vary, is a policy on the same worlds. Of those that keep all bounds the one with the least --best wins;
for a range A..B the values around it are then tried, more closely. Last, the winner is compared with the policy as it
was on worlds that had no part in the choice.

Figures are those of `simulate compare --json`: wait_50, wait_90, mismatch, cost, lost, overdue, rating_gap, gone, ...
A ticket that left, was declined or refused, or still waits at the end has no match within any time: where these are more
than a tenth, wait_90 is open and keeps no bound. Values under which more tickets are without a match (`lost`) than under
the policy as it is are not chosen, unless --keep lost=PERCENT says how many may be.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const SIZE_EXAMPLES: &str = "\
Examples:
  matchwright simulate size ladder-season --keep wait_90=60
  matchwright simulate size ladder-season --policy prices \\
    --keep wait_90=30 --keep rating_gap=50

Arrivals, and players where they are the same from match to match, are doubled or halved until the answer is enclosed,
and then looked for more closely, up to --most times as many. A target is kept if the mean over the worlds keeps it.

A ticket that left, was declined or refused, or still waits at the end has no match within any time: where these are more
than a tenth, wait_90 is open and keeps no bound. The share of tickets without a match (`lost`) must be no more than in the
scenario as it is, unless --keep lost=PERCENT says how many may be.

Exit codes: 0 done, 1 failed, 2 usage.";

pub(super) const FIT_EXAMPLES: &str = "\
Examples:
  matchwright simulate fit examples/queue/tickets.csv --policy widening
  matchwright simulate fit examples/queue/tickets.csv \\
    --policy widening --policy prices --out target/fitted
  matchwright simulate run target/fitted/scenario.toml

LOG is a log of a queue as `matchwright replay` reads it, or a journal of our queue. Prints a scenario document, TOML, with
comments that say what was estimated from how many, and what could not be observed and was left at its default.

Arrivals: the rate over the time observed, hours of the day where the log spans one, regions with their shares, pings and,
where it is clear, the shift of their day. Patience: the product-limit estimate (Kaplan and Meier) of those who gave up, with
matched tickets censored and 95 % intervals; it ends, and is open beyond, where fewer than 20 tickets waited on. While players
are asked to accept a match, as a journal tells, they do not wait. Acceptance, from a journal alone: shares and mean
time of answers, with players censored whose proposal others ended. Parties, ratings, other numbers and words: their
distributions.

Every ticket is taken for an arrival: a log does not tell when matches end. The policies of the scenario are those of
--policy, which --out gets copies of: a scenario reads files below its own folder alone. Of a journal --out also gets
the document of the policy that was in force, which is then the first.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Subcommand)]
pub(crate) enum Simulate {
    /// Simulate one world under a policy: waits, quality, costs, ratings, who leaves
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunOptions),
    /// Several policies on the same worlds: differences with intervals, and the front of wait and quality
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(WorldsOptions),
    /// Find the values of a policy's keys that keep a wait budget, on worlds and then on other worlds
    #[command(after_help = TUNE_EXAMPLES)]
    Tune(TuneOptions),
    /// Find how many players a wait and a quality need
    #[command(after_help = SIZE_EXAMPLES)]
    Size(SizeOptions),
    /// Make a world from a log of a real queue: arrivals, patience, acceptance, players
    #[command(after_help = FIT_EXAMPLES)]
    Fit(FitWorldOptions),
}

/// A world, and what judges it.
#[derive(Args)]
pub(crate) struct SceneOptions {
    /// The world: a document, or the name of one that the program carries
    pub(crate) scenario: PathBuf,
    /// Judge by the section `[objective]` of this document
    #[arg(long, value_name = "FILE")]
    pub(crate) objective: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) random: SeedOption,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

#[derive(Args)]
pub(crate) struct ThreadsOption {
    /// Number of threads, which does not affect results [default: all cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

#[derive(Args)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,
    /// The policy [default: the first of the scenario]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) hindsight: HindsightOption,
}

#[derive(Args)]
pub(crate) struct HindsightOption {
    /// Hold costs against the least in hindsight (regret); for teams it takes longer than the worlds themselves
    #[arg(long)]
    pub(crate) hindsight: bool,
}

#[derive(Args)]
pub(crate) struct WorldsOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,
    #[command(flatten)]
    pub(crate) threads: ThreadsOption,
    /// A policy, given once for each; the others are compared with the first [default: those of the scenario]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    /// Worlds [default: as many as the scenario says, 20 if it says nothing]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    #[command(flatten)]
    pub(crate) hindsight: HindsightOption,
    #[command(flatten)]
    pub(crate) sharing: ShardOptions,
}

#[derive(Args)]
pub(crate) struct TuneOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,
    #[command(flatten)]
    pub(crate) threads: ThreadsOption,
    /// The policy that is tuned [default: the first of the scenario]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// A key of the policy and its values: KEY=1,2,4 or KEY=A..B
    #[arg(long, value_name = "KEY=VALUES", required = true, value_parser = Varied::parse)]
    pub(crate) vary: Vec<Varied>,
    /// A bound on a figure: `wait_90=60`
    #[arg(long, value_name = "FIGURE=BOUND", value_parser = target)]
    pub(crate) keep: Vec<Target>,
    /// The figure that is to be least (or most, where more is better)
    #[arg(long, value_name = "FIGURE", default_value = "cost", value_parser = best_figure)]
    pub(crate) best: Figure,
    /// Worlds for the choice, and as many others for the check
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) worlds: u32,
}

#[derive(Args)]
pub(crate) struct SizeOptions {
    #[command(flatten)]
    pub(crate) scene: SceneOptions,
    #[command(flatten)]
    pub(crate) threads: ThreadsOption,
    /// The policy [default: the first of the scenario]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// What must be kept: `wait_90=60`
    #[arg(long, value_name = "FIGURE=BOUND", required = true, value_parser = target)]
    pub(crate) keep: Vec<Target>,
    /// Worlds of each size
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) worlds: u32,
    /// Try sizes up to this many times the scenario's, which takes about twice that many times as long as the scenario
    #[arg(long, value_name = "TIMES", default_value_t = 16.0, value_parser = most)]
    pub(crate) most: f64,
    /// Within which share of the answer the search ends
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = precision)]
    pub(crate) precision: f64,
}

#[derive(Args)]
pub(crate) struct FitWorldOptions {
    /// Tickets as they came: CSV, JSON lines or a journal of the queue, plain, gzip or zstd, or - for standard input
    pub(crate) log: PathBuf,
    /// A policy for the scenario to name, given once for each
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: LogOptions,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

/// A key and the values that are tried.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Varied {
    /// With its tables: `queue.threshold.quality`.
    pub(crate) key: String,
    pub(crate) values: Vec<f64>,
    /// Whether values in between may be tried.
    pub(crate) is_range: bool,
}

/// A range is tried at this many values.
const STEPS: u32 = 9;

impl Varied {
    fn parse(text: &str) -> Result<Self, String> {
        let wanted =
            || "give a key and its values, such as queue.threshold.quality=0.6..0.9 or KEY=1,2,4".to_owned();
        let (key, values) = text.split_once('=').ok_or_else(wanted)?;
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        let (values, is_range): (Option<Vec<f64>>, bool) = match values.split_once("..") {
            Some((low, high)) => {
                let (low, high) = (number(low).ok_or_else(wanted)?, number(high).ok_or_else(wanted)?);
                let step = |step| low + (high - low) * f64::from(step) / f64::from(STEPS - 1);
                ((low < high).then(|| (0..STEPS).map(step).collect()), true)
            }
            None => (values.split(',').map(number).collect(), false),
        };
        let values = values
            .filter(|values| !values.is_empty() && !key.is_empty())
            .ok_or_else(wanted)?;
        let key = key.to_owned();
        Ok(Self {
            key,
            values,
            is_range,
        })
    }
}

impl Varied {
    /// Between two values of a range.
    pub(crate) fn step(&self) -> f64 {
        match self.values[..] {
            [first, second, ..] if self.is_range => second - first,
            _ => 0.0,
        }
    }

    /// A value and its neighbours at that step, within the range.
    pub(crate) fn near(&self, value: f64, step: f64) -> Vec<f64> {
        let ends = self
            .values
            .first()
            .zip(self.values.last())
            .filter(|_| self.is_range);
        let Some((&low, &high)) = ends else {
            return vec![value];
        };
        let near = [value - step, value, value + step];
        near.into_iter()
            .filter(|value| (low..=high).contains(value))
            .collect()
    }
}

fn figure(text: &str) -> Result<Figure, String> {
    Figure::named(text).ok_or_else(|| {
        let known: Vec<&str> = Figure::ALL.iter().map(|figure| figure.key()).collect();
        format!("give one of {}", known.join(", "))
    })
}

/// One of which less or more is better.
fn best_figure(text: &str) -> Result<Figure, String> {
    let figure = figure(text)?;
    if figure.better() == 0 {
        return Err(format!(
            "neither less nor more of {text} is better; give another figure"
        ));
    }
    Ok(figure)
}

fn target(text: &str) -> Result<Target, String> {
    let (name, bound) = text
        .split_once('=')
        .ok_or("give a figure and its bound, such as wait_90=60")?;
    let bound = bound.parse().ok().filter(|bound: &f64| bound.is_finite());
    Ok(Target {
        figure: figure(name)?,
        bound: bound.ok_or("the bound must be a number")?,
    })
}

fn most(text: &str) -> Result<f64, String> {
    let times = text.parse().ok().filter(|times| (1.0..=1024.0).contains(times));
    times.ok_or_else(|| "give a number from 1 to 1024".to_owned())
}

fn precision(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.001..=1.0).contains(share));
    share.ok_or_else(|| "give a share from 0.001 to 1".to_owned())
}
