//! The options of `matchwright season`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use matchwright_import::PlayerColumns;

use super::ReadingOptions;
use super::common::NamesOption;
use super::rate::{setting, svg_file};
use crate::input::{read_number, read_share};

pub(super) const SEASON_EXAMPLES: &str = "\
Examples:
  matchwright season pull examples/season/alliances.csv
  matchwright season ledger examples/matches.csv
  matchwright season bases examples/season/alliances.csv --of Falcons

After \"World War Matchmaking - Design Spotlight 2019\" (DomiNations). `matchwright season QUESTION --help` has more of each.

Exit codes: 0 done, 1 failed, 2 usage.";

const PULL_EXAMPLES: &str = "\
Examples:
  matchwright season pull examples/season/alliances.csv --top 5
  matchwright season pull examples/season/alliances.csv --from 15000,21000 \\
    --to 14300,17000 --out target/next-season.csv
  matchwright season pull examples/season/alliances.csv --centre 14000 \\
    --keep 50% --hardening 0 --json

FILE has a player or alliance a row: CSV, JSON lines, Excel or Parquet, plain or packed, as `matchwright rate --system dom
--out` writes it. Its name is in a column called id, player or name, its rating in one called skill, rating, mmr, elo or
glory; --columns id=COLUMN,skill=COLUMN says otherwise.

A rating at the distance d from the centre is d' = keep d / (1 + hardening |d|) away from it afterwards: harder further away,
and in order. --from and --to choose keep and hardening so that one range of ratings above the centre becomes another.

--out writes player, rating (the new one), before and change of all players, best first; other columns are not kept.

Exit codes: 0 done, 1 failed, 2 usage.";

const LEDGER_EXAMPLES: &str = "\
Examples:
  matchwright season ledger examples/matches.csv
  matchwright season ledger examples/matches.csv --set newcomer_k=512 \\
    --by tenth --plot target/points.svg --out target/points.csv
  matchwright season ledger examples/matches.csv --set keep_sum=mean --json

FILE is a file of matches of one against one, as `matchwright rate --help` describes it. They are played in order of time
through DOM MMR, whose K depends on how new, how streaky and how high a side is. Where the two sides' K differ, a game makes
points or destroys them; keep_sum = mean, smaller or larger gives both sides one K, under which points are only moved.

The points of a game are split exactly into what each side won or lost beyond a settled player in its place, one who is
neither new nor on a streak nor high. Parameters are those of `matchwright rate --system dom`; home advantage and weights by
margin are taken from --config.

Exit codes: 0 done, 1 failed, 2 usage.";

const BASES_EXAMPLES: &str = "\
Examples:
  matchwright season bases examples/season/alliances.csv
  matchwright season bases examples/season/alliances.csv --of Falcons --top 5
  matchwright season bases examples/season/alliances.csv --nearest 2 \\
    --good-delta 10% --out target/bases.csv

FILE has an alliance a row, with a name (id, player or name), offence and defence above 0, in any unit:
--columns id=COLUMN,offence=COLUMN,defence=COLUMN names the columns.

Up to 20 alliances are compared pair by pair, more of them each with the 3 nearest, by the larger of the two differences;
--nearest, --of and --all say otherwise. Rows are in order of that difference; those of each with its nearest follow the file.

ln odds = exponent (ln(offence / offence) + ln(defence / defence)): by default a defence 10 % higher wins 60 %.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Subcommand)]
pub(crate) enum Season {
    /// Pull all ratings of a file towards a centre, as at the start of a season
    #[command(after_help = PULL_EXAMPLES)]
    Pull(PullOptions),
    /// Count the points that matches under DOM MMR make and destroy, and why
    #[command(after_help = LEDGER_EXAMPLES)]
    Ledger(Box<LedgerOptions>),
    /// Compare alliances by offence and defence: win probabilities, and which matches are good
    #[command(after_help = BASES_EXAMPLES)]
    Bases(BasesOptions),
}

