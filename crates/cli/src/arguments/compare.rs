//! The options of `matchwright compare`.

use std::path::PathBuf;

use clap::Args;
use matchwright_rating::{DrawKind, SystemName};

use super::common::SeedOption;
use super::rate::systems;
use super::{ReadingOptions, draw_models};

pub(super) const COMPARE_EXAMPLES: &str = "\
Examples:
  matchwright compare examples/matches.csv
  matchwright compare examples/matches.csv --systems elo,glicko2 \\
    --tune target/systems.toml --out target/compare
  matchwright compare examples/matches.csv --systems elo,glicko2,dom \\
    --baseline elo
  matchwright compare examples/teams.jsonl --systems trueskill,weng-lin --json
  matchwright compare examples/parties.jsonl --systems trueskill,weng-lin \\
    --by context

FILE is a file of matches, as `matchwright rate --help` describes it.

Every system goes through the matches once, in order of time, and forecasts each before it learns from it. The forecasts
of the last fifth are evaluated (--evaluate-from). The differences are those of the log loss of decisive games, between
each system and the best, or --baseline, on the same games; their intervals, of 95 %, are of a paired bootstrap over blocks
of neighbouring games. A difference whose interval does not hold 0 is called clear.

--tune fits the parameters of every system to the matches before the evaluated part, and writes them to a file that
--config reads, here and in `matchwright rate`. A file has a table for each system, [glicko2], with period,
home_advantage, margin, performance, draws and its own parameters, [glicko2.params].

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct CompareOptions {
    /// File of matches: CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input
    pub(crate) file: PathBuf,
    /// Rating systems
    #[arg(long, value_delimiter = ',', value_parser = systems(), value_name = "SYSTEMS", hide_possible_values = true,
        default_value = "elo,glicko,glicko2,trueskill,weng-lin,elo-mmr")]
    pub(crate) systems: Vec<SystemName>,
    /// The system that the others are compared with [default: the best]
    #[arg(long, value_parser = systems(), value_name = "SYSTEM", hide_possible_values = true)]
    pub(crate) baseline: Option<SystemName>,
    /// Tell forecasts apart by the values of this column or key: map, mode, patch
    #[arg(long, value_name = "KEY")]
    pub(crate) by: Option<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Share of the matches after which predictions are evaluated
    #[arg(long, default_value_t = 0.8, value_name = "SHARE")]
    pub(crate) evaluate_from: f64,
    /// How draws get their probability [default: davidson]
    #[arg(long, value_parser = draw_models())]
    pub(crate) draws: Option<DrawKind>,
    /// Parameters of the systems, from this file
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Fit the parameters to the matches before the evaluated part, and write them to this file
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) tune: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Folder for compare.json, compare.csv, the page index.html and the manifest
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
