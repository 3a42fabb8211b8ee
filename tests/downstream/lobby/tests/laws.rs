//! The lobby solver of this package keeps the laws of lobby solvers.

use downstream_lobby::{FirstCome, InOrder};
use matchwright_lobby::laws::{check_lobbies, check_splitter};
use matchwright_lobby::{Annealing, Group, LobbyPool, LobbySolver, TeamSplitter, verify_lobbies};

#[test]
fn a_splitter_in_order_keeps_the_laws() {
    for seed in 0..5 {
        check_splitter(&InOrder, seed).unwrap();
    }
}

#[test]
fn first_come_first_served_keeps_the_laws_and_annealing_is_better() {
    for seed in 0..5 {
        check_lobbies(&FirstCome, seed).unwrap();
    }
    let skill = |player: usize| (player * 37 % 100) as f64;
    let quality = |a: &[usize], b: &[usize]| {
        let mean = |team: &[usize]| team.iter().map(|&player| skill(player)).sum::<f64>() / team.len() as f64;
        Some(1.0 - (mean(a) - mean(b)).abs() / 100.0)
    };
    let pool = LobbyPool::new(24, [3, 3]).unwrap();
    let first = FirstCome.solve(&pool, &quality).unwrap();
    let searched = Annealing::new(1)
        .with_moves(10_000)
        .solve(&pool, &quality)
        .unwrap();
    assert!(verify_lobbies(&pool, &quality, &first).unwrap().value < searched.value);
    let split = InOrder
        .split(&Group::equal([0, 1, 2, 3, 4, 5], 2).unwrap(), &quality)
        .unwrap();
    assert_eq!(split.team_a(), [0, 1, 2]);
}
