//! The ladder's layers: points, bonus pool, moving averages, promotion.

use matchwright_rating::{
    AverageWindow, Averaged, AveragedParams, BonusPoolParams, Elo, EloParams, EloRating, GameResult,
    GaussianRating, Glicko, GlickoParams, LadderPoints, LadderPointsParams, MovingAverage, PointsRating,
    RatingEstimate, RatingSystem, Score,
};
use proptest::prelude::*;

type Shown = PointsRating<EloRating>;

fn elo() -> Elo {
    EloParams {
        k: 24.0,
        ..EloParams::default()
    }
    .build()
    .unwrap()
}

fn glicko() -> Glicko {
    GlickoParams::default().build().unwrap()
}

fn ladder(params: LadderPointsParams) -> LadderPoints<Elo> {
    params.wrap(elo()).unwrap()
}

fn shown(hidden: f64, points: f64, unspent: f64) -> Shown {
    PointsRating::new(EloRating::new(hidden).unwrap(), points, unspent, 0.0).unwrap()
}

fn averaged(average: MovingAverage, thresholds: Vec<f64>, min_games: u32) -> Averaged<Elo> {
    AveragedParams {
        average,
        thresholds,
        min_games,
    }
    .wrap(elo())
    .unwrap()
}

const AVERAGES: [MovingAverage; 4] = [
    MovingAverage::Simple { games: 10 },
    MovingAverage::Weighted { games: 10 },
    MovingAverage::Modified { games: 10 },
    MovingAverage::Exponential { alpha: 2.0 / 11.0 },
];

#[test]
fn wins_are_doubled_while_the_pool_lasts_and_losses_never_touch_it() {
    let ladder = ladder(LadderPointsParams::default());
    let equal = |score| [GameResult::new(shown(1500.0, 0.0, 0.0), score)];
    for (unspent, score, points, left) in [
        (30.0, Score::WIN, 124.0, 18.0),
        (12.0, Score::WIN, 124.0, 0.0),
        (5.0, Score::WIN, 117.0, 0.0),
        (0.0, Score::WIN, 112.0, 0.0),
        (30.0, Score::LOSS, 88.0, 30.0),
        (30.0, Score::DRAW, 100.0, 30.0),
    ] {
        let after = ladder.update(&shown(1500.0, 100.0, unspent), 0.0, &equal(score));
        assert_eq!(
            (after.points(), after.unspent()),
            (points, left),
            "{unspent} {score:?}"
        );
        assert_eq!(after.spent(), unspent - left);
    }
    // A draw against a stronger player earns points, but is no win.
    let stronger = [GameResult::new(shown(1700.0, 0.0, 0.0), Score::DRAW)];
    let after = ladder.update(&shown(1500.0, 100.0, 30.0), 0.0, &stronger);
    assert!(after.points() > 100.0 && after.unspent() == 30.0);
}

#[test]
fn the_pool_accrues_for_the_time_before_the_games_and_pays_for_them() {
    let ladder = ladder(LadderPointsParams::default());
    let week = ladder.update(&ladder.initial(), 7.0, &[]);
    assert_eq!((week.points(), week.unspent()), (0.0, 90.0));
    let won = ladder.update(
        &ladder.initial(),
        7.0,
        &[GameResult::new(ladder.initial(), Score::WIN)],
    );
    assert_eq!((won.points(), won.unspent(), won.spent()), (24.0, 78.0, 12.0));
    // In periods of 112 minutes: one point each.
    let bonus = Some(BonusPoolParams {
        minutes_per_period: 112.0,
        ..BonusPoolParams::default()
    });
    let fine = LadderPointsParams {
        bonus,
        ..LadderPointsParams::default()
    }
    .wrap(elo())
    .unwrap();
    assert_eq!(fine.update(&fine.initial(), 2.0, &[]).unspent(), 2.0);
    let none = LadderPointsParams {
        bonus: None,
        ..LadderPointsParams::default()
    }
    .wrap(elo())
    .unwrap();
    assert_eq!(none.update(&shown(1500.0, 0.0, 7.0), 100.0, &[]).unspent(), 7.0);
}

