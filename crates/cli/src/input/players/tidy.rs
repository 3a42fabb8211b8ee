//! What all players of a file say together: parties and regions that are none, lists in one cell, names in other letters.

use matchwright_scoring::Player;

use crate::failure::shown;
use crate::input::case_twins::case_twins;
use crate::input::cell_list::{LooksLikeList, check_one};
use crate::input::names::Names;
use crate::input::nobody::{OPEN_ZERO, Parties, Zero, is_no_party, is_nobody, is_zero};
use crate::input::rows::RowError;

/// Leaves out what stands for nothing, and says what the user should hear; `Err` is what cannot be told.
pub(super) fn tidy(rows: &mut [(u64, Player)], names: &Names) -> Result<Vec<String>, RowError> {
    let mut notes = Vec::new();
    let parties = rows
        .iter()
        .map(|(_, player)| (0, player.party.as_deref().unwrap_or("")));
    let mut all = Parties::default();
    all.add(parties);
    let zero = all.zero();
    for (line, player) in rows.iter_mut() {
        let is_zero = player.party.as_deref().is_some_and(is_zero);
        if is_zero && zero == Zero::Open {
            return Err(RowError::new(*line, (1, format!("party is {OPEN_ZERO}"))));
        }
        if (is_zero && zero == Zero::Nobody) || player.party.as_deref().is_some_and(is_no_party) {
            player.party = None;
        }
        // `NA` is North America.
        if player
            .region
            .as_deref()
            .is_some_and(|region| is_nobody(region) && region != "NA")
        {
            player.region = None;
        }
        if let Some(region) = player.region.as_deref().filter(|_| !names.as_written) {
            check_one(region).map_err(|_| {
                let what = format!(
                    "region is `{}`; a player has one region: write one, and the pings to those where it can play, \
                     ping_eu and ping_us",
                    shown(region)
                );
                RowError::new(*line, (1, what))
            })?;
        }
    }
    if zero == Zero::Nobody {
        notes.push("the party `0`, which is the only one, is taken for no party".to_owned());
    }
    check_lists(rows)?;
    notes.extend(twins(rows));
    Ok(notes)
}

/// The lists of names that a player has.
fn lists(player: &Player) -> impl Iterator<Item = (&'static str, &str)> {
    let lists = [
        ("recent_opponents", &player.recent_opponents),
        ("recent_teammates", &player.recent_teammates),
        ("blocks", &player.blocks),
        ("friends", &player.friends),
    ];
    lists
        .into_iter()
        .flat_map(|(key, names)| names.iter().map(move |name| (key, &**name)))
}

/// Refuses an item of a list that holds several players of the file.
fn check_lists(rows: &[(u64, Player)]) -> Result<(), RowError> {
    let ids: std::collections::HashSet<&str> = rows.iter().map(|(_, player)| &*player.id).collect();
    for (line, player) in rows {
        for (key, name) in lists(player).filter(|(_, name)| !ids.contains(name)) {
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
            return Err(RowError::new(*line, (1, what)));
        }
    }
    Ok(())
}

/// Names that differ in case alone, of each kind.
fn twins(rows: &[(u64, Player)]) -> impl Iterator<Item = String> {
    let players = || rows.iter().map(|(_, player)| player);
    let ids = players().map(|player| &*player.id);
    let ids = ids.chain(players().flat_map(lists).map(|(_, name)| name));
    let regions = players().flat_map(|player| player.region.iter().chain(player.pings.keys()));
    let roles = players().flat_map(|player| &player.roles);
    let languages = players().flat_map(|player| &player.languages);
    let parties = players().filter_map(|player| player.party.as_deref());
    [
        case_twins("players", ids),
        case_twins("regions", regions.map(String::as_str)),
        case_twins("roles", roles.map(String::as_str)),
        case_twins("languages", languages.map(String::as_str)),
        case_twins("parties", parties),
    ]
    .into_iter()
    .flatten()
}
