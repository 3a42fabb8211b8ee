//! Tables that people paste: separators, thousands, percent and merged cells understood where that is safe.

use std::io::Read;
use std::path::Path;

use super::source::{Source, SourceFacts};
use crate::failure::{Failure, shown};

/// A table with a line of names, each row with its line in the file.
pub(crate) struct PastedTable {
    pub(crate) facts: SourceFacts,
    name: String,
    header: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

/// A column that was found by one of its names.
#[derive(Clone, Copy)]
pub(crate) struct FoundColumn {
    place: usize,
}

impl PastedTable {
    /// Reads a file or standard input: separated by tabs, semicolons or commas, whichever the first line has.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let mut source = Source::open(path)?;
        let mut text = String::new();
        source
            .reader
            .read_to_string(&mut text)
            .map_err(Failure::io(format!("reading {}", source.name)))?;
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty());
        let Some((_, first)) = lines.next() else {
            return Err(Failure::Failed(format!("{}: the table is empty", source.name)));
        };
        let separator = ['\t', ';', ',']
            .into_iter()
            .find(|&c| first.contains(c))
            .unwrap_or(',');
        let header = cells(first, separator).map_err(|what| in_line(&source.name, 1, what))?;
        let mut rows = Vec::new();
        for (line, text) in lines {
            let mut row = cells(text, separator).map_err(|what| in_line(&source.name, line, what))?;
            while row.len() > header.len() && row.last().is_some_and(String::is_empty) {
                row.pop();
            }
            if row.len() > header.len() {
                let what = format!(
                    "{} cells under {} names: a comma within a number or name wants quotes, or another separator",
                    row.len(),
                    header.len()
                );
                return Err(in_line(&source.name, line, &what));
            }
            row.resize(header.len(), String::new());
            rows.push((line, row));
        }
        Ok(Self {
            facts: source.facts(),
            name: source.name,
            header,
            rows,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The column with one of these names; case, blanks and signs do not matter.
    pub(crate) fn column(&self, names: &[&str]) -> Option<FoundColumn> {
        let plain = |text: &str| -> String {
            let kept = text.chars().filter(|c| c.is_alphanumeric());
            kept.flat_map(char::to_lowercase).collect()
        };
        let place = self
            .header
            .iter()
            .position(|name| names.iter().any(|known| plain(name) == plain(known)));
        place.map(|place| FoundColumn { place })
    }

    /// The column, or a message with the names that it may have.
    pub(crate) fn needed(&self, names: &[&str]) -> Result<FoundColumn, Failure> {
        self.column(names).ok_or_else(|| {
            Failure::Failed(format!(
                "{}:1: no column `{}`; the first line must name the columns (this one has {})",
                self.name,
                names.join("` or `"),
                self.header
                    .iter()
                    .map(|name| shown(name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ))
        })
    }

    /// The cell's text.
    pub(crate) fn text(&self, row: usize, column: FoundColumn) -> &str {
        &self.rows[row].1[column.place]
    }

    /// The cell's text, or that of the last row above that has one: cells of a division are often merged.
    pub(crate) fn text_or_above(&self, row: usize, column: FoundColumn) -> Result<&str, Failure> {
        let filled = (0..=row)
            .rev()
            .map(|above| self.text(above, column))
            .find(|text| !text.is_empty());
        filled.ok_or_else(|| self.complain(row, column, "is empty, and so are all above it"))
    }

    /// The cell's number.
    pub(crate) fn number(&self, row: usize, column: FoundColumn) -> Result<f64, Failure> {
        let text = self.text(row, column);
        if text.is_empty() {
            let what = "is empty: a merged cell of a pasted table must be filled in for each row";
            return Err(self.complain(row, column, what));
        }
        number(text).map_err(|what| self.complain(row, column, &format!("holds `{}`: {what}", shown(text))))
    }

    /// The cell's number, or that of the last row above that has one.
    pub(crate) fn number_or_above(&self, row: usize, column: FoundColumn) -> Result<f64, Failure> {
        let filled = (0..=row)
            .rev()
            .find(|&above| !self.text(above, column).is_empty());
        self.number(filled.unwrap_or(row), column)
    }

    /// The cell's number; none if it is empty.
    pub(crate) fn number_if_any(
        &self,
        row: usize,
        column: Option<FoundColumn>,
    ) -> Result<Option<f64>, Failure> {
        match column {
            Some(column) if !self.text(row, column).is_empty() => self.number(row, column).map(Some),
            _ => Ok(None),
        }
    }

    /// The cell's number of games.
    pub(crate) fn count(&self, row: usize, column: FoundColumn) -> Result<u32, Failure> {
        let value = self.number(row, column)?;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number in range"
        )]
        let whole = value as u32;
        if f64::from(whole) == value {
            Ok(whole)
        } else {
            let what = format!("holds {value}: give a whole number of games");
            Err(self.complain(row, column, &what))
        }
    }

    /// What is wrong with a cell.
    pub(crate) fn complain(&self, row: usize, column: FoundColumn, what: &str) -> Failure {
        Failure::Failed(format!(
            "{}:{}: the cell of column `{}` {what}",
            self.name,
            self.rows[row].0,
            shown(&self.header[column.place])
        ))
    }

    /// What is wrong with a row.
    pub(crate) fn complain_row(&self, row: usize, what: &impl std::fmt::Display) -> Failure {
        in_line(&self.name, self.rows[row].0, &what.to_string())
    }

    /// What is wrong with the whole.
    pub(crate) fn refuse(&self, what: &impl std::fmt::Display) -> Failure {
        Failure::Failed(format!("{}: {what}", self.name))
    }
}

fn in_line(name: &str, line: usize, what: &str) -> Failure {
    Failure::Failed(format!("{name}:{line}: {what}"))
}

/// A line's cells without blanks around them; quotes hold separators.
fn cells(line: &str, separator: char) -> Result<Vec<String>, &'static str> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let at_start = cells.last().is_none_or(|cell| cell.trim().is_empty());
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                push(&mut cells, '"');
            }
            '"' if quoted => quoted = false,
            '"' if at_start => quoted = true,
            c if c == separator && !quoted => cells.push(String::new()),
            c => push(&mut cells, c),
        }
    }
    if quoted {
        return Err("a quote is opened and not closed on this line");
    }
    Ok(cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

fn push(cells: &mut [String], c: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(c);
    }
}

