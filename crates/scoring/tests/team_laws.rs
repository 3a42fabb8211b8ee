//! Every factor and rule of the crate against the laws of team matches, on random pools with gaps in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{Dice, any_teams, random_pool, whole_parties};
use matchwright_scoring::laws::{check_factor, check_teams};
use matchwright_scoring::{
    CurveParams, FactorsParams, MatchScorer, Player, PlayerField, Pool, PowerMean, Roles, RulesParams,
    ScoringPolicy, ScoringPolicyParams, SkillSpread, TeamFactor, TeamMatch, TeamSizes, TeamSkill, Weighted,
    WeightedFactor, WinProbability,
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
                prop_assert_eq!(explained.quality, policy.quality(&candidate));
                prop_assert_eq!(explained.quality.is_none(), !explained.forbidden.is_empty());
            }
        }
    }
}

/// A player without what a field has.
fn without(player: &Player, field: PlayerField) -> Player {
    let mut left = player.clone();
    match field {
        PlayerField::Skill => left.skill = None,
        PlayerField::Uncertainty => left.uncertainty = None,
        PlayerField::Party => left.party = None,
        PlayerField::Region => left.region = None,
        PlayerField::RegionPings => left.pings.clear(),
        PlayerField::PingTo => left.ping_to.clear(),
        PlayerField::Experience => left.experience = None,
        PlayerField::Languages => left.languages.clear(),
        PlayerField::Roles => left.roles.clear(),
        PlayerField::RecentOpponents => left.recent_opponents.clear(),
        PlayerField::RecentTeammates => left.recent_teammates.clear(),
        PlayerField::Blocks => left.blocks.clear(),
        PlayerField::Friends => left.friends.clear(),
        PlayerField::Griefer => left.griefer = false,
        PlayerField::WaitSeconds => left.wait_seconds = None,
        PlayerField::CanHost => left.can_host = None,
        PlayerField::ConnectsTo => left.connects_to = None,
        PlayerField::Offence => left.offence = None,
        PlayerField::Defence => left.defence = None,
        PlayerField::Glory => left.glory = None,
        PlayerField::Churn => left.churn = None,
        other => unreachable!("{other:?} is none of all"),
    }
    left
}

#[test]
fn a_factor_looks_at_the_fields_that_it_says_and_at_no_other() {
    let uncertain = WinProbability {
        uncertain: true,
        ..WinProbability::default()
    };
    let mut all: Vec<Arc<dyn TeamFactor>> = vec![Arc::new(uncertain)];
    let mut params = everything();
    // The skills of these pools lie far apart.
    let spread = CurveParams::Ramp {
        best: 0.0,
        worst: 25_000.0,
        power: 1.0,
    };
    let wide = SkillSpread {
        spread: spread.build().unwrap(),
        ..SkillSpread::default()
    };
    params.factors.skill_spread = Some(Weighted::new(1.0, wide));
    let policy = params.build().unwrap();
    all.extend(policy.factors().iter().map(|one| Arc::clone(&one.factor)));
    all.extend(policy.rules().iter().cloned());
    let mut dice = Dice(5);
    // By factor and field: whether it ever mattered.
    let mut mattered: BTreeMap<(usize, &str), bool> = BTreeMap::new();
    for _ in 0..150 {
        let pool = random_pool(&mut dice, 18, 4, 0.1);
        let size = 1 + dice.below(3);
        let teams = any_teams(&mut dice, &pool, &[size, size]);
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(&pool, &teams).unwrap();
        for field in PlayerField::ALL {
            let less = Pool::new(pool.players().map(|player| without(player, field)).collect()).unwrap();
            let less = TeamMatch::new(&less, &teams).unwrap();
            for (place, factor) in all.iter().enumerate() {
                let differs = factor.quality(&candidate) != factor.quality(&less);
                *mattered.entry((place, field.name())).or_default() |= differs;
            }
        }
    }
    let mut wrong = Vec::new();
    for (place, factor) in all.iter().enumerate() {
        let alone = ScoringPolicy::new(vec![WeightedFactor::new(1.0, TeamSkill::default())])
            .unwrap()
            .with_rules(vec![Arc::clone(factor)]);
        for field in PlayerField::ALL {
            let says = factor.looks_at().contains(&field)
                || factor.looks_at().contains(&PlayerField::Pings)
                    && [PlayerField::RegionPings, PlayerField::PingTo].contains(&field);
            let matters = mattered[&(place, field.name())];
            if says != matters {
                wrong.push(format!("{}, {}: says {says}", factor.name(), field.name()));
            }
            let Ok(alone) = &alone else { continue };
            assert_eq!(alone.looks_at(field), says || field == PlayerField::Skill);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
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
