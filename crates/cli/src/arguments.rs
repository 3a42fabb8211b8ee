//! The command line, as its users see it.

mod awesomenauts;
mod bundled;
mod claims;
mod common;
mod compare;
mod forensics;
mod import;
mod ladder;
mod lobby;
mod pair;
mod rate;
mod reading;
mod replay;
mod season;
#[cfg(feature = "serve")]
mod serve;
mod simulate;

use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use matchwright_papers::WorldSize;
use matchwright_papers::eomm::study::Shard;
use matchwright_rating::DrawKind;

use crate::failure::{Failure, short_numbers};
use crate::output::Place;
use matchwright_import::number::read_size;

use awesomenauts::AWESOMENAUTS_EXAMPLES;
pub(crate) use awesomenauts::AwesomenautsOptions;
use bundled::{COMPLETIONS_EXAMPLES, EXAMPLES_EXAMPLES, MAN_EXAMPLES, SCHEMA_EXAMPLES};
pub(crate) use bundled::{CompletionsOptions, ExamplesOptions, ManOptions, SchemaOptions};
use claims::CLAIMS_EXAMPLES;
pub(crate) use claims::ClaimsArguments;
use common::named;
pub(crate) use common::{PageOptions, SeedOption};
use compare::COMPARE_EXAMPLES;
pub(crate) use compare::CompareOptions;
use forensics::FORENSICS_EXAMPLES;
pub(crate) use forensics::{
    DivisionOptions, FitOptions, Floor, Forensics, GamesOptions, HistoryOptions, MmrOptions, ShareOptions,
    ShownOptions, StandingOptions, TierOptions, TopOptions,
};
use import::IMPORT_EXAMPLES;
pub(crate) use import::ImportOptions;
pub(crate) use ladder::{LadderOptions, PoolName};
use lobby::LOBBY_EXAMPLES;
pub(crate) use lobby::{LobbyOptions, TeamSizes};
use pair::PAIR_EXAMPLES;
pub(crate) use pair::{DistancesName, ObjectiveName, PairOptions, SolverName};
use rate::RATE_EXAMPLES;
pub(crate) use rate::{BetweenOptions, MarginChoice, PartyName, RankName, RateOptions, SeasonStarts};
use reading::encoding;
pub(crate) use reading::{DecimalSign, Forfeits, ReadingOptions};
use replay::REPLAY_EXAMPLES;
pub(crate) use replay::{LogOptions, PatienceChoice, ReplayOptions};
use season::SEASON_EXAMPLES;
pub(crate) use season::{BasesOptions, LedgerOptions, PieceName, PullOptions, Season};
#[cfg(feature = "serve")]
use serve::SERVE_EXAMPLES;
#[cfg(feature = "serve")]
pub(crate) use serve::{DurabilityChoice, RatingChoice, RunService, ServeOptions, ServeWhat};
use simulate::SIMULATE_EXAMPLES;
pub(crate) use simulate::{
    FitWorldOptions, RunOptions, SceneOptions, Simulate, SizeOptions, TuneOptions, Varied, WorldsOptions,
};

/// Design, prove and run matchmaking: who is how good, who is about to leave, who plays with whom.
#[derive(Parser)]
#[command(
    name = "matchwright",
    version,
    about,
    after_help = TOP_EXAMPLES,
    max_term_width = 100
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Longest row to accept, a line of CSV or an object of JSON: 64KiB or more [default: 8MiB]
    #[arg(long, global = true, value_name = "SIZE", value_parser = read_size)]
    pub(crate) max_row: Option<usize>,
    /// Encoding of the inputs: latin1, windows-1251, gbk or any other label that browsers know [default: UTF-8, or UTF-16 where
    /// the file begins with a byte order mark]
    #[arg(long, global = true, value_name = "NAME", value_parser = encoding)]
    pub(crate) encoding: Option<String>,
    /// Allow work of any size; without it there are limits, among them 100 million simulated tickets, 1 billion generated
    /// matches, and 10 million exchanges tried for a match
    #[arg(long, global = true)]
    pub(crate) yes: bool,
}

/// The command line. `-1` after an option is its value, which the option may refuse; help is reflowed to the terminal's width.
pub(crate) fn definition() -> clap::Command {
    fn finished(command: clap::Command) -> clap::Command {
        let with_negative_numbers = |argument: clap::Arg| {
            let is_option = !argument.is_positional() && argument.get_action().takes_values();
            argument.allow_negative_numbers(is_option)
        };
        let help = command.get_after_help().map(|help| reflowed(&help.to_string()));
        command
            .mut_args(with_negative_numbers)
            .after_help(help.unwrap_or_default())
            .mut_subcommands(finished)
    }
    finished(Arguments::command())
}

