//! [`Rules`]: what an event does to standings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game::{RatesGames, StoredGame};
use super::log::{Event, Happened};
use super::{EventNumber, Standing};
use crate::periods::RatingPeriod;
use crate::season::SeasonChange;

/// A system, the clock, and what it needs of events besides.
#[derive(Clone, Debug)]
pub(super) struct Rules<S, R> {
    pub(super) system: S,
    /// None if every game is a period.
    pub(super) period: Option<RatingPeriod>,
    /// In order of time, those of a second in the order in which they came in.
    pub(super) seasons: Vec<Season>,
    /// The ratings that were set, by the events' numbers.
    pub(super) given: BTreeMap<EventNumber, R>,
}

/// The start of a season.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Season {
    pub(super) number: EventNumber,
    pub(super) time: i64,
    pub(super) change: SeasonChange,
}

/// Lists that every game needs again.
#[derive(Clone, Debug)]
pub(super) struct Work<R> {
    before: Vec<(R, f64)>,
    after: Vec<R>,
}

impl<R> Default for Work<R> {
    fn default() -> Self {
        Self {
            before: Vec::new(),
            after: Vec::new(),
        }
    }
}

/// Puts the players of an event into `slots`.
pub(super) fn slots_of<G: StoredGame>(event: &Event<G::Numbered>, slots: &mut Vec<u32>) {
    slots.clear();
    match &event.what {
        Happened::Game(game) => G::slots(game, slots),
        Happened::Rated(slot) | Happened::Reset(slot) => slots.push(*slot),
    }
}

impl<S, R> Rules<S, R> {
    pub(super) const fn new(system: S, period: Option<RatingPeriod>) -> Self {
        Self {
            system,
            period,
            seasons: Vec::new(),
            given: BTreeMap::new(),
        }
    }

    pub(super) fn start(&mut self, season: Season) {
        let later = self.seasons.partition_point(|one| one.time <= season.time);
        self.seasons.insert(later, season);
    }

    pub(super) fn season(&self, number: EventNumber) -> Option<&Season> {
        self.seasons.iter().find(|season| season.number == number)
    }

    pub(super) fn strike(&mut self, number: EventNumber) {
        self.seasons.retain(|season| season.number != number);
    }

    /// Where a player stands before the first event.
    pub(super) fn newcomer<N>(&self) -> Standing<R>
    where
        S: RatesGames<N, Rating = R>,
    {
        Standing::newcomer(self.system.newcomer())
    }

    /// A player's rating as an event at `time` finds it, and the periods since the last one. Events are in order of time.
    pub(super) fn just_before<N>(&self, standing: &Standing<R>, time: i64) -> (R, f64)
    where
        S: RatesGames<N, Rating = R>,
        R: Clone,
    {
        let mut rating = standing.rating.clone();
        if standing.is_known {
            let since = self.seasons.partition_point(|one| one.time <= standing.last_time);
            let new = self.seasons[since..].iter().take_while(|one| one.time <= time);
            for season in new {
                rating = self.system.in_season(&rating, &season.change);
            }
        }
        let elapsed = match self.period {
            Some(period) if standing.is_known => period.elapsed(standing.last_time, time).unwrap_or(0.0),
            None if standing.games > 0 => 1.0,
            _ => 0.0,
        };
        (rating, elapsed)
    }

    /// What an event of `slots` makes of `standings`.
    pub(super) fn happens<N>(
        &self,
        event: &Event<N>,
        slots: &[u32],
        standings: &mut [Standing<R>],
        work: &mut Work<R>,
    ) where
        S: RatesGames<N, Rating = R>,
        R: Clone,
    {
        work.after.clear();
        let games = match &event.what {
            Happened::Game(game) => {
                work.before.clear();
                let before = |&slot: &u32| self.just_before(&standings[slot as usize], event.time);
                work.before.extend(slots.iter().map(before));
                self.system.rate(game, &work.before, &mut work.after);
                1
            }
            Happened::Rated(_) => {
                work.after.extend(self.given.get(&event.number).cloned());
                0
            }
            Happened::Reset(_) => {
                work.after.push(self.system.newcomer());
                0
            }
        };
        for (&slot, rating) in slots.iter().zip(work.after.drain(..)) {
            let standing = &mut standings[slot as usize];
            *standing = Standing {
                rating,
                last_time: event.time,
                games: standing.games.saturating_add(games),
                is_known: true,
            };
        }
    }
}
