//! [`Batch`]: matches in rounds, every so many seconds or when enough players wait.

use std::collections::BTreeSet;
use std::sync::Arc;

use matchwright_queue::{
    Budget, Lobby, Match, MatchPolicy, Pairs, Pool, Schedule, Ticket, TicketId, Time, TooFew, WaitState,
    Waiting, Why, foresee,
};
use matchwright_scoring::ScoringPolicy;

use super::neighbours::share_region;
use super::players::{Players, admits, readable};
use super::round::Round;

/// Rounds that are looked at for the match of a ticket: who is left over twice may be so for ever. After as many without
/// a match none is held until somebody comes or leaves.
const FORESEEN: usize = 8;

/// Matches in rounds.
///
/// A round is held at every whole multiple of `every` since the origin of time, as soon as `at` players wait, and when a
/// ticket has waited for the longest wait; tickets that it leaves over wait for the next one, and cost more to leave over
/// again. With `every` alone the time of the round is known when a ticket comes
/// ([`countdown`](MatchPolicy::countdown)); otherwise it is known at the latest. Rounds that would match nobody are passed
/// over: those before the windows of a pair open, and those after eight without a match in which nobody came or left,
/// once all have waited so long that scores change no more.
///
/// "The Awesomenauts matchmaking algorithm", Ronimo Games, 2018: over 100 players every couple of minutes, or fewer
/// when someone has waited too long. Chen and others, "EOMM", WWW 2017, section 3: a pool of tickets into pairs.
#[derive(Clone)]
pub struct Batch {
    queue: Arc<str>,
    schedule: Schedule,
    matcher: Matcher,
    players: Players,
    waiting: BTreeSet<(Time, TicketId)>,
    count: usize,
    /// The last multiple of `every` by which a round was held.
    held: Option<i64>,
    /// Whether a ticket came since the last round.
    has_news: bool,
    /// Rounds without a match since somebody came or left.
    fruitless: u8,
    /// Before this no round would match anybody, unless somebody comes or leaves.
    next: Option<Time>,
    /// Tickets of a snapshot that have not entered again: they are no news.
    restored: BTreeSet<TicketId>,
    /// What failed and was not told yet.
    failures: Vec<String>,
}

/// How a round puts tickets together.
#[derive(Clone)]
pub(super) enum Matcher {
    /// Pairs within windows, the least sum of differences.
    Pairs(Box<Pairs>),
    /// By the quality of a scoring policy.
    Quality {
        scoring: ScoringPolicy,
        exchanges: u64,
        seed: u64,
    },
    /// At random.
    Random { seed: u64 },
}

impl Batch {
    pub(super) fn new(queue: &str, schedule: Schedule, matcher: Matcher) -> Self {
        Self {
            queue: queue.into(),
            schedule,
            matcher,
            players: Players::default(),
            waiting: BTreeSet::new(),
            count: 0,
            held: None,
            has_news: false,
            fruitless: 0,
            next: None,
            restored: BTreeSet::new(),
            failures: Vec::new(),
        }
    }

    /// The number of the round whose time has come last.
    fn round_of(&self, now: Time) -> Option<i64> {
        self.schedule.every.map(|every| now.millis().div_euclid(every))
    }

    /// When the next round is held, if nobody comes before.
    fn next_round(&self, now: Time) -> Option<Time> {
        if self.waiting.is_empty() {
            return None;
        }
        let by_clock = self.schedule.every.zip(self.held).and_then(|(every, held)| {
            let round = match self.next {
                None => held.saturating_add(1),
                Some(Time::MAX) => return None,
                Some(next) => held
                    .saturating_add(1)
                    .max(next.plus(-1).millis().div_euclid(every).saturating_add(1)),
            };
            Some(Time::from_millis(round.saturating_mul(every)))
        });
        let oldest = self.waiting.first().map(|entry| entry.0);
        let by_wait = oldest
            .zip(self.schedule.longest_wait)
            .map(|(joined, wait)| joined.plus(wait));
        // One who has waited long enough makes a round once, and again with each who comes.
        let by_wait = by_wait.filter(|&at| at > now || self.has_news);
        let is_full = self.schedule.at.is_some_and(|at| self.count >= at) && self.has_news;
        [by_clock, by_wait, is_full.then_some(now)]
            .into_iter()
            .flatten()
            .min()
    }
}

