//! Devices without room, policies that panic, inboxes that are full.

use std::sync::Arc;

use matchwright_queue::live::{Faults, Files, Loaded, Loader, Memory, Options};
use matchwright_queue::{
    Budget, MatchPolicy, Pairs, PairsParams, PolicyLabel, Pool, Proposed, QueueSettings, TicketId, Time,
    Value, Why,
};
use matchwright_service::{Pending, Problem, Service, Settings, TicketState};

use crate::handle::{DUEL, key, ticket};

#[test]
fn a_full_device_refuses_tickets_and_takes_everything_else() {
    let faults = Faults {
        capacity: Some(200_000),
        ..Faults::default()
    };
    let device = Memory::with_faults(faults, 1);
    let settings = Settings {
        queue: Options {
            segment_bytes: 1 << 16,
            ..Options::default()
        },
        ..Settings::default()
    };
    let shared = device.clone();
    let service = Service::open(move || Ok(shared.clone()), DUEL, settings).unwrap();
    let first = service
        .create(Some(key("0")), ticket(&["first"]))
        .wait()
        .unwrap()
        .ticket;
    service.cancel(&first.id, None).wait().unwrap();
    let mut last = None;
    let refused = (1..5000).find_map(|number| {
        let name = format!("p{number}");
        let created = service.create(Some(key(&name)), ticket(&[&name])).wait();
        match created {
            Ok(created) => {
                last = Some(created.ticket.id);
                None
            }
            Err(problem) => Some(problem),
        }
    });
    assert_eq!(refused, Some(Problem::StorageFull));
    // What is there goes on: a match is made, found and reported.
    let last = service.ticket(&last.unwrap()).wait().unwrap();
    match last.state {
        TicketState::Waiting => drop(service.cancel(&last.id, None).wait().unwrap()),
        TicketState::Matched { match_id, .. } => drop(service.assign(&match_id, "eu").wait().unwrap()),
        state => panic!("{state:?}"),
    }
    // With room again tickets come in again.
    device.set_faults(Faults::default());
    let is_open = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        service
            .create(Some(key("again")), ticket(&["again"]))
            .wait()
            .is_ok()
    });
    assert!(is_open);
    service.close();
}

/// Pairs, unless the player `bad` waits.
#[derive(Debug)]
struct Panics(Pairs);

impl MatchPolicy for Panics {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        let bad = Value::Text("bad".to_owned());
        let mut players = pool
            .get(ticket)
            .into_iter()
            .flat_map(|waiting| &waiting.ticket.players);
        assert!(
            !players.any(|member| member.attributes.get("name") == Some(&bad)),
            "a policy with a fault"
        );
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

#[test]
fn a_policy_that_panics_refuses_its_events_and_everything_else_goes_on() {
    let load: Loader = Arc::new(|_: &str| {
        let pairs = PairsParams::default()
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Loaded {
            label: PolicyLabel::default(),
            settings: QueueSettings::default(),
            policy: Box::new(Panics(Pairs::new("", pairs))),
        })
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live");
    let service = Service::open_with(move || Files::new(&path), ("", load), Settings::default()).unwrap();
    service.create(None, ticket(&["ann"])).wait().unwrap();
    let refused = service.create(None, ticket(&["bad"])).wait().unwrap_err();
    assert_eq!(refused.code(), "policy-failed");
    let bob = service.create(None, ticket(&["bob"])).wait();
    assert!(bob.is_ok(), "{bob:?}");
    service.close();
}

#[test]
fn a_full_inbox_is_busy_and_what_was_taken_is_answered() {
    let device = Memory::default();
    let settings = Settings {
        inbox: 4,
        ..Settings::default()
    };
    let service = Service::open(move || Ok(device.clone()), DUEL, settings).unwrap();
    let sent: Vec<_> = (0..500)
        .map(|number| service.create(None, ticket(&[&format!("p{number}")])))
        .collect();
    let answers: Vec<_> = sent.into_iter().map(Pending::wait).collect();
    let busy = answers
        .iter()
        .filter(|answer| **answer == Err(Problem::Busy))
        .count();
    let taken = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(busy + taken, 500);
    assert!(busy > 0 && taken > 0, "{busy} {taken}");
    service.close();
}

#[test]
fn a_folder_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live");
    let service = Service::open_folder(&path, DUEL, Settings::default()).unwrap();
    let ann = service
        .create(Some(key("1")), ticket(&["ann"]))
        .wait()
        .unwrap()
        .ticket;
    let second = Service::open_folder(&path, DUEL, Settings::default());
    assert!(second.is_err(), "two owners of a folder");
    service.close();
    let service = Service::open_folder(&path, DUEL, Settings::default()).unwrap();
    assert_eq!(service.ticket(&ann.id).wait().unwrap(), ann);
    service.close();
}
