//! The policy of this package keeps the laws of policies.

use downstream_queue::InOrder;
use matchwright_queue::laws::{check_exact_times, check_policy};
use matchwright_queue::{Event, PolicyLabel, QueueSettings, State, Ticket, Time, step};

#[test]
fn duels_in_order_keep_the_laws() {
    let ticket = |id: u64, draw: &mut dyn FnMut() -> f64| {
        let ticket = Ticket::of_one(id, id).with("rating", 100.0 * draw());
        if draw() < 0.5 { ticket.with_region("eu", 20.0) } else { ticket.with_region("us", 30.0) }
    };
    let asking = QueueSettings {
        accept_within: Some(5000),
        cooldowns: vec![1000],
        ..QueueSettings::default()
    };
    for seed in 0..5 {
        for wait in [0, 3000] {
            check_policy(|| InOrder::new(wait), &QueueSettings::default(), ticket, seed).unwrap();
            check_exact_times(|| InOrder::new(wait), &asking, ticket, seed).unwrap();
        }
    }
}

#[test]
fn the_core_serves_a_policy_that_it_does_not_know() {
    let mut state = State::new(PolicyLabel::default(), QueueSettings::default());
    let mut policy = InOrder::new(3000);
    let events = [1, 2, 3].map(|id| Event::create(id, Ticket::of_one(id, id)));
    let outcome = step(&mut state, &mut policy, Time::from_millis(0), &events).unwrap();
    assert_eq!(outcome.wakeup, Some(Time::from_millis(3000)));
    let outcome = step(&mut state, &mut policy, Time::from_millis(3000), &[]).unwrap();
    assert_eq!((outcome.matches().count(), state.pool().len()), (1, 1));
}
