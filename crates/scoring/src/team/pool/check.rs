//! What each player must keep.

use crate::team::error::PoolError;
use crate::team::player::Player;

pub(super) fn check_numbers(player: &Player) -> Result<(), PoolError> {
    let within = |field: &dyn Fn() -> String, value: Option<f64>, least: f64, most: f64, remedy| match value {
        Some(value) if !(least..=most).contains(&value) => Err(PoolError::Number {
            player: player.id.clone(),
            field: field(),
            value,
            remedy,
        }),
        _ => Ok(()),
    };
    let positive = "a number from 0 to 1e12";
    let above = "a number above 0, at most 1e12";
    let plain = |name: &'static str| move || name.to_owned();
    within(
        &plain("skill"),
        player.skill,
        -1e12,
        1e12,
        "a number from -1e12 to 1e12",
    )?;
    within(&plain("uncertainty"), player.uncertainty, 0.0, 1e12, positive)?;
    within(&plain("wait_seconds"), player.wait_seconds, 0.0, 1e12, positive)?;
    within(&plain("glory"), player.glory, 0.0, 1e12, positive)?;
    within(&plain("offence"), player.offence, 1e-12, 1e12, above)?;
    within(&plain("defence"), player.defence, 1e-12, 1e12, above)?;
    let milliseconds = "milliseconds from 0 to 1e9";
    for (region, ping) in &player.pings {
        within(&|| format!("pings.{region}"), Some(*ping), 0.0, 1e9, milliseconds)?;
    }
    for (other, ping) in &player.ping_to {
        within(
            &|| format!("ping_to.{other}"),
            Some(*ping),
            0.0,
            1e9,
            milliseconds,
        )?;
    }
    Ok(())
}

pub(super) fn check_names(player: &Player) -> Result<(), PoolError> {
    let empty = |name: &str| name.trim().is_empty();
    let refuse = |field| {
        Err(PoolError::EmptyName {
            player: player.id.clone(),
            field,
        })
    };
    for (field, name) in [("party", &player.party), ("region", &player.region)] {
        if name.as_deref().is_some_and(empty) {
            return refuse(field);
        }
    }
    for (field, list) in [("languages", &player.languages), ("roles", &player.roles)] {
        if list.iter().any(|name| empty(name)) {
            return refuse(field);
        }
    }
    if player.pings.keys().any(|name| empty(name)) {
        return refuse("pings");
    }
    let others = [
        ("recent_opponents", player.recent_opponents.as_slice()),
        ("recent_teammates", &player.recent_teammates),
        ("blocks", &player.blocks),
        ("friends", &player.friends),
        ("connects_to", player.connects_to.as_deref().unwrap_or_default()),
    ];
    let named = others
        .iter()
        .flat_map(|(field, list)| list.iter().map(move |name| (*field, name)));
    for (field, name) in named.chain(player.ping_to.keys().map(|name| ("ping_to", name))) {
        if empty(name) {
            return refuse(field);
        }
        if *name == player.id {
            return Err(PoolError::OwnName {
                player: player.id.clone(),
                field,
            });
        }
    }
    Ok(())
}

pub(super) fn check_regions(player: &Player, regions: &[String]) -> Result<(), PoolError> {
    let home = player.region.iter().map(|region| ("region", region));
    for (field, region) in home.chain(player.pings.keys().map(|region| ("pings", region))) {
        if regions.binary_search(region).is_err() {
            let mut known: Vec<&str> = regions.iter().map(String::as_str).take(12).collect();
            if known.len() < regions.len() {
                known.push("...");
            }
            return Err(PoolError::UnknownRegion {
                player: player.id.clone(),
                field,
                region: region.clone(),
                known: known.join(", "),
            });
        }
    }
    Ok(())
}