/// A number as people write it: `3821`, `3,821`, `3 821`, `3'821`, `-12.5`, `+24`, a true minus sign.
///
/// A comma or blank groups digits by three. `3.821` is a decimal number to a program and a thousand to half of
/// Europe: refused.
pub(crate) fn number(text: &str) -> Result<f64, &'static str> {
    let text: String = text.trim().replace('\u{2212}', "-");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if digits.ends_with('.') || !fraction.chars().all(|c| c.is_ascii_digit()) {
        return Err("that is no number");
    }
    let blank = |c: char| c == ',' || c == '\'' || c == '\u{2019}' || c.is_whitespace();
    let groups: Vec<&str> = whole.split(blank).collect();
    let is_digits = |group: &&str| !group.is_empty() && group.chars().all(|c| c.is_ascii_digit());
    if !groups.iter().all(is_digits) {
        return Err("that is no number");
    }
    let first_fits = groups.len() == 1 || groups[0].len() <= 3;
    if !first_fits || groups[1..].iter().any(|group| group.len() != 3) {
        return Err("separators of thousands stand before three digits each; write a decimal point as `.`");
    }
    if groups.len() == 1 && fraction.len() == 3 && (1..=3).contains(&whole.len()) && whole != "0" {
        return Err(
            "this may be thousands or thousandths; write it without the point, or with another decimal",
        );
    }
    let plain = format!("{}.{fraction}0", groups.concat());
    plain
        .parse::<f64>()
        .map(|value| sign * value)
        .map_err(|_| "that is no number")
}

/// A share of wins: `0.55`, `55%`, `55 %`. Percentages without the sign are for the caller to refuse.
pub(crate) fn share(text: &str) -> Result<f64, &'static str> {
    match text.trim().strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        // Thousandths are fine here.
        None => text.trim().parse::<f64>().or_else(|_| number(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them_and_ambiguous_ones_refused() {
        let read = |text| number(text).unwrap();
        assert_eq!(
            [read("3,821"), read("3 821"), read("3'821"), read("1,234,567")],
            [3821.0, 3821.0, 3821.0, 1234567.0]
        );
        assert_eq!(
            [read("-12.5"), read("+24"), read("\u{2212}11"), read("0.375")],
            [-12.5, 24.0, -11.0, 0.375]
        );
        for wrong in [
            "", "abc", "3,82", "3821,5", "12,3456", ",821", "1e3", "3.", "--2", "NaN", "3.821",
        ] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            [
                share("55%").unwrap(),
                share("0.551").unwrap(),
                share("55 %").unwrap()
            ],
            [0.55, 0.551, 0.55]
        );
        assert_eq!(share("55").unwrap(), 55.0);
    }

    #[test]
    fn quotes_hold_separators() {
        assert_eq!(
            cells("a, \"3,821\" ,\"b \"\"c\"\"\"", ',').unwrap(),
            ["a", "3,821", "b \"c\""]
        );
        assert_eq!(cells("a\t\tc", '\t').unwrap(), ["a", "", "c"]);
        assert!(cells("a,\"b", ',').is_err());
    }
}