#[test]
fn with_the_pool_points_follow_the_games_even_of_who_loses_half_of_them() {
    let ladder = ladder(LadderPointsParams::default());
    let mut player = ladder.initial();
    let mut last = player.points();
    for day in 0..200 {
        let score = if day % 2 == 0 { Score::WIN } else { Score::LOSS };
        player = ladder.update(&player, 1.0, &[GameResult::new(ladder.initial(), score)]);
        if day % 2 == 1 {
            assert!(player.points() > last + 10.0, "day {day}");
            last = player.points();
        }
    }
    assert!(
        (player.rating() - 1500.0).abs() < 12.0,
        "and the hidden rating does not"
    );
}

#[test]
fn a_floor_stops_losses_and_lifts_nobody() {
    let ladder = ladder(LadderPointsParams::default());
    let lost = [GameResult::new(shown(1500.0, 0.0, 0.0), Score::LOSS)];
    assert_eq!(ladder.update(&shown(1500.0, 5.0, 0.0), 0.0, &lost).points(), 0.0);
    assert_eq!(
        ladder.update(&shown(1500.0, -5.0, 0.0), 0.0, &lost).points(),
        -5.0
    );
    let open = LadderPointsParams {
        floor: -100.0,
        ..LadderPointsParams::default()
    }
    .wrap(elo())
    .unwrap();
    assert_eq!(open.update(&shown(1500.0, 5.0, 0.0), 0.0, &lost).points(), -7.0);
}

proptest! {
    #[test]
    fn points_less_spent_bonus_are_the_hidden_rating_from_another_zero(
        games in prop::collection::vec((0.0..=1.0_f64, 1000.0..2000.0_f64, 0.0..9.0_f64), 1..40),
    ) {
        let ladder = LadderPointsParams { floor: -1e6, ..LadderPointsParams::default() }.wrap(elo()).unwrap();
        let mut player = ladder.initial();
        let mut days = 0.0;
        for (score, opponent, elapsed) in games {
            let game = [GameResult::new(shown(opponent, 0.0, 0.0), Score::new(score).unwrap())];
            player = ladder.update(&player, elapsed, &game);
            days += elapsed;
            prop_assert!((player.points() - player.spent() - (player.rating() - 1500.0)).abs() < 1e-8);
            // All that the pool ever gave is spent or there.
            prop_assert!((player.spent() + player.unspent() - days * 1440.0 / 112.0).abs() < 1e-8);
        }
    }

    #[test]
    fn the_hidden_rating_goes_on_as_if_there_were_no_ladder(
        rating in 1000.0..2000.0_f64, deviation in 30.0..350.0_f64, opponent in 1000.0..2000.0_f64,
        score in 0.0..=1.0_f64, elapsed in 0.0..50.0_f64,
    ) {
        let points = LadderPointsParams::default().wrap(glicko()).unwrap();
        let both = AveragedParams::default().wrap(points).unwrap();
        let rate = |value| GaussianRating::new(value, deviation).unwrap();
        let wrap = |value| {
            let shown = PointsRating::new(rate(value), 3.0, 4.0, 5.0).unwrap();
            matchwright_rating::AveragedRating::new(shown, AverageWindow::default(), 0)
        };
        let score = Score::new(score).unwrap();
        let inner = glicko().update(&rate(rating), elapsed, &[GameResult::new(rate(opponent), score)]);
        let outer = both.update(&wrap(rating), elapsed, &[GameResult::new(wrap(opponent), score)]);
        prop_assert_eq!(*outer.inner().hidden(), inner);
        prop_assert_eq!(outer.rating(), inner.rating());
        prop_assert_eq!(outer.deviation(), Some(inner.deviation()));
        prop_assert_eq!(
            both.expected_score(&wrap(rating), &wrap(opponent)),
            glicko().expected_score(&rate(rating), &rate(opponent))
        );
    }

    #[test]
    fn averages_stay_between_the_ratings_and_rise_with_each_of_them(
        ratings in prop::collection::vec(-1e4..1e4_f64, 1..40), place in 0..40_usize, more in 0.0..1e3_f64,
    ) {
        let (low, high) = ratings.iter().fold((f64::MAX, f64::MIN), |(l, h), &x| (l.min(x), h.max(x)));
        let mut raised = ratings.clone();
        let place = place % raised.len();
        raised[place] += more;
        for average in AVERAGES {
            let value = average.of(&ratings).unwrap();
            prop_assert!((low - 1e-9..=high + 1e-9).contains(&value));
            prop_assert!(average.of(&raised).unwrap() >= value - 1e-9);
            prop_assert!((average.of(&vec![ratings[0]; ratings.len()]).unwrap() - ratings[0]).abs() < 1e-9);
        }
    }

    #[test]
    fn a_window_forgets_what_is_older_than_it(ratings in prop::collection::vec(0.0..3e3_f64, 11..30)) {
        for average in &AVERAGES[..2] {
            prop_assert_eq!(average.of(&ratings), average.of(&ratings[ratings.len() - 10..]));
        }
    }
}

