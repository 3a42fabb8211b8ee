//! What all rows of a file of tickets say together.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value as Json;

use super::Ticket;
use super::columns::is_ping;
use super::values::{attribute, is_long_id};
use crate::cell::case_twins::case_twins;
use crate::cell::cell_list::LooksLikeList;
use crate::cell::decimals::Decimals;
use crate::cell::nobody::{OPEN_ZERO, Parties, Zero, is_nobody, is_zero};
use crate::error::{Fault, RowError};
use crate::players::{Kind, Whole, kind, truth, value};
use crate::row::{Cell, Row};
use crate::text::shown;
use crate::value::Value;

/// What the texts of a column of CSV are.
#[derive(Clone, Copy)]
struct Met {
    is_number: bool,
    is_truth: bool,
    is_letter: bool,
    letters: [bool; 2],
}

/// What the columns of attributes hold, that no player of the scoring has: numbers where all are, true and false where
/// all are, else texts.
pub(super) struct ColumnTypes(BTreeMap<Rc<str>, (Met, Whole)>);

impl ColumnTypes {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut types: BTreeMap<Rc<str>, (Met, Whole)> = BTreeMap::new();
        let all = Met {
            is_number: true,
            is_truth: true,
            is_letter: true,
            letters: [false; 2],
        };
        for cell in rows.iter().filter(|row| row.is_csv).flat_map(|row| &row.cells) {
            let text = cell.value.as_str().unwrap_or_default();
            if kind(&cell.meaning).is_none() && is_nobody(text) {
                continue;
            }
            let (met, whole) = types
                .entry(Rc::clone(&cell.meaning))
                .or_insert_with(|| (all, Whole::default()));
            let letters = ["t", "f"].map(|letter| text.eq_ignore_ascii_case(letter));
            let is_number = text.parse().is_ok_and(f64::is_finite) || Decimals::is_number(text);
            met.is_number &= is_number && !is_long_id(&cell.meaning, text);
            whole.decimals.add(text);
            met.is_truth &= truth(text, false).is_some();
            met.is_letter &= letters[0] || letters[1];
            met.letters = [met.letters[0] || letters[0], met.letters[1] || letters[1]];
            whole.has_t_and_f = met.letters == [true, true];
        }
        Self(types)
    }

    /// What the user should hear of commas in the numbers of the columns.
    pub(super) fn note(&self) -> Option<String> {
        let is_number = |meaning: &str, met: &Met| kind(meaning).map_or(met.is_number, Kind::is_number);
        let numbers = self
            .0
            .iter()
            .filter(|(meaning, (met, _))| is_number(meaning, met));
        numbers
            .map(|(_, (_, whole))| whole.decimals)
            .find_map(Decimals::note)
    }

    /// Whether some row of CSV has a value with this meaning.
    pub(super) fn have(&self, meaning: &str) -> bool {
        self.0.contains_key(meaning)
    }

    /// Whether a cell says that a number is not there.
    pub(super) fn lacks(&self, cell: &Cell) -> bool {
        let is_number = || self.0.get(&cell.meaning).is_some_and(|(met, _)| met.is_number);
        kind(&cell.meaning).is_none() && cell.value.as_str().is_some_and(is_nobody) && is_number()
    }

    /// The value of an attribute's cell.
    pub(super) fn value(&self, cell: &Cell, (line, is_csv): (u64, bool)) -> Result<Value, Fault> {
        let column = self.0.get(&cell.meaning).filter(|_| is_csv);
        let (Json::String(text), Some((met, whole))) = (&cell.value, column) else {
            return attribute(cell, &cell.value);
        };
        let is_truth = met.is_truth || (met.is_letter && whole.has_t_and_f);
        let kind = kind(&cell.meaning).unwrap_or(match () {
            () if met.is_number => Kind::Number,
            () if is_truth => Kind::Truth,
            () if text.contains([';', '|']) => Kind::List,
            () => Kind::Text,
        });
        value(kind, text, whole, line).map_err(|what| cell.refuse(&what))
    }
}

/// Takes the party `0` out where it is none, and says so; `Err` where nothing tells.
pub(super) fn without_zero(rows: &mut [Row]) -> Result<Option<String>, RowError> {
    let label = |row: &Row| row.cell("party").and_then(|cell| cell.text().ok());
    let of_player = |row: &&Row| row.cell("player").is_some() && row.cell("ticket").is_none();
    let mut at: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // Who was in `0`, each time.
    let mut in_zero: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows.iter().filter(of_player) {
        let time = row.cell("time").and_then(|cell| cell.text().ok());
        let (time, label) = (time.unwrap_or_default(), label(row).unwrap_or_default());
        if is_zero(&label) {
            let player = row.cell("player").and_then(|cell| cell.text().ok());
            in_zero.entry(time.clone()).or_default().extend(player);
        }
        at.entry(time).or_default().push(label);
    }
    let times = |wanted: &str| {
        at.values()
            .filter(|labels| labels.iter().any(|label| label == wanted))
            .count()
    };
    if in_zero.is_empty() {
        return Ok(None);
    }
    let mut parties = Parties::default();
    for labels in at.values() {
        parties.add(labels.iter().map(|label| (0, &**label)));
    }
    let others: BTreeSet<&String> = at.values().flatten().filter(|label| !is_zero(label)).collect();
    let companies: BTreeSet<&BTreeSet<String>> = in_zero.values().collect();
    let comes_again = companies.len() > 1 && others.iter().all(|label| times(label) < 2);
    let zero = match parties.zero() {
        Zero::Open | Zero::Party if comes_again => Zero::Nobody,
        zero => zero,
    };
    match zero {
        Zero::Party => Ok(None),
        Zero::Open => {
            let is_zero = |row: &&Row| label(row).as_deref().is_some_and(is_zero);
            let first = rows.iter().find(is_zero);
            let place = first.map_or((1, 1), |row| {
                (row.line, row.cell("party").map_or(1, |cell| cell.column))
            });
            Err(RowError::new(
                place.0,
                (place.1, format!("`party` is {OPEN_ZERO}")),
            ))
        }
        Zero::Nobody => {
            for row in rows.iter_mut() {
                let is_zero = label(row).as_deref().is_some_and(is_zero);
                row.cells.retain(|cell| !is_zero || &*cell.meaning != "party");
            }
            Ok(Some(
                "the party `0` is taken for no party, as all of its column says".to_owned(),
            ))
        }
    }
}

