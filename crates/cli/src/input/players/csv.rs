//! Players from CSV with a header line.

use std::collections::BTreeMap;
use std::io::BufRead;

use matchwright_scoring::{ChurnByOutcome, Player};

use super::Row;
use crate::failure::{shown, suggestion};
use crate::input::records::Records;
use crate::input::rows::RowError;

/// What a column may be called; besides, `ping_` and a region.
const COLUMNS: [&str; 23] = [
    "id",
    "skill",
    "uncertainty",
    "party",
    "region",
    "ping_to",
    "experience",
    "languages",
    "roles",
    "recent_opponents",
    "recent_teammates",
    "blocks",
    "friends",
    "griefer",
    "wait_seconds",
    "can_host",
    "connects_to",
    "offence",
    "defence",
    "glory",
    "churn_win",
    "churn_draw",
    "churn_loss",
];

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
        if !COLUMNS.contains(&name.as_str()) && !of_region {
            let hint = suggestion(&name, COLUMNS);
            let message = format!(
                "unknown column `{}`{hint} Known are {}, and ping_REGION",
                shown(&name),
                COLUMNS.join(", ")
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
    let mut player = Player::default();
    let mut churn: [Option<f64>; 3] = [None; 3];
    let mut churn_column = 1;
    for (place, name) in header.iter().enumerate() {
        let column = place as u64 + 1;
        let text = text(records, place, line)?;
        // What is left empty is not told.
        if text.is_empty() {
            continue;
        }
        let outcome = ["churn_win", "churn_draw", "churn_loss"]
            .iter()
            .position(|known| known == name);
        let read = if let Some(outcome) = outcome {
            churn_column = column;
            number(&text).map(|value| churn[outcome] = Some(value))
        } else {
            fill(&mut player, name, &text)
        };
        read.map_err(|what| {
            let message = format!("`{name}` is `{}`; {what}", shown(&text));
            RowError::at(line, column, message)
        })?;
    }
    player.churn = match churn {
        [None, None, None] => None,
        [Some(win), Some(draw), Some(loss)] => Some(
            ChurnByOutcome::new(win, draw, loss)
                .map_err(|error| RowError::at(line, churn_column, error.to_string()))?,
        ),
        _ => {
            let message =
                "churn is told after some outcomes only; give churn_win, churn_draw and churn_loss, or none";
            return Err(RowError::at(line, churn_column, message));
        }
    };
    Ok(player)
}

/// Sets what the column says; `Err` says what it should be.
fn fill(player: &mut Player, name: &str, text: &str) -> Result<(), String> {
    match name {
        "id" => text.clone_into(&mut player.id),
        "skill" => player.skill = Some(number(text)?),
        "uncertainty" => player.uncertainty = Some(number(text)?),
        "party" => player.party = Some(text.to_owned()),
        "region" => player.region = Some(text.to_owned()),
        "ping_to" => player.ping_to = pings(text)?,
        "experience" => {
            let games = text.parse().map_err(|_| "a whole number of games is needed")?;
            player.experience = Some(games);
        }
        "languages" => player.languages = list(text),
        "roles" => player.roles = list(text),
        "recent_opponents" => player.recent_opponents = list(text),
        "recent_teammates" => player.recent_teammates = list(text),
        "blocks" => player.blocks = list(text),
        "friends" => player.friends = list(text),
        "griefer" => player.griefer = truth(text)?,
        "wait_seconds" => player.wait_seconds = Some(number(text)?),
        "can_host" => player.can_host = Some(truth(text)?),
        "connects_to" => player.connects_to = Some(list(text)),
        "offence" => player.offence = Some(number(text)?),
        "defence" => player.defence = Some(number(text)?),
        "glory" => player.glory = Some(number(text)?),
        of_region => {
            let region = of_region.strip_prefix("ping_").unwrap_or(of_region);
            player.pings.insert(region.to_owned(), number(text)?);
        }
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "a finite number is needed".to_owned())
}

fn truth(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("true or false is needed".to_owned()),
    }
}

fn list(text: &str) -> Vec<String> {
    let words = text.split(';').map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// `ann=30;bob=45`.
fn pings(text: &str) -> Result<BTreeMap<String, f64>, String> {
    let pings = list(text).into_iter().map(|word| {
        let (id, ping) = word.rsplit_once('=')?;
        Some((id.trim().to_owned(), number(ping.trim()).ok()?))
    });
    let all: Option<BTreeMap<String, f64>> = pings.collect();
    all.ok_or_else(|| "ids with milliseconds are needed, such as ann=30;bob=45".to_owned())
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