/// The text with the lines of each paragraph joined; indented lines stay as they are.
fn reflowed(text: &str) -> String {
    let mut joined = String::new();
    let mut is_prose_before = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !joined.is_empty() {
            joined.push(if is_prose && is_prose_before { ' ' } else { '\n' });
        }
        joined.push_str(line);
        is_prose_before = is_prose;
    }
    joined
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a published study on your matches or on a generated population
    #[command(after_help = STUDY_EXAMPLES)]
    Study {
        #[command(subcommand)]
        study: Study,
    },
    /// Reproduce a paper: its tables, figures and theory, with our results beside them
    #[command(after_help = PAPERS_EXAMPLES)]
    Reproduce {
        #[command(subcommand)]
        paper: Paper,
    },
    /// Check every claim of the five sources (EOMM, Dota 2, DomiNations, Awesomenauts, StarCraft II), one row each
    #[command(after_help = CLAIMS_EXAMPLES)]
    Claims(ClaimsArguments),
    /// Join the parts of a run made with --shard; the result has the same bytes as a run in one piece
    #[command(after_help = MERGE_EXAMPLES)]
    Merge(MergeOptions),
    /// Show how a file of matches is understood, and write a clean copy of it
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportOptions),
    /// Rate the players of a file of matches, and say how well the ratings predicted
    #[command(after_help = RATE_EXAMPLES)]
    Rate(Box<RateOptions>),
    /// Compare rating systems by their forecasts of the same matches, and tune their parameters
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareOptions),
    /// Pair all vertices of a weighted graph at the least (or most) total weight, with a proof
    #[command(after_help = PAIR_EXAMPLES)]
    Pair(PairOptions),
    /// Put waiting players into matches of two teams by a policy, and prove how good that is
    #[command(after_help = LOBBY_EXAMPLES)]
    Lobby(LobbyOptions),
    /// Replay a log of a queue under a policy: waits, quality, costs, and what another policy or hindsight would save
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(Box<ReplayOptions>),
    /// Simulate a population under policies before anyone plays: waits, quality, costs, who leaves
    #[command(after_help = SIMULATE_EXAMPLES)]
    Simulate {
        #[command(subcommand)]
        question: Simulate,
    },
    /// Run matchmaking for a game: tickets, matches, results and ratings over HTTP, stored durably in one folder
    #[cfg(feature = "serve")]
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Box<ServeOptions>),
    /// Find out what a ladder hides: ratings, promotion, tiers of divisions, constants of a season
    #[command(after_help = FORENSICS_EXAMPLES)]
    Forensics {
        #[command(subcommand)]
        question: Forensics,
    },
    /// Open a season of DOM MMR: pull ratings together, count the points that matches make, compare bases
    #[command(after_help = SEASON_EXAMPLES)]
    Season {
        #[command(subcommand)]
        question: Season,
    },
    /// List, print or write the files that the examples of this help use
    #[command(after_help = EXAMPLES_EXAMPLES)]
    Examples(ExamplesOptions),
    /// List or print the JSON Schemas of the documents that this program reads
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema(SchemaOptions),
    /// Print what a shell needs to complete this command line
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsOptions),
    /// Write the manual: a page for each command
    #[command(after_help = MAN_EXAMPLES)]
    Man(ManOptions),
}

#[derive(Subcommand)]
pub(crate) enum Study {
    /// EOMM's case study: ratings, churn model, player states, four ways of matchmaking (Table 2)
    #[command(after_help = EOMM_EXAMPLES)]
    Eomm(Box<EommOptions>),
}

#[derive(Subcommand)]
pub(crate) enum Paper {
    /// EOMM (Chen et al., WWW 2017): Tables 1 and 2, Figures 2 and 3, sections 4 and 5
    #[command(after_help = REPRODUCE_EXAMPLES)]
    Eomm(Box<ReproduceOptions>),
    /// "Dota 2: Matchmaking" (Valve, 2013): percentiles, the worked match with parties, calibration, performance
    #[command(after_help = DOTA_EXAMPLES)]
    Dota(DotaOptions),
    /// "World War Matchmaking" (DomiNations, 2019): base ratings, K, newcomers, the season's pull, inflation
    #[command(after_help = DOMINATIONS_EXAMPLES)]
    Dominations(DominationsOptions),
    /// "The Awesomenauts matchmaking algorithm" (Ronimo Games, 2018): its local search against others, from several
    /// starts, in batches, by different totals
    #[command(after_help = AWESOMENAUTS_EXAMPLES)]
    Awesomenauts(AwesomenautsOptions),
    /// "Understanding The Matchmaking System in Starcraft II" (2011): ratings behind points, tiers, promotion
    #[command(after_help = SC2_EXAMPLES)]
    Sc2(Sc2Options),
}

