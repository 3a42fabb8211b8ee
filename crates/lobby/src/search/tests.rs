//! Gains are differences of values, limits of work hold, and searches find what forbidden pairs leave.

use super::by_terms::ByTerms;
use super::table::Table;
use super::{Annealing, Budget, Evaluator, Exchange, Seats};
use crate::random::{SplitMix64, symmetric};
use crate::start::Plan;
use crate::{Balance, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms};

/// Terms of every kind, so small that no sum leaves [0, 1]; one pair of mates in `forbidden` must not be.
fn terms(players: usize, forbidden: f64, bits: &mut SplitMix64) -> LobbyTerms {
    let mut table = |low, high| symmetric(players, low, high, bits);
    let (together, against, links) = (table(-0.002, 0.01), table(0.001, 0.01), table(0.0, 1.0));
    let blocked = table(0.0, 1.0);
    let levels = |bits: &mut SplitMix64, scale: f64| (0..players).map(|_| scale * bits.unit()).collect();
    let (skills, bonds) = (levels(bits, 1000.0), levels(bits, 1.0));
    LobbyTerms::new(players)
        .unwrap()
        .with_pairs(
            |i, j| (blocked[i * players + j] >= forbidden).then_some(together[i * players + j]),
            |i, j| Some(against[i * players + j]),
        )
        .unwrap()
        .with_balance(Balance::new(skills, 0.2, |gap| 0.2 - 0.2 * (gap / 1000.0).sqrt()))
        .unwrap()
        .with_balance(Balance::new(bonds, 0.1, |gap| 0.1 * (1.0 - gap)))
        .unwrap()
        .with_links(
            |i, j| links[i * players + j] < 0.8 || i == j,
            vec![0.0, 0.05, 0.07],
        )
        .unwrap()
}

/// The lineup's value by the terms themselves, forbidden matches being dissolved; and how many those are.
fn value(pool: &LobbyPool, terms: &LobbyTerms, seats: &Seats) -> (f64, usize) {
    let names = |team: usize| seats.team(team).iter().map(|&p| p as usize).collect::<Vec<_>>();
    let penalty = |team: usize| {
        names(team)
            .iter()
            .map(|&player| pool.unmatched_penalties()[player])
            .sum::<f64>()
    };
    let (mut value, mut forbidden) = (-penalty(seats.bench()), 0);
    for k in 0..seats.matches() {
        if let Some(quality) = terms.quality(&names(2 * k), &names(2 * k + 1)) {
            value += quality;
        } else {
            value -= penalty(2 * k) + penalty(2 * k + 1);
            forbidden += 1;
        }
    }
    (value, forbidden)
}

#[test]
fn what_an_exchange_gains_is_the_difference_of_the_values() {
    let mut bits = SplitMix64(11);
    let mut into_forbidden = 0;
    for (players, sizes, parties, forbidden) in [
        (
            26,
            (3, 3),
            vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
            0.0,
        ),
        (
            26,
            (3, 3),
            vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
            0.05,
        ),
        (13, (1, 4), vec![vec![0, 1, 2, 3], vec![4, 5]], 0.1),
        (11, (5, 5), vec![vec![0, 1], vec![2, 3, 4]], 0.0),
    ] {
        let penalties: Vec<f64> = (0..players).map(|_| bits.unit()).collect();
        let pool = LobbyPool::new(players, [sizes.0, sizes.1])
            .unwrap()
            .with_parties(&parties)
            .unwrap();
        let pool = pool.with_unmatched_penalties(&penalties).unwrap();
        let terms = terms(players, forbidden, &mut bits);
        let table = Table::new(&pool, &terms);
        let teams = Plan::of(&pool).deal(&pool, 9.0, &mut bits);
        let mut seats = Seats::new(&pool, &teams);
        let mut evaluator = ByTerms::new(&table, &seats);
        let mut exchange = Exchange::default();
        let mut proposed = 0;
        for _ in 0..4000 {
            let (one, other) = (seats.at(bits.below(players)), seats.at(bits.below(players)));
            if !seats.propose(one, other, &mut bits, &mut exchange) {
                continue;
            }
            proposed += 1;
            let before = value(&pool, &terms, &seats);
            let gain = evaluator.gain(&seats, &exchange, f32::NEG_INFINITY).unwrap();
            // Bounds let nothing through that is too little, and stop nothing that is enough.
            assert!(evaluator.gain(&seats, &exchange, gain + 1e-5).is_none());
            assert!(evaluator.gain(&seats, &exchange, gain - 1e-5).is_some());
            seats.apply(&exchange);
            evaluator.apply(&seats, &exchange);
            let after = value(&pool, &terms, &seats);
            let difference = after.0 - before.0;
            if before.1 + after.1 == 0 {
                // The square root is tabulated, and steep where it starts.
                assert!(
                    (f64::from(gain) - difference).abs() < 2e-3,
                    "{gain} for {difference}"
                );
            } else {
                // Forbidden pairs count a little.
                into_forbidden += 1;
                assert!(
                    (f64::from(gain) - difference).abs() < 2.0,
                    "{gain} for {difference}"
                );
            }
        }
        assert!(proposed > 1000);
    }
    assert!(into_forbidden > 1000);
}

