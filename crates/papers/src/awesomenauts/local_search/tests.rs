//! The search is lawful, steepest, ever upwards, and the same for one seed.

use std::sync::Mutex;

use matchwright_lobby::laws::check_lobbies;
use matchwright_lobby::{Lineups, LobbyObjective, LobbyPool, LobbySolver, verify_lobbies};
use matchwright_scoring::{Pool, ScoringPolicy};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_solver::{Limits, Status};

use super::evaluator::Evaluator;
use super::{Ascent, Awesomenauts};
use crate::awesomenauts::{awesomenauts_policy, best_swap};

/// Generated players, and the pool of those who wait.
struct World {
    pool: Pool,
    policy: ScoringPolicy,
}

impl World {
    fn new(players: usize, in_parties: f64, seed: u64) -> Self {
        let params = LobbyWorldParams {
            players,
            in_parties,
            ..LobbyWorldParams::default()
        };
        Self {
            pool: Pool::new(lobby_players(&params, seed).unwrap()).unwrap(),
            policy: awesomenauts_policy().unwrap(),
        }
    }

    fn scoring(&self) -> LobbyScoring<'_> {
        LobbyScoring {
            pool: &self.pool,
            policy: &self.policy,
        }
    }

    fn lobbies(&self, team: usize) -> LobbyPool {
        lobby_pool(&self.pool, [team, team]).unwrap()
    }
}

fn starts(seed: u64, starts: usize) -> Awesomenauts {
    Awesomenauts {
        starts,
        ..Awesomenauts::new(seed)
    }
}

#[test]
fn the_search_keeps_the_laws_of_lobby_solvers() {
    for seed in 0..3 {
        check_lobbies(&starts(seed, 2), seed).unwrap();
        let forced = Awesomenauts {
            forced_swaps: 2,
            annealing: 200,
            ..starts(seed, 1)
        };
        check_lobbies(&forced, seed).unwrap();
    }
}

#[test]
fn no_swap_improves_the_end_of_the_search_with_and_without_terms() {
    for (seed, players, team, in_parties) in [
        (0, 31, 3, 0.4),
        (1, 42, 3, 0.4),
        (2, 26, 2, 0.0),
        (3, 30, 4, 0.3),
        (4, 20, 1, 0.0),
    ] {
        let world = World::new(players, in_parties, seed);
        let (scoring, pool) = (world.scoring(), world.lobbies(team));
        let quality = |a: &[usize], b: &[usize]| scoring.quality(a, b);
        let check = |lineups: &Lineups| {
            verify_lobbies(&pool, &scoring, lineups).unwrap();
            let gain = best_swap(&pool, &scoring, lineups);
            assert!(gain <= 1e-8, "seed {seed}: a swap gains {gain}");
        };
        let lineups = starts(seed, 2).solve(&pool, &scoring).unwrap();
        assert_eq!(lineups.status, Status::Finished);
        check(&lineups);
        check(&starts(seed, 1).solve(&pool, &quality).unwrap());
    }
}

