//! What a policy does after a bad lobby, and where a budget cuts its steps: seen from between it and the core.

use super::run::Run;
use super::violation::{Law, LawViolation};
use crate::event::EventKind;
use crate::ids::TicketId;
use crate::outcome::{Decision, Match, Outcome};
use crate::policy::{Budget, MatchPolicy, Proposed};
use crate::settings::QueueSettings;
use crate::state::Pool;
use crate::ticket::Ticket;
use crate::time::{Time, millis};
use crate::why::Why;

/// Tickets that come.
const TICKETS: usize = 200;

/// A budget that cuts no step, of which what is taken can be told.
const AMPLE: u64 = 1 << 40;

/// In a lobby that is spoiled: no ticket.
const ABSENT: TicketId = TicketId(u64::MAX);

/// A policy, some of whose lobbies are spoiled, and what it takes of budgets.
struct Probe<P> {
    inner: P,
    spoils: bool,
    lobbies: usize,
    spent: u64,
    fault: Option<String>,
}

impl<P> Probe<P> {
    fn new(inner: P, spoils: bool) -> Self {
        Self {
            inner,
            spoils,
            lobbies: 0,
            spent: 0,
            fault: None,
        }
    }
}

impl<P: MatchPolicy> MatchPolicy for Probe<P> {
    fn admits(&self, pool: &Pool, ticket: &Ticket) -> Result<(), String> {
        self.inner.admits(pool, ticket)
    }

    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.inner.enter(pool, ticket, now);
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.inner.leave(pool, ticket, now);
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        let before = budget.left();
        let mut proposed = self.inner.propose(pool, now, budget);
        let spent = before - budget.left();
        self.spent += spent;
        if !budget.is_unlimited() && spent == 0 && !proposed.lobbies.is_empty() {
            let lobbies = proposed.lobbies.len();
            self.fault = Some(format!("{lobbies} lobbies of {before} units take none"));
        }
        for lobby in proposed.lobbies.iter_mut().filter(|_| self.spoils) {
            self.lobbies += 1;
            if self.lobbies % 3 == 1 {
                lobby.teams.push(vec![ABSENT]);
            }
        }
        proposed
    }

    fn note(&mut self, pool: &Pool, now: Time, queue: &str, note: &[u8]) {
        self.inner.note(pool, now, queue, note);
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        self.inner.next_time(pool, now)
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.inner.why(pool, ticket, now)
    }

    fn liveness(&self) -> Option<f64> {
        self.inner.liveness()
    }

    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        self.inner.learn(made, pool, now);
    }
}

/// Each third lobby is a bad one: its tickets are not proposed again before they return.
pub(super) fn check_bad_lobbies<P: MatchPolicy>(
    policy: P,
    settings: &QueueSettings,
    ticket: &dyn Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
    seed: u64,
) -> Result<(), LawViolation> {
    let mut run = Run::new(Probe::new(policy, true), settings, seed);
    let each = |run: &mut Run<Probe<P>>, outcome: &Outcome| {
        for decision in &outcome.decisions {
            if let Decision::BadLobby { lobby, aside, .. } = decision
                && let Some(again) = lobby.tickets().find(|one| *one != ABSENT && !aside.contains(one))
            {
                return Err(run.broken(Law::BadLobby, format!("ticket {again}: {decision:?}")));
            }
        }
        Ok(())
    };
    for _ in 0..TICKETS {
        let until = run.now.plus(millis(3.0 * run.draw() * run.draw()));
        run.wait(until, each)?;
        let create = EventKind::Create(run.ticket(ticket));
        let outcome = run.step(until, vec![create])?;
        each(&mut run, &outcome)?;
    }
    run.wait(Time::MAX, each)
}

/// A queue that was paused while tickets came runs again, within a budget, with at most this many cut steps: what all steps
/// take.
///
/// A call that proposes lobbies takes units, and after a step that was not cut there is nothing left to do.
fn resume<P: MatchPolicy>(
    mut run: Run<Probe<P>>,
    (budget, most): (Budget, u64),
    ticket: &dyn Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
) -> Result<u64, LawViolation> {
    let queues: Vec<String> = run.state.settings().queues.keys().cloned().collect();
    run.step(run.now, queues.iter().cloned().map(EventKind::Pause).collect())?;
    for _ in 0..TICKETS {
        let now = run.now.plus(millis(0.1 * run.draw()));
        let create = EventKind::Create(run.ticket(ticket));
        run.step(now, vec![create])?;
    }
    run.budget = budget;
    run.policy.spent = 0;
    let mut cut = 0;
    let mut each = |run: &mut Run<Probe<P>>, outcome: &Outcome| {
        if outcome.unfinished {
            cut += 1;
            let is_slow = cut > most;
            return if is_slow {
                Err(run.broken(Law::Fair, format!("{cut} cut steps")))
            } else {
                Ok(())
            };
        }
        let spent = run.policy.spent;
        run.budget = Budget::new(AMPLE);
        let more = run.step(run.now, Vec::new())?;
        (run.budget, run.policy.spent) = (budget, spent);
        if let Some(fault) = run.policy.fault.take() {
            return Err(run.broken(Law::Bounded, fault));
        }
        if more.decisions.is_empty() {
            Ok(())
        } else {
            Err(run.broken(Law::Bounded, format!("not cut, and yet {:?}", more.decisions)))
        }
    };
    let outcome = run.step(run.now, queues.into_iter().map(EventKind::Resume).collect())?;
    each(&mut run, &outcome)?;
    run.wait(Time::MAX, &mut each)?;
    Ok(run.policy.spent)
}

/// Steps within a budget come to an end, after about as many as the work takes without one.
pub(super) fn check_cut<P: MatchPolicy>(
    budget: Budget,
    policy: &dyn Fn() -> P,
    settings: &QueueSettings,
    ticket: &dyn Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
    seed: u64,
) -> Result<(), LawViolation> {
    let run = || Run::new(Probe::new(policy(), false), settings, seed);
    let work = resume(run(), (Budget::new(AMPLE), 0), ticket)?;
    // What was cut may be looked at again.
    let most = 8 + 2 * (work / budget.left().max(1));
    resume(run(), (budget, most), ticket).map(drop)
}
