//! What the keys of a scenario do to its world, and that nothing is seen but what a live service sees.

use std::collections::BTreeSet;
use std::sync::Arc;

use matchwright_churn::{FromFn, Outcome};
use matchwright_queue::{Ticket, Time, Value};
use matchwright_rating::{RatingParams, SystemName};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::replay::{LoggedTicket, TicketLog};
use matchwright_sim::simulate::{
    AgainParams, ArrivalParams, BurstParams, ChurnEstimateParams, Fate, FullRecord, KnownSkill,
    LeavingParams, NumberParams, PeopleParams, PlayParams, ScenarioParams, simulate,
};

use crate::simulate_compared::{policy, run, world};

/// Two days, in which 300 players come again and again.
fn cohort() -> ScenarioParams {
    ScenarioParams {
        hours: 48.0,
        arrivals: ArrivalParams {
            per_second: 0.02,
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            players: Some(300),
            ..PeopleParams::default()
        },
        rating: KnownSkill {
            system: Some(RatingParams::of(SystemName::Glicko2)),
            ..KnownSkill::default()
        },
        ..ScenarioParams::default()
    }
}

#[test]
fn a_burst_brings_as_many_more_as_it_says() {
    let mut params = world();
    params.arrivals.bursts = vec![BurstParams {
        at_hours: 2.0,
        hours: 1.0,
        factor: 4.0,
    }];
    let record = run(params, 3);
    let hour = 3_600_000;
    let came = |from: i64| {
        let within = |came: i64| (from * hour..(from + 1) * hour).contains(&came);
        record
            .tickets
            .iter()
            .filter(|ticket| within(ticket.came.millis()))
            .count() as f64
    };
    for (from, expected) in [(1, 360.0_f64), (2, 1440.0), (3, 360.0)] {
        assert!(
            (came(from) - expected).abs() < 4.0 * expected.sqrt(),
            "{from}: {}",
            came(from)
        );
    }
}

#[test]
fn a_logs_tickets_come_as_often_as_its_factor_says_with_what_is_known_of_them() {
    let logged = |id: u64| LoggedTicket {
        ticket: Ticket::of(id, [2 * id, 2 * id + 1])
            .with("rating", 1000.0 + id as f64)
            .with("level", 7.0)
            .with_region(if id.is_multiple_of(3) { "eu" } else { "us" }, 30.0),
        came: Time::from_millis(1_700_000_000_000 + 1000 * i64::try_from(id).unwrap()),
        left: None,
        matched: None,
    };
    let log = TicketLog::new((0..2000).map(logged).collect()).unwrap();
    let mut params = world();
    (params.patience, params.arrivals.factor) = (None, 2.5);
    params.rating.error_deviation = 50.0;
    let scenario = params.build().unwrap().with_log(Arc::new(log));
    let teams = "[queue]\nteams = [2, 2]\nmethod = 'batch'\nbatch = { every = 60, choose = 'random' }\n[objective]\nof = 'rating'";
    let mut policy = load(toml::from_str::<PolicyDocument>(teams).unwrap()).unwrap();
    let mut record = FullRecord::default();
    simulate(&scenario, &mut policy, 1, &mut record, &mut |_| {}).unwrap();
    let count = record.tickets.len() as f64;
    assert!(
        (count - 5000.0).abs() < 4.0 * (2000.0_f64 * 0.25).sqrt(),
        "{count}"
    );
    let names: Vec<&str> = scenario
        .params()
        .regions
        .iter()
        .map(|region| region.name.as_str())
        .collect();
    assert_eq!(names, ["eu", "us"]);
    for end in &record.tickets {
        assert_eq!(end.ticket.mean("level"), Some(7.0));
        assert!((end.rating.round() - end.rating).abs() < 1e-9 && end.rating < 3000.0);
        assert_eq!(names[end.region] == "eu", end.ticket.regions.contains_key("eu"));
    }
    let spread: f64 = record
        .matches
        .iter()
        .map(|made| (made.skills[0] - made.ratings[0]).powi(2))
        .sum();
    let spread = (spread / record.matches.len() as f64).sqrt();
    // Of two players on each team.
    assert!((spread - 35.4).abs() < 2.0, "{spread}");
}

