//! Every claim of the five documents, checked by library calls at the time of the run.
//!
//! [`ledger`]: what is claimed; [`inputs`]: what checks look at, each document's in its own folder; `claims` of
//! each document: the checks, one file a theme; [`crate::check::verdict`]: what they find; [`table`] and [`page`]: how it is shown. A negative
//! case of each check is in the tests.

pub(crate) mod inputs;
mod ledger;
mod page;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::{Result, bail};
use matchwright_sim::progress::Progress;

use self::inputs::Inputs;
use self::ledger::{Claim, Ledger};
use self::table::Row;
use crate::check::verdict::{Finding, Verdict};
use crate::check::{Check, Work};

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

/// What a check finds in the inputs of all documents.
type RunCheck = dyn Fn(&Inputs) -> Result<Finding>;

/// The check of a claim among all of them.
pub(crate) struct Registered {
    /// The id of the claim.
    id: &'static str,
    /// The file that it is in, from the root of the repository.
    file: &'static str,
    /// What a quick run leaves out because of it.
    slow: Option<&'static str>,
    check: Box<RunCheck>,
}

impl Registered {
    /// A check that looks at a part of all inputs.
    fn new<I: 'static>(check: &Check<I>, part: fn(&Inputs) -> &I) -> Self {
        let (slow, run) = match check.work {
            Work::Exact(run) => (None, run),
            Work::Search(run) => (Some("a long run"), run),
            Work::Study(run) => (Some("the study"), run),
            Work::Stream(run) => (Some("a stream of regions"), run),
        };
        Self {
            id: check.id,
            file: check.file,
            slow,
            check: Box::new(move |inputs| run(part(inputs))),
        }
    }

    fn run(&self, inputs: &Inputs, depth: Depth) -> Finding {
        if let Some(what) = self.slow.filter(|_| depth == Depth::Quick) {
            let why = format!("needs {what}, which --quick leaves out");
            return Finding::unchecked(Verdict::Open, why);
        }
        Finding::of((self.check)(inputs))
    }
}

/// All checks, document by document.
fn all_checks() -> Vec<Registered> {
    use crate::{awesomenauts, dominations, dota, eomm, sc2};
    let mut all = Vec::new();
    let eomm = eomm::claims::CHECKS.iter().copied().flatten();
    all.extend(eomm.map(|check| Registered::new(check, |inputs| &inputs.eomm)));
    let awesomenauts = awesomenauts::claims::CHECKS.iter().copied().flatten();
    all.extend(awesomenauts.map(|check| Registered::new(check, |inputs| &inputs.awesomenauts)));
    let dota = dota::claims::CHECKS.iter().copied().flatten();
    all.extend(dota.map(|check| Registered::new(check, |inputs| &inputs.dota)));
    let dominations = dominations::claims::CHECKS.iter().copied().flatten();
    all.extend(dominations.map(|check| Registered::new(check, |inputs| &inputs.dominations)));
    let sc2 = sc2::claims::CHECKS.iter().copied().flatten();
    all.extend(sc2.map(|check| Registered::new(check, |inputs| &inputs.sc2)));
    all
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
        Row::new(claim, check.map(|check| check.file), found)
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
        let mut inputs = Inputs::new(rounds, self.seed, &Arc::from(progress));
        if deep {
            inputs.awesomenauts.deepen();
        }
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
fn gaps(ledger: &Ledger, checks: &[Registered]) -> Vec<String> {
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
