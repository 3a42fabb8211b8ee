//! Lobby solvers against brute force, and what every one of them promises.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::lobby_kinds::KINDS;
use crate::common::lobby_pools::pool;
use crate::common::lobby_world::{assert_lawful, best_value, parties, tables};
use matchwright_lobby::{
    Annealing, CertifiedLobbies, LobbyError, LobbyPool, LobbySolver, verify_lobbies, verify_lobbies_within,
};
use matchwright_solver::{Limits, Progress, Status};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Small pools of many kinds: team sizes, parties, prices, forbidden pairs.
fn small_pools() -> impl Iterator<Item = (u64, LobbyPool, crate::common::lobby_world::Tables)> {
    (0..90).map(|seed| {
        let (players, sizes, forbidden) = KINDS[usize::try_from(seed).unwrap() % KINDS.len()];
        let pool = pool(seed, players, sizes);
        (seed, pool, tables(seed, players, forbidden))
    })
}

#[test]
fn certified_lobbies_are_the_optimum_of_brute_force() {
    for (seed, pool, objective) in small_pools() {
        let best = best_value(&pool, &objective);
        let lineups = CertifiedLobbies::new(seed)
            .with_moves(2000)
            .solve(&pool, &objective)
            .unwrap();
        assert_lawful(&pool, &objective, &lineups);
        assert!(
            lineups.bound().unwrap() >= best - 1e-9,
            "seed {seed}: bound below the optimum"
        );
        assert!(lineups.is_optimal(), "seed {seed}: not proven");
        // However far above them the linear program's bound is.
        assert_eq!(lineups.gap(), Some(0.0), "seed {seed}");
        assert!(
            (lineups.value - best).abs() < 1e-7,
            "seed {seed}: {} instead of {best}",
            lineups.value
        );
    }
}

