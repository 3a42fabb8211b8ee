//! The options of `matchwright import`.

use std::path::PathBuf;

use clap::Args;

use super::ReadingOptions;

pub(super) const IMPORT_EXAMPLES: &str = r"Examples:
  matchwright import examples/matches.csv
  matchwright import examples/teams.jsonl --out target/clean.jsonl
  matchwright import examples/matches.csv --time-unit seconds \
    --save target/reading.toml
  matchwright rate --system glicko2 --reading target/reading.toml \
    examples/matches.csv

Says what FILE was understood as, before anything is rated: how many matches of which kinds, players, from when to when, the first match in
words, what each column is taken for, what was left out and why. FILE is read as by `rate`: CSV with any separator, JSON lines, JSON
arrays and objects with matches anywhere in them (of Lichess, chess.com, OpenDota, Riot, football-data.org, openfootball and others), PGN,
FIDE's reports (TRF), Excel workbooks, Parquet; plain, gzip or zstd.

--out writes the matches as this program reads them without any option: CSV for matches of one against one, JSON lines (a name that ends in
.jsonl) for any; a name that ends in .trf is FIDE's report of a tournament. --save writes the options of reading, with what all of the file told beside them (the order of dates, commas in numbers), as a small document, which --reading takes in place of them.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct ImportOptions {
    /// File of matches, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Write the matches into this file, CSV, JSON lines or a report by its name (.csv, .jsonl, each with .gz or .zst, .trf)
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the options of reading into this file, for --reading
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
