//! The options of `matchwright lobby`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{NamesOption, RatingScaleOption, SeedOption, duration};
use crate::input::read_share;
use matchwright_import::PlayerColumns;

pub(super) const LOBBY_EXAMPLES: &str = "\
Examples:
  matchwright lobby examples/lobby/players.jsonl \\
    --policy examples/policies/awesomenauts.toml --deadline 2s
  matchwright lobby examples/lobby/players.csv \\
    --policy examples/policies/awesomenauts.toml --iterations 200000 --explain
  matchwright lobby examples/lobby/players.jsonl \\
    --policy examples/policies/awesomenauts.toml --verify --out target/lobby
  matchwright lobby examples/lobby/players.jsonl \\
    --policy examples/policies/awesomenauts.toml --teams 2v3 --iterations 20000 --json

PLAYERS is CSV, JSON lines or a JSON array (plain, gzip or zstd) or Parquet, or - for standard input: one player a row.
What `matchwright rate --out` writes is such a file. Keys of JSON and columns of CSV have the same
names, unless --columns says otherwise; others are passed over, and named: id, skill, uncertainty, party, region, experience,
languages, roles, recent_opponents, recent_teammates, blocks, friends, griefer, wait_seconds,
can_host, connects_to, offence, defence, glory. All but id may be left out, unless the policy
needs them. In CSV lists are separated by `;`, pings to regions are columns ping_REGION, pings
to players are ping_to with `ann=30;bob=45`, and churn is churn_win, churn_draw, churn_loss; in
JSON these are the objects pings, ping_to and churn. A party is the same text for all its
members, who stay in one team.

FILE of --policy is TOML or JSON by its ending; `matchwright schema policy` lists all keys.

A policy is for ratings of one scale: `points_for_ten_to_one` at its top, else the scale of its win_probability, else 400 as
Elo's. The manifest that `rate --out` writes beside its file tells the scale of the ratings, as long as the file is not edited;
ratings of another scale are refused, unless --rating-scale brings them to the policy's.

The answer has the mean quality of the matches, an upper bound that no other lineup exceeds, and
the gap between the two. Where the policy's total is another power mean or a quantile
(`scoring.total`), the search maximises that; bound and gap stay those of the mean. How likely a
team wins is told by the policy's `win_probability`, and where the teams of --teams are not of one
size by the system that rated the players, if the manifest of `matchwright rate --out` stands beside
them: the policy compares mean skills. An unmatched player costs a penalty of 1, and 1 more for each 5 minutes
of wait_seconds: as many play as can, those who have waited longest first. With --deadline where
the search stops depends on the machine: such a run is not reproducible to the byte, and says so. Ctrl-C ends the search as the deadline does,
with exit code 0; a second Ctrl-C ends the program.
Without it the same seed gives the same bytes for any --threads, but a bound on more than 100
players may take minutes: a larger --gap or --deadline ends it.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct LobbyOptions {
    /// Players who wait: CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input
    pub(crate) players: PathBuf,
    /// Which column or key is what: id=...,skill=...,region=...
    #[arg(long, value_name = "NAMES", value_parser = PlayerColumns::parse, default_value = "", hide_default_value = true)]
    pub(crate) columns: PlayerColumns,
    #[command(flatten)]
    pub(crate) names: NamesOption,
    /// What a good match is: a policy document (.toml or .json), or the name of one that the program carries
    #[arg(long, value_name = "FILE", default_value = "even")]
    pub(crate) policy: PathBuf,
    #[command(flatten)]
    pub(crate) scale: RatingScaleOption,
    /// Players of each team of a match, such as 3v3, 2v3 or 4v4v4
    #[arg(long, value_name = "AvB[vC...]", default_value = "3v3", value_parser = sizes)]
    pub(crate) teams: TeamSizes,
    /// Time for searching and proving, such as 5s, 500ms or 2m
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = duration, conflicts_with = "iterations")]
    pub(crate) deadline: Option<Duration>,
    /// Exchanges that a search tries, before it looks for a bound [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) iterations: Option<u64>,
    /// Stop as soon as the gap is this small, such as 0.5% or 0.005; 0 asks for the optimum [default: 1%, with
    /// --deadline 0]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, value_parser = share)]
    pub(crate) gap: Option<f64>,
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Threads; without --deadline results do not depend on it [default: all cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Check lineups and bound with independent code: a second for 100 players, much more for many
    #[arg(long)]
    pub(crate) verify: bool,
    /// Break each score down: every factor of every match
    #[arg(long)]
    pub(crate) explain: bool,
    /// Folder for lineups.json, matches.csv, the page lobby.html and the manifest
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Players of each team of a match.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub(crate) struct TeamSizes(pub(crate) Vec<usize>);

/// A match has no more teams.
const MOST_TEAMS: usize = 100;

impl std::fmt::Display for TeamSizes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&sizes.join("v"))
    }
}

/// `3v3` or `2v3v4`.
fn sizes(text: &str) -> Result<TeamSizes, String> {
    let size = |text: &str| text.parse().ok().filter(|&size: &usize| size > 0);
    let sizes: Option<Vec<usize>> = text.split('v').map(size).collect();
    sizes
        .filter(|sizes| (2..=MOST_TEAMS).contains(&sizes.len()))
        .map(TeamSizes)
        .ok_or_else(|| format!("give the sizes of 2 to {MOST_TEAMS} teams, such as 3v3, 2v3 or 4v4v4"))
}

/// `1%` or `0.01`.
fn share(text: &str) -> Result<f64, String> {
    let share = read_share(text).ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a share from 0 to 1, such as 0.01 or 1%".to_owned())
}
