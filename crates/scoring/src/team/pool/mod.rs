//! [`Pool`]: the waiting players, each checked when it is inserted and then known by an index.

mod check;
mod names;

use std::collections::{BTreeSet, HashMap};
use std::ops::Index;

use self::check::{check_names, check_numbers, named_ids, named_regions};
use self::names::Names;
use super::error::PoolError;
use super::player::{Player, PlayerField};
use crate::outcome::ChurnByOutcome;

/// Players who wait, in and out one at a time.
///
/// A player is an index, from its [`insert`](Self::insert) to its [`remove`](Self::remove); others coming and going do
/// not change it. A free index is given to the next player, the lowest first, so a pool without removals has the
/// indices 0 to [`len`](Self::len) in the order of insertion. A question about an index that no player has is
/// answered as for a player of whom nothing is known; one beyond all that were ever given panics, as a slice does.
///
/// Whether a player is valid does not depend on the other players, except that ids must differ. What depends on
/// others is a question: [`check_field`](Self::check_field), [`check_regions`](Self::check_regions),
/// [`check_party_sizes`](Self::check_party_sizes). Lists may name players who do not wait; they count from the moment
/// when those come in.
///
/// What was not told reads as NaN where it is a number: a curve gives NaN its worst quality, so a player of whom too
/// little is known never makes a match look good.
///
/// ```
/// use matchwright_scoring::{Player, Pool, PoolError};
///
/// let mut pool = Pool::new(vec![Player::new("ann"), Player::new("bob")])?;
/// assert_eq!(pool.remove(0).map(|player| player.id), Some("ann".to_owned()));
/// let cat = Player { blocks: vec!["ann".to_owned()], ..Player::new("cat") };
/// assert_eq!((pool.insert(cat)?, pool.insert(Player::new("ann"))?), (0, 2));
/// assert!(pool.blocked(0, 2));
///
/// let dan = Player { skill: Some(f64::NAN), ..Player::new("dan") };
/// let error = pool.insert(dan).unwrap_err();
/// assert_eq!(error.to_string(), "player `dan`: `skill` is NaN; give a number from -1e12 to 1e12");
/// assert_eq!(pool.len(), 3);
/// # Ok::<(), PoolError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pool {
    /// By index; a free one has a player without an id.
    slots: Vec<Slot>,
    free: BTreeSet<usize>,
    by_id: HashMap<String, usize>,
    /// Of players.
    names: Names,
    party_names: Names,
    /// Members by party number, sorted; none for a free number.
    parties: Vec<Vec<usize>>,
    /// Sorted.
    regions: Vec<String>,
    /// Whether there are no other regions.
    regions_are_fixed: bool,
}

/// A player with what other players are compared by: numbers in place of names, lists sorted.
#[derive(Debug, Clone, Default)]
struct Slot {
    player: Player,
    /// The number of the player's id.
    name: usize,
    party: Option<usize>,
    /// By region, NaN where unknown.
    region_pings: Vec<f64>,
    ping_to: Vec<(usize, f64)>,
    opponents: Vec<usize>,
    teammates: Vec<usize>,
    blocks: Vec<usize>,
    friends: Vec<usize>,
    connects_to: Option<Vec<usize>>,
}

impl Pool {
    /// A pool of `players`, inserted in their order: the index of a player is its place. O(n log n) in what is listed.
    ///
    /// # Errors
    /// As [`insert`](Self::insert), for the first player that is refused.
    pub fn new(players: Vec<Player>) -> Result<Self, PoolError> {
        let mut pool = Self::default();
        for player in players {
            pool.insert(player)?;
        }
        Ok(pool)
    }

    /// An empty pool in which `regions` are all there are: players with a ping to another one, or a home in one, are
    /// refused. Other pools take the regions that their players name.
    #[must_use]
    pub fn with_regions(regions: &[&str]) -> Self {
        let regions: BTreeSet<&str> = regions.iter().copied().collect();
        Self {
            regions: regions.into_iter().map(str::to_owned).collect(),
            regions_are_fixed: true,
            ..Self::default()
        }
    }

