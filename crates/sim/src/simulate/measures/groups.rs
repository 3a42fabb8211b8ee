//! Measures by group: waits, mismatch and ping by region, rating and party; wins and losses by true skill.

use std::collections::BTreeMap;

use super::measured::{GroupGames, GroupMatches};
use crate::replay::{GroupWaits, WaitSums};
use crate::simulate::engine::PlayerEnd;
use crate::simulate::record::{Fate, PlayedMatch, TicketEnd};
use crate::simulate::scenario::ScenarioParams;

/// What groups of tickets are told apart by.
pub(super) struct Groups {
    regions: Vec<String>,
    named: Vec<String>,
    /// Width of a band of ratings, points.
    band: f64,
}

/// Which groups a ticket is in.
#[derive(Clone, Copy)]
pub(super) struct Member {
    region: u16,
    band: i16,
    pub(super) players: u16,
    is_apart: bool,
    group: u16,
}

/// All, and by region, rating, size of party, in how many regions a party lives, and group.
const KINDS: usize = 6;

impl Member {
    /// The group of each kind.
    fn keys(self) -> [Option<i64>; KINDS] {
        let apart = (self.players > 1).then_some(self.is_apart.into());
        let (region, band, players) = (self.region.into(), self.band.into(), self.players.into());
        [
            Some(0),
            Some(region),
            Some(band),
            Some(players),
            apart,
            Some(self.group.into()),
        ]
    }
}

/// Something of each group, by kind.
type ByGroup<T> = [BTreeMap<i64, T>; KINDS];

impl Groups {
    /// `unit`: points of true skill that one point of a rating is.
    pub(super) fn new(params: &ScenarioParams, unit: f64) -> Self {
        Self {
            regions: params.regions.iter().map(|region| region.name.clone()).collect(),
            named: params
                .people
                .groups
                .iter()
                .map(|group| group.name.clone())
                .collect(),
            band: band(params.people.skill_deviation / unit),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a band of ratings")]
    pub(super) fn of(&self, end: &TicketEnd) -> Member {
        let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Member {
            region: small(end.region),
            band: (end.rating / self.band).floor().clamp(-1e4, 1e4) as i16,
            players: small(end.players.len()),
            is_apart: end.is_apart,
            group: small(end.group),
        }
    }

    fn name(&self, kind: usize, key: i64) -> String {
        match kind {
            0 => "all".to_owned(),
            1 => {
                // Dropped: a key without a region has no name.
                let region = usize::try_from(key).ok().and_then(|key| self.regions.get(key));
                format!("region {}", region.map_or("", String::as_str))
            }
            2 => {
                let low = key as f64 * self.band;
                format!("rating {low} to {}", low + self.band)
            }
            3 => format!("party of {key}"),
            4 if key == 0 => "party from one region".to_owned(),
            4 => "party from two regions".to_owned(),
            _ => {
                // Dropped: a negative key stands for the others.
                let group = usize::try_from(key).ok().and_then(|key| self.named.get(key));
                format!("group {}", group.map_or("others", String::as_str))
            }
        }
    }

    /// The groups of each kind that has several, and all.
    fn with_names<T>(&self, found: ByGroup<T>) -> impl Iterator<Item = (String, T)> {
        let several = |(kind, of): &(usize, BTreeMap<i64, T>)| *kind == 0 || of.len() > 1;
        let kinds = found.into_iter().enumerate().filter(several);
        kinds.flat_map(move |(kind, of)| of.into_iter().map(move |(key, one)| (self.name(kind, key), one)))
    }

    /// Waits of all tickets.
    pub(super) fn waits(&self, waits: &[(Member, Fate, f32)]) -> Vec<GroupWaits> {
        let mut found: ByGroup<WaitSums> = Default::default();
        for &(member, fate, seconds) in waits {
            for (kind, key) in found.iter_mut().zip(member.keys()) {
                if let Some(key) = key {
                    kind.entry(key).or_default().add(seconds.into(), fate.into());
                }
            }
        }
        self.with_names(found)
            .map(|(name, waits)| waits.finish(name))
            .collect()
    }

    pub(super) fn matches(&self, found: Matches) -> Vec<GroupMatches> {
        let mean = |sum: f64, of: f64| (of > 0.0).then(|| sum / of);
        let of = |(group, sums): (String, Sums)| GroupMatches {
            group,
            players: sums.players,
            mismatch: mean(sums.mismatch.0, sums.mismatch.1),
            ping: mean(sums.ping.0, sums.ping.1),
        };
        self.with_names(found.0).map(of).collect()
    }
}

/// Two thirds of a standard deviation, rounded to 1, 2 or 5 times a power of ten: 200 points of 300.
fn band(deviation: f64) -> f64 {
    if deviation <= 0.0 {
        return 200.0;
    }
    let wanted = deviation / 1.5;
    let ten = 10.0_f64.powf(wanted.log10().floor());
    let off = |width: &f64| (width / wanted).ln().abs();
    let widths = [ten, 2.0 * ten, 5.0 * ten, 10.0 * ten];
    widths
        .into_iter()
        .min_by(|a, b| off(a).total_cmp(&off(b)))
        .unwrap_or(ten)
}

/// What matches were to the players of each group.
#[derive(Default)]
pub(super) struct Matches(ByGroup<Sums>);

/// Players, and over those of them of whom it is known the sum of a value and their number.
#[derive(Clone, Copy, Default)]
struct Sums {
    players: u64,
    mismatch: (f64, f64),
    ping: (f64, f64),
}

impl Matches {
    /// The match of a ticket.
    pub(super) fn add(&mut self, member: Member, mismatch: Option<f64>, ping: Option<f64>) {
        let players = f64::from(member.players);
        for (kind, key) in self.0.iter_mut().zip(member.keys()) {
            let Some(key) = key else { continue };
            let sums = kind.entry(key).or_default();
            sums.players += u64::from(member.players);
            for (sum, value) in [(&mut sums.mismatch, mismatch), (&mut sums.ping, ping)] {
                if let Some(value) = value {
                    *sum = (sum.0 + value * players, sum.1 + players);
                }
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_ratings_are_round_and_about_two_thirds_of_a_deviation() {
        for (deviation, width) in [
            (300.0, 200.0),
            (3500.0, 2000.0),
            (1.0, 0.5),
            (800.0, 500.0),
            (0.0, 200.0),
        ] {
            assert!(
                (band(deviation) - width).abs() < 1e-9,
                "{deviation}: {}",
                band(deviation)
            );
        }
    }
}