#[test]
fn the_value_never_falls_from_step_to_step_nor_with_more_starts() {
    let world = World::new(48, 0.4, 3);
    let (scoring, pool) = (world.scoring(), world.lobbies(3));
    let values = Mutex::new(Vec::new());
    let watch = |progress: &matchwright_solver::Progress| {
        let mut values = values.lock().unwrap();
        values.extend(progress.value);
        values.len() as f64 / 1500.0
    };
    let limits = Limits::unlimited().with_watch(&watch);
    let lineups = starts(3, usize::MAX)
        .solve_within(&pool, &scoring, &limits)
        .unwrap();
    assert_eq!(lineups.status, Status::Stopped);
    let values = values.into_inner().unwrap();
    assert!(values.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
    assert!(values.last().unwrap() > &(values[0] + 0.2));
    let value = |number| starts(3, number).solve(&pool, &scoring).unwrap().value;
    assert!(value(1) <= value(3) && value(3) <= value(6));
}

#[test]
fn forced_swaps_never_end_lower_and_go_on_for_as_long_as_asked() {
    let (mut higher, mut more) = (0, 0);
    for seed in 0..8 {
        let world = World::new(48, 0.2, seed);
        let (scoring, pool) = (world.scoring(), world.lobbies(3));
        let solve = |forced_swaps, fruitless_rounds| {
            let search = Awesomenauts {
                forced_swaps,
                fruitless_rounds,
                ..starts(seed, 1)
            };
            let limits = Limits::unlimited().with_work(1_000_000);
            search.solve_within(&pool, &scoring, &limits).unwrap()
        };
        let (without, one, many) = (solve(0, 1), solve(12, 1), solve(12, usize::MAX));
        assert!(without.value <= one.value + 1e-9 && one.value <= many.value + 1e-9);
        assert_eq!((many.status, one.work < 1_000_000), (Status::WorkLimit, true));
        assert_eq!(one, solve(12, 0));
        higher += usize::from(one.value > without.value + 1e-9);
        more += usize::from(many.value > one.value + 1e-9);
    }
    assert!(higher > 0 && more > 0);
}

#[test]
fn the_same_seed_gives_the_same_lineups_and_another_seed_others() {
    let world = World::new(42, 0.4, 5);
    let (scoring, pool) = (world.scoring(), world.lobbies(3));
    let solve = |search: Awesomenauts| search.solve(&pool, &scoring).unwrap();
    assert_eq!(solve(starts(1, 3)), solve(starts(1, 3)));
    assert_ne!(solve(starts(1, 3)).work, solve(starts(2, 3)).work);
    // The first start is not random.
    assert_eq!(solve(starts(1, 1)), solve(starts(2, 1)));
}

#[test]
fn the_first_step_tries_as_many_splits_as_the_article_says() {
    let players = 96;
    assert_eq!(Awesomenauts::count_of_step(players, (3, 3)), (4_320, 86_400));
    assert_eq!(Awesomenauts::count_of_step(10, (5, 5)).0, 0);
    assert_eq!(Awesomenauts::count_of_step(20, (5, 5)).1, 100 * 2 * 126);
    let world = World::new(players, 0.0, 1);
    let (scoring, pool) = (world.scoring(), LobbyPool::new(players, [3, 3]).unwrap());
    // Stopped where the first step is done: before it, each match is split once.
    let first = 16 * 10;
    let tried = |splits| {
        let limits = Limits::unlimited().with_work(splits);
        starts(1, 4).solve_within(&pool, &scoring, &limits).unwrap().work
    };
    assert_eq!(tried(first + 1), first + 36 * 20);
    assert_eq!(tried(first + 86_400 - 720), first + 86_400 - 720);
    assert_eq!(tried(first + 86_400 - 719), first + 86_400);
    // Then two matches have changed: their splits, and swaps with them, are tried anew and no others.
    let second = first + 86_400 + 2 * 10 + (14 + 15) * 720;
    assert_eq!(tried(first + 86_400 + 21), first + 86_400 + 20 + 720);
    assert_eq!(tried(second), second);
}

#[test]
fn the_results_of_starts_add_up() {
    let world = World::new(42, 0.4, 3);
    let (scoring, pool) = (world.scoring(), world.lobbies(3));
    let within = |limits: &Limits<'_>| starts(1, 5).ascents(&pool, &scoring, limits).unwrap();
    let (lineups, ascents) = within(&Limits::unlimited());
    assert_eq!(ascents.len(), 5);
    assert_eq!(
        ascents.iter().map(|ascent| ascent.splits).sum::<u64>(),
        lineups.work
    );
    let best = ascents
        .iter()
        .map(|ascent| ascent.end)
        .fold(f64::NEG_INFINITY, f64::max);
    assert!((best - lineups.value).abs() < 1e-9);
    let rises = |ascent: &Ascent| ascent.start < ascent.end && ascent.swaps > 0;
    assert!(ascents.iter().all(rises), "{ascents:?}");
    // Nothing is tried, so that the first start is the result.
    let (start, _) = within(&Limits::unlimited().with_work(0));
    assert!((start.value - ascents[0].start).abs() < 1e-9);
}

#[test]
fn a_readers_annealing_ends_at_a_local_optimum_and_is_as_good_as_many_starts() {
    let mut higher = 0;
    for seed in 0..6 {
        let world = World::new(42, 0.4, seed);
        let (scoring, pool) = (world.scoring(), world.lobbies(3));
        let annealing = |seed| Awesomenauts {
            annealing: 150_000,
            ..starts(seed, 1)
        };
        let lineups = annealing(seed).solve(&pool, &scoring).unwrap();
        assert!(best_swap(&pool, &scoring, &lineups) < 1e-8, "seed {seed}");
        assert_ne!(
            lineups.work,
            annealing(seed + 1).solve(&pool, &scoring).unwrap().work
        );
        let limits = Limits::unlimited().with_work(lineups.work);
        let anew = starts(seed, usize::MAX).solve_within(&pool, &scoring, &limits);
        higher += usize::from(lineups.value >= anew.unwrap().value - 1e-9);
    }
    assert!(higher >= 5, "{higher} of 6");
}

#[test]
fn annealing_ends_where_no_swap_is_possible() {
    // One match, and a party that no others can replace.
    for (players, parties) in [(2, vec![]), (5, vec![vec![0, 1], vec![2, 3]])] {
        let sizes = if players == 2 { (1, 1) } else { (2, 2) };
        let pool = LobbyPool::new(players, [sizes.0, sizes.1])
            .unwrap()
            .with_parties(&parties);
        let search = Awesomenauts {
            annealing: 1000,
            ..starts(1, 2)
        };
        let objective = |_: &[usize], _: &[usize]| Some(0.5);
        assert_eq!(search.solve(&pool.unwrap(), &objective).unwrap().lobbies.len(), 1);
    }
}

#[test]
fn larger_teams_than_can_be_split_in_all_ways_are_refused() {
    let objective = |_: &[usize], _: &[usize]| Some(0.5);
    let pool = |team: usize| LobbyPool::new(2 * team, [team, team]).unwrap();
    assert!(starts(1, 1).solve(&pool(7), &objective).is_ok());
    let error = starts(1, 1).solve(&pool(8), &objective).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a team of this search is 8: give a number from 1 to 7"
    );
}

