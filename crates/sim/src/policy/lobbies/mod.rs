//! [`ContinuousLobbies`]: matches of teams as soon as they are good enough.

mod priced;
mod search;
mod why;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use matchwright_queue::{
    Accept, Budget, Lobby, Match, MatchPolicy, Pool, Prices, Threshold, Ticket, TicketId, Time, WaitState,
    Waiting, Why,
};
use matchwright_scoring::ScoringPolicy;

use self::priced::{Pays, Priced, first_time};
use self::search::{Found, Search};
use super::neighbours::Neighbours;
use super::players::{Players, admits};

/// Regions in which a match is looked for, those with the least ping.
const REGIONS: usize = 3;

/// Running matches in each region, the nearest to a ticket that comes, for which players are looked for again.
const RUNNING: usize = 2;

/// Settings of [`ContinuousLobbies`].
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) scoring: ScoringPolicy,
    pub(super) threshold: Option<Threshold>,
    /// In place of a threshold.
    pub(super) prices: Option<Prices>,
    pub(super) accept: Accept,
    pub(super) longest_wait: Option<i64>,
    pub(super) order: Arc<str>,
    pub(super) neighbours: Option<usize>,
    pub(super) exchanges: u64,
}

/// Matches of teams of whole parties, as soon as one is good enough for those who are in it.
///
/// For each ticket that comes the best match with it is looked for among its neighbours. It starts when its quality
/// reaches what the tickets want by then, which falls while they wait: every one of them, any of them, or their mean; or
/// when the prices and waits of its players cover what its quality lacks ([`Prices`]). Until then the time at which it
/// would start is kept; at that time the search is repeated, as others may have come. A ticket whose longest wait is over
/// gets the best match that the scoring permits, the oldest ticket first.
///
/// One search an event, of a stated number of exchanges: its time does not depend on how many wait.
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
    /// Tickets for which a match is to be looked for, in the order in which they came.
    fresh: BTreeSet<(u64, TicketId)>,
    entered: BTreeMap<TicketId, u64>,
    count: u64,
    /// When the best match of a ticket would start.
    timetable: BTreeSet<(Time, TicketId)>,
    times: BTreeMap<TicketId, Time>,
    lifts: BTreeSet<(Time, TicketId)>,
    overdue: BTreeSet<(Time, TicketId)>,
    /// Whether someone came since the overdue were last looked at.
    has_news: bool,
    /// Tickets of a snapshot that have not entered again.
    restored: BTreeMap<TicketId, Restored>,
    /// What failed and was not told yet.
    failures: Vec<String>,
}

/// What a snapshot tells of a waiting ticket.
#[derive(Clone)]
struct Restored {
    number: u64,
    /// Whether nothing was looked for yet.
    is_fresh: bool,
    starts: Option<Time>,
    /// What each of its players pays.
    pays: Pays,
}

