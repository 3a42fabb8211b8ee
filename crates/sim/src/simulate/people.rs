//! The population: parties of players with their true skills, which policies and ratings never see.

use std::ops::Range;

use rand::{Rng, RngExt};

use super::scenario::{PeopleParams, Scenario};
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
    pub(super) doing: Doing,
    /// How often it has waited: part of what its randomness is drawn for.
    pub(super) waits: u32,
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
            let mut rng = stream(self.seed, Purpose::SimulatedPlayers, player as u64, 0);
            let skill = self.params.skill_mean + self.params.skill_deviation * standard_normal(&mut rng);
            self.skills.push(skill);
            self.games.push(0);
        }
        self.parties.push(Party {
            members: index(first)..index(first + size),
            region: u16::try_from(region).unwrap_or(u16::MAX),
            doing: Doing::Away,
            waits: 0,
        });
        index(number)
    }
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
