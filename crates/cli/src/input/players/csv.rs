//! Players from CSV with a header line.

use matchwright_scoring::Player;
use serde_json::{Map, Value};

use super::columns::{Kind, PlayerColumns, Taken, kind, known_names, lists_names};
use crate::failure::shown;
use crate::input::cell_list::Lists;
use crate::input::csv::Table;
use crate::input::json_text::in_cell;
use crate::input::names::Names;
use crate::input::nobody::is_nobody;
use crate::input::numbers::finite;
use crate::input::rows::{Fault, RowError};

/// All players, in the order of their lines.
pub(super) fn players(
    text: &[u8],
    columns: &PlayerColumns,
    taken: &mut Taken,
    names: &Names,
) -> Result<Vec<(u64, Player)>, RowError> {
    let mut table = Table::open(text, "player")?;
    let line = table.records.line();
    if let Some(what) = columns.missing(&table.header) {
        return Err(RowError::new(line, (1, what)));
    }
    let meanings = columns.meanings(&table.header);
    check_header(&table, &meanings, columns).map_err(|fault| RowError::new(line, fault))?;
    taken.add(&table.header, &meanings, columns);
    let columns = whole_columns(text, &meanings, names)?;
    let mut players = Vec::new();
    while let Some(line) = table.advance()? {
        let player = player(&table, &meanings, &columns, (line, names));
        let player = player.map_err(|fault| RowError::new(line, fault))?;
        players.push((line, player));
    }
    Ok(players)
}

/// What all cells of a column say together.
#[derive(Clone, Debug, Default)]
pub(in crate::input) struct Whole {
    pub(in crate::input) lists: Lists,
    /// Whether it has both `T` and `F`, which are true and false then.
    pub(in crate::input) has_t_and_f: bool,
}

/// Reads the columns for what needs all of their cells.
fn whole_columns(text: &[u8], meanings: &[Option<String>], names: &Names) -> Result<Vec<Whole>, RowError> {
    let mut table = Table::open(text, "player")?;
    let mut ids = Vec::new();
    let mut letters = vec![[false; 2]; meanings.len()];
    while let Some(line) = table.advance()? {
        for (place, meaning) in meanings.iter().enumerate() {
            let cell = table
                .records
                .field(place)
                .map_err(|fault| RowError::new(line, fault))?;
            match meaning.as_deref() {
                Some("id") => ids.push(cell.to_owned()),
                Some(meaning) if kind(meaning) == Some(Kind::Truth) => {
                    letters[place][0] |= cell.eq_ignore_ascii_case("t");
                    letters[place][1] |= cell.eq_ignore_ascii_case("f");
                }
                _ => {}
            }
        }
    }
    let of_names = if names.as_written {
        Lists::as_written(ids.iter().map(String::as_str))
    } else {
        Lists::of_names(ids.iter().map(String::as_str))
    };
    let whole = |(meaning, letters): (&Option<String>, [bool; 2])| Whole {
        lists: match meaning.as_deref() {
            Some(meaning) if lists_names(meaning) => of_names.clone(),
            _ => Lists::default(),
        },
        has_t_and_f: letters == [true, true],
    };
    Ok(meanings.iter().zip(letters).map(whole).collect())
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
fn player(
    table: &Table<'_>,
    meanings: &[Option<String>],
    columns: &[Whole],
    (line, names): (u64, &Names),
) -> Result<Player, Fault> {
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
        let refuse = |what: String| (column, format!("`{}` is {what}", table.header[place]));
        if meaning == "id" {
            names.check(text).map_err(refuse)?;
        }
        let value = value(kind, text, &columns[place], line).map_err(refuse)?;
        match kind {
            Kind::Churn => {
                churn_column = column;
                churn.insert(meaning.trim_start_matches("churn_").to_owned(), value);
            }
            Kind::Pings if meaning == "pings" => {
                for (region, ping) in value.as_object().cloned().unwrap_or_default() {
                    add_ping(&mut pings, region, ping).map_err(refuse)?;
                }
            }
            Kind::RegionPing => {
                let region = meaning.trim_start_matches("ping_").to_owned();
                add_ping(&mut pings, region, value).map_err(refuse)?;
            }
            _ => _ = object.insert(meaning.clone(), value),
        }
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

/// The cell as JSON; `Err` shows it and says what it should be.
pub(in crate::input) fn value(kind: Kind, text: &str, column: &Whole, line: u64) -> Result<Value, String> {
    let refuse = |what: &str| format!("`{}`; {what}", shown(text));
    Ok(match kind {
        Kind::Text => text.into(),
        Kind::Number | Kind::Churn | Kind::RegionPing => number(text).map_err(refuse)?,
        Kind::Count => {
            let count = text.parse::<u64>();
            count
                .map_err(|_| refuse("a whole number of games is needed"))?
                .into()
        }
        Kind::Truth => {
            let truth = truth(text, column.has_t_and_f);
            truth.ok_or_else(|| refuse("true or false is needed"))?.into()
        }
        Kind::List => {
            let items = column.lists.split(text, line)?;
            items
                .into_iter()
                .filter(|item| !item.is_empty() && !is_nobody(item))
                .collect()
        }
        Kind::Pings => {
            if let Some(Value::Object(pings)) = in_cell(text).transpose()? {
                return Ok(pings.into());
            }
            let entry = |word: String| {
                let (id, ping) = word.rsplit_once('=')?;
                let is_one = !id.contains('=');
                Some((id.trim().to_owned(), number(ping.trim()).ok().filter(|_| is_one)?))
            };
            let entries = column.lists.split(text, line)?.into_iter();
            let entries: Option<Vec<(String, Value)>> =
                entries.filter(|item| !item.is_empty()).map(entry).collect();
            let what = "ids with milliseconds are needed, such as ann=30;bob=45";
            let mut pings = Map::new();
            for (id, ping) in entries.ok_or_else(|| refuse(what))? {
                add_ping(&mut pings, id, ping)?;
            }
            pings.into()
        }
    })
}

/// One more ping, of which nothing else is said.
fn add_ping(pings: &mut Map<String, Value>, to: String, ping: Value) -> Result<(), String> {
    if let Some(other) = pings.get(&to).filter(|other| **other != ping) {
        return Err(format!(
            "{ping} to `{}`, which is {other} in the same row; remove one of the two",
            shown(&to)
        ));
    }
    pings.insert(to, ping);
    Ok(())
}

/// A word for true or false; `T` and `F` where both are there.
pub(in crate::input) fn truth(text: &str, has_t_and_f: bool) -> Option<bool> {
    match &*text.to_ascii_lowercase() {
        "true" => Some(true),
        "false" => Some(false),
        "t" if has_t_and_f => Some(true),
        "f" if has_t_and_f => Some(false),
        _ => None,
    }
}

fn number(text: &str) -> Result<Value, &'static str> {
    finite(text).map(Value::from)
}