/// Bytes of a snapshot before the tickets, and of each ticket.
const HEAD: usize = 17;
const ENTRY: usize = 49;

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
            settings,
            players: Players::default(),
            neighbours: Neighbours::default(),
            running: Neighbours::default(),
            fresh: BTreeSet::new(),
            entered: BTreeMap::new(),
            count: 0,
            timetable: BTreeSet::new(),
            times: BTreeMap::new(),
            lifts: BTreeSet::new(),
            overdue: BTreeSet::new(),
            has_news: false,
            restored: BTreeMap::new(),
            failures: Vec::new(),
        }
    }

    /// The best match with a ticket, over the regions that it likes best.
    fn search(&mut self, pool: &Pool, waiting: &Waiting, now: Time) -> Option<Found> {
        let mut best: Option<Found> = None;
        for region in self.neighbours.regions(waiting, REGIONS) {
            let tickets = self.around(pool, waiting, region.as_ref());
            self.players.set_waits(&tickets, now);
            let search = Search {
                players: &self.players,
                settings: &self.settings,
                sizes: pool.teams(&self.queue),
            };
            let found = search.best(waiting, &tickets).unwrap_or_else(|failure| {
                self.failures.push(failure);
                None
            });
            if let Some((teams, quality)) = found
                && best.as_ref().is_none_or(|best| quality > best.quality)
            {
                best = Some(Found {
                    teams,
                    region,
                    quality,
                });
            }
        }
        best
    }

    /// The ticket and its neighbours, as many as are looked at.
    fn around(&self, pool: &Pool, waiting: &Waiting, region: Option<&Arc<str>>) -> Vec<TicketId> {
        let total: usize = pool.teams(&self.queue).iter().sum();
        let most = self.settings.neighbours.unwrap_or((4 * total).max(24)).max(total);
        let mut tickets = vec![waiting.ticket.id];
        let mut count = waiting.ticket.players.len();
        self.neighbours
            .nearest(waiting, &self.settings.order, region, |ticket| {
                tickets.push(ticket);
                count += self.players.of(ticket).len();
                count < most
            });
        tickets
    }

    /// The index of running matches, or of parties.
    fn index(&mut self, waiting: &Waiting) -> &mut Neighbours {
        match waiting.ticket.backfill {
            Some(_) => &mut self.running,
            None => &mut self.neighbours,
        }
    }

    /// Running matches that a ticket could fill: players are looked for again, for the oldest first.
    fn refresh_running(&mut self, waiting: &Waiting) {
        for region in self.running.regions(waiting, REGIONS) {
            let mut near = Vec::new();
            let order = &self.settings.order;
            self.running.nearest(waiting, order, region.as_ref(), |ticket| {
                near.push(ticket);
                near.len() < RUNNING
            });
            let numbered = near
                .into_iter()
                .filter_map(|ticket| Some((*self.entered.get(&ticket)?, ticket)));
            self.fresh.extend(numbered);
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

    fn lobby(&self, found: Found) -> Vec<Lobby> {
        vec![Lobby {
            queue: Arc::clone(&self.queue),
            teams: found.teams,
            region: found.region,
            mismatch: 1.0 - found.quality,
        }]
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

    /// Looks for a match with a ticket, and returns it if it may start now; keeps the time at which it may, if not.
    fn try_now(&mut self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Found> {
        let waiting = pool.get(ticket)?;
        let found = self.search(pool, waiting, now);
        let at = found.as_ref().and_then(|found| self.starts_at(pool, found));
        if at.is_some_and(|at| at <= now) {
            return found;
        }
        self.keep(ticket, at);
        None
    }

    fn try_overdue(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Option<Found> {
        while let Some(&(at, ticket)) = self.lifts.first().filter(|lift| lift.0 <= now) {
            self.lifts.remove(&(at, ticket));
            self.has_news = true;
            if let Some(waiting) = pool.get(ticket) {
                self.overdue.insert((waiting.joined, ticket));
            }
        }
        if !self.has_news {
            return None;
        }
        let overdue: Vec<TicketId> = self.overdue.iter().map(|entry| entry.1).collect();
        for ticket in overdue {
            if !budget.spend(self.settings.exchanges) {
                return None;
            }
            let found = pool
                .get(ticket)
                .and_then(|waiting| self.search(pool, waiting, now));
            if found.is_some() {
                return found;
            }
        }
        self.has_news = false;
        None
    }
}

impl MatchPolicy for ContinuousLobbies {
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        admits(&self.settings.scoring, ticket)
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(waiting) = pool.get(ticket).filter(|waiting| waiting.is_in(&self.queue)) else {
            return;
        };
        if let Err(failure) = self.players.insert(waiting) {
            return self.failures.push(failure);
        }
        let order = Arc::clone(&self.settings.order);
        self.index(waiting).insert(waiting, &order);
        if let Some(span) = self.settings.longest_wait {
            self.lifts.insert((waiting.joined.plus(span), ticket));
        }
        let restored = self.restored.remove(&ticket);
        if let (Some(priced), Some(number)) = (&mut self.priced, waiting.ticket.mean(&order)) {
            let known = restored.as_ref().map(|known| known.pays);
            priced.enter(waiting, number, known, now);
        }
        if let Some(known) = restored {
            self.entered.insert(ticket, known.number);
            if known.is_fresh {
                self.fresh.insert((known.number, ticket));
            }
            return self.keep(ticket, known.starts);
        }
        self.count += 1;
        self.entered.insert(ticket, self.count);
        self.fresh.insert((self.count, ticket));
        if waiting.ticket.backfill.is_none() {
            self.refresh_running(waiting);
        }
        self.has_news = true;
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(entered) = self.entered.remove(&ticket) else {
            return;
        };
        self.fresh.remove(&(entered, ticket));
        self.keep(ticket, None);
        self.players.remove(ticket);
        if let Some(waiting) = pool.get(ticket) {
            if let Some(priced) = &mut self.priced {
                priced.leave(waiting, now);
            }
            let order = Arc::clone(&self.settings.order);
            self.index(waiting).remove(waiting, &order);
            self.overdue.remove(&(waiting.joined, ticket));
            if let Some(span) = self.settings.longest_wait {
                self.lifts.remove(&(waiting.joined.plus(span), ticket));
            }
        }
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby> {
        if !pool.is_matched(&self.queue) {
            return Vec::new();
        }
        if let Some(found) = self.try_overdue(pool, now, budget) {
            return self.lobby(found);
        }
        while let Some(&(number, ticket)) = self.fresh.first() {
            if !budget.spend(self.settings.exchanges) {
                return Vec::new();
            }
            self.fresh.remove(&(number, ticket));
            if let Some(found) = self.try_now(pool, ticket, now) {
                return self.lobby(found);
            }
        }
        while let Some(&(_, ticket)) = self.timetable.first().filter(|entry| entry.0 <= now) {
            if !budget.spend(self.settings.exchanges) {
                return Vec::new();
            }
            self.keep(ticket, None);
            if let Some(found) = self.try_now(pool, ticket, now) {
                return self.lobby(found);
            }
        }
        Vec::new()
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
        let lift = self.lifts.first().map(|lift| lift.0);
        [first, lift].into_iter().flatten().min().map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let Some(waiting) = pool.get(ticket) else {
            return Why {
                state: WaitState::Absent,
                ..Why::default()
            };
        };
        self.explain(pool, waiting, now)
    }

    fn take_failures(&mut self) -> Vec<String> {
        std::mem::take(&mut self.failures)
    }

    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        if let Some(priced) = self.priced.as_mut().filter(|_| *made.lobby.queue == *self.queue) {
            priced.learn(made, pool, &self.settings.order, now);
        }
    }

    /// Whether someone came, the counts of tickets so far and of those that wait, of each of the latter its number, when
    /// its match would start and what its players pay, and the prices.
    fn save(&self) -> Vec<u8> {
        let mut bytes = vec![u8::from(self.has_news)];
        bytes.extend(self.count.to_le_bytes());
        bytes.extend((self.entered.len() as u64).to_le_bytes());
        for (&ticket, &number) in &self.entered {
            let at = self.times.get(&ticket).map_or(i64::MIN, |at| at.millis());
            let pays = self
                .priced
                .as_ref()
                .map(|priced| priced.pays(ticket))
                .unwrap_or_default();
            bytes.extend(ticket.0.to_le_bytes());
            bytes.extend(number.to_le_bytes());
            bytes.extend(at.to_le_bytes());
            bytes.extend(
                [pays.at_once, pays.per_second, pays.gap]
                    .into_iter()
                    .flat_map(f64::to_le_bytes),
            );
            bytes.push(u8::from(self.fresh.contains(&(number, ticket))));
        }
        bytes.extend(self.priced.iter().flat_map(Priced::save));
        bytes
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        let wrong = || format!("{} bytes for the times of lobbies", saved.len());
        let word = |bytes: &[u8], from: usize| bytes[from..from + 8].try_into().unwrap_or([0; 8]);
        let (head, rest) = saved.split_at_checked(HEAD).ok_or_else(wrong)?;
        // Dropped: `wrong` says it, as for any other length.
        let waiting = usize::try_from(u64::from_le_bytes(word(head, 9))).ok();
        let length = waiting.and_then(|waiting| waiting.checked_mul(ENTRY));
        let (entries, learned) = length
            .and_then(|length| rest.split_at_checked(length))
            .ok_or_else(wrong)?;
        let mut restored = BTreeMap::new();
        for entry in entries.chunks_exact(ENTRY) {
            let at = i64::from_le_bytes(word(entry, 16));
            let [at_once, per_second, gap] = [24, 32, 40].map(|from| f64::from_le_bytes(word(entry, from)));
            if let Some(wrong) = [at_once, per_second, gap]
                .iter()
                .find(|one| !(0.0..=f64::MAX).contains(*one))
            {
                return Err(format!("a player who pays {wrong}"));
            }
            let known = Restored {
                number: u64::from_le_bytes(word(entry, 8)),
                is_fresh: entry[48] != 0,
                starts: (at != i64::MIN).then(|| Time::from_millis(at)),
                pays: Pays {
                    at_once,
                    per_second,
                    gap,
                },
            };
            restored.insert(TicketId(u64::from_le_bytes(word(entry, 0))), known);
        }
        match &mut self.priced {
            Some(priced) => priced.restore(learned)?,
            None if learned.is_empty() => {}
            None => return Err(wrong()),
        }
        self.restored = restored;
        self.has_news = head[0] != 0;
        self.count = u64::from_le_bytes(word(head, 1));
        Ok(())
    }

    /// The longest wait, or the time after which the threshold asks for nothing. By prices alone there is none: the fewer come,
    /// the longer a match may take to be filled.
    fn liveness(&self) -> Option<f64> {
        let lifted = self.settings.longest_wait;
        let fallen = match &self.settings.threshold {
            None => self.priced.is_none().then_some(0),
            // Every one of a match must have waited so long, and newer ones may always come.
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
