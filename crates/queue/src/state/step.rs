//! [`step`]: events, time and a policy in; decisions and the next time out.

use std::collections::BTreeSet;
use std::sync::Arc;

use thiserror::Error;

use super::apply::ApplyError;
use super::check::has_place;
use super::{Answer, State, Timer};
use crate::event::{Event, EventKind};
use crate::ids::{MatchId, ProposalId, TicketId};
use crate::outcome::{Decision, LeaveReason, Lobby, Match, Outcome, Proposal};
use crate::policy::{Budget, MatchPolicy};
use crate::time::Time;

/// How long the tickets of a bad lobby are kept from the policy, in milliseconds.
const ASIDE: i64 = 60_000;

/// The units of work for a ticket that comes to the policy or leaves without an event: the entries looked at for it.
const MOVED: u64 = 8;

/// When a policy is asked again that would wake without an end.
const SPIN: i64 = 1000;

/// What is told of such policies.
pub(crate) const SPINS: &str =
    "the policy is done, and wakes at once all the same: it is asked again in a second";
pub(crate) const STUCK: &str = "the policy is not done, and does nothing: it is not asked again in this step";

/// Why a step was not taken; the state is as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// Time that goes back.
    #[error("the step is at {now:?}, before the last one at {last:?}: give times that never go back")]
    TimeWentBack {
        /// The time of the step.
        now: Time,
        /// That of the state.
        last: Time,
    },
    /// A policy that comes after other events of the step, which the old one should have decided.
    #[error("event {event} sets the policy: give it a step of its own")]
    PolicyNotAlone {
        /// Its place.
        event: usize,
    },
    /// A policy without a queue in which a ticket waits, whose teams are too small for it, or that needs what is not
    /// known of it.
    #[error("the new policy has no place for ticket {ticket}, which waits: drain its queues first")]
    NoPlace {
        /// The ticket.
        ticket: TicketId,
    },
    /// Decisions that do not fit the state, of another journal.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

/// One step of a queue: events that happened until `now` go in, with the policy that decides; what follows comes out.
///
/// Timers that ran out by then come first, in the order of their times, then the events in theirs, then what the policy
/// proposes. Deterministic: the same state, policy and events give the same outcome, on every machine.
///
/// O(log n) for each event with n tickets, and what the policy takes.
///
/// # Errors
/// [`StepError`]; the state is then as it was.
///
/// ```
/// use matchwright_queue::{
///     Event, Pairs, PairsParams, PolicyLabel, QueueSettings, State, Ticket, Time, WindowParams, step,
/// };
///
/// // A window of 50 points that grows by 10 a second; both must accept.
/// let window = WindowParams { start: 50.0, per_second: 10.0, ..WindowParams::of("rating") };
/// let mut policy = Pairs::new("", PairsParams { windows: vec![window], ..PairsParams::default() }.build()?);
/// let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
///
/// let ticket = |id: u64, rating: f64| Event::create(id, Ticket::of_one(id, id).with("rating", rating));
/// let outcome = step(&mut state, &mut policy, Time::from_millis(0), &[ticket(1, 1500.0)])?;
/// assert_eq!((outcome.matches().count(), outcome.wakeup), (0, None));
/// // 120 points apart: compatible when both windows have grown by 70, 7 seconds after the second came.
/// let outcome = step(&mut state, &mut policy, Time::from_millis(1000), &[ticket(2, 1620.0)])?;
/// assert_eq!(outcome.wakeup, Some(Time::from_millis(8000)));
/// let outcome = step(&mut state, &mut policy, Time::from_millis(8000), &[])?;
/// assert_eq!(outcome.matches().next().map(|made| made.lobby.mismatch), Some(120.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn step(
    state: &mut State,
    policy: &mut dyn MatchPolicy,
    now: Time,
    events: &[Event],
) -> Result<Outcome, StepError> {
    step_within(state, policy, now, events, Budget::default())
}

/// The same within this budget of work, beside that of the events themselves. If it was not enough, the outcome is
/// unfinished and the wakeup at once.
///
/// # Errors
/// As [`step`].
pub fn step_within(
    state: &mut State,
    policy: &mut dyn MatchPolicy,
    now: Time,
    events: &[Event],
    budget: Budget,
) -> Result<Outcome, StepError> {
    check(state, now, events)?;
    state.begin(now)?;
    let is_told = !has_new_policy(state, events);
    let mut step = Step {
        state,
        policy,
        now,
        events,
        decisions: Vec::new(),
        failures: Vec::new(),
        budget,
        is_told,
    };
    let mut unfinished = !step.run_timers()?;
    for event in 0..events.len() {
        step.take(event)?;
    }
    // Nobody is matched whose time is over, or before those who waited longer under the old policy are known.
    unfinished = unfinished || !step.take_over()? || !step.propose()?;
    let wakeup = if unfinished { Some(now) } else { step.wakeup() };
    let mut failures = step.policy.take_failures();
    failures.extend(step.failures);
    let decisions = step.decisions;
    state.wakeup = wakeup;
    Ok(Outcome {
        decisions,
        wakeup,
        unfinished,
        budget,
        failures,
    })
}

