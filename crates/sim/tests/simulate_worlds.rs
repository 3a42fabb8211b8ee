//! Simulated worlds of players who come again: what they measure, and that a seed is a promise.

use matchwright_rating::{Glicko2Params, RatingParams, SystemName};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use matchwright_sim::replay::Judge;
use matchwright_sim::simulate::{
    AcceptanceParams, AgainParams, ArrivalParams, Fate, FullRecord, KnownSkill, Measured, Measures, Patience,
    PeopleParams, RegionParams, Scenario, ScenarioParams, simulate,
};

const WINDOWS: &str = "
name = 'windows'
[queue]
accept = 'both'
longest_wait = 300
[[queue.windows]]
of = 'rating'
start = 40
per_second = 8
[objective]
of = 'rating'
mismatch = 1.0
waiting = 1.0
lost = 300.0
";

fn policy(text: &str) -> LoadedPolicy {
    load(toml::from_str::<PolicyDocument>(text).unwrap()).unwrap()
}

/// Two regions on opposite sides of the day, parties of one to three, whose ratings are learnt.
fn world() -> ScenarioParams {
    let region = |name: &str, offset_hours, own, other| RegionParams {
        name: name.to_owned(),
        share: 1.0,
        offset_hours,
        pings: [("east".to_owned(), own), ("west".to_owned(), other)].into(),
    };
    ScenarioParams {
        hours: 12.0,
        warm_up_hours: 2.0,
        arrivals: ArrivalParams {
            per_second: 0.05,
            by_hour: (0..24).map(|hour| if hour < 12 { 1.0 } else { 3.0 }).collect(),
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            players: Some(600),
            ..PeopleParams::default()
        },
        regions: vec![region("east", 0.0, 20.0, 90.0), region("west", 12.0, 90.0, 20.0)],
        patience: Some(Patience::Weibull {
            shape: 0.8,
            scale: 400.0,
        }),
        again: AgainParams {
            next_match: [0.7, 0.6, 0.5],
            gone: [0.0, 0.0, 0.1],
            ..AgainParams::default()
        },
        rating: KnownSkill {
            system: Some(RatingParams::of(SystemName::Glicko2)),
            ..KnownSkill::default()
        },
        ..ScenarioParams::default()
    }
}

fn run(scenario: &Scenario, text: &str, seed: u64) -> FullRecord {
    let mut record = FullRecord::default();
    simulate(scenario, &mut policy(text), seed, &mut record, &mut |_| {}).unwrap();
    record
}

fn measure(scenario: &Scenario, text: &str, seed: u64) -> Measured {
    let mut policy = policy(text);
    let judge = Judge::new(policy.objective.clone(), policy.scoring.clone()).unwrap();
    let mut measures = Measures::new(scenario, &judge);
    let ended = simulate(scenario, &mut policy, seed, &mut measures, &mut |_| {}).unwrap();
    measures.finish(&ended.players)
}

#[test]
fn the_same_seed_gives_the_same_world_and_another_another() {
    let scenario = world().build().unwrap();
    let one = run(&scenario, WINDOWS, 1);
    assert!(one.matches.len() > 500 && one.gone.len() > 10);
    assert_eq!(one, run(&scenario, WINDOWS, 1));
    assert_ne!(one, run(&scenario, WINDOWS, 2));
}

/// Who is busy plays or waits; a party waits once at a time; who has gone stays away.
#[test]
fn nobody_is_in_two_places_and_who_is_gone_never_comes_again() {
    let found = run(&world().build().unwrap(), WINDOWS, 3);
    let mut until = std::collections::BTreeMap::new();
    let mut tickets = found.tickets.clone();
    tickets.sort_by_key(|ticket| ticket.ticket.id);
    for ticket in &tickets {
        for player in &ticket.players {
            if let Some(before) = until.insert(*player, ticket.ended) {
                assert!(before <= ticket.came, "player {player} waits twice at once");
            }
            assert!(found.gone.get(player).is_none_or(|gone| *gone > ticket.came));
        }
    }
    for made in &found.matches {
        assert_eq!(made.teams.len(), 2);
        let chance = 1.0 / (1.0 + 10.0_f64.powf((made.skills[1] - made.skills[0]) / 400.0));
        assert!((made.true_chance - chance).abs() < 1e-12);
    }
}

