//! A device that fails, and a service that is opened again.

use std::collections::{BTreeMap, BTreeSet};

use matchwright_queue::live::{Faults, Memory};
use matchwright_service::{
    Change, MatchResult, NewPlayer, NewTicket, Problem, Service, Settings, TicketState,
};

use crate::dice::Dice;
use crate::handle::{DUEL, key, open, open_with, ticket};

/// What was acknowledged: tickets by request, and results by match.
#[derive(Default)]
struct Acknowledged {
    tickets: BTreeMap<String, String>,
    results: BTreeMap<String, Vec<u32>>,
}

/// Asks for something at random; false once the service has stopped.
fn ask(service: &Service, dice: &mut Dice, known: &mut Acknowledged, number: u64) -> bool {
    let name = format!("p{}", dice.below(12));
    let other = format!("p{}", dice.below(12));
    let answered = match dice.below(9) {
        0..=1 => {
            let request = format!("r{number}");
            let created = service.create(Some(key(&request)), ticket(&[&name])).wait();
            created.map(|created| _ = known.tickets.insert(request, created.ticket.id))
        }
        2 => {
            let Ok(view) = service.player(&name).wait() else {
                return false;
            };
            match view.ticket.map(|ticket| ticket.state) {
                Some(TicketState::Matched { match_id, .. }) => {
                    let places = vec![1, 1 + u32::try_from(dice.below(2)).unwrap()];
                    let result = MatchResult {
                        places: places.clone(),
                        played_at: None,
                        ..MatchResult::default()
                    };
                    let reported = service.report(&match_id, result).wait();
                    reported.map(|view| _ = known.results.insert(match_id, view.places.unwrap()))
                }
                _ => Ok(()),
            }
        }
        3 => {
            let gathering = NewTicket {
                joining: vec![other],
                ..ticket(&[&name])
            };
            let request = format!("r{number}");
            let created = service.create(Some(key(&request)), gathering).wait();
            created.map(|created| _ = known.tickets.insert(request, created.ticket.id))
        }
        4 | 5 => {
            // The last ticket may wait for it.
            match known.tickets.values().next_back() {
                Some(ticket) => service.join(ticket, NewPlayer::of(name)).wait().map(drop),
                None => Ok(()),
            }
        }
        6 => {
            let Ok(view) = service.player(&name).wait() else {
                return false;
            };
            match view.ticket.map(|ticket| ticket.state) {
                Some(TicketState::Matched { match_id, .. }) => {
                    service.leave(&match_id, &name).wait().map(drop)
                }
                _ => Ok(()),
            }
        }
        7 => match dice.below(4) {
            0 => service.set_policy(DUEL).wait(),
            // Its tickets stay, without its name.
            1 => service.erase(&name).wait(),
            _ => Ok(()),
        },
        _ => {
            let Ok(view) = service.player(&name).wait() else {
                return false;
            };
            match view.ticket {
                Some(waiting) => service.cancel(&waiting.id, Some(&name)).wait().map(drop),
                None => Ok(()),
            }
        }
    };
    !matches!(answered, Err(Problem::Stopped(_)))
}

/// Nothing that was acknowledged is lost, and nobody is in two matches.
fn check(service: &Service, known: &Acknowledged, seed: u64) {
    for (request, id) in &known.tickets {
        let found = service.ticket(id).wait();
        assert!(found.is_ok(), "seed {seed}: {request} got {id}: {found:?}");
    }
    for (match_id, places) in &known.results {
        let found = service.match_by_id(match_id).wait().unwrap();
        assert_eq!(found.places.as_ref(), Some(places), "seed {seed}: {match_id}");
    }
    let mut busy = BTreeSet::new();
    for name in (0..12).map(|number| format!("p{number}")) {
        if let Some(view) = service.player(&name).wait().unwrap().ticket
            && let TicketState::Matched { match_id, .. } = view.state
        {
            let found = service.match_by_id(&match_id).wait().unwrap();
            if found.places.is_none() {
                let both = found.teams.iter().flatten();
                assert!(both.clone().any(|player| *player == name), "seed {seed}");
                assert!(busy.insert((name, match_id)), "seed {seed}");
            }
        }
    }
}

/// Nobody has to wait after having left a match.
fn forgiving(device: &Memory) -> Service {
    let settings = Settings {
        leave_cooldown: 0,
        ..Settings::default()
    };
    open_with(device, DUEL, settings)
}