const TOP_EXAMPLES: &str = "\
Examples:
  matchwright examples --out examples
  matchwright rate --system glicko2 examples/matches.csv
  matchwright pair examples/graphs/ten-players.txt --verify
  matchwright lobby examples/lobby/players.jsonl \\
    --policy examples/policies/awesomenauts.toml --deadline 2s
  matchwright replay examples/queue/tickets.csv --policy prices \\
    --against widening
  matchwright simulate compare ladder-season --worlds 5

`matchwright COMMAND --help` has examples of each command.

Exit codes: 0 done, 1 failed, 2 usage.";

const STUDY_EXAMPLES: &str = "\
Examples:
  matchwright study eomm --matches examples/matches.csv --rounds 20 --pools 50

`matchwright study eomm --help` has more.

Exit codes: 0 done, 1 failed, 2 usage.";

const PAPERS_EXAMPLES: &str = "\
Examples:
  matchwright reproduce dota --out target/dota
  matchwright reproduce eomm --players 1000 --days 20 --rounds 20 \\
    --fit-rows 4000 --out target/eomm

`matchwright reproduce PAPER --help` has more of each.

Exit codes: 0 done, 1 failed, 2 usage.";

const DOTA_EXAMPLES: &str = "\
Examples:
  matchwright reproduce dota --data-sets 20 --games 500 --worlds 2 --hours 0.5
  matchwright reproduce dota --data-sets 20 --worlds 2 --hours 0.5 \\
    --out target/dota

The document prints eight percentiles, one match and a few rules, and seven criteria in words. What it does not print
is generated, from defaults that are listed on the page that --out writes; its queue is simulated.

Exit codes: 0 done, 1 failed, 2 usage.";

const DOMINATIONS_EXAMPLES: &str = "\
Examples:
  matchwright reproduce dominations --newcomers 200 --worlds 2 --hours 12
  matchwright reproduce dominations --newcomers 200 --rounds 20 \\
    --worlds 2 --hours 12 --out target/dominations

The document describes windows, K and its schedule without numbers. What it does not print is generated, from defaults
that are listed on the page that --out writes; its queues are simulated, which takes minutes with the defaults.

Exit codes: 0 done, 1 failed, 2 usage.";

const SC2_EXAMPLES: &str = "\
Examples:
  matchwright reproduce sc2 --ladders 5
  matchwright reproduce sc2 --ladders 100 --out target/sc2

Worked numbers and constants of the document, then what can be recovered from generated ladders whose
constants the estimators do not see. A hundred ladders of each kind take some minutes.

Exit codes: 0 done, 1 failed, 2 usage.";

const REPRODUCE_EXAMPLES: &str = "\
Examples:
  matchwright reproduce eomm --players 1000 --days 20 --rounds 20 \\
    --fit-rows 4000 --out target/eomm

At the paper's size, --rounds 10000, it takes some minutes; parts can run on several machines: see --shard
and `matchwright merge --help`.

Exit codes: 0 done, 1 failed, 2 usage.";

const EOMM_EXAMPLES: &str = "\
Examples:
  matchwright study eomm --rounds 20 --pools 50,100 --players 500 --days 15
  matchwright study eomm --matches examples/matches.csv --rounds 20 \\
    --pools 50 --out target/eomm
  matchwright study eomm --population examples/populations/small.toml \\
    --rounds 20 --pools 50

Many rounds can be run in parts, on several machines: see --shard and `matchwright merge --help`.

FILE is CSV or JSON lines (plain, gzip or zstd) or Parquet, or - for standard input. It needs a time (RFC 3339, a
date, Unix seconds or milliseconds; other plain numbers with --time-unit, other forms with --time-format), two
players, and two scores or a result (1, 0.5, 0 for the first player).

Exit codes: 0 done, 1 failed, 2 usage.";

