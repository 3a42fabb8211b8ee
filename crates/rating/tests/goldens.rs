//! Published worked examples, to the digits that were published.

use approx::assert_abs_diff_eq;
use matchwright_rating::{
    DrawModel, Elo, EloCurve, EloParams, EloRating, FixedDraw, GameResult, GaussianRating, Glicko, Glicko2,
    Glicko2Params, Glicko2Rating, GlickoParams, RatingSystem, Score,
};

fn elo(k: f64, curve: EloCurve) -> Elo {
    let params = EloParams {
        k,
        curve,
        ..EloParams::default()
    };
    params.build().unwrap()
}

/// Points that `player` gains against `opponent`.
fn gain(system: &Elo, player: f64, opponent: f64, score: Score) -> f64 {
    let opponent = EloRating::new(opponent).unwrap();
    let game = [GameResult::new(opponent, score)];
    system
        .update(&EloRating::new(player).unwrap(), 1.0, &game)
        .value()
        - player
}

fn glicko() -> Glicko {
    GlickoParams {
        c: 0.0,
        ..GlickoParams::default()
    }
    .build()
    .unwrap()
}

fn glicko_rating(rating: f64, deviation: f64) -> GaussianRating {
    GaussianRating::new(rating, deviation).unwrap()
}

#[test]
fn elo_between_equals_moves_half_of_k() {
    let system = elo(32.0, EloCurve::default());
    assert_eq!(gain(&system, 1000.0, 1000.0, Score::WIN), 16.0);
    assert_eq!(gain(&system, 1000.0, 1000.0, Score::LOSS), -16.0);
    let e = system.expected_score(&EloRating::new(2251.0).unwrap(), &EloRating::new(1934.0).unwrap());
    assert_abs_diff_eq!(e, 0.86, epsilon = 0.005);
}

#[test]
fn fide_points_of_a_newcomer_match_the_table() {
    let fide = elo(40.0, EloCurve::FideTable);
    let points = |opponent, score| gain(&fide, 1500.0, opponent, score).round();
    assert_eq!(points(1900.0, Score::WIN), 37.0);
    assert_eq!(points(1900.0, Score::LOSS), -3.0);
    assert_eq!(points(1900.0, Score::DRAW), 17.0);
    assert_eq!(points(1600.0, Score::WIN), 26.0);
    assert_eq!(points(1600.0, Score::LOSS), -14.0);
    assert_eq!(points(1600.0, Score::DRAW), 6.0);
}

#[test]
fn the_logistic_curve_gives_the_newcomer_other_points() {
    let logistic = elo(40.0, EloCurve::default());
    for (score, points) in [(Score::WIN, 36.4), (Score::LOSS, -3.6), (Score::DRAW, 16.4)] {
        assert_abs_diff_eq!(gain(&logistic, 1500.0, 1900.0, score), points, epsilon = 0.05);
    }
}

#[test]
fn an_upset_moves_an_elo_rating_further_than_an_expected_win() {
    for curve in [
        EloCurve::default(),
        EloCurve::Normal {
            standard_deviation: 200.0,
        },
        EloCurve::FideTable,
    ] {
        let system = elo(32.0, curve);
        assert!(gain(&system, 1400.0, 1600.0, Score::WIN) > 2.0 * gain(&system, 1600.0, 1400.0, Score::WIN));
    }
}

#[test]
fn unequal_k_inflates_by_the_difference_of_k_times_the_surprise() {
    let (new, old) = (elo(40.0, EloCurve::default()), elo(10.0, EloCurve::default()));
    let drift = gain(&new, 1500.0, 1700.0, Score::WIN) + gain(&old, 1700.0, 1500.0, Score::LOSS);
    let e = new.expected_score(&EloRating::new(1500.0).unwrap(), &EloRating::new(1700.0).unwrap());
    assert_abs_diff_eq!(drift, (40.0 - 10.0) * (1.0 - e), epsilon = 1e-9);
}

#[test]
fn glicko_matches_glickmans_worked_example() {
    let player = glicko_rating(1500.0, 200.0);
    let opponents = [
        glicko_rating(1400.0, 30.0),
        glicko_rating(1550.0, 100.0),
        glicko_rating(1700.0, 300.0),
    ];
    for (opponent, e) in opponents.iter().zip([0.639468, 0.431842, 0.302841]) {
        assert_abs_diff_eq!(glicko().expected_score(&player, opponent), e, epsilon = 5e-7);
    }
    let scores = [Score::WIN, Score::LOSS, Score::LOSS];
    let games: Vec<_> = opponents
        .into_iter()
        .zip(scores)
        .map(|(o, s)| GameResult::new(o, s))
        .collect();
    let after = glicko().update(&player, 1.0, &games);
    assert_abs_diff_eq!(after.rating(), 1464.1064627569, epsilon = 1e-9);
    assert_abs_diff_eq!(after.deviation(), 151.3989024480, epsilon = 1e-9);
    // 1/RD'^2 = 1/RD^2 + 1/d^2
    let d_squared = 1.0 / (after.deviation().powi(-2) - 200.0_f64.powi(-2));
    assert_abs_diff_eq!(d_squared, 53685.743, epsilon = 5e-4);
}

