//! Settings are checked once, and refusals say which and why.

use matchwright_rating::{
    EloCurve, EloParams, EloRating, Glicko2Params, Glicko2Rating, GlickoParams, GlickoRating, ParamError,
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
    assert!(defaults.check().is_ok());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        names(EloParams { k: bad, ..defaults }.check(), "EloParams::k");
        let curve = EloCurve::Logistic { scale: bad };
        names(
            EloParams { curve, ..defaults }.check(),
            "EloCurve::Logistic::scale",
        );
        let curve = EloCurve::Normal {
            standard_deviation: bad,
        };
        names(
            EloParams { curve, ..defaults }.check(),
            "EloCurve::Normal::standard_deviation",
        );
    }
    names(
        EloParams {
            initial: f64::NAN,
            ..defaults
        }
        .check(),
        "EloParams::initial",
    );
}

#[test]
fn every_glicko_setting_is_checked() {
    let defaults = GlickoParams::default();
    assert!(defaults.check().is_ok());
    for bad in [-1.0, f64::NAN, 1e300] {
        names(
            GlickoParams {
                initial_deviation: bad,
                ..defaults
            }
            .check(),
            "GlickoParams::initial_deviation",
        );
        names(
            GlickoParams {
                max_deviation: bad,
                ..defaults
            }
            .check(),
            "GlickoParams::max_deviation",
        );
        names(
            GlickoParams {
                min_deviation: bad,
                ..defaults
            }
            .check(),
            "GlickoParams::min_deviation",
        );
        names(GlickoParams { c: bad, ..defaults }.check(), "GlickoParams::c");
        names(
            GlickoParams {
                max_change: bad,
                ..defaults
            }
            .check(),
            "GlickoParams::max_change",
        );
    }
    names(
        GlickoParams {
            initial_rating: f64::NAN,
            ..defaults
        }
        .check(),
        "GlickoParams::initial_rating",
    );
    // A cap below the newcomer's deviation is a contradiction, not a clamp.
    names(
        GlickoParams {
            max_deviation: 200.0,
            ..defaults
        }
        .check(),
        "GlickoParams::initial_deviation",
    );
}

#[test]
fn every_glicko2_setting_is_checked() {
    let defaults = Glicko2Params::default();
    assert!(defaults.check().is_ok());
    for bad in [-1.0, 0.0, f64::NAN, 1e300] {
        names(
            Glicko2Params { tau: bad, ..defaults }.check(),
            "Glicko2Params::tau",
        );
        names(
            Glicko2Params {
                initial_volatility: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::initial_volatility",
        );
        names(
            Glicko2Params {
                min_volatility: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::min_volatility",
        );
        names(
            Glicko2Params {
                max_volatility: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::max_volatility",
        );
        names(
            Glicko2Params {
                max_deviation: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::max_deviation",
        );
        names(
            Glicko2Params {
                max_change: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::max_change",
        );
    }
    for bad in [-1.0, f64::NAN, 1e300] {
        names(
            Glicko2Params {
                initial_rating: bad * 1e10,
                ..defaults
            }
            .check(),
            "Glicko2Params::initial_rating",
        );
        names(
            Glicko2Params {
                initial_deviation: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::initial_deviation",
        );
        names(
            Glicko2Params {
                min_deviation: bad,
                ..defaults
            }
            .check(),
            "Glicko2Params::min_deviation",
        );
    }
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
    }
}