#[test]
fn whom_any_model_sends_away_goes_and_the_tickets_carry_what_was_learnt_of_it() {
    let mut params = cohort();
    params.churn = Some(ChurnEstimateParams::default());
    let model = FromFn(|last: &[Outcome]| {
        if last.last() == Some(&Outcome::Loss) {
            0.2
        } else {
            0.0
        }
    });
    params.people.players = Some(2000);
    params.arrivals.per_second = 0.1;
    let scenario = params.build().unwrap().with_leaving(Arc::new(model));
    let mut record = FullRecord::default();
    simulate(&scenario, &mut policy(), 2, &mut record, &mut |_| {}).unwrap();
    let share = record.gone.len() as f64 / (record.matches.len() as f64);
    assert!((share - 0.2).abs() < 0.03, "{share}");
    let churn = |name: &str| {
        let last = record.tickets.iter().rev().take(200);
        let value = last.map(|end| match &end.ticket.players[0].attributes["churn"] {
            Value::Numbers(of) => of[name],
            other => panic!("{other:?}"),
        });
        value.sum::<f64>() / 200.0
    };
    // Beside those who leave, some stay away for eight hours.
    assert!(
        churn("loss") > churn("win") + 0.1,
        "{} {}",
        churn("loss"),
        churn("win")
    );
    assert!(record.tickets.iter().all(|end| end.fate != Fate::Refused));
}

#[test]
fn tickets_carry_the_estimates_of_any_model_of_who_leaves() {
    let model = FromFn(|last: &[Outcome]| match last {
        [.., Outcome::Loss, Outcome::Loss] => 0.75,
        [.., Outcome::Loss] => 0.5,
        _ => 0.25,
    });
    let scenario = cohort().build().unwrap().with_churn_estimate(Arc::new(model));
    let mut record = FullRecord::default();
    simulate(&scenario, &mut policy(), 2, &mut record, &mut |_| {}).unwrap();
    let mut seen = BTreeSet::new();
    for end in &record.tickets {
        let Value::Numbers(churn) = &end.ticket.players[0].attributes["churn"] else {
            panic!("{:?}", end.ticket);
        };
        assert_eq!((churn["win"], churn["draw"]), (0.25, 0.25));
        seen.insert(churn["loss"].to_string());
    }
    assert_eq!(seen, ["0.5", "0.75"].map(str::to_owned).into());
}

/// Twice the spread of skills where twice the lead makes the same odds, and another mean: the same results. All that a
/// service sees must be the same, or something reads what is true.
#[test]
fn what_policies_and_ratings_see_depends_on_results_alone() {
    let of = |mean, scale: f64| {
        let mut params = cohort();
        params.churn = Some(ChurnEstimateParams::default());
        params.again.leaving = Some(LeavingParams {
            propensity: 1.0,
            ..LeavingParams::default()
        });
        params.people.skill_mean = mean;
        params.people.skill_deviation = 256.0 * scale;
        params.play = PlayParams {
            points_for_ten_to_one: 512.0 * scale,
            ..PlayParams::default()
        };
        run(params, 8)
    };
    let (one, other) = (of(1500.0, 1.0), of(0.0, 2.0));
    assert_eq!(one.tickets.len(), other.tickets.len());
    assert!(
        one.tickets
            .iter()
            .zip(&other.tickets)
            .all(|(one, other)| one == other)
    );
    let seen = |record: &FullRecord| -> Vec<_> {
        let made = record.matches.iter();
        made.map(|made| {
            (
                made.at,
                made.teams.clone(),
                made.places.clone(),
                made.predicted.to_bits(),
            )
        })
        .collect()
    };
    assert_eq!(seen(&one), seen(&other));
    let skills = |record: &FullRecord| record.matches[0].skills[0];
    assert_ne!(skills(&one), skills(&other));
}

