//! The options of `matchwright serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use matchwright_rating::SystemName;

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  matchwright serve
  matchwright serve --policy examples/policies/duel.toml --data target/duels
  matchwright serve --policy awesomenauts-at-once --rating trueskill \\
    --servers eu1.example:7777,eu2.example:7777
  matchwright serve --listen 0.0.0.0:7711 --keys keys.json \\
    --issuer https://id.example --audience matchmaking \\
    --tls-certificate cert.pem --tls-key key.pem
  matchwright serve verify matchwright-data
  matchwright serve backup matchwright-data target/backup
  matchwright serve results matchwright-data > target/results.jsonl
  matchwright serve erase matchwright-data ann

In another terminal, or with & behind the first line:
  curl --json '{\"players\":[\"ann\"]}' localhost:7711/v1/tickets
  curl --json '{\"players\":[\"bob\"]}' localhost:7711/v1/tickets
  curl localhost:7711/v1/players/ann/ticket

The second answer has a match; its result rates both: POST /v1/matches/{id}/result with {\"places\":[1,2]}. A page with queues and
waits is at http://localhost:7711, all calls at /openapi.json. `matchwright replay DIR --policy FILE` replays the folder.

What was answered is on the disk. A disk that fails stops the service for good, with exit code 70; started again it goes on from what is
on the disk. The folder has one owner; a second one ends with exit code 75. SIGTERM and Ctrl-C end it after the calls that have begun;
SIGHUP reads the policy and the keys again. A new policy is refused, and the old one stays, if a ticket that waits has no place in it.

Without --keys anyone who reaches it may do everything, so it listens on this machine alone. With --keys, a JWKS file of public
keys (EdDSA, ES256, RS256), every call has a token with iss, aud, exp, sub and role: player, backend, server or operator.

Exit codes: 0 ended, 1 failed, 2 usage, 70 the disk failed, 75 the folder has another owner.";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ServeOptions {
    #[command(subcommand)]
    pub(crate) what: Option<ServeWhat>,
    #[command(flatten)]
    pub(crate) run: RunService,
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  matchwright serve verify matchwright-data

Reads all files and follows all steps, as far back as they are kept. The service may be running.

Exit codes: 0 all is as it should be, 1 something is damaged, 2 usage.";

const BACKUP_EXAMPLES: &str = "\
Examples:
  matchwright serve backup matchwright-data target/backup
  matchwright serve --data target/backup

The service may be running: the copy is as it was at a moment of the copy, and is checked. A service that runs on it has other
ids for new tickets and matches than the one that it was copied from only if both are used, which they should not be.

Exit codes: 0 done, 1 failed, 2 usage.";

const RESULTS_EXAMPLES: &str = "\
Examples:
  matchwright serve results matchwright-data > target/results.jsonl
  matchwright rate --system glicko2 target/results.jsonl --keep-repeats

One match a line, in the order in which they are rated: what `matchwright rate` reads, and rates to the same bits under the same system. Two matches of
the same players in one second look like one that is there twice: hence --keep-repeats.

Exit codes: 0 done, 1 failed, 2 usage.";

const ERASE_EXAMPLES: &str = "\
Examples:
  matchwright serve erase matchwright-data ann

The service must not be running; while it runs, DELETE /v1/players/ann does the same, but old segments keep the name for a week. Matches
and the ratings of others stay, without the name.

Exit codes: 0 done, 1 failed, 2 usage, 75 the service is running.";

#[derive(Subcommand)]
pub(crate) enum ServeWhat {
    /// Check the files of a service
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(FolderOptions),
    /// Copy the files of a service, which may be running
    #[command(after_help = BACKUP_EXAMPLES)]
    Backup {
        #[command(flatten)]
        folder: FolderOptions,
        /// An empty folder, or none yet
        to: PathBuf,
    },
    /// Print all results that count, as `matchwright rate` reads them
    #[command(after_help = RESULTS_EXAMPLES)]
    Results(FolderOptions),
    /// Take a player out of all files
    #[command(after_help = ERASE_EXAMPLES)]
    Erase {
        #[command(flatten)]
        folder: FolderOptions,
        /// The player's name
        player: String,
    },
}

#[derive(Args)]
pub(crate) struct FolderOptions {
    /// The folder of the service
    #[arg(value_name = "DIR")]
    pub(crate) data: PathBuf,
}

/// How well answers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DurabilityChoice {
    Sync,
    Late(Duration),
    Never,
}