#[test]
fn each_average_is_its_formula() {
    // Ratings of 1, 2, ... 30: the lag shows in the value itself.
    let steady: Vec<f64> = (1..=30).map(f64::from).collect();
    let of = |average: MovingAverage| average.of(&steady).unwrap();
    assert_eq!(of(AVERAGES[0]), 30.0 - 4.5);
    assert!((of(AVERAGES[1]) - (30.0 - 3.0)).abs() < 1e-12);
    assert_eq!(
        AVERAGES.map(|average| (average.lag_games() * 10.0).round() / 10.0),
        [4.5, 3.0, 9.0, 4.5]
    );
    // The modified one: the mean of ten, then a tenth of the way each time.
    let modified = (11..=30).fold(5.5, |m, x| m + (f64::from(x) - m) / 10.0);
    assert!((of(AVERAGES[2]) - modified).abs() < 1e-12);
    // The exponential one: the mean as long as 1/games is more than its share.
    let exponential = (6..=30).fold(3.0, |m, x| m + (f64::from(x) - m) * 2.0 / 11.0);
    assert!((of(AVERAGES[3]) - exponential).abs() < 1e-12);
    // Fewer ratings than the window: the same weights, newest first.
    let few = MovingAverage::Weighted { games: 10 }.of(&[1.0, 2.0]).unwrap();
    assert!((few - (9.0 + 20.0) / 19.0).abs() < 1e-15);
    for average in AVERAGES {
        assert_eq!(average.of(&[]), None);
        assert_eq!(average.after(&AverageWindow::default(), 7.0).games(), 1);
        assert_eq!(
            average.value(&average.after(&AverageWindow::default(), 7.0)),
            Some(7.0)
        );
    }
}

#[test]
fn a_period_of_several_games_enters_the_average_once_for_each() {
    for average in AVERAGES {
        let system = averaged(average, vec![], 0);
        let opponent = system.initial();
        let games = vec![GameResult::new(opponent.clone(), Score::WIN); 3];
        let one = system.update(&system.initial(), 0.0, &games[..1]);
        let then = system.update(&one, 0.0, &games);
        let (a, b) = (one.rating(), then.rating());
        assert_eq!(system.average(&then), average.of(&[a, b, b, b]));
        assert_eq!(then.window().games(), 4);
    }
}

