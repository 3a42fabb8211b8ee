//! Every system of this crate against the law suite, and systems with one flaw each, which must
//! fail it.

use matchwright_rating::laws::{Draw, Promise, check_all, check_promise};
use matchwright_rating::{
    Elo, EloCurve, EloParams, EloRating, GameResult, GaussianRating, Glicko2Params, Glicko2Rating,
    GlickoParams, RATING_LIMIT, RatingEstimate, RatingSystem,
};

/// Ordinary ratings mostly, with the far ends of the scale in between.
fn any_rating(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => 1500.0,
        1 => draw.uniform(-1e6, 1e6),
        2 => [-1e6, 1e6, -RATING_LIMIT, RATING_LIMIT][draw.below(4) as usize],
        _ => draw.uniform(0.0, 3500.0),
    }
}

fn any_deviation(draw: &mut Draw) -> f64 {
    match draw.below(8) {
        0 => 0.0,
        1 => draw.log_uniform(1e-300, 1.0),
        2 => draw.log_uniform(1.0, 1e6),
        3 => 350.0,
        _ => draw.uniform(20.0, 350.0),
    }
}

fn elo_rating(draw: &mut Draw) -> EloRating {
    EloRating::new(any_rating(draw)).unwrap()
}

fn glicko_rating(draw: &mut Draw) -> GaussianRating {
    GaussianRating::new(any_rating(draw), any_deviation(draw)).unwrap()
}

fn glicko2_rating(draw: &mut Draw) -> Glicko2Rating {
    let volatility = match draw.below(4) {
        0 => draw.log_uniform(1e-9, 1e3),
        _ => draw.uniform(0.03, 0.1),
    };
    Glicko2Rating::new(any_rating(draw), any_deviation(draw), volatility).unwrap()
}

fn elo(curve: EloCurve) -> Elo {
    EloParams {
        curve,
        ..EloParams::default()
    }
    .build()
    .unwrap()
}

#[test]
fn elo_keeps_the_laws_with_every_curve() {
    for curve in [
        EloCurve::default(),
        EloCurve::Normal {
            standard_deviation: 200.0,
        },
        EloCurve::FideTable,
    ] {
        check_all(&elo(curve), elo_rating, 1, 1000).unwrap();
    }
}

#[test]
fn glicko_keeps_the_laws_with_and_without_growth_and_floor() {
    for (c, min_deviation, max_deviation_growth) in [
        (63.2, 30.0, RATING_LIMIT),
        (0.0, 0.0, RATING_LIMIT),
        (1e-200, 0.0, 0.0),
        (1e9, 350.0, RATING_LIMIT),
        (63.2, 30.0, 5.0),
    ] {
        let system = GlickoParams {
            c,
            min_deviation,
            max_deviation_growth,
            ..GlickoParams::default()
        }
        .build()
        .unwrap();
        check_all(&system, glicko_rating, 2, 1000).unwrap();
    }
}

#[test]
fn glicko2_keeps_the_laws_for_every_tau_and_without_caps() {
    for tau in [0.5, 0.3, 1.2, 1e-3, 10.0] {
        let system = Glicko2Params {
            tau,
            ..Glicko2Params::default()
        }
        .build()
        .unwrap();
        check_all(&system, glicko2_rating, 3, 1000).unwrap();
    }
    let open = Glicko2Params {
        max_change: RATING_LIMIT,
        max_deviation: RATING_LIMIT,
        min_volatility: 1e-9,
        max_volatility: 1e3,
        ..Glicko2Params::default()
    };
    check_all(&open.build().unwrap(), glicko2_rating, 4, 1000).unwrap();
    let capped = Glicko2Params {
        max_deviation_growth: 0.5,
        ..Glicko2Params::default()
    };
    check_all(&capped.build().unwrap(), glicko2_rating, 4, 1000).unwrap();
}

#[test]
fn laws_run_through_references_and_boxes() {
    let boxed: Box<dyn RatingSystem<Rating = EloRating>> = Box::new(elo(EloCurve::default()));
    check_all(&boxed, elo_rating, 5, 100).unwrap();
    check_all(&&elo(EloCurve::default()), elo_rating, 5, 100).unwrap();
    check_all(boxed.as_ref(), elo_rating, 5, 100).unwrap();
}

