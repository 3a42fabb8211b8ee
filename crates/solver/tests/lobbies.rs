//! Lobby solvers against brute force, and what every one of them promises.
#![allow(clippy::unwrap_used, reason = "a failure here fails the test")]

#[path = "common/lobby_world.rs"]
mod lobby_world;

use lobby_world::{assert_lawful, best_value, parties, tables};
use matchwright_solver::{Annealing, CertifiedLobbies, LobbyPool, LobbySolver};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Small pools of many kinds: team sizes, parties, prices, forbidden pairs.
fn small_pools() -> impl Iterator<Item = (u64, LobbyPool, lobby_world::Tables)> {
    let kinds = [
        (9, (2, 2), 0.0),
        (8, (2, 2), 0.3),
        (8, (1, 3), 0.1),
        (9, (1, 2), 0.2),
        (10, (3, 2), 0.1),
        (8, (3, 3), 0.0),
        (9, (3, 3), 0.1),
        (11, (5, 4), 0.0),
        (6, (1, 1), 0.2),
    ];
    (0..90).map(move |seed| {
        let (players, sizes, forbidden) = kinds[usize::try_from(seed).unwrap() % kinds.len()];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let largest = sizes.0.max(sizes.1);
        let parties = if largest > 1 {
            parties(&mut random, players, largest)
        } else {
            Vec::new()
        };
        let prices: Vec<f64> = (0..players).map(|_| random.random::<f64>()).collect();
        let pool = LobbyPool::new(players, sizes)
            .unwrap()
            .with_parties(&parties)
            .unwrap()
            .with_prices(&prices)
            .unwrap();
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
        assert!(lineups.optimal, "seed {seed}: not proven");
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
        let asked = |a: &[usize], b: &[usize]| matchwright_solver::LobbyObjective::quality(&objective, a, b);
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
    let pool = LobbyPool::new(36, (3, 3))
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
        let pool = LobbyPool::new(18, (3, 3))
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
