//! A queue in files, under crashes and the faults of devices: what was told is there, and it goes on as if it had never stopped.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod damage;
mod players;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use matchwright_queue::journal::{StepRecord, recover, replay};
use matchwright_queue::live::{
    Attached, Exported, Faults, FileName, Follower, LiveError, Loaded, Loader, Memory, OpenError, Options,
    Queue, StopReason, Storage, to_journal,
};
use matchwright_queue::{
    Budget, Event, EventId, EventKind, MatchPolicy, Pairs, PlayerId, Pool, Proposed, StepError, Ticket,
    TicketId, Time, Why,
};

use crate::journal_world::{change, open};

/// Policies by the documents of the other journals; "fragile" panics when the player 666 comes.
fn loader() -> Loader {
    Arc::new(|document: &str| {
        let known = if document == "fragile" { "anyone" } else { document };
        let change = change(known);
        let policy = open(&change)?;
        let policy: Box<dyn MatchPolicy + Send> = if document == "fragile" {
            Box::new(Fragile(policy))
        } else {
            Box::new(policy)
        };
        Ok(Loaded {
            label: change.label,
            settings: change.settings,
            policy,
        })
    })
}

struct Fragile(Pairs);

impl MatchPolicy for Fragile {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let players = &pool.get(ticket).unwrap().ticket.players;
        assert!(players[0].id != PlayerId(666), "the beast");
        self.0.enter(pool, ticket, now);
    }
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.0.leave(pool, ticket, now);
    }
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        self.0.propose(pool, now, budget)
    }
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        self.0.next_time(pool, now)
    }
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.0.why(pool, ticket, now)
    }
    fn liveness(&self) -> Option<f64> {
        self.0.liveness()
    }
}

/// The names of tickets, as a service keeps them.
#[derive(Debug, Clone, Default, PartialEq)]
struct Names(BTreeMap<u64, String>);

impl Attached for Names {
    fn follow(&mut self, _: &StepRecord, attached: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(attached).map_err(|error| error.to_string())?;
        for line in text.lines() {
            let (ticket, name) = line.split_once(' ').ok_or("no name")?;
            self.0
                .insert(ticket.parse().map_err(|_| "no ticket")?, name.to_owned());
        }
        Ok(())
    }
    fn save(&self, to: &mut dyn std::io::Write) -> Result<(), String> {
        let line = |(ticket, name): (&u64, &String)| format!("{ticket} {name}\n");
        let text: String = self.0.iter().map(line).collect();
        to.write_all(text.as_bytes()).map_err(|error| error.to_string())
    }
    fn restore(from: &[u8]) -> Result<Self, String> {
        let mut names = Self::default();
        let text = std::str::from_utf8(from).map_err(|error| error.to_string())?;
        for line in text.lines() {
            let (ticket, name) = line.split_once(' ').ok_or("no name")?;
            names
                .0
                .insert(ticket.parse().map_err(|_| "no ticket")?, name.to_owned());
        }
        Ok(names)
    }
}

fn options() -> Options {
    Options {
        budget: Budget::new(500),
        segment_bytes: 2 << 10,
        retain: None,
    }
}

fn start(device: &Memory, document: &str) -> Result<Queue<Names>, OpenError> {
    Queue::open(device.clone(), document, &loader(), options())
}

fn name(outcome: &matchwright_queue::Outcome, to: &mut Vec<u8>) {
    for decision in &outcome.decisions {
        if let matchwright_queue::Decision::Admitted { ticket, .. } = decision {
            to.extend(format!("{ticket} name-{ticket}\n").bytes());
        }
    }
}

fn create(id: u64, player: u64) -> Event {
    Event::create(id, Ticket::of_one(id, player).with("rating", 1500.0))
}

fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

/// A device with 40 steps in several segments, the last group of three not synced, and where the last segment's steps end.
fn forty(document: &str) -> (Memory, Queue<Names>) {
    let device = Memory::default();
    let mut queue = start(&device, document).unwrap();
    for id in 1..=37 {
        queue.advance(at(id as i64), &[create(id, id)], name).unwrap();
    }
    for id in 38..=40 {
        queue.decide(at(id as i64), &[create(id, id)], name).unwrap();
    }
    (device, queue)
}

#[test]
fn steps_are_told_after_their_sync_alone() {
    let (device, mut queue) = forty("windows");
    assert_eq!(
        (queue.answer(EventId(37)).is_some(), queue.answer(EventId(38))),
        (true, None)
    );
    assert_eq!(start(&device.crashed(), "windows").unwrap().step(), 37);
    assert_eq!(queue.commit().unwrap().len(), 3);
    assert!(queue.answer(EventId(38)).is_some());
    let recovered = start(&device.crashed(), "windows").unwrap();
    assert_eq!((recovered.step(), recovered.wakeup()), (40, queue.wakeup()));
    assert_eq!(recovered.state(), queue.state());
    assert_eq!(recovered.attached().0[&40], "name-40");
}

