//! Matches divided best, against all divisions.

use super::*;
use crate::pool::LobbyPool;
use crate::start::Plan;
use crate::symmetric::symmetric;
use crate::terms::{Balance, LobbyTerms};

/// Terms of every kind; some pairs are forbidden as mates, as opponents or as both, if `rough`.
fn terms(players: usize, rough: bool, bits: &mut SplitMix64) -> LobbyTerms {
    let mut table = |low, high| symmetric(players, low, high, bits);
    let (together, against) = (table(-0.002, 0.01), table(0.001, 0.01));
    let (links, banned) = (table(0.0, 1.0), table(0.0, 1.0));
    let allowed = |at: usize, from: f64, to: f64| !rough || !(from..to).contains(&banned[at]);
    let levels = |bits: &mut SplitMix64, scale: f64| (0..players).map(|_| scale * bits.unit()).collect();
    let (skills, bonds) = (levels(bits, 1000.0), vec![0.0; players]);
    LobbyTerms::new(players)
        .with_pairs(
            |i, j| allowed(i * players + j, 0.9, 0.94).then(|| together[i * players + j]),
            |i, j| allowed(i * players + j, 0.92, 0.96).then(|| against[i * players + j]),
        )
        .unwrap()
        .with_balance(Balance::new(skills, 0.2, |gap| 0.2 - 0.2 * (gap / 1000.0)))
        .unwrap()
        // Everybody has the same level of this one.
        .with_balance(Balance::new(bonds, 0.1, |gap| 0.1 * (1.0 - gap)))
        .unwrap()
        .with_links(
            |i, j| links[i * players + j] < 0.8 || i == j,
            vec![0.0, 0.05, 0.07],
        )
        .unwrap()
}

/// What players are worth divided best, by the terms and all sets of the first team's size.
fn best(pool: &LobbyPool, terms: &LobbyTerms, players: &[u32]) -> Option<f64> {
    let of_side = |set: u32, side: u32| -> Vec<usize> {
        let places = players.iter().enumerate();
        places
            .filter(|(place, _)| set >> place & 1 == side)
            .map(|(_, &player)| player as usize)
            .collect()
    };
    (0..1_u32 << players.len())
        .filter(|set| set.count_ones() as usize == pool.sizes().0)
        .map(|set| (of_side(set, 1), of_side(set, 0)))
        .filter(|(first, _)| {
            first
                .iter()
                .all(|&player| pool.party_of(player).iter().all(|mate| first.contains(mate)))
        })
        .filter_map(|(first, second)| terms.quality(&first, &second))
        .max_by(f64::total_cmp)
}

fn value(pool: &LobbyPool, terms: &LobbyTerms, seats: &Seats) -> Option<f64> {
    let matches = (0..seats.matches()).map(|k| best(pool, terms, seats.team(k)));
    let bench = seats.team(seats.bench()).iter();
    let out: f64 = bench.map(|&player| pool.prices()[player as usize]).sum();
    Some(matches.sum::<Option<f64>>()? - out)
}

