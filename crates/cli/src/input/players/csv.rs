//! Players from CSV with a header line.

use matchwright_scoring::Player;
use serde_json::{Map, Value, json};

use crate::failure::{shown, suggestion};
use crate::input::csv::Table;
use crate::input::rows::{Fault, RowError};

/// What a cell holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Number,
    Count,
    Truth,
    List,
    /// `ann=30;bob=45`
    Pings,
    /// The churn probability after an outcome.
    Churn,
}

/// What columns may be called, as the keys of JSON; besides, `ping_` and a region.
const COLUMNS: [(Kind, &str); 7] = [
    (Kind::Text, "id party region"),
    (
        Kind::Number,
        "skill uncertainty wait_seconds offence defence glory",
    ),
    (Kind::Count, "experience"),
    (Kind::Truth, "griefer can_host"),
    (
        Kind::List,
        "languages roles recent_opponents recent_teammates blocks friends connects_to",
    ),
    (Kind::Pings, "ping_to"),
    (Kind::Churn, "churn_win churn_draw churn_loss"),
];

/// Every name of a column with what its cells hold.
fn columns() -> impl Iterator<Item = (Kind, &'static str)> {
    COLUMNS
        .iter()
        .flat_map(|(kind, names)| names.split(' ').map(move |name| (*kind, name)))
}

/// All players, in the order of their lines.
pub(super) fn players(text: &[u8]) -> Result<Vec<(u64, Player)>, RowError> {
    let mut table = Table::open(text, "player")?;
    let line = table.records.line();
    check_header(&table).map_err(|fault| RowError::new(line, fault))?;
    let mut players = Vec::new();
    while let Some(line) = table.advance()? {
        let player = player(&table).map_err(|fault| RowError::new(line, fault))?;
        players.push((line, player));
    }
    Ok(players)
}

/// Refuses unknown columns, columns that are there twice, and a header without ids.
fn check_header(table: &Table<'_>) -> Result<(), Fault> {
    for (column, name) in (1..).zip(&table.header) {
        let region = name.strip_prefix("ping_").unwrap_or_default();
        if !columns().any(|(_, known)| known == name) && region.is_empty() {
            let known: Vec<&str> = columns().map(|(_, name)| name).collect();
            let hint = suggestion(name, known.iter().copied());
            let what = format!(
                "unknown column `{}`{hint} Known are {}, and ping_REGION",
                shown(name),
                known.join(", ")
            );
            return Err((column, what));
        }
        table.place(name)?;
    }
    match table.place("id")? {
        Some(_) => Ok(()),
        None => Err((
            1,
            "no column `id`; every player needs a name of its own".to_owned(),
        )),
    }
}

/// The player of the row at hand.
fn player(table: &Table<'_>) -> Result<Player, Fault> {
    let mut object = Map::from_iter([("id".to_owned(), Value::from(""))]);
    let (mut churn, mut pings) = (Map::new(), Map::new());
    let mut churn_column = 1;
    for (place, name) in table.header.iter().enumerate() {
        let column = place as u64 + 1;
        let text = table.records.field(place)?;
        // An empty cell is a value that is left out.
        if text.is_empty() {
            continue;
        }
        let kind = columns().find(|(_, known)| known == name).map(|(kind, _)| kind);
        let value = value(kind.unwrap_or(Kind::Number), text)
            .map_err(|what| (column, format!("`{name}` is `{}`; {what}", shown(text))))?;
        match kind {
            Some(Kind::Churn) => {
                churn_column = column;
                churn.insert(name.trim_start_matches("churn_").to_owned(), value)
            }
            Some(_) => object.insert(name.clone(), value),
            None => pings.insert(name.strip_prefix("ping_").unwrap_or(name).to_owned(), value),
        };
    }
    match churn.len() {
        0 => {}
        3 => _ = object.insert("churn".to_owned(), churn.into()),
        _ => {
            let what =
                "churn is given after some outcomes only; give churn_win, churn_draw and churn_loss, or none";
            return Err((churn_column, what.to_owned()));
        }
    }
    object.insert("pings".to_owned(), pings.into());
    // The cells are of the right kinds: only the three probabilities can still be refused.
    serde_json::from_value(object.into()).map_err(|error| (churn_column, error.to_string()))
}

/// The cell as JSON; `Err` says what it should be.
fn value(kind: Kind, text: &str) -> Result<Value, &'static str> {
    Ok(match kind {
        Kind::Text => text.into(),
        Kind::Number | Kind::Churn => number(text)?,
        Kind::Count => {
            let count = text.parse::<u64>();
            count.map_err(|_| "a whole number of games is needed")?.into()
        }
        Kind::Truth => {
            let truth = text.parse::<bool>();
            truth.map_err(|_| "true or false is needed")?.into()
        }
        Kind::List => list(text).collect(),
        Kind::Pings => {
            let entry = |word: &str| {
                let (id, ping) = word.rsplit_once('=')?;
                Some((id.trim().to_owned(), number(ping.trim()).ok()?))
            };
            let entries: Option<Map<String, Value>> = list(text).map(entry).collect();
            entries
                .ok_or("ids with milliseconds are needed, such as ann=30;bob=45")?
                .into()
        }
    })
}

fn number(text: &str) -> Result<Value, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number
        .map(|number| json!(number))
        .ok_or("a finite number is needed")
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|word| !word.is_empty())
}