#[derive(Args)]
pub(crate) struct PullOptions {
    /// Ratings: CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input
    pub(crate) file: PathBuf,
    /// Which column is what: id=...,skill=... [default: by their names]
    #[arg(long, value_name = "NAMES", value_parser = PlayerColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: PlayerColumns,
    #[command(flatten)]
    pub(crate) names: NamesOption,
    /// Where ratings are pulled to, in points
    #[arg(long, value_name = "POINTS", value_parser = read_number, default_value = "12000")]
    pub(crate) centre: f64,
    /// The share of its distance that a rating next to the centre keeps [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = read_share)]
    pub(crate) keep: Option<f64>,
    /// How fast that share falls with the distance, per point; 0 for not at all [default: 1/12000]
    #[arg(long, value_name = "NUMBER", value_parser = read_number)]
    pub(crate) hardening: Option<f64>,
    /// Two ratings above the centre, which become those of --to
    #[arg(long, value_name = "LOW,HIGH", value_parser = ends, requires = "to", conflicts_with_all = ["keep", "hardening"])]
    pub(crate) from: Option<[f64; 2]>,
    /// What those of --from become
    #[arg(long, value_name = "LOW,HIGH", value_parser = ends, requires = "from")]
    pub(crate) to: Option<[f64; 2]>,
    /// How many players the printed table shows
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub(crate) top: usize,
    /// Write all players to this file: .csv, .csv.gz, .csv.zst or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the pieces of a course are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PieceName {
    /// Calendar months (UTC)
    Month,
    /// Tenths of the matches
    Tenth,
}

#[derive(Args)]
pub(crate) struct LedgerOptions {
    /// File of matches: CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// A parameter of DOM MMR, such as k=64; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub(crate) settings: Vec<(String, toml::Value)>,
    /// Parameters of DOM MMR, from a file that `matchwright rate --system dom --tune` wrote
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Pieces of the course [default: month for 90 days or more, else tenth]
    #[arg(long, value_enum, value_name = "PIECE")]
    pub(crate) by: Option<PieceName>,
    /// Plot the points made, destroyed and net over time to this SVG file
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file())]
    pub(crate) plot: Option<PathBuf>,
    /// Write the course to this file: .csv, .csv.gz, .csv.zst or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct BasesOptions {
    /// Alliances: CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input
    pub(crate) file: PathBuf,
    /// Which column is what: id=...,offence=...,defence=... [default: by their names]
    #[arg(long, value_name = "NAMES", value_parser = PlayerColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: PlayerColumns,
    #[command(flatten)]
    pub(crate) names: NamesOption,
    /// Compare this alliance with all others
    #[arg(long, value_name = "NAME", conflicts_with_all = ["nearest", "all"])]
    pub(crate) of: Option<String>,
    /// Compare each alliance with this many others, the nearest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "all")]
    pub(crate) nearest: Option<u32>,
    /// Compare every pair, however many there are
    #[arg(long)]
    pub(crate) all: bool,
    /// The largest share by which offence or defence may differ in a good match [default: 5%]
    #[arg(long, value_name = "SHARE", value_parser = read_share)]
    pub(crate) good_delta: Option<f64>,
    /// Log odds of winning per unit of the logarithm of the ratio [default: 4.2542]
    #[arg(long, value_name = "NUMBER", value_parser = read_number)]
    pub(crate) exponent: Option<f64>,
    /// How many rows the printed table shows
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) top: usize,
    /// Write all rows to this file: .csv, .csv.gz, .csv.zst or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// `15000,21000`
fn ends(text: &str) -> Result<[f64; 2], String> {
    let ends: Option<Vec<f64>> = text.split(',').map(|end| end.trim().parse().ok()).collect();
    let ends = ends.and_then(|ends| <[f64; 2]>::try_from(ends).ok());
    ends.ok_or_else(|| "give two ratings without separators of thousands, such as 15000,21000".to_owned())
}
