//! Players from CSV with a header line.

use matchwright_scoring::Player;
use serde_json::{Map, Value};

use super::columns::{Kind, PlayerColumns, Taken, kind, known_names};
use crate::failure::shown;
use crate::input::csv::Table;
use crate::input::numbers::finite;
use crate::input::rows::{Fault, RowError};

/// All players, in the order of their lines.
pub(super) fn players(
    text: &[u8],
    columns: &PlayerColumns,
    taken: &mut Taken,
) -> Result<Vec<(u64, Player)>, RowError> {
    let mut table = Table::open(text, "player")?;
    let line = table.records.line();
    if let Some(what) = columns.missing(&table.header) {
        return Err(RowError::new(line, (1, what)));
    }
    let meanings = columns.meanings(&table.header);
    check_header(&table, &meanings, columns).map_err(|fault| RowError::new(line, fault))?;
    taken.add(&table.header, &meanings, columns);
    let mut players = Vec::new();
    while let Some(line) = table.advance()? {
        let player = player(&table, &meanings).map_err(|fault| RowError::new(line, fault))?;
        players.push((line, player));
    }
    Ok(players)
}

/// Refuses columns that mean the same, and a header without ids.
fn check_header(
    table: &Table<'_>,
    meanings: &[Option<String>],
    columns: &PlayerColumns,
) -> Result<(), Fault> {
    let same = |place: &usize| meanings[*place].is_some() && meanings[..*place].contains(&meanings[*place]);
    if let Some(place) = (0..meanings.len()).find(same) {
        let name = shown(&table.header[place]);
        let what = format!("two columns are called `{name}`; remove or rename one");
        return Err((place as u64 + 1, what));
    }
    if let Some((place, what)) = columns.twin(&table.header, meanings) {
        return Err((place as u64 + 1, what));
    }
    if meanings.iter().flatten().any(|meaning| meaning == "id") {
        return Ok(());
    }
    let what = format!(
        "no column `id`; every player needs a name of its own. The file has: {}. Name its columns with --columns \
         id=COLUMN,skill=COLUMN,...; there are {}, and ping_REGION",
        shown(&table.header.join(", ")),
        known_names()
    );
    Err((1, what))
}

/// The player of the row at hand.
fn player(table: &Table<'_>, meanings: &[Option<String>]) -> Result<Player, Fault> {
    let mut object = Map::from_iter([("id".to_owned(), Value::from(""))]);
    let (mut churn, mut pings) = (Map::new(), Map::new());
    let mut churn_column = 1;
    for (place, meaning) in meanings.iter().enumerate() {
        let column = place as u64 + 1;
        let text = table.records.field(place)?;
        // An empty cell is a value that is left out.
        let Some(meaning) = meaning.as_ref().filter(|_| !text.is_empty()) else {
            continue;
        };
        let kind = kind(meaning).unwrap_or(Kind::Number);
        let value = value(kind, text).map_err(|what| {
            (
                column,
                format!("`{}` is `{}`; {what}", table.header[place], shown(text)),
            )
        })?;
        match kind {
            Kind::Churn => {
                churn_column = column;
                churn.insert(meaning.trim_start_matches("churn_").to_owned(), value)
            }
            Kind::RegionPing => pings.insert(meaning.trim_start_matches("ping_").to_owned(), value),
            _ => object.insert(meaning.clone(), value),
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
pub(in crate::input) fn value(kind: Kind, text: &str) -> Result<Value, &'static str> {
    Ok(match kind {
        Kind::Text => text.into(),
        Kind::Number | Kind::Churn | Kind::RegionPing => number(text)?,
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
    finite(text).map(Value::from)
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|word| !word.is_empty())
}
