//! [`Batch`]: matches in rounds, at regular intervals or when enough players wait.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use matchwright_lobby::{Annealing, LobbySolver};
#[cfg(feature = "journal")]
use matchwright_queue::journal::{from_saved, to_saved};
use matchwright_queue::{
    Budget, Lobby, MatchPolicy, Pairs, Pool, Proposed, Schedule, Ticket, TicketId, Time, TooFew, WaitState,
    Waiting, Why, foresee,
};
use matchwright_scoring::TeamScorer;
use matchwright_solver::{ExactPairing, PairingSolver};
use serde::{Deserialize, Serialize};

use super::neighbours::share_region;
use super::players::{Players, admits, readable};
use super::quality::Quality;
use super::round::Round;

/// Rounds that are looked at for the match of a ticket: who is left over twice may be so for ever.
const FORESEEN: usize = 8;

/// At most this many tickets of a round are matched at once: the oldest, and then the next.
const PART: usize = 1000;

/// Matches in rounds.
///
/// A round is held at every whole multiple of `every` since the origin of time, as soon as `at` players wait, and when a
/// ticket has waited for the longest wait; tickets that it leaves over wait for the next one, and cost more to leave over
/// again. With `every` alone the time of the round is known when a ticket comes
/// ([`countdown`](MatchPolicy::countdown)); otherwise it is known at the latest. Where more than 1,000 tickets wait, the
/// 1,000 who came first are matched among themselves, then the next 1,000 and so on.
///
/// Of pairs by the difference of a number a round of 300 tickets takes 10 ms and one of 2,000 100 ms; by quality, for which
/// all pairs are scored, one of 150 and one of 450; of teams as long as their exchanges take, 250 ms by default, whatever
/// the number (`cargo xtask bench queue rounds`).
///
/// Rounds that would match nobody are passed over: those before which nobody came since the last one, unless a
/// ticket's longest wait ended or scores still change with the waits ([`TeamScorer::settles_after`]); and with windows
/// those before a pair is compatible.
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
    rounds: Rounds,
    /// Before this no pair is compatible, so far as is known.
    next: Option<Time>,
    /// What failed and was not told yet.
    failures: Vec<String>,
}

/// What is remembered of the rounds, for recovery.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Rounds {
    /// The last multiple of `every` by which a round was held.
    held: Option<i64>,
    /// When the last one was.
    last: Option<Time>,
    /// Whether a ticket came since then.
    has_news: bool,
    /// Whether the last one goes on, and after which ticket.
    goes_on: Option<(Time, TicketId)>,
}

/// What a round notes.
#[derive(Serialize, Deserialize)]
struct Note {
    goes_on: Option<(Time, TicketId)>,
    /// Notes of the pairs.
    pairs: Vec<serde_bytes::ByteBuf>,
}

/// The version of what is noted and saved.
#[cfg(feature = "journal")]
const VERSION: u32 = 1;

/// How a round puts tickets together.
#[derive(Clone)]
pub(super) enum Matcher {
    /// Pairs within windows, the least sum of differences.
    Pairs(Box<Pairs>),
    /// By quality.
    Quality(Quality),
    /// At random.
    Random { seed: u64 },
}

impl Batch {
    /// Rounds by the quality of any scorer: whole teams are paired at the least sum of lost quality, parties are put into teams by
    /// annealing, if no other solver is given.
    #[must_use]
    pub fn scored_by(queue: &str, schedule: Schedule, scoring: impl TeamScorer + 'static) -> Self {
        let quality = Quality {
            scoring: Arc::new(scoring),
            pairs: Arc::new(ExactPairing::minimum()),
            lobbies: Arc::new(Annealing::new(0)),
        };
        Self::new(queue, schedule, Matcher::Quality(quality))
    }

    /// The same with another solver of pairs, for tickets that are whole teams.
    #[must_use]
    pub fn pairing_by(mut self, solver: impl PairingSolver + Send + Sync + 'static) -> Self {
        if let Matcher::Quality(quality) = &mut self.matcher {
            quality.pairs = Arc::new(solver);
        }
        self
    }

    /// The same with another solver of lobbies, for parties that are put into teams.
    #[must_use]
    pub fn forming_by(mut self, solver: impl LobbySolver + Send + Sync + 'static) -> Self {
        if let Matcher::Quality(quality) = &mut self.matcher {
            quality.lobbies = Arc::new(solver);
        }
        self
    }

    pub(super) fn new(queue: &str, schedule: Schedule, matcher: Matcher) -> Self {
        Self {
            queue: queue.into(),
            schedule,
            matcher,
            players: Players::default(),
            waiting: BTreeSet::new(),
            count: 0,
            rounds: Rounds::default(),
            next: None,
            failures: Vec::new(),
        }
    }

    /// The number of the round whose time has come last.
    fn round_of(&self, now: Time) -> Option<i64> {
        self.schedule.every.map(|every| now.millis().div_euclid(every))
    }