#[test]
fn skills_drift_by_as_much_as_the_days_say() {
    let change = |drift| {
        let mut params = cohort();
        params.people.drift_per_day = drift;
        params.again = AgainParams {
            next_match: [0.2; 3],
            ..AgainParams::default()
        };
        let scenario = params.build().unwrap();
        let ended = simulate(
            &scenario,
            &mut policy(),
            4,
            &mut FullRecord::default(),
            &mut |_| {},
        )
        .unwrap();
        ended.players
    };
    let (still, moved) = (change(0.0), change(100.0));
    let squares = still
        .iter()
        .zip(&moved)
        .map(|(one, other)| (one.skill - other.skill).powi(2));
    // Two days but for the time since each last waited.
    let spread = (squares.sum::<f64>() / still.len() as f64).sqrt();
    assert!((120.0..150.0).contains(&spread), "{spread}");
}

#[test]
fn a_policy_that_needs_what_the_world_has_not_is_refused_by_the_worlds_key() {
    let refused = |params: ScenarioParams, text: &str| {
        let policy = load(toml::from_str(text).unwrap()).unwrap();
        params
            .build()
            .unwrap()
            .check_policy(&policy)
            .unwrap_err()
            .to_string()
    };
    let ping =
        "[queue]\nteams = [3, 3]\nmethod = 'batch'\nbatch = { every = 60 }\n[scoring.factors.enemy_ping]";
    assert!(refused(world(), ping).starts_with("`regions`: the policy `unnamed` needs `pings`"));
    let churn = "[queue]\nmethod = 'batch'\nbatch = { every = 60 }\n[scoring.factors.team_churn]";
    assert!(refused(world(), churn).contains("`churn`"));
    let level =
        "[queue]\naccept = 'both'\n[[queue.windows]]\nof = 'level'\nstart = 3\n[objective]\nof = 'level'";
    assert!(refused(world(), level).contains("number `level`"));
    let mut with_level = world();
    let number = NumberParams {
        mean: 10.0,
        deviation: 5.0,
        with_skill: 0.5,
        least: Some(1.0),
        of_party: false,
    };
    with_level.people.numbers.insert("level".to_owned(), number);
    let policy = load(toml::from_str(level).unwrap()).unwrap();
    with_level.clone().build().unwrap().check_policy(&policy).unwrap();
    with_level.people.parties = vec![1.0, 1.0];
    assert!(refused(with_level, level).contains("no team for a party of 2: 1 at most"));
}

#[test]
fn an_account_has_a_rating_for_each_word_which_its_ticket_carries() {
    let mut params = cohort();
    let words = [("normal".to_owned(), 1.0), ("ranked".to_owned(), 1.0)];
    params.people.words.insert("mode".to_owned(), words.into());
    params.rating.system = Some(RatingParams::of(SystemName::Dota));
    params.rating.accounts = Some("mode".to_owned());
    let record = run(params.clone(), 3);
    // By player: how many tickets it has had of each mode.
    let mut seen = vec![[0_u32; 2]; 300];
    let (mut late, mut moved) = (0, 0);
    for end in &record.tickets {
        let is_ranked = end.ticket.attributes["mode"] == Value::Text("ranked".to_owned());
        let (own, other) = (usize::from(is_ranked), usize::from(!is_ranked));
        let played = &mut seen[usize::try_from(end.ticket.players[0].id.0).unwrap()];
        if played[own] == 0 {
            // A newcomer, however much of the other it has played.
            assert_eq!(end.rating, 2250.0);
            late += u32::from(played[other] > 3);
        } else {
            moved += u32::from(end.rating != 2250.0);
        }
        played[own] += 1;
    }
    assert!(late >= 5 && moved > 1000, "{late} {moved}");
    let said = |change: &dyn Fn(&mut ScenarioParams)| {
        let mut params = params.clone();
        change(&mut params);
        params.build().err().unwrap().to_string()
    };
    let without = said(&|params| params.rating.system = None);
    assert!(without.contains("`rating.system` = \"dota\""), "{without}");
    let turbo = said(&|params| {
        let words = params.people.words.get_mut("mode").unwrap();
        words.insert("turbo".to_owned(), 1.0);
    });
    assert!(turbo.contains("the words `normal` and `ranked`"), "{turbo}");
}
