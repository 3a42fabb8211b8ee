//! How long and how many things of a request may be.

use std::collections::BTreeMap;

use matchwright_queue::Value;

use crate::problem::Problem;
use crate::request::{NewPlayer, NewTicket};

/// Players of a ticket, and regions and attributes of one.
pub(crate) const MOST: usize = 64;
/// Bytes of a name of an attribute, a region or a queue.
pub(crate) const NAME: usize = 64;
/// Bytes of a word.
pub(crate) const TEXT: usize = 256;
/// Bytes of what a player, a request or a subject is called, and of a connection.
pub(crate) const ID: usize = 128;

/// A text that is there, no longer than this, and in one line.
pub(crate) fn check_text(what: &str, text: &str, most: usize) -> Result<(), Problem> {
    let fault = match text {
        "" => format!("{what} without a name"),
        _ if text.len() > most => format!("{what} of {} bytes: {most} at most", text.len()),
        _ if text.chars().any(char::is_control) => format!("{what} with a control character"),
        _ => return Ok(()),
    };
    Err(Problem::Invalid(fault))
}

pub(crate) fn check_count(what: &str, count: usize) -> Result<(), Problem> {
    if count > MOST {
        return Err(Problem::Invalid(format!("{count} {what}: {MOST} at most")));
    }
    Ok(())
}

fn check_attributes(attributes: &BTreeMap<String, Value>) -> Result<(), Problem> {
    check_count("attributes", attributes.len())?;
    for (name, value) in attributes {
        check_text("an attribute", name, NAME)?;
        let too_long = match value {
            Value::Text(text) => text.len() > TEXT,
            Value::Texts(texts) => texts.len() > MOST || texts.iter().any(|text| text.len() > TEXT),
            Value::Numbers(numbers) => numbers.len() > MOST || numbers.keys().any(|name| name.len() > NAME),
            Value::Flag(_) | Value::Number(_) => false,
        };
        if too_long {
            return Err(Problem::Invalid(format!(
                "attribute `{name}` is too long: {MOST} parts, names of {NAME} and words of {TEXT} bytes at most"
            )));
        }
    }
    Ok(())
}

pub(crate) fn check_player(player: &NewPlayer) -> Result<(), Problem> {
    check_text("a player", &player.id, ID)?;
    check_attributes(&player.attributes)
}

/// Before anything of it is kept.
pub(crate) fn check(new: &NewTicket) -> Result<(), Problem> {
    check_count("players", new.players.len().saturating_add(new.joining.len()))?;
    new.players.iter().try_for_each(check_player)?;
    new.joining
        .iter()
        .try_for_each(|player| check_text("a player", player, ID))?;
    check_count("queues", new.queues.len())?;
    // The queue of a policy that has one may be without a name.
    let mut named = new.queues.iter().filter(|queue| !queue.is_empty());
    named.try_for_each(|queue| check_text("a queue", queue, NAME))?;
    check_count("regions", new.regions.len())?;
    for (region, ping) in &new.regions {
        check_text("a region", region, NAME)?;
        if !ping.is_finite() || *ping < 0.0 {
            return Err(Problem::Invalid(format!("a ping of {ping} ms to `{region}`")));
        }
    }
    check_attributes(&new.attributes)?;
    if new.heartbeat_within == Some(0) {
        return Err(Problem::Invalid(
            "a ticket whose players are never there: give `heartbeat_within` in milliseconds".to_owned(),
        ));
    }
    if new.expires_in.is_some_and(|millis| millis < 1) {
        return Err(Problem::Invalid(
            "a ticket that leaves before it came: give `expires_in` in milliseconds from now".to_owned(),
        ));
    }
    Ok(())
}
