//! The options of `matchwright pair`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::common::{NamesOption, duration};
use crate::graph::is_penalty;
use matchwright_import::EdgeColumns;

pub(super) const PAIR_EXAMPLES: &str = "\
Examples:
  matchwright pair examples/graphs/ten-players.txt --verify
  matchwright pair examples/graphs/ten-players.txt --solver local-search \\
    --verify
  matchwright pair examples/graphs/ten-players.txt --objective max --json
  matchwright pair examples/graphs/ten-players.txt --solver brute-force \\
    --out target/pairs.txt
  matchwright pair examples/graphs/friends.csv --columns weight=minutes_apart
  matchwright pair examples/lobby/players.csv --out target/duels.csv
  printf 'id,x,y\\na,0,0\\nb,9,9\\nc,0,1\\nd,9,8\\n' | matchwright pair -
  matchwright pair examples/graphs/ten-players.txt --deadline 0.5 --verify
  matchwright pair examples/graphs/ten-players.txt --unmatched-penalty 2.5 \\
    --verify
  printf '3 2\\n0 1 5\\n1 2 4\\n' | matchwright pair - --fewest-unmatched --json

GRAPH is plain, gzip or zstd, or - for standard input, and one of:
  a text edge list: a line `n m`, then m lines `i j weight` with vertices from 0;
  CSV or JSON of pairs: player1, player2 and weight, with any names in the first two;
  CSV or JSON of players: id and skill, as `matchwright rate --out` writes them; every pair is possible
  and costs the difference of the two ratings;
  CSV or JSON of points: id, x, y and perhaps z; every pair is possible and costs the distance of the two.
Pairs that are not listed are forbidden. Pairs of names are written as CSV, which can be read again.

Every vertex is paired, unless some may stay unmatched: at a penalty each, which is added to the cost
(with --objective max: taken off it), so that only pairs are made that are worth their penalties; or as
few as possible. The proof covers who is unmatched. A line `i -` for each of them follows the pairs.

With --deadline the exact solver stops in time to pair the rest as well as it can, to prove how far from
the optimum that may be, and with --verify to check this: all of that ends with the deadline, which
counts from when the graph is read. If there was no time to check, the verdict says so. A deadline
shorter than some five looks at all pairs, or ten microseconds a point, is overrun. Where the solver stops
depends on the machine: such a run is not reproducible to the byte, and says so. Ctrl-C stops the solver as
the deadline does; the exit code is 0. A second Ctrl-C ends the program.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct PairOptions {
    /// Edge list, or CSV or JSON of pairs with weights or of players with ratings or points; plain, gzip or zstd, or - for standard input
    pub(crate) graph: PathBuf,
    /// Which column or key is what: player1=...,player2=...,weight=..., or id=...,skill=..., or id=...,x=...,y=...
    #[arg(long, value_name = "NAMES", value_parser = EdgeColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: EdgeColumns,
    #[command(flatten)]
    pub(crate) names: NamesOption,
    /// How far apart points are [default: euclidean]
    #[arg(long, value_enum)]
    pub(crate) distances: Option<DistancesName>,
    /// Least or most total weight [default: min]
    #[arg(long, value_enum)]
    pub(crate) objective: Option<ObjectiveName>,
    /// How to pair
    #[arg(long, value_enum, default_value_t = SolverName::Exact)]
    pub(crate) solver: SolverName,
    /// Stop the exact solver after this time, such as 5s, 500ms or 2m, and prove how good the best pairing so far is
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration, conflicts_with_all = ["unmatched_penalty", "unmatched_penalties", "fewest_unmatched"])]
    pub(crate) deadline: Option<Duration>,
    /// Let vertices stay unmatched, each at this penalty
    #[arg(long, value_name = "PENALTY", value_parser = penalty)]
    pub(crate) unmatched_penalty: Option<f64>,
    /// Let vertices stay unmatched at the penalties in this file: lines `i penalty`, others at --unmatched-penalty
    #[arg(long, value_name = "FILE")]
    pub(crate) unmatched_penalties: Option<PathBuf>,
    /// Leave as few vertices unmatched as possible; penalties, 0 by default, only say which
    #[arg(long)]
    pub(crate) fewest_unmatched: bool,
    /// Check the certificate with independent code; for local-search, path-growing and greedy, find a bound first
    #[arg(long)]
    pub(crate) verify: bool,
    /// Seed of the random solver
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the pairs to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print cost, bound, verdict, times and pairs as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn penalty(text: &str) -> Result<f64, String> {
    let penalty = text.parse().ok().filter(|&penalty| is_penalty(penalty));
    penalty.ok_or_else(|| "give a finite number, in the unit of the weights".to_owned())
}

/// Names of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DistancesName {
    /// The straight line
    Euclidean,
    /// The same, rounded to the nearest whole number, as `EUC_2D` of TSPLIB
    Rounded,
}

/// Names of the objectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectiveName {
    /// Least total weight
    Min,
    /// Most total weight
    Max,
}

/// Names of the solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    /// Blossom algorithm, with a certificate
    Exact,
    /// Greedy, then exchanges among two and three pairs until none gains
    LocalSearch,
    /// Every second edge along paths of the best edges
    PathGrowing,
    /// Best edge first
    Greedy,
    /// Vertices 0 and 1, 2 and 3, and so on
    SortAdjacent,
    /// Any perfect matching of a complete graph, by seed
    Random,
    /// Every pairing, for at most 12 vertices
    BruteForce,
}