#[test]
fn an_idle_glicko_deviation_grows_to_the_newcomers_in_glickmans_thirty_periods() {
    let c = GlickoParams::growth(50.0, 350.0, 30.0);
    let system = GlickoParams {
        c,
        ..GlickoParams::default()
    }
    .build()
    .unwrap();
    let idle = |periods| {
        system
            .update(&glicko_rating(1500.0, 50.0), periods, &[])
            .deviation()
    };
    assert_abs_diff_eq!(idle(30.0), 350.0, epsilon = 1e-9);
    assert_abs_diff_eq!(idle(7.5), (50.0_f64.powi(2) + c * c * 7.5).sqrt(), epsilon = 1e-9);
    assert!(idle(29.0) < 350.0 && idle(31.0) == 350.0);
}

#[test]
fn eomm_outcomes_from_glicko_are_renormalised() {
    let (a, b) = (glicko_rating(1700.0, 50.0), glicko_rating(1500.0, 200.0));
    let (p, reverse) = (glicko().expected_score(&a, &b), glicko().expected_score(&b, &a));
    assert_abs_diff_eq!(p + reverse, 0.96838, epsilon = 5e-6);
    let outcome = FixedDraw::EOMM.outcome_probabilities(p, reverse);
    assert_abs_diff_eq!(outcome.win, 0.5994, epsilon = 5e-5);
    assert_eq!(outcome.draw, 0.2);
    assert_abs_diff_eq!(outcome.loss, 0.2006, epsilon = 5e-5);
    assert_abs_diff_eq!(outcome.win, 0.8 * p / (p + reverse), epsilon = 1e-12);
}

#[test]
fn the_joint_prediction_is_complementary_and_less_extreme() {
    let (a, b) = (glicko_rating(1700.0, 50.0), glicko_rating(1500.0, 200.0));
    assert_abs_diff_eq!(
        glicko().win_probability(&a, &b) + glicko().win_probability(&b, &a),
        1.0,
        epsilon = 1e-15
    );
    assert!(glicko().win_probability(&b, &a) > glicko().expected_score(&b, &a));
    let (a2, b2) = (
        Glicko2Rating::new(1700.0, 50.0, 0.06).unwrap(),
        Glicko2Rating::new(1500.0, 200.0, 0.06).unwrap(),
    );
    let glicko2 = Glicko2Params::default().build().unwrap();
    assert_abs_diff_eq!(
        glicko2.win_probability(&a2, &b2),
        glicko().win_probability(&a, &b),
        epsilon = 1e-6
    );
}

/// Lichess's published values: tau .75, and no time between the games.
fn one_game(
    (r1, rd1, v1): (f64, f64, f64),
    (r2, rd2, v2): (f64, f64, f64),
    score: Score,
) -> (Glicko2Rating, Glicko2Rating) {
    let system: Glicko2 = Glicko2Params {
        tau: 0.75,
        ..Glicko2Params::default()
    }
    .build()
    .unwrap();
    let (a, b) = (
        Glicko2Rating::new(r1, rd1, v1).unwrap(),
        Glicko2Rating::new(r2, rd2, v2).unwrap(),
    );
    (
        system.update(&a, 0.0, &[GameResult::new(b, score)]),
        system.update(&b, 0.0, &[GameResult::new(a, score.reversed())]),
    )
}

#[test]
fn glicko2_of_two_newcomers_matches_the_published_game() {
    let new = (1500.0, 350.0, 0.06);
    let (winner, loser) = one_game(new, new, Score::WIN);
    assert_abs_diff_eq!(winner.rating(), 1662.21, epsilon = 5e-3);
    assert_abs_diff_eq!(loser.rating(), 1337.79, epsilon = 5e-3);
    for rating in [winner, loser] {
        assert_abs_diff_eq!(rating.deviation(), 290.2305, epsilon = 5e-5);
        assert_abs_diff_eq!(rating.volatility(), 0.0599993, epsilon = 5e-8);
    }
    let (drawn, _) = one_game(new, new, Score::DRAW);
    assert_abs_diff_eq!(drawn.rating(), 1500.0, epsilon = 1e-9);
    assert_abs_diff_eq!(drawn.volatility(), 0.0599977, epsilon = 5e-8);
}

