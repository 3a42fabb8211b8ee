//! Replays of small logs whose outcome is known.

use matchwright_queue::{Ticket, TicketId, Time};
use matchwright_sim::policy::load;
use matchwright_sim::replay::{Fate, Judge, LoggedTicket, Replay, ReplaySettings, TicketLog, replay};

const POLICY: &str = "
    [queue]
    accept = 'both'
    [[queue.windows]]
    of = 'skill'
    start = 40
    per_second = 1
    [objective]
    of = 'skill'
    lost = 7";

/// Tickets (came, left, skill) in seconds.
fn replayed(tickets: &[(i64, Option<i64>, f64)], settings: ReplaySettings) -> Replay {
    let at = |seconds: i64| Time::from_millis(1000 * seconds);
    let logged = |(id, &(came, left, skill)): (u64, &(i64, Option<i64>, f64))| LoggedTicket {
        ticket: Ticket::of_one(id, id).with("skill", skill),
        came: at(came),
        left: left.map(at),
        matched: None,
    };
    let log = TicketLog::new((1..).zip(tickets).map(logged).collect()).unwrap();
    let mut policy = load(toml::from_str(POLICY).unwrap()).unwrap();
    let judge = Judge::new(policy.objective.clone(), None).unwrap();
    replay(&log, &mut policy, &judge, settings, &mut |_| {}).unwrap()
}

#[test]
fn an_overdue_ticket_is_explained_though_it_is_matched_before_anything_else_happens() {
    let settings = ReplaySettings {
        overdue: 100.0,
        explain: 1,
        ..ReplaySettings::default()
    };
    // Nothing happens between 0 s and 500 s, when both windows are far wider.
    let replay = replayed(
        &[(0, None, 1500.0), (500, None, 1500.0), (600, Some(650), 0.0)],
        settings,
    );
    assert_eq!(replay.tickets[0].fate, Fate::Matched(1));
    let (ticket, why) = &replay.why[0];
    assert_eq!(
        (*ticket, why.waited, why.candidates.len()),
        (TicketId(1), 100_000, 0)
    );
}

#[test]
fn of_the_overdue_tickets_those_are_explained_that_waited_longest() {
    let settings = ReplaySettings {
        overdue: 10.0,
        explain: 2,
        ..ReplaySettings::default()
    };
    let tickets = [
        (0, Some(20), 0.0),
        (1, Some(90), 5000.0),
        (2, Some(50), 10_000.0),
        (3, Some(5), 20_000.0),
    ];
    let replay = replayed(&tickets, settings);
    let explained: Vec<u64> = replay.why.iter().map(|(ticket, _)| ticket.0).collect();
    assert_eq!((explained, replay.overdue(10.0)), (vec![2, 3], 3));
}

#[test]
fn a_ticket_that_leaves_as_it_comes_has_left_and_pays_the_price() {
    let replay = replayed(
        &[(0, Some(0), 1500.0), (1, None, 1500.0)],
        ReplaySettings::default(),
    );
    assert_eq!(replay.tickets[0].fate, Fate::Left);
    let costs = replay.tickets[0].costs.unwrap();
    assert_eq!((costs.lost, replay.tickets[0].waited), (7.0, 0.0));
    assert_eq!(replay.count(|fate| fate == Fate::Waits), 1);
}
