//! Settings are checked once, and refusals say which and why.

use matchwright_rating::{
    BradleyTerryParams, EloCurve, EloParams, EloRating, GameResult, GaussianRating, Glicko2Params,
    Glicko2Rating, GlickoParams, ParamError, RatingSystem, Score, TrueSkillParams, WengLinGamma,
    WengLinParams,
};

fn names<T: std::fmt::Debug>(result: Result<T, ParamError>, name: &str) {
    let Err(error) = result else {
        unreachable!("{name} was not checked")
    };
    assert_eq!(error.name(), name);
    assert!(error.to_string().contains(": give "));
}

#[test]
fn every_elo_setting_is_checked() {
    let defaults = EloParams::default();
    assert!(defaults.build().is_ok());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        names(EloParams { k: bad, ..defaults }.build(), "k");
        let curve = EloCurve::Logistic { scale: bad };
        names(EloParams { curve, ..defaults }.build(), "scale");
        let curve = EloCurve::Normal {
            standard_deviation: bad,
        };
        names(EloParams { curve, ..defaults }.build(), "standard_deviation");
    }
    names(
        EloParams {
            initial: f64::NAN,
            ..defaults
        }
        .build(),
        "initial",
    );
}

#[test]
fn every_glicko_setting_is_checked() {
    let defaults = GlickoParams::default();
    assert!(defaults.build().is_ok());
    for bad in [-1.0, f64::NAN, 1e300] {
        names(
            GlickoParams {
                initial_deviation: bad,
                ..defaults
            }
            .build(),
            "initial_deviation",
        );
        names(
            GlickoParams {
                max_deviation: bad,
                ..defaults
            }
            .build(),
            "max_deviation",
        );
        names(
            GlickoParams {
                max_deviation_growth: bad,
                ..defaults
            }
            .build(),
            "max_deviation_growth",
        );
        names(
            GlickoParams {
                min_deviation: bad,
                ..defaults
            }
            .build(),
            "min_deviation",
        );
        names(GlickoParams { c: bad, ..defaults }.build(), "c");
        names(
            GlickoParams {
                max_change: bad,
                ..defaults
            }
            .build(),
            "max_change",
        );
    }
    names(
        GlickoParams {
            initial_rating: f64::NAN,
            ..defaults
        }
        .build(),
        "initial_rating",
    );
    // A cap below the newcomer's deviation is a contradiction, not a clamp.
    names(
        GlickoParams {
            max_deviation: 200.0,
            ..defaults
        }
        .build(),
        "initial_deviation",
    );
}

#[test]
fn every_glicko2_setting_is_checked() {
    type Set = fn(&mut Glicko2Params, f64);
    let check = |set: Set, bad: f64, told: &str| {
        let mut params = Glicko2Params::default();
        set(&mut params, bad);
        names(params.build(), told);
    };
    assert!(Glicko2Params::default().build().is_ok());
    let above_0: [(Set, &str); 6] = [
        (|params, bad| params.tau = bad, "tau"),
        (
            |params, bad| params.initial_volatility = bad,
            "initial_volatility",
        ),
        (|params, bad| params.min_volatility = bad, "min_volatility"),
        (|params, bad| params.max_volatility = bad, "max_volatility"),
        (|params, bad| params.max_deviation = bad, "max_deviation"),
        (|params, bad| params.max_change = bad, "max_change"),
    ];
    for bad in [-1.0, 0.0, f64::NAN, 1e300] {
        for (set, told) in above_0 {
            check(set, bad, told);
        }
    }
    let from_0: [(Set, &str); 4] = [
        (
            |params, bad| params.max_deviation_growth = bad,
            "max_deviation_growth",
        ),
        (|params, bad| params.initial_rating = bad * 1e10, "initial_rating"),
        (|params, bad| params.initial_deviation = bad, "initial_deviation"),
        (|params, bad| params.min_deviation = bad, "min_deviation"),
    ];
    for bad in [-1.0, f64::NAN, 1e300] {
        for (set, told) in from_0 {
            check(set, bad, told);
        }
    }
}

#[test]
fn every_trueskill_setting_is_checked() {
    type Set = fn(&mut TrueSkillParams, f64);
    let check = |set: Set, bad: f64, told: &str| {
        let mut params = TrueSkillParams::default();
        set(&mut params, bad);
        names(params.build(), told);
    };
    assert!(TrueSkillParams::default().build().is_ok());
    let settings: [(Set, &str); 7] = [
        (|params, bad| params.initial_mu = bad * 1e10, "initial_mu"),
        (|params, bad| params.initial_sigma = bad, "initial_sigma"),
        (|params, bad| params.max_sigma = bad, "max_sigma"),
        (|params, bad| params.beta = bad, "beta"),
        (|params, bad| params.tau = bad, "tau"),
        (|params, bad| params.tau_per_period = bad, "tau_per_period"),
        (|params, bad| params.draw_probability = bad, "draw_probability"),
    ];
    for bad in [-1.0, f64::NAN, 1e300] {
        for (set, told) in settings {
            check(set, bad, told);
        }
    }
    check(|params, bad| params.beta = bad, 0.0, "beta");
    check(
        |params, bad| params.draw_probability = bad,
        1.0,
        "draw_probability",
    );
    check(|params, bad| params.max_sigma = bad, 8.0, "initial_sigma");
}

