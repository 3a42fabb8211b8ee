//! Settings are checked once, and refusals say which and why.

use matchwright_rating::{
    BradleyTerryParams, EloCurve, EloParams, EloRating, Glicko2Params, Glicko2Rating, GlickoParams,
    GlickoRating, ParamError, TrueSkillParams, TrueSkillRating, WengLinGamma, WengLinParams, WengLinRating,
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
        names(EloParams { k: bad, ..defaults }.build(), "EloParams::k");
        let curve = EloCurve::Logistic { scale: bad };
        names(
            EloParams { curve, ..defaults }.build(),
            "EloCurve::Logistic::scale",
        );
        let curve = EloCurve::Normal {
            standard_deviation: bad,
        };
        names(
            EloParams { curve, ..defaults }.build(),
            "EloCurve::Normal::standard_deviation",
        );
    }
    names(
        EloParams {
            initial: f64::NAN,
            ..defaults
        }
        .build(),
        "EloParams::initial",
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
            "GlickoParams::initial_deviation",
        );
        names(
            GlickoParams {
                max_deviation: bad,
                ..defaults
            }
            .build(),
            "GlickoParams::max_deviation",
        );
        names(
            GlickoParams {
                min_deviation: bad,
                ..defaults
            }
            .build(),
            "GlickoParams::min_deviation",
        );
        names(GlickoParams { c: bad, ..defaults }.build(), "GlickoParams::c");
        names(
            GlickoParams {
                max_change: bad,
                ..defaults
            }
            .build(),
            "GlickoParams::max_change",
        );
    }
    names(
        GlickoParams {
            initial_rating: f64::NAN,
            ..defaults
        }
        .build(),
        "GlickoParams::initial_rating",
    );
    // A cap below the newcomer's deviation is a contradiction, not a clamp.
    names(
        GlickoParams {
            max_deviation: 200.0,
            ..defaults
        }
        .build(),
        "GlickoParams::initial_deviation",
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
        (|params, bad| params.tau = bad, "Glicko2Params::tau"),
        (
            |params, bad| params.initial_volatility = bad,
            "Glicko2Params::initial_volatility",
        ),
        (
            |params, bad| params.min_volatility = bad,
            "Glicko2Params::min_volatility",
        ),
        (
            |params, bad| params.max_volatility = bad,
            "Glicko2Params::max_volatility",
        ),
        (
            |params, bad| params.max_deviation = bad,
            "Glicko2Params::max_deviation",
        ),
        (|params, bad| params.max_change = bad, "Glicko2Params::max_change"),
    ];
    for bad in [-1.0, 0.0, f64::NAN, 1e300] {
        for (set, told) in above_0 {
            check(set, bad, told);
        }
    }
    let from_0: [(Set, &str); 3] = [
        (
            |params, bad| params.initial_rating = bad * 1e10,
            "Glicko2Params::initial_rating",
        ),
        (
            |params, bad| params.initial_deviation = bad,
            "Glicko2Params::initial_deviation",
        ),
        (
            |params, bad| params.min_deviation = bad,
            "Glicko2Params::min_deviation",
        ),
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
        (
            |params, bad| params.initial_mu = bad * 1e10,
            "TrueSkillParams::initial_mu",
        ),
        (
            |params, bad| params.initial_sigma = bad,
            "TrueSkillParams::initial_sigma",
        ),
        (|params, bad| params.max_sigma = bad, "TrueSkillParams::max_sigma"),
        (|params, bad| params.beta = bad, "TrueSkillParams::beta"),
        (|params, bad| params.tau = bad, "TrueSkillParams::tau"),
        (
            |params, bad| params.tau_per_period = bad,
            "TrueSkillParams::tau_per_period",
        ),
        (
            |params, bad| params.draw_probability = bad,
            "TrueSkillParams::draw_probability",
        ),
    ];
    for bad in [-1.0, f64::NAN, 1e300] {
        for (set, told) in settings {
            check(set, bad, told);
        }
    }
    check(|params, bad| params.beta = bad, 0.0, "TrueSkillParams::beta");
    check(
        |params, bad| params.draw_probability = bad,
        1.0,
        "TrueSkillParams::draw_probability",
    );
    check(
        |params, bad| params.max_sigma = bad,
        8.0,
        "TrueSkillParams::initial_sigma",
    );
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
                "WengLinParams::initial_mu",
            ),
            (
                WengLinParams {
                    initial_sigma: bad,
                    ..defaults
                },
                "WengLinParams::initial_sigma",
            ),
            (
                WengLinParams {
                    max_sigma: bad,
                    ..defaults
                },
                "WengLinParams::max_sigma",
            ),
            (
                WengLinParams {
                    beta: bad,
                    ..defaults
                },
                "WengLinParams::beta",
            ),
            (
                WengLinParams {
                    kappa: bad,
                    ..defaults
                },
                "WengLinParams::kappa",
            ),
            (
                WengLinParams {
                    gamma: WengLinGamma::Fixed(bad),
                    ..defaults
                },
                "WengLinGamma::Fixed",
            ),
            (WengLinParams { tau: bad, ..defaults }, "WengLinParams::tau"),
            (
                WengLinParams {
                    tau_per_period: bad,
                    ..defaults
                },
                "WengLinParams::tau_per_period",
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
        "WengLinParams::kappa",
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
        names(prior.build(), "BradleyTerryParams::prior_precision");
        let tolerance = BradleyTerryParams {
            tolerance: bad,
            ..defaults
        };
        names(tolerance.build(), "BradleyTerryParams::tolerance");
    }
    let steps = BradleyTerryParams {
        max_steps: 0,
        ..defaults
    };
    names(steps.build(), "BradleyTerryParams::max_steps");
}

#[test]
fn ratings_out_of_range_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, -1e10] {
        names(EloRating::new(bad), "EloRating");
        names(GlickoRating::new(bad, 50.0), "GlickoRating::rating");
        names(GlickoRating::new(1500.0, bad), "GlickoRating::deviation");
        names(Glicko2Rating::new(bad, 50.0, 0.06), "Glicko2Rating::rating");
        names(Glicko2Rating::new(1500.0, bad, 0.06), "Glicko2Rating::deviation");
        names(Glicko2Rating::new(1500.0, 50.0, bad), "Glicko2Rating::volatility");
        names(TrueSkillRating::new(bad, 8.0), "TrueSkillRating::mu");
        names(TrueSkillRating::new(25.0, bad), "TrueSkillRating::sigma");
        names(WengLinRating::new(bad, 8.0), "WengLinRating::mu");
        names(WengLinRating::new(25.0, bad), "WengLinRating::sigma");
    }
}
