//! A random stream of events, under which a policy, its twins and a restored one must agree.

use std::collections::VecDeque;
use std::sync::Arc;

use super::probe::{check_bad_lobbies, check_cut};
use super::run::{MOST_WAKEUPS, uniform};
use super::violation::{Law, LawViolation};
use crate::event::{Event, EventKind, PolicyLabel};
use crate::ids::{PlayerId, ProposalId, TicketId};
use crate::outcome::{Decision, Outcome};
use crate::policy::{Budget, MatchPolicy};
use crate::settings::QueueSettings;
#[cfg(feature = "journal")]
use crate::state::follow;
use crate::state::{Answer, SPINS, STUCK, State, StepError, Waiting, step, step_within};
use crate::ticket::Ticket;
use crate::time::{Time, millis};

/// Steps with events of one stream.
const STEPS: usize = 200;

/// How many of the last events may be sent again.
const REPEATED: usize = 64;

/// Checks the laws of a policy on a random stream of tickets that come, leave, accept and decline.
///
/// Beside the policy another one gets the same calls, and a third one more calls of
/// [`propose`](MatchPolicy::propose). With the feature `journal` one more follows from a snapshot on what is recorded,
/// and goes on by itself later. Then each third lobby of one is made bad, whose tickets are set aside.
///
/// `policy` makes a new one each time, all alike. `ticket` makes the ticket of a number, of players that no other
/// ticket has, by numbers in \[0, 1) that the function which it is given draws.
///
/// # Errors
/// The first law that is broken: see [`Law`].
///
/// ```
/// use matchwright_queue::laws::{check_exact_times, check_policy};
/// use matchwright_queue::{Pairs, PairsParams, QueueSettings, Ticket, WindowParams};
///
/// let window = WindowParams { start: 20.0, per_second: 5.0, ..WindowParams::of("rating") };
/// let settings = PairsParams { windows: vec![window], ..PairsParams::default() }.build()?;
/// let policy = || Pairs::new("", settings.clone());
/// let ticket = |id: u64, draw: &mut dyn FnMut() -> f64| Ticket::of_one(id, id).with("rating", 1000.0 * draw());
/// check_policy(policy, &QueueSettings::default(), ticket, 1)?;
/// check_exact_times(policy, &QueueSettings::default(), ticket, 1)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_policy<P: MatchPolicy>(
    policy: impl Fn() -> P,
    settings: &QueueSettings,
    ticket: impl Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
    seed: u64,
) -> Result<(), LawViolation> {
    check_policy_within(Budget::UNLIMITED, policy, settings, ticket, seed)
}

/// The same, each step within a budget, however small; in place of bad lobbies, a queue that was paused catches up within it.
///
/// # Errors
/// As [`check_policy`].
pub fn check_policy_within<P: MatchPolicy>(
    budget: Budget,
    policy: impl Fn() -> P,
    settings: &QueueSettings,
    ticket: impl Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
    seed: u64,
) -> Result<(), LawViolation> {
    let mut stream = Stream::new(&policy, settings, seed, false);
    stream.budget = budget;
    stream.run(&ticket)?;
    if budget.is_unlimited() {
        check_bad_lobbies(policy(), settings, &ticket, seed)
    } else {
        check_cut(budget, &policy, settings, &ticket, seed)
    }
}

/// As [`check_policy`], and that a lobby is proposed at each time that [`MatchPolicy::next_time`] gives, for policies that do not
/// say that they give earlier ones.
///
/// # Errors
/// As [`check_policy`], and [`Law::Exact`].
pub fn check_exact_times<P: MatchPolicy>(
    policy: impl Fn() -> P,
    settings: &QueueSettings,
    ticket: impl Fn(u64, &mut dyn FnMut() -> f64) -> Ticket,
    seed: u64,
) -> Result<(), LawViolation> {
    Stream::new(&policy, settings, seed, true).run(&ticket)
}

/// The place among `count` that lies at this share of them, in [0, 1).
fn place_of(share: f64, count: usize) -> Option<usize> {
    (0..count).find(|&at| (at + 1) as f64 > share * count as f64)
}

/// A queue with its policy.
struct Queue<P> {
    state: State,
    policy: P,
}

