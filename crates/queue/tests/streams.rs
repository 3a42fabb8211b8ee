//! Random streams of events, with crashes, declines and duplicates, compared with a brute-force model.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use matchwright_queue::{
    Backfill, Decision, EndReason, Event, EventId, EventKind, LeaveReason, Lobby, Match, MatchId,
    MatchPolicy, Outcome, PlayerId, PolicyChange, PolicyLabel, Proposal, ProposalId, QueueStatus, State,
    StepError, Ticket, TicketId, Time, follow, step,
};
use proptest::prelude::*;

use crate::model::{Draw, Known, World};
use crate::worlds::worlds;

struct OpenProposal {
    lobby: Lobby,
    deadline: Time,
    policy: PolicyLabel,
    undecided: BTreeSet<PlayerId>,
}

/// A queue under random events, beside a second one that follows its decisions, and the model.
struct Run {
    worlds: Vec<World>,
    world: usize,
    label: PolicyLabel,
    state: State,
    policy: Box<dyn MatchPolicy + Send>,
    follower: (State, Box<dyn MatchPolicy + Send>),
    tickets: BTreeMap<TicketId, Known>,
    proposals: BTreeMap<ProposalId, OpenProposal>,
    matches: BTreeMap<MatchId, Vec<Known>>,
    status: BTreeMap<String, QueueStatus>,
    draw: Draw,
    now: Time,
    wakeup: Option<Time>,
    events: u64,
    recent: VecDeque<Event>,
    taken: BTreeMap<EventId, Time>,
    /// How many decisions there were of each kind.
    seen: BTreeMap<&'static str, u64>,
}

impl Run {
    fn new(kind: usize, seed: u64) -> Self {
        let worlds = worlds(kind);
        let label = PolicyLabel::default();
        let state = State::new(label.clone(), worlds[0].settings.clone());
        Self {
            follower: (state.clone(), worlds[0].policy()),
            policy: worlds[0].policy(),
            status: worlds[0]
                .queues
                .keys()
                .map(|name| (name.clone(), QueueStatus::Running))
                .collect(),
            worlds,
            world: 0,
            label,
            state,
            tickets: BTreeMap::new(),
            proposals: BTreeMap::new(),
            matches: BTreeMap::new(),
            draw: Draw(seed),
            now: Time::from_millis(0),
            wakeup: None,
            events: 0,
            recent: VecDeque::new(),
            taken: BTreeMap::new(),
            seen: BTreeMap::new(),
        }
    }

    fn world(&self) -> &World {
        &self.worlds[self.world]
    }

    fn ticket(&mut self) -> Ticket {
        let draw = &mut self.draw;
        let size = 1 + draw.below(2);
        let first = draw.below(40);
        let mut ticket = Ticket::of(self.events, (0..size).map(|place| first + 100 * place))
            .with("rating", draw.below(400) as f64)
            .with_text("mode", if draw.below(4) == 0 { "fast" } else { "slow" });
        if draw.below(3) == 0 {
            ticket = ticket.with("deviation", draw.below(30) as f64);
        }
        for region in ["eu", "us", "asia"] {
            if draw.below(2) == 0 {
                ticket = ticket.with_region(region, (10 * draw.below(8)) as f64);
            }
        }
        if draw.below(5) == 0 {
            ticket.expires = Some(self.now.plus(draw.below(15_000) as i64));
        }
        let names: Vec<&String> = self.status.keys().collect();
        if names.len() > 1 {
            let chosen = names
                .iter()
                .filter(|_| draw.below(3) > 0)
                .map(|&name| name.clone());
            ticket.queues = chosen.collect();
        }
        if draw.below(8) == 0 {
            ticket.backfill = Some(Box::new(Backfill {
                match_id: MatchId(draw.below(1000)),
                teams: (0..size).map(|_| draw.below(2) as usize).collect(),
            }));
        }
        ticket
    }

