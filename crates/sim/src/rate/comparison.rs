//! Systems beside each other: the same forecasts of the same games, and how sure their differences are.

use matchwright_churn::Outcome;
use rand::RngExt;
use serde::Serialize;

use super::evaluation::{Forecast, win_share};
use crate::random::{Purpose, stream};
use crate::statistics::quantile;

/// No forecast is taken to be surer than this when its log loss is counted.
const SUREST: f64 = 1e-15;
/// Resamples of a bootstrap interval.
const RESAMPLES: u64 = 2000;
/// Blocks that are resampled, at most.
const BLOCKS: usize = 2000;

/// The log loss of each decided game (or pair of sides), in nats: -ln of the winner's share of the decided probability.
/// Those of two systems are in the same order.
#[must_use]
pub fn decided_losses(forecasts: &[Forecast]) -> Vec<f64> {
    let decided = forecasts
        .iter()
        .filter(|forecast| forecast.outcome != Outcome::Draw);
    let loss = |forecast: &Forecast| {
        let first = win_share(&forecast.probabilities);
        let winner = if forecast.outcome == Outcome::Win {
            first
        } else {
            1.0 - first
        };
        -winner.max(SUREST).ln()
    };
    decided.map(loss).collect()
}

/// The mean difference of two systems' losses on the same games, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LossDifference {
    /// The first system's mean loss less the second's: below 0, the first forecasts better.
    pub mean: f64,
    /// The 2.5 % quantile of its bootstrap distribution; NaN where it is the same in all games, as of one game, which does not
    /// tell how much others would differ.
    pub low: f64,
    /// The 97.5 % quantile, likewise.
    pub high: f64,
}

impl LossDifference {
    /// By the paired bootstrap: games are drawn with replacement 2,000 times, and the quantiles are those of the means. Of
    /// more than 2,000 games as many blocks of neighbouring games are drawn, so that what games of one time have in common
    /// counts. O(games), and 4 million draws at most.
    ///
    /// `None` without games, or of different numbers of them.
    #[must_use]
    pub fn between(first: &[f64], second: &[f64], seed: u64) -> Option<Self> {
        let games = first.len();
        if games == 0 || games != second.len() {
            return None;
        }
        let blocks = games.min(BLOCKS);
        let start = |block: usize| block * (games / blocks) + block.min(games % blocks);
        let differences: Vec<f64> = first.iter().zip(second).map(|(one, other)| one - other).collect();
        let sums: Vec<(f64, f64)> = (0..blocks)
            .map(|block| {
                let of = &differences[start(block)..start(block + 1)];
                (of.iter().sum(), of.len() as f64)
            })
            .collect();
        let mut means: Vec<f64> = (0..RESAMPLES)
            .map(|resample| {
                let mut random = stream(seed, Purpose::Bootstrap, resample, 0);
                let (mut sum, mut count) = (0.0, 0.0);
                for _ in 0..blocks {
                    let (of, games) = sums[random.random_range(0..blocks)];
                    sum += of;
                    count += games;
                }
                sum / count
            })
            .collect();
        means.sort_by(f64::total_cmp);
        let agree = differences.iter().all(|difference| *difference == differences[0]);
        let end = |share| if agree { f64::NAN } else { quantile(&means, share) };
        Some(Self {
            mean: differences.iter().sum::<f64>() / games as f64,
            low: end(0.025),
            high: end(0.975),
        })
    }

    /// Whether the interval leaves 0 out.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::standard_normal;

    #[test]
    fn the_interval_holds_the_true_difference_as_often_as_it_says() {
        let mut held = 0;
        for world in 0..200 {
            let mut random = stream(7, Purpose::Bootstrap, world, 1);
            let first: Vec<f64> = (0..400)
                .map(|_| 0.6 + 0.3 * standard_normal(&mut random))
                .collect();
            // A common part that pairing takes out, and a difference of 0.05.
            let second: Vec<f64> = first
                .iter()
                .map(|loss| loss + 0.05 + 0.1 * standard_normal(&mut random))
                .collect();
            let found = LossDifference::between(&first, &second, world).unwrap();
            assert!(found.is_clear() && found.mean < 0.0, "{found:?}");
            held += usize::from(found.low <= -0.05 && -0.05 <= found.high);
        }
        assert!((180..=199).contains(&held), "{held} of 200");
    }

    #[test]
    fn games_that_have_a_day_in_common_make_the_interval_wider() {
        let width = |common: f64| {
            let mut random = stream(3, Purpose::Bootstrap, 0, 2);
            let mut days = Vec::new();
            for _ in 0..2000 {
                let day = common * standard_normal(&mut random);
                days.extend((0..10).map(|_| day + standard_normal(&mut random)));
            }
            let found = LossDifference::between(&days, &vec![0.0; days.len()], 1).unwrap();
            found.high - found.low
        };
        assert!(width(1.0) > 2.0 * width(0.0));
    }

    #[test]
    fn nothing_is_compared_with_nothing() {
        assert_eq!(LossDifference::between(&[], &[], 1), None);
        assert_eq!(LossDifference::between(&[1.0], &[], 1), None);
        // Of games that agree, or of one, no interval.
        for (other, mean) in [([1.0, 2.0], 0.0), ([0.5, 1.5], 0.5)] {
            let same = LossDifference::between(&[1.0, 2.0], &other, 1).unwrap();
            assert!(same.mean == mean && same.low.is_nan() && same.high.is_nan());
            assert!(!same.is_clear());
        }
    }
}
