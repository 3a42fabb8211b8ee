//! Checks of one player, without a look at the others.

use crate::team::error::PoolError;
use crate::team::player::Player;

/// All ids that a player's lists name, with the field.
pub(super) fn named_ids(player: &Player) -> impl Iterator<Item = (&'static str, &String)> {
    let lists = [
        ("recent_opponents", player.recent_opponents.as_slice()),
        ("recent_teammates", &player.recent_teammates),
        ("blocks", &player.blocks),
        ("friends", &player.friends),
        ("connects_to", player.connects_to.as_deref().unwrap_or_default()),
    ];
    let listed = lists
        .into_iter()
        .flat_map(|(field, list)| list.iter().map(move |id| (field, id)));
    listed.chain(player.ping_to.keys().map(|id| ("ping_to", id)))
}

/// All regions that a player names, with the field.
pub(super) fn named_regions(player: &Player) -> impl Iterator<Item = (&'static str, &String)> {
    let home = player.region.iter().map(|region| ("region", region));
    home.chain(player.pings.keys().map(|region| ("pings", region)))
}

pub(super) fn check_numbers(player: &Player) -> Result<(), PoolError> {
    let within = |field: &dyn Fn() -> String, value: f64, least: f64, most: f64, remedy| {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(PoolError::Number {
            player: player.id.clone(),
            field: field(),
            value,
            remedy,
        })
    };
    let any = (-1e12, "a number from -1e12 to 1e12");
    let positive = (0.0, "a number from 0 to 1e12");
    let above = (1e-12, "a number above 0, at most 1e12");
    for (name, value, (least, remedy)) in [
        ("skill", player.skill, any),
        ("uncertainty", player.uncertainty, positive),
        ("wait_seconds", player.wait_seconds, positive),
        ("glory", player.glory, positive),
        ("offence", player.offence, above),
        ("defence", player.defence, above),
    ] {
        if let Some(value) = value {
            within(&|| name.to_owned(), value, least, 1e12, remedy)?;
        }
    }
    let milliseconds = "milliseconds from 0 to 1e9";
    for (table, pings) in [("pings", &player.pings), ("ping_to", &player.ping_to)] {
        for (key, &ping) in pings {
            within(&|| format!("{table}.{key}"), ping, 0.0, 1e9, milliseconds)?;
        }
    }
    for (name, &number) in &player.numbers {
        within(
            &|| format!("numbers.{name}"),
            number,
            f64::MIN,
            f64::MAX,
            "a finite number",
        )?;
    }
    Ok(())
}

pub(super) fn check_names(player: &Player) -> Result<(), PoolError> {
    let party = player.party.iter().map(|party| ("party", party));
    let languages = player.languages.iter().map(|language| ("languages", language));
    let roles = player.roles.iter().map(|role| ("roles", role));
    let own = party.chain(languages).chain(roles).chain(named_regions(player));
    for (field, name) in own.chain(named_ids(player)) {
        if name.trim().is_empty() {
            return Err(PoolError::EmptyName {
                player: player.id.clone(),
                field,
            });
        }
    }
    match named_ids(player).find(|(_, id)| **id == player.id) {
        None => Ok(()),
        Some((field, _)) => Err(PoolError::OwnName {
            player: player.id.clone(),
            field,
        }),
    }
}