#[test]
fn glicko2_of_two_established_players_matches_the_published_games() {
    let (low, high) = ((1400.0, 79.0, 0.06), (1550.0, 110.0, 0.065));
    let (a, b) = one_game(low, high, Score::WIN);
    assert_abs_diff_eq!(a.rating(), 1422.63, epsilon = 5e-3);
    assert_abs_diff_eq!(a.deviation(), 77.4956, epsilon = 5e-5);
    assert_abs_diff_eq!(b.rating(), 1506.32, epsilon = 5e-3);
    assert_abs_diff_eq!(b.deviation(), 105.8706, epsilon = 5e-5);
    let (a, b) = one_game(low, high, Score::LOSS);
    assert_abs_diff_eq!(a.rating(), 1389.99, epsilon = 5e-3);
    assert_abs_diff_eq!(b.rating(), 1568.90, epsilon = 5e-3);
    let (a, b) = one_game(low, high, Score::DRAW);
    assert_abs_diff_eq!(a.rating(), 1406.31, epsilon = 5e-3);
    assert_abs_diff_eq!(b.rating(), 1537.61, epsilon = 5e-3);
}

#[test]
fn glicko2_worked_example_is_exact_to_nine_decimals() {
    let rating = |r, rd| Glicko2Rating::new(r, rd, 0.06).unwrap();
    let games = [
        GameResult::new(rating(1400.0, 30.0), Score::WIN),
        GameResult::new(rating(1550.0, 100.0), Score::LOSS),
        GameResult::new(rating(1700.0, 300.0), Score::LOSS),
    ];
    let system = Glicko2Params::default().build().unwrap();
    let after = system.update(&rating(1500.0, 200.0), 1.0, &games);
    assert_abs_diff_eq!(after.rating(), 1464.0506705391, epsilon = 1e-9);
    assert_abs_diff_eq!(after.deviation(), 151.5165241243, epsilon = 1e-9);
    assert_abs_diff_eq!(after.volatility(), 0.0599959844, epsilon = 1e-9);
}

#[test]
fn an_idle_glicko2_deviation_grows_with_the_volatility_and_the_square_root_of_time() {
    let system = Glicko2Params::default().build().unwrap();
    let player = Glicko2Rating::new(1500.0, 50.0, 0.06).unwrap();
    let after = system.update(&player, 6.25, &[]);
    let expected = 50.0_f64.hypot(173.7178 * 0.06 * 2.5);
    assert_abs_diff_eq!(after.deviation(), expected, epsilon = 1e-9);
    assert_eq!((after.rating(), after.volatility()), (1500.0, 0.06));
    assert_eq!(system.update(&player, f64::INFINITY, &[]).deviation(), 350.0);
}

#[test]
fn a_deviation_above_the_maximum_counts_as_the_maximum() {
    let glicko = GlickoParams::default().build().unwrap();
    let opponent = GaussianRating::new(1500.0, 80.0).unwrap();
    let won = [GameResult::new(opponent, Score::WIN)];
    let of = |deviation: f64, periods: f64| {
        glicko.update(&GaussianRating::new(1500.0, deviation).unwrap(), periods, &won)
    };
    assert_eq!(of(500.0, 0.0), of(350.0, 0.0));
    assert_eq!(of(500.0, 7.0), of(350.0, 7.0));
    let glicko2 = Glicko2Params::default().build().unwrap();
    let opponent = Glicko2Rating::new(1500.0, 80.0, 0.06).unwrap();
    let won = [GameResult::new(opponent, Score::WIN)];
    let of = |deviation: f64, periods: f64| {
        glicko2.update(
            &Glicko2Rating::new(1500.0, deviation, 0.06).unwrap(),
            periods,
            &won,
        )
    };
    assert_eq!(of(500.0, 0.0), of(350.0, 0.0));
    assert_eq!(of(500.0, 7.0), of(350.0, 7.0));
}

#[test]
fn a_skill_that_is_known_exactly_stays_known_exactly() {
    use matchwright_rating::{Side, TeamGame, TeamRatingSystem, TrueSkillParams, WengLinParams};

    let (bot, player) = (
        GaussianRating::new(25.0, 0.0).unwrap(),
        GaussianRating::new(25.0, 8.0).unwrap(),
    );
    let glicko = GlickoParams::default().build().unwrap();
    for games in [vec![], vec![GameResult::new(player, Score::LOSS); 3]] {
        assert_eq!(glicko.update(&bot, 30.0, &games), bot);
    }
    let trueskill = TrueSkillParams {
        tau_per_period: 0.1,
        ..TrueSkillParams::default()
    }
    .build()
    .unwrap();
    let weng_lin = WengLinParams {
        tau_per_period: 0.1,
        ..WengLinParams::default()
    }
    .build()
    .unwrap();
    let systems: [&dyn TeamRatingSystem<Rating = GaussianRating>; 2] = [&trueskill, &weng_lin];
    for system in systems {
        assert_eq!(system.after_inactivity(&bot, 30.0), bot);
        let game = TeamGame::new(vec![Side::new(2, [bot, player]), Side::new(1, [player, player])]).unwrap();
        let after = system.update(&game);
        assert_eq!(after[0][0], bot);
        assert!(after[0][1].rating() < 25.0 && after[1][0].rating() > 25.0);
    }
}
