//! Tables that people paste: separators, thousands, percent and merged cells understood where that is safe.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use crate::cell::numbers::{ROUNDED, is_rounded};
use crate::column_names::{Named, named};
use crate::error::{ImportError, InputName};
use crate::input::Source;
use crate::limits::check_columns;
use crate::row::csv::Records;
use crate::text::{lines, listed, shown};
use crate::unused::{ColumnUse, unused_note};

/// What columns can mean, in the words of `--columns`.
const MEANINGS: [&str; 19] = [
    "name",
    "league",
    "division",
    "points",
    "unspent",
    "wins",
    "losses",
    "total",
    "posted",
    "change",
    "won",
    "lost",
    "bonus",
    "minutes",
    "opponent",
    "differential",
    "promoted",
    "counts",
    "weeks away",
];

/// The user's own names for columns of pasted tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableColumns {
    named: Named,
}

impl TableColumns {
    /// Reads `points=Punkte,wins=Siege,...`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(Self {
            named: named(text, &MEANINGS)?,
        })
    }

    /// What the columns of a header are called here: as the user says, or as they are.
    fn called(&self, header: &[String], notes: &mut Vec<String>) -> Vec<String> {
        let mut called = header.to_vec();
        for (meaning, name) in &self.named {
            let Some(place) = header.iter().position(|known| plain(known) == plain(name)) else {
                let name = shown(name);
                notes.push(format!("no column `{name}` for the {meaning} of --columns"));
                continue;
            };
            // Another column of that name is not meant.
            called
                .iter_mut()
                .filter(|known| plain(known) == plain(meaning))
                .for_each(String::clear);
            (*meaning).clone_into(&mut called[place]);
        }
        called
    }
}

/// A name without what does not matter in it: case, blanks and signs.
fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// A table with a line of names: what is copied from a page or a spreadsheet.
#[derive(Debug)]
pub struct PastedTable {
    name: InputName,
    notes: Vec<String>,
    header: Vec<String>,
    /// What its columns are looked up by.
    called: Vec<String>,
    /// The columns that were looked up.
    used: RefCell<Vec<usize>>,
    /// By column and row, the last row up to it whose cell is filled.
    filled: RefCell<HashMap<usize, Vec<Option<usize>>>>,
    /// Each with its line in the file; it may have fewer cells than there are columns.
    rows: Vec<(u64, Vec<String>)>,
}

/// A column that was found by one of its names.
#[derive(Clone, Copy, Debug)]
pub struct FoundColumn {
    place: usize,
}

impl PastedTable {
    /// Reads a source: separated by tabs, semicolons or commas, whichever the first line has. Quotes at the start of a cell
    /// hold separators. O(bytes).
    ///
    /// # Errors
    /// [`ImportError`] with the line of what cannot be used, or if there is no line.
    pub fn of(source: &Source, columns: &TableColumns) -> Result<Self, ImportError> {
        let source_name = source.name();
        let Some((_, first)) = lines(source.text()).next() else {
            return Err(source_name.refuse("the table is empty"));
        };
        let separator = b"\t;,".iter().find(|separator| first.contains(separator));
        let mut records = Records::new(source.rows(), *separator.unwrap_or(&b','));
        let mut rows = Vec::new();
        while records.advance().map_err(|error| source_name.in_row(error))? {
            rows.push((
                records.line(),
                records.fields().map_err(|error| source_name.in_row(error))?,
            ));
        }
        drop(records);
        if rows.is_empty() {
            return Err(source_name.refuse("the table is empty"));
        }
        let (_, header) = rows.remove(0);
        check_columns(header.len()).map_err(|(_, what)| source_name.in_line(1, what))?;
        for (line, row) in &mut rows {
            while row.len() > header.len() && row.last().is_some_and(String::is_empty) {
                row.pop();
            }
            if row.len() > header.len() {
                let what = format!(
                    "{} cells under {} names: a comma within a number or name wants quotes, or another separator",
                    row.len(),
                    header.len()
                );
                return Err(source_name.in_line(*line, what));
            }
        }
        let mut notes = Vec::new();
        let called = columns.called(&header, &mut notes);
        let mut known = HashSet::new();
        for name in &called {
            let plain = plain(name);
            if !plain.is_empty() && !known.insert(plain) {
                let what = format!("two columns are called `{}`; remove or rename one", shown(name));
                return Err(source_name.in_line(1, what));
            }
        }
        Ok(Self {
            used: RefCell::default(),
            filled: RefCell::default(),
            name: source_name.clone(),
            notes,
            header,
            called,
            rows,
        })
    }

    /// What it is called.
    #[must_use]
    pub const fn name(&self) -> &InputName {
        &self.name
    }

    /// What the user should hear of how its columns were taken.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Which columns nothing looks at, once all that are wanted were looked up.
    #[must_use]
    pub fn unused_note(&self) -> Option<String> {
        let unused = ColumnUse::default();
        unused.add_all_but(&self.header, &self.used.borrow());
        unused_note(&unused.names(), &MEANINGS)
    }

    /// How many rows it has below its line of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The column with one of these names; case, blanks and signs do not matter.
    #[must_use]
    pub fn column(&self, names: &[&str]) -> Option<FoundColumn> {
        let is_meant = |name: &String| names.iter().any(|known| plain(name) == plain(known));
        let place = self.called.iter().position(is_meant);
        self.used.borrow_mut().extend(place);
        place.map(|place| FoundColumn { place })
    }

