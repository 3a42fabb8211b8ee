//! `cargo xtask claims`: every claim of the seed documents, checked by library calls at the time it runs.
//!
//! [`ledger`]: what is claimed; [`inputs`], [`seed_ratings`], [`seed_matches`], [`seed_searches`], [`seed_ladder`]
//! and [`runs`]: what checks look at, exchangeable for tests; [`eomm`], [`awesomenauts`], [`dota`], [`dominations`],
//! [`sc2`], [`sc2_forensics`], [`sc2_ladders`]: the checks, one file a theme; [`verdict`]: what they find; [`table`]:
//! how it is shown.

mod awesomenauts;
mod dominations;
mod dota;
mod eomm;
mod inputs;
mod ledger;
mod numbers;
mod runs;
mod sc2;
mod sc2_forensics;
mod sc2_ladders;
mod seed_ladder;
mod seed_matches;
mod seed_ratings;
mod seed_searches;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use matchwright_sim::study::{RegionPatterns, StudyReport};

use self::inputs::Inputs;
use self::ledger::{Claim, Ledger, SeedDoc};
use self::table::Row;
use self::verdict::{Found, Verdict};
use crate::process::{Process, cargo, workspace_root};

/// What `cargo xtask claims` can be told.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct Options {
    /// Only the claims of this document
    #[arg(long, value_enum, value_name = "DOCUMENT")]
    seed_doc: Option<SeedDoc>,
    /// Only these claims
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    only: Vec<String>,
    /// Leave out what needs the study, a stream of regions or searches for lobbies: seconds instead of minutes
    #[arg(long)]
    quick: bool,
    /// Rounds of the study for each pool size
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..))]
    rounds: u32,
    /// Seed of the population, of the study and of the checks' own samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the rows as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    page: Page,
}

/// What to do about docs/claims.md.
#[derive(clap::Args, Debug, Clone)]
struct Page {
    /// Write docs/claims.md as well: all of it, or the rows of --seed-doc and --only
    #[arg(long, conflicts_with_all = ["quick", "rounds", "seed"])]
    write: bool,
    /// Run nothing; fail if docs/claims.md has other ids, seed values or owners than docs/claims.toml
    #[arg(long, conflicts_with_all = ["seed_doc", "only", "quick", "rounds", "seed", "json", "write"])]
    check: bool,
}

/// A check of one claim.
#[derive(Clone, Copy)]
pub(crate) struct Check {
    id: &'static str,
    work: Work,
}

/// What a check needs.
#[derive(Clone, Copy)]
enum Work {
    /// The library alone.
    Exact(fn(&Inputs) -> Result<Found>),
    /// The library alone, and a clock: no test may ask for its verdict.
    Timed(fn(&Inputs) -> Result<Found>),
    /// Searches for lobbies, seconds when optimised.
    Search(fn(&Inputs) -> Result<Found>),
    /// The study on the generated population too.
    Study(fn(&Inputs, &StudyReport) -> Result<Found>),
    /// Table 1's counts over a stream of regions.
    Stream(fn(&Inputs, &[RegionPatterns]) -> Result<Found>),
}

impl Check {
    /// A check that needs the library alone.
    const fn exact(id: &'static str, check: fn(&Inputs) -> Result<Found>) -> Self {
        Self {
            id,
            work: Work::Exact(check),
        }
    }

    /// A check that needs the library alone, and reads a clock.
    const fn timed(id: &'static str, check: fn(&Inputs) -> Result<Found>) -> Self {
        Self {
            id,
            work: Work::Timed(check),
        }
    }

    /// A check that searches for lobbies.
    const fn search(id: &'static str, check: fn(&Inputs) -> Result<Found>) -> Self {
        Self {
            id,
            work: Work::Search(check),
        }
    }

    /// A check that reads the study's report.
    const fn study(id: &'static str, check: fn(&Inputs, &StudyReport) -> Result<Found>) -> Self {
        Self {
            id,
            work: Work::Study(check),
        }
    }

    /// A check that reads counts over a stream of regions.
    const fn stream(id: &'static str, check: fn(&Inputs, &[RegionPatterns]) -> Result<Found>) -> Self {
        Self {
            id,
            work: Work::Stream(check),
        }
    }

    fn run(&self, inputs: &Inputs, quick: bool) -> Found {
        let found = match self.work {
            Work::Exact(check) | Work::Timed(check) => check(inputs),
            Work::Search(_) if quick => Ok(Found::open(
                "needs searches for lobbies, which --quick leaves out",
            )),
            Work::Search(check) => check(inputs),
            Work::Study(_) if quick => Ok(Found::open("needs the study, which --quick leaves out")),
            Work::Study(check) => inputs.report().and_then(|report| check(inputs, report)),
            Work::Stream(_) if quick => {
                Ok(Found::open("needs a stream of regions, which --quick leaves out"))
            }
            Work::Stream(check) => inputs.regions().and_then(|regions| check(inputs, regions)),
        };
        found.unwrap_or_else(|error| Found::failed(format!("{error:#}")))
    }
}

