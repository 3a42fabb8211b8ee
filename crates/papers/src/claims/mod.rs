//! Every claim of the five documents, checked by library calls at the time of the run.
//!
//! [`ledger`]: what is claimed; [`inputs`] and [`runs`]: what checks look at, exchangeable for tests, each document's in
//! its own folder; `claims` of each document: the checks, one file a theme; [`crate::verdict`]: what they find;
//! [`table`]: how it is shown.

pub(crate) mod inputs;
mod ledger;
pub(crate) mod matches;
pub(crate) mod numbers;
pub(crate) mod runs;
mod table;
#[cfg(test)]
mod tests;

use anyhow::{Result, bail};
use matchwright_sim::progress::Progress;

use self::inputs::Inputs;
use self::ledger::{Claim, Ledger};
use self::table::Row;
use crate::eomm::study::{RegionPatterns, StudyReport};
use crate::verdict::{Finding, Verdict};

pub use self::ledger::Document;

/// Which claims are checked, and how thoroughly.
#[derive(Clone, Debug)]
pub struct ClaimsOptions {
    /// Only the claims of this document.
    pub document: Option<Document>,
    /// Only these claims, if there are any.
    pub only: Vec<String>,
    /// Leaves out what needs the study, a stream of regions or searches for lobbies: seconds instead of minutes.
    pub quick: bool,
    /// Rounds of the study for each pool size, 2 or more. Default 1,000.
    pub rounds: u32,
    /// Seed of the population, of the study and of the checks' own samples. Default 1.
    pub seed: u64,
}

impl Default for ClaimsOptions {
    fn default() -> Self {
        Self {
            document: None,
            only: Vec::new(),
            quick: false,
            rounds: 1000,
            seed: 1,
        }
    }
}

/// What the files of checks import.
pub(crate) mod prelude {
    pub(crate) use super::Check;
    pub(crate) use super::Work::{Exact, Search, Stream, Study, Timed};
    pub(crate) use super::inputs::Inputs;
    pub(crate) use super::numbers::{deviate, ends, larger, smaller};
    pub(crate) use crate::random::check_stream;
    pub(crate) use crate::verdict::Finding;
    pub(crate) use anyhow::{Context, Result};
}

/// The check of the claim of this id.
#[derive(Clone, Copy)]
pub(crate) struct Check(pub(crate) &'static str, pub(crate) Work);

/// What a check needs.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// The library alone.
    Exact(fn(&Inputs) -> Result<Finding>),
    /// The library alone, and a clock: no test may ask for its verdict.
    Timed(fn(&Inputs) -> Result<Finding>),
    /// Searches for lobbies, seconds when optimised.
    Search(fn(&Inputs) -> Result<Finding>),
    /// The study on the generated population too.
    Study(fn(&Inputs, &StudyReport) -> Result<Finding>),
    /// Table 1's counts over a stream of regions.
    Stream(fn(&Inputs, &[RegionPatterns]) -> Result<Finding>),
}

impl Check {
    fn run(&self, inputs: &Inputs, quick: bool) -> Finding {
        let slow = match self.1 {
            Work::Exact(_) | Work::Timed(_) => None,
            Work::Search(_) => Some("searches for lobbies"),
            Work::Study(_) => Some("the study"),
            Work::Stream(_) => Some("a stream of regions"),
        };
        if let Some(what) = slow.filter(|_| quick) {
            let why = format!("needs {what}, which --quick leaves out");
            return Finding::unchecked(Verdict::Open, why);
        }
        Finding::of(match self.1 {
            Work::Exact(check) | Work::Timed(check) | Work::Search(check) => check(inputs),
            Work::Study(check) => inputs.report().and_then(|report| check(inputs, report)),
            Work::Stream(check) => inputs.regions().and_then(|regions| check(inputs, regions)),
        })
    }
}

/// All checks, document by document.
fn all_checks() -> Vec<Check> {
    use crate::{awesomenauts, dominations, dota, eomm, sc2};
    let documents = [
        eomm::claims::CHECKS,
        awesomenauts::claims::CHECKS,
        dota::claims::CHECKS,
        dominations::claims::CHECKS,
        sc2::claims::CHECKS,
    ];
    documents.concat().concat()
}

