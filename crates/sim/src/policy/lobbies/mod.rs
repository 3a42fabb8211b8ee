//! [`ContinuousLobbies`]: matches of teams as soon as they are good enough.

mod around;
mod places;
mod priced;
#[cfg(feature = "journal")]
mod saved;
mod search;
mod settings;
mod why;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use matchwright_queue::{
    Accept, Budget, Lobby, Match, MatchPolicy, Pool, Proposed, Ticket, TicketId, Time, WaitState, Waiting,
    Why,
};
use serde::{Deserialize, Serialize};

use self::places::{Kind, Places};
use self::priced::{Pays, Priced, first_time};
use self::search::Found;
pub(super) use self::settings::Settings;
use super::neighbours::Neighbours;
use super::players::{Players, admits};

/// Matches of teams of whole parties, as soon as one is good enough for those who are in it.
///
/// For each ticket that comes the best match with it is looked for among its neighbours. It starts when its quality
/// reaches what the tickets want by then, which falls while they wait: every one of them, any of them, or their mean; or
/// when the prices and waits of its players cover what its quality lacks ([`Prices`](matchwright_queue::Prices)). Until then the time at which it
/// would start is kept; at that time the search is repeated, as others may have come. A ticket whose longest wait is over
/// gets the best match that the scoring permits, the oldest ticket first.
///
/// Where the scoring requires roles ([`TeamScorer::required_roles`](matchwright_scoring::TeamScorer::required_roles)), the nearest parties of each kind (the roles that its
/// members can fill) are looked at besides the neighbours, rare kinds first, until they are the players of 32 matches; and the
/// search begins from a match that fills the roles, with parties whole, which is found where there is one among these. For a
/// ticket whose longest wait is over, where exchanges from there find no permitted match, matches that fill the roles are tried
/// one after the other, as many as exchanges: other rules (blocks, floors, a threshold of the scoring) may have left few.
///
/// Where the queue makes smaller matches as well, the search is repeated for each size, and the best quality less what missing
/// players cost decides ([`SmallerParams`](matchwright_queue::SmallerParams)); a running match is filled up to its full size.
///
/// One search an event and size, of a stated number of exchanges and 32 steps for each towards a match that fills the roles: its time
/// does not depend on how many wait.
///
/// "Dota 2: Matchmaking", 2013: a match is formed when its quality exceeds a threshold. Heroes of the Storm, as told in
/// "The Awesomenauts matchmaking algorithm", 2018: the threshold falls, and who has waited too long comes first.
#[derive(Clone)]
pub struct ContinuousLobbies {
    queue: Arc<str>,
    settings: Settings,
    priced: Option<Priced>,
    players: Players,
    neighbours: Neighbours,
    /// Running matches with free places.
    running: Neighbours,
    /// What the teams require.
    places: Places,
    /// The neighbours by what they can fill, if anything is required.
    kinds: BTreeMap<Kind, Neighbours>,
    /// Tickets for which a match is to be looked for, in the order in which they came.
    fresh: BTreeSet<(u64, TicketId)>,
    entered: BTreeMap<TicketId, u64>,
    count: u64,
    /// When the best match of a ticket would start.
    timetable: BTreeSet<(Time, TicketId)>,
    times: BTreeMap<TicketId, Time>,
    /// All, in the order in which they came: the first are those whose longest wait is over.
    waiting: BTreeSet<(Time, TicketId)>,
    passes: Passes,
    /// What failed and was not told yet.
    failures: Vec<String>,
}

/// How far the tickets whose longest wait is over were looked at, the oldest first.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Passes {
    /// Whether someone came since the last pass began.
    has_news: bool,
    /// When it went on last: those whose longest wait ended later are not in it.
    last: Option<Time>,
    /// After whom it goes on, if it was cut.
    after: Option<(Time, TicketId)>,
}

/// What a call of [`MatchPolicy::propose`] did.
#[derive(Default, Serialize, Deserialize)]
struct Note {
    /// Tickets that were looked at, and when the best match of each would start.
    looked: Vec<(TicketId, Option<Time>)>,
    /// How far the pass over the overdue came, if there was one.
    pass: Option<Pass>,
}

/// A pass over the overdue.
#[derive(Serialize, Deserialize)]
enum Pass {
    /// It goes on after this one.
    After(Time, TicketId),
    Ended,
}

