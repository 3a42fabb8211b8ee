//! Round trips are exact, and nothing invalid can be read.

use std::fmt::Debug;

use matchwright_rating::{
    BradleyTerryParams, BradleyTerryPrior, Comparison, Connectivity, Davidson, DrawChoice, EloCurve,
    EloParams, EloRating, FixedDraw, GameResult, GaussianRating, Glicko2Params, Glicko2Rating, GlickoParams,
    Member, OutcomeProbabilities, ParamError, QueuingPlayer, RaoKupper, RatingPeriod, Score, Side,
    SkillPoint, TeamGame, ThroughTimeParams, TimedGame, TrueSkillParams, WengLinGamma, WengLinModel,
    WengLinParams,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

fn refused<T: DeserializeOwned + Debug>(text: &str, reason: &str) {
    let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
    assert!(error.contains(reason), "{text}: {error}");
}

/// Settings that can be read, but make no system.
fn refused_setting<P: DeserializeOwned, S: Debug>(
    build: impl Fn(P) -> Result<S, ParamError>,
    text: &str,
    reason: &str,
) {
    let settings = serde_json::from_str::<P>(text).unwrap();
    let error = build(settings).unwrap_err().to_string();
    assert!(error.contains(reason), "{text}: {error}");
}

proptest! {
    #[test]
    fn every_rating_survives_a_round_trip_bit_by_bit(
        rating in -1e9..1e9_f64,
        deviation in 0.0..1e9_f64,
        volatility in 1e-9..1e3_f64,
        score in 0.0..=1.0_f64,
    ) {
        round_trips(&EloRating::new(rating).unwrap());
        round_trips(&GaussianRating::new(rating, deviation).unwrap());
        round_trips(&Glicko2Rating::new(rating, deviation, volatility).unwrap());
        round_trips(&Comparison::new(3, 1, Score::new(score).unwrap()).times(volatility));
        round_trips(&GaussianRating::new(rating, deviation).unwrap());
        round_trips(&GaussianRating::new(rating, deviation).unwrap());
        round_trips(&TimedGame::new(rating, TeamGame::duel(3, 1, 4, 1)));
        round_trips(&SkillPoint { time: rating, skill: GaussianRating::new(rating, deviation).unwrap() });
        round_trips(&GameResult::new(EloRating::new(rating).unwrap(), Score::new(score).unwrap()));
        round_trips(&OutcomeProbabilities::new(score, 0.0, 1.0 - score).unwrap());
    }
}

#[test]
fn settings_and_models_survive_a_round_trip() {
    for curve in [
        EloCurve::default(),
        EloCurve::Normal {
            standard_deviation: 200.0,
        },
        EloCurve::FideTable,
    ] {
        round_trips(&EloParams {
            curve,
            ..EloParams::default()
        });
    }
    round_trips(&GlickoParams::default());
    round_trips(&Glicko2Params::default());
    round_trips(&TrueSkillParams::default());
    let through_time = ThroughTimeParams {
        gamma: 0.3,
        max_sweeps: 7,
        ..ThroughTimeParams::default()
    };
    round_trips(&through_time);
    for model in [
        WengLinModel::BradleyTerryFull,
        WengLinModel::ThurstoneMostellerPartial,
        WengLinModel::PlackettLuce,
    ] {
        for gamma in [
            WengLinGamma::Deviation,
            WengLinGamma::Sides,
            WengLinGamma::Fixed(0.3),
        ] {
            for draws in [
                DrawChoice::default(),
                DrawChoice::FixedDraw(FixedDraw::EOMM),
                DrawChoice::RaoKupper(RaoKupper::from_draw_probability(0.2).unwrap()),
            ] {
                round_trips(&WengLinParams {
                    model,
                    gamma,
                    draws,
                    ..WengLinParams::default()
                });
            }
        }
    }
    let always = BradleyTerryParams {
        prior: BradleyTerryPrior::Always,
        home_advantage: true,
        ..BradleyTerryParams::default()
    };
    round_trips(&always);
    let groups = vec![vec![1], vec![0, 2]];
    for connectivity in [Connectivity::Connected, Connectivity::Separable { groups }] {
        round_trips(&connectivity);
    }
    round_trips(&FixedDraw::EOMM);
    round_trips(&Davidson::from_draw_probability(0.2).unwrap());
    round_trips(&RaoKupper::from_draw_probability(0.2).unwrap());
    round_trips(&RatingPeriod::days(1.0).unwrap());
}

#[test]
fn settings_left_out_take_their_defaults() {
    let elo: EloParams = serde_json::from_str(r#"{"k": 20, "curve": "fide_table"}"#).unwrap();
    assert_eq!((elo.k, elo.initial), (20.0, 1500.0));
    let glicko2: Glicko2Params = serde_json::from_str(r#"{"tau": 0.75}"#).unwrap();
    assert_eq!(
        glicko2,
        Glicko2Params {
            tau: 0.75,
            ..Glicko2Params::default()
        }
    );
}

#[test]
fn a_comparison_without_a_weight_is_one_game() {
    let read: Comparison = serde_json::from_str(r#"{"first": 2, "second": 0, "score": 0.5}"#).unwrap();
    assert_eq!(read, Comparison::new(2, 0, Score::DRAW));
}

#[test]
fn an_invalid_number_cannot_be_read() {
    refused::<Score>("1.5", "`Score` is 1.5");
    refused::<EloRating>("1e10", "`EloRating` is 10000000000");
    refused::<GaussianRating>(
        r#"{"rating": 1500, "deviation": -1}"#,
        "`an amount of points` is -1",
    );
    refused::<Glicko2Rating>(
        r#"{"rating": 1500, "deviation": 50, "volatility": 0}"#,
        "`volatility` is 0",
    );
    refused::<OutcomeProbabilities>(r#"{"win": 0.5, "draw": 0.5, "loss": 0.5}"#, "sum");
    refused_setting(EloParams::build, r#"{"k": 0}"#, "`k` is 0");
    refused::<EloParams>(r#"{"K": 20}"#, "unknown field");
    refused_setting(GlickoParams::build, r#"{"c": -1}"#, "`c` is -1");
    refused_setting(Glicko2Params::build, r#"{"tau": 0}"#, "`tau` is 0");
    refused::<GaussianRating>(r#"{"rating": 1e10, "deviation": 1}"#, "`a rating` is 10000000000");
    refused_setting(TrueSkillParams::build, r#"{"beta": 0}"#, "`beta` is 0");
    refused_setting(ThroughTimeParams::build, r#"{"gamma": -1}"#, "`gamma` is -1");
    refused::<TimedGame>(r#"{"time": 0, "game": []}"#, "a game has 0 side(s)");
    refused::<TrueSkillParams>(r#"{"draws": 0.1}"#, "unknown field");
    refused_setting(
        BradleyTerryParams::build,
        r#"{"prior_precision": 0}"#,
        "`prior_precision` is 0",
    );
    refused::<Comparison>(r#"{"first": 0, "second": 1, "score": 2}"#, "`Score` is 2");
    refused_setting(WengLinParams::build, r#"{"kappa": 0}"#, "`kappa` is 0");
    refused_setting(WengLinParams::build, r#"{"gamma": {"fixed": 2}}"#, "`Fixed` is 2");
    refused::<WengLinParams>(r#"{"draws": {"davidson": -1}}"#, "`nu` is -1");
    refused::<FixedDraw>("2", "`FixedDraw` is 2");
    refused::<Davidson>("-1", "`nu` is -1");
    refused::<RaoKupper>("0.5", "`theta` is 0.5");
    refused::<RatingPeriod>("0", "`RatingPeriod` is 0");
}

#[test]
fn a_misspelt_optional_field_is_refused_instead_of_lost() {
    refused::<Member<EloRating>>(r#"{"rating": 1500.0, "shares": 0.5}"#, "shares");
    refused::<Side<EloRating>>(r#"{"place": 1, "members": [], "party": 3}"#, "party");
    refused::<QueuingPlayer>(r#"{"games": 150, "lowpriority": true}"#, "lowpriority");
    refused::<Comparison>(
        r#"{"first": 0, "second": 1, "score": 1.0, "wieght": 2.0}"#,
        "wieght",
    );
    let member: Member<EloRating> = serde_json::from_str(r#"{"rating": 1500.0}"#).unwrap();
    assert_eq!(member, Member::new(EloRating::new(1500.0).unwrap()));
}
