//! Players who wait, from CSV, JSON lines or a JSON array.

mod columns;
mod tidy;
mod values;

use std::collections::{BTreeMap, HashMap};

use crate::cell::composed::composed;
use crate::cell::decimals::Decimals;
use crate::cell::names::Names;
use crate::column_names::Taken;
use crate::error::{ImportError, InputName, RowError};
use crate::input::Source;
use crate::matches::Report;
use crate::row::{Cell, Row, Rows};
use crate::text::shown;
use crate::value::{Value, Values};
pub use columns::PlayerColumns;
use columns::{KNOWN, churn_of, region_of};
pub(crate) use columns::{Kind, attribute_names, kind};
use tidy::tidy;
pub(crate) use values::{Whole, truth, value, value_of_json};

/// How a file of players is read.
#[derive(Clone, Debug, Default)]
pub struct PlayerOptions {
    /// Which column means what, where names do not tell.
    pub columns: PlayerColumns,
    /// Each name is that of one player, whatever it looks like.
    pub names_as_written: bool,
}

/// A player, with what a row says of it by name: `skill`, `uncertainty`, `party`, `region`, `pings` and `ping_to` (numbers by
/// region, by player), `wait_seconds`, `experience`, `languages`, `roles`, `recent_opponents`, `recent_teammates`, `blocks`,
/// `friends`, `connects_to`, `griefer`, `can_host`, `offence`, `defence`, `glory`, and `churn` (numbers by outcome: `win`,
/// `draw`, `loss`). What an empty cell would say is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The line of the file that it begins on, from 1.
    pub line: u64,
    /// Its name, which no other player of the file has.
    pub id: String,
    /// What it has.
    pub values: Values,
}

/// The players of a file.
#[derive(Clone, Debug)]
pub struct Players {
    /// In the order of their lines.
    pub players: Vec<Player>,
    /// What was found besides.
    pub report: Report,
    name: InputName,
}

impl Players {
    /// Reads all players of a source. O(bytes).
    ///
    /// # Errors
    /// [`ImportError`] with line and column of what cannot be used, or if there is no player.
    pub fn of(source: &Source, options: &PlayerOptions) -> Result<Self, ImportError> {
        let name = source.name();
        let (players, notes, taken) = read(source, options).map_err(|error| name.in_row(error))?;
        if players.is_empty() {
            return Err(name.refuse("no player in it; give one a line"));
        }
        Ok(Self {
            players,
            report: Report {
                taken: taken.used(),
                skipped: 0,
                unused: taken.unused(),
                notes,
                ..Report::default()
            },
            name: name.clone(),
        })
    }

    /// What is wrong with the player of this name.
    #[must_use]
    pub fn refuse(&self, id: &str, what: impl std::fmt::Display) -> ImportError {
        match self.players.iter().find(|player| player.id == id) {
            Some(player) => self.name.in_line(player.line, what),
            None => self.name.refuse(what),
        }
    }
}

type Read = (Vec<Player>, Vec<String>, Taken);

fn read(source: &Source, options: &PlayerOptions) -> Result<Read, RowError> {
    let several = Some("give each a row of its own".to_owned());
    let names = Names::new(options.names_as_written, several);
    let mut file = Rows::open(source.rows(), &options.columns)?;
    let mut rows = Vec::new();
    while let Some(row) = file.advance()? {
        rows.push(row);
    }
    if !rows.is_empty() {
        file.check_named()?;
    }
    let columns = Whole::of(&rows, &names);
    let players = rows.iter().map(|row| player(row, &columns, &names));
    let mut players: Vec<Player> = players.collect::<Result<_, _>>()?;
    let mut seen: HashMap<&str, u64> = HashMap::new();
    for Player { line, id, .. } in &players {
        if let Some(first) = seen.insert(id, *line) {
            let id = shown(id);
            let what = format!("player `{id}` is there twice, first in line {first}: ids must differ");
            return Err(RowError::new(*line, (1, what)));
        }
    }
    let mut notes = file.taken.notes(&KNOWN.map(|(name, _)| name));
    notes.extend(tidy(&mut players, &names)?);
    notes.extend(
        columns
            .values()
            .map(|whole| whole.decimals)
            .find_map(Decimals::note),
    );
    Ok((players, notes, file.taken))
}

