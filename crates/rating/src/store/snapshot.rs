//! [`Snapshot`]: all that a store knows but the system, to be saved and loaded.

use std::collections::{HashSet, VecDeque};

use super::error::StoreError;
use super::game::StoredGame;
use crate::periods::RatingPeriod;

/// The number of a game in a store, counted from 0 in the order in which the games came in.
pub type GameNumber = u64;

/// Where a player stands after the last game.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Standing<R> {
    /// The rating just after that game.
    pub rating: R,
    /// When it was, Unix seconds.
    pub last_time: i64,
    /// How many games there were.
    pub games: u32,
}

/// A game in a store.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Entry<N> {
    pub(super) number: GameNumber,
    pub(super) time: i64,
    pub(super) game: N,
}

/// All that a [`RatingStore`](super::RatingStore) knows but the system: with feature `serde` in any format that keeps
/// every bit of an `f64` and tells null from an id. What is loaded is checked by
/// [`RatingStore::resume`](super::RatingStore::resume).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        deny_unknown_fields,
        bound(
            serialize = "G::Player: serde::Serialize, G::Numbered: serde::Serialize, R: serde::Serialize",
            deserialize = "G::Player: serde::Deserialize<'de>, G::Numbered: serde::Deserialize<'de>, R: serde::Deserialize<'de>"
        )
    )
)]
pub struct Snapshot<G: StoredGame, R> {
    /// None if every game is a period.
    pub(super) period: Option<RatingPeriod>,
    /// By slot, as are `standings`; none for a forgotten player.
    pub(super) players: Vec<Option<G::Player>>,
    pub(super) standings: Vec<Standing<R>>,
    /// In order of time, oldest first.
    pub(super) games: VecDeque<Entry<G::Numbered>>,
    /// The standings before each of these games, of its players in its order.
    pub(super) before: VecDeque<Standing<R>>,
    /// The next game's number.
    pub(super) next: GameNumber,
    /// How many games can be changed; none for all.
    pub(super) kept: Option<usize>,
    /// The time of the last game that is no longer among them.
    pub(super) forgotten_until: Option<i64>,
}

impl<G: StoredGame, R> Snapshot<G, R> {
    /// Refuses what no store would have written. Linear.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let holds = |claim: bool, message| claim.then_some(()).ok_or(StoreError::Snapshot(message));
        holds(
            self.players.len() == self.standings.len(),
            "as many players as standings",
        )?;
        holds(
            u32::try_from(self.players.len()).is_ok(),
            "no more players than can be numbered",
        )?;
        let mut ids = HashSet::with_capacity(self.players.len());
        let is_once = self.players.iter().flatten().all(|id| ids.insert(id));
        holds(is_once, "every player once")?;
        let is_kept = self.kept.is_none_or(|kept| self.games.len() <= kept);
        holds(is_kept, "no more games than are kept")?;
        let times = self.games.iter().map(|entry| entry.time);
        let times = self.forgotten_until.into_iter().chain(times);
        holds(times.is_sorted(), "games in order of time")?;
        let numbers: HashSet<_> = self.games.iter().map(|entry| entry.number).collect();
        let is_numbered = numbers.len() == self.games.len() && numbers.iter().all(|&one| one < self.next);
        holds(is_numbered, "every game's number once")?;
        let (mut slots, mut seats) = (Vec::new(), 0);
        for entry in &self.games {
            slots.clear();
            G::slots(&entry.game, &mut slots);
            seats += slots.len();
            slots.sort_unstable();
            let is_once = slots.windows(2).all(|pair| pair[0] != pair[1]);
            let is_known = slots
                .last()
                .is_none_or(|&slot| (slot as usize) < self.players.len());
            holds(is_once && is_known, "known players in every game, each once")?;
        }
        holds(seats == self.before.len(), "a standing before every seat")
    }
}
