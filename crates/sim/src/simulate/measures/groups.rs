//! Measures by group: waits by region, rating and party; wins and losses by true skill.

use std::collections::BTreeMap;

use super::measured::GroupGames;
use crate::replay::{GroupWaits, of_waits};
use crate::simulate::engine::PlayerEnd;
use crate::simulate::record::{PlayedMatch, TicketEnd};

/// Players' ratings are told apart in bands of so many points.
const BAND: f64 = 200.0;

/// The wait of a matched ticket.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    region: u16,
    band: i16,
    players: u16,
    group: u16,
    pub(super) seconds: f32,
}

impl Wait {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a band of ratings, seconds to some millionths"
    )]
    pub(super) fn new(end: &TicketEnd) -> Self {
        let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Self {
            region: small(end.region),
            band: (end.rating / BAND).floor().clamp(-1e4, 1e4) as i16,
            players: small(end.players.len()),
            group: small(end.group),
            seconds: end.waited() as f32,
        }
    }
}

/// Of all, and of each region, band of ratings, size of party and group where there are several.
pub(super) fn waits(waits: &[Wait], regions: &[String], groups: &[String]) -> Vec<GroupWaits> {
    let mut kinds: [BTreeMap<i64, Vec<f64>>; 5] = Default::default();
    for wait in waits {
        let keys = [
            0,
            wait.region.into(),
            wait.band.into(),
            wait.players.into(),
            wait.group.into(),
        ];
        for (kind, key) in kinds.iter_mut().zip(keys) {
            kind.entry(key).or_insert_with(Vec::new).push(wait.seconds.into());
        }
    }
    let name = |kind: usize, key: i64| match kind {
        0 => "all".to_owned(),
        1 => {
            let region = usize::try_from(key).ok().and_then(|key| regions.get(key));
            format!("region {}", region.map_or("", String::as_str))
        }
        2 => {
            let low = key as f64 * BAND;
            format!("rating {low} to {}", low + BAND)
        }
        3 => format!("party of {key}"),
        _ => {
            let group = usize::try_from(key).ok().and_then(|key| groups.get(key));
            format!("group {}", group.map_or("others", String::as_str))
        }
    };
    let mut found_groups = Vec::new();
    for (kind, found) in kinds.into_iter().enumerate() {
        if kind == 0 || found.len() > 1 {
            let of = |(key, waits)| of_waits(name(kind, key), waits);
            found_groups.extend(found.into_iter().map(of));
        }
    }
    found_groups
}

/// Each player's matches, wins and losses after the warm-up.
#[derive(Default)]
pub(super) struct Games {
    /// By player: matches, wins, losses.
    of: Vec<[u32; 3]>,
}

impl Games {
    pub(super) fn add(&mut self, made: &PlayedMatch, counts: bool) {
        let best = made.places.iter().filter(|&&place| place == 1).count();
        for (team, &place) in made.teams.iter().zip(&made.places) {
            for &player in team {
                let player = player as usize;
                if self.of.len() <= player {
                    self.of.resize(player + 1, [0; 3]);
                }
                if counts {
                    let games = &mut self.of[player];
                    games[0] += 1;
                    games[1] += u32::from(place == 1 && best == 1);
                    games[2] += u32::from(place > 1);
                }
            }
        }
    }

    /// The fourths of the players who played, by true skill, the weakest first.
    pub(super) fn by_skill(&self, players: &[PlayerEnd]) -> Vec<GroupGames> {
        let played = self.of.iter().zip(players).filter(|(games, _)| games[0] > 0);
        let mut played: Vec<(f64, [u32; 3])> = played.map(|(games, player)| (player.skill, *games)).collect();
        played.sort_by(|a, b| a.0.total_cmp(&b.0));
        let names = ["weakest fourth", "second fourth", "third fourth", "best fourth"];
        let count = played.len();
        let of_fourth = |(fourth, name): (usize, &str)| {
            let part = &played[fourth * count / 4..(fourth + 1) * count / 4];
            let sum = |at: usize| part.iter().map(|(_, games)| u64::from(games[at])).sum::<u64>();
            GroupGames {
                group: name.to_owned(),
                players: part.len() as u64,
                games: sum(0),
                wins: sum(1),
                losses: sum(2),
            }
        };
        names.into_iter().enumerate().map(of_fourth).collect()
    }
}
