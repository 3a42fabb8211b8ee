//! The steepest ascent: lawful, steepest, ever upwards, and the same for one seed.

use std::sync::Mutex;

use crate::common::lobby_pools::pool;
use crate::common::lobby_world::{assert_lawful, best_value, tables};
use matchwright_lobby::{Ascent, Awesomenauts, Lineups, LobbyObjective, LobbyPool, LobbySolver};

/// Every way to divide the parties into the two teams of a match, and the quality of the best that is allowed.
fn best_split(pool: &LobbyPool, objective: &dyn LobbyObjective, parties: &[usize]) -> Option<f64> {
    let mut best: Option<f64> = None;
    for ways in 0..1_u32 << parties.len() {
        let side = |wanted: u32| -> Vec<usize> {
            let at = (0..parties.len()).filter(|at| ways >> at & 1 == wanted);
            at.flat_map(|at| pool.parties()[parties[at]].clone()).collect()
        };
        let (a, b) = (side(0), side(1));
        if (a.len(), b.len()) == pool.sizes()
            && let Some(quality) = objective.quality(&a, &b)
        {
            best = Some(best.map_or(quality, |best| best.max(quality)));
        }
    }
    best
}

/// All sets of these parties.
fn sets(parties: &[usize]) -> Vec<Vec<usize>> {
    let sets = 1..1_u32 << parties.len();
    sets.map(|set| {
        (0..parties.len())
            .filter(|at| set >> at & 1 == 1)
            .map(|at| parties[at])
            .collect()
    })
    .collect()
}

/// By how much the best swap of a party against parties of its size improves the lineups, by asking for every split.
fn best_gain(pool: &LobbyPool, objective: &dyn LobbyObjective, lineups: &Lineups) -> f64 {
    let parties_of = |players: &[usize]| {
        let mut parties: Vec<usize> = players.iter().map(|&player| pool.party_index(player)).collect();
        parties.sort_unstable();
        parties.dedup();
        parties
    };
    let mut places: Vec<(Vec<usize>, f64)> = lineups
        .lobbies
        .iter()
        .map(|lobby| {
            (
                parties_of(&[&lobby.team_a[..], &lobby.team_b].concat()),
                lobby.quality,
            )
        })
        .collect();
    let price = |parties: &[usize]| -> f64 {
        let players = parties.iter().flat_map(|&party| &pool.parties()[party]);
        players.map(|&player| pool.prices()[player]).sum()
    };
    let bench = parties_of(&lineups.left_out);
    places.push((bench.clone(), -price(&bench)));
    let size = |set: &[usize]| {
        set.iter()
            .map(|&party| pool.parties()[party].len())
            .sum::<usize>()
    };
    let mut best = f64::NEG_INFINITY;
    for q in 0..places.len() {
        for p in 0..q {
            for x in sets(&places[p].0) {
                for y in sets(&places[q].0) {
                    if size(&x) != size(&y) || (x.len() > 1 && y.len() > 1) {
                        continue;
                    }
                    let value = |at: usize, out: &[usize], come: &[usize]| {
                        let stay = places[at].0.iter().copied().filter(|party| !out.contains(party));
                        let parties: Vec<usize> = stay.chain(come.iter().copied()).collect();
                        if at + 1 == places.len() {
                            Some(-price(&parties))
                        } else {
                            best_split(pool, objective, &parties)
                        }
                    };
                    if let (Some(one), Some(other)) = (value(p, &x, &y), value(q, &y, &x)) {
                        best = best.max(one + other - places[p].1 - places[q].1);
                    }
                }
            }
        }
    }
    best
}

const KINDS: [(usize, (usize, usize), f64); 7] = [
    (13, (2, 2), 0.0),
    (12, (1, 3), 0.0),
    (15, (2, 3), 0.0),
    (19, (3, 3), 0.0),
    (24, (3, 3), 0.05),
    (9, (1, 1), 0.1),
    (17, (4, 4), 0.0),
];

#[test]
fn no_swap_improves_what_it_ends_with_and_it_is_lawful() {
    for seed in 0..28 {
        let (players, sizes, forbidden) = KINDS[usize::try_from(seed).unwrap() % KINDS.len()];
        let (pool, objective) = (pool(seed, players, sizes), tables(seed, players, forbidden));
        let solver = Awesomenauts::new(seed).with_starts(2);
        let lineups = solver.solve(&pool, &objective).unwrap();
        assert_lawful(&pool, &objective, &lineups);
        // Dissolved matches would leave a bench larger than the search had.
        if lineups.left_out.len() < pool.match_size() {
            let gain = best_gain(&pool, &objective, &lineups);
            assert!(gain <= 1e-8, "seed {seed}: a swap gains {gain}");
        }
        // Each match is split as well as it can be.
        for lobby in &lineups.lobbies {
            let mut of: Vec<usize> = [&lobby.team_a[..], &lobby.team_b]
                .concat()
                .iter()
                .map(|&player| pool.party_index(player))
                .collect();
            of.sort_unstable();
            of.dedup();
            let best = best_split(&pool, &objective, &of).unwrap();
            assert!((lobby.quality - best).abs() < 1e-9, "seed {seed}");
        }
    }
}