/// All checks, document by document.
fn all_checks() -> Vec<Check> {
    let mut checks = eomm::checks();
    checks.extend(awesomenauts::checks());
    checks.extend(dota::checks());
    checks.extend(dominations::checks());
    checks.extend(sc2::CHECKS);
    checks.extend(sc2_forensics::CHECKS);
    checks.extend(sc2_ladders::CHECKS);
    checks
}

/// Checks the claims and shows them.
///
/// # Errors
/// If a row fails, if a claim of a built owner has no check, or a check no claim.
pub(crate) fn run(options: &Options) -> Result<()> {
    let ledger = Ledger::read(&folder().join("claims.toml"))?;
    if options.page.check {
        return check_page(&ledger);
    }
    let checks = all_checks();
    let chosen = choose(&ledger, options)?;
    if cfg!(debug_assertions) && !options.quick && chosen.iter().any(|claim| takes_long(&checks, claim)) {
        return run_optimised();
    }
    let inputs = Inputs::new(options.rounds, options.seed);
    let rows: Vec<Row> = chosen
        .iter()
        .map(|claim| Row::new(claim, &examine(&ledger, &checks, claim, &inputs, options.quick)))
        .collect();
    if options.json {
        println!("{}", table::to_json(&rows)?);
    } else {
        print!("{}", table::to_text(&rows));
    }
    if options.page.write {
        write_page(&rows, rows.len() == ledger.claims.len())?;
    }
    conclude(&ledger, &checks, &rows)
}

fn write_page(rows: &[Row], is_all: bool) -> Result<()> {
    let path = folder().join("claims.md");
    let page = if is_all {
        table::to_markdown(rows, "cargo xtask claims")
    } else {
        let old = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        match table::with_rows(&old.replace("\r\n", "\n"), rows) {
            Ok(page) => page,
            Err(missing) => bail!(
                "{} has no row of {}; write all of it with `cargo xtask claims --write`",
                path.display(),
                missing.join(", ")
            ),
        }
    };
    std::fs::write(&path, page).with_context(|| format!("writing {}", path.display()))
}

fn folder() -> PathBuf {
    workspace_root().join("docs")
}

fn choose<'a>(ledger: &'a Ledger, options: &Options) -> Result<Vec<&'a Claim>> {
    if let Some(unknown) = options.only.iter().find(|id| ledger.claim(id).is_none()) {
        bail!("--only: no claim is called `{unknown}`; docs/claims.toml has them all");
    }
    let wanted = |claim: &&Claim| {
        options.seed_doc.is_none_or(|document| claim.seed == document)
            && (options.only.is_empty() || options.only.contains(&claim.id))
    };
    let chosen: Vec<&Claim> = ledger.claims.iter().filter(wanted).collect();
    if chosen.is_empty() {
        bail!("none of the claims of --only is of the document of --seed-doc");
    }
    Ok(chosen)
}

fn takes_long(checks: &[Check], claim: &Claim) -> bool {
    let check = checks.iter().find(|check| check.id == claim.id);
    check.is_some_and(|check| !matches!(check.work, Work::Exact(_) | Work::Timed(_)))
}

/// The same command, optimised: the study's pairings take minutes with the checks of debug builds.
fn run_optimised() -> Result<()> {
    let arguments = std::env::args_os().skip(1);
    let command = cargo(["run", "--release", "--quiet", "--package", "xtask", "--"]);
    arguments.fold(command, Process::arg).run()
}

fn examine(ledger: &Ledger, checks: &[Check], claim: &Claim, inputs: &Inputs, quick: bool) -> Found {
    match checks.iter().find(|check| check.id == claim.id) {
        Some(check) => check.run(inputs, quick),
        None if ledger.is_built(claim) => Found::failed("no check, though its owner is built"),
        None => Found::open("later work"),
    }
}

/// Claims of built owners without a check, and checks without a claim.
fn gaps(ledger: &Ledger, checks: &[Check]) -> Vec<String> {
    let has_check = |claim: &Claim| checks.iter().any(|check| check.id == claim.id);
    let unchecked = ledger
        .claims
        .iter()
        .filter(|claim| ledger.is_built(claim) && !has_check(claim))
        .map(|claim| format!("{} has no check, though {} is built", claim.id, claim.owner));
    let unclaimed = checks
        .iter()
        .filter(|check| ledger.claim(check.id).is_none())
        .map(|check| format!("the check {} has no claim in docs/claims.toml", check.id));
    unchecked.chain(unclaimed).collect()
}

fn conclude(ledger: &Ledger, checks: &[Check], rows: &[Row]) -> Result<()> {
    let failed = rows.iter().filter(|row| row.verdict == Verdict::Fail);
    let mut complaints: Vec<String> = failed.map(|row| format!("{} fails", row.id)).collect();
    complaints.extend(gaps(ledger, checks));
    if complaints.is_empty() {
        return Ok(());
    }
    bail!("claims:\n- {}", complaints.join("\n- "))
}

fn check_page(ledger: &Ledger) -> Result<()> {
    let page = std::fs::read_to_string(folder().join("claims.md")).unwrap_or_default();
    let stale = table::stale(&page.replace("\r\n", "\n"), ledger);
    if stale.is_empty() {
        return Ok(());
    }
    bail!(
        "docs/claims.md is not what docs/claims.toml says of {}; run `cargo xtask claims --write`",
        stale.join(", ")
    )
}
