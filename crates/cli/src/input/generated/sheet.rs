//! Rows of cells, written as CSV or JSON in many ways.

use std::fmt::Write as _;

use super::Dice;

/// A cell, as CSV and as JSON have it.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) csv: String,
    pub(super) json: String,
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        let csv = text.into();
        let json = serde_json::to_string(&csv).unwrap();
        Self { csv, json }
    }

    /// A number as it is written.
    pub(super) fn number(text: impl Into<String>) -> Self {
        let csv: String = text.into();
        let json = csv.clone();
        Self { csv, json }
    }

    /// A number where it is one, else a text.
    pub(super) fn told(text: &str) -> Self {
        let is_number = serde_json::from_str::<f64>(text).is_ok();
        if is_number {
            Self::number(text)
        } else {
            Self::text(text)
        }
    }
}

#[derive(Clone, Default)]
pub(super) struct Sheet {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Sheet {
    pub(super) fn add(&mut self, name: impl Into<String>, cells: impl IntoIterator<Item = Cell>) {
        self.names.push(name.into());
        let mut cells = cells.into_iter();
        if self.rows.is_empty() {
            self.rows = cells.map(|cell| vec![cell]).collect();
            return;
        }
        for row in &mut self.rows {
            row.push(cells.next().unwrap());
        }
    }

    pub(super) fn place(&self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap()
    }

    /// A column under its own name or another, with the cells of the rows one further.
    pub(super) fn repeat(&mut self, place: usize, name: &str) {
        let cells: Vec<Cell> = self.rows.iter().map(|row| row[place].clone()).collect();
        let turned = cells.iter().cycle().skip(1).take(cells.len()).cloned();
        self.add(name, turned.collect::<Vec<_>>());
    }

    /// Another order of the columns.
    pub(super) fn shuffle(&mut self, dice: &mut Dice) {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        dice.shuffle(&mut order);
        self.names = order.iter().map(|place| self.names[*place].clone()).collect();
        for row in &mut self.rows {
            *row = order.iter().map(|place| row[*place].clone()).collect();
        }
    }

    /// CSV with some separator, quotes and ends of lines.
    pub(super) fn csv(&self, dice: &mut Dice) -> String {
        let separator = dice.pick(&[",", ";", "\t"]);
        let end = dice.pick(&["\n", "\r\n"]);
        let mut cell = |text: &str| {
            let needs_quotes = text.contains([',', ';', '\t', '"', '\n']);
            if needs_quotes || dice.one_in(16) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else if dice.one_in(16) {
                format!(" {text} ")
            } else {
                text.to_owned()
            }
        };
        let header: Vec<String> = self.names.iter().map(|name| cell(name)).collect();
        let mut text = header.join(separator) + end;
        for row in &self.rows {
            let row: Vec<String> = row.iter().map(|one| cell(&one.csv)).collect();
            let _ = write!(text, "{}{end}", row.join(separator));
        }
        text
    }

    /// JSON lines or an array.
    pub(super) fn json(&self, dice: &mut Dice) -> String {
        let blank = dice.pick(&["", " "]);
        let object = |row: &Vec<Cell>| {
            let entries = self.names.iter().zip(row);
            let entries = entries
                .map(|(name, cell)| format!("{}:{blank}{}", serde_json::to_string(name).unwrap(), cell.json));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        };
        let objects: Vec<String> = self.rows.iter().map(object).collect();
        match dice.below(3) {
            0 => format!("[{}]", objects.join(",\n ")),
            _ => objects.join("\n") + "\n",
        }
    }
}

/// The name with another case, as a second column may have it.
pub(super) fn twin(name: &str) -> String {
    let upper = name.to_uppercase();
    if upper == name { name.to_lowercase() } else { upper }
}