#[test]
fn expectations_sum_to_one_where_deviations_are_equal() {
    for curve in [
        EloCurve::default(),
        EloCurve::Normal {
            standard_deviation: 200.0,
        },
    ] {
        check_promise(&elo(curve), Promise::Complement, elo_rating, 6, 1000).unwrap();
    }
    let same_deviation = |draw: &mut Draw| GaussianRating::new(any_rating(draw), 80.0).unwrap();
    let glicko = GlickoParams::default().build().unwrap();
    check_promise(&glicko, Promise::Complement, same_deviation, 6, 1000).unwrap();
    let same_deviation = |draw: &mut Draw| Glicko2Rating::new(any_rating(draw), 80.0, 0.06).unwrap();
    let glicko2 = Glicko2Params::default().build().unwrap();
    check_promise(&glicko2, Promise::Complement, same_deviation, 6, 1000).unwrap();
}

#[test]
fn fide_ratings_are_complementary_only_below_2650() {
    let fide = elo(EloCurve::FideTable);
    let below = |draw: &mut Draw| EloRating::new(draw.uniform(1000.0, 2649.0)).unwrap();
    check_promise(&fide, Promise::Complement, below, 7, 1000).unwrap();
    check_promise(&fide, Promise::ZeroSum, below, 7, 1000).unwrap();
    let across = |draw: &mut Draw| EloRating::new(draw.uniform(1000.0, 2900.0)).unwrap();
    assert!(check_promise(&fide, Promise::Complement, across, 7, 1000).is_err());
}

#[test]
fn elo_only_moves_points_and_glicko_does_not_promise_to() {
    let usual = |draw: &mut Draw| EloRating::new(draw.uniform(0.0, 3500.0)).unwrap();
    check_promise(&elo(EloCurve::default()), Promise::ZeroSum, usual, 8, 1000).unwrap();
    let glicko = GlickoParams::default().build().unwrap();
    let broken = check_promise(&glicko, Promise::ZeroSum, glicko_rating, 8, 1000).unwrap_err();
    assert_eq!(broken.law, "points_are_only_moved");
}

#[test]
fn a_promise_that_was_never_tried_is_not_kept() {
    let mut next = 30.0;
    let all_different = move |_: &mut Draw| {
        next += 1.0;
        GaussianRating::new(1500.0, next).unwrap()
    };
    let glicko = GlickoParams::default().build().unwrap();
    let broken = check_promise(&glicko, Promise::Complement, all_different, 9, 50).unwrap_err();
    assert!(broken.detail.contains("mend the sampler"));
}

/// What a flawed system does wrong.
#[derive(Debug, Clone, Copy)]
enum Flaw {
    None,
    ExpectsTwo,
    FavoursItself,
    WinsCost,
    LossesPay,
    DrawsPayMost,
    CountsTheLastGameTwice,
    CountsTheEndsTwice,
    Drifts,
    NarrowsWithTime,
    RoundsTime,
    TravelsBack,
    Overflows,
    LosesAllTrust,
    ReadsAPartAsAWhole,
    IsSurerAfterAPart,
}

/// A rating and a deviation.
#[derive(Debug, Clone, PartialEq)]
struct Plain {
    rating: f64,
    deviation: f64,
}

impl RatingEstimate for Plain {
    fn rating(&self) -> f64 {
        self.rating
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.deviation)
    }
}

struct Flawed(Flaw);

impl RatingSystem for Flawed {
    type Rating = Plain;

    fn initial(&self) -> Plain {
        Plain {
            rating: 0.0,
            deviation: 1.0,
        }
    }

    fn expected_score(&self, player: &Plain, opponent: &Plain) -> f64 {
        let e = 1.0 / (1.0 + (opponent.rating - player.rating).exp());
        match self.0 {
            Flaw::ExpectsTwo => 4.0 * e,
            Flaw::FavoursItself => e.sqrt(),
            _ => e,
        }
    }

    fn update(&self, player: &Plain, elapsed: f64, games: &[GameResult<Plain>]) -> Plain {
        let elapsed = match self.0 {
            Flaw::TravelsBack => elapsed.abs(),
            Flaw::RoundsTime => elapsed.max(0.0).floor(),
            _ => elapsed.max(0.0),
        };
        let points = |game: &GameResult<Plain>| {
            let (s, e) = (
                game.score.value(),
                1.0 / (1.0 + (game.opponent.rating - player.rating).exp()),
            );
            match self.0 {
                Flaw::WinsCost if s == 1.0 => -0.1,
                Flaw::LossesPay if s == 0.0 => 0.1,
                Flaw::DrawsPayMost if s == 0.5 => 2.0,
                Flaw::ReadsAPartAsAWhole => s - e,
                _ => game.share * (s - e),
            }
        };
        let mut change: f64 = games.iter().map(points).sum();
        match self.0 {
            Flaw::CountsTheLastGameTwice => change += games.last().map_or(0.0, points),
            // The same in reverse, but not when rotated.
            Flaw::CountsTheEndsTwice => {
                change += games.first().map_or(0.0, points) + games.last().map_or(0.0, points);
            }
            Flaw::Drifts => change += 1e-3,
            Flaw::Overflows if games.len() > 100 => change = f64::INFINITY,
            _ => {}
        }
        let variance = player.deviation * player.deviation + elapsed;
        let deviation = match self.0 {
            Flaw::LosesAllTrust if games.len() > 100 => f64::INFINITY,
            Flaw::NarrowsWithTime => player.deviation / (1.0 + elapsed),
            Flaw::IsSurerAfterAPart if games.iter().any(|game| game.share < 1.0) => 0.5 * player.deviation,
            _ => variance.sqrt().min(100.0).max(player.deviation),
        };
        Plain {
            rating: player.rating + change,
            deviation,
        }
    }
}

