//! `docs/claims.md`: a summary, and for each document a table of its claims and how each is checked.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use itertools::Itertools;

use super::all_checks;
use super::ledger::{Claim, Document, Ledger};
use super::table::{Row, tally};
use crate::check::verdict::Verdict;

/// The page. A claim without a row, or with one that is left open, keeps its line of the page `old`.
///
/// # Errors
/// Names the claims that have neither.
pub(crate) fn to_markdown(ledger: &Ledger, rows: &[Row], old: &str) -> Result<String> {
    let (mut lines, mut missing) = (Vec::new(), Vec::new());
    for claim in &ledger.claims {
        let row = rows.iter().find(|row| row.claim.id == claim.id);
        let kept = || old.lines().find(|line| id_of(line) == Some(&claim.id));
        // What this run leaves open, another one may have decided.
        let decided = kept().filter(|line| line.starts_with(&stable_cell(claim)));
        let written = match row {
            Some(row) if row.verdict != Verdict::Open || decided.is_none() => Some(line(row)),
            _ => kept().map(str::to_owned),
        };
        match written {
            Some(line) => lines.push((claim, line)),
            None => missing.push(&*claim.id),
        }
    }
    ensure!(
        missing.is_empty(),
        "the page has no row of {}; write all of it, without --source and --only",
        missing.join(", ")
    );
    let mut page = format!(
        "# Claims of the sources\n\nWritten by `cargo xtask claims --write`; the claims are in \
         `crates/papers/claims.toml`. Every value under \"ours\" and every verdict was worked out by a run of it, none is \
         written down beforehand.\n\n{VERDICTS}\n{}",
        summary(ledger, &lines)
    );
    for document in Document::ALL {
        let of = |claim: &Claim| claim.source == document;
        let _ = write!(page, "\n## {}\n\n{HEAD}", document.words()[2]);
        for (_, line) in lines.iter().filter(|(claim, _)| of(claim)) {
            let _ = writeln!(page, "{line}");
        }
        let _ = writeln!(page, "\nHow each is checked:\n");
        for claim in ledger.claims.iter().filter(|claim| of(claim)) {
            let _ = writeln!(page, "{}", how(claim));
        }
    }
    Ok(page)
}

const HEAD: &str = "| claim | ours | 95 % interval | verdict |\n|---|---|---|---|\n";

const VERDICTS: &str = "\
A claim is *confirmed* if what it says holds here; *corrected* if it is wrong as printed, which the check shows, and the
corrected statement holds; *made precise* if it is vague, silent or true in one reading only, and our sharper statement
holds; *not testable here* if what would decide it is in the source's own data, for the reason given; *not confirmed* if it
does not hold, with the difference, its t and the number of samples; *inconclusive* if there are too few samples to tell;
*open* if its check is to come. *Ours* are statements that no source makes, and that hold. What was fitted to the print, or
chosen with it in sight, says so; so does a criterion that was changed after a first run. Intervals hold the mean with 95 %: by Student's t, or 1.96 standard errors of many samples.

Each check has been seen to fail: the tests of `crates/papers/src/claims/tests.rs` hold one negative case of each, named by its id.
";

/// How many claims of each verdict a document has, and the distinct errors of the sources.
fn summary(ledger: &Ledger, lines: &[(&Claim, String)]) -> String {
    let names = Document::ALL.map(|document| document.words()[2]);
    let mut text = String::from("## Summary\n\n| document |");
    let mut rule = String::from("|---|");
    for verdict in Verdict::ALL {
        let _ = write!(text, " {} |", verdict.words());
        rule.push_str("---:|");
    }
    let _ = writeln!(text, " all |\n{rule}---:|");
    let all = lines
        .iter()
        .filter_map(|(claim, line)| Some((claim, verdict_of(line)?)));
    let all: Vec<_> = all.collect();
    for (document, name) in Document::ALL.into_iter().zip(names) {
        let of: Vec<&str> = all
            .iter()
            .filter(|(claim, _)| claim.source == document)
            .map(|(_, verdict)| *verdict)
            .collect();
        let count = |verdict: Verdict| of.iter().filter(|words| **words == verdict.words()).count();
        let counts = Verdict::ALL.map(count).iter().join(" | ");
        let _ = writeln!(text, "| {name} | {counts} | {} |", of.len());
    }
    let verdicts: Vec<&str> = all.iter().map(|(_, verdict)| *verdict).collect();
    let wrong = |claim: &&Claim| claim.expected() == Verdict::Corrected && claim.same_error_as.is_none();
    let errors: Vec<&str> = ledger
        .claims
        .iter()
        .filter(wrong)
        .map(|claim| &*claim.id)
        .collect();
    let shared = ledger.claims.iter().filter(|claim| claim.same_error_as.is_some());
    let shared: Vec<&str> = shared.map(|claim| &*claim.id).collect();
    let _ = writeln!(text, "\n{}.", tally(&verdicts));
    if !errors.is_empty() {
        let _ = write!(
            text,
            "\nErrors of the sources: {}: {}",
            errors.len(),
            errors.join(", ")
        );
        let also = if shared.is_empty() {
            String::new()
        } else {
            format!("; {} are the same error as another", shared.join(", "))
        };
        let _ = writeln!(text, "{also}.");
    }
    let changed = ledger
        .claims
        .iter()
        .filter(|claim| !claim.criterion_was.is_empty());
    let _ = writeln!(
        text,
        "\nCriteria changed after a first run, each told where it says how it is checked: {}.",
        changed.map(|claim| &claim.id).join(", ")
    );
    let study = lines.iter().find(|(claim, _)| claim.id == "EOMM-P");
    let rounds = study.and_then(|(_, line)| line.rsplit("rounds each ").next()?.split(';').next());
    if let Some(rounds) = rounds {
        let _ = writeln!(text, "\nEOMM's study: {rounds} rounds for each size of the pool.");
    }
    text
}

