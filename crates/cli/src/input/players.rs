//! Players who wait, from CSV or JSON lines.

mod csv;
mod json;

use std::collections::HashMap;
use std::path::Path;

use matchwright_scoring::{Player, Pool, PoolError};

use super::matches::is_json;
use super::rows::RowError;
use super::source::{Source, SourceFacts};
use crate::failure::{Failure, shown};

/// A checked pool, and where each of its players stands in the file.
pub(crate) struct ImportedPlayers {
    pub(crate) pool: Pool,
    pub(crate) facts: SourceFacts,
    name: String,
    lines: Vec<u64>,
}

impl ImportedPlayers {
    /// What is wrong with a player, with the line that it stands in.
    pub(crate) fn complain(&self, error: &PoolError) -> Failure {
        let place = player_of(error).and_then(|id| self.pool.index_of(id));
        located(&self.name, place.map(|place| self.lines[place]), error)
    }

    /// What is wrong with all of them together.
    pub(crate) fn refuse(&self, what: &impl std::fmt::Display) -> Failure {
        Failure::Failed(format!("{}: {what}", self.name))
    }
}

/// A player with the line that it begins on.
struct Row {
    line: u64,
    player: Player,
}

/// Reads all players of a file or standard input and checks them.
pub(crate) fn import_players(path: &Path) -> Result<ImportedPlayers, Failure> {
    let mut source = Source::open(path)?;
    let text = std::mem::replace(&mut source.reader, Box::new(std::io::empty()));
    let rows = read(text).map_err(|error| {
        let RowError {
            line,
            column,
            message,
            ..
        } = error;
        Failure::Failed(format!("{}:{line}:{column}: {message}", source.name))
    })?;
    if rows.is_empty() {
        return Err(Failure::Failed(format!(
            "{}: no player in it; give one a line",
            source.name
        )));
    }
    let (mut pool, mut lines) = (Pool::default(), Vec::with_capacity(rows.len()));
    for Row { line, player } in rows {
        let inserted = pool.insert(player);
        inserted.map_err(|error| located(&source.name, Some(line), &error))?;
        lines.push(line);
    }
    let waiting = ImportedPlayers {
        pool,
        facts: source.facts(),
        name: source.name,
        lines,
    };
    waiting
        .pool
        .check_regions()
        .map_err(|error| waiting.complain(&error))?;
    Ok(waiting)
}

fn read(text: Box<dyn std::io::BufRead>) -> Result<Vec<Row>, RowError> {
    let (json, text) = is_json(text)?;
    let rows = if json { json::rows(text)? } else { csv::rows(text)? };
    let mut seen: HashMap<&str, u64> = HashMap::new();
    for Row { line, player } in &rows {
        if let Some(first) = seen.insert(&player.id, *line) {
            let message = format!(
                "player `{}` is there twice, first in line {first}: ids must differ",
                shown(&player.id)
            );
            return Err(RowError::at(*line, 1, message));
        }
    }
    Ok(rows)
}

fn located(name: &str, line: Option<u64>, error: &PoolError) -> Failure {
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    Failure::Failed(format!("{name}{line}: {error}"))
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

    const CSV: &str = "\u{feff}id,skill,uncertainty,party,region,ping_eu,ping_us,ping_to,experience,languages,roles,recent_opponents,\
        recent_teammates,blocks,friends,griefer,wait_seconds,can_host,connects_to,offence,defence,glory,churn_win,churn_draw,churn_loss
a,1,2,x,eu,30,90,b=40; c=50,7,en; de,tank,b,c,d,c,true,30,false,b;c,5,6,7,0.1,0.2,0.3
b,,,,,,,,,,,,,,,,,,,,,,,,
";
    const JSON: &str = r#"
{"id":"a","skill":1,"uncertainty":2,"party":"x","region":"eu","pings":{"eu":30,"us":90},"ping_to":{"b":40,"c":50},"experience":7,"languages":["en","de"],"roles":["tank"],"recent_opponents":["b"],"recent_teammates":["c"],"blocks":["d"],"friends":["c"],"griefer":true,"wait_seconds":30,"can_host":false,"connects_to":["b","c"],"offence":5,"defence":6,"glory":7,"churn":{"win":0.1,"draw":0.2,"loss":0.3}}
{"id":"b"}
"#;

    fn players(text: &str) -> Vec<(u64, Player)> {
        let rows = read(Box::new(std::io::Cursor::new(text.to_owned()))).unwrap();
        rows.into_iter().map(|row| (row.line, row.player)).collect()
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
