//! [`replay`]: a log of tickets under another policy.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use matchwright_queue::{
    Decision, Event, EventKind, LeaveReason, MatchPolicy, Outcome, Refusal, State, StepError, Ticket,
    TicketId, Time, Why, step,
};

use thiserror::Error;

use super::judge::Judge;
use super::kept::{ASKED, Moment};
use super::log::{LEAST_TAIL, LoggedTicket, TicketLog, millis};
use crate::policy::LoadedPolicy;

/// How a log is replayed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReplaySettings {
    /// A ticket that has waited longer, in seconds, is overdue. Default 300.
    pub overdue: f64,
    /// Of how many overdue tickets, those that waited longest, what kept them waiting is kept. Default 10.
    pub explain: usize,
    /// At how many times, evenly through the log, a few of those who wait are asked what keeps them. Default 0.
    pub moments: usize,
    /// Seconds after the last ticket came at which the replay ends; who waits then has waited until then. Default
    /// [`LEAST_TAIL`]; [`TicketLog::tail`] gives one for all policies on a log.
    pub tail: f64,
    /// Steps of the queue after which the replay fails. Default: none.
    pub most_steps: Option<u64>,
}

/// Why a log was not replayed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The core refused a step, which a log in order does not cause.
    #[error("a step of the queue: {0}")]
    Step(#[from] StepError),
    /// More steps than were wanted.
    #[error("{steps} steps of the queue were taken, when {came} of {tickets} tickets had come")]
    Steps {
        /// Steps taken.
        steps: u64,
        /// Tickets that had come.
        came: usize,
        /// Tickets of the log.
        tickets: usize,
    },
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self {
            overdue: 300.0,
            explain: 10,
            moments: 0,
            tail: LEAST_TAIL,
            most_steps: None,
        }
    }
}

/// What became of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It plays, in the match of that number.
    Matched(u64),
    /// It gave up.
    Left,
    /// It waits at the end.
    Waits,
    /// It was not admitted.
    Refused,
    /// It is not known: the log does not tell ([`recorded`](super::recorded)).
    Unknown,
}

/// A ticket in a replay.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ReplayedTicket {
    /// The ticket.
    pub ticket: TicketId,
    /// Its players.
    pub players: usize,
    /// What became of it.
    pub fate: Fate,
    /// How long it waited, in seconds, until then; NaN if that is not known.
    pub waited: f64,
    /// Its share of the costs by the objective: a refused one is lost. `None` if it was refused and the objective has no
    /// price of lost tickets, if it is not known, or if [`keep_common`] left it out.
    pub costs: Option<Costs>,
}

/// A ticket's share of the costs, or the sum of some tickets'.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Costs {
    /// Of the mismatch of its match, by its players.
    pub mismatch: f64,
    /// Of its wait.
    pub waiting: f64,
    /// The price of leaving, or of waiting at the end.
    pub lost: f64,
}

impl Costs {
    /// All together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.mismatch + self.waiting + self.lost
    }

    /// Each times a factor.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self {
            mismatch: self.mismatch * factor,
            waiting: self.waiting * factor,
            lost: self.lost * factor,
        }
    }
}

impl std::iter::Sum for Costs {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            mismatch: sum.mismatch + one.mismatch,
            waiting: sum.waiting + one.waiting,
            lost: sum.lost + one.lost,
        })
    }
}

/// A match in a replay.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ReplayedMatch {
    /// Its number.
    pub id: u64,
    /// When it was made.
    pub at: Time,
    /// The queue that made it.
    pub queue: String,
    /// Where it is played, if its tickets say where they can.
    pub region: Option<String>,
    /// The tickets of each team.
    pub teams: Vec<Vec<TicketId>>,
    /// How bad it is, by the objective.
    pub mismatch: f64,
}

/// A log under a policy.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Replay {
    /// Every ticket of the log, in its order.
    pub tickets: Vec<ReplayedTicket>,
    /// The matches, in the order in which they were made.
    pub matches: Vec<ReplayedMatch>,
    /// What kept the overdue tickets that waited longest, at the time when they became overdue; the longest wait first.
    pub why: Vec<(TicketId, Why)>,
    /// What kept those who waited at each of some moments.
    pub moments: Vec<Moment>,
    /// Refused tickets by reason.
    pub refusals: BTreeMap<String, usize>,
    /// What failed inside the policy, how often.
    pub failures: BTreeMap<String, usize>,
    /// Steps that were taken.
    pub steps: u64,
    /// Events that the queue was told of in them: tickets that came or left, and answers to proposals.
    pub events: u64,
}