#[test]
fn promotion_waits_for_the_average_and_for_enough_games_and_is_kept() {
    let system = averaged(MovingAverage::Simple { games: 10 }, vec![1550.0, 1560.0, 1e6], 10);
    let game = |score| [GameResult::new(system.initial(), score)];
    let mut player = system.initial();
    let (mut rating_over, mut promoted) = (None, None);
    for played in 1..=40 {
        player = system.update(&player, 0.0, &game(Score::WIN));
        if rating_over.is_none() && player.rating() > 1550.0 {
            rating_over = Some(played);
        }
        if promoted.is_none() && player.tier() > 0 {
            promoted = Some(played);
            assert!(system.average(&player).unwrap() > 1550.0);
        }
    }
    assert!(
        rating_over.unwrap() < promoted.unwrap(),
        "the rating alone is close, not there"
    );
    assert_eq!(player.tier(), 2);
    assert!(system.points_to_promotion(&player).unwrap() > 9e5);
    for _ in 0..60 {
        player = system.update(&player, 0.0, &game(Score::LOSS));
    }
    assert!(system.average(&player).unwrap() < 1550.0);
    assert_eq!(player.tier(), 2, "no demotion");

    // Over the threshold at once, but too new.
    let early = averaged(MovingAverage::Simple { games: 10 }, vec![1500.0, 1505.0], 3);
    let mut player = early.initial();
    assert_eq!(early.points_to_promotion(&player), None);
    for tier in [0, 0, 2] {
        player = early.update(&player, 0.0, &game(Score::WIN));
        assert_eq!(player.tier(), tier);
    }
    assert_eq!(early.points_to_promotion(&player), None, "the highest tier");
    // An average on the threshold has not passed it, and waiting promotes nobody.
    let exact = averaged(MovingAverage::Simple { games: 1 }, vec![1512.0], 0);
    let there = exact.update(&exact.initial(), 0.0, &game(Score::WIN));
    assert_eq!((exact.average(&there), there.tier()), (Some(1512.0), 0));
    assert_eq!(exact.update(&there, 1e9, &[]), there);
}

#[test]
fn every_setting_of_a_pool_and_of_points_is_checked() {
    let bonus = BonusPoolParams::default();
    let name = |params: BonusPoolParams| params.build().unwrap_err().name();
    for bad in [-1.0, f64::NAN, 1e10] {
        assert_eq!(
            name(BonusPoolParams {
                minutes_per_point: bad,
                ..bonus
            }),
            "minutes_per_point"
        );
        assert_eq!(
            name(BonusPoolParams {
                minutes_per_period: bad,
                ..bonus
            }),
            "minutes_per_period"
        );
        assert_eq!(
            name(BonusPoolParams {
                max_unspent: bad,
                ..bonus
            }),
            "max_unspent"
        );
    }
    let points = LadderPointsParams::default();
    let name = |params: LadderPointsParams| params.wrap(elo()).unwrap_err().name();
    for bad in [0.0, -1.0, f64::NAN] {
        assert_eq!(
            name(LadderPointsParams { k: bad, ..points }),
            "LadderPointsParams::k"
        );
    }
    assert_eq!(
        name(LadderPointsParams {
            start: f64::NAN,
            ..points
        }),
        "LadderPointsParams::start"
    );
    assert_eq!(
        name(LadderPointsParams { floor: 1.0, ..points }),
        "LadderPointsParams::floor"
    );
    let bad = Some(BonusPoolParams {
        max_unspent: -1.0,
        ..bonus
    });
    assert_eq!(name(LadderPointsParams { bonus: bad, ..points }), "max_unspent");
    let rating = |points, unspent, spent| PointsRating::new((), points, unspent, spent).unwrap_err().name();
    assert_eq!(rating(f64::NAN, 0.0, 0.0), "points");
    assert_eq!(rating(0.0, -1.0, 0.0), "unspent");
    assert_eq!(rating(0.0, 0.0, f64::INFINITY), "spent");
}

