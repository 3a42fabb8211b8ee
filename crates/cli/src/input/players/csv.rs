//! Players from CSV with a header line.

use std::io::BufRead;

use matchwright_scoring::Player;
use serde_json::{Map, Value, json};

use super::Row;
use crate::failure::{shown, suggestion};
use crate::input::records::Records;
use crate::input::rows::RowError;

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
pub(super) fn rows(text: Box<dyn BufRead>) -> Result<Vec<Row>, RowError> {
    let mut records = Records::new(text);
    if !records.advance()? {
        let message = "the file is empty; a header line and a line for each player are needed";
        return Err(RowError::fatal(1, 1, message));
    }
    let header = header(&records)?;
    let mut rows = Vec::new();
    while records.advance()? {
        let line = records.span().0;
        if records.len() != header.len() {
            let message = format!(
                "the row has {} fields and the header {}; complete the row, or quote fields that hold commas",
                records.len(),
                header.len()
            );
            let column = records.len().min(header.len()) as u64 + 1;
            return Err(RowError::at(line, column, message));
        }
        let player = player(&records, &header, line)?;
        rows.push(Row { line, player });
    }
    Ok(rows)
}

fn header(records: &Records) -> Result<Vec<String>, RowError> {
    let line = records.span().0;
    let mut header: Vec<String> = Vec::with_capacity(records.len());
    for place in 0..records.len() {
        let column = place as u64 + 1;
        let name = text(records, place, line)?;
        let of_region = name
            .strip_prefix("ping_")
            .is_some_and(|region| !region.is_empty());
        if !columns().any(|(_, known)| known == name) && !of_region {
            let known: Vec<&str> = columns().map(|(_, name)| name).collect();
            let hint = suggestion(&name, known.iter().copied());
            let message = format!(
                "unknown column `{}`{hint} Known are {}, and ping_REGION",
                shown(&name),
                known.join(", ")
            );
            return Err(RowError::fatal(line, column, message));
        }
        if header.contains(&name) {
            let message = format!("two columns are called `{name}`; remove or rename one");
            return Err(RowError::fatal(line, column, message));
        }
        header.push(name);
    }
    if !header.iter().any(|name| name == "id") {
        let message = "no column `id`; every player needs a name of its own";
        return Err(RowError::fatal(line, 1, message));
    }
    Ok(header)
}

fn player(records: &Records, header: &[String], line: u64) -> Result<Player, RowError> {
    let mut object = Map::new();
    object.insert("id".to_owned(), Value::from(""));
    let mut churn = Map::new();
    let mut churn_column = 1;
    let mut pings = Map::new();
    for (place, name) in header.iter().enumerate() {
        let column = place as u64 + 1;
        let text = text(records, place, line)?;
        // An empty cell is a value that is left out.
        if text.is_empty() {
            continue;
        }
        let kind = columns().find(|(_, known)| known == name).map(|(kind, _)| kind);
        let value = value(kind.unwrap_or(Kind::Number), &text).map_err(|what| {
            let message = format!("`{name}` is `{}`; {what}", shown(&text));
            RowError::at(line, column, message)
        })?;
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
            let message =
                "churn is given after some outcomes only; give churn_win, churn_draw and churn_loss, or none";
            return Err(RowError::at(line, churn_column, message));
        }
    }
    object.insert("pings".to_owned(), pings.into());
    // The cells are of the right kinds: only the three probabilities can still be refused.
    serde_json::from_value(object.into()).map_err(|error| RowError::at(line, churn_column, error.to_string()))
}

/// The cell as JSON; `Err` says what it should be.
fn value(kind: Kind, text: &str) -> Result<Value, &'static str> {
    Ok(match kind {
        Kind::Text => text.into(),
        Kind::Number | Kind::Churn => number(text)?,
        Kind::Count => text
            .parse::<u64>()
            .map_err(|_| "a whole number of games is needed")?
            .into(),
        Kind::Truth => text
            .parse::<bool>()
            .map_err(|_| "true or false is needed")?
            .into(),
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

fn text(records: &Records, place: usize, line: u64) -> Result<String, RowError> {
    let bytes = records.field(place);
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let message = format!(
            "`{}` is not UTF-8; convert the file, for example with iconv",
            shown(&String::from_utf8_lossy(bytes))
        );
        RowError::at(line, place as u64 + 1, message)
    })?;
    Ok(text.trim().to_owned())
}
