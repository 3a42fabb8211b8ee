//! [`Roster`]: who has which number in a store.

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// Ids by number and numbers by id. A forgotten player's number goes to a newcomer when no event that can be changed has it.
#[derive(Clone, Debug)]
pub(super) struct Roster<Id> {
    /// By number; none for a forgotten player.
    ids: Vec<Option<Id>>,
    slots: HashMap<Id, u32>,
    /// Forgotten players in events that can be changed, with the number of these events.
    nameless: HashMap<u32, u32>,
    /// Numbers of forgotten players in no such event, for newcomers. The least goes first: a loaded store does the same.
    free: BTreeSet<u32>,
}

impl<Id> Default for Roster<Id> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            slots: HashMap::new(),
            nameless: HashMap::new(),
            free: BTreeSet::new(),
        }
    }
}

impl<Id: Clone + Eq + Hash> Roster<Id> {
    /// The players that were saved, and the players of all events that can be changed, event by event. None if an id is
    /// there twice.
    pub(super) fn of(ids: Vec<Option<Id>>, in_events: impl Iterator<Item = u32>) -> Option<Self> {
        let mut roster = Self {
            slots: HashMap::with_capacity(ids.len()),
            ..Self::default()
        };
        for (slot, id) in (0..).zip(&ids) {
            match id {
                Some(id) if roster.slots.insert(id.clone(), slot).is_some() => return None,
                Some(_) => {}
                None => drop(roster.nameless.insert(slot, 0)),
            }
        }
        roster.ids = ids;
        for slot in in_events {
            if let Some(events) = roster.nameless.get_mut(&slot) {
                *events += 1;
            }
        }
        let unused = roster.nameless.extract_if(|_, events| *events == 0);
        roster.free = unused.map(|(slot, _)| slot).collect();
        Some(roster)
    }

    /// By number.
    pub(super) fn ids(&self) -> &[Option<Id>] {
        &self.ids
    }

    pub(super) fn slot<Q>(&self, id: &Q) -> Option<u32>
    where
        Id: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.slots.get(id).copied()
    }

    pub(super) fn id(&self, slot: u32) -> Option<&Id> {
        self.ids.get(slot as usize)?.as_ref()
    }

    /// Whether there are numbers for this many newcomers more.
    pub(super) fn has_room_for(&self, newcomers: usize) -> bool {
        u32::try_from(self.ids.len().saturating_add(newcomers)).is_ok()
    }

    /// The number of a player, and whether the player is new. There must be [room](Self::has_room_for).
    #[allow(clippy::cast_possible_truncation, reason = "there is room")]
    pub(super) fn slot_of(&mut self, id: &Id) -> (u32, bool) {
        if let Some(&slot) = self.slots.get(id) {
            return (slot, false);
        }
        let slot = self.free.pop_first().unwrap_or(self.ids.len() as u32);
        self.put(slot, id.clone());
        (slot, true)
    }

    fn put(&mut self, slot: u32, id: Id) {
        if slot as usize == self.ids.len() {
            self.ids.push(None);
        }
        self.ids[slot as usize] = Some(id.clone());
        self.slots.insert(id, slot);
    }

    /// Puts a newcomer back who came after the rest was saved; false if the number or the id is another's.
    pub(super) fn welcome(&mut self, slot: u32, id: Id) -> bool {
        let is_free = self.free.remove(&slot) || slot as usize == self.ids.len();
        let is_new = is_free && !self.slots.contains_key(&id);
        if is_new {
            self.put(slot, id);
        }
        is_new
    }

    /// Takes the id out. `events` tells how many events the number is in.
    pub(super) fn forget<Q>(&mut self, id: &Q, events: impl FnOnce(u32) -> u32) -> Option<Forgotten>
    where
        Id: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let slot = self.slots.remove(id)?;
        self.ids[slot as usize] = None;
        match events(slot) {
            0 => {
                self.free.insert(slot);
                Some(Forgotten::Released(slot))
            }
            events => {
                self.nameless.insert(slot, events);
                Some(Forgotten::InEvents)
            }
        }
    }

    /// Takes a player out whom no event has.
    pub(super) fn drop(&mut self, slot: u32) {
        if let Some(id) = self.ids[slot as usize].take() {
            self.slots.remove(&id);
            self.free.insert(slot);
        }
    }

    /// An event of this number is no longer among those that can be changed; true if the number is free now.
    pub(super) fn left(&mut self, slot: u32) -> bool {
        let Some(events) = self.nameless.get_mut(&slot) else {
            return false;
        };
        *events -= 1;
        let is_free = *events == 0;
        if is_free {
            self.nameless.remove(&slot);
            self.free.insert(slot);
        }
        is_free
    }
}

/// What becomes of a forgotten player's number.
pub(super) enum Forgotten {
    /// Nothing has it any more.
    Released(u32),
    /// Events have it that can be changed.
    InEvents,
}
