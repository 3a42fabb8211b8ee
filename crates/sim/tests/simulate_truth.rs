//! What a live service cannot see decides nothing: the truth is altered behind the same observable stream, and tickets,
//! decisions, ratings and estimates must stay the same to the last bit.

use matchwright_queue::{Event, Outcome, State, Time};
use matchwright_rating::{RatingParams, SystemName};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::simulate::{
    AcceptanceParams, AgainParams, ArrivalParams, ChurnEstimateParams, KnownSkill, LeavingParams,
    NumberParams, Patience, PeopleParams, PlayParams, PlayedMatch, Record, ScenarioParams, TicketEnd,
    simulate,
};

/// Pairs by prices that are learnt, with answers.
const PRICES: &str = "
[queue]
longest_wait = 600
prices = { share = 0.85, waiting_share = 0.3, learn = 0.02, band = 25, start = 'learn' }
estimates = { by = 'rating', band = 200 }
acceptance = { within = 20 }
[objective]
of = 'rating'
waiting = 1";

/// Two against two by a threshold that falls, at once.
const LOBBIES: &str = "
[queue]
method = 'lobbies'
teams = [2, 2]
accept = 'sum'
longest_wait = 300
threshold = { quality = 0.9, after = 5, fall_per_second = 0.01, least = 0.5 }
estimates = { by = 'rating', band = 200 }
[objective]
mismatch = 1
waiting = 0.003
[scoring.factors.team_skill]
weight = 1
difference = { shape = 'ramp', best = 0, worst = 400 }
[scoring.factors.skill_spread]
weight = 1
spread = { shape = 'ramp', best = 0, worst = 1000 }";

/// Two days of 200 players whose ratings and leaving are learnt.
fn world() -> ScenarioParams {
    ScenarioParams {
        hours: 48.0,
        arrivals: ArrivalParams {
            per_second: 0.01,
            ..ArrivalParams::default()
        },
        people: PeopleParams {
            players: Some(200),
            drift_per_day: 40.0,
            ..PeopleParams::default()
        },
        patience: Some(Patience::Exponential(900.0)),
        acceptance: AcceptanceParams {
            chance: 0.95,
            declines: 0.5,
            mean_seconds: 3.0,
        },
        again: AgainParams {
            leaving: Some(LeavingParams {
                patterns: [("LLL".to_owned(), 0.1)].into(),
                otherwise: 0.01,
                propensity: 0.5,
            }),
            ..AgainParams::default()
        },
        rating: KnownSkill {
            system: Some(RatingParams::of(SystemName::Glicko2)),
            ..KnownSkill::default()
        },
        churn: Some(ChurnEstimateParams::default()),
        ..ScenarioParams::default()
    }
}

/// All that a service sees and knows.
#[derive(Default, PartialEq)]
struct Seen {
    steps: Vec<(Time, Vec<Event>, Outcome)>,
    results: Vec<Vec<u32>>,
    promised: Vec<Option<f64>>,
    ratings: Vec<f64>,
    state: State,
    learnt: Vec<u8>,
    /// What is no estimate: by how much truths differ, for the tests themselves.
    skills: f64,
    longest: f64,
}

impl Record for Seen {
    fn ticket(&mut self, end: &TicketEnd) {
        self.promised.push(end.promised);
        self.longest = self.longest.max(end.waited());
    }

    fn played(&mut self, made: &PlayedMatch) {
        self.results.push(made.places.clone());
    }

    fn step(&mut self, now: Time, events: &[Event], outcome: &Outcome) {
        self.steps.push((now, events.to_vec(), outcome.clone()));
    }
}

