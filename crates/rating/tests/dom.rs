//! DOM MMR: its schedule of K, the sum of points, and the season's pull.

use matchwright_rating::{
    DomMmr, DomMmrParams, DomRating, Elo, EloCurve, EloParams, EloRating, GameResult, KeepSum, PointsLedger,
    PullError, RATING_LIMIT, RatingSystem, Score, SeasonPull, SeasonPullParams,
};
use proptest::prelude::*;

fn dom() -> DomMmr {
    DomMmrParams::default().build().unwrap()
}

fn keeping(sum: KeepSum) -> DomMmr {
    DomMmrParams {
        keep_sum: Some(sum),
        ..DomMmrParams::default()
    }
    .build()
    .unwrap()
}

fn rating(glory: f64, games: u32, streak: i32) -> DomRating {
    DomRating::new(glory, games, streak).unwrap()
}

/// Any player: new or old, with or without a streak, low or high.
fn anyone() -> impl Strategy<Value = DomRating> {
    (6_000.0..20_000.0_f64, 0..40_u32, -8..8_i32)
        .prop_map(|(glory, games, streak)| rating(glory, games.max(streak.unsigned_abs()), streak))
}

proptest! {
    #[test]
    fn one_game_moves_at_most_k(player in anyone(), opponent in anyone(), score in 0.0..=1.0_f64) {
        let score = Score::new(score).unwrap();
        for system in [dom(), keeping(KeepSum::Mean), keeping(KeepSum::Smaller), keeping(KeepSum::Larger)] {
            let after = system.update(&player, 0.0, &[GameResult::new(opponent, score)]);
            let moved = (after.glory() - player.glory()).abs();
            prop_assert!(moved <= system.k_against(&player, &opponent) + 1e-9);
            prop_assert!(system.k_against(&player, &opponent) <= system.largest_k());
        }
        let after = dom().update(&player, 0.0, &[GameResult::new(opponent, score)]);
        prop_assert!((after.glory() - player.glory()).abs() <= dom().k(&player) + 1e-9);
    }

    #[test]
    fn the_drift_of_a_game_is_the_difference_in_k_times_the_surprise(
        a in anyone(), b in anyone(), score in 0.0..=1.0_f64,
    ) {
        let (system, s) = (dom(), Score::new(score).unwrap());
        let after_a = system.update(&a, 0.0, &[GameResult::new(b, s)]);
        let after_b = system.update(&b, 0.0, &[GameResult::new(a, s.reversed())]);
        let made = after_a.glory() + after_b.glory() - a.glory() - b.glory();
        let formula = (system.k(&a) - system.k(&b)) * (score - system.expected_score(&a, &b));
        prop_assert!((made - formula).abs() < 1e-8, "{made} against {formula}");
        prop_assert!((system.drift(&a, &b, s) - formula).abs() < 1e-9);
        for sum in [KeepSum::Mean, KeepSum::Smaller, KeepSum::Larger] {
            prop_assert!(keeping(sum).drift(&a, &b, s).abs() < 1e-9);
            prop_assert_eq!(keeping(sum).k_against(&a, &b), keeping(sum).k_against(&b, &a));
        }
    }

    #[test]
    fn with_every_knob_off_it_is_elo(
        player in anyone(), opponents in prop::collection::vec((anyone(), 0.0..=1.0_f64), 0..6),
    ) {
        let system = DomMmrParams::constant_k(128.0).build().unwrap();
        let curve = EloCurve::Logistic { scale: 1600.0 };
        let elo: Elo = EloParams { k: 128.0, curve, ..EloParams::default() }.build().unwrap();
        let games: Vec<_> = opponents.iter().map(|&(o, s)| GameResult::new(o, Score::new(s).unwrap())).collect();
        let plain: Vec<_> = opponents.iter()
            .map(|&(o, s)| GameResult::new(EloRating::new(o.glory()).unwrap(), Score::new(s).unwrap()))
            .collect();
        let (ours, theirs) = (
            system.update(&player, 0.0, &games).glory(),
            elo.update(&EloRating::new(player.glory()).unwrap(), 0.0, &plain).value(),
        );
        prop_assert!((ours - theirs).abs() < 1e-8);
    }

    #[test]
    fn a_pull_keeps_the_order_and_pulls_harder_further_away(
        keep in 0.3..=1.0_f64, hardening in 1e-6..1e-3_f64,
        near in 1.0..50_000.0_f64, more in 1.0..50_000.0_f64, below in any::<bool>(),
    ) {
        let pull = SeasonPullParams { keep, hardening, ..SeasonPullParams::default() }.build().unwrap();
        let side = if below { -1.0 } else { 1.0 };
        let lands = |distance: f64| side * (pull.pull(12_000.0 + side * distance) - 12_000.0);
        let far = near + more;
        prop_assert!(0.0 < lands(near) && lands(near) < lands(far));
        prop_assert!(near - lands(near) > 0.0 && far - lands(far) > near - lands(near));
        prop_assert!(lands(far) / far < lands(near) / near, "the share that is kept falls");
    }

    #[test]
    fn a_calibrated_pull_meets_both_ends(
        low in 3_100.0..8_000.0_f64, span in 1.0..10_000.0_f64,
    ) {
        let top = 12_000.0 + low..=12_000.0 + low + span;
        match SeasonPull::calibrated(12_000.0, top.clone(), 15_000.0..=17_500.0) {
            Ok(pull) => {
                prop_assert!((pull.pull(*top.start()) - 15_000.0).abs() < 1e-6);
                prop_assert!((pull.pull(*top.end()) - 17_500.0).abs() < 1e-6);
            }
            Err(PullError::Softer { lower, upper }) => prop_assert!(upper > lower),
            Err(PullError::Away { keep }) => prop_assert!(keep > 1.0),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn no_two_floats_swap_however_near_and_far(
        place in -1e9..1e9_f64, near in 0.0..1e-3_f64, small in any::<bool>(),
    ) {
        let place = if small { 12_000.0 + place * 1e-6 } else { place };
        for pull in [SeasonPullParams::default(), SeasonPullParams { keep: 0.825, hardening: 1.0 / 40_000.0, centre: 12_000.0 }] {
            let pull = pull.build().unwrap();
            prop_assert!(pull.pull(place) <= pull.pull(place.next_up()));
            prop_assert!(pull.pull(place) <= pull.pull(place + near));
            prop_assert!(pull.pull(place) < pull.pull(place + 1.0), "whole points never tie");
            if place.abs() < 1e5 {
                prop_assert!(pull.pull(place) < pull.pull(place + 1e-6));
            }
        }
    }
}

#[test]
fn the_top_hundred_lands_where_the_source_expects_it() {
    // Two top hundreds that the source could have had: a constant share, and one that falls.
    for (top, keep, width) in [
        (18_000.0..=23_000.0, 0.5, f64::INFINITY),
        (16_000.0..=20_000.0, 0.825, 40_000.0),
    ] {
        let pull = SeasonPull::calibrated(12_000.0, top, 15_000.0..=17_500.0).unwrap();
        assert!((pull.params().keep - keep).abs() < 1e-9, "{pull:?}");
        assert!((pull.params().hardening - 1.0 / width).abs() < 1e-12, "{pull:?}");
    }
    // The default pull from two of its points, where rounding alone would make `keep` more than all.
    let pull = SeasonPull::calibrated(12_000.0, 16_000.0..=24_000.0, 15_000.0..=18_000.0).unwrap();
    assert_eq!(pull.params().keep, 1.0);
    assert!((pull.params().hardening * 12_000.0 - 1.0).abs() < 1e-12);
    // A leaderboard of 1,000, thinning out upwards.
    let ratings: Vec<f64> = (1..=1000)
        .map(|rank| 20_000.0 - 2_000.0 * f64::from(rank).log10())
        .collect();
    let pull = SeasonPull::calibrated_for_top(12_000.0, &ratings, 100, 15_000.0..=17_500.0).unwrap();
    let after: Vec<f64> = ratings.iter().map(|&glory| pull.pull(glory)).collect();
    assert!(after.is_sorted_by(|a, b| a > b));
    let inside = after
        .iter()
        .filter(|glory| (14_999.999..=17_500.001).contains(*glory));
    assert_eq!(inside.count(), 100);
}

#[test]
fn what_no_pull_can_do_is_an_error_that_says_why() {
    let wanted = 15_000.0..=17_500.0;
    let calibrated = |top| SeasonPull::calibrated(12_000.0, top, wanted.clone()).unwrap_err();
    assert!(matches!(
        calibrated(18_000.0..=20_000.0),
        PullError::Softer { .. }
    ));
    assert!(matches!(calibrated(15_100.0..=40_000.0), PullError::Away { .. }));
    assert!(matches!(calibrated(14_000.0..=20_000.0), PullError::Away { .. }));
    for bad in [
        11_000.0..=13_000.0,
        13_000.0..=13_000.0,
        f64::NAN..=13_000.0,
        13_000.0..=f64::INFINITY,
    ] {
        assert!(matches!(calibrated(bad), PullError::Range { .. }));
    }
    let of =
        |ratings: &[f64], count| SeasonPull::calibrated_for_top(12_000.0, ratings, count, wanted.clone());
    assert_eq!(
        of(&[1.0], 2).unwrap_err(),
        PullError::TooFew {
            wanted: 2,
            ratings: 1
        }
    );
    assert_eq!(
        of(&[1.0], 1).unwrap_err(),
        PullError::TooFew {
            wanted: 1,
            ratings: 1
        }
    );
    for nan in [f64::NAN, -f64::NAN] {
        assert!(of(&[16_000.0, nan], 2).is_err());
    }
}

#[test]
fn the_ends_of_the_scale_stay_where_a_rating_may_be() {
    let pull = SeasonPullParams {
        keep: 0.9,
        hardening: 0.0,
        centre: RATING_LIMIT,
    }
    .build()
    .unwrap();
    for end in [-RATING_LIMIT, RATING_LIMIT] {
        let pulled = pull.pulled(&rating(end, 5, 2));
        assert!(pulled.glory().abs() <= RATING_LIMIT);
        assert_eq!((pulled.games(), pulled.streak()), (5, 2));
    }
    assert!(pull.pull(f64::NAN).is_nan());
    assert_eq!(pull.pull(RATING_LIMIT), RATING_LIMIT);
}

/// Wars until `glory` passes `target`, for a newcomer who scores as one of `strength` should, against equals
/// in glory.
fn wars_to_reach(system: &DomMmr, strength: f64, target: f64) -> u32 {
    let mut player = system.initial();
    let truth = rating(strength, 300, 0);
    let mut wars = 0;
    while (player.glory() - system.initial().glory()).abs() < (target - system.initial().glory()).abs() {
        let opponent = rating(player.glory(), 300, 0);
        let mean = Score::new(system.expected_score(&truth, &opponent)).unwrap();
        player = system.update(&player, 0.0, &[GameResult::new(opponent, mean)]);
        wars += 1;
        assert!(wars < 10_000);
    }
    wars
}

#[test]
fn strong_newcomers_leave_the_low_pool_and_weak_ones_sink_to_theirs_sooner_than_under_one_k() {
    let plain = DomMmrParams::constant_k(128.0).build().unwrap();
    assert!(2 * wars_to_reach(&dom(), 16_000.0, 13_000.0) <= wars_to_reach(&plain, 16_000.0, 13_000.0) + 1);
    assert!(2 * wars_to_reach(&dom(), 8_000.0, 11_000.0) <= wars_to_reach(&plain, 8_000.0, 11_000.0) + 1);
    // Without newcomers' K the streak alone is faster, too.
    let streaks = DomMmrParams {
        newcomer_games: 0,
        ..DomMmrParams::default()
    }
    .build()
    .unwrap();
    assert!(wars_to_reach(&streaks, 16_000.0, 13_000.0) < wars_to_reach(&plain, 16_000.0, 13_000.0));
}

#[test]
fn the_schedule_of_k_is_the_printed_formula_at_each_of_its_borders() {
    let k = |games, streak| dom().k(&rating(12_000.0, games, streak));
    // The first ten games, then none.
    assert_eq!((k(0, 0), k(9, 0), k(10, 0)), (256.0, 256.0, 128.0));
    // Streaks from three on, a quarter each, to twice as much; won and lost alike.
    for (streak, expected) in [
        (2, 128.0),
        (3, 160.0),
        (4, 192.0),
        (5, 224.0),
        (6, 256.0),
        (7, 256.0),
        (99, 256.0),
    ] {
        assert_eq!((k(300, streak), k(300, -streak)), (expected, expected));
    }
    // A newcomer moves by the larger of both, not by their product.
    let eager = DomMmrParams {
        streak_max: 4.0,
        ..DomMmrParams::default()
    };
    let eager = eager.build().unwrap();
    assert_eq!(eager.k(&rating(12_000.0, 9, 5)), 256.0);
    assert_eq!(eager.k(&rating(12_000.0, 9, 9)), 352.0);
    assert_eq!(eager.largest_k(), 512.0);
}

#[test]
fn a_high_player_has_a_k_of_its_own_without_streaks_even_when_new() {
    for (games, streak) in [(0, 0), (3, 3), (300, 0), (300, 50), (300, -50)] {
        assert_eq!(dom().k(&rating(15_000.0, games, streak)), 64.0);
        assert!(dom().k(&rating(14_999.0, games, streak)) >= 128.0);
    }
}

#[test]
fn a_ledger_refuses_what_is_no_change_and_enters_nothing_then() {
    let mut ledger = PointsLedger::default();
    for bad in [f64::NAN, f64::INFINITY, -3e9] {
        assert!(ledger.record(bad).is_err());
    }
    assert_eq!(ledger, PointsLedger::default());
    assert_eq!(ledger.net_per_game(), 0.0);
    ledger.record(-5.0).unwrap();
    ledger.record(2.0).unwrap();
    assert_eq!(
        (ledger.made(), ledger.destroyed(), ledger.largest()),
        (2.0, 5.0, 5.0)
    );
    assert_eq!((ledger.net(), ledger.net_per_game()), (-3.0, -1.5));
}

#[test]
fn every_setting_is_checked() {
    type Set = fn(&mut DomMmrParams, f64);
    let name = |set: Set, bad: f64| {
        let mut params = DomMmrParams::default();
        set(&mut params, bad);
        params.build().unwrap_err().name()
    };
    let above_0: [(Set, &str); 5] = [
        (|params, bad| params.k = bad, "k"),
        (|params, bad| params.high_k = bad, "high_k"),
        (|params, bad| params.newcomer_k = bad, "newcomer_k"),
        (|params, bad| params.streak_max = bad, "streak_max"),
        (
            |params, bad| params.curve = EloCurve::Logistic { scale: bad },
            "scale",
        ),
    ];
    for bad in [0.0, -1.0, f64::NAN, 1e7] {
        for (set, told) in above_0 {
            assert_eq!(name(set, bad), told);
        }
    }
    let any_small: [(Set, &str); 3] = [
        (|params, bad| params.streak_step = bad, "streak_step"),
        (|params, bad| params.initial = bad * 1e10, "initial"),
        (|params, bad| params.high_from = bad * 1e10, "high_from"),
    ];
    for bad in [-1.0, f64::NAN, 1e7] {
        for (set, told) in any_small {
            assert_eq!(name(set, bad), told);
        }
    }
    assert_eq!(name(|params, k| params.newcomer_k = k, 127.0), "newcomer_k");
    assert_eq!(name(|params, _| params.streak_from = 0, 0.0), "streak_from");
    assert_eq!(DomRating::new(f64::NAN, 1, 0).unwrap_err().name(), "glory");
    assert_eq!(DomRating::new(0.0, 1, -2).unwrap_err().name(), "streak");
}

#[test]
fn every_setting_of_a_pull_is_checked() {
    let pull = SeasonPullParams::default();
    let name = |params: SeasonPullParams| params.build().unwrap_err().name();
    for bad in [0.0, -1.0, f64::NAN, 1.5] {
        assert_eq!(name(SeasonPullParams { keep: bad, ..pull }), "keep");
        assert_eq!(
            name(SeasonPullParams {
                hardening: bad,
                ..pull
            }),
            "hardening"
        );
    }
    assert_eq!(
        name(SeasonPullParams {
            centre: f64::NAN,
            ..pull
        }),
        "centre"
    );
    assert!(
        SeasonPullParams {
            keep: 0.5,
            hardening: 0.0,
            ..pull
        }
        .build()
        .is_ok()
    );
}

#[cfg(feature = "laws")]
mod laws {
    use super::*;
    use matchwright_rating::laws::{Draw, Promise, check_all, check_promise};

    /// Players of every kind at ordinary places, and at the ends of the scale.
    fn anyone(draw: &mut Draw) -> DomRating {
        let glory = match draw.below(8) {
            0 => 12_000.0,
            1 => draw.uniform(-1e6, 1e6),
            2 => [-RATING_LIMIT, RATING_LIMIT][draw.below(2) as usize],
            _ => draw.uniform(5_000.0, 20_000.0),
        };
        let games = [draw.below(12), draw.below(1000), u32::MAX][draw.below(3) as usize];
        let longest = i32::try_from(games.min(40)).unwrap();
        rating(
            glory,
            games,
            i32::try_from(draw.below(81)).unwrap().min(2 * longest) - longest,
        )
    }

    #[test]
    fn dom_keeps_the_laws_with_every_sum_rule_and_curve() {
        for keep_sum in [
            None,
            Some(KeepSum::Mean),
            Some(KeepSum::Smaller),
            Some(KeepSum::Larger),
        ] {
            for curve in [
                EloCurve::Logistic { scale: 1600.0 },
                EloCurve::Normal {
                    standard_deviation: 800.0,
                },
                EloCurve::FideTable,
            ] {
                let system = DomMmrParams {
                    keep_sum,
                    curve,
                    ..DomMmrParams::default()
                }
                .build()
                .unwrap();
                check_all(&system, anyone, 21, 400).unwrap();
            }
        }
    }

    #[test]
    fn only_a_common_k_moves_points_without_making_any() {
        let ordinary = |draw: &mut Draw| rating(draw.uniform(5_000.0, 20_000.0), draw.below(30), 0);
        for sum in [KeepSum::Mean, KeepSum::Smaller, KeepSum::Larger] {
            check_promise(&keeping(sum), Promise::ZeroSum, ordinary, 22, 1000).unwrap();
        }
        assert!(check_promise(&dom(), Promise::ZeroSum, ordinary, 22, 1000).is_err());
        check_promise(&dom(), Promise::Complement, anyone, 22, 1000).unwrap();
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use matchwright_rating::{BaseOddsParams, BaseRating};

    proptest! {
        #[test]
        fn a_rating_survives_a_round_trip_bit_by_bit(glory in -1e9..1e9_f64, games in 8..u32::MAX, streak in -8..8_i32) {
            let value = rating(glory, games, streak);
            let text = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<DomRating>(&text).unwrap(), value);
        }
    }

    #[test]
    fn settings_survive_a_round_trip_and_nothing_invalid_is_read() {
        let settings = keeping(KeepSum::Smaller).params().to_owned();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<DomMmrParams>(&text).unwrap(), settings);
        let pull = SeasonPullParams {
            keep: 0.825,
            ..SeasonPullParams::default()
        };
        let text = serde_json::to_string(&pull).unwrap();
        assert_eq!(serde_json::from_str::<SeasonPullParams>(&text).unwrap(), pull);
        let read: DomMmrParams =
            serde_json::from_str(r#"{"newcomer_games": 5, "keep_sum": "mean"}"#).unwrap();
        assert_eq!((read.newcomer_games, read.k), (5, 128.0));
        assert_eq!(read.keep_sum, Some(KeepSum::Mean));
        for bad in [r#"{"K": 3}"#, r#"{"keep_sum": "none"}"#] {
            assert!(serde_json::from_str::<DomMmrParams>(bad).is_err());
        }
        assert!(serde_json::from_str::<DomRating>(r#"{"glory": 1, "games": 1, "streak": 2}"#).is_err());
    }

    #[test]
    fn bases_and_their_odds_survive_a_round_trip_and_nothing_invalid_is_read() {
        let base = BaseRating::new(0.1 + 0.2, 1e9 / 3.0).unwrap();
        let text = serde_json::to_string(&base).unwrap();
        assert_eq!(serde_json::from_str::<BaseRating>(&text).unwrap(), base);
        let odds: BaseOddsParams = serde_json::from_str(r#"{"good_delta": 0.03}"#).unwrap();
        assert_eq!(odds.exponent, BaseOddsParams::default().exponent);
        let text = serde_json::to_string(&odds).unwrap();
        assert_eq!(serde_json::from_str::<BaseOddsParams>(&text).unwrap(), odds);
        assert!(serde_json::from_str::<BaseRating>(r#"{"offence": 0, "defence": 1}"#).is_err());
    }
}