#[test]
fn without_terms_it_ends_at_such_an_optimum_too() {
    for seed in 0..6 {
        let (pool, objective) = (pool(seed, 14, (2, 2)), tables(seed, 14, 0.0));
        let asked = |a: &[usize], b: &[usize]| objective.quality(a, b);
        let lineups = Awesomenauts::new(seed)
            .with_starts(2)
            .solve(&pool, &asked)
            .unwrap();
        assert_lawful(&pool, &objective, &lineups);
        assert!(best_gain(&pool, &objective, &lineups) <= 1e-8, "seed {seed}");
    }
}

#[test]
fn it_is_never_above_the_optimum_and_with_many_starts_often_at_it() {
    let mut at_optimum = 0;
    for seed in 0..20 {
        let (pool, objective) = (pool(seed, 10, (2, 2)), tables(seed, 10, 0.0));
        let lineups = Awesomenauts::new(seed)
            .with_starts(20)
            .solve(&pool, &objective)
            .unwrap();
        let best = best_value(&pool, &objective);
        assert!(lineups.value <= best + 1e-9, "seed {seed}");
        at_optimum += usize::from(lineups.value > best - 1e-9);
    }
    assert!(at_optimum >= 15, "{at_optimum} of 20");
}

#[test]
fn the_value_never_falls_from_step_to_step_nor_with_more_starts() {
    let (pool, objective) = (pool(3, 48, (3, 3)), tables(3, 48, 0.02));
    let seen = Mutex::new(Vec::new());
    let lineups = Awesomenauts::new(3)
        .solve_while(&pool, &objective, &|progress| {
            let mut seen = seen.lock().unwrap();
            seen.extend(progress.value);
            seen.len() as f64 / 1500.0
        })
        .unwrap();
    assert_lawful(&pool, &objective, &lineups);
    let seen = seen.into_inner().unwrap();
    assert!(seen.windows(2).all(|pair| pair[1] >= pair[0] - 1e-9));
    assert!(seen.last().unwrap() > &(seen[0] + 0.5));
    let value = |starts| {
        Awesomenauts::new(3)
            .with_starts(starts)
            .solve(&pool, &objective)
            .unwrap()
            .value
    };
    assert!(value(1) <= value(3) && value(3) <= value(6));
}

#[test]
fn forced_swaps_never_end_lower() {
    let mut higher = 0;
    for seed in 0..8 {
        let (pool, objective) = (pool(seed, 36, (3, 3)), tables(seed, 36, 0.0));
        let value = |forced| {
            let solver = Awesomenauts::new(seed).with_starts(1).with_forced_swaps(forced);
            let lineups = solver.solve(&pool, &objective).unwrap();
            assert_lawful(&pool, &objective, &lineups);
            lineups.value
        };
        let (without, with) = (value(0), value(12));
        assert!(with >= without, "seed {seed}");
        higher += usize::from(with > without + 1e-9);
    }
    assert!(higher > 0);
}

#[test]
fn the_same_seed_gives_the_same_lineups_and_another_seed_others() {
    let (pool, objective) = (pool(5, 42, (3, 3)), tables(5, 42, 0.0));
    let solve = |seed| {
        Awesomenauts::new(seed)
            .with_starts(3)
            .solve(&pool, &objective)
            .unwrap()
    };
    assert_eq!(solve(1), solve(1));
    assert_ne!(solve(1).tried, solve(2).tried);
    // The first start knows no chance.
    let first = |seed| {
        Awesomenauts::new(seed)
            .with_starts(1)
            .solve(&pool, &objective)
            .unwrap()
    };
    assert_eq!(first(1).value, first(2).value);
}

#[test]
fn the_first_step_tries_as_many_splits_as_the_article_says() {
    let players = 96;
    let objective = tables(1, players, 0.0);
    let pool = LobbyPool::new(players, (3, 3)).unwrap();
    let count = Awesomenauts::count_of_step(players, (3, 3));
    assert_eq!((count.swaps, count.splits), (4_320, 86_400));
    assert_eq!(Awesomenauts::count_of_step(10, (5, 5)).swaps, 0);
    assert_eq!(Awesomenauts::count_of_step(20, (5, 5)).splits, 100 * 2 * 126);
    // Stopped where the first step is done: before it, each match is split once by the quality and once by tables.
    let first = 16 * 10 + 16 * 10;
    let solver = Awesomenauts::new(1);
    let tried = |splits| {
        solver
            .clone()
            .with_evaluations(splits)
            .solve(&pool, &objective)
            .unwrap()
            .tried
    };
    assert_eq!(tried(first + 1), first + 36 * 20);
    assert_eq!(tried(first + 86_400 - 720), first + 86_400 - 720);
    assert_eq!(tried(first + 86_400 - 719), first + 86_400);
    // Then two matches have changed: their splits, and swaps with them, are tried anew and no others.
    let second = first + 86_400 + 2 * 10 + 2 * 10 + (14 + 15) * 720;
    assert_eq!(tried(first + 86_400 + 41), first + 86_400 + 40 + 720);
    assert_eq!(tried(second), second);
}