/// The second copy of the state tells what the first does, and all that has changed is all that there is.
fn copies_agree(service: &Service) {
    let (step, changes) = service.changes_after(0).unwrap();
    assert_eq!(step, service.stats().step);
    let changes: Vec<Change> = changes.into_iter().flat_map(|step| step.changes).collect();
    let tickets = service.tickets(None, usize::MAX, |_| true).unwrap();
    let matches = service.matches(None, usize::MAX, |_| true).unwrap();
    assert_eq!(changes.len(), tickets.len() + matches.len());
    for change in changes {
        match change {
            Change::Ticket(view) => assert_eq!(service.ticket(&view.id).wait().unwrap(), view),
            Change::Match(view) => assert_eq!(service.match_by_id(&view.id).wait().unwrap(), view),
        }
    }
}

fn crash(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut dice = Dice(seed);
        let mut known = Acknowledged::default();
        let mut device = Memory::default();
        let mut number = 0;
        for _ in 0..4 {
            let service = forgiving(&device);
            check(&service, &known, seed);
            for _ in 0..80 {
                number += 1;
                assert!(ask(&service, &mut dice, &mut known, number));
            }
            copies_agree(&service);
            // The power is gone: what was not synced is lost.
            let after = device.crashed();
            service.close();
            device = after;
        }
    }
}

#[test]
fn nothing_that_was_acknowledged_is_lost_in_a_crash() {
    crash(0..20);
}

#[test]
#[ignore = "minutes: run by `cargo xtask test --deep`"]
fn nothing_is_lost_under_many_seeds() {
    crash(20..5020);
    fail(30..5030);
}

fn fail(seeds: std::ops::Range<u64>) -> usize {
    let mut stopped = 0;
    for seed in seeds {
        let mut dice = Dice(1_000_000 + seed);
        let mut known = Acknowledged::default();
        let faults = Faults {
            fails_at: Some(20 + dice.below(60)),
            ..Faults::default()
        };
        let device = Memory::with_faults(faults, seed);
        let service = forgiving(&device);
        for number in 0..100 {
            if !ask(&service, &mut dice, &mut known, number) {
                stopped += 1;
                assert!(
                    service
                        .ticket("t0")
                        .wait()
                        .is_err_and(|problem| problem.code() == "stopped")
                );
                break;
            }
        }
        let after = device.crashed();
        after.set_faults(Faults::default());
        service.close();
        let service = open(&after, DUEL);
        check(&service, &known, seed);
        service.close();
    }
    stopped
}

#[test]
fn a_device_that_fails_stops_the_service_for_good_and_loses_nothing() {
    let stopped = fail(0..30);
    assert!(stopped > 15, "{stopped}");
}

#[test]
fn ratings_are_those_of_the_results_in_order_after_any_restart() {
    let mut device = Memory::default();
    let mut service = open(&device, DUEL);
    for round in 0..30_u32 {
        let names = [format!("a{}", round % 5), format!("b{}", round % 3)];
        service.create(None, ticket(&[&names[0]])).wait().unwrap();
        let id = service
            .create(None, ticket(&[&names[1]]))
            .wait()
            .unwrap()
            .ticket
            .id;
        let match_id = service.match_of(&id).wait().unwrap().id;
        let result = MatchResult {
            places: vec![1 + round % 2, 2 - round % 2],
            played_at: Some(1_700_000_000 + i64::from(round)),
            ..MatchResult::default()
        };
        service.report(&match_id, result).wait().unwrap();
        if round % 7 == 0 {
            service.close();
            device = device.crashed();
            service = open(&device, DUEL);
        }
    }
    let params = Settings::default().ratings.unwrap();
    let system = params.system.build_pairs().unwrap().unwrap();
    let adjust = params.adjustments().unwrap();
    let system = matchwright_rating::store::Adjusted { system, adjust };
    let period = matchwright_rating::RatingPeriod::days(1.0).unwrap();
    let mut store = matchwright_rating::store::RatingStore::by_time(system, period);
    for round in 0..30_u32 {
        let score = if round % 2 == 0 {
            matchwright_rating::Score::WIN
        } else {
            matchwright_rating::Score::LOSS
        };
        let names = [format!("a{}", round % 5), format!("b{}", round % 3)];
        let [one, other] = names;
        let duel = matchwright_rating::store::Duel::new(one, other, score);
        store.add(1_700_000_000 + i64::from(round), duel).unwrap();
    }
    for (name, standing) in store.standings() {
        let rated = service.player(name).wait().unwrap().rated.unwrap();
        assert_eq!(
            rated.rating.to_bits(),
            matchwright_rating::RatingEstimate::rating(&standing.rating).to_bits(),
            "{name}"
        );
    }
    service.close();
}
