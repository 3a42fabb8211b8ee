//! The options of `matchwright replay`.

use std::path::PathBuf;

use clap::Args;

use super::common::{NamesOption, RatingScaleOption, SeedOption, named, number_or};
use matchwright_import::{DateOrder, TicketColumns, TicketOptions, TimeFormat, TimeUnit};

pub(super) const REPLAY_EXAMPLES: &str = "\
Examples:
  matchwright replay examples/queue/tickets.csv --policy prices
  matchwright replay examples/queue/tickets.csv \\
    --policy examples/policies/prices.toml --against widening --hindsight
  matchwright replay examples/queue/tickets.csv --policy skill-batch \\
    --objective prices --overdue 60 --explain 3
  matchwright replay examples/queue/tickets.csv --policy widening \\
    --patience fitted --seed 7 --out target/replay
  matchwright replay examples/queue/teams.jsonl --policy dota --json
  matchwright replay examples/queue/teams.jsonl --policy threshold-teams \\
    --against random-teams --tail 600

LOG is CSV, JSON lines or a JSON array (plain, gzip or zstd) or Parquet, or - for standard input: one ticket a row, or
one player a row, where rows of the same ticket, or of the same party at the same time, make one ticket. Columns or
keys are time (when the ticket came), left (when it gave up), matched (when it was matched, before its players
accepted), match (the id of its match, where left is when it stopped waiting), team (its team of that match; where
there is no match it is an attribute), ticket, player, party, players (a list), size (how many), queue, region;
--columns names them otherwise. All others are attributes of tickets or players: numbers where all are numbers, else
texts; pings to regions are columns ping_REGION, lists are separated by `;`. A JSON object may also be a ticket as the
queue itself writes it, with came, left and matched in milliseconds. LOG may also be a journal of our queue: its steps
are then also computed again under the policies that it records, and the first that comes out otherwise is told.

FILE is a policy document, TOML or JSON by its ending, or the name of one that the program carries;
`matchwright schema policy` lists all keys.

Every ticket comes when it came in the log, and leaves when it left unless it has a match by then. How long tickets
that were matched would have waited is not in any log: they wait until the log ends, or with --patience for a time that
is drawn, and then every figure is an estimate. The log ends --tail seconds after its last ticket, for all policies and
for hindsight: by default 300, or twice the longest wait of the policies if the log is that long. The objective of
--policy judges all policies, unless --objective names another: cost = K x mismatch of each match + cost of waiting of
each player + `lost` for each player without a match, be it that the ticket left, waits at the end or was refused.
Without `lost` the cost is over the tickets that all policies admit. The difference of two policies is paired by blocks
of neighbouring tickets, each of ten mean waits at least; in a log of fewer than three such blocks it has no interval.

--hindsight finds the least that any policy could have paid for the log, with a proof that other code verifies; it is
known for queues where two tickets make a match, and where [objective] has `lost`. Where [objective] names a number of single players, --out also gets
prices.json, a policy that starts from what a match was worth to each ticket.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct ReplayOptions {
    /// Tickets as they came: CSV, JSON lines or a journal of the queue, plain, gzip or zstd, or - for standard input
    pub(crate) log: PathBuf,
    /// The policy under which the log is replayed
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// A second policy, compared with the first
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    /// Find the least that any policy could have paid, and each policy's regret
    #[arg(long)]
    pub(crate) hindsight: bool,
    /// Judge by the section `[objective]` of this document, not by that of --policy
    #[arg(long, value_name = "FILE")]
    pub(crate) objective: Option<PathBuf>,
    /// Mean patience of tickets that did not leave, in seconds, or fitted to those that did: makes all figures estimates
    #[arg(long, value_name = "SECONDS|fitted", value_parser = patience)]
    pub(crate) patience: Option<PatienceChoice>,
    /// Seconds after which a wait is overdue
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0, value_parser = seconds)]
    pub(crate) overdue: f64,
    /// Seconds after the last ticket came at which the log ends: who waits then pays for the wait until then, and `lost`
    /// [default: 300, or twice the longest wait of the policies if the log is that long]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) tail: Option<f64>,
    /// How many overdue tickets are explained, those that waited longest
    #[arg(long = "explain", id = "explained", value_name = "N", default_value_t = 5)]
    pub(crate) explain: usize,
    /// At how many times, evenly through the log, ten of those who wait are asked what keeps them waiting; 0: at none
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u16).range(..=10_000))]
    pub(crate) moments: u16,
    #[command(flatten)]
    pub(crate) reading: LogOptions,
    #[command(flatten)]
    pub(crate) scale: RatingScaleOption,
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Folder for replay.json, tickets.csv, matches.csv, the page replay.html and the manifest; with --hindsight prices.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a log of tickets is read; shared by all commands that take one.
#[derive(Args)]
pub(crate) struct LogOptions {
    /// Which column or key is what: time=...,left=...,player=...,skill=...
    #[arg(long, value_name = "NAMES", value_parser = TicketColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: TicketColumns,
    #[command(flatten)]
    pub(crate) names: NamesOption,
    /// What plain numbers mean as times [default: seconds or milliseconds since 1970, or dates of eight digits, by their size;
    /// others are refused]
    #[arg(long, value_name = "UNIT", value_parser = named(TimeUnit::SPANS))]
    pub(crate) time_unit: Option<TimeUnit>,
    /// How all times are written, as for C's strptime: '%d/%m/%Y %H:%M' [default: found in the file]
    #[arg(long, value_name = "FORMAT", value_parser = TimeFormat::parse, conflicts_with = "time_unit")]
    pub(crate) time_format: Option<TimeFormat>,
    /// What comes first in dates such as 03/05/2024 [default: as all dates of the file tell together]
    #[arg(long, value_name = "PART", value_parser = named(DateOrder::ALL), conflicts_with = "time_format")]
    pub(crate) date_order: Option<DateOrder>,
    /// Drop rows that cannot be used, each with its ticket, and say how many and why
    #[arg(long)]
    pub(crate) skip_bad: bool,
}

impl LogOptions {
    /// As its reader wants it.
    pub(crate) fn reading(&self) -> TicketOptions {
        TicketOptions {
            columns: self.columns.clone(),
            time_unit: self.time_unit,
            time_format: self.time_format.clone(),
            date_order: self.date_order,
            skip_bad: self.skip_bad,
            names_as_written: self.names.as_written,
        }
    }
}

/// How long tickets wait that were not seen to leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PatienceChoice {
    /// As those that left, as far as an exponential tells.
    Fitted,
    /// Exponential of this mean.
    Seconds(f64),
}

/// `60`: seconds; or `fitted`.
fn patience(text: &str) -> Result<PatienceChoice, String> {
    let is_patience = |seconds: f64| seconds > 0.0 && seconds <= 1e9;
    let seconds = number_or("fitted", text, "seconds above 0", is_patience)?;
    Ok(seconds.map_or(PatienceChoice::Fitted, PatienceChoice::Seconds))
}

/// Seconds of 0 or more.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds));
    seconds.ok_or_else(|| "give seconds from 0 to 1000000000".to_owned())
}
