//! While its players are asked to accept a match, a ticket does not wait.

use matchwright_queue::{PairsParams, PricesParams, QueueSettings, TicketId};

use crate::bench::{Bench, accept, at, create, decline, made, pairs, player};

/// Two tickets of a queue with prices, the second a second after the first, and when they may start.
fn two(accept_within: Option<i64>) -> (Bench, i64) {
    let params = PairsParams {
        prices: Some(PricesParams::of("rating", 1.0, 1.0)),
        ..PairsParams::default()
    };
    let settings = QueueSettings {
        accept_within,
        estimate_by: Some(("rating".to_owned(), 100.0)),
        ..QueueSettings::default()
    };
    let mut queue = Bench::new(settings, pairs(&params));
    queue.step(0, [create(player(1, 1500.0))]);
    let starts = queue.step(1000, [create(player(2, 1506.0))]).wakeup.unwrap();
    (queue, starts.millis())
}

#[test]
fn what_is_learned_of_waits_does_not_depend_on_how_long_players_take_to_accept() {
    let (mut at_once, starts) = two(None);
    assert_eq!(at_once.matches(starts, []), [[1, 2]]);
    let (mut asked, same) = two(Some(10_000));
    assert_eq!((asked.step(same, []).proposals().count(), same), (1, starts));
    assert_eq!(made(&asked.step(starts + 2000, [accept(1, 1)])).len(), 0);
    assert_eq!(asked.matches(starts + 8000, [accept(1, 2)]), [[1, 2]]);
    assert_eq!(asked.policy.save(), at_once.policy.save());
    let expected = |queue: &Bench| queue.state.estimates().estimate(&player(3, 1500.0), "");
    assert_eq!(expected(&asked), expected(&at_once));
    assert!(expected(&asked).is_some());
}

#[test]
fn a_ticket_that_waits_again_is_at_risk_since_then() {
    let (mut queue, starts) = two(Some(10_000));
    queue.step(starts, []);
    let waits = |queue: &Bench, now: i64| {
        let waiting = queue.state.pool().get(TicketId(1)).unwrap();
        (waiting.waited(at(now)), waiting.at_risk(at(now)))
    };
    assert_eq!(waits(&queue, starts + 5000), (starts, starts));
    queue.step(starts + 8000, [decline(1, 2)]);
    assert_eq!(waits(&queue, starts + 9000), (starts + 9000, 1000));
}