impl Batch {
    /// Whether no later round would match anybody, so far as eight of them tell.
    fn is_settled(&self, now: Time) -> bool {
        let least = match &self.matcher {
            Matcher::Pairs(_) => return false,
            Matcher::Quality { scoring, .. } => scoring.settles_after(),
            Matcher::Random { .. } => 0.0,
        };
        let newest = self.waiting.last().map_or(now, |entry| entry.0);
        usize::from(self.fruitless) >= FORESEEN && now.seconds_since(newest) >= least
    }

    /// Somebody comes or leaves: the rounds that were passed over until now are over.
    fn wake(&mut self, now: Time) {
        self.fruitless = 0;
        if let Some(next) = self.next.take() {
            self.held = self.round_of(next.min(now).plus(-1)).max(self.held);
        }
    }
}

/// Whether two tickets have all keys alike and accept a region in common.
fn may_meet(one: &Waiting, other: &Waiting) -> bool {
    one.key == other.key && share_region(one, other)
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch")
            .field("queue", &self.queue)
            .field("schedule", &self.schedule)
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

impl MatchPolicy for Batch {
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        match &self.matcher {
            Matcher::Pairs(pairs) => pairs.admits(ticket),
            Matcher::Quality { scoring, .. } => admits(scoring, ticket),
            Matcher::Random { .. } => {
                let mut players = ticket.players.iter();
                players.try_for_each(|member| readable(ticket, member).map(drop))
            }
        }
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(waiting) = pool.get(ticket).filter(|waiting| waiting.is_in(&self.queue)) else {
            return;
        };
        if let Matcher::Pairs(pairs) = &mut self.matcher {
            pairs.enter(pool, ticket, now);
        } else if let Err(failure) = self.players.insert(waiting) {
            return self.failures.push(failure);
        }
        let is_restored = self.restored.remove(&ticket);
        if !is_restored {
            self.wake(now);
        }
        // While nobody waited, no round was due; one that waits again, as after a restart, has a round that was.
        if self.held.is_none() || (self.waiting.is_empty() && waiting.joined == now) {
            self.held = self.round_of(now).max(self.held);
        }
        self.waiting.insert((waiting.joined, ticket));
        self.count += waiting.ticket.players.len();
        self.has_news |= !is_restored;
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(waiting) = pool.get(ticket) else { return };
        if self.waiting.remove(&(waiting.joined, ticket)) {
            self.wake(now);
            self.count -= waiting.ticket.players.len();
        }
        match &mut self.matcher {
            Matcher::Pairs(pairs) => pairs.leave(pool, ticket, now),
            Matcher::Quality { .. } | Matcher::Random { .. } => self.players.remove(ticket),
        }
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby> {
        if !pool.is_matched(&self.queue) || budget.left() == 0 {
            return Vec::new();
        }
        if self.next_round(now).is_none_or(|at| at > now) {
            return Vec::new();
        }
        self.held = self.round_of(now).max(self.held);
        self.has_news = false;
        budget.spend(self.waiting.len() as u64);
        let tickets: Vec<TicketId> = self.waiting.iter().map(|entry| entry.1).collect();
        self.players.set_waits(&tickets, now);
        let (scoring, exchanges, seed) = match &mut self.matcher {
            Matcher::Pairs(pairs) => return pairs.propose(pool, now, budget),
            Matcher::Quality {
                scoring,
                exchanges,
                seed,
            } => (Some(&*scoring), *exchanges, *seed),
            Matcher::Random { seed } => (None, 0, *seed),
        };
        let round = Round {
            queue: &self.queue,
            players: &self.players,
            pool,
            now,
            scoring,
            exchanges,
            seed,
        };
        let (lobbies, failures) = round.matches(tickets);
        self.fruitless = self.fruitless.saturating_add(1);
        self.failures.extend(failures);
        lobbies
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        if !pool.is_matched(&self.queue) {
            return None;
        }
        self.next = match &mut self.matcher {
            Matcher::Pairs(pairs) => Some(pairs.next_time(pool, now).unwrap_or(Time::MAX)),
            _ => self.is_settled(now).then_some(Time::MAX),
        };
        self.next_round(now).map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let Some(waiting) = pool.get(ticket) else {
            return Why {
                state: WaitState::Absent,
                ..Why::default()
            };
        };
        if let Matcher::Pairs(pairs) = &self.matcher {
            let mut why = pairs.why(pool, ticket, now);
            why.earliest = foresee(self.clone(), pool, ticket, now, FORESEEN).map(|found| found.0);
            let is_compatible = why.candidates.iter().any(|one| one.obstacles.is_empty());
            if is_compatible && why.state == WaitState::Partners {
                why.state = WaitState::Batch;
            }
            return why;
        }
        let state = match waiting.proposal {
            Some(_) => WaitState::Answers,
            None if pool.is_matched(&self.queue) => WaitState::Batch,
            None => WaitState::Paused,
        };
        let others = self.waiting.iter().filter_map(|entry| pool.get(entry.1));
        let others = others.filter(|other| other.ticket.id != ticket && may_meet(waiting, other));
        let others = others.map(|other| other.ticket.players.len()).sum();
        let needed = pool.teams(&self.queue).iter().sum();
        let too_few = TooFew::of(needed, waiting.ticket.players.len(), others);
        Why {
            waited: waiting.waited(now),
            state,
            earliest: match too_few {
                None => foresee(self.clone(), pool, ticket, now, FORESEEN).map(|found| found.0),
                Some(_) => None,
            },
            too_few,
            ..Why::default()
        }
    }

    /// Two rounds: who is left over once is the dearest to leave over the next time. None for rounds that need a number
    /// of players alone, and for pairs within windows.
    fn liveness(&self) -> Option<f64> {
        let is_free = !matches!(self.matcher, Matcher::Pairs(_));
        let span = [self.schedule.every, self.schedule.longest_wait]
            .into_iter()
            .flatten()
            .min()?;
        is_free.then_some(2.0 * span as f64 / 1000.0)
    }

    fn countdown(&self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Time> {
        let waits = pool
            .get(ticket)
            .is_some_and(|waiting| self.waiting.contains(&(waiting.joined, ticket)));
        if waits && pool.is_matched(&self.queue) {
            self.next_round(now).map(|at| at.max(now))
        } else {
            None
        }
    }

    fn take_failures(&mut self) -> Vec<String> {
        let mut failures = std::mem::take(&mut self.failures);
        if let Matcher::Pairs(pairs) = &mut self.matcher {
            failures.extend(pairs.take_failures());
        }
        failures
    }

    fn learn(&mut self, _: &Match, _: &Pool, _: Time) {}

    /// The last round, before when no other is due, how many matched nobody, whether a ticket came since, and who waits.
    fn save(&self) -> Vec<u8> {
        let mut bytes = self.held.unwrap_or(i64::MIN).to_le_bytes().to_vec();
        bytes.extend(self.next.map_or(i64::MIN, Time::millis).to_le_bytes());
        bytes.extend([self.fruitless, u8::from(self.has_news)]);
        for (_, ticket) in &self.waiting {
            bytes.extend(ticket.0.to_le_bytes());
        }
        bytes
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        let wrong = || format!("{} bytes for the rounds of a batch", saved.len());
        let (held, rest) = saved.split_first_chunk::<8>().ok_or_else(wrong)?;
        let (next, rest) = rest.split_first_chunk::<8>().ok_or_else(wrong)?;
        let (&[fruitless, news], tickets) = rest.split_first_chunk::<2>().ok_or_else(wrong)?;
        let (tickets, []) = tickets.as_chunks::<8>() else {
            return Err(wrong());
        };
        let held = i64::from_le_bytes(*held);
        self.held = (held != i64::MIN).then_some(held);
        let next = i64::from_le_bytes(*next);
        self.next = (next != i64::MIN).then(|| Time::from_millis(next));
        self.fruitless = fruitless;
        self.has_news = news != 0;
        self.restored = tickets
            .iter()
            .map(|ticket| TicketId(u64::from_le_bytes(*ticket)))
            .collect();
        Ok(())
    }
}