#[test]
fn every_weng_lin_setting_is_checked() {
    let defaults = WengLinParams::default();
    assert!(defaults.build().is_ok());
    for bad in [-1.0, f64::NAN, 1e300] {
        let settings = [
            (
                WengLinParams {
                    initial_mu: bad * 1e10,
                    ..defaults
                },
                "initial_mu",
            ),
            (
                WengLinParams {
                    initial_sigma: bad,
                    ..defaults
                },
                "initial_sigma",
            ),
            (
                WengLinParams {
                    max_sigma: bad,
                    ..defaults
                },
                "max_sigma",
            ),
            (
                WengLinParams {
                    beta: bad,
                    ..defaults
                },
                "beta",
            ),
            (
                WengLinParams {
                    draw_margin: bad,
                    ..defaults
                },
                "draw_margin",
            ),
            (
                WengLinParams {
                    kappa: bad,
                    ..defaults
                },
                "kappa",
            ),
            (
                WengLinParams {
                    gamma: WengLinGamma::Fixed(bad),
                    ..defaults
                },
                "Fixed",
            ),
            (WengLinParams { tau: bad, ..defaults }, "tau"),
            (
                WengLinParams {
                    tau_per_period: bad,
                    ..defaults
                },
                "tau_per_period",
            ),
        ];
        for (params, name) in settings {
            names(params.build(), name);
        }
    }
    names(
        WengLinParams {
            kappa: 0.0,
            ..defaults
        }
        .build(),
        "kappa",
    );
}

#[test]
fn every_bradley_terry_setting_is_checked() {
    let defaults = BradleyTerryParams::default();
    assert!(defaults.build().is_ok());
    for bad in [0.0, -1.0, f64::NAN, 1e300] {
        let prior = BradleyTerryParams {
            prior_precision: bad,
            ..defaults
        };
        names(prior.build(), "prior_precision");
        let tolerance = BradleyTerryParams {
            tolerance: bad,
            ..defaults
        };
        names(tolerance.build(), "tolerance");
    }
    let steps = BradleyTerryParams {
        max_steps: 0,
        ..defaults
    };
    names(steps.build(), "max_steps");
}

#[test]
fn ratings_out_of_range_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, -1e10] {
        names(EloRating::new(bad), "EloRating");
        names(GaussianRating::new(bad, 50.0), "rating");
        names(GaussianRating::new(1500.0, bad), "deviation");
        names(Glicko2Rating::new(bad, 50.0, 0.06), "rating");
        names(Glicko2Rating::new(1500.0, bad, 0.06), "deviation");
        names(Glicko2Rating::new(1500.0, 50.0, bad), "volatility");
    }
}

#[test]
fn a_game_widens_a_deviation_by_no_more_than_its_cap_and_time_alone_by_as_much_as_ever() {
    fn win<R>(opponent: R) -> [GameResult<R>; 1] {
        [GameResult::new(opponent, Score::WIN)]
    }
    let capped = GlickoParams {
        max_deviation_growth: 10.0,
        ..GlickoParams::default()
    };
    let (free, capped) = (GlickoParams::default().build().unwrap(), capped.build().unwrap());
    let player = GaussianRating::new(1500.0, 60.0).unwrap();
    // 20 periods away: to 289 points, and by a game to 200 or so.
    let wide = free.update(&player, 20.0, &win(player));
    let kept = capped.update(&player, 20.0, &win(player));
    assert!(wide.deviation() > 150.0);
    assert_eq!((kept.rating(), kept.deviation()), (wide.rating(), 70.0));
    assert_eq!(capped.update(&player, 20.0, &[]), free.update(&player, 20.0, &[]));
    assert_eq!(
        capped.update(&player, 0.1, &win(player)),
        free.update(&player, 0.1, &win(player))
    );

    let capped = Glicko2Params {
        max_deviation_growth: 0.0,
        ..Glicko2Params::default()
    };
    let (free, capped) = (Glicko2Params::default().build().unwrap(), capped.build().unwrap());
    let player = Glicko2Rating::new(1500.0, 60.0, 0.09).unwrap();
    let wide = free.update(&player, 20.0, &win(player));
    let kept = capped.update(&player, 20.0, &win(player));
    assert!(wide.deviation() > 70.0);
    assert_eq!((kept.rating(), kept.deviation()), (wide.rating(), 60.0));
    assert_eq!(kept.volatility(), wide.volatility());
    assert_eq!(capped.update(&player, 20.0, &[]), free.update(&player, 20.0, &[]));
}
