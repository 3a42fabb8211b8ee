//! All players who wait, checked once; from then on a player is an index.

mod check;
mod intern;

use std::collections::{BTreeSet, HashMap};

use self::check::{check_names, check_numbers, check_regions};
use self::intern::{Interned, index, parties, present, region_pings};
use super::error::PoolError;
use super::player::{Player, PlayerField};
use crate::outcome::ChurnByOutcome;

/// Checked players; a player is its index in the order in which they were given.
///
/// What was not told reads as NaN where it is a number: a curve gives NaN its worst quality, so a player of whom too
/// little is known never makes a match look good.
///
/// ```
/// use matchwright_scoring::{Player, Pool, PoolError};
///
/// let mut ann = Player::new("ann");
/// ann.skill = Some(f64::NAN);
/// let error = Pool::new(vec![ann]).unwrap_err();
/// assert_eq!(error.to_string(), "player `ann`: `skill` is NaN; give a number from -1e12 to 1e12");
/// assert!(matches!(error, PoolError::Number { .. }));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    players: Vec<Player>,
    index: HashMap<String, usize>,
    party: Vec<Option<usize>>,
    parties: Vec<Vec<usize>>,
    regions: Vec<String>,
    /// A row for each player, NaN where unknown.
    region_pings: Vec<f64>,
    /// Sorted by the other player.
    ping_to: Vec<Vec<(usize, f64)>>,
    languages: Interned,
    roles: Interned,
    opponents: Vec<Vec<usize>>,
    teammates: Vec<Vec<usize>>,
    blocks: Vec<Vec<usize>>,
    friends: Vec<Vec<usize>>,
    connects_to: Vec<Option<Vec<usize>>>,
    absent: usize,
}

impl Pool {
    /// A pool of `players`; its regions are those that somebody has a ping to.
    ///
    /// A player's `region` must be one of them, unless nobody gives pings to regions. O(n log n) in what is listed.
    ///
    /// # Errors
    /// [`PoolError`] names the player and the field.
    pub fn new(players: Vec<Player>) -> Result<Self, PoolError> {
        let pinged = players.iter().flat_map(|player| player.pings.keys().cloned());
        let mut regions: BTreeSet<String> = pinged.collect();
        if regions.is_empty() {
            regions.extend(players.iter().filter_map(|player| player.region.clone()));
        }
        Self::build(players, regions)
    }

    /// A pool in which `regions` are all there are: a ping to another one, or a home in one, is an error.
    ///
    /// # Errors
    /// [`PoolError`] names the player and the field.
    pub fn with_regions(players: Vec<Player>, regions: &[&str]) -> Result<Self, PoolError> {
        Self::build(players, regions.iter().map(|&region| region.to_owned()).collect())
    }

    fn build(players: Vec<Player>, regions: BTreeSet<String>) -> Result<Self, PoolError> {
        let index = index(&players)?;
        let regions: Vec<String> = regions.into_iter().collect();
        for player in &players {
            check_numbers(player)?;
            check_names(player)?;
            check_regions(player, &regions)?;
        }
        let (party, parties) = parties(&players);
        let mut absent = 0;
        let mut list = |names: &dyn Fn(&Player) -> &[String]| -> Vec<Vec<usize>> {
            players
                .iter()
                .map(|player| present(names(player), &index, &mut absent))
                .collect()
        };
        let (opponents, teammates) = (list(&|p| &p.recent_opponents), list(&|p| &p.recent_teammates));
        let (blocks, friends) = (list(&|p| &p.blocks), list(&|p| &p.friends));
        let connects = players.iter().map(|player| player.connects_to.as_deref());
        let connects_to = connects
            .map(|names| Some(present(names?, &index, &mut absent)))
            .collect();
        let ping_to = players.iter().map(|player| {
            let known = player
                .ping_to
                .iter()
                .filter_map(|(id, ping)| Some((*index.get(id)?, *ping)));
            let mut known: Vec<(usize, f64)> = known.collect();
            absent += player.ping_to.len() - known.len();
            known.sort_unstable_by_key(|entry| entry.0);
            known
        });
        Ok(Self {
            ping_to: ping_to.collect(),
            region_pings: region_pings(&players, &regions),
            languages: Interned::new(&players, |player| &player.languages),
            roles: Interned::new(&players, |player| &player.roles),
            players,
            index,
            party,
            parties,
            regions,
            opponents,
            teammates,
            blocks,
            friends,
            connects_to,
            absent,
        })
    }

