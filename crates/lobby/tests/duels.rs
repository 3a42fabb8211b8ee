//! Matches of one against one: the exact pairing, compared with brute force, and its certificate.

use crate::common::lobby_world::assert_lawful;
use matchwright_lobby::{
    CertifiedLobbies, Lineups, LobbyError, LobbyPool, LobbySolver, LobbyVerifyError, verify_lobbies,
};
use matchwright_solver::{Limits, Progress, Status};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Qualities = Vec<Vec<Option<f64>>>;

/// Qualities drawn evenly, or of few values so that many lineups tie; some matches are forbidden.
fn qualities(players: usize, seed: u64) -> Qualities {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = vec![vec![None; players]; players];
    for (i, j) in (0..players).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let quality = if seed.is_multiple_of(2) {
            rng.random::<f64>()
        } else {
            f64::from(rng.random_range(0_u8..3)) / 2.0
        };
        let allowed = rng.random::<f64>() < 0.8;
        all[i][j] = allowed.then_some(quality);
        all[j][i] = all[i][j];
    }
    all
}

fn objective(qualities: &Qualities) -> impl Fn(&[usize], &[usize]) -> Option<f64> + Sync + '_ {
    |a: &[usize], b: &[usize]| qualities[a[0]][b[0]]
}

/// The greatest value of all lineups of the players from one on who are free.
fn best(qualities: &Qualities, penalties: &[f64], free: &mut [bool]) -> f64 {
    let Some(first) = free.iter().position(|&is_free| is_free) else {
        return 0.0;
    };
    free[first] = false;
    let mut most = best(qualities, penalties, free) - penalties[first];
    for other in first + 1..free.len() {
        if let Some(quality) = qualities[first][other].filter(|_| free[other]) {
            free[other] = false;
            most = most.max(quality + best(qualities, penalties, free));
            free[other] = true;
        }
    }
    free[first] = true;
    most
}

#[test]
fn the_optimum_is_found_and_its_certificate_holds() {
    let mut with_odd_sets = 0;
    for seed in 0..120 {
        let players = 2 + usize::try_from(seed).unwrap() % 9;
        let qualities = qualities(players, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed + 1000);
        let penalties: Vec<f64> = (0..players).map(|_| rng.random::<f64>() * 0.6).collect();
        let pool = LobbyPool::new(players, [1, 1]).unwrap();
        let pool = pool.with_unmatched_penalties(&penalties).unwrap();
        let objective = objective(&qualities);
        let lineups = CertifiedLobbies::new(seed).solve(&pool, &objective).unwrap();
        assert_lawful(&pool, &objective, &lineups);
        let most = best(&qualities, &penalties, &mut vec![true; players]);
        assert!((lineups.value - most).abs() < 1e-9, "seed {seed}");
        assert!(lineups.is_optimal() && lineups.gap().unwrap().abs() < 1e-9);
        let verdict = verify_lobbies(&pool, &objective, &lineups).unwrap();
        assert!(verdict.is_optimal(), "seed {seed}: {verdict}");
        with_odd_sets += usize::from(!lineups.certificate.unwrap().odd_sets.is_empty());
    }
    assert!(with_odd_sets > 10, "{with_odd_sets}");
}

/// Two groups of three friends: one pair must cross, which only an odd set can say.
fn triangles() -> (LobbyPool, Qualities, Lineups) {
    let quality = |i: usize, j: usize| (i != j).then_some(if i / 3 == j / 3 { 1.0 } else { 0.2 });
    let qualities: Qualities = (0..6).map(|i| (0..6).map(|j| quality(i, j)).collect()).collect();
    let pool = LobbyPool::new(6, [1, 1]).unwrap();
    let lineups = CertifiedLobbies::new(1)
        .solve(&pool, &objective(&qualities))
        .unwrap();
    (pool, qualities, lineups)
}