const MERGE_EXAMPLES: &str = "\
Examples:
  matchwright study eomm --players 500 --days 15 --pools 50 --shard 1/2 \\
    --out target/1.cbor
  matchwright study eomm --players 500 --days 15 --pools 50 --shard 2/2 \\
    --out target/2.cbor
  matchwright merge target/1.cbor target/2.cbor --out target/eomm

Parts may run on different machines, at different times, with any number of threads. All must be made
by one version of the program, with the same options but for --shard, --threads and --out.

Exit codes: 0 done, 1 failed, 2 usage.";

#[derive(Args)]
pub(crate) struct ReproduceOptions {
    /// Rounds of matchmaking for each pool size (the paper: 10000)
    #[arg(long, default_value_t = 200)]
    pub(crate) rounds: u32,
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Number of threads, which does not affect results [default: all cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    #[command(flatten)]
    pub(crate) population: PopulationOptions,
    /// Number of generated regions over which Table 1 is counted [default: those of the population, and 32 at 10,000
    /// rounds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stream_regions: Option<u32>,
    /// Player-matches that each churn model is fitted on, at most [default: 100000, and 20000 in each world that departs
    /// from EOMM's assumptions]
    #[arg(long, value_name = "N")]
    pub(crate) fit_rows: Option<usize>,
    #[command(flatten)]
    pub(crate) sharing: ShardOptions,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

#[derive(Args)]
pub(crate) struct DotaOptions {
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Generated data sets on which the party bonus is fitted
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) data_sets: u32,
    /// Generated games with individual performance
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) games: u32,
    #[command(flatten)]
    pub(crate) queue: WorldOptions,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

/// The generated worlds of a document's queue; shared by the documents that have one.
#[derive(Args)]
pub(crate) struct WorldOptions {
    /// Generated worlds of the queue; of fewer than 20, statements about them are inconclusive
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) worlds: u64,
    /// Hours of each of these worlds [default: those of the scenario]
    #[arg(long, value_name = "HOURS")]
    pub(crate) hours: Option<f64>,
}

impl WorldOptions {
    pub(crate) fn size(&self) -> WorldSize {
        WorldSize {
            worlds: self.worlds,
            hours: self.hours,
        }
    }
}

#[derive(Args)]
pub(crate) struct DominationsOptions {
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// New alliances that are simulated for each true strength
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub(crate) newcomers: u32,
    /// Rounds of wars in the simulation of inflation
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) rounds: u32,
    #[command(flatten)]
    pub(crate) queue: WorldOptions,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

#[derive(Args)]
pub(crate) struct Sc2Options {
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Generated ladders of each kind
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) ladders: u32,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

/// How large a generated population is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScaleName {
    /// That of the paper's data set
    Paper,
}

/// A population to generate; shared by all commands that do.
#[derive(Args)]
pub(crate) struct PopulationOptions {
    /// Parameters of the generated population (TOML)
    #[arg(long, value_name = "FILE")]
    pub(crate) population: Option<PathBuf>,
    /// Generate at the paper's size: 1,680,000 players, and enough days for 36.9 million matches; takes minutes, and 3.5 GB of memory
    #[arg(long, value_enum, conflicts_with_all = ["players", "days", "population"])]
    pub(crate) scale: Option<ScaleName>,
    /// Players in the generated population
    #[arg(long, value_name = "N")]
    pub(crate) players: Option<u32>,
    /// Days that the generated population plays
    #[arg(long, value_name = "DAYS")]
    pub(crate) days: Option<f64>,
}

/// Running one part of the work; shared by all commands that can be split.
#[derive(Args)]
pub(crate) struct ShardOptions {
    /// Do only part K of N, into the file that --out names, for `matchwright merge` to join with the others
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
}

impl ShardOptions {
    /// Refuses --shard without --out, and with --json.
    pub(crate) fn check(&self, out: Option<&Path>, json: bool) -> Result<(), Failure> {
        match self.shard {
            Some(shard) if out.is_none() => Err(Failure::Usage(format!(
                "--shard {shard} without --out: give the file for this part, such as --out part-{}.cbor",
                shard.index()
            ))),
            Some(shard) if json => Err(Failure::Usage(format!(
                "--json with --shard {shard}: a part has no results yet; give --json to `matchwright merge`"
            ))),
            _ => Ok(()),
        }
    }

    /// What --out names: a file for one part, a folder for the whole run.
    pub(crate) fn place<'a>(&self, out: Option<&'a Path>) -> Option<Place<'a>> {
        out.map(match self.shard {
            Some(_) => Place::File,
            None => Place::Folder,
        })
    }
}

