//! All players who wait, checked once; from then on a player is an index.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// Words as numbers: for each player a sorted list.
#[derive(Debug, Clone, PartialEq)]
struct Interned {
    words: Vec<String>,
    of: Vec<Vec<usize>>,
}

impl Interned {
    fn new(players: &[Player], list: impl Fn(&Player) -> &[String]) -> Self {
        let words: BTreeSet<&String> = players.iter().flat_map(&list).collect();
        let words: Vec<String> = words.into_iter().cloned().collect();
        let of = players.iter().map(|player| {
            let found = list(player)
                .iter()
                .filter_map(|word| words.binary_search(word).ok());
            found.collect::<BTreeSet<usize>>().into_iter().collect()
        });
        Self {
            of: of.collect(),
            words: words.clone(),
        }
    }
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

fn index(players: &[Player]) -> Result<HashMap<String, usize>, PoolError> {
    let mut index = HashMap::with_capacity(players.len());
    for (place, player) in players.iter().enumerate() {
        if player.id.trim().is_empty() {
            return Err(PoolError::EmptyId { position: place + 1 });
        }
        if let Some(first) = index.insert(player.id.clone(), place) {
            return Err(PoolError::DuplicateId {
                id: player.id.clone(),
                first: first + 1,
                second: place + 1,
            });
        }
    }
    Ok(index)
}

/// The present ones of `names`, sorted, each once; counts the others.
fn present(names: &[String], index: &HashMap<String, usize>, absent: &mut usize) -> Vec<usize> {
    let mut found: Vec<usize> = names.iter().filter_map(|name| index.get(name).copied()).collect();
    *absent += names.len() - found.len();
    found.sort_unstable();
    found.dedup();
    found
}

fn parties(players: &[Player]) -> (Vec<Option<usize>>, Vec<Vec<usize>>) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut parties: Vec<Vec<usize>> = Vec::new();
    let mut party = Vec::with_capacity(players.len());
    for (place, player) in players.iter().enumerate() {
        party.push(player.party.as_deref().map(|name| {
            let number = *numbers.entry(name).or_insert_with(|| {
                parties.push(Vec::new());
                parties.len() - 1
            });
            parties[number].push(place);
            number
        }));
    }
    (party, parties)
}

fn region_pings(players: &[Player], regions: &[String]) -> Vec<f64> {
    let mut pings = Vec::with_capacity(players.len() * regions.len());
    for player in players {
        pings.extend(
            regions
                .iter()
                .map(|region| player.pings.get(region).copied().unwrap_or(f64::NAN)),
        );
    }
    pings
}

fn check_numbers(player: &Player) -> Result<(), PoolError> {
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

fn check_names(player: &Player) -> Result<(), PoolError> {
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

fn check_regions(player: &Player, regions: &[String]) -> Result<(), PoolError> {
    let home = player.region.iter().map(|region| ("region", region));
    for (field, region) in home.chain(player.pings.keys().map(|region| ("pings", region))) {
        if regions.binary_search(region).is_err() {
            let known: BTreeMap<usize, &str> =
                regions.iter().map(String::as_str).enumerate().take(12).collect();
            return Err(PoolError::UnknownRegion {
                player: player.id.clone(),
                field,
                region: region.clone(),
                known: known.into_values().collect::<Vec<_>>().join(", "),
            });
        }
    }
    Ok(())
}