#[derive(Args)]
pub(crate) struct RunService {
    /// The policy, a TOML file or the name of one that the program carries [default: that of the folder, or duel]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Where everything is kept
    #[arg(long, value_name = "DIR", default_value = "matchwright-data")]
    pub(crate) data: PathBuf,
    /// Where it listens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7711")]
    pub(crate) listen: SocketAddr,
    /// The rating system of results, or none where ratings are kept elsewhere [default: that of the folder, or glicko2]
    #[arg(long, value_name = "SYSTEM", value_parser = rating)]
    pub(crate) rating: Option<RatingChoice>,
    /// Parameters of the rating system, from a file that `matchwright rate --tune` wrote
    #[arg(long, value_name = "FILE", requires = "rating")]
    pub(crate) rating_config: Option<PathBuf>,
    /// How many of the latest results can be disputed or come late
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub(crate) keep_results: usize,
    /// Servers that take one match at a time, which are assigned to matches [default: a backend assigns them]
    #[arg(
        long,
        value_name = "ADDRESS,...",
        value_delimiter = ',',
        conflicts_with = "webhook"
    )]
    pub(crate) servers: Vec<String>,
    /// A program that is asked by HTTP for a match's server, with the match as JSON
    #[arg(long, value_name = "URL", requires = "webhook_secret")]
    pub(crate) webhook: Option<String>,
    /// A file with the secret under which what is sent to it is signed
    #[arg(long, value_name = "FILE", requires = "webhook")]
    pub(crate) webhook_secret: Option<PathBuf>,
    /// Public keys of tokens, a JWKS file
    #[arg(long, value_name = "FILE", requires_all = ["issuer", "audience"])]
    pub(crate) keys: Option<PathBuf>,
    /// Who issues tokens: their iss
    #[arg(long, value_name = "NAME", requires = "keys")]
    pub(crate) issuer: Option<String>,
    /// For whom tokens are: their aud
    #[arg(long, value_name = "NAME", requires = "keys")]
    pub(crate) audience: Option<String>,
    /// Tokens that are believed no more: a file with a jti a line
    #[arg(long, value_name = "FILE", requires = "keys")]
    pub(crate) revoked: Option<PathBuf>,
    /// A certificate with its chain, PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_certificate: Option<PathBuf>,
    /// Its private key, PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub(crate) tls_key: Option<PathBuf>,
    /// When answers are on the disk: sync, before they are given; async=MS, at most MS milliseconds later; none, when
    /// the operating system likes
    #[arg(long, value_name = "WHEN", default_value = "sync", value_parser = durability)]
    pub(crate) durability: DurabilityChoice,
    /// A player's ticket leaves once the player has not asked for it or watched it for this many seconds while it waits [default: it stays]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) heartbeat_within: Option<u32>,
    /// Connections at a time
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) connections: usize,
    /// Tell of each call, not only of what happens to the service
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Send a span of each call to this collector of OpenTelemetry, by OTLP over HTTP (feature `otlp`)
    #[arg(long, value_name = "URL")]
    pub(crate) traces: Option<String>,
    /// Tell it as JSON, a line each
    #[arg(long)]
    pub(crate) log_json: bool,
}

/// The rating system of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RatingChoice {
    Elsewhere,
    Here(SystemName),
}

fn rating(text: &str) -> Result<RatingChoice, String> {
    if text == "none" {
        return Ok(RatingChoice::Elsewhere);
    }
    let known = || {
        SystemName::ALL
            .iter()
            .map(|system| system.name())
            .collect::<Vec<_>>()
    };
    let named = text.parse::<SystemName>().map(RatingChoice::Here);
    named.map_err(|_| format!("give none, or one of {}", known().join(", ")))
}

fn durability(text: &str) -> Result<DurabilityChoice, String> {
    match text.split_once('=') {
        None if text == "sync" => Ok(DurabilityChoice::Sync),
        None if text == "none" => Ok(DurabilityChoice::Never),
        Some(("async", millis)) => match millis.parse() {
            Ok(millis @ 1..=60_000) => Ok(DurabilityChoice::Late(Duration::from_millis(millis))),
            _ => Err("give a time in milliseconds from 1 to 60000, such as async=100".to_owned()),
        },
        _ => Err("give sync, async=MS or none".to_owned()),
    }
}
