//! Whole services under random faults: players who send each event until it is answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use matchwright_queue::live::{Faults, LiveError, Memory, Queue};
use matchwright_queue::{Backfill, Event, EventKind, MatchId, State, Ticket, TicketId, Time};

use super::{Names, name, start};
use crate::model::Draw;

/// Players who send each event until it is answered.
struct Players {
    draw: Draw,
    next: u64,
    now: Time,
    /// Without an answer.
    unanswered: Vec<Event>,
    /// States and names by the steps after which they were, from the last that was told on.
    after: BTreeMap<u64, (State, Names)>,
    told: u64,
    events: u64,
    crashes: u64,
    stops: u64,
}

impl Players {
    fn new(seed: u64) -> Self {
        Self {
            draw: Draw(seed),
            next: 0,
            now: Time::from_millis(0),
            unanswered: Vec::new(),
            after: BTreeMap::new(),
            told: 0,
            events: 0,
            crashes: 0,
            stops: 0,
        }
    }

    fn ticket(&mut self) -> Ticket {
        let draw = &mut self.draw;
        let player = draw.below(60);
        let mut ticket = Ticket::of_one(self.next, player).with("rating", draw.below(400) as f64);
        if draw.below(4) == 0 {
            ticket = ticket.with_text("mode", "ranked");
        }
        if draw.below(5) == 0 {
            ticket.expires = Some(self.now.plus(draw.below(15_000) as i64));
        }
        if draw.below(12) == 0 {
            ticket.backfill = Some(Box::new(Backfill {
                match_id: MatchId(draw.below(1000)),
                teams: vec![draw.below(2) as usize],
            }));
        }
        ticket
    }

    fn kind(&mut self, state: &State) -> EventKind {
        let tickets: Vec<TicketId> = state.pool().tickets().map(|one| one.ticket.id).collect();
        let open: Vec<_> = state
            .proposals()
            .map(|(open, left)| (open.id, left.clone()))
            .collect();
        let matches: Vec<MatchId> = state.recent_matches().map(|made| made.id).collect();
        let asked = self.draw.one_of(&open);
        match self.draw.below(100) {
            0..45 => EventKind::Create(Arc::new(self.ticket())),
            45..52 => EventKind::cancel(self.draw.one_of(&tickets).unwrap_or(TicketId(1)).0),
            52..90 => match asked {
                Some((proposal, players)) => {
                    let player = players.into_iter().next().unwrap();
                    match self.draw.below(12) {
                        0 => EventKind::Decline { proposal, player },
                        1 => EventKind::FailProposal(proposal),
                        _ => EventKind::Accept { proposal, player },
                    }
                }
                None => EventKind::Create(Arc::new(self.ticket())),
            },
            90..94 => EventKind::FailMatch(self.draw.one_of(&matches).unwrap_or(MatchId(1))),
            94..96 => EventKind::Confirm(self.draw.one_of(&matches).unwrap_or(MatchId(1))),
            96 => EventKind::Pause(String::new()),
            _ => EventKind::Resume(String::new()),
        }
    }

    /// One step: new events, and old ones again.
    fn decide(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        self.now = self.now.plus(self.draw.below(1500) as i64);
        if self.draw.below(3) == 0 {
            self.now = queue.wakeup().map_or(self.now, |at| at.max(self.now));
        }
        let mut events = Vec::new();
        for _ in 0..self.draw.below(4) {
            self.next += 1;
            let kind = self.kind(queue.state());
            events.push(Event::new(self.next, kind));
        }
        self.unanswered.extend(events.iter().cloned());
        if self.draw.below(10) == 0 {
            events.extend(self.draw.one_of(&self.unanswered));
        }
        self.events += events.len() as u64;
        let step = queue.decide(self.now, &events, name)?;
        self.after
            .insert(step, (queue.state().clone(), queue.attached().clone()));
        Ok(())
    }

    fn commit(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        for step in queue.commit()? {
            assert_eq!(step.step, self.told + 1, "each step is told once");
            self.told = step.step;
            let answered = &step.record.events;
            self.unanswered
                .retain(|event| !answered.iter().any(|answered| answered.id == event.id));
        }
        self.after.retain(|&step, _| step >= self.told);
        Ok(())
    }

    /// A queue that was opened again: all that was told is there, and nothing that was not decided.
    fn check(&mut self, queue: &Queue<Names>, latest: u64) {
        assert!(latest >= self.told, "step {} was told and is lost", self.told);
        if let Some((state, names)) = self.after.get(&latest) {
            // Steps in which nothing happened are not recorded, and neither is their time.
            assert_eq!(queue.state().pool(), state.pool());
            assert_eq!(queue.state().counters(), state.counters());
            assert_eq!(queue.attached(), names);
        }
        let is_known = |event: &Event| queue.answer(event.id).is_some();
        self.unanswered.retain(|event| !is_known(event));
        self.told = latest;
        self.after.clear();
    }

    /// What has no answer is sent again.
    fn send_again(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        let events = self.unanswered.clone();
        for some in events.chunks(3) {
            let step = queue.decide(self.now, some, name)?;
            self.after
                .insert(step, (queue.state().clone(), queue.attached().clone()));
            self.commit(queue)?;
        }
        Ok(())
    }

    fn round(&mut self, queue: &mut Queue<Names>) -> Result<(), LiveError> {
        self.send_again(queue)?;
        for _ in 0..self.draw.below(40) {
            self.decide(queue)?;
            if self.draw.below(3) == 0 {
                self.commit(queue)?;
            }
            if self.draw.below(40) == 0 {
                queue.snapshot()?;
                self.commit(queue)?;
            }
        }
        Ok(())
    }
}

/// Steps on a device of these faults, which ends again and again in a power cut.
fn play(seed: u64, events: u64) -> Players {
    let mut players = Players::new(seed);
    let mut device = Memory::default();
    while players.events < events {
        let faults = Faults {
            fails_at: (players.draw.below(3) == 0).then(|| 1 + players.draw.below(60)),
            capacity: (players.draw.below(4) == 0).then(|| 1 + players.draw.below(400_000)),
            reads_are_short: players.draw.below(8) == 0,
        };
        let mut queue = start(&device, "windows").unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let latest = queue.step();
        players.check(&queue, latest);
        players
            .after
            .insert(latest, (queue.state().clone(), queue.attached().clone()));
        device.set_faults(faults);
        match players.round(&mut queue) {
            Ok(()) | Err(LiveError::NotSaved(_)) => {}
            Err(LiveError::Full) => players.stops += 1,
            Err(LiveError::Stopped(_)) => {
                players.stops += 1;
                assert!(
                    queue.decide(players.now, &[], |_, _| {}).is_err(),
                    "stopped is stopped"
                );
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
        players.crashes += 1;
        device = device.cut_off(players.draw.below(u64::MAX));
    }
    players
}

#[test]
fn nothing_that_was_told_is_lost_over_power_cuts_and_faults() {
    let (mut crashes, mut stops, mut told) = (0, 0, 0);
    for seed in 0..40 {
        let players = play(seed, 500);
        (crashes, stops, told) = (
            crashes + players.crashes,
            stops + players.stops,
            told + players.told,
        );
    }
    assert!(
        crashes > 300 && stops > 50 && told > 5000,
        "{crashes} {stops} {told}"
    );
}

#[test]
#[ignore = "a million events; `cargo xtask test --deep`"]
fn nothing_that_was_told_is_lost_over_a_million_events() {
    for seed in 1000..1500 {
        play(seed, 2000);
    }
}
