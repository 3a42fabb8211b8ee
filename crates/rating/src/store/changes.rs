//! How a [`RatingStore`] changes: events go in and out, those after them are taken back and rated again, and the oldest are let
//! go.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::error::StoreError;
use super::game::{RatesGames, StoredGame};
use super::log::{Event, Happened, Log};
use super::saved::Unsaved;
use super::{EventNumber, RatingOf, RatingStore, rules};

impl<S, G> RatingStore<S, G>
where
    S: RatesGames<G::Numbered>,
    G: StoredGame,
{
    /// The game with numbers for ids; newcomers get theirs unless the game is refused.
    pub(super) fn numbered(&mut self, game: &G) -> Result<G::Numbered, StoreError> {
        let players = game.players();
        match repeated_seat(&players) {
            Some(seat) => Err(StoreError::SamePlayer { seat }),
            None => self.slots_of_all(players.len(), |slot_of| game.numbered(slot_of)),
        }
    }

    /// Gives numbers to players, `newcomers` at most.
    pub(super) fn slots_of_all<T>(
        &mut self,
        newcomers: usize,
        number: impl FnOnce(&mut dyn FnMut(&G::Player) -> u32) -> T,
    ) -> Result<T, StoreError> {
        if !self.roster.has_room_for(newcomers) {
            return Err(StoreError::TooManyPlayers);
        }
        let (roster, unsaved) = (&mut self.roster, &mut self.unsaved);
        let numbered = number(&mut |id| {
            let known = roster.ids().len();
            let (slot, is_new) = roster.slot_of(id);
            if is_new && (slot as usize) < known {
                // The number of a forgotten player, who may be in what is saved.
                *unsaved = Unsaved::All;
            } else if is_new {
                unsaved.newcomer(slot);
            }
            slot
        });
        self.state.greet(self.roster.ids().len(), &self.rules.newcomer());
        Ok(numbered)
    }

    /// The game with ids again, if all of them are known.
    pub(super) fn named(&mut self, game: &G::Numbered) -> Option<G> {
        self.slots.clear();
        G::slots(game, &mut self.slots);
        let names = self.slots.iter().map(|&slot| Some((slot, self.roster.id(slot)?)));
        let names = names.collect::<Option<HashMap<_, _>>>()?;
        Some(G::named(game, |slot| names[&slot].clone()))
    }

    pub(super) fn take_number(&mut self) -> EventNumber {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn put_rating(
        &mut self,
        time: i64,
        slot: u32,
        rating: RatingOf<S, G>,
    ) -> Result<EventNumber, StoreError> {
        self.rules.given.insert(self.next, rating);
        self.put(time, Happened::Rated(slot))
    }

    /// Puts an event in after those up to its time. The player numbers in it are known.
    pub(super) fn put(&mut self, time: i64, what: Happened<G::Numbered>) -> Result<EventNumber, StoreError> {
        let event = Event {
            number: self.take_number(),
            time,
            what,
        };
        let later = match time.checked_add(1) {
            Some(next) => self.take_back_since(next)?,
            None => Log::default(),
        };
        let rated = self.rate(&event);
        if rated.is_ok() {
            let given = self.rules.given.get(&event.number);
            self.unsaved.event(later.len() == 0, &event, given);
        }
        self.rate_all(later.iter())?;
        if rated.is_err() {
            self.rules.given.remove(&event.number);
            self.drop_unknown(&event);
        }
        rated.map(|()| event.number)
    }

    /// Takes the events from `time` on back, and gives them.
    pub(super) fn take_back_since(&mut self, time: i64) -> Result<Log<G::Numbered>, StoreError> {
        match self.log.last_time() {
            Some(last) if time <= last => self.take_back(self.log.before(time)),
            _ => Ok(Log::default()),
        }
    }

    /// Takes the events from `position` on back, and gives them.
    pub(super) fn take_back(&mut self, position: usize) -> Result<Log<G::Numbered>, StoreError> {
        let later = self.log.split_off(position);
        if self.state.can_take_back(later.len()) {
            for _ in 0..later.len() {
                self.state.take_back();
            }
        } else {
            self.state.go_back(&self.rules.newcomer());
            let earlier = std::mem::take(&mut self.log);
            for event in earlier.iter() {
                self.rate(&event)?;
            }
        }
        Ok(later)
    }

    pub(super) fn rate_all(
        &mut self,
        mut events: impl Iterator<Item = Event<G::Numbered>>,
    ) -> Result<(), StoreError> {
        let rated = events.try_for_each(|event| self.rate(&event));
        self.let_go();
        rated
    }

    /// Rates the latest event.
    fn rate(&mut self, event: &Event<G::Numbered>) -> Result<(), StoreError> {
        let pushed = self.log.push(event);
        pushed.map_err(|error| StoreError::Unwritable(error.to_string()))?;
        rules::slots_of::<G>(event, &mut self.slots);
        self.state.remember(&self.slots);
        self.rules
            .happens(event, &self.slots, &mut self.state.now, &mut self.work);
        Ok(())
    }

    /// Lets go of the oldest events beyond those that are kept.
    pub(super) fn let_go(&mut self) {
        while let (Some(oldest), Some(latest)) = (self.log.first_time(), self.log.last_time()) {
            if !self.keep.lets_go(self.log.len(), oldest, latest) {
                break;
            }
            let Some(event) = self.log.pop_front() else { break };
            rules::slots_of::<G>(&event, &mut self.slots);
            let (rules, slots, work) = (&self.rules, &self.slots, &mut self.work);
            let newcomer = rules.newcomer();
            self.state.let_go(self.log.len(), &newcomer, |first| {
                rules.happens(&event, slots, first, work);
            });
            self.forgotten_until = Some(event.time);
            self.rules.given.remove(&event.number);
            self.left(&event);
        }
    }

    /// Takes the players of an event that is gone out who have no other.
    pub(super) fn drop_unknown(&mut self, event: &Event<G::Numbered>) {
        rules::slots_of::<G>(event, &mut self.slots);
        for &slot in &self.slots {
            if !self.state.now[slot as usize].is_known {
                self.unsaved = Unsaved::All;
                self.roster.drop(slot);
            }
        }
    }

    /// An event is no longer among those that can be changed.
    pub(super) fn left(&mut self, event: &Event<G::Numbered>) {
        rules::slots_of::<G>(event, &mut self.slots);
        for &slot in &self.slots {
            if self.roster.left(slot) {
                // No event can bring the forgotten player's standing back.
                self.state.release(slot, &self.rules.newcomer());
            }
        }
    }
}

/// The first seat of a player who has an earlier one too.
fn repeated_seat<Id: Eq + Hash>(players: &[&Id]) -> Option<usize> {
    if let [first, second] = players {
        return (first == second).then_some(1);
    }
    let mut seen = HashSet::with_capacity(players.len());
    players.iter().position(|id| !seen.insert(*id))
}

#[cfg(test)]
mod tests {
    use super::super::{Duel, Keep};
    use super::*;
    use crate::{EloParams, RatingPeriod, Score};

    #[test]
    fn newcomers_take_the_places_of_the_forgotten() {
        for (seconds, way_back) in [(0, 1 << 17), (1, 1 << 17), (1, 4)] {
            let system = EloParams::default().build().unwrap();
            let mut store = RatingStore::by_time(system, RatingPeriod::days(1.0).unwrap());
            store.keep_way_back(way_back);
            store.keep(Keep::Latest(10));
            for player in 0..10_000_u32 {
                let duel = Duel::new(player, player + 1, Score::WIN);
                store.add(seconds * i64::from(player), duel).unwrap();
                assert!(store.forget(&player));
            }
            // The ten games' eleven, and one who came while these still had eleven.
            assert_eq!((store.roster.ids().len(), store.state.now.len()), (12, 12));
            // When nothing can bring their ratings back, these are gone too.
            store.keep(Keep::Latest(0));
            assert!(store.forget(&10_000));
            assert!(store.state.now.iter().all(|standing| !standing.is_known));
        }
    }

    #[test]
    fn where_games_are_let_go_as_the_way_back_ends_the_first_standings_are_made_once() {
        let system = EloParams::default().build().unwrap();
        for (kept, way_back) in [(1, 0), (10, 20), (10, 21), (10, 40)] {
            let mut store = RatingStore::by_game(system);
            store.keep_way_back(way_back);
            store.keep(Keep::Latest(kept));
            let mut straight = RatingStore::by_game(system);
            for game in 0..100_u32 {
                let duel = Duel::new(game % 7, 7 + game % 5, Score::WIN);
                store.add(i64::from(game), duel).unwrap();
                straight.add(i64::from(game), duel).unwrap();
            }
            // Gone with each game, they would be made again with the next.
            let is_narrow = way_back < 2 * kept + 2;
            assert_eq!(store.state.has_first(), is_narrow, "{kept} {way_back}");
            let number = store.next - 1;
            store.retract(number).unwrap();
            straight.retract(number).unwrap();
            assert!((0..12).all(|player| store.standing(&player) == straight.standing(&player)));
        }
    }

    #[test]
    fn beyond_the_way_back_a_change_costs_a_pass_and_else_the_games_since() {
        let system = EloParams::default().build().unwrap();
        let mut store = RatingStore::by_game(system);
        store.keep_way_back(20);
        for game in 0..100_u32 {
            store
                .add(i64::from(game), Duel::new(game % 7, 7 + game % 5, Score::WIN))
                .unwrap();
        }
        assert!(store.state.can_take_back(10) && !store.state.can_take_back(11));
    }
}
