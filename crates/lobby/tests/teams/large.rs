//! Ten against ten to fifty against fifty.

use std::sync::atomic::{AtomicU64, Ordering};

use matchwright_lobby::{BestSplit, BoundSource, Group, LobbyObjective, TeamSplitter};

use super::objectives::{Plan, Summed};

fn plan(players: usize) -> Plan {
    Plan {
        players,
        balances: 2,
        signed: false,
        forbidden: 0,
        links: false,
    }
}

fn parties(players: usize) -> Vec<Vec<usize>> {
    let sizes = [2, 3, 2, 4, 3, 5, 2, 2, 3, 4];
    let mut next = 0;
    let mut parties = Vec::new();
    for size in sizes {
        if next + size <= players * 2 / 5 {
            parties.push((next..next + size).collect());
            next += size;
        }
    }
    parties
}

#[test]
fn ten_against_ten_is_always_proven() {
    for seed in 0..6 {
        let group = Group::equal((0..20).collect::<Vec<_>>(), 2).unwrap();
        let with_parties = group.clone().with_parties(&parties(20)).unwrap();
        for group in [group, with_parties] {
            let objective = Summed::draw(plan(20), seed);
            let split = BestSplit::new().split(&group, &objective).unwrap();
            assert!(split.is_optimal(), "gap {}", split.gap());
            // A search with nothing but time does not find better.
            let long = BestSplit::new()
                .with_splits(0)
                .with_tries(40_000)
                .with_seed(9)
                .split(&group, &objective)
                .unwrap();
            assert!(long.quality <= split.quality + 1e-12);
            assert!(long.bound >= split.quality - 1e-12);
        }
    }
}

#[test]
fn fifty_against_fifty_has_a_small_gap() {
    for seed in 0..4 {
        let group = Group::equal((0..100).collect::<Vec<_>>(), 2).unwrap();
        let with_parties = group.clone().with_parties(&parties(100)).unwrap();
        for group in [group, with_parties] {
            let mut objective = Summed::draw(plan(100), seed);
            let split = BestSplit::new().split(&group, &objective).unwrap();
            assert_eq!(split.source, BoundSource::Relaxation);
            // Terms without any pattern are the hardest to bound.
            assert!(split.gap() < 0.025, "gap {}", split.gap());
            assert_eq!(split, BestSplit::new().split(&group, &objective).unwrap());

            objective.pairs.clear();
            let split = BestSplit::new().split(&group, &objective).unwrap();
            assert!(split.gap() < 0.003, "gap {} of balances alone", split.gap());
        }
    }
}

#[test]
fn blocked_players_are_kept_apart_in_large_groups() {
    for seed in 0..4 {
        let few = Plan {
            forbidden: 10,
            ..plan(60)
        };
        let mut objective = Summed::draw(few, seed);
        // Opponents may always meet.
        for pair in objective.pairs.iter_mut().flatten() {
            pair[1] = Some(pair[1].unwrap_or(0.0));
        }
        let group = Group::equal((0..60).collect::<Vec<_>>(), 2).unwrap();
        let split = BestSplit::new().split(&group, &objective).unwrap();
        let none = |team: &[usize]| {
            team.iter()
                .all(|&i| team.iter().all(|&j| objective.pairs[i][j][0].is_some()))
        };
        assert!(none(split.team_a()) && none(split.team_b()));
        assert!(split.gap() < 0.06, "{}", split.gap());
    }
}

#[test]
fn without_terms_no_more_is_asked_than_said() {
    let objective = Summed::draw(plan(100), 1);
    let asked = AtomicU64::new(0);
    let ask = |a: &[usize], b: &[usize]| {
        asked.fetch_add(1, Ordering::Relaxed);
        objective.quality(a, b)
    };
    let group = Group::equal((0..100).collect::<Vec<_>>(), 2).unwrap();
    let draft = BestSplit::new().with_evaluations(1).split(&group, &ask).unwrap();
    asked.store(0, Ordering::Relaxed);
    let split = BestSplit::new().split(&group, &ask).unwrap();
    // The answer is asked about once more.
    assert!(asked.into_inner() <= 2001);
    assert!(split.quality > draft.quality);
    assert_eq!((split.bound, split.source), (1.0, BoundSource::Trivial));
}

#[test]
fn a_thousand_players_and_a_hundred_teams_get_an_answer() {
    let objective = Summed {
        balances: vec![(
            (0..1000).map(|player| f64::from(player * 37 % 1000)).collect(),
            1.0,
            1000.0,
        )],
        ..Summed::default()
    };
    let players: Vec<usize> = (0..1000).collect();
    for teams in [2, 100] {
        let group = Group::equal(players.clone(), teams)
            .unwrap()
            .with_parties(&[vec![3, 999]])
            .unwrap();
        let split = BestSplit::new()
            .with_tries(2000)
            .split(&group, &objective)
            .unwrap();
        assert!(split.quality > 0.9, "{}", split.quality);
        assert!(split.bound >= split.quality);
    }
}