impl std::fmt::Debug for ContinuousLobbies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContinuousLobbies")
            .field("queue", &self.queue)
            .field("waiting", &self.entered.len())
            .finish_non_exhaustive()
    }
}

impl ContinuousLobbies {
    pub(super) fn new(queue: &str, settings: Settings) -> Self {
        Self {
            queue: queue.into(),
            priced: settings.prices.clone().map(Priced::new),
            places: Places::of(&*settings.scoring),
            kinds: BTreeMap::new(),
            settings,
            players: Players::default(),
            neighbours: Neighbours::default(),
            running: Neighbours::default(),
            fresh: BTreeSet::new(),
            entered: BTreeMap::new(),
            count: 0,
            timetable: BTreeSet::new(),
            times: BTreeMap::new(),
            waiting: BTreeSet::new(),
            passes: Passes::default(),
            failures: Vec::new(),
        }
    }

    /// When a match is good enough for those in it; `None`: never.
    fn starts_at(&self, pool: &Pool, found: &Found) -> Option<Time> {
        let joined: Vec<Time> = found
            .teams
            .iter()
            .flatten()
            .filter_map(|&ticket| Some(pool.get(ticket)?.joined))
            .collect();
        let (first, last) = (*joined.iter().min()?, *joined.iter().max()?);
        if let Some(priced) = &self.priced {
            return priced.starts_at(pool, found, last);
        }
        let Some(threshold) = &self.settings.threshold else {
            return Some(last);
        };
        let wait = threshold.reached(found.quality)?;
        Some(match self.settings.accept {
            Accept::Both => last.plus(wait),
            Accept::Either => first.plus(wait).max(last),
            Accept::Sum => {
                let enough = |at: Time| {
                    let allowed: f64 = joined
                        .iter()
                        .map(|&joined| threshold.allowance(at.since(joined).max(0)))
                        .sum();
                    allowed >= (1.0 - found.quality) * joined.len() as f64
                };
                // It lies between the times of the first and the last by themselves.
                first_time(first.plus(wait).max(last), last.plus(wait).max(last), enough)
            }
        })
    }

    /// The quality that those in a match want by now.
    fn wanted(&self, pool: &Pool, found: &Found, now: Time) -> f64 {
        if let Some(priced) = &self.priced {
            return (1.0 - priced.covered(pool, found, now)).max(0.0);
        }
        let Some(threshold) = &self.settings.threshold else {
            return 0.0;
        };
        let waiting = found
            .teams
            .iter()
            .flatten()
            .filter_map(|&ticket| pool.get(ticket));
        let wanted: Vec<f64> = waiting.map(|one| threshold.wanted(one.waited(now))).collect();
        match self.settings.accept {
            Accept::Both => wanted.iter().copied().fold(0.0, f64::max),
            Accept::Either => wanted.iter().copied().fold(1.0, f64::min),
            Accept::Sum => wanted.iter().sum::<f64>() / wanted.len().max(1) as f64,
        }
    }

    /// A match, if one was found, and the note of what was looked at for it.
    fn proposed(&mut self, found: Option<Found>, note: &Note, now: Time) -> Proposed {
        let lobby = found.map(|found| Lobby {
            queue: Arc::clone(&self.queue),
            teams: found.teams,
            region: found.region,
            mismatch: 1.0 - found.quality,
        });
        let proposed = Proposed::lobbies(lobby);
        if note.looked.is_empty() && note.pass.is_none() {
            return proposed;
        }
        self.with_note(proposed, note, now)
    }

    /// Without a journal there is no follower: the note is applied here.
    #[cfg(not(feature = "journal"))]
    fn with_note(&mut self, proposed: Proposed, note: &Note, now: Time) -> Proposed {
        self.heed(note, now);
        proposed
    }

    /// Takes note of what was looked at.
    fn heed(&mut self, Note { looked, pass }: &Note, now: Time) {
        for &(ticket, at) in looked {
            if let Some(&number) = self.entered.get(&ticket) {
                self.fresh.remove(&(number, ticket));
                self.keep(ticket, at);
            }
        }
        if let Some(pass) = pass {
            // Those who come during a pass make another one.
            self.passes.has_news &= self.passes.after.is_some();
            self.passes.last = Some(now);
            self.passes.after = match pass {
                Pass::After(joined, ticket) => Some((*joined, *ticket)),
                Pass::Ended => None,
            };
        }
    }

