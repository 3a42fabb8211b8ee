//! The rows of a run, as a table for the terminal, as JSON and as `docs/claims.md`.

use std::fmt::Write as _;

use matchwright_report::{Column, Table};
use serde::Serialize;

use super::ledger::{Claim, Document, Ledger};
use super::verdict::{Figure, Found, Verdict};

/// One claim with what became of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) seed_document: Document,
    pub(crate) kind: String,
    pub(crate) seed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) corrected: Option<String>,
    pub(crate) ours: Vec<Figure>,
    pub(crate) notes: Vec<String>,
    pub(crate) verdict: Verdict,
    pub(crate) checked: String,
    pub(crate) owner: String,
    #[serde(skip)]
    seed_value: String,
}

impl Row {
    pub(crate) fn new(claim: &Claim, found: &Found) -> Self {
        Self {
            id: claim.id.clone(),
            seed_document: claim.seed,
            kind: claim.kind.clone(),
            seed: claim.says.clone(),
            corrected: claim.corrected.clone(),
            ours: found.figures().to_vec(),
            notes: found.notes().to_vec(),
            verdict: Verdict::of(claim, found),
            checked: claim.check.clone().unwrap_or_default(),
            owner: claim.owner.clone(),
            seed_value: claim.seed_value(),
        }
    }

    fn ours_in_words(&self) -> String {
        let figures = self.ours.iter().map(|figure| named(&figure.name, &figure.shown));
        let notes = self.notes.iter().cloned();
        figures.chain(notes).collect::<Vec<_>>().join("; ")
    }

    fn errors_in_words(&self) -> String {
        let with_errors: Vec<(&str, String)> = self
            .ours
            .iter()
            .filter_map(|figure| Some((figure.name.as_str(), figure.shown_error()?)))
            .collect();
        match &with_errors[..] {
            [(_, only)] => only.clone(),
            several => several
                .iter()
                .map(|(name, error)| named(name, error))
                .collect::<Vec<_>>()
                .join("; "),
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

/// How many rows of each verdict, in words.
pub(crate) fn tally(rows: &[Row]) -> String {
    tally_of(rows.len(), |verdict| {
        rows.iter().filter(|row| row.verdict == verdict).count()
    })
}

fn tally_of(rows: usize, count: impl Fn(Verdict) -> usize) -> String {
    let of = |verdict: Verdict| format!("{} {}", count(verdict), verdict.words());
    let all = [Verdict::Pass, Verdict::Corrected, Verdict::Fail, Verdict::Open];
    format!("{rows} claims: {}", all.map(of).join(", "))
}

/// Widths of the columns that hold sentences, in characters.
const SEED: usize = 36;
const OURS: usize = 38;
const ERROR: usize = 18;
const CHECKED: usize = 34;
const VERDICT: usize = 14;

/// The table for a terminal; long cells go on in the lines below.
pub(crate) fn to_text(rows: &[Row]) -> String {
    let names = [
        "id",
        "kind",
        "seed",
        "ours",
        "standard error",
        "verdict",
        "how checked",
        "owner",
    ];
    let start = Table::new("Claims of the seed documents");
    let mut table = names
        .into_iter()
        .fold(start, |table, name| table.column(Column::text(name)));
    for row in rows {
        let cells = [
            vec![row.id.clone()],
            vec![row.kind.clone()],
            wrap(&row.seed_value, SEED),
            wrap(&row.ours_in_words(), OURS),
            wrap(&row.errors_in_words(), ERROR),
            wrap(row.verdict.words(), VERDICT),
            wrap(&row.checked, CHECKED),
            vec![row.owner.clone()],
        ];
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let texts = cells
                .iter()
                .map(|cell| cell.get(line).cloned().unwrap_or_default());
            table = table.row(texts.map(Into::into));
        }
    }
    table.note(tally(rows)).to_text()
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
        "# Claims of the seed documents\n\nWritten by `{command} --write`; the claims are in `claims.toml`. Every value \
         under \"ours\" was worked out by a run of it.\n\n{KINDS}{}.\n",
        tally(rows)
    );
    for document in &Document::ALL {
        let of_document: Vec<&Row> = rows.iter().filter(|row| row.seed_document == *document).collect();
        if of_document.is_empty() {
            continue;
        }
        let _ = write!(
            page,
            "\n## {}\n\n| id | kind | seed | owner | ours | standard error | verdict | how checked |\n\
             |---|---|---|---|---|---|---|---|\n",
            title(*document)
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
    let stable = stable_cells(&row.id, &row.kind, &row.seed_value, &row.owner);
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

fn title(document: Document) -> &'static str {
    match document {
        Document::Eomm => "EOMM (Chen et al., WWW 2017)",
        Document::Awesomenauts => "Awesomenauts",
        Document::Dota => "Dota 2",
        Document::Dominations => "DomiNations",
        Document::Sc2 => "StarCraft II",
    }
}

fn stable_cells(id: &str, kind: &str, seed: &str, owner: &str) -> String {
    format!("| {id} | {kind} | {} | {owner} | ", escape(seed))
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

/// What of the page no longer agrees with the ledger, whatever the figures: claims that are missing, altered, or
/// gone.
pub(crate) fn stale(page: &str, ledger: &Ledger) -> Vec<String> {
    let mut stale = Vec::new();
    for claim in &ledger.claims {
        let row = stable_cells(&claim.id, &claim.kind, &claim.seed_value(), &claim.owner);
        if !page.lines().any(|line| line.starts_with(&row)) {
            stale.push(claim.id.clone());
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
    use std::path::Path;

    fn ledger(says: &str) -> Ledger {
        let text = format!(
            "[owners]\nsim = {{ built = true, about = \"crates/sim\" }}\n[[claim]]\nid = \"EOMM-a\"\nseed = \"eomm\"\n\
             kind = \"E\"\nsays = \"{says}\"\nowner = \"sim\"\n"
        );
        Ledger::parse(&text, Path::new("claims.toml")).unwrap()
    }

    fn rows(ledger: &Ledger) -> Vec<Row> {
        let found = Found::new().number("x", 1.0, 1).estimate("y", 2.0, 0.25, 1);
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
            text.contains("x 1.0; y 2.0") && text.contains("0.25") && text.contains("1 pass"),
            "{text}"
        );
        let json: serde_json::Value = serde_json::from_str(&to_json(&rows).unwrap()).unwrap();
        assert_eq!(json[0]["ours"][1]["standard_error"], 0.25);
        assert_eq!(json[0]["verdict"], "pass");
        let page = to_markdown(&rows, "cargo xtask claims");
        assert!(
            page.contains("| EOMM-a | E | a \\| b | sim | x 1.0; y 2.0 | 0.25 | pass |"),
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
        let found = Found::new().number("z", 7.0, 1).require(false, "so");
        let new = Row::new(&ledger.claims[0], &found);
        let merged = with_rows(&page, std::slice::from_ref(&new)).unwrap();
        assert_eq!(merged, to_markdown(&[new, both[1].clone()], "cargo xtask claims"));
        assert!(
            merged.contains("2 claims: 1 pass, 0 seed in error: corrected, 1 fail, 0 open."),
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
