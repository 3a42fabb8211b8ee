//! Options of `matchwright claims`.

use std::path::PathBuf;

use clap::Args;

pub(super) const CLAIMS_EXAMPLES: &str = "\
Examples:
  matchwright claims --quick                    # without the study: a minute
  matchwright claims --source dota
  matchwright claims --only EOMM-Eq1,EOMM-X3    # these rows
  matchwright claims --rounds 10000 --json      # as many rounds as the paper
  matchwright claims --deep                     # at full scale: hours

The verdicts are computed by library calls at the time of the run: confirmed; corrected, where the source is wrong as
printed, which the check shows, and the corrected statement holds; made precise, where it is vague; not confirmed;
inconclusive, with too few samples; open, where the work is to come.

Exit codes: 0 done, 1 a verdict is another than the words of the claim take for granted, a claim has no check or a check no
claim, 2 usage.";

#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ClaimsArguments {
    /// Only the claims of this source
    #[arg(long, value_name = "DOCUMENT", value_parser = ["eomm", "awesomenauts", "dota", "dominations", "sc2"])]
    pub(crate) source: Option<String>,
    /// Only these claims
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    pub(crate) only: Vec<String>,
    /// Leave out what needs the study, a stream of regions or another long run: under a minute
    #[arg(long)]
    pub(crate) quick: bool,
    /// As many rounds, players and starts as the documents have: hours
    #[arg(long, conflicts_with = "quick")]
    pub(crate) deep: bool,
    /// Rounds of the study for each pool size [default: 1000; with --deep 10000]
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) rounds: Option<u32>,
    /// Seed of the population, of the study and of the checks' own samples
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print the rows as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write this Markdown page as well: all of it, or the rows that were checked
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "rounds", "seed"])]
    pub(crate) write: Option<PathBuf>,
}