fn plain(draw: &mut Draw) -> Plain {
    Plain {
        rating: draw.uniform(-3.0, 3.0),
        deviation: draw.uniform(0.1, 10.0),
    }
}

#[test]
fn a_wrong_system_fails_the_law_it_breaks() {
    check_all(&Flawed(Flaw::None), plain, 10, 500).unwrap();
    for (flaw, law) in [
        (Flaw::ExpectsTwo, "expected_score_is_a_probability"),
        (Flaw::FavoursItself, "equal_ratings_expect_one_half"),
        (Flaw::WinsCost, "a_win_never_lowers"),
        (Flaw::LossesPay, "a_loss_never_raises"),
        (Flaw::DrawsPayMost, "a_better_score_never_rates_lower"),
        (Flaw::CountsTheLastGameTwice, "order_of_games_is_irrelevant"),
        (Flaw::CountsTheEndsTwice, "order_of_games_is_irrelevant"),
        (Flaw::Drifts, "nothing_happened_changes_nothing"),
        (Flaw::NarrowsWithTime, "inactivity_never_narrows"),
        (Flaw::RoundsTime, "inactivity_adds_up"),
        (Flaw::TravelsBack, "meaningless_time_is_no_time"),
        (Flaw::Overflows, "update_stays_finite"),
        (Flaw::LosesAllTrust, "update_stays_finite"),
        (Flaw::ReadsAPartAsAWhole, "a_shorter_game_says_less"),
        (Flaw::IsSurerAfterAPart, "a_shorter_game_says_less"),
    ] {
        let broken = check_all(&Flawed(flaw), plain, 10, 500).unwrap_err();
        assert_eq!(broken.law, law, "{flaw:?}: {broken}");
        assert!(broken.to_string().contains(law));
    }
}

#[test]
fn the_laws_of_expected_scores_and_promises_fail_alone_too() {
    use matchwright_rating::laws::Laws;
    let (a, b) = (
        Plain {
            rating: 1.0,
            deviation: 1.0,
        },
        Plain {
            rating: -1.0,
            deviation: 1.0,
        },
    );
    assert!(
        Laws(&Flawed(Flaw::ExpectsTwo))
            .expected_score_is_a_probability(&a, &b)
            .is_err()
    );
    assert!(
        Laws(&Flawed(Flaw::FavoursItself))
            .equal_ratings_expect_one_half(&a)
            .is_err()
    );
    assert!(
        Laws(&Flawed(Flaw::FavoursItself))
            .expectations_are_complementary(&a, &b)
            .is_err()
    );
    assert!(
        Laws(&Flawed(Flaw::Drifts))
            .points_are_only_moved(&a, &b, matchwright_rating::Score::WIN)
            .is_err()
    );
    Laws(&Flawed(Flaw::None))
        .points_are_only_moved(&a, &b, matchwright_rating::Score::WIN)
        .unwrap();
}

/// Answers differently every time.
struct Restless(std::cell::Cell<f64>);

impl RatingSystem for Restless {
    type Rating = Plain;

    fn initial(&self) -> Plain {
        Flawed(Flaw::None).initial()
    }

    fn expected_score(&self, player: &Plain, opponent: &Plain) -> f64 {
        Flawed(Flaw::None).expected_score(player, opponent)
    }

    fn update(&self, player: &Plain, elapsed: f64, games: &[GameResult<Plain>]) -> Plain {
        self.0.set(self.0.get() + 1e-12);
        let after = Flawed(Flaw::None).update(player, elapsed, games);
        Plain {
            rating: after.rating + self.0.get(),
            ..after
        }
    }
}

#[test]
fn a_system_that_remembers_fails_repeatability() {
    let broken = check_all(&Restless(std::cell::Cell::new(0.0)), plain, 11, 50).unwrap_err();
    assert_eq!(broken.law, "updates_are_repeatable");
}