    /// The column, or a message with the names that it may have.
    ///
    /// # Errors
    /// [`ImportError`] with the line of the cell.
    pub fn needed(&self, names: &[&str]) -> Result<FoundColumn, ImportError> {
        self.column(names).ok_or_else(|| {
            let header = listed(self.header.iter().map(|name| shown(name)));
            let what = format!(
                "no column `{}`; the first line must name the columns (this one has {}; --columns {}=COLUMN says which is meant)",
                names.join("` or `"),
                header.unwrap_or_default(),
                names[0]
            );
            self.name.in_line(1, what)
        })
    }

    /// The cell's text.
    #[must_use]
    pub fn text(&self, row: usize, column: FoundColumn) -> &str {
        self.rows[row].1.get(column.place).map_or("", String::as_str)
    }

    /// The last row, up to this one, whose cell is filled: cells of a division are often merged.
    fn filled(&self, row: usize, column: FoundColumn) -> Option<usize> {
        let mut all = self.filled.borrow_mut();
        let of_column = all.entry(column.place).or_insert_with(|| {
            let mut last = None;
            let filled = |row: usize| {
                last = Some(row)
                    .filter(|row| !self.text(*row, column).is_empty())
                    .or(last);
                last
            };
            (0..self.rows.len()).map(filled).collect()
        });
        of_column[row]
    }

    /// The cell's text, or that of the last row above that has one.
    ///
    /// # Errors
    /// [`ImportError`] with the line of the cell.
    pub fn text_or_above(&self, row: usize, column: FoundColumn) -> Result<&str, ImportError> {
        let filled = self.filled(row, column).map(|row| self.text(row, column));
        filled.ok_or_else(|| self.complain(row, column, "is empty, and so are all above it"))
    }

    /// The cell's number.
    ///
    /// # Errors
    /// [`ImportError`] with the line of the cell.
    pub fn number(&self, row: usize, column: FoundColumn) -> Result<f64, ImportError> {
        let text = self.text(row, column);
        if text.is_empty() {
            let what = "is empty: a merged cell of a pasted table must be filled in for each row";
            return Err(self.complain(row, column, what));
        }
        number(text).map_err(|what| self.complain(row, column, format!("holds `{}`: {what}", shown(text))))
    }

    /// The cell's number, or that of the last row above that has one.
    ///
    /// # Errors
    /// [`ImportError`] with the line of the cell.
    pub fn number_or_above(&self, row: usize, column: FoundColumn) -> Result<f64, ImportError> {
        self.number(self.filled(row, column).unwrap_or(row), column)
    }

    /// The cell's number; none if it is empty.
    ///
    /// # Errors
    /// [`ImportError`] with the line of the cell.
    pub fn number_if_any(&self, row: usize, column: Option<FoundColumn>) -> Result<Option<f64>, ImportError> {
        let filled = column.filter(|column| !self.text(row, *column).is_empty());
        filled.map(|column| self.number(row, column)).transpose()
    }

    /// The cell's number of games.
    ///
    /// # Errors
    /// [`ImportError`] with the line of the cell.
    pub fn count(&self, row: usize, column: FoundColumn) -> Result<u32, ImportError> {
        let value = self.number(row, column)?;
        let what = |_| {
            self.complain(
                row,
                column,
                format!("holds {value}: give a whole number of games"),
            )
        };
        value.to_string().parse().map_err(what)
    }

    /// What is wrong with a cell.
    #[must_use]
    pub fn complain(&self, row: usize, column: FoundColumn, what: impl Display) -> ImportError {
        let name = shown(&self.header[column.place]);
        self.complain_row(row, format!("the cell of column `{name}` {what}"))
    }

    /// What is wrong with a row.
    #[must_use]
    pub fn complain_row(&self, row: usize, what: impl Display) -> ImportError {
        self.name.in_line(self.rows[row].0, what)
    }
}

/// A number as people write it: `3821`, `3,821`, `3 821`, `3'821`, `-12.5`, `+24`, a true minus sign.
///
/// A comma or blank groups digits by three. `3.821` is a decimal number to a program and a thousand to half of
/// Europe: refused.
///
/// # Errors
/// What is wrong with it, in words.
pub fn number(text: &str) -> Result<f64, &'static str> {
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
    match plain.parse::<f64>() {
        Ok(value) if is_rounded(&plain, value) => Err(ROUNDED),
        Ok(value) => Ok(sign * value),
        Err(_) => Err("that is no number"),
    }
}

/// A share of wins: `0.55`, `55%`, `55 %`. Percentages without the sign are for the caller to refuse.
///
/// # Errors
/// What is wrong with it, in words.
pub fn share(text: &str) -> Result<f64, &'static str> {
    match text.trim().strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        // Thousandths are fine here.
        None => text.trim().parse::<f64>().or_else(|_| number(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

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
            "",
            "abc",
            "3,82",
            "3821,5",
            "12,3456",
            ",821",
            "1e3",
            "3.",
            "--2",
            "NaN",
            "3.821",
            "9007199254740993",
            "9,007,199,254,740,993",
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
        let read = |text: &'static str| {
            let source = Source::read(Input::new("table", text.as_bytes())).unwrap();
            PastedTable::of(&source, &TableColumns::default())
        };
        let table = read("x,y,z\na,\"3,821\" ,\"b \"\"c\"\"\"\n").unwrap();
        assert_eq!(table.rows[0].1, ["a", "3,821", "b \"c\""]);
        let table = read("x\ty\tz\na\t\tc\t\n").unwrap();
        assert_eq!(table.rows[0].1, ["a", "", "c"]);
        assert!(read("x,y\na,\"b\n").is_err());
        assert!(read("points,wins,Points\n1,2,3\n").is_err());
    }
}
