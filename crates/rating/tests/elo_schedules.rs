//! K schedules against the published rules and their examples, and the laws.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    EloCurve, EloParams, EloRating, GameResult, KSchedule, RatingSystem, ScheduledElo, ScheduledEloParams,
    ScheduledRating, Score, ShiftRating,
};

fn rated(value: f64, games: u32) -> ScheduledRating {
    ScheduledRating::new(value).unwrap().with_games(games)
}

fn system(schedule: KSchedule) -> ScheduledElo {
    ScheduledEloParams {
        schedule,
        ..ScheduledEloParams::default()
    }
    .build()
    .unwrap()
}

const PROVISIONAL: KSchedule = KSchedule::Provisional {
    games: 10,
    first_k: 60.0,
    k: 24.0,
};

const TENNIS: KSchedule = KSchedule::Decaying {
    scale: 250.0,
    offset: 5.0,
    exponent: 0.4,
};

#[test]
fn fides_k_is_that_of_its_handbook() {
    let k = |player: ScheduledRating, games| KSchedule::Fide.k(&player, games);
    assert_eq!([k(rated(1500.0, 0), 1), k(rated(2600.0, 29), 1)], [40.0, 40.0]);
    assert_eq!([k(rated(1500.0, 30), 1), k(rated(2399.0, 500), 9)], [20.0, 20.0]);
    assert_eq!(k(rated(2400.0, 30), 9), 10.0);
    // Once reached, K stays at 10 below 2400.
    assert_eq!(k(rated(2310.0, 800).with_peak(2405.0), 9), 10.0);
    let junior = |value| rated(value, 300).as_junior(true);
    assert_eq!(
        [k(junior(2299.0), 9), k(junior(2300.0), 9), k(junior(2450.0), 9)],
        [40.0, 20.0, 10.0]
    );
    // 18 games times 40 is 720: K is 38, the largest whole number with a product up to 700.
    assert_eq!([k(rated(1500.0, 0), 17), k(rated(1500.0, 0), 18)], [40.0, 38.0]);
    assert_eq!([k(rated(1500.0, 40), 35), k(rated(1500.0, 40), 36)], [20.0, 19.0]);
    assert_eq!(k(rated(1500.0, 40), 1400), 0.5);
}

#[test]
fn a_player_who_reaches_2400_moves_slower_from_the_next_period_on() {
    let fide = ScheduledEloParams {
        curve: EloCurve::FideTable,
        ..ScheduledEloParams::default()
    };
    let fide = fide.build().unwrap();
    let win = [GameResult::new(rated(2395.0, 100), Score::WIN)];
    let reached = fide.update(&rated(2395.0, 100), 1.0, &win);
    assert_eq!((reached.value(), reached.games()), (2405.0, 101));
    let loss = [GameResult::new(rated(2405.0, 100), Score::LOSS)];
    let back = fide.update(&reached, 1.0, &[loss[0], loss[0]]);
    assert_eq!((back.value(), back.peak()), (2395.0, 2405.0));
    assert_eq!(fide.update(&back, 1.0, &win).value(), 2400.0);
}

#[test]
fn us_chess_k_is_that_of_glickmans_tables() {
    let k = |value, games, m| KSchedule::UsChess.k(&rated(value, games), m);
    // Above 2200 the effective number is that of the games, up to 50.
    for (games, m, printed) in [
        (6, 4, 80.0),
        (6, 6, 66.67),
        (6, 10, 50.0),
        (20, 4, 33.33),
        (20, 6, 30.77),
        (20, 10, 26.67),
        (50, 4, 14.81),
        (900, 6, 14.29),
        (50, 10, 13.33),
    ] {
        assert_abs_diff_eq!(k(2300.0, games, m), printed, epsilon = 0.005);
    }
    // His example: 1700 after 30 games counts as 26.7 games.
    assert_abs_diff_eq!(800.0 / k(1700.0, 30, 4) - 4.0, 26.7, epsilon = 0.03);
    assert_abs_diff_eq!(k(1700.0, 10, 4), 800.0 / 14.0, epsilon = 1e-12);
}