/// Makes a state and its policy follow a step that was taken before, from a journal: what was decided then is
/// done again, though this policy might decide otherwise.
///
/// # Errors
/// [`StepError::Apply`] if the step was taken in another state; this one is then of no use.
pub fn follow(
    state: &mut State,
    policy: &mut dyn MatchPolicy,
    now: Time,
    events: &[Event],
    outcome: &Outcome,
) -> Result<(), StepError> {
    state.begin(now)?;
    let is_told = !has_new_policy(state, events);
    let duplicates: BTreeSet<usize> = outcome.duplicates().collect();
    for (place, event) in events.iter().enumerate() {
        if !duplicates.contains(&place) {
            state.set_answer(event.id, Answer::Followed);
        }
    }
    let mut step = Step {
        state,
        policy,
        now,
        events,
        decisions: Vec::new(),
        failures: Vec::new(),
        budget: outcome.budget,
        is_told,
    };
    outcome
        .decisions
        .iter()
        .try_for_each(|decision| step.tell(decision))?;
    state.wakeup = outcome.wakeup;
    Ok(())
}

/// What makes a step impossible.
fn check(state: &State, now: Time, events: &[Event]) -> Result<(), StepError> {
    if now < state.now {
        return Err(StepError::TimeWentBack { now, last: state.now });
    }
    let policies = events
        .iter()
        .enumerate()
        .filter_map(|(event, given)| match &given.kind {
            EventKind::SetPolicy(change) => Some((event, change)),
            _ => None,
        });
    for (event, change) in policies {
        if events.len() > 1 {
            return Err(StepError::PolicyNotAlone { event });
        }
        let homeless = state
            .pool
            .tickets()
            .find(|waiting| !has_place(&change.settings, &waiting.ticket));
        if let Some(waiting) = homeless {
            return Err(StepError::NoPlace {
                ticket: waiting.ticket.id,
            });
        }
    }
    Ok(())
}

/// A step under way.
pub(super) struct Step<'a> {
    pub(super) state: &'a mut State,
    pub(super) policy: &'a mut dyn MatchPolicy,
    pub(super) now: Time,
    pub(super) events: &'a [Event],
    decisions: Vec<Decision>,
    failures: Vec<String>,
    pub(super) budget: Budget,
    /// Whether the policy knows of tickets: a new one does not until it is in force.
    is_told: bool,
}

/// Whether the policy of a step is one that comes with it.
fn has_new_policy(state: &State, events: &[Event]) -> bool {
    let mut new = events.iter();
    new.any(|event| matches!(event.kind, EventKind::SetPolicy(_)) && !state.has_seen(event.id))
}

