//! The public laws, run on an average from outside the workspace.

use downstream_mmr_forensics::Median;
use matchwright_mmr_forensics::{Averaging, GameValue, WinRate, laws, predict_promotion};

const RATINGS: [f64; 7] = [1500.0, 1512.0, 1490.0, 1503.0, 1515.0, 1527.0, 1514.0];

#[test]
fn an_average_from_outside_keeps_the_laws() {
    for games in 1..10 {
        for count in 0..RATINGS.len() {
            assert_eq!(laws::averaging(&Median { games }, &RATINGS[..count]), Ok(()));
        }
    }
}

#[test]
fn an_average_from_outside_can_be_forecast_with() {
    let forecast = predict_promotion(&RATINGS, 1540.0, &Median { games: 3 }, WinRate::HALF, GameValue::OBSERVED, 8);
    let forecast = forecast.expect("ratings and a threshold");
    assert_eq!(forecast.average, 1515.0);
    assert!(forecast.chance > 0.1 && forecast.chance < 0.9);
}

#[test]
fn a_wrong_average_from_outside_is_caught() {
    struct Sum;
    impl Averaging for Sum {
        fn average(&self, ratings: &[f64]) -> Option<f64> {
            (!ratings.is_empty()).then(|| ratings.iter().sum())
        }
    }
    assert!(laws::averaging(&Sum, &RATINGS).is_err());
}
