//! The rows of a run, as a table for the terminal, as JSON and as `docs/claims.md`.

use std::fmt::Write as _;

use matchwright_report::{Column, Table};
use serde::Serialize;

use super::ledger::{Claim, Document, Ledger};
use crate::verdict::{Figure, Finding, Verdict};

/// One claim with what its check found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) source: Document,
    kind: String,
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    corrected: Option<String>,
    ours: Vec<Figure>,
    notes: Vec<String>,
    pub(crate) verdict: Verdict,
    criterion: String,
    checked: String,
    owner: String,
    #[serde(skip)]
    published: String,
}

impl Row {
    pub(crate) fn new(claim: &Claim, found: &Finding) -> Self {
        Self {
            id: claim.id().to_owned(),
            source: claim.source,
            kind: claim.kind().to_owned(),
            says: claim.says.clone(),
            corrected: claim.corrected.clone(),
            ours: found.figures().to_vec(),
            notes: found.notes().to_vec(),
            verdict: claim.verdict(found),
            criterion: found.criterion_in_words(),
            checked: claim.check.clone().unwrap_or_default(),
            owner: claim.owner().to_owned(),
            published: claim.published(),
        }
    }

    fn ours_in_words(&self) -> String {
        let figures = self.ours.iter().map(|figure| named(&figure.name, &figure.shown));
        let notes = self.notes.iter().cloned();
        figures.chain(notes).collect::<Vec<_>>().join("; ")
    }

    fn errors_in_words(&self) -> String {
        let figures = self.ours.iter();
        let errors: Vec<_> = figures
            .filter_map(|figure| Some((&figure.name, figure.shown_error()?)))
            .collect();
        if let [(_, only)] = &errors[..] {
            return only.clone();
        }
        let named = errors.iter().map(|(name, error)| named(name, error));
        named.collect::<Vec<_>>().join("; ")
    }
}

fn named(name: &str, shown: &str) -> String {
    match (name.is_empty(), shown.is_empty()) {
        (true, _) => shown.to_owned(),
        (_, true) => name.to_owned(),
        _ => format!("{name} {shown}"),
    }
}

/// How many rows of each verdict, in words.
pub(crate) fn tally(rows: &[Row]) -> String {
    tally_of(rows.len(), |verdict| {
        rows.iter().filter(|row| row.verdict == verdict).count()
    })
}

fn tally_of(rows: usize, count: impl Fn(Verdict) -> usize) -> String {
    let of = |verdict: Verdict| format!("{} {}", count(verdict), verdict.words());
    let occurring = Verdict::ALL.into_iter().filter(|verdict| count(*verdict) > 0);
    format!(
        "{rows} claims: {}",
        occurring.map(of).collect::<Vec<_>>().join(", ")
    )
}