/// The claims that were checked, each with its verdict.
#[derive(Clone, Debug)]
pub struct CheckedClaims {
    ledger: Ledger,
    rows: Vec<Row>,
    complaints: Vec<String>,
}

/// Checks the claims. Verdicts are computed by library calls; no text of the ledger decides one.
///
/// # Errors
/// If [`ClaimsOptions::only`] names no claim, or none of the chosen document.
pub fn check_claims(options: &ClaimsOptions, progress: Box<dyn Progress>) -> Result<CheckedClaims> {
    let ledger = Ledger::own()?;
    let checks = all_checks();
    let chosen = choose(&ledger, options)?;
    let mut inputs = Inputs::new(options.rounds, options.seed);
    inputs.progress = progress;
    let row = |claim: &&Claim| Row::new(claim, examine(&ledger, &checks, claim, &inputs, options.quick));
    let rows: Vec<Row> = chosen.iter().map(row).collect();
    let failed = rows
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::NotConfirmed | Verdict::Inconclusive));
    let words = |row: &Row| format!("{} is {}", row.claim.id, row.verdict.words());
    let mut complaints: Vec<String> = failed.map(words).collect();
    complaints.extend(gaps(&ledger, &checks));
    Ok(CheckedClaims {
        ledger,
        rows,
        complaints,
    })
}

impl CheckedClaims {
    /// A table for a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        table::to_text(&self.rows)
    }

    /// A JSON array.
    ///
    /// # Errors
    /// None for finite figures.
    pub fn to_json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(&self.rows)?)
    }

    /// The page with these rows: all of it, or `old` with the rows that were checked in place of its own.
    ///
    /// # Errors
    /// If a row is missing in `old`.
    pub fn to_markdown(&self, old: &str) -> Result<String> {
        table::to_markdown(&self.ledger, &self.rows, &old.replace("\r\n", "\n"))
    }

    /// Fails if a row does, if a claim of a built owner has no check, or a check no claim.
    ///
    /// # Errors
    /// Names all of them.
    pub fn conclude(&self) -> Result<()> {
        if self.complaints.is_empty() {
            return Ok(());
        }
        bail!("claims:\n- {}", self.complaints.join("\n- "))
    }
}

fn choose<'a>(ledger: &'a Ledger, options: &ClaimsOptions) -> Result<Vec<&'a Claim>> {
    if let Some(unknown) = options.only.iter().find(|id| ledger.claim(id).is_none()) {
        bail!("--only: no claim is called `{unknown}`; docs/claims.md has them all");
    }
    let wanted = |claim: &&Claim| {
        options.document.is_none_or(|document| claim.source == document)
            && (options.only.is_empty() || options.only.contains(&claim.id))
    };
    let chosen: Vec<&Claim> = ledger.claims.iter().filter(wanted).collect();
    if chosen.is_empty() {
        bail!("none of the claims of --only is of the document of --source");
    }
    Ok(chosen)
}

fn examine(ledger: &Ledger, checks: &[Check], claim: &Claim, inputs: &Inputs, quick: bool) -> Finding {
    match checks.iter().find(|check| check.0 == claim.id) {
        Some(check) => check.run(inputs, quick),
        None if ledger.is_built(claim) => {
            Finding::unchecked(Verdict::NotConfirmed, "no check, though its owner is built")
        }
        None => Finding::unchecked(Verdict::Open, "later work"),
    }
}

/// Claims of built owners without a check, and checks without a claim.
fn gaps(ledger: &Ledger, checks: &[Check]) -> Vec<String> {
    let has_check = |claim: &Claim| checks.iter().any(|check| check.0 == claim.id);
    let unchecked = ledger
        .claims
        .iter()
        .filter(|claim| ledger.is_built(claim) && !has_check(claim))
        .map(|claim| format!("{} has no check, though {} is built", claim.id, claim.owner));
    let unclaimed = checks
        .iter()
        .filter(|check| ledger.claim(check.0).is_none())
        .map(|check| format!("the check {} has no claim in claims.toml", check.0));
    unchecked.chain(unclaimed).collect()
}
