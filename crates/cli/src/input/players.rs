//! Players who wait, from CSV, JSON lines or a JSON array.

mod columns;
mod csv;
mod tidy;

use std::collections::HashMap;
use std::path::Path;

use matchwright_report::FileRecord;
use matchwright_scoring::{Player, Pool, PoolError};
use serde_json::{Map, Value};

use super::cell_list::Lists;
use super::json_rows::{JsonRow, JsonRows};
use super::json_text::{find_key, object};
use super::names::Names;
use super::numbers::{ROUNDED, rounded_number};
use super::rows::{RowError, is_json};
use super::scale::{Beside, RatedBy, WantedScale};
use super::source::Source;
use crate::failure::{Failure, shown};
pub(crate) use columns::PlayerColumns;
use columns::Taken;
pub(super) use columns::{Kind, attribute_names, kind};
pub(super) use csv::{Whole, truth, value};
use tidy::tidy;

/// A checked pool, and where each of its players stands in the file.
pub(crate) struct ImportedPlayers {
    pub(crate) pool: Pool,
    pub(crate) facts: FileRecord,
    /// Columns or keys that mean nothing that a player has.
    pub(crate) unused: Vec<String>,
    /// What the user should hear: what columns were taken for.
    pub(crate) notes: Vec<String>,
    /// What ratings were multiplied with to bring them to a policy's scale.
    pub(crate) factor: f64,
    beside: Beside,
    source: Source,
    lines: Vec<u64>,
}

impl ImportedPlayers {
    /// What wrote the ratings, if the manifest beside the file tells.
    pub(crate) const fn rated_by(&self) -> Option<&RatedBy> {
        match &self.beside {
            Beside::Ratings(by) => Some(by),
            Beside::Nothing | Beside::Stale(_) => None,
        }
    }

    /// Brings all ratings to the scale that is wanted, or refuses them; with what the user should hear.
    pub(crate) fn bring(&mut self, wanted: &WantedScale) -> Result<Vec<String>, Failure> {
        let skills = |_: &_| self.pool.players().filter_map(|player| player.skill).collect();
        let brought = wanted.bring(&self.source.name, &self.beside, skills)?;
        self.factor = brought.factor;
        if brought.factor != 1.0 {
            let mut pool = Pool::default();
            for player in self.pool.players() {
                let scaled = |number: Option<f64>| number.map(|number| number * brought.factor);
                let player = Player {
                    skill: scaled(player.skill),
                    uncertainty: scaled(player.uncertainty),
                    ..player.clone()
                };
                pool.insert(player).map_err(|error| self.complain(&error))?;
            }
            self.pool = pool;
        }
        Ok(brought.notes)
    }

    /// What is wrong with a player, with the line that it stands in.
    pub(crate) fn complain(&self, error: &PoolError) -> Failure {
        let place = player_of(error).and_then(|id| self.pool.index_of(id));
        match place {
            Some(place) => self.source.name.in_line(self.lines[place], error),
            None => self.source.name.refuse(error),
        }
    }

    /// What is wrong with all of them together.
    pub(crate) fn refuse(&self, what: &impl std::fmt::Display) -> Failure {
        self.source.name.refuse(what)
    }
}

/// Reads all players of a file or standard input and checks them.
pub(crate) fn import_players(
    path: &Path,
    columns: &PlayerColumns,
    as_written: bool,
) -> Result<ImportedPlayers, Failure> {
    let source = Source::open(path)?;
    let beside = Beside::of(path, &source.facts);
    players_of(source, beside, columns, as_written)
}

/// The players that a source has.
pub(super) fn players_of(
    source: Source,
    beside: Beside,
    columns: &PlayerColumns,
    as_written: bool,
) -> Result<ImportedPlayers, Failure> {
    let mut taken = Taken::default();
    let names = Names::new(as_written, Some("give each a row of its own".to_owned()));
    let mut rows =
        read(&source.text, columns, &mut taken, &names).map_err(|error| source.name.in_row(error))?;
    let mut notes = taken.notes();
    notes.extend(tidy(&mut rows, &names).map_err(|error| source.name.in_row(error))?);
    if rows.is_empty() {
        return Err(source.name.refuse("no player in it; give one a line"));
    }
    let (mut pool, mut lines) = (Pool::default(), Vec::with_capacity(rows.len()));
    for (line, player) in rows {
        let inserted = pool.insert(player);
        inserted.map_err(|error| source.name.in_line(line, error))?;
        lines.push(line);
    }
    let waiting = ImportedPlayers {
        pool,
        facts: source.facts.clone(),
        notes,
        unused: taken.unused(),
        beside,
        factor: 1.0,
        source,
        lines,
    };
    let checked = waiting.pool.check_regions();
    checked.map_err(|error| waiting.complain(&error))?;
    Ok(waiting)
}

