//! Searches for totals against every lineup there is, in small pools.

use matchwright_lobby::{CertifiedLobbies, laws::check_lobbies};
use matchwright_scoring::PowerMean;
use matchwright_solver::BruteForce;
use matchwright_solver::Limits;

use super::*;
use crate::random::stream;
use itertools::Itertools;
use rand::RngExt;

fn totals() -> Vec<Total> {
    let power = |exponent| PowerMean::new(exponent).unwrap().into();
    let quantile = |share| Total::quantile(share).unwrap();
    vec![
        power(2.0),
        power(0.0),
        power(-1.0),
        power(-4.0),
        power(f64::NEG_INFINITY),
        quantile(0.0),
        quantile(0.1),
        Total::MEDIAN,
        quantile(0.9),
    ]
}

/// Qualities of pairs, of which some are forbidden.
fn drawn(players: usize, seed: u64) -> Vec<Vec<Option<f64>>> {
    let mut rng = stream(seed, 1_u64, 0, 0);
    let mut table = vec![vec![None; players]; players];
    for [a, b] in (0..players).array_combinations() {
        let quality = rng.random_bool(0.9).then(|| rng.random_range(0.2..1.0));
        (table[a][b], table[b][a]) = (quality, quality);
    }
    table
}

/// The greatest total of all duels of ten players, over pairings that forbid nothing.
fn best_duels(total: Total, table: &[Vec<Option<f64>>]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let mut visit = |mates: &[usize]| {
        let pairs = mates.iter().enumerate().filter(|(a, b)| a < *b);
        let qualities: Option<Vec<f64>> = pairs.map(|(a, &b)| table[a][b]).collect();
        best = best.max(qualities.map_or(f64::NEG_INFINITY, |all| total.of(&all)));
    };
    BruteForce::visit_pairings(table.len(), &mut visit).unwrap();
    best
}

#[test]
fn duels_of_ten_have_the_best_total_there_is() {
    let pool = LobbyPool::new(10, [1, 1]).unwrap();
    let solver = Annealing::new(1).with_moves(3_000);
    let (mut cases, mut missed, mut better) = (0, 0, 0);
    for seed in 0..20 {
        let table = drawn(10, seed);
        let duel = |a: &[usize], b: &[usize]| table[a[0]][b[0]];
        let by_sum = solver.solve(&pool, &duel).unwrap();
        for total in totals() {
            let search = TotalSearch {
                total,
                by_sum: &solver,
                seed: 1,
                moves: 3_000,
                threads: 1,
            };
            let lineups = search.solve(&pool, &duel).unwrap();
            let of = |lineups: &Lineups| {
                let qualities: Vec<f64> = lineups.lobbies.iter().map(|lobby| lobby.quality).collect();
                total.of(&qualities)
            };
            let (found, best) = (of(&lineups), best_duels(total, &table));
            assert_eq!(lineups.unmatched, [] as [usize; 0]);
            assert!(found <= best + 1e-12, "{total}: {found} above {best}");
            assert!(found >= of(&by_sum) - 1e-12, "{total}: worse than the sum's");
            cases += 1;
            missed += u32::from(found < best - 1e-9);
            better += u32::from(found > of(&by_sum) + 1e-9);
        }
    }
    assert_eq!(cases, 180);
    // Searches, no proofs: nearly all are the best. Lineups made for the sum are the best of all by 125 of the totals.
    assert!(missed <= 9 && better >= 50, "{missed} missed, {better} better");
}

#[test]
fn the_laws_of_lobby_solvers_hold_for_every_total() {
    let certified = CertifiedLobbies::new(1).with_moves(500);
    for total in totals().into_iter().chain([Total::AVERAGE]) {
        let search = TotalSearch {
            total,
            by_sum: &certified,
            seed: 1,
            moves: 500,
            threads: 2,
        };
        check_lobbies(&search, 1).unwrap();
    }
}

#[test]
fn a_limit_of_work_holds_for_all_searches_together_and_no_total_claims_an_optimum() {
    let pool = LobbyPool::new(10, [1, 1]).unwrap();
    let table = drawn(10, 1);
    let duel = |a: &[usize], b: &[usize]| table[a[0]][b[0]];
    let certified = CertifiedLobbies::new(1);
    let search = |total| TotalSearch {
        total,
        by_sum: &certified,
        seed: 1,
        moves: 1_000_000,
        threads: 1,
    };
    for total in totals() {
        let limits = Limits::unlimited().with_work(4_000);
        let found = search(total).solve_within(&pool, &duel, &limits).unwrap();
        assert!(found.work <= 4_000, "{total}: {}", found.work);
        assert!(
            found.status.is_limited() && !found.is_optimal(),
            "{total}: {:?}",
            found.status
        );
        let stopped = Limits::unlimited().with_watch(&|_| 1.0);
        let found = search(total).solve_within(&pool, &duel, &stopped).unwrap();
        assert_eq!(found.status, Status::Stopped, "{total}");
    }
    // One match is its own total.
    let two = LobbyPool::new(3, [1, 1]).unwrap();
    let of_one = search(Total::MEDIAN).solve(&two, &duel).unwrap();
    assert_eq!(of_one, certified.solve(&two, &duel).unwrap());
}

#[test]
fn elements_rise_from_0_to_1_and_change_as_qualities_do_around_nine_tenths() {
    for exponent in [4.0, 2.0, 1.0, 1e-7, 0.0, -1e-9, -1.0, -4.0, -20.0] {
        let values: Vec<f64> = (0..=1000)
            .map(|step| power_element(exponent, f64::from(step) / 1000.0))
            .collect();
        assert!(values.windows(2).all(|two| two[0] < two[1]), "{exponent}");
        assert!(values[0] >= 0.0 && values[1000] <= 1.0, "{exponent}");
        assert!(
            exponent.abs() > 4.0 || (values[905] - values[895] - 0.01).abs() < 1e-3,
            "{exponent}"
        );
    }
    assert!((power_element(1.0, 0.3) - 0.3).abs() < 1e-12);
}