/// Takes the match `0` out where it is none, and says so: more rows have it than any other match, or they left.
pub(super) fn without_match_zero(rows: &mut [Row]) -> Option<String> {
    let is_zero = |row: &Row| {
        row.cell("match")
            .and_then(|cell| cell.text().ok())
            .is_some_and(|text| is_zero(&text))
    };
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for text in rows
        .iter()
        .filter(|row| !is_zero(row))
        .filter_map(|row| row.cell("match")?.text().ok())
    {
        *sizes.entry(text).or_default() += 1;
    }
    let largest = sizes.values().max().copied().unwrap_or(0);
    let has_left = |row: &Row| row.cell("left").is_some();
    let leave_alone = rows.iter().any(is_zero)
        && rows
            .iter()
            .all(|row| has_left(row) == is_zero(row) || row.cell("match").is_none());
    if rows.iter().filter(|row| is_zero(row)).count() <= largest && !leave_alone {
        return None;
    }
    for row in rows.iter_mut() {
        if is_zero(row) {
            row.cells.retain(|cell| &*cell.meaning != "match");
        }
    }
    Some("the match `0` is taken for no match, as all of its column says".to_owned())
}

/// Takes the names of matches out where they say only whether there was one, and says so.
pub(super) fn without_flags(tickets: &mut [Ticket]) -> Option<String> {
    let names = || tickets.iter().filter_map(|ticket| ticket.match_name.as_deref());
    let is_flag = |name: &str| ["1", "true", "yes", "y", "t"].contains(&&*name.to_ascii_lowercase());
    if names().next().is_none() || !names().all(is_flag) {
        return None;
    }
    for ticket in tickets {
        ticket.match_name = None;
    }
    Some("the column of matches says only whether a ticket had one, and not which".to_owned())
}

/// Refuses a region such as `eu/us`, where others are `eu` and `us`.
pub(super) fn check_regions(rows: &[Row]) -> Result<(), RowError> {
    let cells = || {
        rows.iter()
            .filter_map(|row| Some((row.line, row.cell("region")?)))
    };
    let known: BTreeSet<String> = cells()
        .flat_map(|(line, cell)| cell.texts(line).unwrap_or_default())
        .collect();
    for (line, cell) in cells() {
        for region in cell.texts(line).unwrap_or_default() {
            if let Some(list) = LooksLikeList::of(&region, |part| known.contains(part)) {
                let what = format!(
                    "`{}`; write each region by itself: {}",
                    shown(&region),
                    list.items().join(";")
                );
                return Err(RowError::new(line, cell.refuse(&what)));
            }
        }
    }
    Ok(())
}

/// Names that differ in case alone, of each kind.
pub(super) fn twins(rows: &[Row]) -> Vec<String> {
    let mut texts: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut names = BTreeSet::new();
    for (row, cell) in rows
        .iter()
        .flat_map(|row| row.cells.iter().map(move |cell| (row, cell)))
    {
        let meaning = match &*cell.meaning {
            "time" | "left" | "matched" | "date" | "size" | "backfill" | "match" | "match_team"
            | "ticket" => {
                continue;
            }
            "player" => "players",
            meaning if is_ping(meaning) => {
                texts.entry("region").or_default().extend(region_of(cell));
                continue;
            }
            meaning => meaning,
        };
        names.insert(cell.name.to_string());
        let held = match &cell.value {
            Json::Object(named) => named.keys().cloned().collect(),
            _ => cell.texts(row.line).unwrap_or_default(),
        };
        texts.entry(meaning).or_default().extend(held);
    }
    let of_column = |(meaning, held): (&&str, &BTreeSet<String>)| {
        let what = match *meaning {
            "players" => "players".to_owned(),
            "region" => "regions".to_owned(),
            "queue" => "queues".to_owned(),
            meaning => format!("values of `{}`", shown(meaning)),
        };
        case_twins(&what, held.iter().map(String::as_str))
    };
    let names = case_twins("columns", names.iter().map(String::as_str));
    texts.iter().filter_map(of_column).chain(names).collect()
}

/// The regions of a cell of pings.
fn region_of(cell: &Cell) -> Vec<String> {
    match &cell.value {
        Json::Object(named) => named.keys().cloned().collect(),
        _ => cell
            .meaning
            .strip_prefix("ping_")
            .map(str::to_owned)
            .into_iter()
            .collect(),
    }
}