/// A line of a table.
fn line(row: &Row) -> String {
    let found = [
        row.ours_in_words(),
        row.intervals_in_words(),
        row.verdict.words().to_owned(),
    ];
    format!(
        "{}{} |",
        stable_cell(&row.claim),
        found.map(|cell| escape(&cell)).join(" | ")
    )
}

/// The id of a line of a page's table.
fn id_of(line: &str) -> Option<&str> {
    let cell = line.strip_prefix("| ")?;
    let cell = cell.strip_prefix('[').unwrap_or(cell);
    let end = cell.find([']', ':'])?;
    Some(&cell[..end])
}

/// The verdict of a line. Cells hold no " | " of their own: [`escape`] sees to that.
fn verdict_of(line: &str) -> Option<&str> {
    line.strip_suffix(" |")?.rsplit(" | ").next()
}

/// The first cell of a line, which comes from the ledger alone: the id, linked to the code, and the claim.
fn stable_cell(claim: &Claim) -> String {
    let Claim { id, .. } = claim;
    let check = all_checks().into_iter().find(|check| check.id == id);
    let id = check.map_or_else(|| id.clone(), |check| format!("[{id}](../{})", check.file));
    format!("| {id}: {} | ", escape(&claim.published()))
}

/// How a claim is checked, which comes from the ledger alone.
fn how(claim: &Claim) -> String {
    let Claim { id, kind, check, .. } = claim;
    let kind = kind
        .replace('E', "exact")
        .replace('S', "statistical")
        .replace('Q', "an order");
    let was = claim.criterion_was.iter().map(|was| {
        let [value, result, reason] = [&was.value, &was.result, &was.reason];
        format!(". Until it was changed: {value}, which gave {result}; changed since {reason}")
    });
    let whole = std::iter::once(check.clone()).chain(was).join("");
    format!("- **{id}** ({kind}): {}", escape(&whole))
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::verdict::Finding;
    use crate::claims::Depth;
    use crate::claims::inputs::Inputs;
    use matchwright_sim::progress::{Progress, Quiet};
    use std::sync::Arc;

    /// The claims whose lines no longer agree with the ledger and the checks, whatever the figures:
    /// missing, altered, with another verdict than their words take for granted, or gone.
    fn stale(page: &str, ledger: &Ledger) -> Vec<String> {
        let is_there = |claim: &&Claim| {
            let (cell, how) = (stable_cell(claim), how(claim));
            let expected = if all_checks().iter().any(|check| check.id == claim.id) {
                claim.expected()
            } else {
                Verdict::Open
            };
            let row = page.lines().find(|line| line.starts_with(&cell));
            row.and_then(verdict_of) == Some(expected.words()) && page.lines().any(|line| line == how)
        };
        let altered = ledger.claims.iter().filter(|claim| !is_there(claim));
        let altered = altered.map(|claim| &*claim.id);
        let ids = page
            .lines()
            .filter(|line| line.starts_with("| "))
            .filter_map(id_of);
        let gone = ids.filter(|id| ledger.claim(id).is_none());
        altered.chain(gone).map(str::to_owned).collect()
    }

    #[test]
    fn the_page_in_docs_agrees_with_the_ledger() {
        let page = include_str!("../../../../docs/claims.md").replace("\r\n", "\n");
        assert_eq!(stale(&page, &Ledger::own().unwrap()), Vec::<String>::new());
    }

    /// Exact rows are the same on every machine.
    #[test]
    fn the_exact_rows_of_the_page_are_those_of_a_run() {
        let page = include_str!("../../../../docs/claims.md").replace("\r\n", "\n");
        let quiet: Arc<dyn Progress> = Arc::new(Quiet);
        let (ledger, inputs) = (Ledger::own().unwrap(), Inputs::new(1_000, 1, &quiet));
        for check in all_checks() {
            let claim = ledger.claim(check.id).unwrap();
            if claim.kind == "E" && check.slow.is_none() {
                let row = Row::new(claim, Some(check.file), check.run(&inputs, Depth::Quick));
                assert_eq!(
                    page.lines().find(|line| id_of(line) == Some(check.id)),
                    Some(&*line(&row))
                );
            }
        }
    }

    fn ledger(says: &str) -> Ledger {
        let text =
            format!("[[claim]]\nid = \"EOMM-Eq1\"\nsource = \"eomm\"\nkind = \"E\"\nsays = \"{says}\"\n");
        Ledger::parse(&text).unwrap()
    }

    fn rows(ledger: &Ledger) -> Vec<Row> {
        let found = Finding::new().number("x", 1.0, 1).estimate("y", (2.0, 0.25), 1);
        let row = |claim| Row::new(claim, None, found.clone());
        ledger.claims.iter().map(row).collect()
    }

    #[test]
    fn every_format_shows_figures_intervals_and_verdicts() {
        let ledger = ledger("a | b");
        let rows = rows(&ledger);
        let text = super::super::table::to_text(&rows);
        assert!(
            text.contains("x 1.0; y 2.0") && text.contains("1.5 to 2.5") && text.contains("1 confirmed"),
            "{text}"
        );
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["ours"][1]["standard_error"], 0.25);
        assert_eq!(json[0]["verdict"], "confirmed");
        let page = to_markdown(&ledger, &rows, "").unwrap();
        let link = "[EOMM-Eq1](../crates/papers/src/eomm/claims/matching.rs)";
        let line = format!("| {link}: a \\| b | x 1.0; y 2.0 | 1.5 to 2.5 | confirmed |");
        assert!(page.contains(&line), "{page}");
        assert!(page.contains("- **EOMM-Eq1** (exact): "), "{page}");
    }

    #[test]
    fn a_page_is_stale_once_a_claim_changes_comes_or_goes() {
        let first = ledger("one");
        let page = to_markdown(&first, &rows(&first), "").unwrap();
        assert_eq!(stale(&page, &first), Vec::<String>::new());
        assert_eq!(stale(&page.replace("2.0", "7.0"), &first), Vec::<String>::new());
        assert_eq!(stale(&page, &ledger("two")), ["EOMM-Eq1"]);
        assert_eq!(
            stale(&page.replace("2.5 | confirmed", "2.5 | corrected"), &first),
            ["EOMM-Eq1"]
        );
        assert_eq!(
            stale(&page.replace("EOMM-Eq1", "EOMM-b"), &first),
            ["EOMM-Eq1", "EOMM-b"]
        );
        assert_eq!(stale("", &first), ["EOMM-Eq1"]);
    }

    #[test]
    fn some_rows_are_written_into_a_page_with_the_others_as_they_were() {
        let mut ledger = ledger("a | b");
        let mut second = ledger.claims[0].clone();
        second.id = "EOMM-b".to_owned();
        ledger.claims.push(second);
        let old = rows(&ledger);
        let page = to_markdown(&ledger, &old, "").unwrap();
        let found = Finding::new().number("z", 7.0, 1).require(false, "so");
        let new = Row::new(&ledger.claims[0], None, found);
        let merged = to_markdown(&ledger, std::slice::from_ref(&new), &page).unwrap();
        assert_eq!(merged, to_markdown(&ledger, &[new, old[1].clone()], "").unwrap());
        assert!(
            merged.contains("2 claims: 1 confirmed, 1 not confirmed."),
            "{merged}"
        );
        assert_eq!(to_markdown(&ledger, &[], &page).unwrap(), page);
        let open = Row::new(
            &ledger.claims[0],
            None,
            Finding::unchecked(Verdict::Open, "later"),
        );
        assert_eq!(to_markdown(&ledger, &[open], &page).unwrap(), page);
        let error = to_markdown(&ledger, &old[..1], "").unwrap_err().to_string();
        assert!(error.contains("no row of EOMM-b;"), "{error}");
    }
}