#[test]
fn what_an_exchange_gains_is_the_difference_of_the_best_divisions() {
    let mut bits = SplitMix64(12);
    for (players, sizes, parties, rough) in [
        (
            26,
            (3, 3),
            vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
            false,
        ),
        (
            26,
            (3, 3),
            vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
            true,
        ),
        (13, (1, 4), vec![vec![0, 1, 2, 3], vec![4, 5]], false),
        (18, (4, 4), vec![vec![0, 1], vec![2, 3, 4]], false),
        (11, (2, 3), vec![vec![0, 1], vec![2, 3, 4]], true),
        (7, (1, 1), vec![], false),
    ] {
        let prices: Vec<f64> = (0..players).map(|_| bits.unit()).collect();
        let pool = LobbyPool::new(players, sizes).unwrap();
        let pool = pool.with_parties(&parties).unwrap().with_prices(&prices).unwrap();
        let terms = terms(players, rough, &mut bits);
        let table = Table::new(&pool, &terms);
        let ways = Ways::of(sizes).unwrap();
        let teams = Plan::of(&pool).deal(&pool, 9.0, &mut bits);
        let matches: Vec<Vec<u32>> = teams.chunks(2).map(<[_]>::concat).collect();
        let mut seats = Seats::of_matches(&pool, &matches);
        let mut divided = Divided::new(&table, &ways, sizes, &seats);
        let mut exchange = Exchange::default();
        let (mut compared, mut impossible) = (0, 0);
        for _ in 0..1500 {
            let (one, other) = (seats.at(bits.below(players)), seats.at(bits.below(players)));
            if !seats.propose(one, other, &mut bits, &mut exchange) {
                continue;
            }
            let before = value(&pool, &terms, &seats);
            let Some(gain) = divided
                .gain_above(&seats, &exchange, f32::NEG_INFINITY)
                .filter(|gain| gain.is_finite())
            else {
                impossible += 1;
                continue;
            };
            seats.apply(&exchange);
            divided.moved(&seats, &exchange);
            let after = value(&pool, &terms, &seats);
            if let (Some(before), Some(after)) = (before, after) {
                compared += 1;
                let difference = after - before;
                assert!(
                    (f64::from(gain) - difference).abs() < 1e-3,
                    "{gain} for {difference}"
                );
                assert!((divided.total(&seats) - after).abs() < 1e-3);
                let found = divided.teams(&seats);
                for (index, pair) in found.chunks_exact(2).enumerate() {
                    let names = |team: &[u32]| team.iter().map(|&p| p as usize).collect::<Vec<_>>();
                    let quality = terms.quality(&names(&pair[0]), &names(&pair[1])).unwrap();
                    let best = best(&pool, &terms, seats.team(index)).unwrap();
                    assert!((quality - best).abs() < 1e-3);
                }
            } else if before.is_some() {
                // A forbidden match costs more than everything else is worth.
                assert!(gain < -100.0, "{gain}");
            }
        }
        assert!(
            compared > if rough { 10 } else { 500 },
            "{players} {sizes:?} {rough}: {compared}"
        );
        assert!(impossible < 700);
    }
}

#[test]
fn an_estimate_that_hides_what_gains_is_found_out() {
    // Balance is all there is: both matches have one player too strong, who are better off in one.
    let skills = vec![0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0, 6.0];
    let pool = LobbyPool::new(8, (2, 2)).unwrap();
    let terms = LobbyTerms::new(8)
        .with_balance(Balance::new(skills, 1.0, |gap| 1.0 - gap / 6.0))
        .unwrap();
    let table = Table::new(&pool, &terms);
    let ways = Ways::of((2, 2)).unwrap();
    let seats = Seats::of_matches(&pool, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![]]);
    let mut divided = Divided::new(&table, &ways, (2, 2), &seats);
    // Uneven matches alone were looked at, for long.
    for _ in 0..20_000 {
        divided.kinds.learn(0, -1.0);
    }
    assert!(divided.kinds.likely_rest(0) < -0.5);
    let exchange = Exchange {
        from: 0,
        to: 1,
        out: vec![3],
        back: vec![4],
    };
    let gains: Vec<f32> = (0..PROBED)
        .filter_map(|_| divided.gain_above(&seats, &exchange, 0.01))
        .collect();
    assert_eq!(gains.len(), 1, "{gains:?}");
    assert!(divided.kinds.likely_rest(0) > 0.9);
    // Now that it is known, every time.
    let gains = (0..PROBED).filter_map(|_| divided.gain_above(&seats, &exchange, 0.01));
    assert_eq!(gains.count(), PROBED as usize);
}

#[test]
fn parties_that_fit_into_no_division_are_never_brought_together() {
    let pool = LobbyPool::new(12, (3, 3)).unwrap();
    let pool = pool.with_parties(&[vec![0, 1], vec![2, 3], vec![6, 7]]).unwrap();
    let terms = LobbyTerms::new(12)
        .with_pairs(|_, _| Some(0.01), |_, _| Some(0.01))
        .unwrap();
    let table = Table::new(&pool, &terms);
    let ways = Ways::of((3, 3)).unwrap();
    let seats = Seats::of_matches(&pool, &[(0..6).collect(), (6..12).collect(), vec![]]);
    let mut divided = Divided::new(&table, &ways, (3, 3), &seats);
    let exchange = Exchange {
        from: 0,
        to: 1,
        out: vec![4, 5],
        back: vec![6, 7],
    };
    let gain = divided.gain_above(&seats, &exchange, f32::NEG_INFINITY);
    assert!(gain.is_none_or(|gain| gain == f32::NEG_INFINITY), "{gain:?}");
}