    /// Takes a player in and returns its index: the lowest that is free.
    ///
    /// O(k log k + m + log n) for k listed names, m members of its party and n free indices; O(players) for a region
    /// that no player has named before.
    ///
    /// # Errors
    /// [`PoolError`] names the player and the field. A player that is refused changes nothing.
    pub fn insert(&mut self, player: Player) -> Result<usize, PoolError> {
        let index = self.free.first().copied().unwrap_or(self.slots.len());
        if player.id.trim().is_empty() {
            return Err(PoolError::EmptyId { position: index + 1 });
        }
        check_numbers(&player)?;
        check_names(&player)?;
        if let Some(&first) = self.by_id.get(&player.id) {
            return Err(PoolError::DuplicateId {
                id: player.id,
                first: first + 1,
            });
        }
        if self.regions_are_fixed {
            self.refuse_region(&player, |region| self.region(region).is_ok())?;
        }
        for (_, region) in named_regions(&player) {
            self.add_region(region);
        }
        self.by_id.insert(player.id.clone(), index);
        let party = player
            .party
            .as_deref()
            .map(|party| self.party_names.acquire(party));
        if let Some(party) = party {
            self.parties
                .resize_with(self.parties.len().max(party + 1), Vec::new);
            let members = &mut self.parties[party];
            members.insert(members.partition_point(|&member| member < index), index);
        }
        let names = &mut self.names;
        let to = |(id, ping): (&String, &f64)| (names.acquire(id), *ping);
        let mut ping_to: Vec<(usize, f64)> = player.ping_to.iter().map(to).collect();
        ping_to.sort_unstable_by_key(|entry| entry.0);
        let ping = |region: &String| player.pings.get(region).copied().unwrap_or(f64::NAN);
        let slot = Slot {
            name: names.acquire(&player.id),
            party,
            region_pings: self.regions.iter().map(ping).collect(),
            ping_to,
            opponents: names.acquire_all(&player.recent_opponents),
            teammates: names.acquire_all(&player.recent_teammates),
            blocks: names.acquire_all(&player.blocks),
            friends: names.acquire_all(&player.friends),
            connects_to: player.connects_to.as_ref().map(|ids| names.acquire_all(ids)),
            player,
        };
        if self.free.pop_first().is_some() {
            self.slots[index] = slot;
        } else {
            self.slots.push(slot);
        }
        Ok(index)
    }

    /// Takes a player out; `None` for an index without a player. What [`insert`](Self::insert) costs.
    pub fn remove(&mut self, index: usize) -> Option<Player> {
        if !self.contains(index) {
            return None;
        }
        let free = Slot {
            name: usize::MAX,
            region_pings: vec![f64::NAN; self.regions.len()],
            ..Slot::default()
        };
        let Slot { player, party, .. } = std::mem::replace(&mut self.slots[index], free);
        self.free.insert(index);
        self.by_id.remove(&player.id);
        self.names.release(&player.id);
        for (_, id) in named_ids(&player) {
            self.names.release(id);
        }
        if let Some((number, name)) = party.zip(player.party.as_ref()) {
            self.parties[number].retain(|&member| member != index);
            self.party_names.release(name);
        }
        Some(player)
    }

    /// Refuses a player whom no pool takes, whatever its other players; O(k) for k listed names.
    ///
    /// # Errors
    /// As [`insert`](Self::insert), but for ids that are there already and regions that are not.
    pub fn check_player(player: &Player) -> Result<(), PoolError> {
        if player.id.trim().is_empty() {
            return Err(PoolError::EmptyId { position: 1 });
        }
        check_numbers(player)?;
        check_names(player)
    }

    /// Sets how long a player has waited, in seconds; NaN and what is below 0 count as 0. Nothing for an index without a
    /// player.
    pub fn set_wait(&mut self, index: usize, seconds: f64) {
        if self.contains(index) {
            self.slots[index].player.wait_seconds = Some(seconds.max(0.0));
        }
    }

    /// The place of a region, or where it belongs.
    fn region(&self, name: &str) -> Result<usize, usize> {
        self.regions.binary_search_by(|known| known.as_str().cmp(name))
    }