    fn event(&mut self) -> EventKind {
        let ticket = |run: &mut Self| {
            let all: Vec<TicketId> = run.tickets.keys().copied().collect();
            run.draw.one_of(&all).unwrap_or(TicketId(3))
        };
        let asked = |run: &mut Self| {
            let all: Vec<ProposalId> = run.proposals.keys().copied().collect();
            let proposal = run.draw.one_of(&all).unwrap_or(ProposalId(1));
            let open = run.proposals.get(&proposal);
            let players = open.map_or(Vec::new(), |open| open.undecided.iter().copied().collect());
            let player = if run.draw.below(10) == 0 {
                None
            } else {
                run.draw.one_of(&players)
            };
            let player = player.unwrap_or(PlayerId(run.draw.below(40)));
            (proposal, player)
        };
        match self.draw.below(100) {
            0..45 => EventKind::Create(Arc::new(self.ticket())),
            45..53 => {
                let ticket = ticket(self);
                let known = self.tickets.get(&ticket);
                let by = known.map(|known| known.ticket.players[0].id);
                let by = by.filter(|_| self.draw.below(3) > 0);
                EventKind::Cancel { ticket, by }
            }
            53..57 => {
                let first = self.draw.below(40);
                let size = 1 + self.draw.below(2);
                EventKind::Edit {
                    ticket: ticket(self),
                    players: Ticket::of(0, (0..size).map(|place| first + 100 * place)).players,
                }
            }
            57..86 => {
                let (proposal, player) = asked(self);
                EventKind::Accept { proposal, player }
            }
            86..91 => {
                let (proposal, player) = asked(self);
                EventKind::Decline { proposal, player }
            }
            91..93 => EventKind::FailProposal(asked(self).0),
            93..95 => {
                let all: Vec<MatchId> = self.matches.keys().copied().collect();
                EventKind::FailMatch(self.draw.one_of(&all).unwrap_or(MatchId(1)))
            }
            kind => {
                let names: Vec<String> = self.status.keys().cloned().collect();
                let name = names[self.draw.below(names.len() as u64) as usize].clone();
                match kind {
                    95 => EventKind::Pause(name),
                    96 => EventKind::Drain(name),
                    _ => EventKind::Resume(name),
                }
            }
        }
    }

    /// Some more events, some time later, with all that happens by itself in between.
    fn go_on(&mut self) {
        let spans = [0, 1, 50, 400, 2500];
        let span = spans[self.draw.below(5) as usize];
        let until = self.now.plus(self.draw.below(span + 1) as i64);
        while let Some(wakeup) = self.wakeup.filter(|&wakeup| wakeup <= until) {
            assert!(wakeup >= self.now, "a wakeup in the past");
            if self.draw.below(4) == 0 && wakeup > self.now.plus(1) {
                // Between two wakeups nothing happens.
                let between = self.now.since(Time::from_millis(0)) + 1;
                let span = wakeup.since(Time::from_millis(between)) as u64;
                let (before, at) = (
                    self.wakeup,
                    Time::from_millis(between + self.draw.below(span) as i64),
                );
                let outcome = self.step(at, &[]);
                assert!(
                    outcome.decisions.is_empty(),
                    "{:?} before its time",
                    outcome.decisions
                );
                assert_eq!(self.wakeup, before);
            }
            let outcome = self.step(wakeup, &[]);
            assert!(!outcome.decisions.is_empty(), "woken at {wakeup:?} for nothing");
        }
        let count = [1, 1, 1, 3, 0][self.draw.below(5) as usize];
        let mut events: Vec<Event> = Vec::new();
        for _ in 0..count {
            let again = self.recent.len() as u64 * 16;
            let place = self.draw.below(again.max(1)) as usize;
            if let Some(event) = self.recent.get(place) {
                events.push(event.clone());
                continue;
            }
            let kind = self.event();
            events.push(Event::new(self.events, kind));
            self.events += 1;
            self.recent.extend(events.last().cloned());
            if self.recent.len() > 8 {
                self.recent.pop_front();
            }
        }
        self.step(until, &events);
        match self.draw.below(400) {
            0..8 => self.crash(),
            8..12 => self.set_policy(),
            12 => self.go_back(),
            _ => {}
        }
    }

    /// State and policy are lost, and rebuilt: from the decisions, or from a snapshot.
    fn crash(&mut self) {
        let fresh = || self.worlds[self.world].policy();
        let mut rebuilt = fresh();
        let pool = self.state.pool();
        rebuilt
            .restore(pool, &pool.waiting(), self.now, &self.policy.save())
            .unwrap();
        let snapshot = (self.state.clone(), rebuilt);
        (self.state, self.policy) = std::mem::replace(&mut self.follower, snapshot);
    }

