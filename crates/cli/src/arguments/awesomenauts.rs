//! Options of `matchwright reproduce awesomenauts`.

use clap::Args;

use super::WorldOptions;
use super::common::{PageOptions, SeedOption};

pub(super) const AWESOMENAUTS_EXAMPLES: &str = "\
Examples:
  matchwright reproduce awesomenauts --effort 0.01 --pools 2 --players 24 \\
    --starts 20 --worlds 2 --hours 0.5 --out awn
  matchwright reproduce awesomenauts --effort 0.01 --pools 2 --players 24 \\
    --starts 20 --worlds 2 --hours 0.5 --seconds 0.05

The article describes a search in words, with few numbers. Players and weights are generated, from defaults that the
page names. With the defaults it takes about two minutes on two cores.

All files depend on the options alone, but for those of --seconds, which depend on the machine as well and have pages
and tables of their own.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct AwesomenautsOptions {
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Number of threads, which does not affect results [default: all cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Players of a pool
    #[arg(long, value_name = "N", default_value_t = 96)]
    pub(crate) players: usize,
    /// Pools for each comparison
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) pools: usize,
    /// Starts in each of three pools, for a few starts against many
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub(crate) starts: usize,
    /// Streams of 1,200 players, cut into batches of 50 to 400
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub(crate) streams: usize,
    /// Evaluations and exchanges of every search, as a share of the default numbers
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub(crate) effort: f64,
    /// Compare at equal time too: seconds for each search on each pool, one after another on one thread
    #[arg(long, value_name = "SECONDS", value_parser = super::common::duration)]
    pub(crate) seconds: Option<std::time::Duration>,
    #[command(flatten)]
    pub(crate) queue: WorldOptions,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}