#[test]
fn annealing_is_lawful_and_never_above_the_optimum() {
    for (seed, pool, objective) in small_pools() {
        let best = best_value(&pool, &objective);
        let solver = Annealing::new(seed).with_moves(3000);
        let lineups = solver.solve(&pool, &objective).unwrap();
        assert_lawful(&pool, &objective, &lineups);
        assert!(lineups.value <= best + 1e-9, "seed {seed}");
        // The same without being told how qualities add up.
        let asked = |a: &[usize], b: &[usize]| matchwright_lobby::LobbyObjective::quality(&objective, a, b);
        let unaided = solver.solve(&pool, &asked).unwrap();
        assert_lawful(&pool, &objective, &unaided);
        assert!(
            unaided.value <= best + 1e-9 && unaided.certificate.is_none(),
            "seed {seed}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_lineups_on_any_number_of_threads() {
    let objective = tables(1, 36, 0.05);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let pool = LobbyPool::new(36, [3, 3])
        .unwrap()
        .with_parties(&parties(&mut random, 36, 3))
        .unwrap();
    let anneal = |threads| {
        Annealing::new(3)
            .with_moves(60_000)
            .with_threads(threads)
            .solve(&pool, &objective)
            .unwrap()
    };
    assert_eq!(anneal(1), anneal(2));
    assert_eq!(anneal(1), anneal(5));
    let certified = |threads| {
        CertifiedLobbies::new(3)
            .with_moves(20_000)
            .with_gap(0.03)
            .with_threads(threads)
            .solve(&pool, &objective)
    };
    assert_eq!(certified(1), certified(3));
}

#[test]
fn a_bound_is_never_below_what_any_search_finds() {
    for seed in 0..4 {
        let objective = tables(seed, 18, 0.1);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let pool = LobbyPool::new(18, [3, 3])
            .unwrap()
            .with_parties(&parties(&mut random, 18, 3))
            .unwrap();
        let lineups = CertifiedLobbies::new(seed)
            .with_moves(500)
            .with_gap(0.05)
            .solve(&pool, &objective)
            .unwrap();
        let bound = lineups.bound().unwrap();
        for other in 0..5 {
            let found = Annealing::new(other)
                .with_moves(50_000)
                .solve(&pool, &objective)
                .unwrap();
            assert!(found.value <= bound, "seed {seed}: {} above {bound}", found.value);
        }
    }
}

#[test]
fn large_pools_in_parts_are_lawful_and_the_same_on_any_number_of_threads() {
    let objective = tables(2, 100, 0.02);
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let order: Vec<usize> = (0..100).rev().collect();
    let pool = LobbyPool::new(100, [3, 2])
        .unwrap()
        .with_parties(&parties(&mut random, 100, 2))
        .unwrap()
        .with_order(&order)
        .unwrap();
    let solve = |threads| {
        let solver = Annealing::new(4)
            .with_moves(30_000)
            .with_parts_of(32)
            .with_threads(threads);
        solver.solve(&pool, &objective).unwrap()
    };
    let lineups = solve(1);
    assert_lawful(&pool, &objective, &lineups);
    assert_eq!(lineups, solve(3));
    // Parts of next to nobody hold a match each.
    for part in [0, 1] {
        let solver = Annealing::new(4).with_moves(100).with_parts_of(part);
        assert_lawful(&pool, &objective, &solver.solve(&pool, &objective).unwrap());
    }
    // Nobody sits out whom another part could have used.
    assert!(lineups.unmatched.len() < 2 * 5, "{:?}", lineups.unmatched);
}

#[test]
fn a_pool_of_duos_fills_no_teams_of_three_and_says_so() {
    let objective = tables(3, 12, 0.0);
    let duos: Vec<Vec<usize>> = (0..6).map(|k| vec![2 * k, 2 * k + 1]).collect();
    let pool = LobbyPool::new(12, [3, 3]).unwrap().with_parties(&duos).unwrap();
    for lineups in [
        Annealing::new(1)
            .with_moves(1000)
            .solve(&pool, &objective)
            .unwrap(),
        CertifiedLobbies::new(1)
            .with_moves(1000)
            .solve(&pool, &objective)
            .unwrap(),
    ] {
        assert_lawful(&pool, &objective, &lineups);
        assert_eq!((lineups.lobbies.len(), lineups.unmatched.len()), (0, 12));
    }
}

#[test]
fn a_search_that_is_watched_ends_when_it_is_told() {
    let objective = tables(5, 36, 0.0);
    let pool = LobbyPool::new(36, [3, 3]).unwrap();
    let asked = std::sync::atomic::AtomicU32::new(0);
    let watch = |_: &Progress| f64::from(asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) / 200.0;
    let lineups = CertifiedLobbies::new(1)
        .with_moves(u64::MAX)
        .solve_within(&pool, &objective, &Limits::unlimited().with_watch(&watch))
        .unwrap();
    assert_eq!(lineups.status, Status::Stopped);
    assert_lawful(&pool, &objective, &lineups);
    assert!(lineups.gap().unwrap() >= 0.0);
    // Once over, it asks no more than once a thread, unit and stage.
    assert!(asked.into_inner() < 200 + 200);
    // No number ends it too.
    let ended = Annealing::new(1)
        .solve_within(&pool, &objective, &Limits::unlimited().with_watch(&|_| f64::NAN))
        .unwrap();
    assert_eq!(ended.status, Status::Stopped);
    assert_lawful(&pool, &objective, &ended);
}

#[test]
fn what_is_no_pool_is_refused_by_name() {
    let pool = || LobbyPool::new(7, [3, 3]).unwrap();
    let error = |result: Result<LobbyPool, LobbyError>| result.unwrap_err().to_string();
    assert_eq!(
        error(LobbyPool::new(5, [3, 3])),
        "5 players do not fill one match of 3 against 3: wait for 1 more"
    );
    assert_eq!(
        error(LobbyPool::new(1, [3, 3])),
        "1 players do not fill one match of 3 against 3: wait for 5 more"
    );
    assert!(matches!(LobbyPool::new(5, [0, 3]), Err(LobbyError::Size { .. })));
    assert_eq!(
        error(pool().with_parties(&[vec![0, 1], vec![2, 3, 4, 5]])),
        "party 1 has 4 players and the largest team 3: split the party, or choose larger teams"
    );
    assert!(matches!(
        pool().with_parties(&[vec![0, 7]]),
        Err(LobbyError::UnknownPlayer {
            party: 0,
            player: 7,
            ..
        })
    ));
    assert!(matches!(
        pool().with_parties(&[vec![0, 1], vec![2, 1]]),
        Err(LobbyError::DuplicateMember { party: 1, player: 1 })
    ));
    for price in [f64::NAN, -1.0, f64::INFINITY] {
        let prices = [1.0, 1.0, price, 1.0, 1.0, 1.0, 1.0];
        assert!(matches!(
            pool().with_unmatched_penalties(&prices),
            Err(LobbyError::UnmatchedPenalty { player: 2, .. })
        ));
    }
    assert!(matches!(
        pool().with_unmatched_penalties(&[1.0]),
        Err(LobbyError::Size { .. })
    ));
    for order in [&[0, 1, 2][..], &[0, 1, 2, 3, 4, 5, 5], &[0, 1, 2, 3, 4, 5, 7]] {
        assert!(matches!(pool().with_order(order), Err(LobbyError::Order { .. })));
    }
    let liar = |_: &[usize], _: &[usize]| Some(1.5);
    assert!(matches!(
        Annealing::new(1).with_moves(10).solve(&pool(), &liar),
        Err(LobbyError::Objective(_))
    ));
}

#[test]
fn players_who_cannot_all_play_do_not_loosen_the_bound() {
    // Fifteen players fill two matches and a half: the half must not count.
    for seed in 0..3 {
        let objective = tables(seed, 15, 0.0);
        let pool = LobbyPool::new(15, [3, 3]).unwrap();
        let lineups = CertifiedLobbies::new(seed)
            .with_moves(5000)
            .solve(&pool, &objective)
            .unwrap();
        assert_lawful(&pool, &objective, &lineups);
        assert_eq!(lineups.unmatched.len(), 3);
        assert!(lineups.is_optimal(), "seed {seed}");
        assert!(
            lineups.bound().unwrap() - lineups.value < 0.15,
            "seed {seed}: {:?}",
            lineups.gap()
        );
    }
}

#[test]
fn where_every_match_is_perfect_the_trivial_bound_proves_it_at_once() {
    let pool = LobbyPool::new(120, [4, 4]).unwrap();
    let objective = skills(120, 0.0);
    let solver = CertifiedLobbies::new(1);
    let limits = Limits::unlimited().with_work(8000);
    let lineups = solver.solve_within(&pool, &objective, &limits).unwrap();
    assert!(lineups.is_optimal() && lineups.work <= 8000);
    assert_eq!(
        (lineups.lobbies.len(), lineups.bound().unwrap()),
        (15, lineups.value)
    );
}

#[test]
fn the_first_bound_knows_that_players_who_fill_no_match_stay_unmatched() {
    let pool = LobbyPool::new(122, [4, 4]).unwrap();
    let limits = Limits::unlimited().with_work(8000);
    let lineups = CertifiedLobbies::new(1)
        .solve_within(&pool, &skills(122, 0.0), &limits)
        .unwrap();
    assert_eq!((lineups.lobbies.len(), lineups.unmatched.len()), (15, 2));
    let above = lineups.bound().unwrap() - lineups.value;
    assert!((0.0..1e-6).contains(&above), "{above}");
}

/// Balance of skills alone, which bounds nothing of a match by its pairs: pricing must look at all matches.
fn skills(players: usize, scale: f64) -> crate::common::lobby_world::Tables {
    let mut objective = tables(7, players, 0.0);
    for row in objective.together.iter_mut().chain(&mut objective.against) {
        row.fill(Some(7.0 / 6.0));
    }
    for row in &mut objective.linked {
        row.fill(false);
    }
    for skill in &mut objective.skills {
        *skill = 1500.0 + scale * (*skill - 1500.0);
    }
    objective
}

#[test]
fn pricing_ends_with_the_work_and_is_the_same_on_any_number_of_threads() {
    let pool = LobbyPool::new(60, [4, 4]).unwrap();
    let objective = skills(60, 3.0);
    let solve = |threads: usize| {
        let solver = CertifiedLobbies::new(1).with_moves(2000).with_threads(threads);
        let limits = Limits::unlimited().with_work(3_000_000);
        solver.solve_within(&pool, &objective, &limits).unwrap()
    };
    let lineups = solve(1);
    assert_eq!(
        (lineups.status, lineups.work <= 3_000_000),
        (Status::WorkLimit, true)
    );
    assert!(lineups.bound().unwrap() >= lineups.value);
    assert_eq!(lineups, solve(3));
}

#[test]
fn pricing_ends_when_the_watch_says_so() {
    let pool = LobbyPool::new(120, [4, 4]).unwrap();
    let objective = skills(120, 3.0);
    let (searched, priced) = (AtomicU64::new(0), AtomicU64::new(0));
    let count = |looks: &AtomicU64| looks.fetch_add(1, Ordering::Relaxed) as f64;
    // The search takes two thirds of the time; pricing the rest, after 1,000 looks.
    let watch = |progress: &Progress| {
        if progress.bound.is_none() {
            (count(&searched) / 36_000.0).min(2.0 / 3.0)
        } else {
            2.0 / 3.0 + count(&priced) / 3000.0
        }
    };
    let lineups = CertifiedLobbies::new(1)
        .with_moves(u64::MAX)
        .solve_within(&pool, &objective, &Limits::unlimited().with_watch(&watch))
        .unwrap();
    assert_eq!(lineups.status, Status::Stopped);
    assert!(!lineups.is_optimal() && lineups.bound().unwrap() >= lineups.value);
    assert!((1000..2000).contains(&priced.into_inner()));
}

#[test]
fn verifying_ends_with_the_work_and_says_so() {
    let (pool, objective) = (pool(5, 24, (3, 3)), tables(5, 24, 0.0));
    let lineups = CertifiedLobbies::new(1)
        .with_moves(20_000)
        .solve(&pool, &objective)
        .unwrap();
    let all = verify_lobbies(&pool, &objective, &lineups).unwrap();
    assert!(!all.status.is_limited() && all.bound.is_finite());
    let some = |limits: &Limits<'_>| verify_lobbies_within(&pool, &objective, &lineups, limits).unwrap();
    let stopped = some(&Limits::unlimited().with_watch(&|_| 1.0));
    assert_eq!((stopped.status, stopped.value), (Status::Stopped, all.value));
    let some = some(&Limits::unlimited().with_work(1000));
    assert!(some.status == Status::WorkLimit && some.bound.is_infinite());
    assert_eq!(some.value, all.value);
    assert!(some.to_string().contains("not checked"), "{some}");
}