fn run(params: &ScenarioParams, policy: &str) -> Seen {
    let mut policy = load(toml::from_str::<PolicyDocument>(policy).unwrap()).unwrap();
    let mut seen = Seen::default();
    let scenario = params.clone().build().unwrap();
    let ended = simulate(&scenario, &mut policy, 3, &mut seen, &mut |_| {}).unwrap();
    seen.ratings = ended.players.iter().map(|player| player.rating).collect();
    seen.skills = ended.players.iter().map(|player| player.skill).sum();
    seen.state = ended.state;
    seen.learnt = policy.policy.save();
    seen
}

fn assert_same(before: &Seen, after: &Seen) {
    assert!(before.results.len() > 200, "{}", before.results.len());
    assert!(before.promised.iter().flatten().count() > 20);
    assert_eq!(
        before.results, after.results,
        "the truth was not to change results"
    );
    for (place, (one, other)) in before.steps.iter().zip(&after.steps).enumerate() {
        assert_eq!(one, other, "step {place}");
    }
    assert_eq!(before.steps.len(), after.steps.len());
    assert_eq!(before.promised, after.promised);
    assert_eq!(before.ratings, after.ratings);
    assert!(before.state == after.state && before.learnt == after.learnt);
}

/// Twice the skills and twice the lead that makes odds of ten to one: the same chances to the bit, of other people.
#[test]
fn skills_on_another_scale_change_nothing_that_a_service_sees() {
    for policy in [PRICES, LOBBIES] {
        let mut params = world();
        let number = NumberParams {
            mean: 20.0,
            deviation: 5.0,
            with_skill: 0.5,
            least: None,
            of_party: false,
        };
        params.people.numbers.insert("experience".to_owned(), number);
        let before = run(&params, policy);
        params.people.skill_mean *= 2.0;
        params.people.skill_deviation *= 2.0;
        params.people.drift_per_day *= 2.0;
        params.play.points_for_ten_to_one *= 2.0;
        let after = run(&params, policy);
        assert_eq!(after.skills, 2.0 * before.skills);
        assert_same(&before, &after);
    }
}

/// Every truth a little otherwise, so little that all happens as before: an estimate that reads one has other digits.
#[test]
fn no_estimate_moves_with_the_last_digits_of_any_truth() {
    const MORE: f64 = 1.0 + 1e-12;
    for policy in [PRICES, LOBBIES] {
        let before = run(&world(), policy);
        let mut params = world();
        params.people.skill_mean *= MORE;
        params.people.skill_deviation *= MORE;
        params.people.drift_per_day *= MORE;
        params.patience = Some(Patience::Exponential(900.0 * MORE));
        params.acceptance.chance /= MORE;
        params.acceptance.declines /= MORE;
        params.acceptance.mean_seconds *= MORE;
        let PlayParams {
            median_minutes,
            sigma,
            points_for_ten_to_one,
            ..
        } = &mut params.play;
        for number in [median_minutes, sigma, points_for_ten_to_one] {
            *number *= MORE;
        }
        let leaving = params.again.leaving.as_mut().unwrap();
        leaving.otherwise *= MORE;
        leaving.propensity *= MORE;
        leaving.patterns.values_mut().for_each(|chance| *chance *= MORE);
        params.again.next_match = params.again.next_match.map(|chance| chance / MORE);
        let after = run(&params, policy);
        assert_ne!(after.skills, before.skills);
        assert_same(&before, &after);
    }
}

/// Nobody waits longer than both tables agree; what those who play would have done does not even wake the queue.
#[test]
fn patience_beyond_what_happened_is_not_known_to_anyone() {
    for policy in [PRICES, LOBBIES] {
        let mut params = world();
        params.arrivals.per_second = 0.05;
        params.patience = Some(Patience::Table(vec![(3000.0, 0.2), (9000.0, 0.9)]));
        let before = run(&params, policy);
        assert!(before.longest < 3000.0, "{}", before.longest);
        params.patience = Some(Patience::Table(vec![
            (3000.0, 0.2),
            (3500.0, 0.3),
            (40_000.0, 1.0),
        ]));
        assert_same(&before, &run(&params, policy));
    }
}