/// A column of the terminal's table: its name, its width in characters and its cell in a row.
type TextColumn = (&'static str, usize, fn(&Row) -> String);

/// The table for a terminal; long cells go on in the lines below.
pub(crate) fn to_text(rows: &[Row]) -> String {
    let columns: [TextColumn; 8] = [
        ("id", usize::MAX, |row| row.id.clone()),
        ("kind", usize::MAX, |row| row.kind.clone()),
        ("published", 36, |row| row.published.clone()),
        ("ours", 38, Row::ours_in_words),
        ("standard error", 18, Row::errors_in_words),
        ("verdict", 14, |row| row.verdict.words().to_owned()),
        ("how checked", 34, |row| row.checked.clone()),
        ("owner", usize::MAX, |row| row.owner.clone()),
    ];
    let lines = rows.iter().flat_map(|row| {
        let cells = columns.map(|(_, width, cell)| wrap(&cell(row), width));
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        (0..height).map(move |line| {
            cells
                .clone()
                .map(|cell| cell.get(line).cloned().unwrap_or_default())
        })
    });
    let lines: Vec<[String; 8]> = lines.collect();
    Table::of("Claims of the sources", &lines)
        .columns(
            0..columns.len(),
            |k| Column::text(columns[k].0),
            |line, k| &line[k],
        )
        .build()
        .note(tally(rows))
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

/// All rows as a JSON array.
pub(crate) fn to_json(rows: &[Row]) -> serde_json::Result<String> {
    serde_json::to_string_pretty(rows)
}

/// `docs/claims.md`: a table for each document. The first four cells of a row come from the ledger alone.
pub(crate) fn to_markdown(rows: &[Row], command: &str) -> String {
    let mut page = format!(
        "# Claims of the sources\n\nWritten by `{command} --write`; the claims are in `claims.toml`. Every value \
         under \"ours\" was computed by a run of it.\n\n{KINDS}{}.\n",
        tally(rows)
    );
    for document in &Document::ALL {
        let of_document: Vec<&Row> = rows.iter().filter(|row| row.source == *document).collect();
        if of_document.is_empty() {
            continue;
        }
        let _ = write!(
            page,
            "\n## {}\n\n| id | kind | published | owner | ours | standard error | verdict | how checked |\n\
             |---|---|---|---|---|---|---|---|\n",
            document.title()
        );
        for row in of_document {
            let _ = writeln!(page, "{}", line(row));
        }
    }
    page
}

/// What the line with the tally begins with.
const KINDS: &str = "Kinds: E exact, S statistical, Q an order. ";

fn line(row: &Row) -> String {
    let ours = [
        row.ours_in_words(),
        row.errors_in_words(),
        row.verdict.words().to_owned(),
        row.checked.clone(),
    ];
    let cells = ours.map(|cell| escape(&cell)).join(" | ");
    let stable = stable_cells(&row.id, &row.kind, &row.published, &row.owner);
    format!("{stable}{cells} |")
}

/// The id of a line of a page's table.
fn id_of(line: &str) -> Option<&str> {
    line.strip_prefix("| ")?
        .split(' ')
        .next()
        .filter(|id| *id != "id")
}

/// The page with these rows in the place of its own, and the tally anew. Rows that the page does not have are named
/// instead.
pub(crate) fn with_rows(page: &str, rows: &[Row]) -> Result<String, Vec<String>> {
    let is_there = |row: &&Row| page.lines().any(|line| id_of(line) == Some(&row.id));
    let missing: Vec<String> = rows
        .iter()
        .filter(|row| !is_there(row))
        .map(|row| row.id.clone())
        .collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let new = |old: &str| match rows.iter().find(|row| id_of(old) == Some(&row.id)) {
        Some(row) => line(row),
        None => old.to_owned(),
    };
    let lines: Vec<String> = page.lines().map(new).collect();
    // Cells hold no " | " of their own: `escape` sees to that.
    let of_rows = || lines.iter().filter(|line| id_of(line).is_some());
    let verdicts: Vec<&str> = of_rows().filter_map(|line| line.split(" | ").nth(6)).collect();
    let count = |verdict: Verdict| verdicts.iter().filter(|words| **words == verdict.words()).count();
    let tally = format!("{KINDS}{}.", tally_of(verdicts.len(), count));
    let mut merged = String::new();
    for line in &lines {
        let line = if line.starts_with(KINDS) { &tally } else { line };
        let _ = writeln!(merged, "{line}");
    }
    Ok(merged)
}

fn stable_cells(id: &str, kind: &str, published: &str, owner: &str) -> String {
    format!("| {id} | {kind} | {} | {owner} | ", escape(published))
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

/// The claims whose rows no longer agree with the ledger, whatever the figures: missing, altered, or gone.
pub(crate) fn stale(page: &str, ledger: &Ledger) -> Vec<String> {
    let mut stale = Vec::new();
    for claim in &ledger.claims {
        let row = stable_cells(claim.id(), claim.kind(), &claim.published(), claim.owner());
        if !page.lines().any(|line| line.starts_with(&row)) {
            stale.push(claim.id().to_owned());
        }
    }
    let gone = page
        .lines()
        .filter_map(id_of)
        .filter(|id| ledger.claim(id).is_none());
    stale.extend(gone.map(str::to_owned));
    stale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(says: &str) -> Ledger {
        let text = format!(
            "[owners]\nsim = {{ built = true, about = \"crates/sim\" }}\n[[claim]]\nid = \"EOMM-a\"\nsource = \"eomm\"\n\
             kind = \"E\"\nsays = \"{says}\"\nowner = \"sim\"\n"
        );
        Ledger::parse(&text, "claims.toml").unwrap()
    }

    fn rows(ledger: &Ledger) -> Vec<Row> {
        let found = Finding::new().number("x", 1.0, 1).estimate("y", (2.0, 0.25), 1);
        ledger
            .claims
            .iter()
            .map(|claim| Row::new(claim, &found))
            .collect()
    }

    #[test]
    fn every_format_shows_figures_errors_and_verdicts() {
        let rows = rows(&ledger("a | b"));
        let text = to_text(&rows);
        assert!(
            text.contains("x 1.0; y 2.0") && text.contains("0.25") && text.contains("1 confirmed"),
            "{text}"
        );
        let json: serde_json::Value = serde_json::from_str(&to_json(&rows).unwrap()).unwrap();
        assert_eq!(json[0]["ours"][1]["standard_error"], 0.25);
        assert_eq!(json[0]["verdict"], "confirmed");
        let page = to_markdown(&rows, "cargo xtask claims");
        assert!(
            page.contains("| EOMM-a | E | a \\| b | sim | x 1.0; y 2.0 | 0.25 | confirmed |"),
            "{page}"
        );
    }

    #[test]
    fn a_page_is_stale_once_a_claim_changes_comes_or_goes() {
        let first = ledger("one");
        let page = to_markdown(&rows(&first), "cargo xtask claims");
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
        let ledger = ledger("a | b");
        let old = rows(&ledger);
        let mut second = old[0].clone();
        second.id = "EOMM-b".to_owned();
        let both = [old[0].clone(), second];
        let page = to_markdown(&both, "cargo xtask claims");
        let found = Finding::new().number("z", 7.0, 1).require(false, "so");
        let new = Row::new(&ledger.claims[0], &found);
        let merged = with_rows(&page, std::slice::from_ref(&new)).unwrap();
        assert_eq!(merged, to_markdown(&[new, both[1].clone()], "cargo xtask claims"));
        assert!(
            merged.contains("2 claims: 1 confirmed, 1 not confirmed."),
            "{merged}"
        );
        assert_eq!(with_rows(&page, &old).unwrap(), page);
        assert_eq!(with_rows("", &old).unwrap_err(), ["EOMM-a"]);
    }

    #[test]
    fn long_cells_break_between_words() {
        assert_eq!(wrap("a bb ccc dddddd", 4), ["a bb", "ccc", "dddddd"]);
        assert!(wrap("", 4).is_empty());
    }
}