    fn keep(&mut self, ticket: TicketId, at: Option<Time>) {
        if let Some(old) = self.times.remove(&ticket) {
            self.timetable.remove(&(old, ticket));
        }
        if let Some(at) = at {
            self.times.insert(ticket, at);
            self.timetable.insert((at, ticket));
        }
    }

    /// Looks for a match with a ticket, and returns it if it may start now; notes the time at which it may, if not.
    fn try_now(&mut self, pool: &Pool, ticket: TicketId, now: Time, note: &mut Note) -> Option<Found> {
        let waiting = pool.get(ticket)?;
        let found = self.search(pool, waiting, now, false);
        let at = found.as_ref().and_then(|found| self.starts_at(pool, found));
        if at.is_some_and(|at| at <= now) {
            return found;
        }
        note.looked.push((ticket, at));
        None
    }

    /// The first ticket whose longest wait is over and that the pass over those has yet to look at.
    fn next_overdue(&self, after: Option<(Time, TicketId)>, now: Time) -> Option<(Time, TicketId)> {
        let since = now.plus(self.settings.longest_wait?.saturating_neg());
        let after = after.map_or(Bound::Unbounded, Bound::Excluded);
        let next = self.waiting.range((after, Bound::Unbounded)).next();
        next.copied().filter(|next| next.0 <= since)
    }

    /// When the next pass over the overdue is due.
    fn next_pass(&self, now: Time) -> Option<Time> {
        let wait = self.settings.longest_wait?;
        let Passes {
            has_news,
            last,
            after,
        } = self.passes;
        if after.is_some() {
            return Some(now);
        }
        let since = match last {
            Some(last) if !has_news => {
                Bound::Excluded((last.plus(wait.saturating_neg()), TicketId(u64::MAX)))
            }
            _ => Bound::Unbounded,
        };
        let next = self.waiting.range((since, Bound::Unbounded)).next();
        next.map(|next| next.0.plus(wait))
    }

    /// The oldest first; `None` in the end, or where the budget is spent.
    fn try_overdue(&mut self, pool: &Pool, now: Time, budget: &mut Budget, note: &mut Note) -> Option<Found> {
        if self.next_pass(now).is_none_or(|at| at > now) {
            return None;
        }
        let mut after = self.passes.after;
        while let Some(next) = self.next_overdue(after, now) {
            if !budget.begin(self.exchanges(pool)) {
                return None;
            }
            after = Some(next);
            note.pass = Some(Pass::After(next.0, next.1));
            let waiting = pool.get(next.1);
            let found = waiting.and_then(|waiting| self.search(pool, waiting, now, true));
            if found.is_some() {
                return found;
            }
        }
        note.pass = Some(Pass::Ended);
        None
    }

    /// Takes a ticket in; whether it can be looked at.
    fn insert(&mut self, waiting: &Waiting) -> bool {
        if let Err(failure) = self.players.insert(waiting) {
            self.failures.push(failure);
            return false;
        }
        let order = Arc::clone(&self.settings.order);
        self.index(waiting).insert(waiting, &order);
        if let Some(kind) = self.kind(waiting) {
            self.kinds.entry(kind).or_default().insert(waiting, &order);
        }
        self.waiting.insert((waiting.joined, waiting.ticket.id));
        true
    }

    fn pays(&mut self, waiting: &Waiting, known: Option<Pays>, now: Time) {
        if let (Some(priced), Some(number)) = (&mut self.priced, waiting.ticket.mean(&self.settings.order)) {
            priced.enter(waiting, number, known, now);
        }
    }
}

