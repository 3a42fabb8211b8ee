//! From names to indices.

use std::collections::{BTreeSet, HashMap};

use crate::team::error::PoolError;
use crate::team::player::Player;

/// Words as numbers: for each player a sorted list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Interned {
    pub(super) words: Vec<String>,
    pub(super) of: Vec<Vec<usize>>,
}

impl Interned {
    pub(super) fn new(players: &[Player], list: impl Fn(&Player) -> &[String]) -> Self {
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

pub(super) fn index(players: &[Player]) -> Result<HashMap<String, usize>, PoolError> {
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
pub(super) fn present(names: &[String], index: &HashMap<String, usize>, absent: &mut usize) -> Vec<usize> {
    let mut found: Vec<usize> = names.iter().filter_map(|name| index.get(name).copied()).collect();
    *absent += names.len() - found.len();
    found.sort_unstable();
    found.dedup();
    found
}

pub(super) fn parties(players: &[Player]) -> (Vec<Option<usize>>, Vec<Vec<usize>>) {
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

pub(super) fn region_pings(players: &[Player], regions: &[String]) -> Vec<f64> {
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
