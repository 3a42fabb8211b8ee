//! The options of `matchwright forensics`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use matchwright_mmr_forensics::WinRate;

use super::common::PageOptions;
use crate::input::{read_number, read_share};
use matchwright_import::TableColumns;

pub(super) const FORENSICS_EXAMPLES: &str = "\
Examples:
  matchwright forensics mmr --points 1000 --unspent 2000 --total 2669 \\
    --league diamond
  matchwright forensics games --differential 331 --league diamond --win-rate 50%
  matchwright forensics tier examples/ladder/division.tsv
  matchwright forensics top200 examples/ladder/top.csv --length 20

`matchwright forensics QUESTION --help` has more of each.

Exit codes: 0 done, 1 failed, 2 usage.";

/// What all questions share; its paragraphs follow the examples of each.
macro_rules! help {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "
Constants are those of StarCraft II, February 2011, unless --season FILE (TOML or JSON) has others;
`matchwright schema season` has its keys.
--out DIR writes a page with tables, plots and a manifest.

Exit codes: 0 done, 1 failed, 2 usage."
        )
    };
    ($examples:literal, table) => {
        concat!(
            "Examples:\n",
            $examples,
            "
Tables have a line of names, then rows, separated by commas, semicolons or tabs, as copied from a
page or a spreadsheet. Thousands separators, percent signs and merged cells of a division, league
or total are understood; what could mean two things is refused by naming the cell.

Constants are those of StarCraft II, February 2011, unless --season FILE (TOML or JSON) has others;
`matchwright schema season` has its keys.
--out DIR writes a page with tables, plots and a manifest.

Exit codes: 0 done, 1 failed, 2 usage."
        )
    };
}

const MMR_EXAMPLES: &str = help!(
    "  matchwright forensics mmr --points 1000 --unspent 2000 --total 2669 \\
    --league diamond
  matchwright forensics mmr --points 3,821 --unspent 9 --total 2671 --wins 293 \\
    --losses 238 --league bronze --tier 'rank 0'
"
);

const GAMES_EXAMPLES: &str = help!(
    "  matchwright forensics games --differential 331 --league diamond --win-rate 50%
  matchwright forensics games --differential 331 --league diamond --per-win 12
  matchwright forensics games --differential 0 --league gold --season \\
    examples/ladder/pips.toml
"
);

const TIER_EXAMPLES: &str = help!(
    "  matchwright forensics tier examples/ladder/division.tsv
  matchwright forensics tier examples/ladder/late.csv --out target/tiers
",
    table
);

const HISTORY_EXAMPLES: &str = help!(
    "  matchwright forensics history examples/ladder/games.csv --points 3090 \\
    --unspent 35 --total 2669 --league diamond
",
    table
);

const FIT_EXAMPLES: &str = help!(
    "  matchwright forensics fit examples/ladder/early.csv examples/ladder/late.csv \\
    --histories examples/ladder/histories.csv
",
    table
);

const TOP_EXAMPLES: &str = help!(
    "  matchwright forensics top200 examples/ladder/top.csv --length 20
",
    table
);

#[derive(Subcommand)]
pub(crate) enum Forensics {
    /// The hidden rating behind points, bonus pool and wins
    #[command(after_help = MMR_EXAMPLES)]
    Mmr(MmrOptions),
    /// How many games until promotion
    #[command(after_help = GAMES_EXAMPLES)]
    Games(GamesOptions),
    /// Which tier divisions are of, from their players
    #[command(after_help = TIER_EXAMPLES)]
    Tier(TierOptions),
    /// Ratings after each game, and how likely promotion is
    #[command(after_help = HISTORY_EXAMPLES)]
    History(HistoryOptions),
    /// A season's hidden constants, from snapshots of a server and from histories
    #[command(after_help = FIT_EXAMPLES)]
    Fit(FitOptions),
    /// A list of the best by points, with the ratings that it hides
    #[command(after_help = TOP_EXAMPLES)]
    Top200(TopOptions),
}

/// Which ladder, and where the answer goes; shared by all.
#[derive(Args)]
pub(crate) struct ShownOptions {
    /// Constants of another season or game (.toml or .json)
    #[arg(long, value_name = "FILE")]
    pub(crate) season: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

/// A division's kind.
#[derive(Args)]
pub(crate) struct DivisionOptions {
    /// The league, such as diamond
    #[arg(long, value_name = "NAME")]
    pub(crate) league: String,
    /// The tier, such as `rank 2` [default: the one of offset 0]
    #[arg(long, value_name = "NAME")]
    pub(crate) tier: Option<String>,
}

/// What a player's page shows now.
#[derive(Args)]
pub(crate) struct StandingOptions {
    /// P: rank points
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) points: f64,
    /// U: unspent bonus points
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) unspent: f64,
    /// B: all bonus points of the season so far, as a player who never played has them
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) total: f64,
}

/// How many games are won.
#[derive(Args)]
pub(crate) struct ShareOptions {
    /// W: the share of games won, such as 0.55 or 55% [default: that of --wins and --losses, or 50%]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, value_parser = win_rate, conflicts_with_all = ["wins", "losses"])]
    pub(crate) win_rate: Option<WinRate>,
    /// Games won
    #[arg(long, value_name = "N", requires = "losses")]
    pub(crate) wins: Option<u32>,
    /// Games lost
    #[arg(long, value_name = "N", requires = "wins")]
    pub(crate) losses: Option<u32>,
}