#[test]
fn under_another_policy_the_same_parties_are_as_patient_for_their_first_wait() {
    let mut params = world();
    // Nobody plays, so that all depends on arrivals and patience.
    params.rating = KnownSkill::default();
    let scenario = params.build().unwrap();
    let nobody = WINDOWS
        .replace("start = 40", "start = 0")
        .replace("per_second = 8", "per_second = 0")
        .replace("longest_wait = 300", "");
    let (one, other) = (run(&scenario, &nobody, 4), run(&scenario, WINDOWS, 4));
    let first = |record: &FullRecord| {
        let mut first = std::collections::BTreeMap::new();
        let mut tickets = record.tickets.clone();
        tickets.sort_by_key(|ticket| ticket.ticket.id);
        for ticket in tickets {
            first.entry(ticket.players.clone()).or_insert(ticket);
        }
        first
    };
    let (one, other) = (first(&one), first(&other));
    let mut compared = 0;
    for (players, ticket) in &one {
        let same = &other[players];
        assert_eq!(same.came, ticket.came);
        if same.fate == Fate::Left && ticket.fate == Fate::Left {
            assert_eq!(same.ended, ticket.ended);
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn ratings_are_learnt_and_the_world_is_measured_after_its_warm_up() {
    let scenario = world().build().unwrap();
    let found = measure(&scenario, WINDOWS, 5);
    let full = run(&scenario, WINDOWS, 5);
    let warm_up = 2 * 3_600_000;
    let counted = full.matches.iter().filter(|made| made.at.millis() >= warm_up);
    assert_eq!(found.matches, counted.count() as u64);
    let groups: Vec<&str> = found.waits.iter().map(|group| group.group.as_str()).collect();
    assert_eq!(groups[0], "all");
    assert!(groups.contains(&"region east") && groups.iter().any(|group| group.starts_with("rating")));
    // Newcomers are all taken for the mean: off by the spread of skill, 300 points.
    assert!(
        found
            .rating_error
            .root_mean_square
            .is_some_and(|error| error < 280.0),
        "{:?}",
        found.rating_error
    );
    assert!(found.favourite[0] > Some(0.5) && found.favourite[1] < Some(1.0));
    let costs = found.costs;
    assert!(costs.mismatch > 0.0 && costs.waiting > 0.0 && costs.lost > 0.0);
}

#[test]
fn proposals_are_declined_as_often_as_players_do_not_accept() {
    let mut params = world();
    params.acceptance = AcceptanceParams {
        chance: 0.9,
        declines: 0.5,
        mean_seconds: 3.0,
    };
    let asks = WINDOWS.replace("[queue]", "[queue]\nacceptance = { within = 20 }");
    let found = run(&params.build().unwrap(), &asks, 6);
    let count = |fate| found.tickets.iter().filter(|ticket| ticket.fate == fate).count() as f64;
    // Of two players both accept with .81. One alone does not with .18, and leaves; of two who do not, the first who
    // declines leaves, or both if they let the time run out, which is one case in four.
    let (declined, matched) = (count(Fate::Declined), count(Fate::Matched));
    let share = declined / (declined + matched);
    let expected = (0.18 + 0.01 * 1.25) / (0.18 + 0.01 * 1.25 + 2.0 * 0.81);
    let error = (share * (1.0 - share) / (declined + matched)).sqrt();
    assert!(
        (share - expected).abs() < 5.0 * error,
        "{share} {expected} {error}"
    );
}

#[test]
fn what_makes_no_world_is_named_by_its_key() {
    let refused = |change: fn(&mut ScenarioParams)| {
        let mut params = world();
        change(&mut params);
        params.build().unwrap_err().to_string()
    };
    assert!(refused(|params| params.arrivals.per_second = -1.0).contains("`arrivals.per_second` is -1"));
    assert!(refused(|params| params.arrivals.by_hour = vec![1.0; 23]).contains("`arrivals.by_hour`"));
    assert!(refused(|params| params.people.players = Some(0)).contains("`people.players` is 0"));
    assert!(
        refused(|params| params.people.players = Some(4_000_000_000))
            .contains("`people.players` is 4000000000")
    );
    assert!(refused(|params| params.people.parties = vec![]).contains("`people.parties`"));
    assert!(refused(|params| params.hours = f64::NAN).contains("`hours` is NaN"));
    assert!(refused(|params| params.warm_up_hours = 12.0).contains("`warm_up_hours`"));
    assert!(refused(|params| params.acceptance.chance = 1.5).contains("`acceptance.chance`"));
    assert!(refused(|params| params.play.draw_rate = 1.0).contains("`play.draw_rate`"));
    assert!(refused(|params| params.again.gone[2] = -0.1).contains("`again.gone`"));
    let refused_tau = refused(|params| {
        let settings = Glicko2Params {
            tau: -1.0,
            ..Glicko2Params::default()
        };
        params.rating.system = Some(RatingParams::of(settings));
    });
    assert!(refused_tau.contains("`rating.system`"), "{refused_tau}");
    assert!(
        refused(|params| params.patience = Some(Patience::Table(vec![(5.0, 0.5), (4.0, 0.7)])))
            .contains("`patience.table`")
    );
}

/// Of tickets that came after the first day, in a world whose hours swing four to one, whose players lose patience, and where
/// some regions meet; windows and prices.
#[test]
fn four_in_five_waits_promised_to_four_in_five_are_kept_on_later_days() {
    let mut params = world();
    params.people.players = None;
    (params.hours, params.warm_up_hours) = (72.0, 24.0);
    params.arrivals.per_second = 0.15;
    params.arrivals.by_hour = (0..24).map(|hour| if hour < 12 { 1.0 } else { 4.0 }).collect();
    params.rating = KnownSkill::default();
    let scenario = params.build().unwrap();
    let windows = WINDOWS.replace("[queue]", "[queue]\nestimates = { by = 'rating', band = 200 }");
    let prices = "
        [queue]
        longest_wait = 600
        prices = { share = 0.85, waiting_share = 0.3, learn = 0.02, band = 25, start = 'learn' }
        estimates = { by = 'rating', band = 200 }
        [objective]
        of = 'rating'
        waiting = 1";
    for policy in [&windows, prices] {
        let coverage = measure(&scenario, policy, 8).coverage;
        let share = coverage.share().unwrap();
        assert!(coverage.promised > 1500, "{coverage:?}");
        assert!((0.78..0.82).contains(&share), "{share} of {coverage:?}");
    }
}

/// Matches of no length and pauses of none, for ever: one a millisecond.
#[test]
fn time_goes_on_though_matches_take_none() {
    let mut params = ScenarioParams {
        hours: 0.001,
        people: PeopleParams {
            players: Some(2),
            ..PeopleParams::default()
        },
        again: AgainParams {
            next_match: [1.0; 3],
            pause_seconds: 0.0,
            ..AgainParams::default()
        },
        ..ScenarioParams::default()
    };
    params.arrivals.per_second = 100.0;
    params.people.skill_deviation = 0.0;
    params.play.median_minutes = 1e-300;
    let scenario = params.build().unwrap();
    let played = run(&scenario, WINDOWS, 1).matches.len();
    assert!((2000..=3600).contains(&played), "{played}");
    assert!(scenario.plan().tickets >= 2.0 * played as f64);
}