impl Replay {
    /// Players of all tickets that have costs.
    #[must_use]
    pub fn players(&self) -> usize {
        let counted = self.tickets.iter().filter(|ticket| ticket.costs.is_some());
        counted.map(|ticket| ticket.players).sum()
    }

    /// The sums of the costs, over the players of the tickets that have some; `None` if none has.
    #[must_use]
    pub fn costs_per_player(&self) -> Option<Costs> {
        let all: Costs = self.tickets.iter().filter_map(|ticket| ticket.costs).sum();
        let players = self.players();
        (players > 0).then(|| all.times(1.0 / players as f64))
    }

    /// The sum of all costs, over the players.
    #[must_use]
    pub fn cost_per_player(&self) -> Option<f64> {
        self.costs_per_player().map(|costs| costs.total())
    }

    /// How many tickets came to an end so.
    #[must_use]
    pub fn count(&self, is: impl Fn(Fate) -> bool) -> usize {
        self.tickets.iter().filter(|ticket| is(ticket.fate)).count()
    }

    /// Tickets that waited longer than this many seconds.
    #[must_use]
    pub fn overdue(&self, seconds: f64) -> usize {
        self.tickets
            .iter()
            .filter(|ticket| ticket.waited > seconds)
            .count()
    }
}

/// Leaves costs to those tickets of one log alone that have some in all replays, so that none is cheaper for what it
/// refused.
pub fn keep_common(replays: &mut [Replay]) {
    let tickets = replays.iter().map(|one| one.tickets.len()).min().unwrap_or(0);
    for place in 0..tickets {
        if replays.iter().any(|one| one.tickets[place].costs.is_none()) {
            for one in &mut *replays {
                one.tickets[place].costs = None;
            }
        }
    }
}

/// The log under a policy: tickets come when they came, leave when they left if they still wait then, and all accept
/// proposals at once. Tickets that did not leave in the log wait until its end.
///
/// `progress` is called with the number of tickets that have come.
///
/// # Errors
/// [`ReplayError`].
pub fn replay(
    log: &TicketLog,
    policy: &mut LoadedPolicy,
    judge: &Judge,
    settings: ReplaySettings,
    progress: &mut dyn FnMut(usize),
) -> Result<Replay, ReplayError> {
    let state = State::new(policy.label.clone(), policy.settings.clone());
    let mut run = Run {
        log,
        judge,
        settings,
        state,
        policy: &mut *policy.policy,
        places: log
            .tickets()
            .iter()
            .zip(0..)
            .map(|(logged, at)| (logged.ticket.id, at))
            .collect(),
        tickets: log.tickets().iter().map(|logged| (None, logged.came)).collect(),
        matches: Vec::new(),
        why: Vec::new(),
        next_due: 0,
        moments: Vec::new(),
        refusals: BTreeMap::new(),
        failures: BTreeMap::new(),
        events: 0,
        steps: 0,
    };
    run.all(progress)?;
    Ok(run.result())
}

/// The most overdue tickets among which the longest waits are found.
const MOST_EXPLAINED: usize = 1000;

struct Run<'a> {
    log: &'a TicketLog,
    judge: &'a Judge,
    settings: ReplaySettings,
    state: State,
    policy: &'a mut (dyn MatchPolicy + Send),
    /// Where each ticket is in the log.
    places: HashMap<TicketId, usize>,
    /// By place: what became of it, and when.
    tickets: Vec<(Option<Fate>, Time)>,
    matches: Vec<ReplayedMatch>,
    why: Vec<(TicketId, Why)>,
    /// The first ticket that is not overdue yet, as far as is known.
    next_due: usize,
    moments: Vec<Moment>,
    refusals: BTreeMap<String, usize>,
    failures: BTreeMap<String, usize>,
    events: u64,
    steps: u64,
}

