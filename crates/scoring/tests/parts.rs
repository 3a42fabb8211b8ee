//! Factors and policies that say how they add up say the same as their quality.

use crate::common::{Dice, random_pool, whole_parties};
use matchwright_scoring::{MatchScorer, Player, PolicyDocument, Pool, ScoringPolicy, TeamMatch};
use proptest::prelude::*;

fn policy(text: &str) -> ScoringPolicy {
    toml::from_str::<PolicyDocument>(text)
        .unwrap()
        .scoring
        .unwrap()
        .build()
        .unwrap()
}

const ALL: &str = "
    [scoring.factors]
    team_skill = { weight = 3, floor = 0.2 }
    player_skill = { weight = 2 }
    premades = { weight = 0.5 }
    enemy_ping = { weight = 2 }
    opponent_variation = { weight = 0.3 }
    hosts = { weight = 1, required = true }
    recent_team_mates = { weight = 0.2 }
    win_probability = { weight = 1, scale = 4000, spread_points = 0.02, size_points = [10, 20, 30, 40] }
    party_count = { weight = 1 }
    skill_spread = { weight = 1, party = 'greatest' }
    experience = { weight = 1, party = 'members' }
    best_against_best = { weight = 1 }
    languages = { weight = 1 }
    wait = { weight = 0.7 }
    strength = { weight = 1, geometric = true, log_ratio = { shape = 'ramp', best = 0, worst = 3 } }
    glory = { weight = 1 }
    [scoring.rules]
    blocks = {}
    griefers = {}
    friends = {}
    ping_limit = { most = 380 }
    team_sizes = { allowed = [1, 3, 4, 5, 6] }
";

/// The quality of the match, by its parts, and what a search goes by.
fn both(policy: &ScoringPolicy, pool: &Pool, teams: &[Vec<usize>; 2]) -> (Option<f64>, Option<f64>, f64) {
    let size = teams[0].len();
    let mut listed: Vec<usize> = teams.concat();
    listed.sort_unstable();
    let place = |player: &usize| listed.binary_search(player).unwrap();
    let places = teams
        .clone()
        .map(|team| team.iter().map(place).collect::<Vec<usize>>());
    let parts = policy.decomposition(pool, &listed, size).unwrap();
    let slices: [&[usize]; 2] = [&teams[0], &teams[1]];
    let direct = policy.quality(&TeamMatch::new(pool, &slices).unwrap());
    let places: [&[usize]; 2] = [&places[0], &places[1]];
    (direct, parts.quality(places), parts.search_value(places))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn the_sum_of_the_parts_is_the_quality_and_forbids_the_same(seed in any::<u64>(), size in 1..7_usize) {
        let mut dice = Dice(seed);
        let gaps = if dice.chance(0.3) { 0.1 } else { 0.0 };
        let pool = random_pool(&mut dice, 4 * size, size, gaps);
        let teams = whole_parties(&mut dice, &pool, size);
        prop_assume!(teams.is_some());
        let threshold = if dice.chance(0.5) { 0.5 } else { 0.0 };
        let policy = policy(&format!("scoring.threshold = {threshold:?}\n{ALL}"));
        let (direct, sum, value) = both(&policy, &pool, &teams.unwrap());
        match (direct, sum) {
            (Some(direct), Some(sum)) => prop_assert!((direct - sum).abs() < 1e-12, "{} {}", direct, sum),
            (direct, sum) => prop_assert_eq!(direct, sum),
        }
        prop_assert!(sum.map_or(value < 0.0, |sum| sum == value), "{sum:?} {value}");
    }
}

#[test]
fn random_matches_are_both_allowed_and_forbidden_by_the_policy_of_these_tests() {
    let policy = policy(ALL);
    let mut dice = Dice(5);
    let mut seen = [0, 0];
    for _ in 0..200 {
        let pool = random_pool(&mut dice, 12, 3, 0.0);
        if let Some(teams) = whole_parties(&mut dice, &pool, 3) {
            seen[usize::from(both(&policy, &pool, &teams).0.is_some())] += 1;
        }
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

#[test]
fn a_forbidden_match_is_worth_minus_what_is_missing() {
    let skills = [1000.0, 1300.0, 1100.0, 1500.0];
    let player = |k: usize| Player {
        skill: Some(skills[k]),
        blocks: if k == 0 {
            vec!["p1".to_owned(), "p2".to_owned()]
        } else {
            Vec::new()
        },
        ..Player::new(format!("p{k}"))
    };
    let pool = Pool::new((0..4).map(player).collect()).unwrap();
    let head = "factors.skill_spread = { weight = 1, floor = 0.9, spread = { shape = 'ramp', best = 0, worst = 1000 } }";
    let value = |text: &str| {
        let policy = policy(&format!("[scoring]\n{head}\n{text}"));
        let parts = policy.decomposition(&pool, &[0, 1, 2, 3], 2).unwrap();
        parts.search_value([&[0, 3], &[1, 2]])
    };
    // The spread is 500: quality .5, .4 below the floor.
    assert!((value("") + 0.4).abs() < 1e-12);
    assert!((value("threshold = 0.7") + 0.6).abs() < 1e-12);
    // Two opponents are blocked.
    assert!((value("rules.blocks = {}") + 2.4).abs() < 1e-12);
}

#[test]
fn a_policy_that_does_not_add_up_has_no_parts() {
    let pool = random_pool(&mut Dice(1), 6, 1, 0.0);
    let all: Vec<usize> = (0..6).collect();
    assert!(policy(ALL).decomposition(&pool, &all, 3).is_some());
    let geometric = format!("scoring.combine = {{ exponent = 0 }}\n{ALL}");
    assert!(policy(&geometric).decomposition(&pool, &all, 3).is_none());
}