#[test]
fn matches_that_were_not_synced_are_not_told() {
    let device = Memory::default();
    let mut queue = start(&device, "anyone").unwrap();
    queue.advance(at(1), &[create(1, 1)], name).unwrap();
    queue.decide(at(2), &[create(2, 2)], name).unwrap();
    assert_eq!(queue.recent_matches().count(), 0);
    queue.commit().unwrap();
    assert_eq!(queue.recent_matches().count(), 1);
    assert_eq!(
        start(&device.crashed(), "anyone")
            .unwrap()
            .recent_matches()
            .count(),
        1
    );
}

#[test]
fn room_is_asked_for_before_a_ticket_is_refused_for_want_of_it() {
    let device = Memory::default();
    let mut queue = start(&device, "anyone").unwrap();
    for id in 1..200 {
        // A segment may begin with each of them.
        queue.decide(at(id as i64), &[create(id, id)], name).unwrap();
        queue
            .decide(at(id as i64), &[create(1000 + id, 1000 + id)], name)
            .unwrap();
        queue.commit().unwrap();
    }
}

#[test]
fn a_failed_sync_stops_the_queue_for_good() {
    let (device, mut queue) = forty("windows");
    device.set_faults(Faults {
        fails_at: Some(2),
        ..Faults::default()
    });
    assert!(matches!(queue.commit(), Err(LiveError::Stopped(_))));
    device.set_faults(Faults::default());
    assert!(matches!(queue.commit(), Err(LiveError::Stopped(_))));
    assert!(matches!(
        queue.decide(at(90), &[], name),
        Err(LiveError::Stopped(_))
    ));
    assert!(matches!(queue.stopped(), Some(StopReason::Storage(_))));
    assert_eq!(
        (queue.answer(EventId(1)), queue.recent_matches().count()),
        (None, 0)
    );
}

#[test]
fn without_room_new_tickets_are_refused_and_all_else_goes_on() {
    let device = Memory::default();
    let mut queue = start(&device, "windows").unwrap();
    device.set_faults(Faults {
        capacity: Some(8000),
        ..Faults::default()
    });
    let mut id = 1;
    let full = loop {
        match queue.advance(at(id as i64), &[create(id, id)], name) {
            Ok(_) => id += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, LiveError::Full) && queue.is_full(), "{full}");
    for ticket in 1..8 {
        let cancel = Event::new(1000 + ticket, EventKind::cancel(ticket));
        queue.advance(at(id as i64), &[cancel], name).unwrap();
    }
    assert_eq!((queue.state().pool().len() as u64, id > 10), (id - 8, true));
    // With room again it is asked for a second later.
    device.set_faults(Faults::default());
    queue
        .advance(at(10_000), &[Event::new(5000, EventKind::cancel(1))], name)
        .unwrap();
    queue.advance(at(10_001), &[create(6000, 1)], name).unwrap();
}

#[test]
fn a_policy_that_panics_refuses_its_event_for_ever_and_stops() {
    let device = Memory::default();
    let mut queue = start(&device, "fragile").unwrap();
    queue.advance(at(1), &[create(1, 1)], name).unwrap();
    queue.decide(at(2), &[create(2, 2)], name).unwrap();
    let bad = [create(1, 1), create(3, 666), create(3, 666)];
    let stopped = queue.decide(at(3), &bad, name).unwrap_err();
    assert!(stopped.to_string().contains("the beast"), "{stopped}");
    let mut queue = start(&device.crashed(), "fragile").unwrap();
    let told = queue.answer(EventId(3)).unwrap();
    assert!(format!("{told:?}").contains("the beast"), "{told:?}");
    assert!(matches!(
        queue.answer(EventId(1)),
        Some(matchwright_queue::Answer::Followed)
    ));
    assert_eq!(queue.state().counters().matches, 1);
    // The same again changes nothing, and the queue goes on.
    queue
        .advance(at(4), &[create(3, 666), create(4, 4)], name)
        .unwrap();
    assert_eq!(queue.state().pool().len(), 1);
}

#[test]
fn a_policy_changes_while_the_queue_runs_and_after_a_crash() {
    let (device, mut queue) = forty("prices");
    queue.set_policy(at(60), EventId(900), "windows").unwrap();
    assert_eq!(queue.document(), "windows");
    assert!(matches!(
        queue.set_policy(at(61), EventId(901), "none"),
        Err(LiveError::Policy(_))
    ));
    let recovered = start(&device.crashed(), "prices").unwrap();
    assert_eq!(
        (recovered.document(), recovered.state()),
        ("windows", queue.state())
    );
    // The same event again is no change, and one beside others is none.
    queue.set_policy(at(62), EventId(900), "prices").unwrap();
    assert_eq!(queue.document(), "windows");
    let set = Event::new(902, EventKind::SetPolicy(Arc::new(change("anyone"))));
    let both = queue.decide(at(63), &[create(99, 99), set], name);
    assert!(matches!(
        both,
        Err(LiveError::Step(StepError::PolicyNotAlone { .. }))
    ));
}