/// The player of a row.
fn player(row: &Row, columns: &BTreeMap<String, Whole>, names: &Names) -> Result<Player, RowError> {
    let mut id = String::new();
    let mut values = Values::new();
    let (mut churn, mut pings) = (BTreeMap::new(), BTreeMap::new());
    let mut last_churn = (row.line, 1);
    for cell in &row.cells {
        let meaning = &*cell.meaning;
        let refuse = |what: String| RowError::new(cell.line, cell.refuse(&what));
        let kind = kind(meaning).unwrap_or(Kind::Number);
        let value = match (&cell.value, columns.get(meaning)) {
            (serde_json::Value::String(text), Some(whole)) if row.is_csv => {
                let text = text.as_str();
                if meaning == "id" {
                    names.check(text).map_err(refuse)?;
                }
                value(kind, text, whole, cell.line).map_err(refuse)?
            }
            (json, _) => {
                let value = value_of_json(kind, json, cell.line);
                let value = value.map_err(|what| fault_of_key(cell, &what))?;
                if let (true, Some(name)) = (meaning == "id", value.text()) {
                    names.check(name).map_err(refuse)?;
                }
                value
            }
        };
        match (kind, value) {
            (_, Value::Text(text)) if meaning == "id" => id = text,
            (Kind::Churn, Value::Number(number)) => {
                last_churn = (cell.line, cell.column);
                churn.insert(churn_of(meaning).to_owned(), number);
            }
            (Kind::Churn, Value::Numbers(all)) => {
                last_churn = (cell.line, cell.column);
                churn.extend(all);
            }
            (Kind::RegionPing, Value::Number(ping)) => {
                add_ping(&mut pings, region_of(meaning), ping).map_err(refuse)?;
            }
            (_, Value::Numbers(all)) if meaning == "pings" => {
                for (region, ping) in &all {
                    add_ping(&mut pings, region, *ping).map_err(refuse)?;
                }
            }
            (_, value) => _ = values.insert(meaning.to_owned(), value),
        }
    }
    match churn.len() {
        0 => {}
        3 if ["win", "draw", "loss"].iter().all(|one| churn.contains_key(*one)) => {
            values.insert("churn".to_owned(), Value::Numbers(churn));
        }
        _ => {
            let what =
                "churn is given after some outcomes only; give churn_win, churn_draw and churn_loss, or none";
            return Err(RowError::new(last_churn.0, (last_churn.1, what.to_owned())));
        }
    }
    if !pings.is_empty() {
        values.insert("pings".to_owned(), Value::Numbers(pings));
    }
    if id.is_empty() && !row.is_csv && row.cell("id").is_none() {
        let what = "no key `id`; every player needs a name of its own".to_owned();
        return Err(RowError::new(row.line, (1, what)));
    }
    Ok(Player {
        line: row.line,
        id: composed(&id).unwrap_or(id),
        values,
    })
}

/// What is wrong with the value of a key.
fn fault_of_key(cell: &Cell, what: &str) -> RowError {
    RowError::new(cell.line, (cell.column, format!("`{}`{what}", shown(&cell.name))))
}

/// One more ping, of which nothing else is said.
pub(crate) fn add_ping(pings: &mut BTreeMap<String, f64>, to: &str, ping: f64) -> Result<(), String> {
    match pings.insert(to.to_owned(), ping).filter(|other| *other != ping) {
        None => Ok(()),
        Some(other) => Err(format!(
            "{ping:?} to `{}`, which is {other:?} in the same row; remove one of the two",
            shown(to)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Input;

    const CSV: &str = "id,skill,uncertainty,party,region,ping_eu,ping_us,ping_to,experience,languages,roles,recent_opponents,\
        recent_teammates,blocks,friends,griefer,wait_seconds,can_host,connects_to,offence,defence,glory,churn_win,churn_draw,churn_loss
a,1,2,x,eu,30,90,b=40; c=50,7,en; de,tank,b,c,d,c,true,30,false,b;c,5,6,7,0.1,0.2,0.3
b,,,,,,,,,,,,,,,,,,,,,,,,
";
    const JSON: &str = r#"
{"id":"a","skill":1,"uncertainty":2,"party":"x","region":"eu","pings":{"eu":30,"us":90},"ping_to":{"b":40,"c":50},"experience":7,"languages":["en","de"],"roles":["tank"],"recent_opponents":["b"],"recent_teammates":["c"],"blocks":["d"],"friends":["c"],"griefer":true,"wait_seconds":30,"can_host":false,"connects_to":["b","c"],"offence":5,"defence":6,"glory":7,"churn":{"win":0.1,"draw":0.2,"loss":0.3}}
{"id":"b"}
"#;

    fn players(text: &'static str) -> Vec<Player> {
        let source = Source::read(Input::new("text", text.as_bytes())).unwrap();
        Players::of(&source, &PlayerOptions::default()).unwrap().players
    }

    #[test]
    fn every_field_of_csv_is_read_as_that_of_json() {
        let (csv, json) = (players(CSV), players(JSON));
        assert_eq!(csv, json);
        assert_eq!(csv.iter().map(|player| player.line).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(csv[1].values, Values::new());
        // Whatever a player may have, the first one has.
        assert_eq!(csv[0].values.len(), 21, "{csv:?}");
    }
}
