//! Devices without room, policies that panic, inboxes that are full.

use std::sync::Arc;
use std::time::Duration;

use matchwright_queue::live::{Faults, FileName, Files, Loaded, Loader, Memory, Options};
use matchwright_queue::{
    Budget, MatchPolicy, Pairs, PairsParams, PolicyLabel, Pool, Proposed, QueueSettings, TicketId, Time,
    Value, Why,
};
use matchwright_service::{
    MatchResult, Pending, Problem, Relaxed, Service, Settings, TicketState, backup, policies, results, verify,
};

use crate::handle::{DUEL, key, open, ticket};

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
    // What is there goes on: a match is made, found and reported. What would take room for a ticket does not.
    let last = service.ticket(&last.unwrap()).wait().unwrap();
    let edited = service.edit(&last.id, ticket(&["other"]).players).wait();
    assert_eq!(edited.unwrap_err(), Problem::StorageFull);
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

#[test]
fn a_copy_is_opened_and_damage_is_named_by_file_and_offset() {
    let device = Memory::default();
    let service = open(&device, DUEL);
    for number in 0..40 {
        let id = service
            .create(None, ticket(&[&format!("p{number}")]))
            .wait()
            .unwrap()
            .ticket
            .id;
        if number % 2 == 1 {
            let found = service.match_of(&id).wait().unwrap();
            service
                .report(&found.id, MatchResult::of_places([1, 2]))
                .wait()
                .unwrap();
        }
    }
    // While it runs.
    let copy = Memory::default();
    backup(&mut device.clone(), &mut copy.clone()).unwrap();
    let contents = verify(&mut copy.clone(), &policies()).unwrap();
    assert_eq!(
        (contents.tickets, contents.matches, contents.results),
        (40, 20, 20)
    );
    assert!(
        backup(&mut device.clone(), &mut copy.clone()).is_err(),
        "over another copy"
    );
    let again = open(&copy, DUEL);
    assert_eq!(
        again.player("p7").wait().unwrap(),
        service.player("p7").wait().unwrap()
    );
    again.close();
    service.close();
    let mut told = Vec::new();
    results(&mut device.clone(), &policies(), |result| {
        told.push(result.played.places.clone().unwrap());
        Ok(())
    })
    .unwrap();
    assert_eq!(told, vec![vec![1, 2]; 20]);
    // A bit in the middle of the log.
    let segment = FileName::Segment(0);
    device.change(segment, |bytes| bytes[2000] ^= 4);
    let damaged = verify(&mut device.clone(), &policies()).unwrap_err().to_string();
    assert!(damaged.contains("segment-00000000000000000000"), "{damaged}");
    let refused = Service::open(move || Ok(device.crashed()), DUEL, Settings::default()).unwrap_err();
    assert_eq!(refused.to_string(), damaged);
}

#[test]
fn a_relaxed_device_is_synced_late_and_a_failure_stops_it() {
    let (device, calls) = (Memory::default(), Memory::default());
    let own = device.clone();
    let open = move || Relaxed::new(|| Ok(own.clone()), Some(Duration::from_millis(5)));
    let service = Service::open(open, DUEL, Settings::default()).unwrap();
    let id = service.create(None, ticket(&["ann"])).wait().unwrap().ticket.id;
    // Nobody knows when, but it comes.
    let began = std::time::Instant::now();
    loop {
        let after = Service::open(
            {
                let after = device.crashed();
                move || Ok(after.clone())
            },
            DUEL,
            Settings::default(),
        );
        let is_there = after.is_ok_and(|after| after.ticket(&id).wait().is_ok());
        if is_there {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60));
    }
    device.set_faults(Faults {
        fails_at: Some(0),
        ..Faults::default()
    });
    while service.stopped().is_none() {
        _ = service.create(None, ticket(&["bob"])).wait();
        assert!(began.elapsed() < Duration::from_secs(60));
    }
    // Without a time it is for the operating system.
    let own = calls.clone();
    let service = Service::open(
        move || Relaxed::new(|| Ok(own.clone()), None),
        DUEL,
        Settings::default(),
    )
    .unwrap();
    service.create(None, ticket(&["ann"])).wait().unwrap();
    service.close();
}
