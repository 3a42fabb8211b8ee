//! Parties that live in two regions, matches on players' own machines, and gold.

use std::collections::BTreeMap;

use matchwright_queue::{Ticket, Value};
use matchwright_sim::policy::{LoadedPolicy, load};
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    ArrivalParams, Figure, FullRecord, GoldParams, Measured, Measures, PeopleParams, PlayParams, Record,
    RegionParams, ScenarioParams, simulate,
};

/// Twos against twos by rating alone.
fn policy() -> LoadedPolicy {
    let text = "name = 'twos'
         [queue]
         method = 'batch'
         teams = [2, 2]
         batch = { every = 60 }
         exchanges = 200
         [objective]
         mismatch = 1
         waiting = 0.001
         [scoring.factors.team_skill]
         weight = 1
         difference = { shape = 'ramp', best = 0, worst = 1000 }";
    load(toml::from_str(text).unwrap()).unwrap()
}

fn region(name: &str, pings: [f64; 2]) -> RegionParams {
    RegionParams {
        name: name.to_owned(),
        share: 1.0,
        offset_hours: 0.0,
        pings: BTreeMap::from([("east".to_owned(), pings[0]), ("west".to_owned(), pings[1])]),
    }
}

fn world(peer_to_peer: bool) -> ScenarioParams {
    ScenarioParams {
        hours: 2.0,
        arrivals: ArrivalParams {
            per_second: 0.2,
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            parties: vec![1.0, 1.0],
            apart: 0.4,
            ..PeopleParams::default()
        },
        regions: vec![region("east", [20.0, 120.0]), region("west", [130.0, 30.0])],
        play: PlayParams {
            peer_to_peer,
            ..PlayParams::default()
        },
        ..ScenarioParams::default()
    }
}

fn run(params: ScenarioParams) -> (Measured, FullRecord) {
    let scenario = params.build().unwrap();
    let (mut policy, judged) = (policy(), policy());
    let judge = Judge::new(judged.objective, judged.scoring).unwrap();
    let (mut measures, mut record) = (Measures::new(&scenario, &judge), FullRecord::default());
    let mut both = (&mut measures as &mut dyn Record, &mut record as &mut dyn Record);
    let ended = simulate(&scenario, &mut policy, 1, &mut both, &mut |_| {}).unwrap();
    (measures.finish(&ended.players), record)
}

/// The pings of each player, as scoring reads them.
fn pings(ticket: &Ticket) -> Vec<Option<[f64; 2]>> {
    let of = |value: &Value| match value {
        Value::Numbers(pings) => Some([pings["east"], pings["west"]]),
        _ => None,
    };
    ticket
        .players
        .iter()
        .map(|member| member.attributes.get("pings").and_then(of))
        .collect()
}

#[test]
fn a_party_from_two_regions_accepts_the_worse_pings_and_each_player_has_its_own() {
    let (found, record) = run(world(false));
    let (mut apart, mut pairs) = (0.0, 0.0);
    for end in record.tickets.iter().filter(|end| end.players.len() == 2) {
        pairs += 1.0;
        let (ticket, regions) = (&end.ticket, &end.ticket.regions);
        if end.is_apart {
            apart += 1.0;
            assert_eq!((regions["east"], regions["west"]), (130.0, 120.0));
            let homes = [Some([20.0, 120.0]), Some([130.0, 30.0])];
            let own = pings(ticket);
            assert!(own == homes || own == [homes[1], homes[0]], "{own:?}");
        } else {
            assert!(regions["east"].min(regions["west"]) <= 30.0);
            assert_eq!(pings(ticket), [None, None]);
        }
    }
    // Four standard deviations of a share of some seven hundred.
    assert!((apart / pairs - 0.4_f64).abs() < 0.08, "{apart} of {pairs}");
    let names: Vec<&str> = found.waits.iter().map(|waits| waits.group.as_str()).collect();
    assert!(names.contains(&"party from two regions") && names.contains(&"party from one region"));
}

#[test]
fn on_players_machines_tickets_name_no_region_and_pings_are_between_opponents() {
    let (found, record) = run(world(true));
    for end in &record.tickets {
        assert!(end.ticket.regions.is_empty());
        assert!(pings(&end.ticket).iter().all(Option::is_some));
    }
    let ping = |name: &str| {
        let group = found.by_group.iter().find(|group| group.group == name).unwrap();
        group.ping.unwrap()
    };
    // The policy knows no pings: opponents are as often far away, whoever it is. East to east 40, west to west 60, else 150.
    let all = ping("all");
    assert!((all - 100.0).abs() < 10.0, "{all}");
    assert!((ping("party from two regions") - all).abs() < 10.0);
    assert!(ping("region east") < ping("region west"));
    let players: u64 = found
        .by_group
        .iter()
        .filter(|one| one.group == "all")
        .map(|one| one.players)
        .sum();
    assert_eq!(players, 4 * found.matches);
    let mismatch = found.by_group[0].mismatch.unwrap();
    assert!((mismatch - found.mismatch.unwrap()).abs() < 1e-6);
}

#[test]
fn gold_changes_nothing_of_a_world_and_is_a_figure_only_where_it_is_asked_for() {
    let (without, plain) = run(world(true));
    let mut params = world(true);
    params.play.gold = Some(GoldParams::default());
    let (with, golden) = run(params);
    assert_eq!(plain.tickets, golden.tickets);
    assert!(plain.matches.iter().all(|made| made.balance.is_none()));
    let mut less = golden.clone();
    less.matches.iter_mut().for_each(|made| made.balance = None);
    assert_eq!(plain, less);
    assert_eq!(Figure::Balance.of(&without), None);
    let areas: Vec<f64> = golden.matches.iter().filter_map(|made| made.balance).collect();
    assert_eq!(areas.len() as u64, with.matches);
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    assert!((Figure::Balance.of(&with).unwrap() / mean - 1.0).abs() < 1e-5);
    assert!(Figure::Balance90.of(&with) > Figure::Balance.of(&with));
}

#[test]
fn parties_apart_need_another_region_and_gold_a_deviation() {
    let mut alone = world(false);
    alone.regions.truncate(1);
    let error = alone.build().unwrap_err().to_string();
    assert!(error.starts_with("`people.apart`"), "{error}");
    let mut params = world(false);
    params.play.gold = Some(GoldParams { deviation: -1.0 });
    let error = params.build().unwrap_err().to_string();
    assert!(error.starts_with("`play.gold.deviation`"), "{error}");
}