impl Run<'_> {
    fn all(&mut self, progress: &mut dyn FnMut(usize)) -> Result<(), ReplayError> {
        let tickets = self.log.tickets();
        let mut leaves: Vec<(Time, TicketId)> = tickets
            .iter()
            .filter_map(|one| Some((one.left?, one.ticket.id)))
            .collect();
        leaves.sort_unstable();
        let end = self.log.end(self.settings.tail);
        let (mut next, mut leaving) = (0, 0);
        let mut wakeup: Option<Time> = None;
        loop {
            let came = tickets.get(next).map(|one| one.came);
            let left = leaves.get(leaving).map(|leave| leave.0);
            let Some(now) = [came, left, wakeup]
                .into_iter()
                .flatten()
                .min()
                .filter(|&now| now <= end)
            else {
                break;
            };
            let mut events = Vec::new();
            while let Some(one) = tickets.get(next).filter(|one| one.came <= now) {
                events.push(self.event(EventKind::Create(Arc::new(one.ticket.clone()))));
                next += 1;
            }
            while let Some(&(_, ticket)) = leaves.get(leaving).filter(|leave| leave.0 <= now) {
                leaving += 1;
                let comes_now = tickets[self.places[&ticket]].came == now;
                if comes_now || self.state.pool().get(ticket).is_some() {
                    let members = &tickets[self.places[&ticket]].ticket.players;
                    let by = members.first().map(|member| member.id);
                    events.push(self.event(EventKind::Cancel { ticket, by }));
                }
            }
            self.explain_overdue(now);
            self.look_around(now);
            // Who leaves after a match must not wake the queue.
            if !events.is_empty() || wakeup.is_some_and(|at| at <= now) {
                wakeup = self.step(now, &events)?;
                if self.settings.most_steps.is_some_and(|most| self.steps > most) {
                    return Err(ReplayError::Steps {
                        steps: self.steps,
                        came: next,
                        tickets: tickets.len(),
                    });
                }
            }
            progress(next);
        }
        // Tickets that wait at the end have waited until then.
        self.explain_overdue(end);
        self.look_around(end);
        for (_, at) in self.tickets.iter_mut().filter(|ticket| ticket.0.is_none()) {
            *at = end;
        }
        Ok(())
    }

    fn event(&mut self, kind: EventKind) -> Event {
        self.events += 1;
        Event::new(self.events, kind)
    }

    /// One step, and those in which all who are asked accept.
    fn step(&mut self, now: Time, events: &[Event]) -> Result<Option<Time>, StepError> {
        let mut outcome = step(&mut self.state, self.policy, now, events)?;
        self.steps += 1;
        self.record(now, events, &outcome);
        loop {
            let asked = self.state.proposals();
            let asked: Vec<_> = asked
                .flat_map(|(one, players)| players.iter().map(move |&player| (one.id, player)))
                .collect();
            if asked.is_empty() {
                return Ok(outcome.wakeup);
            }
            let accept = |(proposal, player)| self.event(EventKind::Accept { proposal, player });
            let accepts: Vec<Event> = asked.into_iter().map(accept).collect();
            outcome = step(&mut self.state, self.policy, now, &accepts)?;
            self.steps += 1;
            self.record(now, &accepts, &outcome);
        }
    }

    fn record(&mut self, now: Time, events: &[Event], outcome: &Outcome) {
        for failure in &outcome.failures {
            *self.failures.entry(failure.clone()).or_default() += 1;
        }
        for (event, reason) in outcome.refusals() {
            let EventKind::Create(ticket) = &events[event].kind else {
                continue;
            };
            *self.refusals.entry(kind_of(reason)).or_default() += 1;
            self.end(ticket.id, Fate::Refused, now);
        }
        for decision in &outcome.decisions {
            match decision {
                Decision::Left {
                    ticket,
                    reason: LeaveReason::Cancelled | LeaveReason::Expired,
                } => self.end(*ticket, Fate::Left, now),
                Decision::BadLobby { fault, .. } => {
                    let failure = format!("a lobby that breaks the rules: {fault}");
                    *self.failures.entry(failure).or_default() += 1;
                }
                _ => {}
            }
        }
        for made in outcome.matches() {
            let ticket = |ticket: &TicketId| Some(&self.log.tickets().get(*self.places.get(ticket)?)?.ticket);
            let teams: Vec<Vec<&Ticket>> = made
                .lobby
                .teams
                .iter()
                .map(|team| team.iter().filter_map(ticket).collect())
                .collect();
            let mismatch = self.judge.mismatch(&teams).unwrap_or(f64::NAN);
            for ticket in made.lobby.tickets() {
                self.end(ticket, Fate::Matched(made.id.0), now);
            }
            self.matches.push(ReplayedMatch {
                id: made.id.0,
                at: now,
                queue: made.lobby.queue.to_string(),
                region: made.lobby.region.as_ref().map(ToString::to_string),
                teams: made.lobby.teams.clone(),
                mismatch,
            });
        }
    }

    fn end(&mut self, ticket: TicketId, fate: Fate, now: Time) {
        if let Some(&place) = self.places.get(&ticket) {
            self.tickets[place] = (Some(fate), now);
        }
    }

    /// What keeps each ticket that becomes overdue by `until`, before anything else happens.
    fn explain_overdue(&mut self, until: Time) {
        let overdue = millis(self.settings.overdue);
        while let Some(one) = self.log.tickets().get(self.next_due) {
            let (ticket, at) = (one.ticket.id, one.came.plus(overdue));
            if at >= until {
                return;
            }
            self.next_due += 1;
            let waits = self.state.pool().get(ticket).is_some();
            if waits && self.settings.explain > 0 && self.why.len() < MOST_EXPLAINED {
                self.why
                    .push((ticket, self.policy.why(self.state.pool(), ticket, at)));
            }
        }
    }

    /// What keeps those who wait at each moment before `until`, before anything else happens.
    fn look_around(&mut self, until: Time) {
        let tickets = self.log.tickets();
        let Some(first) = tickets.first().map(|first| first.came) else {
            return;
        };
        let moments = match self.log.seconds() {
            0.0 => self.settings.moments.min(1),
            _ => self.settings.moments,
        };
        loop {
            let share = (self.moments.len() + 1) as f64 / moments as f64;
            let seconds = self.log.seconds() * share;
            let at = first.plus(millis(seconds));
            if self.moments.len() == moments || at >= until {
                return;
            }
            let pool = self.state.pool();
            let waiting = pool.len();
            let step = waiting.div_ceil(ASKED).max(1);
            let asked = pool.tickets().step_by(step).map(|one| one.ticket.id);
            let asked: Vec<Why> = asked
                .map(|ticket| self.policy.why_now(pool, ticket, at))
                .collect();
            self.moments.push(Moment::of(seconds, waiting, &asked));
        }
    }

    fn result(self) -> Replay {
        let shares = self.judge.shares(self.log, &self.matches);
        let one = |(logged, &(fate, at)): (&LoggedTicket, &(Option<Fate>, Time))| {
            let waited = at.seconds_since(logged.came);
            self.judge
                .judged(logged, fate.unwrap_or(Fate::Waits), waited, &shares)
        };
        let tickets: Vec<ReplayedTicket> = self.log.tickets().iter().zip(&self.tickets).map(one).collect();
        let mut why = self.why;
        let waited = |ticket: &TicketId| self.places.get(ticket).map_or(0.0, |&at| tickets[at].waited);
        why.sort_by(|a, b| waited(&b.0).total_cmp(&waited(&a.0)).then(a.0.cmp(&b.0)));
        why.truncate(self.settings.explain);
        Replay {
            tickets,
            matches: self.matches,
            why,
            moments: self.moments,
            refusals: self.refusals,
            failures: self.failures,
            steps: self.steps,
            events: self.events,
        }
    }
}

/// A reason without the names in it, for counting.
fn kind_of(reason: &Refusal) -> String {
    match reason {
        Refusal::PlayerWaits { .. } => "a player waits in another ticket".to_owned(),
        Refusal::Full { .. } => "too many tickets wait".to_owned(),
        Refusal::PartyTooLarge { .. } => "the party fits no team".to_owned(),
        Refusal::Missing { name } => format!("`{name}` is missing"),
        other => other.to_string(),
    }
}