    fn add_region(&mut self, name: &str) {
        if let Err(place) = self.region(name) {
            self.regions.insert(place, name.to_owned());
            for slot in &mut self.slots {
                slot.region_pings.insert(place, f64::NAN);
            }
        }
    }

    /// How many players wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether nobody waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a player has this index.
    #[must_use]
    pub fn contains(&self, index: usize) -> bool {
        self.slots
            .get(index)
            .is_some_and(|slot| !slot.player.id.is_empty())
    }

    /// The indices of the players, rising.
    pub fn indices(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.slots.len()).filter(|&index| self.contains(index))
    }

    /// The players, by rising index.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.indices().map(|index| &self[index])
    }

    /// The index of the player of that id.
    #[must_use]
    pub fn index_of(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The party of `player`, or `None` if it queued alone.
    #[must_use]
    pub fn party_of(&self, player: usize) -> Option<usize> {
        self.slots[player].party
    }

    /// The members of each party, by rising index; one of one member is possible. The list of a party is
    /// empty when all its members have left, until a new party gets its number.
    #[must_use]
    pub fn parties(&self) -> &[Vec<usize>] {
        &self.parties
    }

    /// Whether both queued together.
    #[must_use]
    pub fn same_party(&self, a: usize, b: usize) -> bool {
        self.party_of(a).is_some() && self.party_of(a) == self.party_of(b)
    }

    /// How many queued together with `player`, itself included.
    #[must_use]
    pub fn party_size(&self, player: usize) -> usize {
        self.party_of(player).map_or(1, |party| self.parties[party].len())
    }

    /// Refuses a party that does not fit into a team.
    ///
    /// # Errors
    /// [`PoolError::PartyTooLarge`] names a member.
    pub fn check_party_sizes(&self, team_size: usize) -> Result<(), PoolError> {
        let large = self.parties.iter().find(|party| party.len() > team_size);
        large.map_or(Ok(()), |members| {
            let first = &self[members[0]];
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
        let lacking = self.players().find(|player| !field.is_given(player));
        lacking.map_or(Ok(()), |player| {
            Err(PoolError::Missing {
                player: player.id.clone(),
                field: field.name(),
                needed_by,
            })
        })
    }

    /// Refuses a home that no player has a ping to, unless no player gives pings to regions at all: it is probably
    /// mistyped.
    ///
    /// # Errors
    /// [`PoolError::UnknownRegion`] names the first one.
    pub fn check_regions(&self) -> Result<(), PoolError> {
        let pinged: BTreeSet<&String> = self.players().flat_map(|player| player.pings.keys()).collect();
        if pinged.is_empty() {
            return Ok(());
        }
        let mut players = self.players();
        players.try_for_each(|player| self.refuse_region(player, |region| pinged.contains(region)))
    }

    fn refuse_region(&self, player: &Player, is_known: impl Fn(&String) -> bool) -> Result<(), PoolError> {
        let Some((field, region)) = named_regions(player).find(|(_, region)| !is_known(region)) else {
            return Ok(());
        };
        let mut known = self
            .regions
            .iter()
            .filter(|region| is_known(region))
            .map(String::as_str);
        let mut shown: Vec<&str> = known.by_ref().take(12).collect();
        shown.extend(known.next().map(|_| "..."));
        Err(PoolError::UnknownRegion {
            player: player.id.clone(),
            field,
            region: region.clone(),
            known: shown.join(", "),
        })
    }

    /// The skill, or NaN.
    #[must_use]
    pub fn skill(&self, player: usize) -> f64 {
        self[player].skill.unwrap_or(f64::NAN)
    }

    /// The standard deviation of the skill; 0 if not given.
    #[must_use]
    pub fn uncertainty(&self, player: usize) -> f64 {
        self[player].uncertainty.unwrap_or(0.0)
    }

    /// Games played, or NaN.
    #[must_use]
    pub fn experience(&self, player: usize) -> f64 {
        self[player].experience.map_or(f64::NAN, |games| games as f64)
    }

    /// Seconds waited; 0 if not given.
    #[must_use]
    pub fn wait_seconds(&self, player: usize) -> f64 {
        self[player].wait_seconds.unwrap_or(0.0)
    }

    /// Strength in attack, or NaN.
    #[must_use]
    pub fn offence(&self, player: usize) -> f64 {
        self[player].offence.unwrap_or(f64::NAN)
    }

    /// Strength in defence, or NaN.
    #[must_use]
    pub fn defence(&self, player: usize) -> f64 {
        self[player].defence.unwrap_or(f64::NAN)
    }

    /// Points on the leader board, or NaN.
    #[must_use]
    pub fn glory(&self, player: usize) -> f64 {
        self[player].glory.unwrap_or(f64::NAN)
    }

    /// Churn after each outcome, if given.
    #[must_use]
    pub fn churn(&self, player: usize) -> Option<ChurnByOutcome> {
        self[player].churn
    }

    /// Whether the player is kept apart from the others.
    #[must_use]
    pub fn is_griefer(&self, player: usize) -> bool {
        self[player].griefer
    }

    /// All regions that a player has named, sorted by name; those of [`with_regions`](Self::with_regions), if given.
    #[must_use]
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// The round trip of `player` to each of [`regions`](Self::regions) in milliseconds, NaN where not given.
    #[must_use]
    pub fn region_pings(&self, player: usize) -> &[f64] {
        &self.slots[player].region_pings
    }

    /// The round trip between two players in milliseconds; NaN if unknown. Symmetric.
    ///
    /// What the players were told of each other comes first (the mean, if both know). Otherwise their packets meet in
    /// a region: the least over the regions of the sum of both pings. O(regions).
    #[must_use]
    pub fn ping(&self, a: usize, b: usize) -> f64 {
        let known = |from: usize, to: usize| {
            let list = &self.slots[from].ping_to;
            let place = list
                .binary_search_by_key(&self.slots[to].name, |entry| entry.0)
                .ok()?;
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
        self[player].can_host.unwrap_or(true)
    }

    /// Whether the machines of both can connect: nobody who lists connections leaves the other out. Symmetric.
    #[must_use]
    pub fn connected(&self, a: usize, b: usize) -> bool {
        let allows = |from: &Slot, to: &Slot| {
            let listed = from.connects_to.as_ref();
            listed.is_none_or(|list| list.binary_search(&to.name).is_ok())
        };
        let (a, b) = (&self.slots[a], &self.slots[b]);
        allows(a, b) && allows(b, a)
    }

    /// Whether one lists the other as a recent opponent.
    #[must_use]
    pub fn were_opponents(&self, a: usize, b: usize) -> bool {
        self.either(a, b, |slot| &slot.opponents)
    }

    /// Whether one lists the other as a recent team mate.
    #[must_use]
    pub fn were_teammates(&self, a: usize, b: usize) -> bool {
        self.either(a, b, |slot| &slot.teammates)
    }

    /// Whether one blocks the other.
    #[must_use]
    pub fn blocked(&self, a: usize, b: usize) -> bool {
        self.either(a, b, |slot| &slot.blocks)
    }

    /// Whether one lists the other as a friend.
    #[must_use]
    pub fn friends(&self, a: usize, b: usize) -> bool {
        self.either(a, b, |slot| &slot.friends)
    }

    /// Whether `player` is happy with the language: it lists it, or it lists none.
    #[must_use]
    pub fn speaks(&self, player: usize, language: &str) -> bool {
        lists_or_any(&self[player].languages, language)
    }

    /// Whether `player` can fill the role: it lists it, or it lists none.
    #[must_use]
    pub fn can_fill(&self, player: usize, role: &str) -> bool {
        lists_or_any(&self[player].roles, role)
    }

    /// Whether a list of one of them names the other.
    fn either(&self, a: usize, b: usize, list: impl Fn(&Slot) -> &Vec<usize>) -> bool {
        let (a, b) = (&self.slots[a], &self.slots[b]);
        list(a).binary_search(&b.name).is_ok() || list(b).binary_search(&a.name).is_ok()
    }
}

/// The player of an index; one without an id if nobody has it.
impl Index<usize> for Pool {
    type Output = Player;

    fn index(&self, index: usize) -> &Player {
        &self.slots[index].player
    }
}

fn lists_or_any(list: &[String], name: &str) -> bool {
    list.is_empty() || list.iter().any(|listed| listed == name)
}
