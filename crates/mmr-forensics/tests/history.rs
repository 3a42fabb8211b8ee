//! Backwards is the inverse of forwards.

use matchwright_mmr_forensics::*;

/// Numbers from 0 to 1 that look random, the same each time.
struct Luck(u64);

impl Luck {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn season(seed: u64, most_minutes: f64) -> (LadderState, Vec<NextGame>) {
    let mut luck = Luck(seed);
    for _ in 0..8 {
        luck.next();
    }
    let start = LadderState {
        points: 1000.0 * luck.next(),
        unspent: 300.0 * luck.next(),
        total: 300.0 + 500.0 * luck.next(),
    };
    luck.next();
    let count = 1 + usize::try_from(luck.0 >> 40).unwrap() % 200;
    let game = |luck: &mut Luck| {
        let points = 4.0 + 16.0 * luck.next();
        NextGame {
            minutes_before: most_minutes * luck.next(),
            earned: if luck.next() < 0.5 { points } else { -points },
        }
    };
    let games = (0..count).map(|_| game(&mut luck)).collect();
    (start, games)
}

#[test]
fn a_thousand_seasons_come_back_from_their_ends_to_1e_9() {
    let ladder = LadderSeason::default();
    for seed in 0..1000 {
        let (start, games) = season(seed, 2_000.0);
        let played = play_forward(start, &games, &ladder).unwrap();
        let shown: Vec<ShownGame> = played.iter().map(|(_, game)| *game).collect();
        let end = played.last().unwrap().0;
        let known = play_backward(end, &shown, PoolKnowledge::MayBeEmpty, 0.0, &ladder).unwrap();
        for (after, (state, _)) in known.iter().zip(&played) {
            assert!(
                (after.differential.low - state.differential_now()).abs() < 1e-9,
                "{seed}"
            );
            assert_eq!(after.differential.width(), 0.0, "{seed}");
            assert!((after.points - state.points).abs() < 1e-9, "{seed}");
            assert!((after.unspent.middle() - state.unspent).abs() < 1e-6, "{seed}");
        }
    }
}

#[test]
fn without_boni_a_pool_that_never_ran_out_is_inverted_exactly_and_another_is_bounded() {
    let ladder = LadderSeason::default();
    let (mut exact, mut bounded) = (0, 0);
    for seed in 0..1000 {
        // From pools that are always full to pools that are nearly always empty.
        let (start, games) = season(seed, 100.0 + 4.0 * seed as f64);
        let played = play_forward(start, &games, &ladder).unwrap();
        let end = played.last().unwrap().0;
        let hide = |(_, game): &(LadderState, ShownGame)| ShownGame { bonus: None, ..*game };
        let shown: Vec<ShownGame> = played.iter().map(hide).collect();
        let never_empty = played.iter().all(|(state, _)| state.unspent > 0.0);
        let after = play_backward(end, &shown, PoolKnowledge::MayBeEmpty, 0.0, &ladder).unwrap();
        for (after, (state, _)) in after.iter().zip(&played) {
            let truth = state.differential_now();
            assert!(after.differential.low <= truth + 1e-9, "{seed}");
            assert!(after.differential.high >= truth - 1e-9, "{seed}");
            assert!(after.unspent.low <= state.unspent + 1e-6, "{seed}");
            assert!(after.unspent.high >= state.unspent - 1e-6, "{seed}");
        }
        if never_empty {
            exact += 1;
            let assumed = play_backward(end, &shown, PoolKnowledge::NeverEmpty, 0.0, &ladder).unwrap();
            for after in [&after, &assumed] {
                for (after, (state, _)) in after.iter().zip(&played) {
                    assert!(
                        (after.differential.low - state.differential_now()).abs() < 1e-9,
                        "{seed}"
                    );
                    assert!(after.differential.width() < 1e-9, "{seed}");
                }
            }
        } else if after[0].differential.width() > 1.0 {
            bounded += 1;
        }
    }
    assert!(exact > 50 && bounded > 50, "{exact} {bounded}");
}

#[test]
fn expired_bonus_lifts_all_ratings_and_an_impossible_pool_is_refused() {
    let ladder = LadderSeason::default();
    let end = LadderState {
        points: 500.0,
        unspent: 0.0,
        total: 600.0,
    };
    let game = ShownGame {
        change: 10.0,
        bonus: None,
        minutes_before: Some(112.0),
    };
    let of = |expired| play_backward(end, &[game], PoolKnowledge::MayBeEmpty, expired, &ladder).unwrap();
    assert_eq!(of(7.0)[0].differential.low - of(0.0)[0].differential.low, 7.0);
    // One point had accrued, so between one and five of the ten were bonus.
    assert_eq!(of(0.0)[0].bonus, Bounds { low: 1.0, high: 5.0 });
    // A loss after two weeks without a game cannot leave an empty pool.
    let loss = ShownGame {
        change: -10.0,
        bonus: None,
        minutes_before: Some(20_160.0),
    };
    let error = play_backward(end, &[game, loss], PoolKnowledge::MayBeEmpty, 0.0, &ladder).unwrap_err();
    assert_eq!(error, ForensicsError::History { game: 2 });
    let wrong = ShownGame {
        bonus: Some(9.0),
        ..game
    };
    assert!(play_backward(end, &[wrong], PoolKnowledge::NeverEmpty, 0.0, &ladder).is_err());
}