/// Players, each with the line that it begins on.
fn read(
    text: &[u8],
    columns: &PlayerColumns,
    taken: &mut Taken,
    names: &Names,
) -> Result<Vec<(u64, Player)>, RowError> {
    let rows = if is_json(text) {
        let mut rows = JsonRows::new(text);
        let mut players = Vec::new();
        while let Some(row) = rows.advance()? {
            let player = json_player(&row, columns, taken)?;
            let checked = names.check(&player.id);
            checked.map_err(|what| row.fault((1, format!("id is {what}"))))?;
            players.push((row.line, player));
        }
        // A key may be left out in some rows, not in all.
        if let Some(what) = columns.missing(&taken.names()) {
            return Err(RowError::new(1, (1, what)));
        }
        players
    } else {
        csv::players(text, columns, taken, names)?
    };
    let mut seen: HashMap<&str, u64> = HashMap::new();
    for (line, player) in &rows {
        if let Some(first) = seen.insert(&player.id, *line) {
            let id = shown(&player.id);
            let what = format!("player `{id}` is there twice, first in line {first}: ids must differ");
            return Err(RowError::new(*line, (1, what)));
        }
    }
    Ok(rows)
}

/// The player that an object is, by the keys that it means.
fn json_player(row: &JsonRow, columns: &PlayerColumns, taken: &mut Taken) -> Result<Player, RowError> {
    let refuse = |fault| row.fault(fault);
    let (object, text) = object(&row.text).map_err(refuse)?;
    let names: Vec<String> = object.keys().cloned().collect();
    let meanings = columns.meanings(&names);
    taken.add(&names, &meanings, columns);
    if let Some((place, what)) = columns.twin(&names, &meanings) {
        let column = find_key(text, &names[place]);
        return Err(refuse((column.map_or(1, |column| column as u64 + 1), what)));
    }
    let mut player = Map::new();
    for ((name, value), meaning) in object.into_iter().zip(meanings) {
        let Some(meaning) = meaning else { continue };
        let refuse = |what: &dyn std::fmt::Display| {
            let column = find_key(text, &name).map_or(1, |place| place as u64 + 1);
            refuse((column, format!("`{}`{what}", shown(&name))))
        };
        if let (Some(Kind::List), Some(told)) = (kind(&meaning), value.as_str()) {
            let items = Lists::default().split(told, row.line);
            let items = items.map_or_else(|_| value.to_string(), |items| Value::from(items).to_string());
            return Err(refuse(&format_args!(" is a text; write a list: {items}")));
        }
        if let Some(number) = rounded_number(&value, &[]) {
            return Err(refuse(&format_args!(": `{number}`; {ROUNDED}")));
        }
        // One key after the other, so that a fault is told where it is.
        let mut alone = Map::from_iter([("id".to_owned(), Value::from("x"))]);
        alone.insert(meaning.clone(), value.clone());
        if let Err(error) = serde_json::from_value::<Player>(alone.into()) {
            return Err(refuse(&format_args!(": {error}")));
        }
        player.insert(meaning, value);
    }
    serde_json::from_value(player.into()).map_err(|error| refuse((1, error.to_string())))
}

/// Whose fault it is.
fn player_of(error: &PoolError) -> Option<&str> {
    match error {
        PoolError::DuplicateId { id: player, .. }
        | PoolError::Number { player, .. }
        | PoolError::EmptyName { player, .. }
        | PoolError::OwnName { player, .. }
        | PoolError::UnknownRegion { player, .. }
        | PoolError::PartyTooLarge { player, .. }
        | PoolError::Missing { player, .. } => Some(player),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "id,skill,uncertainty,party,region,ping_eu,ping_us,ping_to,experience,languages,roles,recent_opponents,\
        recent_teammates,blocks,friends,griefer,wait_seconds,can_host,connects_to,offence,defence,glory,churn_win,churn_draw,churn_loss
a,1,2,x,eu,30,90,b=40; c=50,7,en; de,tank,b,c,d,c,true,30,false,b;c,5,6,7,0.1,0.2,0.3
b,,,,,,,,,,,,,,,,,,,,,,,,
";
    const JSON: &str = r#"
{"id":"a","skill":1,"uncertainty":2,"party":"x","region":"eu","pings":{"eu":30,"us":90},"ping_to":{"b":40,"c":50},"experience":7,"languages":["en","de"],"roles":["tank"],"recent_opponents":["b"],"recent_teammates":["c"],"blocks":["d"],"friends":["c"],"griefer":true,"wait_seconds":30,"can_host":false,"connects_to":["b","c"],"offence":5,"defence":6,"glory":7,"churn":{"win":0.1,"draw":0.2,"loss":0.3}}
{"id":"b"}
"#;

    fn players(text: &str) -> Vec<(u64, Player)> {
        let names = Names::new(false, None);
        read(
            text.as_bytes(),
            &PlayerColumns::default(),
            &mut Taken::default(),
            &names,
        )
        .unwrap()
    }

    #[test]
    fn every_field_of_csv_is_read_as_that_of_json() {
        let (csv, json) = (players(CSV), players(JSON));
        assert_eq!(csv, json);
        assert_eq!(csv.iter().map(|row| row.0).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(csv[1].1, Player::new("b"));
        // Whatever a player may have, the first one has.
        let all = serde_json::to_value(&csv[0].1).unwrap();
        assert_eq!(all.as_object().unwrap().len(), 22, "{all}");
    }
}