struct Stream<'a, P> {
    #[cfg_attr(
        not(feature = "journal"),
        expect(dead_code, reason = "recovery alone makes more")
    )]
    make: &'a dyn Fn() -> P,
    main: Queue<P>,
    /// Gets the same calls, until it is one that was recovered.
    twin: Queue<P>,
    is_recovered: bool,
    /// Follows from a snapshot on what is recorded.
    #[cfg(feature = "journal")]
    follower: Option<Queue<P>>,
    /// Gets calls in between as well.
    restless: Queue<P>,
    is_exact: bool,
    budget: Budget,
    now: Time,
    wakeup: Option<Time>,
    events: u64,
    /// Players who are asked, by proposal.
    asked: Vec<(ProposalId, PlayerId)>,
    /// The last events, with their times and answers.
    answered: VecDeque<(Time, Event, Option<Answer>)>,
    seed: u64,
    draw: u64,
    /// For what is sent again, beside the stream.
    repeats: u64,
}

impl<'a, P: MatchPolicy> Stream<'a, P> {
    fn new(make: &'a dyn Fn() -> P, settings: &QueueSettings, seed: u64, is_exact: bool) -> Self {
        let queue = || Queue {
            state: State::new(PolicyLabel::default(), settings.clone()),
            policy: make(),
        };
        Self {
            make,
            main: queue(),
            twin: queue(),
            is_recovered: false,
            #[cfg(feature = "journal")]
            follower: None,
            restless: queue(),
            is_exact,
            budget: Budget::default(),
            now: Time::default(),
            wakeup: None,
            events: 0,
            asked: Vec::new(),
            answered: VecDeque::new(),
            seed,
            draw: seed,
            repeats: !seed,
        }
    }

    fn draw(&mut self) -> f64 {
        uniform(&mut self.draw)
    }

    fn broken(&self, law: Law, detail: impl Into<String>) -> LawViolation {
        LawViolation {
            law,
            detail: detail.into(),
            at: self.now,
            seed: self.seed,
        }
    }

    fn run(mut self, ticket: &dyn Fn(u64, &mut dyn FnMut() -> f64) -> Ticket) -> Result<(), LawViolation> {
        for _ in 0..STEPS {
            let span = 3.0 * self.draw() * self.draw();
            let until = self.now.plus(millis(span));
            self.wait(until)?;
            self.disturb(until)?;
            let event = self.event(ticket);
            self.step(until, std::slice::from_ref(&event))?;
            let answer = self.main.state.answer(event.id).cloned();
            self.answered.push_back((until, event, answer));
            if self.answered.len() > REPEATED {
                self.answered.pop_front();
            }
            if uniform(&mut self.repeats) < 0.1 {
                self.repeat(until)?;
            }
            if self.draw() < 0.1 {
                self.recover()?;
            }
        }
        self.wait(Time::MAX)
    }

    /// Nothing comes until then.
    fn wait(&mut self, until: Time) -> Result<(), LawViolation> {
        let mut at_once = 0;
        for _ in 0..MOST_WAKEUPS {
            let Some(wakeup) = self.wakeup.filter(|&wakeup| wakeup <= until) else {
                return Ok(());
            };
            at_once = if wakeup == self.now { at_once + 1 } else { 0 };
            if at_once >= MOST_WAKEUPS / 2 {
                return Err(self.broken(Law::Progress, "unfinished without an end"));
            }
            self.disturb(wakeup)?;
            let timer = self.main.state.next_timer();
            let is_made = self.step(wakeup, &[])?;
            if self.is_exact && !is_made && timer != Some(wakeup) {
                return Err(self.broken(Law::Exact, "nothing was proposed"));
            }
        }
        Err(self.broken(Law::Quiet, format!("{MOST_WAKEUPS} wakeups without events")))
    }

    /// One of the last events is sent again.
    fn repeat(&mut self, now: Time) -> Result<(), LawViolation> {
        let place = place_of(uniform(&mut self.repeats), self.answered.len());
        let Some((at, event, answer)) = place.and_then(|place| self.answered.get(place).cloned()) else {
            return Ok(());
        };
        self.wait(now)?;
        if now.since(at) >= self.main.state.settings().remember {
            return Ok(());
        }
        // With a budget another step does more work.
        let is_made = self.step(now, std::slice::from_ref(&event))? && self.budget.is_unlimited();
        let found = [&self.main, &self.twin].map(|queue| queue.state.answer(event.id).cloned());
        if is_made || found != [answer.clone(), answer] {
            return Err(self.broken(Law::ToldAgain, format!("{event:?}: {found:?}")));
        }
        Ok(())
    }