    /// When the next round is held, if nobody comes before.
    fn next_round(&self, now: Time) -> Option<Time> {
        if self.rounds.goes_on.is_some() {
            return Some(now);
        }
        let by_clock = self.schedule.every.and_then(|every| {
            let after = self.rounds.held?.saturating_add(1);
            let needed = self.changes_at(now)?;
            let round = needed.plus(-1).millis().div_euclid(every).saturating_add(1);
            Some(Time::from_millis(after.max(round).saturating_mul(every)))
        });
        let by_wait = self.schedule.longest_wait.and_then(|wait| {
            let of = |entry: &(Time, TicketId)| entry.0.plus(wait);
            if self.rounds.has_news {
                return self.waiting.first().map(of);
            }
            // One who has waited long enough makes a round once, and again with each who comes.
            let since = self
                .rounds
                .last
                .map(|last| (last.plus(-wait), TicketId(u64::MAX)));
            let since = since.map_or(Bound::Unbounded, Bound::Excluded);
            self.waiting.range((since, Bound::Unbounded)).next().map(of)
        });
        let is_full = self.schedule.at.is_some_and(|at| self.count >= at) && self.rounds.has_news;
        [by_clock, by_wait, is_full.then_some(now)]
            .into_iter()
            .flatten()
            .min()
    }

    /// From when on a round may match somebody whom the last one did not; `None`: never, if nobody comes.
    fn changes_at(&self, now: Time) -> Option<Time> {
        let newest = self.waiting.last()?.0;
        let settles_after = match &self.matcher {
            Matcher::Pairs(_) => return self.next,
            Matcher::Quality(quality) => quality.scoring.settles_after(),
            Matcher::Random { .. } => 0.0,
        };
        let changes = |last: Time| last.seconds_since(newest) < settles_after;
        (self.rounds.has_news || self.rounds.last.is_none_or(changes)).then_some(now)
    }

    /// Takes a ticket in; whether it can be looked at.
    fn insert(&mut self, waiting: &Waiting) -> bool {
        if !matches!(self.matcher, Matcher::Pairs(_))
            && let Err(failure) = self.players.insert(waiting)
        {
            self.failures.push(failure);
            return false;
        }
        self.waiting.insert((waiting.joined, waiting.ticket.id));
        self.count += waiting.ticket.players.len();
        true
    }