#[test]
fn parties_are_divided_in_every_way_that_fits() {
    let objective = |_: &[usize], _: &[usize]| Some(0.5);
    let ways = |parties: &[usize], sizes: (usize, usize), filled| {
        let mut next = 0;
        let of_size = parties.iter().map(|size| {
            next += size;
            (next - size..next).collect::<Vec<usize>>()
        });
        let of_size: Vec<_> = of_size.collect();
        let pool = LobbyPool::new(12, [sizes.0, sizes.1])
            .unwrap()
            .with_parties(&of_size)
            .unwrap();
        let evaluator = Evaluator::new(&pool, &objective).unwrap();
        evaluator.ways(&(0..parties.len()).collect::<Vec<_>>(), filled)
    };
    for (sizes, count) in [
        ((1, 1), 1),
        ((2, 2), 3),
        ((1, 3), 4),
        ((3, 2), 10),
        ((3, 3), 10),
        ((5, 5), 126),
    ] {
        let players = sizes.0 + sizes.1;
        assert_eq!(
            ways(&vec![1; players], sizes, true).len(),
            count * players,
            "{sizes:?}"
        );
    }
    assert_eq!(ways(&[3, 2, 1], (3, 3), true), [0, 1, 1]);
    assert_eq!(ways(&[2, 2, 2], (3, 3), true), [0; 0]);
    assert_eq!(ways(&[2, 1, 1], (3, 1), true), [0, 0, 1, 0, 1, 0]);
    // One is to come.
    assert_eq!(ways(&[2, 2, 1], (3, 3), false), [0, 1, 0, 0, 1, 1]);
}