    fn set_policy(&mut self) {
        let to = self.draw.below(self.worlds.len() as u64) as usize;
        let label = PolicyLabel {
            name: format!("world {to}"),
            version: self.events.to_string(),
        };
        let change = PolicyChange {
            label: label.clone(),
            document: String::new(),
            settings: self.worlds[to].settings.clone(),
        };
        let events = [Event::new(self.events, EventKind::SetPolicy(Arc::new(change)))];
        self.events += 1;
        let mut policy = self.worlds[to].policy();
        match step(&mut self.state, &mut *policy, self.now, &events) {
            Ok(outcome) => {
                self.follower.1 = self.worlds[to].policy();
                self.policy = policy;
                // The time has not moved on, so that nothing was decided under the old one.
                (self.world, self.label) = (to, label);
                self.check(self.now, &events, &outcome);
            }
            Err(error) => assert!(matches!(error, StepError::NoPlace { .. }), "{error}"),
        }
    }

    fn go_back(&mut self) {
        let before = self.state.clone();
        let earlier = self.now.plus(-1);
        let error = step(&mut self.state, &mut *self.policy, earlier, &[]).unwrap_err();
        let (now, last) = (earlier, self.now);
        assert_eq!(error, StepError::TimeWentBack { now, last });
        assert!(self.state == before);
    }

    fn step(&mut self, now: Time, events: &[Event]) -> Outcome {
        let outcome = step(&mut self.state, &mut *self.policy, now, events).unwrap();
        self.check(now, events, &outcome);
        outcome
    }

    fn check(&mut self, now: Time, events: &[Event], outcome: &Outcome) {
        let (state, policy) = &mut self.follower;
        follow(state, &mut **policy, now, events, outcome).unwrap();
        self.now = now;
        for decision in &outcome.decisions {
            self.follow(events, decision);
        }
        for (place, event) in events.iter().enumerate() {
            let decided = Decision::Duplicate { event: place };
            let since = self.taken.get(&event.id);
            let is_again = since.is_some_and(|&since| now.since(since) <= 10_000);
            assert_eq!(outcome.decisions.contains(&decided), is_again, "{event:?}");
            if !is_again {
                self.taken.insert(event.id, now);
            }
        }
        self.wakeup = outcome.wakeup;
        self.check_tickets();
        self.check_times();
        if self.draw.below(50) == 0 {
            assert!(self.state == self.follower.0, "the followed state is another one");
            let times = [
                self.policy.next_time(self.state.pool(), now),
                self.follower.1.next_time(self.state.pool(), now),
            ];
            assert_eq!(times[0], times[1]);
        }
    }

    fn take(&mut self, ticket: TicketId) -> Known {
        self.tickets.remove(&ticket).unwrap()
    }

    fn put(&mut self, known: Known) {
        for member in &known.ticket.players {
            let waits = |other: &Known| other.ticket.players.iter().any(|one| one.id == member.id);
            assert!(!self.tickets.values().any(waits), "a player in two tickets");
        }
        assert!(self.tickets.insert(known.ticket.id, known).is_none());
    }