#[test]
fn only_one_process_has_the_files() {
    let device = Memory::default();
    let _queue = start(&device, "windows").unwrap();
    assert!(matches!(start(&device, "windows"), Err(OpenError::Owned)));
}

#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut queue = start(&Memory::default(), "windows").unwrap();
    queue.advance(at(1000), &[create(1, 1)], name).unwrap();
    let told = queue.advance(at(10), &[create(2, 2)], name).unwrap();
    assert_eq!(told[0].record.now, at(1000));
}

#[test]
fn a_follower_is_where_the_queue_is_whatever_its_feed_had_no_place_for() {
    let (device, mut queue) = forty("windows");
    for most in [1, 7, 1000] {
        let feed = queue.feed(most);
        let mut follower: Follower<Names> = Follower::new(feed, device.clone(), &loader(), None).unwrap();
        for round in 0..20_u64 {
            for id in 0..5 {
                let id = 1000 * most as u64 + 100 + 10 * round + id;
                queue.advance(at(id as i64), &[create(id, id)], name).unwrap();
            }
            if round % 3 == 0 {
                assert_eq!(follower.catch_up().unwrap(), queue.step());
                assert_eq!(
                    (follower.state(), follower.attached()),
                    (queue.state(), queue.attached())
                );
                let now = follower.state().now();
                for waiting in queue.state().pool().tickets().take(3) {
                    let ticket = waiting.ticket.id;
                    let of_queue = queue.policy().why(queue.state().pool(), ticket, now);
                    assert_eq!(follower.why(ticket, now), of_queue);
                }
            }
            if round == 10 {
                follower.catch_up().unwrap();
                let saved = follower.snapshot().unwrap();
                let opened = start(&device.crashed(), "windows").unwrap();
                assert!(opened.step() == queue.step() && saved <= opened.step());
                assert_eq!(opened.state(), queue.state());
            }
        }
    }
}

#[test]
fn a_follower_on_another_thread_ends_with_its_queue() {
    let (device, mut queue) = forty("windows");
    let feed = queue.feed(16);
    let is_done = Arc::new(AtomicBool::new(false));
    let (ends, files) = (Arc::clone(&is_done), device.clone());
    let thread = std::thread::spawn(move || {
        let mut follower: Follower<Names> = Follower::new(feed, files, &loader(), None).unwrap();
        while let Some(step) = follower.wait(Duration::from_millis(5)).unwrap() {
            if step % 64 == 0 {
                follower.snapshot().unwrap();
            }
        }
        assert!(ends.load(Ordering::SeqCst));
        follower.state().clone()
    });
    for id in 100..600 {
        queue.advance(at(id as i64), &[create(id, id)], name).unwrap();
    }
    let state = queue.state().clone();
    is_done.store(true, Ordering::SeqCst);
    drop(queue);
    assert_eq!(thread.join().unwrap(), state);
}

#[test]
fn old_segments_and_states_are_removed_and_the_rest_is_one_journal() {
    let device = Memory::default();
    let options = Options {
        retain: Some(200),
        ..options()
    };
    let mut queue: Queue<Names> = Queue::open(device.clone(), "windows", &loader(), options).unwrap();
    for id in 1..=800 {
        queue
            .advance(at(id as i64), &[create(id, id % 50)], name)
            .unwrap();
        if id % 20 == 0 {
            queue.snapshot().unwrap();
        }
    }
    let files = device.clone().list().unwrap();
    let count = |is: fn(&FileName) -> bool| files.iter().filter(|file| is(&file.0)).count();
    let states = count(|name| matches!(name, FileName::State(_)));
    let segments = count(|name| matches!(name, FileName::Segment(_)));
    assert!(
        (2..=8).contains(&states) && (3..60).contains(&segments),
        "{states} {segments}"
    );
    let Exported {
        journal,
        steps,
        fault,
    } = to_journal(&mut device.clone()).unwrap();
    assert!(fault.is_none() && steps > 150 && steps < 700, "{steps}");
    let recovered = recover(&journal, open).unwrap();
    assert_eq!((recovered.fault, &recovered.state), (None, queue.state()));
    let again = replay(&journal, open).unwrap();
    assert_eq!((again.difference, again.same as u64), (None, steps + 1));
}

/// A policy of this crate may be sent to the thread of a queue.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Queue<Names>>();
    is_send::<Follower<Names>>();
};