    /// The matches of a round, or of its next part.
    fn round(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> (Vec<Lobby>, Note) {
        let (quality, seed) = match &mut self.matcher {
            Matcher::Pairs(pairs) => {
                let proposed = pairs.propose(pool, now, budget);
                let goes_on = (!proposed.is_done).then_some((now, TicketId(0)));
                let pairs = proposed.notes.into_iter().map(|note| note.1.into()).collect();
                return (proposed.lobbies, Note { goes_on, pairs });
            }
            Matcher::Quality(quality) => (Some(&*quality), 0),
            Matcher::Random { seed } => (None, *seed),
        };
        let after = self.rounds.goes_on.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = self.waiting.range((after, Bound::Unbounded));
        let part: Vec<(Time, TicketId)> = rest.by_ref().take(PART).copied().collect();
        let goes_on = rest.next().and(part.last().copied());
        let tickets: Vec<TicketId> = part.into_iter().map(|entry| entry.1).collect();
        budget.begin(tickets.len() as u64);
        self.players.set_waits(&tickets, now);
        let round = Round {
            queue: &self.queue,
            players: &self.players,
            pool,
            now,
            quality,
            seed,
        };
        let (lobbies, failures) = round.matches(tickets);
        self.failures.extend(failures);
        let pairs = Vec::new();
        (lobbies, Note { goes_on, pairs })
    }

    /// Takes note of a round that was held.
    fn heed(&mut self, Note { goes_on, pairs }: Note, pool: &Pool, now: Time) {
        if self.rounds.goes_on.is_none() {
            self.rounds.has_news = false;
        }
        self.rounds.held = self.round_of(now).max(self.rounds.held);
        self.rounds.last = Some(now);
        self.rounds.goes_on = goes_on;
        if let Matcher::Pairs(matcher) = &mut self.matcher {
            for note in &pairs {
                matcher.note(pool, now, &self.queue, note);
            }
        }
    }

    /// What keeps a ticket from this policy's matches, in words.
    fn check(&self, ticket: &Ticket) -> Result<(), String> {
        if matches!(self.matcher, Matcher::Pairs(_)) {
            return Ok(());
        }
        if ticket.backfill.is_some() {
            return Err(
                "rounds fill no running matches: give the ticket to a queue without rounds".to_owned(),
            );
        }
        Ok(())
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
    fn admits(&self, pool: &Pool, ticket: &Ticket) -> Result<(), String> {
        self.check(ticket)?;
        match &self.matcher {
            Matcher::Pairs(pairs) => pairs.admits(pool, ticket),
            Matcher::Quality(quality) => admits(&*quality.scoring, ticket),
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
        let was_empty = self.waiting.is_empty();
        if !self.insert(waiting) {
            return;
        }
        if let Matcher::Pairs(pairs) = &mut self.matcher {
            pairs.enter(pool, ticket, now);
        }
        // While nobody waited, no round was due; one that waits again, as after a failed match, has a round that was.
        if self.rounds.held.is_none() || (was_empty && waiting.joined == now) {
            self.rounds.held = self.round_of(now).max(self.rounds.held);
        }
        self.rounds.has_news = true;
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let Some(waiting) = pool.get(ticket) else { return };
        if self.waiting.remove(&(waiting.joined, ticket)) {
            self.count -= waiting.ticket.players.len();
        }
        match &mut self.matcher {
            Matcher::Pairs(pairs) => pairs.leave(pool, ticket, now),
            Matcher::Quality(_) | Matcher::Random { .. } => self.players.remove(ticket),
        }
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        if !pool.is_matched(&self.queue) {
            return Proposed::nothing();
        }
        if self.next_time(pool, now).is_none_or(|at| at > now) {
            return Proposed::nothing();
        }
        if budget.is_spent() {
            return Proposed::unfinished();
        }
        let (lobbies, note) = self.round(pool, now, budget);
        let is_done = note.goes_on.is_none();
        let proposed = Proposed {
            is_done,
            ..Proposed::lobbies(lobbies)
        };
        #[cfg(feature = "journal")]
        return proposed.with_note(&self.queue, to_saved(VERSION, &note));
        // Without a journal there is no follower: the note is applied here.
        #[cfg(not(feature = "journal"))]
        {
            self.heed(note, pool, now);
            proposed
        }
    }

    #[cfg(feature = "journal")]
    fn note(&mut self, pool: &Pool, now: Time, _: &str, note: &[u8]) {
        match from_saved(VERSION, note) {
            Ok(note) => self.heed(note, pool, now),
            Err(failure) => self.failures.push(failure),
        }
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        if !pool.is_matched(&self.queue) {
            return None;
        }
        if let Matcher::Pairs(pairs) = &mut self.matcher {
            self.next = pairs.next_time(pool, now);
        }
        self.next_round(now).map(|at| at.max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let mut why = self.why_now(pool, ticket, now);
        let is_known = [WaitState::Partners, WaitState::Batch, WaitState::Paused].contains(&why.state);
        if is_known && why.too_few.is_none() {
            why.earliest = foresee(self.clone(), pool, ticket, now, FORESEEN).map(|found| found.0);
        }
        why
    }

    fn why_now(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let known = Why::without_policy(pool, ticket, now);
        let Some(waiting) = pool.get(ticket).filter(|_| known.state == WaitState::Partners) else {
            return known;
        };
        if let Matcher::Pairs(pairs) = &self.matcher {
            let mut why = pairs.why(pool, ticket, now);
            let is_compatible = why.candidates.iter().any(|one| one.obstacles.is_empty());
            if is_compatible && why.state == WaitState::Partners {
                why.state = WaitState::Batch;
            }
            return why;
        }
        let state = if pool.is_matched(&self.queue) {
            WaitState::Batch
        } else {
            WaitState::Paused
        };
        let others = self.waiting.iter().filter_map(|entry| pool.get(entry.1));
        let others = others.filter(|other| other.ticket.id != ticket && may_meet(waiting, other));
        let others = others.map(|other| other.ticket.players.len()).sum();
        let needed = pool.teams(&self.queue).iter().sum();
        let too_few = TooFew::of(needed, waiting.ticket.players.len(), others);
        Why {
            state,
            too_few,
            ..known
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

    #[cfg(feature = "journal")]
    fn save(&self) -> Vec<u8> {
        let pairs: serde_bytes::ByteBuf = match &self.matcher {
            Matcher::Pairs(pairs) => pairs.save().into(),
            Matcher::Quality(_) | Matcher::Random { .. } => serde_bytes::ByteBuf::new(),
        };
        to_saved(VERSION, &(&self.rounds, pairs))
    }

    #[cfg(feature = "journal")]
    fn restore(&mut self, pool: &Pool, waiting: &[TicketId], now: Time, saved: &[u8]) -> Result<(), String> {
        let (rounds, pairs): (Rounds, serde_bytes::ByteBuf) = from_saved(VERSION, saved)?;
        self.rounds = rounds;
        for waiting in waiting.iter().filter_map(|&ticket| pool.get(ticket)) {
            self.insert(waiting);
        }
        match &mut self.matcher {
            Matcher::Pairs(matcher) => matcher.restore(pool, waiting, now, &pairs),
            Matcher::Quality(_) | Matcher::Random { .. } => Ok(()),
        }
    }
}
