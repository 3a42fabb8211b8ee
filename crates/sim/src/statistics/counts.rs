//! Exact intervals of counts, which hold where events are so rare that samples agree and show no variance.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, ContinuousCDF};

/// The share of `events` among `of` tries, by an interval that holds it with probability `level` at least:
///
/// ```text
/// [ B((1 - level) / 2; x, n - x + 1),  B((1 + level) / 2; x + 1, n - x) ]      B: quantiles of the beta distribution
/// ```
///
/// Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26
/// (1934), doi 10.1093/biomet/26.4.404. Of no tries it is \[0, 1\]; no more events than tries count.
///
/// ```
/// use matchwright_sim::statistics::share_interval;
///
/// let [low, high] = share_interval(0, 20, 0.95);
/// assert!(low == 0.0 && (high - 0.168_433).abs() < 1e-6);
/// ```
#[must_use]
pub fn share_interval(events: u64, of: u64, level: f64) -> [f64; 2] {
    let (x, n) = (events.min(of) as f64, of as f64);
    let tail = 0.5 * (1.0 - level);
    [
        beta_quantile(tail, x, n - x + 1.0).unwrap_or(0.0),
        beta_quantile(1.0 - tail, x + 1.0, n - x).unwrap_or(1.0),
    ]
}

/// A quantile of the beta distribution; none where a parameter is 0, at which it is a point.
pub(crate) fn beta_quantile(share: f64, a: f64, b: f64) -> Option<f64> {
    // Dropped: none, as stated.
    Beta::new(a, b).ok()?.try_inverse_cdf(share).ok()
}

/// Two totals of events, and the ratio of their rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountRatio {
    /// Events of both.
    pub events: [u64; 2],
    /// Among so many.
    pub of: [u64; 2],
    /// The first rate over the second: infinite where the second has no events, NaN where neither has.
    pub ratio: f64,
    /// The 95 % interval of that ratio; its end is infinite where the second has no events.
    pub interval: [f64; 2],
}

impl CountRatio {
    /// The ratio of two rates, by totals of events among so many. Given the sum of two totals of Poisson the first is
    /// binomial, so that the interval is exact (it holds the ratio with probability 95 % at least) however rare they are:
    ///
    /// ```text
    /// x1 ~ Binomial(x1 + x2, p),   ratio = p / (1 - p) * n2 / n1,   p by Clopper and Pearson
    /// ```
    ///
    /// Przyborowski and Wilenski, "Homogeneity of results in testing samples from Poisson series", Biometrika 31 (1940),
    /// doi 10.1093/biomet/31.3-4.313. Totals that share their luck differ less than that.
    ///
    /// ```
    /// use matchwright_sim::statistics::CountRatio;
    ///
    /// let none = CountRatio::of([0, 0], [100, 100]);
    /// assert!(none.ratio.is_nan() && none.interval == [0.0, f64::INFINITY]);
    /// let fewer = CountRatio::of([2, 12], [1000, 1000]);
    /// assert!(fewer.interval[1] < 1.0);
    /// ```
    #[must_use]
    pub fn of(events: [u64; 2], of: [u64; 2]) -> Self {
        let [first, second] = [0, 1].map(|at| events[at] as f64);
        let scale = of[1] as f64 / of[0] as f64;
        let share = share_interval(events[0], events[0].saturating_add(events[1]), 0.95);
        Self {
            events,
            of,
            ratio: first / second * scale,
            interval: share.map(|share| share / (1.0 - share) * scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use rand_distr::{Distribution, Poisson};

    #[test]
    fn the_bounds_of_a_share_are_the_published_ones() {
        // Clopper and Pearson's chart at 10 of 20, and the rule of three at 0 and all of 100.
        for ((events, of), [low, high]) in [
            ((10, 20), [0.271_96, 0.728_04]),
            ((0, 100), [0.0, 0.036_217]),
            ((100, 100), [0.963_783, 1.0]),
            ((0, 0), [0.0, 1.0]),
        ] {
            let found = share_interval(events, of, 0.95);
            assert!(
                (found[0] - low).abs() < 1e-5 && (found[1] - high).abs() < 1e-5,
                "{events} of {of}: {found:?}"
            );
        }
    }

    /// Events so rare that in most samples both have none.
    #[test]
    fn the_interval_of_a_ratio_holds_it_however_rare_the_events_are() {
        for (seed, means) in [[0.1, 0.3], [1.0, 3.0], [6.0, 2.0], [30.0, 30.0]]
            .into_iter()
            .enumerate()
        {
            let mut random = stream(seed as u64, Purpose::Traits, 0, 0);
            let laws = means.map(|mean: f64| Poisson::new(mean).unwrap());
            let held = (0..2_000).filter(|_| {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
                let events = [0, 1].map(|at| laws[at].sample(&mut random) as u64);
                // Twice as many tries of the second.
                let [low, high] = CountRatio::of(events, [500, 1000]).interval;
                let truth = 2.0 * means[0] / means[1];
                low <= truth && truth <= high
            });
            // 95 % less four standard errors; where events are rarest nearly always.
            let held = held.count();
            assert!(held >= 1_860, "{means:?}: {held}");
        }
    }
}
