//! Replays of small logs whose outcome is known.

use matchwright_queue::{Ticket, TicketId, Time};
use matchwright_sim::policy::load;
use matchwright_sim::replay::{
    Fate, Judge, Keeper, LoggedMatch, LoggedTicket, Replay, ReplaySettings, TicketLog, recorded, replay,
};

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

fn at(seconds: i64) -> Time {
    Time::from_millis(1000 * seconds)
}

/// Tickets (came, left, skill) in seconds.
fn log(tickets: &[(i64, Option<i64>, f64)]) -> TicketLog {
    let logged = |(id, &(came, left, skill)): (u64, &(i64, Option<i64>, f64))| LoggedTicket {
        ticket: Ticket::of_one(id, id).with("skill", skill),
        came: at(came),
        left: left.map(at),
        matched: None,
    };
    TicketLog::new((1..).zip(tickets).map(logged).collect()).unwrap()
}

fn judge() -> Judge {
    let policy = load(toml::from_str(POLICY).unwrap()).unwrap();
    Judge::new(policy.objective, None).unwrap()
}

fn replayed(tickets: &[(i64, Option<i64>, f64)], settings: ReplaySettings) -> Replay {
    let mut policy = load(toml::from_str(POLICY).unwrap()).unwrap();
    replay(&log(tickets), &mut policy, &judge(), settings, &mut |_| {}).unwrap()
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

/// A log in which happened what a policy makes of it is judged as the policy is, whatever the objective.
#[test]
fn what_happened_in_a_log_is_judged_as_a_replay_of_it() {
    let tickets: Vec<(i64, Option<i64>, f64)> = (0..300)
        .map(|at| {
            (
                at,
                (at % 3 == 0).then_some(at + 30),
                1000.0 + f64::from(u32::try_from(at * 7919 % 800).unwrap()),
            )
        })
        .collect();
    let settings = ReplaySettings::default();
    let made = replayed(&tickets, settings);
    let ended = |one: &LoggedTicket, place: usize| {
        let replayed = &made.tickets[place];
        #[expect(clippy::cast_possible_truncation, reason = "milliseconds of a short log")]
        let ended = one.came.plus((1000.0 * replayed.waited).round() as i64);
        let is_matched = matches!(replayed.fate, Fate::Matched(_));
        LoggedTicket {
            left: (replayed.fate == Fate::Left).then_some(ended),
            matched: is_matched.then_some(ended),
            ..one.clone()
        }
    };
    let logged = log(&tickets);
    let ended: Vec<LoggedTicket> = logged
        .tickets()
        .iter()
        .zip(0..)
        .map(|(one, at)| ended(one, at))
        .collect();
    let matches = made.matches.iter().map(|one| LoggedMatch {
        id: one.id,
        queue: one.queue.clone(),
        region: one.region.clone(),
        teams: one.teams.clone(),
    });
    let log = TicketLog::new(ended).unwrap().with_matches(matches.collect());
    let found = recorded(&log, &judge(), settings.tail).unwrap();
    let waits = made.count(|fate| fate == Fate::Waits);
    assert!(
        made.matches.len() > 50 && waits > 0,
        "{} {waits}",
        made.matches.len()
    );
    assert_eq!(found.unknown.ends, waits);
    assert_eq!(found.replay.matches, made.matches);
    for (known, told) in found.replay.tickets.iter().zip(&made.tickets) {
        if told.fate == Fate::Waits {
            assert_eq!((known.fate, known.costs), (Fate::Unknown, None));
        } else {
            assert_eq!(known, told);
        }
    }
}

#[test]
fn what_happened_after_the_log_ends_had_not_by_then() {
    let mut late = log(&[(0, None, 0.0), (0, None, 30.0), (0, Some(90), 0.0)])
        .tickets()
        .to_vec();
    for one in &mut late[..2] {
        one.matched = Some(at(100));
    }
    let teams = vec![vec![TicketId(1)], vec![TicketId(2)]];
    let made = LoggedMatch {
        id: 1,
        queue: String::new(),
        region: None,
        teams,
    };
    let log = TicketLog::new(late).unwrap().with_matches(vec![made]);
    let fates = |tail: f64| {
        let found = recorded(&log, &judge(), tail).unwrap().replay;
        let all = found.tickets.iter().map(|one| (one.fate, one.waited));
        (found.matches.len(), all.collect::<Vec<_>>())
    };
    let matched = (Fate::Matched(1), 100.0);
    assert_eq!(fates(100.0), (1, vec![matched, matched, (Fate::Left, 90.0)]));
    let waits = (Fate::Waits, 80.0);
    assert_eq!(fates(80.0), (0, vec![waits; 3]));
}

/// 1 waits alone until 2 comes, which is 100 away: both windows reach that far at 80 s.
#[test]
fn at_each_moment_it_is_asked_what_keeps_those_who_wait() {
    let settings = ReplaySettings {
        moments: 4,
        ..ReplaySettings::default()
    };
    let replay = replayed(
        &[(0, None, 1500.0), (40, None, 1600.0), (200, None, 0.0)],
        settings,
    );
    let told: Vec<(f64, usize, Vec<Keeper>)> = replay
        .moments
        .iter()
        .map(|one| (one.at, one.waiting, one.kept.keys().cloned().collect()))
        .collect();
    let skill = Keeper::Rule("skill".to_owned());
    assert_eq!(
        told,
        [
            (50.0, 2, vec![skill]),
            (100.0, 0, vec![]),
            (150.0, 0, vec![]),
            (200.0, 1, vec![Keeper::NobodyElse]),
        ]
    );
    assert!(replayed(&[(0, None, 1.0)], settings).moments.len() <= 1);
    assert_eq!(replayed(&[(0, None, 1.0)], ReplaySettings::default()).moments, []);
}
