//! Every claim of the five documents, checked by library calls at the time of the run.
//!
//! [`ledger`]: what is claimed; [`inputs`], [`runs`] and [`simulated`]: what checks look at, each document's in its own folder; `claims` of
//! each document: the checks, one file a theme; [`crate::verdict`]: what they find; [`table`] and [`page`]: how it is shown. A negative
//! case of each check is in the tests.

pub(crate) mod inputs;
mod ledger;
pub(crate) mod matches;
pub(crate) mod numbers;
mod page;
pub(crate) mod queues;
pub(crate) mod runs;
pub(crate) mod simulated;
mod table;
#[cfg(test)]
mod tests;

use std::panic::Location;

use anyhow::{Result, bail};
use matchwright_sim::progress::Progress;

use self::inputs::Inputs;
use self::ledger::{Claim, Ledger};
use self::table::Row;
use crate::eomm::study::{RegionPatterns, StudyReport};
use crate::verdict::{Finding, Verdict};

pub use self::ledger::Document;

/// How much a run of the claims may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Leaves out what needs the study, a stream of regions or another long run: under a minute.
    Quick,
    /// All rows, in minutes.
    #[default]
    Usual,
    /// As many rounds, starts and players as the documents have: hours.
    Deep,
}

/// Which claims are checked, and how thoroughly.
#[derive(Clone, Debug)]
pub struct ClaimsOptions {
    /// Only the claims of this document.
    pub document: Option<Document>,
    /// Only these claims, if there are any.
    pub only: Vec<String>,
    /// Default: all rows, in minutes.
    pub depth: Depth,
    /// Rounds of the study for each pool size, 2 or more. Default 1,000; 10,000, as the paper, for [`Depth::Deep`].
    pub rounds: Option<u32>,
    /// Seed of the population, of the study and of the checks' own samples. Default 1.
    pub seed: u64,
}

impl Default for ClaimsOptions {
    fn default() -> Self {
        Self {
            document: None,
            only: Vec::new(),
            depth: Depth::Usual,
            rounds: None,
            seed: 1,
        }
    }
}

/// What the files of checks import.
pub(crate) mod prelude {
    pub(crate) use super::Check;
    pub(crate) use super::Work::{Exact, Search, Stream, Study};
    pub(crate) use super::inputs::Inputs;
    pub(crate) use super::numbers::{deviate, ends, larger, smaller};
    pub(crate) use crate::random::check_stream;
    pub(crate) use crate::verdict::Finding;
    pub(crate) use anyhow::{Context, Result};
}

/// The check of a claim.
#[derive(Clone, Copy)]
pub(crate) struct Check {
    /// The id of the claim.
    pub(crate) id: &'static str,
    pub(crate) work: Work,
    /// The file that it is in, from the root of the repository.
    file: &'static str,
}

/// What a check needs.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// The library alone.
    Exact(fn(&Inputs) -> Result<Finding>),
    /// A long run of its own, such as searches for lobbies.
    Search(fn(&Inputs) -> Result<Finding>),
    /// The study on the generated population too.
    Study(fn(&Inputs, &StudyReport) -> Result<Finding>),
    /// Table 1's counts over a stream of regions.
    Stream(fn(&Inputs, &[RegionPatterns]) -> Result<Finding>),
}

impl Check {
    /// The check of the claim of this id, in the file that says so.
    #[track_caller]
    pub(crate) const fn new(id: &'static str, work: Work) -> Self {
        let file = Location::caller().file();
        Self { id, work, file }
    }

    fn run(&self, inputs: &Inputs, depth: Depth) -> Finding {
        let slow = match self.work {
            Work::Exact(_) => None,
            Work::Search(_) => Some("a long run"),
            Work::Study(_) => Some("the study"),
            Work::Stream(_) => Some("a stream of regions"),
        };
        if let Some(what) = slow.filter(|_| depth == Depth::Quick) {
            let why = format!("needs {what}, which --quick leaves out");
            return Finding::unchecked(Verdict::Open, why);
        }
        Finding::of(match self.work {
            Work::Exact(check) | Work::Search(check) => check(inputs),
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
    let inputs = options.inputs(progress);
    let row = |claim: &&Claim| {
        let check = checks.iter().find(|check| check.id == claim.id);
        let found = match check {
            Some(check) => check.run(&inputs, options.depth),
            None => Finding::unchecked(Verdict::NotConfirmed, "no check"),
        };
        Row::new(claim, check, found)
    };
    let rows: Vec<Row> = chosen.iter().map(row).collect();
    let mut complaints: Vec<String> = rows.iter().filter_map(Row::surprise).collect();
    complaints.extend(gaps(&ledger, &checks));
    Ok(CheckedClaims {
        ledger,
        rows,
        complaints,
    })
}

impl ClaimsOptions {
    /// The library as it is, with runs of this depth.
    fn inputs(&self, progress: Box<dyn Progress>) -> Inputs {
        let deep = self.depth == Depth::Deep;
        let rounds = self.rounds.unwrap_or(if deep { 10_000 } else { 1_000 });
        let mut inputs = Inputs::new(rounds, self.seed);
        if deep {
            inputs.deepen();
        }
        inputs.progress = progress;
        inputs
    }
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
        page::to_markdown(&self.ledger, &self.rows, &old.replace("\r\n", "\n"))
    }

    /// Fails if a verdict is another than the ledger's words take for granted, if a claim has no check or a check no
    /// claim.
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

/// Claims without a check, and checks without a claim.
fn gaps(ledger: &Ledger, checks: &[Check]) -> Vec<String> {
    let has_check = |claim: &Claim| checks.iter().any(|check| check.id == claim.id);
    let unchecked = ledger
        .claims
        .iter()
        .filter(|claim| !has_check(claim))
        .map(|claim| format!("{} has no check", claim.id));
    let unclaimed = checks
        .iter()
        .filter(|check| ledger.claim(check.id).is_none())
        .map(|check| format!("the check {} has no claim in claims.toml", check.id));
    unchecked.chain(unclaimed).collect()
}