#[test]
fn a_certificate_that_proves_too_little_is_refused() {
    let (pool, qualities, lineups) = triangles();
    assert!((lineups.value - 2.2).abs() < 1e-12);
    let objective = objective(&qualities);
    let refused = |change: &dyn Fn(&mut Lineups)| {
        let mut changed = lineups.clone();
        change(&mut changed);
        verify_lobbies(&pool, &objective, &changed).unwrap_err()
    };
    assert!(verify_lobbies(&pool, &objective, &lineups).unwrap().is_optimal());
    let certificate = lineups.certificate.as_ref().unwrap();
    let (set, dual) = &certificate.odd_sets[0];
    assert_eq!((set.len() % 2, *dual > 0.0), (1, true));
    // Without the set the bound is smaller than the duals prove.
    let error = refused(&|lineups| {
        let certificate = lineups.certificate.as_mut().unwrap();
        for (set, dual) in certificate.odd_sets.drain(..) {
            certificate.bound -= dual * (set.len() / 2) as f64;
        }
    });
    assert!(matches!(error, LobbyVerifyError::WorthMore { .. }), "{error}");
    let error = refused(&|lineups| {
        let certificate = lineups.certificate.as_mut().unwrap();
        certificate.duals[0] -= 0.01;
        certificate.bound -= 0.01;
    });
    assert!(matches!(error, LobbyVerifyError::WorthMore { .. }), "{error}");
    let error = refused(&|lineups| lineups.certificate.as_mut().unwrap().odd_sets[0].1 += 0.1);
    assert!(matches!(error, LobbyVerifyError::WrongBound { .. }), "{error}");
    for bad in [vec![], vec![0, 1], vec![0, 0, 1], vec![0, 1, 6]] {
        let error = refused(&|lineups| {
            let certificate = lineups.certificate.as_mut().unwrap();
            certificate.odd_sets.push((bad.clone(), 0.0));
        });
        assert!(matches!(error, LobbyVerifyError::BadOddSet { .. }), "{error}");
    }
    let error = refused(&|lineups| lineups.certificate.as_mut().unwrap().odd_sets[0].1 = -0.1);
    assert!(matches!(error, LobbyVerifyError::BadOddSet { .. }), "{error}");
}

#[test]
fn odd_sets_prove_nothing_where_matches_are_no_pairs() {
    let pool = LobbyPool::new(8, [2, 2]).unwrap();
    let quality = |_: &[usize], _: &[usize]| Some(0.5);
    let mut lineups = CertifiedLobbies::new(1).solve(&pool, &quality).unwrap();
    let certificate = triangles().2.certificate.unwrap();
    lineups.certificate = Some(matchwright_lobby::LobbyCertificate {
        duals: vec![0.0; 8],
        ..certificate
    });
    let error = verify_lobbies(&pool, &quality, &lineups).unwrap_err();
    assert!(matches!(error, LobbyVerifyError::BadOddSet { .. }), "{error}");
}

#[test]
fn limits_end_it_and_mistakes_of_the_objective_are_told() {
    let qualities = qualities(300, 4);
    let pool = LobbyPool::new(300, [1, 1]).unwrap();
    let objective = objective(&qualities);
    let stopped = CertifiedLobbies::new(1)
        .solve_within(&pool, &objective, &Limits::unlimited().with_work(1000))
        .unwrap();
    assert_eq!((stopped.status, stopped.work <= 1000), (Status::WorkLimit, true));
    let whole = CertifiedLobbies::new(1).solve(&pool, &objective).unwrap();
    assert!(whole.work > 1000, "{}", whole.work);
    let bound = stopped.certificate.as_ref().unwrap().bound;
    assert!(stopped.value <= whole.value + 1e-9 && bound >= whole.value - 1e-9);
    let verdict = verify_lobbies(&pool, &objective, &stopped).unwrap();
    assert!(!verdict.is_optimal() && verdict.bound >= whole.value - 1e-9);
    let over = |_: &Progress| 2.0;
    let none = CertifiedLobbies::new(1)
        .solve_within(&pool, &objective, &Limits::unlimited().with_watch(&over))
        .unwrap();
    assert_eq!(none.status, Status::Stopped);

    let bad = |a: &[usize], b: &[usize]| Some(if a[0] + b[0] == 3 { 1.5 } else { 0.5 });
    let pool = LobbyPool::new(4, [1, 1]).unwrap();
    let error = CertifiedLobbies::new(1).solve(&pool, &bad).unwrap_err();
    assert!(matches!(error, LobbyError::Objective(_)), "{error}");
}