    /// The model takes a decision, if the rules permit it.
    fn follow(&mut self, events: &[Event], decision: &Decision) {
        let kind = |event: usize| &events[event].kind;
        let name = match decision {
            Decision::Duplicate { .. } => "duplicate",
            Decision::Refused { .. } => "refused",
            Decision::Admitted {
                event,
                ticket,
                low_priority,
            } => {
                let EventKind::Create(given) = kind(*event) else {
                    panic!("admitted by another event");
                };
                assert_eq!(given.id, *ticket);
                self.put(Known {
                    ticket: Arc::clone(given),
                    joined: self.now,
                    low_priority: *low_priority,
                    proposal: None,
                });
                assert!(self.tickets.len() <= 24 + 2 * self.matches.len());
                "admitted"
            }
            Decision::Edited {
                event,
                ticket,
                low_priority,
            } => {
                let EventKind::Edit { players, .. } = kind(*event) else {
                    panic!("edited by another event");
                };
                let mut known = self.take(*ticket);
                assert!(known.proposal.is_none());
                known.ticket = Arc::new(Ticket {
                    players: players.clone(),
                    ..(*known.ticket).clone()
                });
                known.low_priority = *low_priority;
                self.put(known);
                "edited"
            }
            Decision::Left { ticket, reason } => {
                let known = self.take(*ticket);
                self.check_leave(events, &known, *reason);
                "left"
            }
            Decision::Cooldown { player, .. } => {
                self.check_cooldown(events, *player);
                "cooldown"
            }
            Decision::Proposed(proposal) => {
                self.propose(proposal);
                "proposed"
            }
            Decision::Accepted { proposal, player } => {
                self.proposals.get_mut(proposal).unwrap().undecided.remove(player);
                "accepted"
            }
            Decision::Ended {
                proposal,
                reason,
                returned,
            } => {
                let open = self.proposals.remove(proposal).unwrap();
                assert!(*reason != EndReason::TimedOut || open.deadline <= self.now);
                let here = open
                    .lobby
                    .tickets()
                    .filter(|ticket| self.tickets.contains_key(ticket));
                assert!(here.eq(returned.iter().copied()), "some do not wait again");
                for ticket in returned {
                    self.tickets.get_mut(ticket).unwrap().proposal = None;
                }
                "ended"
            }
            Decision::Matched(made) => {
                self.make(made);
                "matched"
            }
            Decision::Failed { match_id, returned } => {
                for known in self.matches.remove(match_id).unwrap() {
                    if returned.contains(&known.ticket.id) {
                        let proposal = None;
                        self.put(Known { proposal, ..known });
                    }
                }
                "failed"
            }
            Decision::QueueIs { queue, status } => {
                self.status.insert(queue.clone(), *status);
                "queue"
            }
            Decision::PolicySet { .. } => "policy",
            Decision::TakenOver { .. } => "taken over",
            Decision::Noted { .. } => "noted",
            other => panic!("{other:?}"),
        };
        *self.seen.entry(name).or_default() += 1;
    }

    fn propose(&mut self, proposal: &Proposal) {
        assert_eq!(proposal.policy.as_ref(), &self.label);
        self.check_lobby(&proposal.lobby);
        let mut undecided = BTreeSet::new();
        for ticket in proposal.lobby.tickets() {
            let known = self.tickets.get_mut(&ticket).unwrap();
            assert_eq!(known.proposal.replace(proposal.id), None);
            if known.ticket.backfill.is_none() {
                undecided.extend(known.ticket.players.iter().map(|member| member.id));
            }
        }
        let open = OpenProposal {
            lobby: proposal.lobby.clone(),
            deadline: proposal.deadline,
            policy: self.label.clone(),
            undecided,
        };
        assert!(self.proposals.insert(proposal.id, open).is_none());
    }

    fn make(&mut self, made: &Match) {
        if let Some(proposal) = made.proposal {
            let open = self.proposals.remove(&proposal).unwrap();
            assert!(open.undecided.is_empty() && open.deadline >= self.now);
            assert_eq!((&open.lobby, &open.policy), (&made.lobby, made.policy.as_ref()));
        } else {
            assert_eq!(made.policy.as_ref(), &self.label);
            self.check_lobby(&made.lobby);
        }
        let tickets: Vec<Known> = made.lobby.tickets().map(|ticket| self.take(ticket)).collect();
        assert!(
            tickets
                .iter()
                .map(|known| known.joined)
                .eq(made.joined.iter().copied())
        );
        assert!(self.matches.insert(made.id, tickets).is_none());
        if self.matches.len() > 6 {
            self.matches.pop_first();
        }
    }

    fn check_cooldown(&self, events: &[Event], player: PlayerId) {
        let deserves = events.iter().any(|event| match &event.kind {
            EventKind::Decline { player: other, .. } => *other == player,
            EventKind::Cancel { ticket, by } => self
                .tickets
                .get(ticket)
                .is_some_and(|known| *by == Some(player) && known.ticket.backfill.is_none()),
            _ => false,
        });
        let overslept = |open: &OpenProposal| open.deadline <= self.now && open.undecided.contains(&player);
        assert!(deserves || self.proposals.values().any(overslept));
    }

