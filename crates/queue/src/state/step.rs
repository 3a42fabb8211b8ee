//! [`step`]: events, time and a policy in; decisions and the next time out.

use std::collections::BTreeSet;
use std::sync::Arc;

use thiserror::Error;

use super::apply::ApplyError;
use super::check::{fits, has_place};
use super::{State, Timer};
use crate::event::{Event, EventKind};
use crate::ids::{MatchId, PlayerId, ProposalId, TicketId};
use crate::outcome::{
    Decision, EndReason, LeaveReason, Lobby, Match, Outcome, Proposal, QueueStatus, Refusal,
};
use crate::policy::{Budget, MatchPolicy};
use crate::ticket::{Member, Ticket};
use crate::time::Time;

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

/// The same, where the policy may do so much work. If that was not enough the wakeup is at once.
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
    let mut step = Step {
        state,
        policy,
        now,
        events,
        decisions: Vec::new(),
    };
    step.run_timers()?;
    for event in 0..events.len() {
        step.take(event)?;
    }
    step.propose(budget)?;
    let next = step.policy.next_time(&step.state.pool, now);
    let failures = step.policy.take_failures();
    let decisions = step.decisions;
    let wakeup = [next, state.next_timer()].into_iter().flatten().min();
    // The last moment there is stands for never.
    let wakeup = wakeup.filter(|&at| at < Time::MAX);
    Ok(Outcome {
        decisions,
        wakeup,
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
    for event in events {
        state.seen.insert(event.id, now);
    }
    let mut step = Step {
        state,
        policy,
        now,
        events,
        decisions: Vec::new(),
    };
    outcome
        .decisions
        .iter()
        .try_for_each(|decision| step.tell(decision))?;
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
struct Step<'a> {
    state: &'a mut State,
    policy: &'a mut dyn MatchPolicy,
    now: Time,
    events: &'a [Event],
    decisions: Vec<Decision>,
}

impl Step<'_> {
    fn decide(&mut self, decision: Decision) -> Result<(), StepError> {
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
            // The old policy's tickets are not those of the new one, under other keys and queues.
            Decision::PolicySet { .. } => self
                .state
                .pool
                .waiting()
                .into_iter()
                .for_each(|ticket| self.leave(ticket)),
            _ => {}
        }
        self.state.apply(self.events, decision)?;
        match decision {
            Decision::Admitted { ticket, .. } | Decision::Edited { ticket, .. } => {
                self.policy.enter(&self.state.pool, *ticket, now);
            }
            Decision::Ended { returned, .. } | Decision::Failed { returned, .. } => {
                for &ticket in returned {
                    self.policy.enter(&self.state.pool, ticket, now);
                }
            }
            Decision::PolicySet { .. } => {
                for ticket in self.state.pool.waiting() {
                    self.policy.enter(&self.state.pool, ticket, now);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Tells the policy of a ticket that stops waiting, unless its players are being asked.
    fn leave(&mut self, ticket: TicketId) {
        let pool = &self.state.pool;
        if pool.get(ticket).is_some_and(|waiting| waiting.proposal.is_none()) {
            self.policy.leave(pool, ticket, self.now);
        }
    }

    /// Everything that ran out by now, in the order of its times.
    fn run_timers(&mut self) -> Result<(), StepError> {
        while let Some(&(at, timer)) = self.state.timers.first() {
            if at > self.now {
                break;
            }
            match timer {
                Timer::Deadline(proposal) => self.time_out(proposal)?,
                Timer::Expire(ticket) => {
                    let reason = LeaveReason::Expired;
                    self.decide(Decision::Left { ticket, reason })?;
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, event: usize) -> Result<(), StepError> {
        let given = &self.events[event];
        if !self.state.seen.insert(given.id, self.now) {
            return self.decide(Decision::Duplicate { event });
        }
        let taken = match &given.kind {
            EventKind::Create(ticket) => self.create(event, ticket)?,
            EventKind::Cancel(ticket) => self.cancel(*ticket)?,
            EventKind::Edit { ticket, players } => self.edit(event, *ticket, players)?,
            EventKind::Accept { proposal, player } => self.accept(*proposal, *player)?,
            EventKind::Decline { proposal, player } => self.decline(*proposal, *player)?,
            EventKind::FailProposal(proposal) => self.fail_proposal(*proposal)?,
            EventKind::FailMatch(match_id) => self.fail_match(*match_id)?,
            EventKind::Pause(queue) => self.set_queue(queue, QueueStatus::Paused)?,
            EventKind::Drain(queue) => self.set_queue(queue, QueueStatus::Draining)?,
            EventKind::Resume(queue) => self.set_queue(queue, QueueStatus::Running)?,
            EventKind::SetPolicy(_) => {
                self.decide(Decision::PolicySet { event })?;
                Ok(())
            }
        };
        match taken {
            Ok(()) => Ok(()),
            Err(reason) => self.decide(Decision::Refused { event, reason }),
        }
    }

    fn create(&mut self, event: usize, ticket: &Ticket) -> Result<Result<(), Refusal>, StepError> {
        let policy = || {
            self.policy
                .admits(ticket)
                .map_err(|reason| Refusal::Policy { reason })
        };
        if let Err(reason) = self.state.check_ticket(ticket, self.now).and_then(|()| policy()) {
            return Ok(Err(reason));
        }
        let players = ticket.players.iter().map(|member| member.id);
        let low_priority = self.state.is_low_priority(players, self.now);
        self.decide(Decision::Admitted {
            event,
            ticket: ticket.id,
            low_priority,
        })?;
        self.expire_if_due(ticket.id)?;
        Ok(Ok(()))
    }

    /// A ticket that waits again after its own time was over leaves.
    fn expire_if_due(&mut self, ticket: TicketId) -> Result<(), StepError> {
        let waiting = self.state.pool.get(ticket);
        let expires = waiting.and_then(|waiting| waiting.ticket.expires);
        if expires.is_some_and(|expires| expires <= self.now) {
            let reason = LeaveReason::Expired;
            self.decide(Decision::Left { ticket, reason })?;
        }
        Ok(())
    }

    fn cancel(&mut self, ticket: TicketId) -> Result<Result<(), Refusal>, StepError> {
        let Some(waiting) = self.state.pool.get(ticket) else {
            let matched = self.state.matched.get(&ticket);
            return Ok(Err(matched
                .map_or(Refusal::UnknownTicket { ticket }, |&match_id| {
                    Refusal::IsMatched { ticket, match_id }
                })));
        };
        let reason = LeaveReason::Cancelled;
        match waiting.proposal {
            Some(proposal) => {
                // The event does not name a player: the party's first stands for it. Who plays already declines nothing.
                let players = waiting.ticket.players.iter().map(|member| member.id);
                let asked = usize::from(waiting.ticket.backfill.is_none());
                let players: Vec<PlayerId> = players.take(asked).collect();
                self.end_for(proposal, &players, BTreeSet::from([ticket]), reason)?;
            }
            None => self.decide(Decision::Left { ticket, reason })?,
        }
        Ok(Ok(()))
    }

    fn edit(
        &mut self,
        event: usize,
        ticket: TicketId,
        players: &[Member],
    ) -> Result<Result<(), Refusal>, StepError> {
        let Some(waiting) = self.state.pool.get(ticket) else {
            return Ok(Err(Refusal::UnknownTicket { ticket }));
        };
        if let Some(proposal) = waiting.proposal {
            return Ok(Err(Refusal::IsProposed { ticket, proposal }));
        }
        let edited = Ticket {
            players: players.to_vec(),
            ..(*waiting.ticket).clone()
        };
        let check = || {
            edited.check()?;
            self.state.check_members(&edited, self.now)?;
            let mut queues = waiting.queues.iter();
            queues.try_for_each(|queue| fits(&edited, self.state.pool.teams(queue), queue))?;
            self.policy
                .admits(&edited)
                .map_err(|reason| Refusal::Policy { reason })
        };
        if let Err(reason) = check() {
            return Ok(Err(reason));
        }
        let players = edited.players.iter().map(|member| member.id);
        let low_priority = self.state.is_low_priority(players, self.now);
        self.decide(Decision::Edited {
            event,
            ticket,
            low_priority,
        })?;
        Ok(Ok(()))
    }

    /// The refusal of an answer that no open proposal waits for.
    fn check_answer(&self, proposal: ProposalId, player: PlayerId) -> Result<(), Refusal> {
        if !self.state.proposals.contains_key(&proposal) {
            return Err(Refusal::UnknownProposal { proposal });
        }
        let ticket = self
            .state
            .ticket_of(player)
            .and_then(|ticket| self.state.pool.get(ticket));
        let is_asked =
            ticket.is_some_and(|one| one.proposal == Some(proposal) && one.ticket.backfill.is_none());
        if is_asked {
            Ok(())
        } else {
            Err(Refusal::NotInProposal { proposal, player })
        }
    }

    fn accept(&mut self, proposal: ProposalId, player: PlayerId) -> Result<Result<(), Refusal>, StepError> {
        if let Err(reason) = self.check_answer(proposal, player) {
            return Ok(Err(reason));
        }
        self.decide(Decision::Accepted { proposal, player })?;
        let open = self
            .state
            .proposals
            .get(&proposal)
            .filter(|open| open.undecided.is_empty());
        if let Some(open) = open {
            let (lobby, policy) = (open.proposal.lobby.clone(), Arc::clone(&open.proposal.policy));
            self.make(lobby, Some(proposal), policy)?;
        }
        Ok(Ok(()))
    }

    fn decline(&mut self, proposal: ProposalId, player: PlayerId) -> Result<Result<(), Refusal>, StepError> {
        if let Err(reason) = self.check_answer(proposal, player) {
            return Ok(Err(reason));
        }
        let tickets = self.tickets_of(&[player]);
        self.end_for(proposal, &[player], tickets, LeaveReason::Declined)?;
        Ok(Ok(()))
    }

    fn fail_proposal(&mut self, proposal: ProposalId) -> Result<Result<(), Refusal>, StepError> {
        if !self.state.proposals.contains_key(&proposal) {
            return Ok(Err(Refusal::UnknownProposal { proposal }));
        }
        self.end(proposal, EndReason::Failed)?;
        Ok(Ok(()))
    }

    fn fail_match(&mut self, match_id: MatchId) -> Result<Result<(), Refusal>, StepError> {
        let Some(recent) = self.state.matches.get(&match_id) else {
            return Ok(Err(Refusal::UnknownMatch { match_id }));
        };
        // A player who queued anew since then waits there; and a new policy may have no place for a ticket.
        let is_free = |ticket: &Ticket| {
            let mut players = ticket.players.iter();
            players.all(|member| self.state.ticket_of(member.id).is_none())
                && has_place(&self.state.settings, ticket)
        };
        let tickets = recent.tickets.iter().map(|waiting| &*waiting.ticket);
        let returned: Vec<TicketId> = tickets
            .filter(|&ticket| is_free(ticket))
            .map(|ticket| ticket.id)
            .collect();
        let back = returned.clone();
        self.decide(Decision::Failed { match_id, returned })?;
        back.into_iter()
            .try_for_each(|ticket| self.expire_if_due(ticket))?;
        Ok(Ok(()))
    }

    fn set_queue(&mut self, queue: &str, status: QueueStatus) -> Result<Result<(), Refusal>, StepError> {
        let queue = queue.to_owned();
        if self.state.pool.status(&queue).is_none() {
            return Ok(Err(Refusal::UnknownQueue { queue }));
        }
        self.decide(Decision::QueueIs { queue, status })?;
        Ok(Ok(()))
    }

    /// The players who have not answered are removed, with their parties; the others wait again.
    fn time_out(&mut self, proposal: ProposalId) -> Result<(), StepError> {
        let open = self.state.proposals.get(&proposal);
        let undecided: Vec<PlayerId> = open
            .into_iter()
            .flat_map(|open| open.undecided.iter().copied())
            .collect();
        let tickets = self.tickets_of(&undecided);
        self.end_for(proposal, &undecided, tickets, LeaveReason::TimedOut)
    }

    fn tickets_of(&self, players: &[PlayerId]) -> BTreeSet<TicketId> {
        let tickets = players.iter().map(|&player| self.state.ticket_of(player));
        tickets.flatten().collect()
    }

    /// Ends a proposal because of these players and tickets, which leave.
    fn end_for(
        &mut self,
        proposal: ProposalId,
        players: &[PlayerId],
        tickets: BTreeSet<TicketId>,
        reason: LeaveReason,
    ) -> Result<(), StepError> {
        for &player in players {
            self.punish(player)?;
        }
        for ticket in tickets {
            self.decide(Decision::Left { ticket, reason })?;
        }
        let reason = match reason {
            LeaveReason::TimedOut => EndReason::TimedOut,
            _ => EndReason::Declined,
        };
        self.end(proposal, reason)
    }

    /// Ends a proposal; the tickets that are still there wait again.
    fn end(&mut self, proposal: ProposalId, reason: EndReason) -> Result<(), StepError> {
        let open = self.state.proposals.get(&proposal);
        let tickets = open.into_iter().flat_map(|open| open.proposal.lobby.tickets());
        let returned: Vec<TicketId> = tickets
            .filter(|&ticket| self.state.pool.get(ticket).is_some())
            .collect();
        let back = returned.clone();
        self.decide(Decision::Ended {
            proposal,
            reason,
            returned,
        })?;
        back.into_iter().try_for_each(|ticket| self.expire_if_due(ticket))
    }

    fn punish(&mut self, player: PlayerId) -> Result<(), StepError> {
        let settings = &self.state.settings;
        let (cooldowns, after) = (&settings.cooldowns, settings.low_priority_after);
        if cooldowns.is_empty() && after.is_none() {
            return Ok(());
        }
        let before = self.state.declines.get(&player);
        let forget = settings.forget_declines_after;
        let before = before.filter(|before| before.last.plus(forget) > self.now);
        let declines = before.map_or(0, |before| before.count).saturating_add(1);
        let place = (declines as usize).min(cooldowns.len());
        let span = if place == 0 { 0 } else { cooldowns[place - 1] };
        let low_priority = after.is_some_and(|after| declines >= after);
        self.decide(Decision::Cooldown {
            player,
            declines,
            until: self.now.plus(span),
            low_priority_until: low_priority.then(|| self.now.plus(self.state.settings.low_priority_for)),
        })
    }

    /// What the policy proposes, until it has nothing more to propose.
    fn propose(&mut self, mut budget: Budget) -> Result<(), StepError> {
        loop {
            let lobbies = self.policy.propose(&self.state.pool, self.now, &mut budget);
            if lobbies.is_empty() {
                return Ok(());
            }
            for lobby in lobbies {
                if let Err(fault) = self.state.pool.check_lobby(&lobby) {
                    // The same would come again for ever.
                    return self.decide(Decision::BadLobby { lobby, fault });
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
            }
        }
    }

    fn make(
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