/// An objective that is what its terms say.
struct WithTerms<F>(F);

impl<F: Fn(&[usize]) -> LobbyTerms + Sync> LobbyObjective for WithTerms<F> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let players = [team_a, team_b].concat();
        let places: Vec<usize> = (0..players.len()).collect();
        self.0(&players).quality(&places[..team_a.len()], &places[team_a.len()..])
    }

    fn terms(&self, players: &[usize], _: (usize, usize)) -> Option<LobbyTerms> {
        Some(self.0(players))
    }
}

#[test]
fn the_one_match_that_forbidden_pairs_leave_is_found_with_and_without_terms() {
    // Players 4 to 7 may not meet: with two of them in each of two matches, both would be forbidden.
    let allowed = |i: usize, j: usize| i < 4 || j < 4;
    let objective = WithTerms(|players: &[usize]| {
        let term = |i: usize, j: usize| allowed(players[i], players[j]).then_some(0.1);
        LobbyTerms::new(players.len())
            .unwrap()
            .with_pairs(term, term)
            .unwrap()
    });
    let without = |a: &[usize], b: &[usize]| objective.quality(a, b);
    let pool = LobbyPool::new(8, [2, 2]).unwrap();
    for seed in 0..20 {
        for objective in [&objective as &dyn LobbyObjective, &without] {
            let lineups = Annealing::new(seed)
                .with_moves(2000)
                .solve(&pool, objective)
                .unwrap();
            assert_eq!(lineups.lobbies.len(), 1, "seed {seed}");
        }
    }
}

#[test]
fn no_more_is_tried_than_allowed() {
    let quality = |a: &[usize], b: &[usize]| Some(1.0 / (1 + a[0].abs_diff(b[0])) as f64);
    for (players, sizes) in [
        (2, (1, 1)),
        (6, (3, 3)),
        (7, (3, 3)),
        (24, (2, 2)),
        (40, (20, 20)),
    ] {
        let pool = LobbyPool::new(players, [sizes.0, sizes.1]).unwrap();
        for moves in [0, 1, 1000] {
            let lineups = Annealing::new(1)
                .with_moves(moves)
                .solve(&pool, &quality)
                .unwrap();
            assert!(lineups.work <= moves, "{} of {moves}", lineups.work);
        }
    }
    // One match of all players is divided, not searched for.
    let pool = LobbyPool::new(6, [3, 3]).unwrap();
    assert_eq!(Annealing::new(1).solve(&pool, &quality).unwrap().work, 0);
}

#[test]
fn a_budget_ends_with_its_proposals_or_its_time() {
    let time = std::cell::Cell::new(0.0);
    let clock = || time.get();
    let mut budget = Budget::new(300, &clock);
    assert_eq!(
        (
            budget.take_block(u64::MAX),
            budget.take_block(10),
            budget.take_block(u64::MAX)
        ),
        (256, 10, 34)
    );
    assert_eq!(
        (budget.take_block(1), budget.used(), budget.tried()),
        (0, 1.0, 300)
    );
    let budget = Budget::new(300, &clock);
    assert_eq!(budget.used(), 0.0);
    time.set(f64::NAN);
    assert_eq!(budget.used(), 1.0);
}

#[test]
fn the_scale_of_the_terms_does_not_matter() {
    let skill = |player: usize| (player * 37 % 60) as f64;
    let of_scale = |scale: f64| {
        WithTerms(move |players: &[usize]| {
            let term = |i: usize, j: usize| {
                Some(scale * (1.0 - (skill(players[i]) - skill(players[j])).abs() / 60.0) / 6.0)
            };
            let levels = players.iter().map(|&player| skill(player)).collect();
            let terms = LobbyTerms::new(players.len())
                .unwrap()
                .with_pairs(term, term)
                .unwrap();
            terms
                .with_balance(Balance::new(levels, 0.1 * scale, move |gap| {
                    scale * 0.1 * (1.0 - gap / 60.0)
                }))
                .unwrap()
        })
    };
    let pool = LobbyPool::new(60, [2, 2]).unwrap();
    let value = |scale: f64| {
        let lineups = Annealing::new(3)
            .with_moves(200_000)
            .solve(&pool, &of_scale(scale))
            .unwrap();
        lineups.value / scale
    };
    let (large, small) = (value(0.5), value(0.0005));
    assert!((large - small).abs() < 0.002 * large, "{large} {small}");
}
