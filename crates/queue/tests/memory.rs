//! How much memory a waiting ticket takes. Alone in its program, since it counts all allocations.

#![allow(clippy::unwrap_used, reason = "a failure fails the test")]

use matchwright_queue::{
    Event, Pairs, PairsParams, PolicyLabel, QueueSettings, State, Ticket, Time, WindowParams, step,
};

#[global_allocator]
static COUNTED: dhat::Alloc = dhat::Alloc;

const TICKETS: u64 = 10_000;

fn ticket(id: u64) -> Ticket {
    // The first two are nearer than all others, and stay.
    let rating = 1000.0 * id as f64 - if id == 1 { 100.0 } else { 0.0 };
    Ticket::of_one(id, id).with("rating", rating)
}

fn bytes() -> usize {
    dhat::HeapStats::get().curr_bytes
}

/// Bytes a ticket of the state and the policy, without what the ticket itself holds, under a longest wait or none.
fn bytes_a_ticket(longest_wait: Option<f64>) -> f64 {
    let window = WindowParams {
        start: 50.0,
        per_second: 5.0,
        ..WindowParams::of("rating")
    };
    let params = PairsParams {
        windows: vec![window],
        longest_wait,
        ..PairsParams::default()
    };
    let start = bytes();
    let tickets: Vec<Ticket> = (0..TICKETS).map(ticket).collect();
    let attributes = (bytes() - start) as f64 - TICKETS as f64 * size_of::<Ticket>() as f64;
    drop(tickets);
    let before = bytes();
    // The numbers of events are remembered for a time, however many tickets wait.
    let settings = QueueSettings {
        remember: 1,
        ..QueueSettings::default()
    };
    let mut state = State::new(PolicyLabel::default(), settings);
    let mut policy = Pairs::new("", params.build().unwrap());
    // As in a service that has been busy: many came and went before.
    for id in 0..4 * TICKETS {
        let now = Time::from_millis(i64::try_from(id / 100).unwrap());
        step(&mut state, &mut policy, now, &[Event::create(id, ticket(id))]).unwrap();
        if let Some(gone) = id.checked_sub(TICKETS).filter(|&gone| gone > 1) {
            let cancel = matchwright_queue::EventKind::cancel(gone);
            step(&mut state, &mut policy, now, &[Event::new(u64::MAX - id, cancel)]).unwrap();
        }
    }
    step(&mut state, &mut policy, Time::from_millis(1000), &[]).unwrap();
    assert_eq!(state.pool().len() as u64, TICKETS + 2);
    let used = (bytes() - before) as f64 - attributes;
    used / TICKETS as f64
}

#[test]
fn a_waiting_ticket_takes_at_most_a_kilobyte_beside_its_attributes() {
    let _profiler = dhat::Profiler::builder().testing().build();
    for longest_wait in [None, Some(100_000.0)] {
        let found = bytes_a_ticket(longest_wait);
        println!("{found:.0} bytes a ticket, longest wait {longest_wait:?}");
        assert!(found <= 1024.0, "{found}");
    }
}
