//! Every factor and rule of the crate against the laws of team matches, on random pools with gaps in them.

use std::collections::BTreeMap;

use crate::common::{Dice, any_teams, random_pool, whole_parties};
use matchwright_scoring::laws::{check_factor, check_teams};
use matchwright_scoring::{
    FactorsParams, PowerMean, Roles, RulesParams, ScoringPolicy, ScoringPolicyParams, TeamMatch, TeamSizes,
    Weighted, WinProbability,
};
use proptest::prelude::*;

/// A policy of every factor and rule there is.
fn everything() -> ScoringPolicyParams {
    let roles = BTreeMap::from([("healer".to_owned(), 1), ("tank".to_owned(), 1)]);
    let roles = Roles {
        team: roles,
        required: false,
    };
    ScoringPolicyParams {
        factors: FactorsParams {
            win_probability: Some(Weighted::new(
                1.0,
                WinProbability {
                    scale: 10_000.0,
                    spread_points: 0.05,
                    free_spread: 100.0,
                    size_points: [50.0, 100.0, 150.0, 200.0],
                    ..WinProbability::default()
                },
            )),
            roles: Some(Weighted::new(1.0, roles)),
            ..FactorsParams::all()
        },
        rules: RulesParams {
            team_sizes: Some(TeamSizes {
                allowed: vec![1, 2, 4, 5],
                even: false,
            }),
            ..RulesParams::all()
        },
        ..ScoringPolicyParams::default()
    }
}

fn policies() -> Vec<ScoringPolicy> {
    let policy = everything().build().unwrap();
    let geometric = policy
        .clone()
        .combined_by(PowerMean::new(0.0).unwrap())
        .with_threshold(0.1)
        .unwrap();
    vec![policy, geometric]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn every_factor_and_rule_and_their_policy_keep_the_laws(seed in any::<u64>(), size in 1..6_usize) {
        let mut dice = Dice(seed);
        let gaps = if dice.chance(0.5) { 0.2 } else { 0.0 };
        let pool = random_pool(&mut dice, 3 * size + 6, size, gaps);
        let other = 1 + dice.below(5);
        let mut cases = vec![any_teams(&mut dice, &pool, &[size, size]), any_teams(&mut dice, &pool, &[size, other])];
        cases.push(any_teams(&mut dice, &pool, &[size, size, 1, 2]));
        cases.extend(whole_parties(&mut dice, &pool, size).map(Vec::from));
        for teams in &cases {
            let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
            let candidate = TeamMatch::new(&pool, &teams).unwrap();
            for policy in policies() {
                for factor in policy.factors() {
                    check_factor(factor.factor.as_ref(), [candidate]).unwrap();
                }
                for rule in policy.rules() {
                    check_factor(rule.as_ref(), [candidate]).unwrap();
                }
                check_teams(&policy, [candidate]).unwrap();
                let explained = policy.explain(&candidate);
                prop_assert_eq!(explained.quality, matchwright_scoring::MatchScorer::quality(&policy, &candidate));
                prop_assert_eq!(explained.quality.is_none(), !explained.forbidden.is_empty());
            }
        }
    }
}

#[test]
fn the_policy_of_everything_holds_every_key() {
    let policy = everything().build().unwrap();
    let names: Vec<&str> = policy
        .factors()
        .iter()
        .map(|factor| factor.factor.name())
        .collect();
    assert_eq!(names, FactorsParams::KEYS);
    let names: Vec<&str> = policy.rules().iter().map(|rule| rule.name()).collect();
    assert_eq!(names, RulesParams::KEYS);
}

#[test]
fn every_factor_both_likes_and_dislikes_some_random_match_and_every_rule_forbids_one() {
    let policy = everything().build().unwrap();
    let mut dice = Dice(11);
    let mut seen: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for _ in 0..400 {
        let pool = random_pool(&mut dice, 18, 4, 0.0);
        let size = 1 + dice.below(3);
        let teams = any_teams(&mut dice, &pool, &[size, size]);
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(&pool, &teams).unwrap();
        let factors = policy.factors().iter().map(|factor| &factor.factor);
        for factor in factors.chain(policy.rules()) {
            let quality = factor.quality(&candidate).unwrap_or(-1.0);
            let entry = seen.entry(factor.name()).or_insert((quality, quality));
            *entry = (entry.0.min(quality), entry.1.max(quality));
        }
    }
    for (name, (least, most)) in seen {
        assert!(most - least > 0.1, "{name}: {least} to {most}");
    }
}
