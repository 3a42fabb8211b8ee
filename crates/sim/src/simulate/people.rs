//! The population: parties of players with their true skills, which policies and ratings never see.

use std::collections::BTreeMap;
use std::ops::Range;

use matchwright_queue::{Attributes, QueueSettings, Ticket, Time, Value};
use rand::{Rng, RngExt};

use super::scenario::{GroupParams, NumberParams, PeopleParams, Scenario};
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
    /// Its group, by its place in the scenario; their number for the others.
    pub(super) group: u16,
}

/// Everybody, by number.
#[derive(Debug)]
pub(super) struct People {
    seed: u64,
    params: PeopleParams,
    shares: Vec<f64>,
    /// The word that says which rating counts, drawn anew each time that a party waits.
    each_time: Option<String>,
    /// Of rosters: the policy's queues by the size of their teams, rising.
    teams: Vec<(usize, Vec<String>)>,
    pub(super) parties: Vec<Party>,
    pub(super) skills: Vec<f64>,
    /// How many matches each player has played.
    pub(super) games: Vec<u32>,
    /// The parties of each region, where people are the same from match to match.
    pub(super) at_home: Vec<Vec<u32>>,
}

impl People {
    /// All who will ever come, or nobody yet where everybody is new.
    pub(super) fn new(scenario: &Scenario, settings: &QueueSettings, seed: u64) -> Self {
        let params = scenario.params();
        let mut teams: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        if params.people.roster {
            for (name, sizes) in &settings.queues {
                let largest = sizes.iter().copied().max().unwrap_or(0);
                teams.entry(largest).or_default().push(name.clone());
            }
        }
        let mut people = Self {
            seed,
            params: params.people.clone(),
            shares: params.regions.iter().map(|region| region.share).collect(),
            each_time: params.rating.accounts.clone(),
            teams: teams.into_iter().collect(),
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

    /// One more party, of at most this many players.
    pub(super) fn join(&mut self, region: usize, most: usize) -> u32 {
        let number = self.parties.len();
        let mut rng = stream(self.seed, Purpose::SimulatedParties, number as u64, 1);
        let size = (1 + pick(&self.params.parties, &mut rng)).min(most.max(1));
        let (first, group) = (self.skills.len(), self.group(number));
        let away = self.away(number, region, size);
        let shared = standard_normal(&mut stream(
            self.seed,
            Purpose::SimulatedParties,
            number as u64,
            6,
        ));
        for player in first..first + size {
            self.skills.push(self.skill(player, shared, group));
            self.games.push(0);
        }
        let party = self.add(first, region, None);
        let party_of = &mut self.parties[party as usize];
        party_of.group = group;
        // Those of a roster who do not fit the team stay at home.
        let team = self.teams.iter().rev().find(|(team, _)| *team <= size);
        party_of.members.end = index(first + team.map_or(size, |(team, _)| *team));
        party_of.away = away;
        party
    }

    /// Which group a party is of.
    fn group(&self, party: usize) -> u16 {
        let mut point = stream(self.seed, Purpose::SimulatedParties, party as u64, 3).random::<f64>();
        let is_of = |group: &GroupParams| {
            point -= group.share;
            point < 0.0
        };
        let found = self.params.groups.iter().position(is_of);
        u16::try_from(found.unwrap_or(self.params.groups.len())).unwrap_or(u16::MAX)
    }

    /// The other region of a party that lives in two.
    fn away(&self, party: usize, region: usize, size: usize) -> Option<u16> {
        if size < 2 || self.params.apart == 0.0 {
            return None;
        }
        let mut rng = stream(self.seed, Purpose::SimulatedParties, party as u64, 4);
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
            group: u16::try_from(self.params.groups.len()).unwrap_or(u16::MAX),
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
                None => self.skill(player, 0.0, u16::MAX),
            };
            self.skills.push(skill);
            self.games.push(0);
        }
        self.add(first, region, Some(place))
    }

    /// mean + lead + deviation (sqrt(alike) `shared` + spread sqrt(1 - alike) own), with lead and spread of the group.
    fn skill(&self, player: usize, shared: f64, group: u16) -> f64 {
        let mut rng = stream(self.seed, Purpose::SimulatedPlayers, player as u64, 0);
        let of = &self.params;
        let group = of.groups.get(usize::from(group));
        let (lead, spread) = group.map_or((0.0, 1.0), |group| (group.lead, group.spread));
        let own = spread * (1.0 - of.alike).sqrt() * standard_normal(&mut rng);
        of.skill_mean + lead + of.skill_deviation * (of.alike.sqrt() * shared + own)
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
        let rng = stream(self.seed, Purpose::SimulatedPlayers, player.into(), 1);
        self.numbers_of(self.skills[player as usize], false, rng)
    }

    /// What else is known of a party: its numbers, and its words.
    pub(super) fn of_party(&self, party: u32) -> Attributes {
        let members = self.parties[party as usize].members.clone();
        let count = members.len().max(1) as f64;
        let skill = members.map(|player| self.skills[player as usize]).sum::<f64>() / count;
        let rng = stream(self.seed, Purpose::SimulatedParties, party.into(), 5);
        let mut attributes = self.numbers_of(skill, true, rng);
        attributes.extend(self.words(party));
        attributes
    }

    /// The numbers of one of this skill.
    fn numbers_of(&self, skill: f64, of_party: bool, mut rng: impl Rng) -> Attributes {
        let deviation = self.params.skill_deviation;
        let lead = skill - self.params.skill_mean;
        let lead = if deviation > 0.0 { lead / deviation } else { 0.0 };
        let number = |(name, of): (&String, &NumberParams)| {
            let rest = (1.0 - of.with_skill * of.with_skill).max(0.0).sqrt();
            let drawn = of.with_skill * lead + rest * standard_normal(&mut rng);
            let value = (of.mean + of.deviation * drawn).max(of.least.unwrap_or(f64::NEG_INFINITY));
            (name.clone(), Value::Number(value))
        };
        let all = self.params.numbers.iter();
        all.filter(|(_, of)| of.of_party == of_party)
            .map(number)
            .collect()
    }

    fn words(&self, party: u32) -> Attributes {
        let mut rng = stream(self.seed, Purpose::SimulatedParties, party.into(), 2);
        let waits = self.parties[party as usize].waits;
        let mut now = stream(self.seed, Purpose::SimulatedModes, party.into(), waits.into());
        let word = |(name, shares): (&String, &BTreeMap<String, f64>)| {
            let weights: Vec<f64> = shares.values().copied().collect();
            let rng = if self.each_time.as_ref() == Some(name) {
                &mut now
            } else {
                &mut rng
            };
            let word = shares.keys().nth(pick(&weights, rng)).cloned();
            (name.clone(), Value::Text(word.unwrap_or_default()))
        };
        let mut words: Attributes = self.params.words.iter().map(word).collect();
        let group = usize::from(self.parties[party as usize].group);
        let own = self.params.groups.get(group).into_iter().flat_map(|of| &of.words);
        words.extend(own.map(|(name, word)| (name.clone(), Value::Text(word.clone()))));
        words
    }

    /// The queues in which parties of a size wait; none for the only one there is.
    pub(super) fn queues(&self, size: usize) -> &[String] {
        if let Some((_, names)) = self.teams.iter().find(|(team, _)| *team == size) {
            return names;
        }
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