impl Step<'_> {
    pub(super) fn decide(&mut self, decision: Decision) -> Result<(), StepError> {
        self.tell(&decision)?;
        self.decisions.push(decision);
        Ok(())
    }

    /// Applies a decision, and tells the policy which tickets wait now and which no longer.
    fn tell(&mut self, decision: &Decision) -> Result<(), StepError> {
        let now = self.now;
        match decision {
            Decision::Left { ticket, .. } | Decision::Edited { ticket, .. } => self.leave(*ticket),
            Decision::Proposed(proposal) => proposal.lobby.tickets().for_each(|ticket| self.leave(ticket)),
            Decision::Matched(made) => {
                made.lobby.tickets().for_each(|ticket| self.leave(ticket));
                self.policy.learn(made, &self.state.pool, now);
            }
            Decision::BadLobby { aside, .. } => aside.iter().for_each(|&ticket| self.leave(ticket)),
            Decision::Noted { queue, note } => self.policy.note(&self.state.pool, now, queue, note),
            _ => {}
        }
        let taken = match decision {
            Decision::TakenOver { behind } => self.state.pool.taken_over(*behind),
            _ => Vec::new(),
        };
        self.state.apply(self.events, decision)?;
        match decision {
            Decision::PolicySet { .. } => self.is_told = true,
            Decision::Admitted { ticket, .. }
            | Decision::Edited { ticket, .. }
            | Decision::Returned { ticket } => self.enter(*ticket),
            Decision::Ended { returned, .. } | Decision::Failed { returned, .. } => {
                for &ticket in returned {
                    self.enter(ticket);
                }
            }
            Decision::TakenOver { .. } => {
                for ticket in taken {
                    self.enter(ticket);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells the policy of a ticket that it may match from now on.
    fn enter(&mut self, ticket: TicketId) {
        let pool = &self.state.pool;
        if self.is_told && pool.get(ticket).is_some_and(|waiting| pool.is_offered(waiting)) {
            self.policy.enter(pool, ticket, self.now);
        }
    }

    /// Tells the policy of a ticket that stops waiting, unless its players are being asked.
    fn leave(&mut self, ticket: TicketId) {
        let pool = &self.state.pool;
        if self.is_told && pool.get(ticket).is_some_and(|waiting| pool.is_offered(waiting)) {
            self.policy.leave(pool, ticket, self.now);
        }
    }

    /// Everything that ran out by now, in the order of its times; whether all of it was done.
    fn run_timers(&mut self) -> Result<bool, StepError> {
        while let Some(&(at, timer)) = self.state.timers.first() {
            if at > self.now {
                break;
            }
            if !self.budget.begin(MOVED) {
                return Ok(false);
            }
            match timer {
                Timer::Deadline(proposal) => self.time_out(proposal)?,
                Timer::Expire(ticket) => {
                    let reason = LeaveReason::Expired;
                    self.decide(Decision::Left { ticket, reason })?;
                }
                Timer::Return(ticket) => self.decide(Decision::Returned { ticket })?,
            }
        }
        Ok(true)
    }

    /// Tells a new policy of the tickets that waited, the oldest first; whether it knows all.
    fn take_over(&mut self) -> Result<bool, StepError> {
        if !self.state.pool.is_behind() {
            return Ok(true);
        }
        let most = self.budget.left().div_ceil(MOVED);
        let (next, behind) = self.state.pool.next_taken_over(most);
        self.budget.begin(next * MOVED);
        if next > 0 || behind.is_none() {
            self.decide(Decision::TakenOver { behind })?;
        }
        Ok(behind.is_none())
    }

    /// When something happens next if nothing comes.
    fn wakeup(&mut self) -> Option<Time> {
        let mut next = self.policy.next_time(&self.state.pool, self.now);
        if let Some(at) = next.filter(|&at| at <= self.now) {
            self.failures.push(format!("{SPINS} (at {} ms)", at.millis()));
            next = Some(self.now.plus(SPIN));
        }
        let wakeup = next.into_iter().chain(self.state.next_timer()).min();
        // The last moment there is stands for never.
        wakeup.filter(|&at| at < Time::MAX)
    }

    /// What the policy proposes, until it has nothing more to propose or the budget is spent; whether it is done.
    fn propose(&mut self) -> Result<bool, StepError> {
        loop {
            let before = self.budget;
            let proposed = self.policy.propose(&self.state.pool, self.now, &mut self.budget);
            let is_idle = proposed.lobbies.is_empty() && proposed.notes.is_empty() && self.budget == before;
            for (queue, note) in proposed.notes {
                self.decide(Decision::Noted { queue, note })?;
            }
            let mut is_stuck = false;
            for lobby in proposed.lobbies {
                is_stuck |= !self.offer(lobby)?;
            }
            if proposed.is_done {
                return Ok(true);
            }
            if self.budget.is_spent() {
                return Ok(false);
            }
            if is_idle || is_stuck {
                self.failures.push(STUCK.to_owned());
                return Ok(true);
            }
        }
    }

    /// Makes a lobby, or sets its tickets aside; whether anything changed.
    fn offer(&mut self, lobby: Lobby) -> Result<bool, StepError> {
        if let Err(fault) = self.state.pool.check_lobby(&lobby) {
            let pool = &self.state.pool;
            let waits = |ticket: &TicketId| pool.get(*ticket).is_some_and(|one| pool.is_offered(one));
            let aside: BTreeSet<TicketId> = lobby.tickets().filter(waits).collect();
            let aside: Vec<TicketId> = aside.into_iter().collect();
            let is_new = !aside.is_empty();
            let until = self.now.plus(ASIDE);
            self.decide(Decision::BadLobby {
                lobby,
                fault,
                aside,
                until,
            })?;
            return Ok(is_new);
        }
        let policy = Arc::clone(&self.state.policy);
        match self.state.settings.accept_within {
            None => self.make(lobby, None, policy)?,
            Some(span) => {
                let proposal = Proposal {
                    id: ProposalId(self.state.next_proposal.saturating_add(1)),
                    lobby,
                    deadline: self.now.plus(span),
                    policy,
                };
                self.decide(Decision::Proposed(Arc::new(proposal)))?;
            }
        }
        Ok(true)
    }

    pub(super) fn make(
        &mut self,
        lobby: Lobby,
        proposal: Option<ProposalId>,
        policy: Arc<crate::event::PolicyLabel>,
    ) -> Result<(), StepError> {
        let tickets = || lobby.tickets().filter_map(|ticket| self.state.pool.get(ticket));
        let backfill = tickets().find_map(|waiting| waiting.ticket.backfill.as_ref());
        let made = Match {
            id: MatchId(self.state.next_match.saturating_add(1)),
            proposal,
            backfill: backfill.map(|backfill| backfill.match_id),
            policy,
            joined: tickets().map(|waiting| waiting.joined).collect(),
            lobby,
        };
        self.decide(Decision::Matched(Arc::new(made)))
    }
}
