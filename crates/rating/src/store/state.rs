//! [`State`]: where all players stand, and where they stood.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Standing;

/// Standings by number, and how they were before the latest events, and before the first that can be changed.
///
/// The latest events are taken back one by one, from what they replaced. To keep that of all would take several times as much
/// memory as the events themselves: beyond the latest, the first standings are the start of a pass over all events.
#[derive(Clone, Debug)]
pub(super) struct State<R> {
    pub(super) now: Vec<Standing<R>>,
    replaced: VecDeque<Replaced<R>>,
    /// How many of the latest events can be taken back by what they replaced.
    events: usize,
    /// Of how many players of events that is kept.
    pub(super) seats: usize,
    /// How all stood before the first event that can be changed; those after the end were newcomers. None while every event
    /// can be taken back.
    first: Option<Vec<Standing<R>>>,
}

/// What an event put something else in place of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Replaced<R> {
    slot: u32,
    /// Whether it is the event's first.
    begins: bool,
    standing: Standing<R>,
}

/// As many as two players in 65,536 games.
const SEATS: usize = 1 << 17;

impl<R> Default for State<R> {
    fn default() -> Self {
        Self {
            now: Vec::new(),
            replaced: VecDeque::new(),
            events: 0,
            seats: SEATS,
            first: None,
        }
    }
}

impl<R: Clone> State<R> {
    /// What was saved: where all stand, and either how all stood at first, or what the `events` that can be changed replaced.
    pub(super) fn of(now: Vec<Standing<R>>, before: Before<R>, events: usize) -> Option<Self> {
        let mut state = Self {
            now,
            ..Self::default()
        };
        match before {
            Before::First(first) => state.first = Some(first),
            Before::Each(replaced) => {
                let begun = replaced.iter().filter(|one| one.begins).count();
                let begins = replaced.first().is_none_or(|one| one.begins);
                let is_known = |one: &Replaced<R>| (one.slot as usize) < state.now.len();
                if begun != events || !begins || !replaced.iter().all(is_known) {
                    return None;
                }
                state.replaced = replaced.into();
                state.events = events;
            }
        }
        let is_short = state
            .first
            .as_ref()
            .is_none_or(|first| first.len() <= state.now.len());
        is_short.then_some(state)
    }

    /// What is saved beside the standings. While nothing can no longer be changed, all were newcomers at first.
    pub(super) fn before(&self, can_change_all: bool) -> Before<R> {
        match &self.first {
            Some(first) => Before::First(first.clone()),
            None if can_change_all => Before::First(Vec::new()),
            None => Before::Each(self.replaced.iter().cloned().collect()),
        }
    }

    #[cfg(test)]
    pub(super) const fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// The players of what was replaced, in order.
    pub(super) fn replaced_slots(&self) -> impl Iterator<Item = u32> {
        self.replaced.iter().map(|one| one.slot)
    }

    /// Whether each of this many events can be taken back alone.
    pub(super) const fn can_take_back(&self, events: usize) -> bool {
        events <= self.events
    }

    /// Keeps how these players stand before the next event. `newcomer` is how any did before the first of all.
    pub(super) fn remember(&mut self, slots: &[u32]) {
        for (position, &slot) in slots.iter().enumerate() {
            self.replaced.push_back(Replaced {
                slot,
                begins: position == 0,
                standing: self.now[slot as usize].clone(),
            });
        }
        self.events += 1;
        while self.replaced.len() > self.seats && self.events > 1 {
            if self.first.is_none() {
                self.first = Some(self.at_first());
            }
            self.drop_oldest();
        }
    }

    /// How all stood before the oldest event that can be taken back alone.
    fn at_first(&self) -> Vec<Standing<R>> {
        let mut first = self.now.clone();
        for one in self.replaced.iter().rev() {
            first[one.slot as usize] = one.standing.clone();
        }
        first
    }

    fn drop_oldest(&mut self) {
        self.replaced.pop_front();
        while self.replaced.front().is_some_and(|one| !one.begins) {
            self.replaced.pop_front();
        }
        self.events -= 1;
    }

    /// Takes the latest event back.
    pub(super) fn take_back(&mut self) {
        while let Some(one) = self.replaced.pop_back() {
            self.now[one.slot as usize] = one.standing;
            if one.begins {
                self.events -= 1;
                break;
            }
        }
    }

    /// Goes back to before the first event that can be changed.
    pub(super) fn go_back(&mut self, newcomer: &Standing<R>) {
        if self.first.is_none() {
            self.first = Some(self.at_first());
        }
        self.replaced.clear();
        self.events = 0;
        let first = self.first.as_deref().unwrap_or_default();
        for (slot, now) in self.now.iter_mut().enumerate() {
            *now = first.get(slot).unwrap_or(newcomer).clone();
        }
    }

    /// The standings before the first event, if that is to be let go and changes them; it no longer can be changed, and `left`
    /// can.
    pub(super) fn let_go(
        &mut self,
        left: usize,
        newcomer: &Standing<R>,
        change: impl FnOnce(&mut [Standing<R>]),
    ) {
        if self.events > left {
            self.drop_oldest();
        }
        // Near the end of the way back it would be made again with the next event.
        if self.events == left && self.replaced.len() <= self.seats / 2 {
            self.first = None;
        } else if let Some(first) = &mut self.first {
            first.resize(self.now.len(), newcomer.clone());
            change(first);
        }
    }

    /// Makes room for players up to this number.
    pub(super) fn greet(&mut self, players: usize, newcomer: &Standing<R>) {
        if players > self.now.len() {
            self.now.resize(players, newcomer.clone());
        }
    }

    /// The number is a newcomer's.
    pub(super) fn release(&mut self, slot: u32, newcomer: &Standing<R>) {
        self.now[slot as usize] = newcomer.clone();
        if let Some(first) = self.first.as_mut().and_then(|first| first.get_mut(slot as usize)) {
            *first = newcomer.clone();
        }
    }
}

/// How players stood before the events that can be changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Before<R> {
    /// All of them, before the first event; those after the end were newcomers.
    First(Vec<Standing<R>>),
    /// Those of each event, before it.
    Each(Vec<Replaced<R>>),
}
