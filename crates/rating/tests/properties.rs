//! What must hold for any rating, beyond the law suite.

use matchwright_rating::{
    EloParams, EloRating, GameResult, GaussianRating, Glicko, Glicko2, Glicko2Params, Glicko2Rating,
    GlickoParams, RATING_LIMIT, RatingSystem, Score,
};
use proptest::prelude::*;

fn glicko() -> Glicko {
    GlickoParams {
        min_deviation: 0.0,
        ..GlickoParams::default()
    }
    .build()
    .unwrap()
}

fn glicko2() -> Glicko2 {
    Glicko2Params::default().build().unwrap()
}

proptest! {
    #[test]
    fn a_glicko_deviation_falls_with_every_game_and_rises_while_idle(
        rating in 1000.0..2000.0_f64,
        deviation in 30.0..350.0_f64,
        opponent in 1000.0..2000.0_f64,
        periods in 0.01..100.0_f64,
    ) {
        let player = GaussianRating::new(rating, deviation).unwrap();
        let game = [GameResult::new(GaussianRating::new(opponent, 60.0).unwrap(), Score::WIN)];
        prop_assert!(glicko().update(&player, 0.0, &game).deviation() < deviation);
        prop_assert!(glicko().update(&player, periods, &[]).deviation() > deviation);
    }

    #[test]
    fn a_glicko_update_after_a_break_equals_growing_first(
        rating in 1000.0..2000.0_f64,
        deviation in 30.0..350.0_f64,
        opponent in 1000.0..2000.0_f64,
        periods in 0.0..100.0_f64,
    ) {
        let player = GaussianRating::new(rating, deviation).unwrap();
        let game = [GameResult::new(GaussianRating::new(opponent, 60.0).unwrap(), Score::LOSS)];
        let at_once = glicko().update(&player, periods, &game);
        let grown = glicko().update(&player, periods, &[]);
        prop_assert_eq!(at_once, glicko().update(&grown, 0.0, &game));
    }

    #[test]
    fn the_first_deviation_decides_how_far_a_result_moves_a_rating(
        opponent in 1000.0..2000.0_f64, narrow in 30.0..150.0_f64, wider in 1.1..2.0_f64,
    ) {
        let game = [GameResult::new(Glicko2Rating::new(opponent, 60.0, 0.06).unwrap(), Score::WIN)];
        let moved = |deviation: f64| {
            let player = Glicko2Rating::new(1500.0, deviation, 0.06).unwrap();
            glicko2().update(&player, 0.0, &game).rating() - 1500.0
        };
        prop_assert!(moved(narrow * wider) > moved(narrow));
    }

    #[test]
    fn glicko2_without_volatility_changes_is_glicko(
        rating in 1000.0..2000.0_f64,
        deviation in 30.0..350.0_f64,
        opponent in 1000.0..2000.0_f64,
        rd in 30.0..350.0_f64,
    ) {
        // No time passes, so the volatility cannot reach rating or deviation; the scales differ in
        // the ninth digit.
        let one = glicko().update(
            &GaussianRating::new(rating, deviation).unwrap(), 0.0,
            &[GameResult::new(GaussianRating::new(opponent, rd).unwrap(), Score::DRAW)],
        );
        let two = glicko2().update(
            &Glicko2Rating::new(rating, deviation, 0.06).unwrap(), 0.0,
            &[GameResult::new(Glicko2Rating::new(opponent, rd, 0.06).unwrap(), Score::DRAW)],
        );
        prop_assert!((one.rating() - two.rating()).abs() < 1e-3);
        prop_assert!((one.deviation() - two.deviation()).abs() < 1e-3);
    }
}

#[test]
fn updates_stop_at_the_limit_of_the_scale() {
    let rating = |value| EloRating::new(value).unwrap();
    let elo = EloParams {
        k: 1e6,
        ..EloParams::default()
    }
    .build()
    .unwrap();
    let won = [GameResult::new(rating(RATING_LIMIT), Score::WIN)];
    assert_eq!(elo.update(&rating(RATING_LIMIT), 0.0, &won).value(), RATING_LIMIT);
    let won = [GameResult::new(
        GaussianRating::new(RATING_LIMIT, 60.0).unwrap(),
        Score::WIN,
    )];
    let best = GaussianRating::new(RATING_LIMIT, 60.0).unwrap();
    assert_eq!(glicko().update(&best, 0.0, &won).rating(), RATING_LIMIT);
    let best = Glicko2Rating::new(RATING_LIMIT, 60.0, 0.06).unwrap();
    assert_eq!(
        glicko2()
            .update(&best, 0.0, &[GameResult::new(best, Score::WIN)])
            .rating(),
        RATING_LIMIT
    );
}

#[test]
fn a_played_period_leaves_the_deviation_between_floor_and_cap() {
    let floored = GlickoParams::default().build().unwrap();
    let sure = GaussianRating::new(1500.0, 5.0).unwrap();
    let unsure = GaussianRating::new(1500.0, 1e6).unwrap();
    // The second opponent is so far away that nothing is learnt about the deviation.
    let equal = [GameResult::new(sure, Score::DRAW)];
    let far = [GameResult::new(
        GaussianRating::new(-1e6, 5.0).unwrap(),
        Score::WIN,
    )];
    assert_eq!(floored.update(&sure, 0.0, &equal).deviation(), 30.0);
    assert_eq!(floored.update(&unsure, 0.0, &far).deviation(), 350.0);
    let floored = Glicko2Params {
        min_deviation: 45.0,
        ..Glicko2Params::default()
    }
    .build()
    .unwrap();
    let sure = Glicko2Rating::new(1500.0, 5.0, 0.06).unwrap();
    let unsure = Glicko2Rating::new(1500.0, 1e6, 0.06).unwrap();
    let equal = [GameResult::new(sure, Score::DRAW)];
    let far = [GameResult::new(
        Glicko2Rating::new(-1e6, 5.0, 0.06).unwrap(),
        Score::WIN,
    )];
    assert_eq!(floored.update(&sure, 0.0, &equal).deviation(), 45.0);
    assert_eq!(floored.update(&unsure, 0.0, &far).deviation(), 350.0);
}

#[test]
fn a_period_of_a_hundred_impossible_losses_is_capped() {
    let (best, worst) = (
        Glicko2Rating::new(3000.0, 300.0, 0.06).unwrap(),
        Glicko2Rating::new(0.0, 30.0, 0.06).unwrap(),
    );
    let games = vec![GameResult::new(worst, Score::LOSS); 100];
    assert_eq!(glicko2().update(&best, 1.0, &games).rating(), -1000.0);
    let (best, worst) = (
        GaussianRating::new(3000.0, 300.0).unwrap(),
        GaussianRating::new(0.0, 30.0).unwrap(),
    );
    let games = vec![GameResult::new(worst, Score::LOSS); 100];
    assert_eq!(glicko().update(&best, 1.0, &games).rating(), -1000.0);
}

#[test]
fn thousands_of_games_in_a_period_narrow_the_deviation_and_find_the_level() {
    let opponent = Glicko2Rating::new(1600.0, 30.0, 0.06).unwrap();
    let mut player = glicko2().initial();
    for _ in 0..20 {
        let games = vec![GameResult::new(opponent, Score::DRAW); 2000];
        player = glicko2().update(&player, 1.0, &games);
    }
    assert!((player.rating() - 1600.0).abs() < 1.0, "{player:?}");
    assert!(player.deviation() < 10.0 && player.volatility() < 1.0);
}