#[test]
fn a_provisional_period_ends_with_its_games_and_a_decaying_k_falls_with_each() {
    assert_eq!(
        [
            PROVISIONAL.k(&rated(0.0, 9), 5),
            PROVISIONAL.k(&rated(0.0, 10), 5)
        ],
        [60.0, 24.0]
    );
    assert_abs_diff_eq!(
        TENNIS.k(&rated(0.0, 0), 1),
        250.0 / 5.0_f64.powf(0.4),
        epsilon = 1e-12
    );
    assert!(TENNIS.k(&rated(0.0, 1), 1) < TENNIS.k(&rated(0.0, 0), 1));
    // With one K for all it is Elo's system.
    let constant = KSchedule::Provisional {
        games: 7,
        first_k: 32.0,
        k: 32.0,
    };
    let elo = EloParams::default().build().unwrap();
    let (a, b) = (rated(1620.0, 7), rated(1480.0, 6));
    let plain = |rating: &ScheduledRating| EloRating::new(rating.value()).unwrap();
    let (one, two) = system(constant).update_pair((&a, 0.0), (&b, 0.0), Score::LOSS);
    let (x, y) = elo.update_pair((&plain(&a), 0.0), (&plain(&b), 0.0), Score::LOSS);
    assert_eq!((one.value(), two.value()), (x.value(), y.value()));
}

#[test]
fn what_is_no_schedule_or_rating_is_refused_by_name() {
    let error = |schedule| {
        let params = ScheduledEloParams {
            schedule,
            ..ScheduledEloParams::default()
        };
        params.build().unwrap_err().name()
    };
    let provisional = |first_k, k| KSchedule::Provisional { games: 5, first_k, k };
    assert_eq!(error(provisional(0.0, 1.0)), "first_k");
    assert_eq!(error(provisional(1.0, f64::NAN)), "k");
    let decaying = |scale, offset, exponent| KSchedule::Decaying {
        scale,
        offset,
        exponent,
    };
    assert_eq!(error(decaying(1e7, 5.0, 0.4)), "scale");
    assert_eq!(error(decaying(250.0, 0.5, 0.4)), "offset");
    assert_eq!(error(decaying(250.0, 5.0, -0.1)), "exponent");
    assert!(ScheduledRating::new(f64::NAN).is_err());
    let rating = rated(1500.0, 3);
    assert_eq!(
        [rating.with_peak(f64::NAN), rating.with_peak(1400.0)],
        [rating; 2]
    );
    let moved = rating.with_peak(1600.0).shifted(50.0);
    assert_eq!((moved.value(), moved.peak()), (1550.0, 1650.0));
}

#[cfg(feature = "serde")]
#[test]
fn ratings_and_schedules_survive_a_round_trip_and_a_peak_below_the_rating_is_refused() {
    let rating = rated(1500.5, 3).with_peak(1600.25).as_junior(true);
    let text = serde_json::to_string(&rating).unwrap();
    assert_eq!(serde_json::from_str::<ScheduledRating>(&text).unwrap(), rating);
    let refused = text.replace("1600.25", "1400.0");
    let error = serde_json::from_str::<ScheduledRating>(&refused)
        .unwrap_err()
        .to_string();
    assert!(error.contains("`peak` is 1400"), "{error}");
    for schedule in [KSchedule::Fide, KSchedule::UsChess, PROVISIONAL, TENNIS] {
        let params = *system(schedule).params();
        let text = serde_json::to_string(&params).unwrap();
        assert_eq!(serde_json::from_str::<ScheduledEloParams>(&text).unwrap(), params);
    }
}

#[cfg(feature = "laws")]
#[test]
fn every_schedule_keeps_the_laws() {
    use matchwright_rating::laws::{Draw, check_all, check_order};
    let sampler = |draw: &mut Draw| {
        let value = match draw.below(8) {
            0 => draw.log_uniform(1.0, 1e9),
            1 => -draw.log_uniform(1.0, 1e9),
            _ => draw.uniform(0.0, 3500.0),
        };
        let games = [0, draw.below(60), u32::MAX][draw.below(3) as usize];
        let rating = rated(value, games).as_junior(draw.below(2) == 0);
        rating.with_peak(draw.uniform(0.0, 3000.0))
    };
    for schedule in [KSchedule::Fide, KSchedule::UsChess, PROVISIONAL, TENNIS] {
        check_all(&system(schedule), sampler, 1, 1000).unwrap();
        check_order(&system(schedule), sampler, 2, 1000).unwrap();
    }
}
