//! The rows of a run, as a table for the terminal, as JSON and as `docs/claims.md`.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use itertools::Itertools;
use matchwright_report::{Column, Table};
use serde::Serialize;

use super::ledger::{Claim, Document, Ledger};
use crate::verdict::{Figure, Finding, Verdict};

/// One claim with what its check found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub(crate) claim: Claim,
    ours: Vec<Figure>,
    notes: Vec<String>,
    pub(crate) verdict: Verdict,
    criterion: String,
}

impl Row {
    pub(crate) fn new(claim: &Claim, found: Finding) -> Self {
        Self {
            verdict: claim.verdict(&found),
            criterion: found.criterion_in_words(),
            claim: claim.clone(),
            ours: found.figures,
            notes: found.notes,
        }
    }

    fn ours_in_words(&self) -> String {
        let figures = self.ours.iter().map(|figure| named(&figure.name, &figure.shown));
        figures.chain(self.notes.iter().cloned()).join("; ")
    }

    fn errors_in_words(&self) -> String {
        let errors = self.ours.iter();
        let errors = errors.filter_map(|figure| Some((&figure.name, figure.shown_error.as_ref()?)));
        match errors.clone().exactly_one() {
            Ok((_, only)) => only.clone(),
            Err(_) => errors.map(|(name, error)| named(name, error)).join("; "),
        }
    }
}

fn named(name: &str, shown: &str) -> String {
    match (name.is_empty(), shown.is_empty()) {
        (true, _) => shown.to_owned(),
        (_, true) => name.to_owned(),
        _ => format!("{name} {shown}"),
    }
}

/// How many claims of each verdict, in words.
fn tally(verdicts: &[&str]) -> String {
    let count = |words: &str| verdicts.iter().filter(|verdict| **verdict == words).count();
    let counts = Verdict::ALL.map(|verdict| (count(verdict.words()), verdict.words()));
    let occurring = counts.iter().filter(|(count, _)| *count > 0);
    let counts = occurring.map(|(count, words)| format!("{count} {words}"));
    format!("{} claims: {}", verdicts.len(), counts.into_iter().join(", "))
}

/// A column of the terminal's table: its name, its width in characters and its cell in a row.
type TextColumn = (&'static str, usize, fn(&Row) -> String);

/// The table for a terminal; long cells go on in the lines below.
pub(crate) fn to_text(rows: &[Row]) -> String {
    let columns: [TextColumn; 8] = [
        ("id", usize::MAX, |row| row.claim.id.clone()),
        ("kind", usize::MAX, |row| row.claim.kind.clone()),
        ("published", 36, |row| row.claim.published()),
        ("ours", 38, Row::ours_in_words),
        ("standard error", 18, Row::errors_in_words),
        ("verdict", 14, |row| row.verdict.words().to_owned()),
        ("how checked", 34, |row| row.claim.check.clone()),
        ("owner", usize::MAX, |row| row.claim.owner.clone()),
    ];
    let lines = rows.iter().flat_map(|row| {
        let cells = columns.map(|(_, width, cell)| wrap(&cell(row), width));
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        (0..height).map(move |line| {
            let part = |cell: Vec<String>| cell.get(line).cloned().unwrap_or_default();
            cells.clone().map(part)
        })
    });
    let lines: Vec<[String; 8]> = lines.collect();
    let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict.words()).collect();
    let column = |k: usize| Column::text(columns[k].0);
    Table::of("Claims of the sources", &lines)
        .columns(0..columns.len(), column, |line, k| &line[k])
        .build()
        .note(tally(&verdicts))
        .to_text()
}

/// Lines of at most `width` characters where words allow.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `docs/claims.md`: a table for each document. The first four cells of a row come from the ledger alone. A claim
/// without a row keeps its line of the page `old`.
///
/// # Errors
/// Names the claims that have neither.
pub(crate) fn to_markdown(ledger: &Ledger, rows: &[Row], old: &str) -> Result<String> {
    let (mut tables, mut verdicts, mut missing) = (String::new(), Vec::new(), Vec::new());
    let line = |claim: &Claim| {
        let row = rows.iter().find(|row| row.claim.id == claim.id);
        let kept = || old.lines().find(|line| id_of(line) == Some(&claim.id));
        row.map(line).or_else(|| kept().map(str::to_owned))
    };
    for document in Document::ALL {
        let _ = write!(
            tables,
            "\n## {}\n\n| id | kind | published | owner | ours | standard error | verdict | how checked |\n\
             |---|---|---|---|---|---|---|---|\n",
            document.words()[2]
        );
        for claim in ledger.claims.iter().filter(|claim| claim.source == document) {
            let Some(line) = line(claim) else {
                missing.push(&*claim.id);
                continue;
            };
            let _ = writeln!(tables, "{line}");
            // Cells hold no " | " of their own: `escape` sees to that.
            verdicts.extend(line.split(" | ").nth(6).map(str::to_owned));
        }
    }
    ensure!(
        missing.is_empty(),
        "the page has no row of {}; write all of it, without --source and --only",
        missing.join(", ")
    );
    let verdicts: Vec<&str> = verdicts.iter().map(String::as_str).collect();
    Ok(format!(
        "# Claims of the sources\n\nWritten by `cargo xtask claims --write`; the claims are in `claims.toml`. Every \
         value under \"ours\" was computed by a run of it.\n\nKinds: E exact, S statistical, Q an order. {}.\n{tables}",
        tally(&verdicts)
    ))
}