#[test]
fn every_setting_of_an_average_is_checked() {
    let name = |average, thresholds: &[f64]| {
        let thresholds = thresholds.to_vec();
        AveragedParams {
            average,
            thresholds,
            min_games: 0,
        }
        .wrap(elo())
        .unwrap_err()
        .name()
    };
    let fine = AVERAGES[0];
    for bad in [&[f64::NAN][..], &[2.0, 2.0], &[2.0, 1.0], &[1e10]] {
        assert_eq!(name(fine, bad), "thresholds, each above the one before");
    }
    for games in [0, 10_001] {
        assert_eq!(name(MovingAverage::Simple { games }, &[]), "games");
        assert_eq!(name(MovingAverage::Weighted { games }, &[]), "games");
        assert_eq!(name(MovingAverage::Modified { games }, &[]), "games");
    }
    for alpha in [0.0, 1.1, f64::NAN] {
        assert_eq!(name(MovingAverage::Exponential { alpha }, &[]), "alpha");
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use ::serde::{Serialize, de::DeserializeOwned};

    fn round_trips<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }

    proptest! {
        #[test]
        fn ratings_survive_a_round_trip_bit_by_bit(
            hidden in -1e9..1e9_f64, points in -1e9..1e9_f64, unspent in 0.0..1e9_f64, spent in 0.0..1e9_f64,
            recent in prop::collection::vec(-1e9..1e9_f64, 0..15), tier in any::<u32>(),
        ) {
            let shown = PointsRating::new(EloRating::new(hidden).unwrap(), points, unspent, spent).unwrap();
            round_trips(&shown);
            for average in AVERAGES {
                let window = recent.iter().fold(AverageWindow::default(), |window, &x| average.after(&window, x));
                round_trips(&matchwright_rating::AveragedRating::new(shown, window, tier));
            }
        }
    }

    #[test]
    fn settings_survive_a_round_trip_and_nothing_invalid_is_read() {
        for average in AVERAGES {
            round_trips(&AveragedParams {
                average,
                thresholds: vec![1.0, 2.5],
                min_games: 4,
            });
        }
        round_trips(&LadderPointsParams {
            k: 30.0,
            bonus: None,
            ..LadderPointsParams::default()
        });
        let read: LadderPointsParams = serde_json::from_str("{}").unwrap();
        assert_eq!(read, LadderPointsParams::default());
        assert!(serde_json::from_str::<LadderPointsParams>(r#"{"K": 1}"#).is_err());
        let bad = r#"{"hidden": 1500, "points": 0, "unspent": -1, "spent": 0}"#;
        assert!(serde_json::from_str::<Shown>(bad).is_err());
        for bad in [
            r#"{"recent": [1e10], "smoothed": 0, "games": 1}"#,
            r#"{"recent": [1], "smoothed": 0, "games": 0}"#,
            r#"{"recent": [], "smoothed": -1e10, "games": 0}"#,
        ] {
            assert!(serde_json::from_str::<AverageWindow>(bad).is_err(), "{bad}");
        }
    }
}

#[test]
fn a_window_of_another_average_counts_as_empty() {
    let simple = MovingAverage::Simple { games: 3 };
    let others = [
        MovingAverage::Simple { games: 4 },
        MovingAverage::Weighted { games: 3 },
        MovingAverage::Exponential { alpha: 0.2 },
        MovingAverage::Modified { games: 3 },
    ];
    let three = [1500.0, 1510.0, 1520.0].iter();
    let window = three.fold(AverageWindow::default(), |window, &x| simple.after(&window, x));
    assert_eq!(
        (simple.value(&window), window.average()),
        (Some(1510.0), Some(simple))
    );
    for other in others {
        assert_eq!(other.value(&window), None);
        let after = other.after(&window, 1530.0);
        assert_eq!((other.value(&after), after.games()), (Some(1530.0), 1));
    }
    // A player saved under one average and read under another.
    let ladder = averaged(others[2], vec![1.0], 1);
    let saved = matchwright_rating::AveragedRating::new(EloRating::new(1530.0).unwrap(), window, 0);
    assert_eq!(
        (ladder.average(&saved), ladder.points_to_promotion(&saved)),
        (None, None)
    );
}

#[test]
fn numbers_of_an_average_that_are_out_of_range_count_as_the_nearest() {
    for (bad, nearest) in [
        (
            MovingAverage::Simple { games: 0 },
            MovingAverage::Simple { games: 1 },
        ),
        (
            MovingAverage::Weighted { games: 0 },
            MovingAverage::Weighted { games: 1 },
        ),
        (
            MovingAverage::Modified { games: 0 },
            MovingAverage::Modified { games: 1 },
        ),
        (
            MovingAverage::Exponential { alpha: 7.0 },
            MovingAverage::Exponential { alpha: 1.0 },
        ),
        (
            MovingAverage::Exponential { alpha: f64::NAN },
            MovingAverage::Exponential { alpha: 1e-9 },
        ),
    ] {
        let ratings = [1500.0, 1512.0, 1503.0];
        assert_eq!(
            (bad.of(&ratings), bad.lag_games()),
            (nearest.of(&ratings), nearest.lag_games()),
            "{bad:?}"
        );
        assert!(bad.of(&ratings).unwrap().is_finite());
    }
}
