//! How much memory a waiting ticket takes, and an explanation. Alone in its program, since it counts all allocations.

#![allow(clippy::unwrap_used, reason = "a failure fails the test")]

use matchwright_queue::{
    Event, MatchPolicy, Pairs, PairsParams, PolicyLabel, QueueSettings, State, Ticket, TicketId, Time,
    WindowParams, step,
};

#[global_allocator]
static COUNTED: dhat::Alloc = dhat::Alloc;

const TICKETS: u64 = 10_000;

/// Of two numbers and two regions. The first two are nearer than all others, and stay.
fn ticket(id: u64) -> Ticket {
    let rating = 1000.0 * id as f64 - if id == 1 { 100.0 } else { 0.0 };
    Ticket::of_one(id, id)
        .with("rating", rating)
        .with("deviation", 60.0)
        .with_region("eu-west", 20.0)
        .with_region("us-east", 110.0)
}

fn bytes() -> usize {
    dhat::HeapStats::get().curr_bytes
}

/// Bytes a ticket of the state and the policy, all in, under a longest wait or none.
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
    let used = (bytes() - before) as f64;
    used / TICKETS as f64
}

/// Blocks of memory that an explanation of one of this many tickets takes.
fn blocks_of_why(tickets: u64) -> u64 {
    let window = WindowParams {
        per_second: 1.0,
        ..WindowParams::of("rating")
    };
    let params = PairsParams {
        windows: vec![window],
        ..PairsParams::default()
    };
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let mut policy = Pairs::new("", params.build().unwrap());
    for id in 0..tickets {
        // Two by two.
        let ticket = ticket(id).with("rating", 1000.0 * id as f64 - 300.0 * (id % 2) as f64);
        let event = [Event::create(id, ticket)];
        step(&mut state, &mut policy, Time::from_millis(0), &event).unwrap();
    }
    let before = dhat::HeapStats::get().total_blocks;
    let why = policy.why(state.pool(), TicketId(tickets / 2), Time::from_millis(0));
    assert_eq!((why.candidates.len(), why.earliest.is_some()), (5, true));
    dhat::HeapStats::get().total_blocks - before
}

#[test]
fn a_waiting_ticket_takes_at_most_700_bytes_and_an_explanation_no_more_among_more() {
    let _profiler = dhat::Profiler::builder().testing().build();
    for longest_wait in [None, Some(100_000.0)] {
        let found = bytes_a_ticket(longest_wait);
        println!("{found:.0} bytes a ticket, longest wait {longest_wait:?}");
        assert!(found <= 700.0, "{found}");
    }
    // Each ticket that it looks at takes some, and each that it copies.
    let [few, many] = [1000, 20_000].map(blocks_of_why);
    println!("{few} blocks an explanation of 1,000 tickets, {many} of 20,000");
    assert!(many <= few + few / 10, "{few} and {many}");
}