#[derive(Args)]
pub(crate) struct MmrOptions {
    #[command(flatten)]
    pub(crate) standing: StandingOptions,
    #[command(flatten)]
    pub(crate) share: ShareOptions,
    #[command(flatten)]
    pub(crate) division: DivisionOptions,
    #[command(flatten)]
    pub(crate) shown: ShownOptions,
}

#[derive(Args)]
pub(crate) struct GamesOptions {
    /// Pp: points that `matchwright forensics mmr` calls differential
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) differential: f64,
    #[command(flatten)]
    pub(crate) share: ShareOptions,
    /// A: points of an average win without bonus [default: the season's, 13]
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) per_win: Option<f64>,
    /// Points that an average loss costs, as a positive number [default: the season's, 11]
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) per_loss: Option<f64>,
    /// The differential below which no loss leads, or `none` [default: the league's, 0]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = floor)]
    pub(crate) floor: Option<Floor>,
    #[command(flatten)]
    pub(crate) division: DivisionOptions,
    #[command(flatten)]
    pub(crate) shown: ShownOptions,
}

#[derive(Args)]
pub(crate) struct TierOptions {
    /// Table with name, points, unspent, wins, losses, total; league and division as columns or options
    pub(crate) table: PathBuf,
    /// Which column is what: name=...,points=...,wins=...,losses=... [default: by their names]
    #[arg(long, value_name = "NAMES", value_parser = TableColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: TableColumns,
    /// The league, if the table does not say
    #[arg(long, value_name = "NAME")]
    pub(crate) league: Option<String>,
    /// B, if the table does not say
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) total: Option<f64>,
    /// How much later than the total players may have been read
    #[arg(long, value_name = "HOURS", default_value_t = 10.0)]
    pub(crate) late_hours: f64,
    #[command(flatten)]
    pub(crate) shown: ShownOptions,
}

#[derive(Args)]
pub(crate) struct HistoryOptions {
    /// Table with change (points won, negative if lost), and bonus, minutes since the game before and the opponent's
    /// rating if known; oldest first
    pub(crate) table: PathBuf,
    /// Which column is what: name=...,points=...,wins=...,losses=... [default: by their names]
    #[arg(long, value_name = "NAMES", value_parser = TableColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: TableColumns,
    #[command(flatten)]
    pub(crate) standing: StandingOptions,
    #[command(flatten)]
    pub(crate) division: DivisionOptions,
    /// The bonus pool may have run out: bounds instead of numbers where that matters
    #[arg(long)]
    pub(crate) pool_may_be_empty: bool,
    /// Bonus points that the season gave while the pool was full
    #[arg(long, value_name = "POINTS", default_value = "0", value_parser = read_number)]
    pub(crate) expired: f64,
    /// The share of games to come that is won [default: 50%, as even opponents give]
    #[arg(long, value_name = "SHARE", value_parser = win_rate)]
    pub(crate) win_rate: Option<WinRate>,
    /// Games to look ahead, up to 14
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) ahead: u32,
    #[command(flatten)]
    pub(crate) shown: ShownOptions,
}

#[derive(Args)]
pub(crate) struct FitOptions {
    /// Snapshots of a server, in any order: tables with league, division, name, points, unspent, wins, losses, total.
    /// The total tells their order; two or more show what games bring and where leagues lie
    #[arg(required = true)]
    pub(crate) snapshots: Vec<PathBuf>,
    /// Which column is what: name=...,points=...,wins=...,losses=... [default: by their names]
    #[arg(long, value_name = "NAMES", value_parser = TableColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: TableColumns,
    /// Table of histories: player, league, division, differential after each game, promoted, weeks away before the
    /// game
    #[arg(long, value_name = "FILE")]
    pub(crate) histories: Option<PathBuf>,
    /// How much later than the total players may have been read
    #[arg(long, value_name = "HOURS", default_value_t = 10.0)]
    pub(crate) late_hours: f64,
    #[command(flatten)]
    pub(crate) shown: ShownOptions,
}

#[derive(Args)]
pub(crate) struct TopOptions {
    /// Table with name, points, unspent, wins, losses, total, and the posted points if they differ
    pub(crate) table: PathBuf,
    /// Which column is what: name=...,points=...,wins=...,losses=... [default: by their names]
    #[arg(long, value_name = "NAMES", value_parser = TableColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: TableColumns,
    /// Players to list
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) length: usize,
    /// B, if the table does not say
    #[arg(long, value_name = "POINTS", value_parser = read_number)]
    pub(crate) total: Option<f64>,
    /// The league [default: the highest]
    #[arg(long, value_name = "NAME")]
    pub(crate) league: Option<String>,
    #[command(flatten)]
    pub(crate) shown: ShownOptions,
}

/// Where losses stop.
#[derive(Clone, Copy)]
pub(crate) enum Floor {
    None,
    At(f64),
}

fn floor(text: &str) -> Result<Floor, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(Floor::None);
    }
    read_number(text).map(Floor::At)
}

fn win_rate(text: &str) -> Result<WinRate, String> {
    let share = read_share(text).map_err(str::to_owned)?;
    WinRate::new(share).map_err(|error| error.to_string())
}