#[derive(Args)]
pub(crate) struct MergeOptions {
    /// Files written with --shard, all parts of one run in any order
    #[arg(required = true, value_name = "PART")]
    pub(crate) parts: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

#[derive(Args)]
pub(crate) struct EommOptions {
    /// File of matches; without it a population is generated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["population", "players", "days", "scale"])]
    pub(crate) matches: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    /// Rounds of matchmaking for each pool size (the paper: 10000)
    #[arg(long, default_value_t = 200)]
    pub(crate) rounds: u32,
    /// Pool sizes, even numbers
    #[arg(long, value_delimiter = ',', default_values_t = [100, 200, 300, 400, 500])]
    pub(crate) pools: Vec<usize>,
    #[command(flatten)]
    pub(crate) random: SeedOption,
    /// Number of threads for the rounds, which does not affect results [default: all cores]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
    /// Hours without a match that count as churn
    #[arg(long, default_value_t = 8, value_name = "HOURS")]
    pub(crate) horizon: u32,
    /// Model of the chance of a draw
    #[arg(long, value_parser = draw_models(), default_value = "fixed")]
    pub(crate) draws: DrawKind,
    /// Draw rate between equals (the paper: 0.2) [default: fitted to the data]
    #[arg(long, value_name = "RATE")]
    pub(crate) draw_rate: Option<f64>,
    /// How rows are split into the folds of cross-validation
    #[arg(long, value_enum, default_value_t = FoldName::Player)]
    pub(crate) folds: FoldName,
    /// How many folds
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub(crate) fold_count: usize,
    /// Player-matches that the churn model is fitted on, at most
    #[arg(long, default_value_t = 40_000, value_name = "N")]
    pub(crate) fit_rows: usize,
    /// Number of matches sampled: the states of their players are what pools are drawn from
    #[arg(long, default_value_t = 5_000, value_name = "N")]
    pub(crate) state_matches: usize,
    #[command(flatten)]
    pub(crate) population: PopulationOptions,
    /// Write the generated matches to this file: .csv, .csv.gz, .csv.zst or .parquet
    #[arg(long, value_name = "FILE", conflicts_with = "matches")]
    pub(crate) save_matches: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) sharing: ShardOptions,
    #[command(flatten)]
    pub(crate) page: PageOptions,
}

/// `2/3`: the second of three parts.
fn shard(text: &str) -> Result<Shard, String> {
    text.parse().map_err(|error| short_numbers(&format!("{error}")))
}

/// The draw models by their names.
fn draw_models() -> impl TypedValueParser<Value = DrawKind> {
    use DrawKind::{Davidson, Fixed, RaoKupper};
    named([
        (
            "fixed",
            "Constant, whatever the gap of ratings (EOMM, eq. 10)",
            Fixed,
        ),
        ("davidson", "Davidson 1970: rarer the wider the gap", Davidson),
        (
            "rao-kupper",
            "Rao and Kupper 1967: a draw where the difference is within a threshold",
            RaoKupper,
        ),
    ])
}

/// How folds are made, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FoldName {
    /// No player in both the training and the test rows
    Player,
    /// Train on the past, test on what follows
    Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_stay() {
        let text = "Examples:\n  one\n  two\n\nSome\nprose:\n  three\nMore\n\nEnd";
        let joined = "Examples:\n  one\n  two\n\nSome prose:\n  three\nMore\n\nEnd";
        assert_eq!(reflowed(text), joined);
    }

    /// No example line is wider than 80 columns.
    #[test]
    fn every_command_has_examples_of_its_own() {
        let mut commands = vec![(definition(), String::new())];
        let mut seen = std::collections::HashSet::new();
        while let Some((command, before)) = commands.pop() {
            let path = format!("{before}{} ", command.get_name());
            let help = command.get_after_help().unwrap().to_string();
            let own = format!("  {path}");
            assert!(help.lines().any(|line| line.starts_with(&own)), "{path}: {help}");
            assert!(seen.insert(help.clone()), "{path}");
            let mut examples = help.lines().filter(|line| line.starts_with("  "));
            let wide = examples.find(|line| line.starts_with("  matchwright ") && line.len() > 80);
            assert_eq!(wide, None, "{path}");
            let inner = command.get_subcommands().cloned();
            commands.extend(inner.map(|inner| (inner, path.clone())));
        }
    }
}