    fn event(&mut self, ticket: &dyn Fn(u64, &mut dyn FnMut() -> f64) -> Ticket) -> Event {
        let (kind, place) = (self.draw(), self.draw());
        self.events += 1;
        let of = |count: usize| place_of(place, count);
        let asked = of(self.asked.len()).map(|at| self.asked.swap_remove(at));
        let kind = match asked {
            Some((proposal, player)) if kind < 0.4 => EventKind::Accept { proposal, player },
            Some((proposal, player)) if kind < 0.45 => EventKind::Decline { proposal, player },
            _ if kind < 0.55 => {
                let count = self.main.state.pool().len();
                let one = of(count).and_then(|at| self.main.state.pool().tickets().nth(at));
                EventKind::cancel(one.map_or(0, |waiting| waiting.ticket.id.0))
            }
            _ => {
                let number = self.events;
                EventKind::Create(Arc::new(ticket(number, &mut || self.draw())))
            }
        };
        Event::new(self.events, kind)
    }

    /// A step of the restless one before a time, and the departure of a ticket that it does not know.
    fn disturb(&mut self, until: Time) -> Result<(), LawViolation> {
        let span = until.since(self.now);
        // With a budget more steps do more work.
        if span < 2 || !self.budget.is_unlimited() || self.draw() < 0.5 {
            return Ok(());
        }
        let before = self
            .now
            .plus(1 + millis((span - 2) as f64 * self.draw() / 1000.0));
        let Queue { state, policy } = &mut self.restless;
        let stranger = TicketId(u64::MAX);
        policy.leave(state.pool(), stranger, self.now);
        let next = policy.next_time(state.pool(), self.now);
        let wakeup = next.into_iter().chain(state.next_timer()).min();
        if wakeup.filter(|&at| at < Time::MAX) != self.wakeup {
            return Err(self.broken(Law::Leaves, format!("the next time is {next:?} then")));
        }
        let outcome = step(state, policy, before, &[]);
        let outcome = outcome.map_err(|error| self.broken(Law::NotBefore, error.to_string()))?;
        if !outcome.decisions.is_empty() {
            return Err(self.broken(Law::NotBefore, format!("at {before:?}: {:?}", outcome.decisions)));
        }
        Ok(())
    }

    /// One step of all; whether a lobby was proposed.
    fn step(&mut self, now: Time, events: &[Event]) -> Result<bool, LawViolation> {
        self.now = now;
        let queues = [&mut self.main, &mut self.twin, &mut self.restless];
        let budget = self.budget;
        let outcomes: Result<Vec<Outcome>, StepError> = queues
            .into_iter()
            .map(|queue| step_within(&mut queue.state, &mut queue.policy, now, events, budget))
            .collect();
        let outcomes = outcomes.map_err(|error| self.broken(Law::Lobbies, error.to_string()))?;
        let [main, twin, restless] = &outcomes[..] else {
            return Err(self.broken(Law::Lobbies, "no three outcomes"));
        };
        let is_bad = |decision: &&Decision| matches!(decision, Decision::BadLobby { .. });
        if let Some(bad) = main.decisions.iter().find(is_bad) {
            return Err(self.broken(Law::Lobbies, format!("{bad:?}")));
        }
        let of_twin = if self.is_recovered {
            Law::Recovers
        } else {
            Law::Deterministic
        };
        for (other, law) in [(twin, of_twin), (restless, Law::NotBefore)] {
            let of = |outcome: &Outcome| (outcome.decisions.clone(), outcome.wakeup, outcome.unfinished);
            if of(main) != of(other) {
                return Err(self.broken(law, format!("{main:?} and {other:?}")));
            }
        }
        let tells = |failure: &&String| failure.starts_with(SPINS) || failure.starts_with(STUCK);
        if let Some(failure) = main.failures.iter().find(tells) {
            return Err(self.broken(Law::Progress, failure.clone()));
        }
        self.follow(events, main)?;
        self.wakeup = main.wakeup;
        for decision in &main.decisions {
            if let Decision::Proposed(proposal) = decision {
                let tickets = proposal.lobby.tickets();
                let waiting = tickets.filter_map(|ticket| self.main.state.pool().get(ticket));
                let players = waiting.flat_map(|waiting| &waiting.ticket.players);
                self.asked.extend(players.map(|member| (proposal.id, member.id)));
            }
        }
        let is_made = main.proposals().next().is_some() || main.matches().next().is_some();
        self.explain()?;
        if !main.unfinished {
            self.check_liveness()?;
        }
        Ok(is_made)
    }

