//! The population: parties of players with their true skills, which policies and ratings never see.

use std::collections::BTreeMap;
use std::ops::Range;

use matchwright_queue::{Attributes, Ticket, Time, Value};
use rand::{Rng, RngExt};

use super::scenario::{NumberParams, PeopleParams, Scenario};
use crate::random::{Purpose, standard_normal, stream};

/// What a party does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// Nothing here: it may come.
    Away,
    /// It waits, plays, or pauses before the next match.
    Busy,
    /// It never comes again.
    Gone,
}

/// Players who always come together.
#[derive(Clone, Debug)]
pub(super) struct Party {
    /// Its players.
    pub(super) members: Range<u32>,
    pub(super) region: u16,
    /// Where its last player lives, if not there.
    pub(super) away: Option<u16>,
    pub(super) doing: Doing,
    /// How often it has waited: part of what its randomness is drawn for.
    pub(super) waits: u32,
    /// When it last waited.
    pub(super) since: Time,
    /// Its place in the log that it is from, if it is.
    pub(super) logged: Option<u32>,
}

/// Everybody, by number.
#[derive(Debug)]
pub(super) struct People {
    seed: u64,
    params: PeopleParams,
    shares: Vec<f64>,
    pub(super) parties: Vec<Party>,
    pub(super) skills: Vec<f64>,
    /// How many matches each player has played.
    pub(super) games: Vec<u32>,
    /// The parties of each region, where people are the same from match to match.
    pub(super) at_home: Vec<Vec<u32>>,
}

impl People {
    /// All who will ever come, or nobody yet where everybody is new.
    pub(super) fn new(scenario: &Scenario, seed: u64) -> Self {
        let params = scenario.params();
        let mut people = Self {
            seed,
            params: params.people.clone(),
            shares: params.regions.iter().map(|region| region.share).collect(),
            parties: Vec::new(),
            skills: Vec::new(),
            games: Vec::new(),
            at_home: vec![Vec::new(); params.regions.len()],
        };
        if let Some(players) = params.people.players {
            while people.skills.len() < players as usize {
                let mut rng = stream(seed, Purpose::SimulatedParties, people.parties.len() as u64, 0);
                let region = pick(&people.shares, &mut rng);
                let party = people.join(region, players as usize - people.skills.len());
                people.at_home[region].push(party);
            }
        }
        people
    }

    /// One more party, of at most so many players.
    pub(super) fn join(&mut self, region: usize, most: usize) -> u32 {
        let number = self.parties.len();
        let mut rng = stream(self.seed, Purpose::SimulatedParties, number as u64, 1);
        let size = (1 + pick(&self.params.parties, &mut rng)).min(most.max(1));
        let first = self.skills.len();
        for player in first..first + size {
            self.skills.push(self.skill(player));
            self.games.push(0);
        }
        let party = self.add(first, region, None);
        self.parties[party as usize].away = self.away(number, region, size);
        party
    }

    /// The other region of a party that lives in two.
    fn away(&self, party: usize, region: usize, size: usize) -> Option<u16> {
        if size < 2 || self.params.apart == 0.0 {
            return None;
        }
        let mut rng = stream(self.seed, Purpose::SimulatedParties, party as u64, 3);
        let mut others = self.shares.clone();
        others[region] = 0.0;
        let other = pick(&others, &mut rng);
        let is_apart = other != region && rng.random::<f64>() < self.params.apart;
        is_apart.then_some(u16::try_from(other).unwrap_or(u16::MAX))
    }

    /// The party of all players from `first` on.
    fn add(&mut self, first: usize, region: usize, logged: Option<u32>) -> u32 {
        self.parties.push(Party {
            members: index(first)..index(self.skills.len()),
            region: u16::try_from(region).unwrap_or(u16::MAX),
            away: None,
            doing: Doing::Away,
            waits: 0,
            since: Time::default(),
            logged,
        });
        index(self.parties.len() - 1)
    }

