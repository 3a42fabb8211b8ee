//! Players who wait, from CSV or JSON lines.

mod csv;

use std::collections::HashMap;
use std::path::Path;

use matchwright_report::FileRecord;
use matchwright_scoring::{Player, Pool, PoolError};

use super::rows::{RowError, is_json, lines, object};
use super::source::Source;
use crate::failure::{Failure, shown};

/// A checked pool, and where each of its players stands in the file.
pub(crate) struct ImportedPlayers {
    pub(crate) pool: Pool,
    pub(crate) facts: FileRecord,
    source: Source,
    lines: Vec<u64>,
}

impl ImportedPlayers {
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
pub(crate) fn import_players(path: &Path) -> Result<ImportedPlayers, Failure> {
    let source = Source::open(path)?;
    let rows = read(&source.text).map_err(|error| source.name.in_row(error))?;
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
        source,
        lines,
    };
    let checked = waiting.pool.check_regions();
    checked.map_err(|error| waiting.complain(&error))?;
    Ok(waiting)
}

/// Players, each with the line that it begins on.
fn read(text: &[u8]) -> Result<Vec<(u64, Player)>, RowError> {
    let rows = if is_json(text) {
        let row = |(line, text)| match object(text) {
            Ok((player, _)) => Ok((line, player)),
            Err(fault) => Err(RowError::new(line, fault)),
        };
        lines(text).map(row).collect::<Result<_, _>>()?
    } else {
        csv::players(text)?
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
        read(text.as_bytes()).unwrap()
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