    /// How many players.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether nobody waits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// The players, in their order.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player of that name.
    #[must_use]
    pub fn index_of(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// How often a list names somebody who is not in the pool.
    #[must_use]
    pub const fn absent(&self) -> usize {
        self.absent
    }

    /// The party of `player`, or `None` if it queued alone.
    #[must_use]
    pub fn party_of(&self, player: usize) -> Option<usize> {
        self.party[player]
    }

    /// The members of each party, by rising index; one of one member is possible.
    #[must_use]
    pub fn parties(&self) -> &[Vec<usize>] {
        &self.parties
    }

    /// Whether both queued together.
    #[must_use]
    pub fn same_party(&self, a: usize, b: usize) -> bool {
        self.party[a].is_some() && self.party[a] == self.party[b]
    }

    /// How many queued together with `player`, itself included.
    #[must_use]
    pub fn party_size(&self, player: usize) -> usize {
        self.party[player].map_or(1, |party| self.parties[party].len())
    }

    /// Refuses a party that does not fit into a team.
    ///
    /// # Errors
    /// [`PoolError::PartyTooLarge`] names a member.
    pub fn check_party_sizes(&self, team_size: usize) -> Result<(), PoolError> {
        let large = self.parties.iter().find(|party| party.len() > team_size);
        large.map_or(Ok(()), |members| {
            let first = &self.players[members[0]];
            Err(PoolError::PartyTooLarge {
                player: first.id.clone(),
                party: first.party.clone().unwrap_or_default(),
                size: members.len(),
                team_size,
            })
        })
    }

    /// Refuses a player who lacks `field`, which `needed_by` needs.
    ///
    /// # Errors
    /// [`PoolError::Missing`] names the first one.
    pub fn check_field(&self, field: PlayerField, needed_by: &'static str) -> Result<(), PoolError> {
        let lacking = self.players.iter().find(|player| !field.is_given(player));
        lacking.map_or(Ok(()), |player| {
            Err(PoolError::Missing {
                player: player.id.clone(),
                field: field.name(),
                needed_by,
            })
        })
    }

    /// The skill, or NaN.
    #[must_use]
    pub fn skill(&self, player: usize) -> f64 {
        self.players[player].skill.unwrap_or(f64::NAN)
    }

    /// The standard deviation of the skill; 0 if not given.
    #[must_use]
    pub fn uncertainty(&self, player: usize) -> f64 {
        self.players[player].uncertainty.unwrap_or(0.0)
    }

    /// Games played, or NaN.
    #[must_use]
    pub fn experience(&self, player: usize) -> f64 {
        self.players[player]
            .experience
            .map_or(f64::NAN, |games| games as f64)
    }

    /// Seconds waited; 0 if not given.
    #[must_use]
    pub fn wait_seconds(&self, player: usize) -> f64 {
        self.players[player].wait_seconds.unwrap_or(0.0)
    }

    /// Strength in attack, or NaN.
    #[must_use]
    pub fn offence(&self, player: usize) -> f64 {
        self.players[player].offence.unwrap_or(f64::NAN)
    }

    /// Strength in defence, or NaN.
    #[must_use]
    pub fn defence(&self, player: usize) -> f64 {
        self.players[player].defence.unwrap_or(f64::NAN)
    }

    /// Points on the leader board, or NaN.
    #[must_use]
    pub fn glory(&self, player: usize) -> f64 {
        self.players[player].glory.unwrap_or(f64::NAN)
    }

    /// Churn after each outcome, if given.
    #[must_use]
    pub fn churn(&self, player: usize) -> Option<ChurnByOutcome> {
        self.players[player].churn
    }

    /// Whether the player is kept apart from the others.
    #[must_use]
    pub fn is_griefer(&self, player: usize) -> bool {
        self.players[player].griefer
    }

    /// All regions, sorted by name.
    #[must_use]
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// The round trip of `player` to each of [`regions`](Self::regions) in milliseconds, NaN where not given.
    #[must_use]
    pub fn region_pings(&self, player: usize) -> &[f64] {
        let width = self.regions.len();
        &self.region_pings[player * width..(player + 1) * width]
    }

    /// The round trip between two players in milliseconds; NaN if unknown. Symmetric.
    ///
    /// What the players were told of each other comes first (the mean, if both know). Otherwise their packets meet in
    /// a region: the least over the regions of the sum of both pings. O(regions).
    #[must_use]
    pub fn ping(&self, a: usize, b: usize) -> f64 {
        let known = |from: usize, to: usize| {
            let list = &self.ping_to[from];
            let place = list.binary_search_by_key(&to, |entry| entry.0).ok()?;
            Some(list[place].1)
        };
        match (known(a, b), known(b, a)) {
            (Some(there), Some(back)) => f64::midpoint(there, back),
            (Some(ping), None) | (None, Some(ping)) => ping,
            (None, None) => {
                let sums = self
                    .region_pings(a)
                    .iter()
                    .zip(self.region_pings(b))
                    .map(|(x, y)| x + y);
                // `min` passes over NaN, which is also where it starts.
                sums.fold(f64::NAN, f64::min)
            }
        }
    }

    /// Whether `player`'s machine may be host of a match.
    #[must_use]
    pub fn can_host(&self, player: usize) -> bool {
        self.players[player].can_host.unwrap_or(true)
    }

    /// Whether the machines of both can connect: nobody who lists connections leaves the other out. Symmetric.
    #[must_use]
    pub fn connected(&self, a: usize, b: usize) -> bool {
        let allows = |from: usize, to: usize| {
            self.connects_to[from]
                .as_ref()
                .is_none_or(|list| list.binary_search(&to).is_ok())
        };
        allows(a, b) && allows(b, a)
    }

    /// Whether one lists the other as a recent opponent.
    #[must_use]
    pub fn were_opponents(&self, a: usize, b: usize) -> bool {
        either(&self.opponents, a, b)
    }

    /// Whether one lists the other as a recent team mate.
    #[must_use]
    pub fn were_teammates(&self, a: usize, b: usize) -> bool {
        either(&self.teammates, a, b)
    }

    /// Whether one blocks the other.
    #[must_use]
    pub fn blocked(&self, a: usize, b: usize) -> bool {
        either(&self.blocks, a, b)
    }

    /// Whether one lists the other as a friend.
    #[must_use]
    pub fn friends(&self, a: usize, b: usize) -> bool {
        either(&self.friends, a, b)
    }

    /// All languages that somebody gives, sorted.
    #[must_use]
    pub fn languages(&self) -> &[String] {
        &self.languages.words
    }

    /// The languages of `player` as places in [`languages`](Self::languages); none means any.
    #[must_use]
    pub fn languages_of(&self, player: usize) -> &[usize] {
        &self.languages.of[player]
    }

    /// Whether `player` can fill the role: it lists it, or it lists none.
    #[must_use]
    pub fn can_fill(&self, player: usize, role: &str) -> bool {
        let roles = &self.roles.of[player];
        roles.is_empty() || roles.iter().any(|&place| self.roles.words[place] == role)
    }
}

fn either(lists: &[Vec<usize>], a: usize, b: usize) -> bool {
    lists[a].binary_search(&b).is_ok() || lists[b].binary_search(&a).is_ok()
}