    fn check_leave(&self, events: &[Event], known: &Known, reason: LeaveReason) {
        let ticket = known.ticket.id;
        let has = |player: &PlayerId| known.ticket.players.iter().any(|member| member.id == *player);
        let is_caused = match reason {
            LeaveReason::Cancelled => events.iter().any(
                |event| matches!(event.kind, EventKind::Cancel { ticket: other, .. } if other == ticket),
            ),
            LeaveReason::Declined => events
                .iter()
                .any(|event| matches!(&event.kind, EventKind::Decline { player, .. } if has(player))),
            LeaveReason::Expired => known.ticket.expires.is_some_and(|expires| expires <= self.now),
            LeaveReason::TimedOut => {
                let open = &self.proposals[&known.proposal.unwrap()];
                open.deadline <= self.now && open.undecided.iter().any(has)
            }
        };
        assert!(is_caused, "{ticket} left: {reason:?}");
    }

    /// A lobby keeps the rules and windows of this moment, on both sides.
    fn check_lobby(&self, lobby: &Lobby) {
        let known: Vec<&Known> = lobby.tickets().map(|ticket| &self.tickets[&ticket]).collect();
        let [a, b] = known[..] else {
            panic!("a lobby of {}", known.len());
        };
        let is_this = |name: &str| *name == *lobby.queue && self.status[name] != QueueStatus::Paused;
        let world = self.world();
        assert!(world.admits(is_this, a, b, self.now), "{a:?} {b:?}");
        let region = lobby.region.as_deref();
        assert!(World::regions(a, b).contains(&region));
        assert!(world.admits_in(&lobby.queue, a, b, region, self.now));
    }

    /// The state knows the tickets of the model, no more and no fewer, as they came.
    fn check_tickets(&self) {
        let pool = self.state.pool();
        assert_eq!(pool.len(), self.tickets.len());
        for (waiting, known) in pool.tickets().zip(self.tickets.values()) {
            assert_eq!((&waiting.ticket, waiting.joined), (&known.ticket, known.joined));
            assert_eq!(
                (waiting.low_priority, waiting.proposal),
                (known.low_priority, known.proposal)
            );
        }
        let open = self
            .state
            .proposals()
            .map(|(open, undecided)| (open.id, undecided));
        assert!(open.eq(self.proposals.iter().map(|(&id, open)| (id, &open.undecided))));
    }

    /// No two waiting tickets may be matched now, nor before the wakeup.
    fn check_times(&self) {
        let free: Vec<&Known> = self
            .tickets
            .values()
            .filter(|known| known.proposal.is_none())
            .collect();
        let runs = |name: &str| self.status[name] != QueueStatus::Paused;
        let admitted = |at: Time| {
            let pairs = free.iter().enumerate();
            pairs
                .flat_map(|(place, a)| free[..place].iter().map(move |b| (a, b)))
                .find(|(a, b)| self.world().admits(runs, a, b, at))
        };
        assert!(admitted(self.now).is_none(), "{:?}", admitted(self.now));
        let deadlines = self.proposals.values().map(|open| open.deadline);
        let expiries = free.iter().filter_map(|known| known.ticket.expires);
        let timer = deadlines.chain(expiries).min();
        match self.wakeup {
            None => {
                assert_eq!(timer, None);
                assert!(admitted(self.now.plus(1 << 38)).is_none());
            }
            Some(wakeup) => {
                assert!(wakeup > self.now);
                assert!(timer.is_none_or(|timer| timer >= wakeup));
                let early = admitted(wakeup.plus(-1));
                assert!(early.is_none(), "{early:?} before {wakeup:?}");
                assert!(timer == Some(wakeup) || admitted(wakeup).is_some());
            }
        }
    }
}

#[test]
fn a_stream_of_100_000_events_keeps_every_law() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for kind in 0..3 {
        let mut run = Run::new(kind, 7 + kind as u64);
        while run.events < 33_334 {
            run.go_on();
        }
        for (name, count) in run.seen {
            *seen.entry(name).or_default() += count;
        }
    }
    // All kinds of decisions, many times.
    assert!(
        seen.len() == 15 && seen.values().all(|&count| count > 100),
        "{seen:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_stream_of_events_keeps_every_law(kind in 0..3_usize, seed: u64, steps in 1..300) {
        let mut run = Run::new(kind, seed);
        for _ in 0..steps {
            run.go_on();
        }
    }
}