fn line(row: &Row) -> String {
    let ours = [
        row.ours_in_words(),
        row.errors_in_words(),
        row.verdict.words().to_owned(),
        row.claim.check.clone(),
    ];
    let cells = ours.map(|cell| escape(&cell)).join(" | ");
    format!("{}{cells} |", stable_cells(&row.claim))
}

/// The id of a line of a page's table.
fn id_of(line: &str) -> Option<&str> {
    let id = line.strip_prefix("| ")?.split(' ').next();
    id.filter(|id| *id != "id")
}

/// The cells of a line that come from the ledger.
fn stable_cells(claim: &Claim) -> String {
    let Claim { id, kind, owner, .. } = claim;
    format!("| {id} | {kind} | {} | {owner} | ", escape(&claim.published()))
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The claims whose rows no longer agree with the ledger, whatever the figures: missing, altered, or gone.
    fn stale(page: &str, ledger: &Ledger) -> Vec<String> {
        let is_there = |claim: &&Claim| {
            let cells = stable_cells(claim);
            page.lines().any(|line| line.starts_with(&cells))
        };
        let altered = ledger.claims.iter().filter(|claim| !is_there(claim));
        let altered = altered.map(|claim| &*claim.id);
        let ids = page.lines().filter_map(id_of);
        let gone = ids.filter(|id| ledger.claim(id).is_none());
        altered.chain(gone).map(str::to_owned).collect()
    }

    #[test]
    fn the_page_in_docs_agrees_with_the_ledger() {
        let page = include_str!("../../../../docs/claims.md").replace("\r\n", "\n");
        assert_eq!(stale(&page, &Ledger::own().unwrap()), Vec::<String>::new());
    }

    fn ledger(says: &str) -> Ledger {
        let text = format!(
            "[owners]\nsim = {{ built = true, about = \"crates/sim\" }}\n[[claim]]\nid = \"EOMM-a\"\nsource = \"eomm\"\n\
             kind = \"E\"\nsays = \"{says}\"\nowner = \"sim\"\n"
        );
        Ledger::parse(&text).unwrap()
    }

    fn rows(ledger: &Ledger) -> Vec<Row> {
        let found = Finding::new().number("x", 1.0, 1).estimate("y", (2.0, 0.25), 1);
        ledger
            .claims
            .iter()
            .map(|claim| Row::new(claim, found.clone()))
            .collect()
    }

    #[test]
    fn every_format_shows_figures_errors_and_verdicts() {
        let ledger = ledger("a | b");
        let rows = rows(&ledger);
        let text = to_text(&rows);
        assert!(
            text.contains("x 1.0; y 2.0") && text.contains("0.25") && text.contains("1 confirmed"),
            "{text}"
        );
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["ours"][1]["standard_error"], 0.25);
        assert_eq!(json[0]["verdict"], "confirmed");
        let page = to_markdown(&ledger, &rows, "").unwrap();
        assert!(
            page.contains("| EOMM-a | E | a \\| b | sim | x 1.0; y 2.0 | 0.25 | confirmed |"),
            "{page}"
        );
    }

    #[test]
    fn a_page_is_stale_once_a_claim_changes_comes_or_goes() {
        let first = ledger("one");
        let page = to_markdown(&first, &rows(&first), "").unwrap();
        assert_eq!(stale(&page, &first), Vec::<String>::new());
        assert_eq!(stale(&page.replace("2.0", "7.0"), &first), Vec::<String>::new());
        assert_eq!(stale(&page, &ledger("two")), ["EOMM-a"]);
        assert_eq!(
            stale(&page.replace("EOMM-a", "EOMM-b"), &first),
            ["EOMM-a", "EOMM-b"]
        );
        assert_eq!(stale("", &first), ["EOMM-a"]);
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
        let new = Row::new(&ledger.claims[0], found);
        let merged = to_markdown(&ledger, std::slice::from_ref(&new), &page).unwrap();
        assert_eq!(merged, to_markdown(&ledger, &[new, old[1].clone()], "").unwrap());
        assert!(
            merged.contains("2 claims: 1 confirmed, 1 not confirmed."),
            "{merged}"
        );
        assert_eq!(to_markdown(&ledger, &[], &page).unwrap(), page);
        let error = to_markdown(&ledger, &old[..1], "").unwrap_err().to_string();
        assert!(error.contains("no row of EOMM-b;"), "{error}");
    }

    #[test]
    fn long_cells_break_between_words() {
        assert_eq!(wrap("a bb ccc dddddd", 4), ["a bb", "ccc", "dddddd"]);
        assert!(wrap("", 4).is_empty());
    }
}