#[test]
fn large_teams_are_lawful_too() {
    let (pool, objective) = (pool(2, 43, (10, 10)), tables(2, 43, 0.0));
    let lineups = Awesomenauts::new(2)
        .with_starts(1)
        .solve(&pool, &objective)
        .unwrap();
    assert_lawful(&pool, &objective, &lineups);
    assert_eq!(lineups.lobbies.len(), 2);
}

#[test]
fn each_start_is_told_and_what_is_told_adds_up() {
    let (pool, objective) = (pool(3, 42, (3, 3)), tables(3, 42, 0.0));
    let solver = Awesomenauts::new(1).with_starts(5);
    let mut told: Vec<Ascent> = Vec::new();
    let lineups = solver
        .solve_told(&pool, &objective, &mut |ascent| told.push(*ascent))
        .unwrap();
    assert_eq!(lineups, solver.solve(&pool, &objective).unwrap());
    assert_eq!(told.len(), 5);
    assert_eq!(
        told.iter().map(|ascent| ascent.splits).sum::<u64>(),
        lineups.tried
    );
    let best = told
        .iter()
        .map(|ascent| ascent.end)
        .fold(f64::NEG_INFINITY, f64::max);
    assert!((best - lineups.value).abs() < 1e-9);
    for ascent in &told {
        assert!(ascent.start < ascent.end && ascent.swaps > 0, "{ascent:?}");
    }
    // Nothing is tried, so that the first start is what comes back.
    let start = solver.with_evaluations(0).solve(&pool, &objective).unwrap();
    assert!((start.value - told[0].start).abs() < 1e-9);
}

#[test]
fn a_readers_annealing_ends_at_a_local_optimum_and_is_as_good_as_many_starts() {
    let mut higher = 0;
    for seed in 0..8 {
        let (pool, objective) = (pool(seed, 42, (3, 3)), tables(seed, 42, 0.0));
        let annealing = Awesomenauts::new(seed).with_starts(1).with_annealing(150_000);
        let lineups = annealing.solve(&pool, &objective).unwrap();
        assert_lawful(&pool, &objective, &lineups);
        assert!(best_gain(&pool, &objective, &lineups) < 1e-8, "seed {seed}");
        assert_eq!(lineups, annealing.solve(&pool, &objective).unwrap());
        assert_ne!(
            lineups.tried,
            Awesomenauts::new(seed + 1)
                .with_starts(1)
                .with_annealing(150_000)
                .solve(&pool, &objective)
                .unwrap()
                .tried
        );
        let anew = Awesomenauts::new(seed)
            .with_starts(usize::MAX)
            .with_evaluations(lineups.tried);
        higher += usize::from(lineups.value >= anew.solve(&pool, &objective).unwrap().value - 1e-9);
    }
    assert!(higher >= 6, "{higher} of 8");
}

#[test]
fn annealing_ends_where_nobody_can_change_places() {
    // One match, and a party that nobody can stand in for.
    for (players, parties) in [(2, vec![]), (5, vec![vec![0, 1], vec![2, 3]])] {
        let sizes = if players == 2 { (1, 1) } else { (2, 2) };
        let pool = LobbyPool::new(players, sizes)
            .unwrap()
            .with_parties(&parties)
            .unwrap();
        let objective = |_: &[usize], _: &[usize]| Some(0.5);
        let solver = Awesomenauts::new(1).with_starts(2).with_annealing(1000);
        assert_eq!(solver.solve(&pool, &objective).unwrap().lobbies.len(), 1);
    }
}

#[test]
fn forced_swaps_go_on_for_as_long_as_they_are_told() {
    let mut more = 0;
    for seed in 0..8 {
        let (pool, objective) = (pool(seed, 42, (3, 3)), tables(seed, 42, 0.0));
        let solve = |rounds| {
            let solver = Awesomenauts::new(1).with_starts(1).with_forced_swaps(12);
            let solver = solver.with_fruitless_rounds(rounds).with_evaluations(2_000_000);
            solver.solve(&pool, &objective).unwrap()
        };
        let (one, many) = (solve(1), solve(usize::MAX));
        assert!(
            many.value >= one.value - 1e-9 && many.tried >= 2_000_000,
            "seed {seed}"
        );
        assert_eq!(one, solve(0));
        more += usize::from(many.value > one.value + 1e-9);
    }
    assert!(more > 0);
}
