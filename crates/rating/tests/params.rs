//! Settings are checked once, and refusals say which and why.

use matchwright_rating::{
    BradleyTerryParams, EloCurve, EloParams, EloRating, GaussianRating, Glicko2Params, Glicko2Rating,
    GlickoParams, ParamError, TrueSkillParams, WengLinGamma, WengLinParams,
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
    let from_0: [(Set, &str); 3] = [
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
