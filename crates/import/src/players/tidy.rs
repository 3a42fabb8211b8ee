//! What all players of a file say together: parties and regions that are none, lists in one cell, names in other letters.

use std::collections::HashSet;

use super::{Player, Value};
use crate::cell::case_twins::case_twins;
use crate::cell::cell_list::{LooksLikeList, check_one};
use crate::cell::names::Names;
use crate::cell::nobody::{OPEN_ZERO, Parties, Zero, is_no_party, is_nobody, is_zero};
use crate::error::RowError;
use crate::text::shown;

/// Leaves out what stands for nothing, and says what the user should hear; `Err` is what cannot be told.
pub(super) fn tidy(players: &mut [Player], names: &Names) -> Result<Vec<String>, RowError> {
    let mut notes = Vec::new();
    let parties = players
        .iter()
        .map(|player| (0, player.text("party").unwrap_or("")));
    let mut all = Parties::default();
    all.add(parties);
    let zero = all.zero();
    for player in players.iter_mut() {
        let refuse = |what| RowError::new(player.line, (1, what));
        let is_zero = player.text("party").is_some_and(is_zero);
        if is_zero && zero == Zero::Open {
            return Err(refuse(format!("party is {OPEN_ZERO}")));
        }
        // `NA` is North America.
        let is_none = |region: &str| is_nobody(region) && region != "NA";
        let has_no_party = (is_zero && zero == Zero::Nobody) || player.text("party").is_some_and(is_no_party);
        let has_no_region = player.text("region").is_some_and(is_none);
        if let Some(region) = player
            .text("region")
            .filter(|_| !has_no_region && !names.as_written)
        {
            check_one(region).map_err(|_| {
                refuse(format!(
                    "region is `{}`; a player has one region: write one, and the pings to those where it can play, \
                     ping_eu and ping_us",
                    shown(region)
                ))
            })?;
        }
        for (key, is_none) in [("party", has_no_party), ("region", has_no_region)] {
            if is_none {
                player.values.remove(key);
            }
        }
    }
    if zero == Zero::Nobody {
        notes.push("the party `0`, which is the only one, is taken for no party".to_owned());
    }
    check_lists(players)?;
    notes.extend(twins(players));
    Ok(notes)
}

impl Player {
    fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.text()
    }

    fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        let texts = self.values.get(key).map_or(&[][..], |value| value.texts());
        texts.iter().map(String::as_str)
    }

    /// The names of others that it lists, with the key of each list.
    fn others(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let lists = ["recent_opponents", "recent_teammates", "blocks", "friends"];
        lists
            .into_iter()
            .flat_map(|key| self.texts(key).map(move |name| (key, name)))
    }
}

/// Refuses an item of a list that holds several players of the file.
fn check_lists(players: &[Player]) -> Result<(), RowError> {
    let ids: HashSet<&str> = players.iter().map(|player| &*player.id).collect();
    for player in players {
        for (key, name) in player.others().filter(|(_, name)| !ids.contains(name)) {
            let list = match check_one(name) {
                Err(list) if list.items().iter().any(|item| ids.contains(&**item)) => list,
                // `bob/cyd`, where both are players.
                _ => match LooksLikeList::of(name, |part| ids.contains(part)) {
                    Some(list) => list,
                    None => continue,
                },
            };
            let what = format!(
                "{key} holds `{}`; write each name by itself: {}",
                shown(name),
                list.array()
            );
            return Err(RowError::new(player.line, (1, what)));
        }
    }
    Ok(())
}

/// Names that differ in case alone, of each kind.
fn twins(players: &[Player]) -> impl Iterator<Item = String> {
    let ids = players.iter().map(|player| &*player.id);
    let ids = ids.chain(players.iter().flat_map(Player::others).map(|(_, name)| name));
    let regions = players.iter().flat_map(|player| {
        let pings = player
            .values
            .get("pings")
            .into_iter()
            .flat_map(Value::number_names);
        player.text("region").into_iter().chain(pings)
    });
    let all = |key| players.iter().flat_map(move |player| player.texts(key));
    let parties = players.iter().filter_map(|player| player.text("party"));
    [
        case_twins("players", ids),
        case_twins("regions", regions),
        case_twins("roles", all("roles")),
        case_twins("languages", all("languages")),
        case_twins("parties", parties),
    ]
    .into_iter()
    .flatten()
}