    /// The follower gets what is recorded.
    #[cfg(feature = "journal")]
    fn follow(&mut self, events: &[Event], outcome: &Outcome) -> Result<(), LawViolation> {
        let Some(Queue { state, policy }) = &mut self.follower else {
            return Ok(());
        };
        if events.is_empty() && outcome.is_empty() {
            return Ok(());
        }
        let followed = follow(state, policy, self.now, events, outcome);
        followed.map_err(|error| self.broken(Law::Recovers, error.to_string()))
    }

    #[cfg(not(feature = "journal"))]
    fn follow(&mut self, _: &[Event], _: &Outcome) -> Result<(), LawViolation> {
        Ok(())
    }

    /// The twin is the one that followed, from now on, and the next one follows from a snapshot on.
    #[cfg(feature = "journal")]
    fn recover(&mut self) -> Result<(), LawViolation> {
        if let Some(twin) = self.follower.take() {
            // Later than the last record says, if nothing happened then.
            let wakeup = twin.state.wakeup();
            let is_late = self
                .wakeup
                .is_some_and(|own| wakeup.is_none_or(|wakeup| wakeup > own));
            if is_late {
                return Err(self.broken(Law::Recovers, format!("the next time is {wakeup:?} then")));
            }
            self.twin = twin;
            self.is_recovered = true;
        }
        let mut policy = (self.make)();
        let saved = self.main.policy.save();
        let state = self.main.state.clone();
        policy
            .restore(state.pool(), &state.pool().waiting(), self.now, &saved)
            .map_err(|error| self.broken(Law::Recovers, error))?;
        if policy.save() != saved {
            return Err(self.broken(Law::Recovers, "what is saved then is not the same"));
        }
        self.follower = Some(Queue { state, policy });
        Ok(())
    }

    #[cfg(not(feature = "journal"))]
    fn recover(&mut self) -> Result<(), LawViolation> {
        Ok(())
    }

    fn explain(&self) -> Result<(), LawViolation> {
        let pool = self.main.state.pool();
        for waiting in pool.tickets() {
            let why = self.main.policy.why(pool, waiting.ticket.id, self.now);
            if why.waited != waiting.waited(self.now) || why.earliest.is_some_and(|at| at < self.now) {
                return Err(self.broken(Law::Explains, format!("{why:?}")));
            }
        }
        Ok(())
    }

    /// For tickets that are whole teams of two.
    fn check_liveness(&self) -> Result<(), LawViolation> {
        let Some(longest) = self.main.policy.liveness() else {
            return Ok(());
        };
        let pool = self.main.state.pool();
        let overdue = |one: &&Waiting| self.now.seconds_since(one.joined) >= longest;
        let is_free = |one: &&Waiting| one.proposal.is_none() && one.ticket.backfill.is_none();
        for one in pool.tickets().filter(is_free).filter(overdue) {
            let mut others = pool.tickets().filter(is_free);
            if let Some(other) = others.find(|other| self.may_meet(one, other)) {
                let (one, other) = (one.ticket.id, other.ticket.id);
                return Err(self.broken(Law::Liveness, format!("tickets {one} and {other}")));
            }
        }
        Ok(())
    }

    fn may_meet(&self, one: &Waiting, other: &Waiting) -> bool {
        let pool = self.main.state.pool();
        let sizes = [one.ticket.players.len(), other.ticket.players.len()];
        let fits = |teams: &[usize]| teams == sizes || teams == [sizes[1], sizes[0]];
        let mut queues = one.queues.iter();
        let (regions, others) = (&one.ticket.regions, &other.ticket.regions);
        let shared =
            regions.is_empty() || others.is_empty() || regions.keys().any(|name| others.contains_key(name));
        one.ticket.id != other.ticket.id
            && one.key == other.key
            && shared
            && queues.any(|queue| other.is_in(queue) && pool.is_matched(queue) && fits(pool.teams(queue)))
    }
}