    /// One more party: that of a logged ticket. What the log knows of a player's skill is right but for the error of ratings.
    pub(super) fn join_logged(&mut self, ticket: &Ticket, place: u32, region: usize, error: f64) -> u32 {
        let first = self.skills.len();
        for (member, player) in ticket.players.iter().zip(first..) {
            let number = |name: &str| {
                let own = member
                    .attributes
                    .get(name)
                    .or_else(|| ticket.attributes.get(name));
                own.and_then(|value| match value {
                    Value::Number(number) => Some(*number),
                    _ => None,
                })
            };
            let skill = match number("skill").or_else(|| number("rating")) {
                Some(rating) => rating - error_of(self.seed, player as u64, error),
                None => self.skill(player),
            };
            self.skills.push(skill);
            self.games.push(0);
        }
        self.add(first, region, Some(place))
    }

    fn skill(&self, player: usize) -> f64 {
        let mut rng = stream(self.seed, Purpose::SimulatedPlayers, player as u64, 0);
        self.params.skill_mean + self.params.skill_deviation * standard_normal(&mut rng)
    }

    /// A party waits now: its players' skills have changed since it last did.
    pub(super) fn drift(&mut self, party: u32, now: Time) {
        let party = &mut self.parties[party as usize];
        let since = std::mem::replace(&mut party.since, now);
        let days = now.seconds_since(since) / 86_400.0;
        let change = self.params.drift_per_day * days.sqrt();
        if change > 0.0 {
            for player in party.members.clone() {
                let mut rng = stream(
                    self.seed,
                    Purpose::SimulatedDrift,
                    player.into(),
                    party.waits.into(),
                );
                self.skills[player as usize] += change * standard_normal(&mut rng);
            }
        }
    }

    /// What else is known of a player.
    pub(super) fn numbers(&self, player: u32) -> Attributes {
        let mut rng = stream(self.seed, Purpose::SimulatedPlayers, player.into(), 1);
        let deviation = self.params.skill_deviation;
        let lead = self.skills[player as usize] - self.params.skill_mean;
        let lead = if deviation > 0.0 { lead / deviation } else { 0.0 };
        let number = |(name, of): (&String, &NumberParams)| {
            let rest = (1.0 - of.with_skill * of.with_skill).max(0.0).sqrt();
            let drawn = of.with_skill * lead + rest * standard_normal(&mut rng);
            let value = (of.mean + of.deviation * drawn).max(of.least.unwrap_or(f64::NEG_INFINITY));
            (name.clone(), Value::Number(value))
        };
        self.params.numbers.iter().map(number).collect()
    }

    /// What else is known of a party.
    pub(super) fn words(&self, party: u32) -> Attributes {
        let mut rng = stream(self.seed, Purpose::SimulatedParties, party.into(), 2);
        let word = |(name, shares): (&String, &BTreeMap<String, f64>)| {
            let weights: Vec<f64> = shares.values().copied().collect();
            let word = shares.keys().nth(pick(&weights, &mut rng)).cloned();
            (name.clone(), Value::Text(word.unwrap_or_default()))
        };
        self.params.words.iter().map(word).collect()
    }

    /// The queues in which parties of a size wait; none for the only one there is.
    pub(super) fn queues(&self, size: usize) -> &[String] {
        let of = self.params.queues.iter().find(|of| of.size == size);
        of.map_or(&[], |of| &of.names)
    }
}

/// What is wrong with a player's rating where no system learns it.
pub(super) fn error_of(seed: u64, player: u64, deviation: f64) -> f64 {
    deviation * standard_normal(&mut stream(seed, Purpose::SimulatedErrors, player, 0))
}

/// Numbers of players and parties: a world of four billion does not fit a memory.
pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A place, as often as its weight says.
pub(super) fn pick(weights: &[f64], rng: &mut impl Rng) -> usize {
    let sum: f64 = weights.iter().sum();
    let mut point = sum * rng.random::<f64>();
    for (place, weight) in weights.iter().enumerate() {
        if point < *weight {
            return place;
        }
        point -= weight;
    }
    // Rounding alone leads here.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
}
