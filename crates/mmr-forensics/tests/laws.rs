//! The public laws on the averages of this crate, and on wrong ones that must fail.

use matchwright_mmr_forensics::{Averaging, MovingAverage, laws};
use proptest::prelude::*;

fn averages() -> impl Strategy<Value = MovingAverage> {
    let games = 1_u32..40;
    prop_oneof![
        games.clone().prop_map(|games| MovingAverage::Simple { games }),
        games.clone().prop_map(|games| MovingAverage::Weighted { games }),
        games.clone().prop_map(|games| MovingAverage::Modified { games }),
        (0.01..=1.0).prop_map(|alpha| MovingAverage::Exponential { alpha }),
        (games.clone(), games).prop_map(|(simple, weighted)| MovingAverage::Blend { simple, weighted }),
    ]
}

proptest! {
    #[test]
    fn every_average_keeps_the_laws(
        average in averages(),
        ratings in proptest::collection::vec(-3000.0..3000.0, 0..60),
    ) {
        prop_assert_eq!(laws::averaging(&average, &ratings), Ok(()));
        let each = average.after_each(&ratings);
        prop_assert_eq!(each.len(), ratings.len());
        for (end, value) in (1..).zip(each) {
            prop_assert!((average.average(&ratings[..end]).unwrap() - value).abs() < 1e-9);
        }
    }
}

type Rule = fn(&[f64]) -> Option<f64>;

struct Wrong(Rule);

impl Averaging for Wrong {
    fn average(&self, ratings: &[f64]) -> Option<f64> {
        (self.0)(ratings)
    }
}

#[test]
fn what_is_no_average_breaks_a_law() {
    let wrongs: [Rule; 5] = [
        |_| Some(0.0),
        |_| None,
        |ratings| Some(ratings.last()? + 1000.0),
        |ratings| Some(ratings.first()? * 0.5 + 0.4 * ratings.last()?),
        |ratings| {
            let sum: f64 = ratings.iter().sum();
            ratings.last().map(|last| 2.0 * sum / ratings.len() as f64 - last)
        },
    ];
    let ratings = [100.0, 120.0, 90.0, 110.0];
    for (number, wrong) in wrongs.into_iter().enumerate() {
        assert!(laws::averaging(&Wrong(wrong), &ratings).is_err(), "{number}");
    }
}