impl MatchPolicy for ContinuousLobbies {
    fn admits(&self, _: &Pool, ticket: &Ticket) -> Result<(), String> {
        admits(&*self.settings.scoring, ticket)
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(waiting) = pool.get(ticket).filter(|waiting| waiting.is_in(&self.queue)) else {
            return;
        };
        if !self.insert(waiting) {
            return;
        }
        self.pays(waiting, None, now);
        self.count += 1;
        self.entered.insert(ticket, self.count);
        self.fresh.insert((self.count, ticket));
        if waiting.ticket.backfill.is_none() {
            self.refresh_running(waiting);
        }
        self.passes.has_news = true;
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(entered) = self.entered.remove(&ticket) else {
            return;
        };
        self.fresh.remove(&(entered, ticket));
        self.keep(ticket, None);
        if let Some(waiting) = pool.get(ticket) {
            if let Some(priced) = &mut self.priced {
                priced.leave(waiting, now);
            }
            let order = Arc::clone(&self.settings.order);
            self.index(waiting).remove(waiting, &order);
            if let Some(kind) = self.kind(waiting)
                && let Some(alike) = self.kinds.get_mut(&kind)
            {
                alike.remove(waiting, &order);
                if alike.is_empty() {
                    self.kinds.remove(&kind);
                }
            }
            self.waiting.remove(&(waiting.joined, ticket));
        }
        self.players.remove(ticket);
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        if !pool.is_matched(&self.queue) {
            return Proposed::nothing();
        }
        let mut note = Note::default();
        if let Some(found) = self.try_overdue(pool, now, budget, &mut note) {
            return self.proposed(Some(found), &note, now);
        }
        let fresh = self.fresh.iter().map(|entry| entry.1);
        let due = self.timetable.range(..=(now, TicketId(u64::MAX)));
        let ask: Vec<TicketId> = fresh.chain(due.map(|entry| entry.1)).collect();
        for ticket in ask {
            if !budget.begin(self.exchanges(pool)) {
                return self.proposed(None, &note, now);
            }
            if let Some(found) = self.try_now(pool, ticket, now, &mut note) {
                return self.proposed(Some(found), &note, now);
            }
        }
        let is_done = !budget.is_spent() || self.next_pass(now).is_none_or(|at| at > now);
        Proposed {
            is_done,
            ..self.proposed(None, &note, now)
        }
    }

    #[cfg(feature = "journal")]
    fn note(&mut self, _: &Pool, now: Time, _: &str, note: &[u8]) {
        match saved::read(note) {
            Ok(note) => self.heed(&note, now),
            Err(failure) => self.failures.push(failure),
        }
    }

    /// The time of the best match that was found; at that time another may have become better, or a player of it may have
    /// left, so that nothing happens.
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        if !pool.is_matched(&self.queue) {
            return None;
        }
        if !self.fresh.is_empty() {
            return Some(now);
        }
        let first = self.timetable.first().map(|entry| entry.0);
        [first, self.next_pass(now)]
            .into_iter()
            .flatten()
            .min()
            .map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let known = Why::without_policy(pool, ticket, now);
        let Some(waiting) = pool.get(ticket).filter(|_| known.state == WaitState::Partners) else {
            return known;
        };
        self.explain(pool, waiting, now, why::FORESEEN)
    }

    fn why_now(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let known = Why::without_policy(pool, ticket, now);
        let waiting = pool.get(ticket).filter(|_| known.state == WaitState::Partners);
        waiting.map_or(known, |waiting| self.explain(pool, waiting, now, 0))
    }

    fn take_failures(&mut self) -> Vec<String> {
        std::mem::take(&mut self.failures)
    }

    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        if let Some(priced) = self.priced.as_mut().filter(|_| *made.lobby.queue == *self.queue) {
            priced.learn(made, pool, &self.settings.order, now);
        }
    }

    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        self.to_saved()
    }

    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        self.take_saved(pool, waiting, now, saved)
    }

    #[cfg(feature = "journal")]
    fn learned(&self) -> Vec<u8> {
        matchwright_queue::Prices::tell(self.priced.as_ref().map(Priced::prices))
    }

    #[cfg(feature = "journal")]
    fn adopt(&mut self, learned: &[u8]) -> matchwright_queue::Adopted {
        matchwright_queue::Prices::hear(self.priced.as_mut().map(Priced::prices_mut), learned)
    }

    /// The longest wait, or the time after which the threshold asks for nothing. By prices alone there is none: the fewer come,
    /// the longer a match may take to be filled.
    fn liveness(&self) -> Option<f64> {
        let lifted = self.settings.longest_wait;
        let fallen = match &self.settings.threshold {
            None => self.priced.is_none().then_some(0),
            // Every ticket of a match must have waited that long, and newer ones may always come.
            Some(threshold) if self.settings.accept == Accept::Both => {
                threshold.reached(0.0).filter(|&wait| wait == 0)
            }
            Some(threshold) if self.settings.accept == Accept::Either => threshold.reached(0.0),
            Some(_) => None,
        };
        [lifted, fallen]
            .into_iter()
            .flatten()
            .min()
            .map(|wait| wait as f64 / 1000.0)
    }
}
