//! The rows of a run, as a table for the terminal and as JSON.

use itertools::Itertools;
use matchwright_report::{Column, Table};
use serde::Serialize;

use super::ledger::Claim;
use crate::check::verdict::{Figure, Finding, Verdict};

/// One claim with what its check found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub(crate) claim: Claim,
    ours: Vec<Figure>,
    notes: Vec<String>,
    pub(crate) verdict: Verdict,
    criterion: String,
    /// The file of the check, from the root of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

impl Row {
    pub(crate) fn new(claim: &Claim, code: Option<&'static str>, mut found: Finding) -> Self {
        if matches!(found.verdict, Verdict::NotConfirmed | Verdict::Inconclusive) {
            found.notes.extend(found.samples_in_words());
        }
        Self {
            verdict: found.verdict,
            criterion: found.criterion_in_words(),
            claim: claim.clone(),
            ours: found.figures,
            notes: found.notes,
            code,
        }
    }

    /// What to complain of: a verdict that the ledger's words do not take for granted.
    pub(crate) fn surprise(&self) -> Option<String> {
        let expected = self.claim.expected();
        let surprises = self.verdict != expected && self.verdict != Verdict::Open;
        surprises.then(|| {
            let (id, found) = (&self.claim.id, self.verdict.words());
            format!(
                "{id} is {found}; its words in claims.toml say {}",
                expected.words()
            )
        })
    }

    pub(crate) fn ours_in_words(&self) -> String {
        let figures = self.ours.iter().map(|figure| named(&figure.name, &figure.shown));
        figures.chain(self.notes.iter().cloned()).join("; ")
    }

    pub(crate) fn intervals_in_words(&self) -> String {
        let intervals = self.ours.iter();
        let intervals = intervals.filter_map(|figure| Some((&figure.name, figure.shown_interval.as_ref()?)));
        match intervals.clone().exactly_one() {
            Ok((_, only)) => only.clone(),
            Err(_) => intervals.map(|(name, interval)| named(name, interval)).join("; "),
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
pub(crate) fn tally(verdicts: &[&str]) -> String {
    let count = |words: &str| verdicts.iter().filter(|verdict| **verdict == words).count();
    let counts = Verdict::ALL.map(|verdict| (count(verdict.words()), verdict.words()));
    let occurring = counts.iter().filter(|(count, _)| *count > 0);
    let counts = occurring.map(|(count, words)| format!("{count} {words}"));
    format!("{} claims: {}", verdicts.len(), counts.into_iter().join(", "))
}

/// A column of the terminal's table: its name, its width in characters and its cell in a row.
type TextColumn<R> = (&'static str, usize, fn(&R) -> String);

/// The table for a terminal.
pub(crate) fn to_text(rows: &[Row]) -> String {
    let columns: [TextColumn<Row>; 7] = [
        ("id", usize::MAX, |row| row.claim.id.clone()),
        ("kind", usize::MAX, |row| row.claim.kind.clone()),
        ("published", 36, |row| row.claim.published()),
        ("ours", 38, Row::ours_in_words),
        ("95 % interval", 20, Row::intervals_in_words),
        ("verdict", 14, |row| row.verdict.words().to_owned()),
        ("how checked", 34, |row| row.claim.check.clone()),
    ];
    let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict.words()).collect();
    text_table("Claims of the sources", rows, columns, tally(&verdicts))
}

/// Long cells go on in the lines below.
fn text_table<R, const N: usize>(
    title: &str,
    rows: &[R],
    columns: [TextColumn<R>; N],
    note: String,
) -> String {
    let lines = rows.iter().flat_map(|row| {
        let cells = columns.map(|(_, width, cell)| wrap(&cell(row), width));
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        (0..height).map(move |line| {
            let part = |cell: Vec<String>| cell.get(line).cloned().unwrap_or_default();
            cells.clone().map(part)
        })
    });
    let lines: Vec<[String; N]> = lines.collect();
    let column = |k: usize| Column::text(columns[k].0);
    Table::of(title, &lines)
        .columns(0..N, column, |line, k| &line[k])
        .build()
        .note(note)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_break_between_words() {
        assert_eq!(wrap("a bb ccc dddddd", 4), ["a bb", "ccc", "dddddd"]);
        assert!(wrap("", 4).is_empty());
    }
}
