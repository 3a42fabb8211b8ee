//! Exact intervals of counts, which hold where events are so rare that samples agree and show no variance.

use serde::{Deserialize, Serialize};
use statrs::function::beta::checked_beta_reg;

use super::normal_quantile;

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

/// A quantile of the beta distribution, for a share in (0, 1); none unless both parameters are above 0 and finite.
///
/// By halving where a parameter is at most a thousand, which ends for any parameters as Newton's steps do not (2 events
/// of 10 million); else by Carter's approximation, whose error is below 2e-5 standard deviations there:
///
/// ```text
/// a / (a + b exp(2 w)),   w = z sqrt(h + (z^2 - 3) / 6) / h - (t - s) ((z^2 - 3) / 6 + 5 / 6 - 2 / (3 h))
/// s = 1 / (2 a - 1),   t = 1 / (2 b - 1),   h = 2 / (s + t),   z: normal quantile of 1 - share
/// ```
///
/// Carter, "Approximation to percentage points of the z-distribution", Biometrika 34 (1947), doi 10.1093/biomet/34.3-4.352.
pub(crate) fn beta_quantile(share: f64, a: f64, b: f64) -> Option<f64> {
    /// Up to here the function is summed exactly, and the quantile of more is as much smaller as they are more.
    const MOST: f64 = 1e9;
    if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) {
        return None;
    }
    if a > b {
        return beta_quantile(1.0 - share, b, a).map(|rest| 1.0 - rest);
    }
    if a > 1000.0 {
        let z = normal_quantile(0.0, 1.0, 1.0 - share);
        let [s, t] = [a, b].map(|of| 1.0 / (2.0 * of - 1.0));
        let (h, r) = (2.0 / (s + t), (z * z - 3.0) / 6.0);
        let w = z * (h + r).sqrt() / h - (t - s) * (r + 5.0 / 6.0 - 2.0 / (3.0 * h));
        return Some(a / (a + b * (2.0 * w).exp()));
    }
    let (mut low, mut high, summed) = (0.0, 1.0, b.min(MOST));
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return Some(high * (summed / b));
        }
        // Dropped: the parameters are above 0, and the middle is within 0 and 1.
        let is_below = checked_beta_reg(a, summed, middle).is_ok_and(|of| of < share);
        *(if is_below { &mut low } else { &mut high }) = middle;
    }
}

/// Two totals of events, and the ratio of their rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountRatio {
    /// Events of both.
    pub events: [u64; 2],
    /// Out of how many, of both.
    pub of: [u64; 2],
    /// The first rate over the second: infinite where the second has no events, NaN where neither has.
    pub ratio: f64,
    /// The 95 % interval of that ratio; its end is infinite where the second has no events.
    pub interval: [f64; 2],
}

impl CountRatio {
    /// The ratio of two rates, by the totals `events` out of `of`. Given the sum of two totals of Poisson the first is
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

    /// Of two events of ten million the search by Newton's steps had no end.
    #[test]
    fn the_bounds_of_a_share_are_right_among_any_number() {
        // Of x rare events: quantiles of gamma distributions, as Garwood tabled them for Poisson means.
        let rare = [
            (0, 0.0, 3.688_879),
            (1, 0.025_318, 5.571_643),
            (2, 0.242_209, 7.224_688),
            (10, 4.795_389, 18.390_356),
        ];
        for of in [10_000_000, 1_000_000_000, 10_u64.pow(12), u64::MAX] {
            for (events, low, high) in rare {
                let found = share_interval(events, of, 0.95).map(|share| share * of as f64);
                assert!(
                    (found[0] - low).abs() < 2e-5 && (found[1] - high).abs() < 2e-5,
                    "{events} of {of}: {found:?}"
                );
                let others = share_interval(of - events, of, 0.95);
                assert!((others[0] - 1.0 + high / of as f64).abs() < 1e-12, "{others:?}");
            }
            let [low, high] = share_interval(of / 2, of, 0.95);
            // With half an event for that it is a count.
            let margin = 0.979_982 / (of as f64).sqrt() + 0.5 / of as f64;
            assert!((low - 0.5 + margin).abs() < 1e-4 * margin + 1e-15, "{low}");
            assert!((high - 0.5 - margin).abs() < 1e-4 * margin + 1e-15, "{high}");
        }
        // Both ways agree where they meet.
        for b in [1001.0, 1e5, 1e9] {
            let [one, other] = [1000.0, 1000.001].map(|a| beta_quantile(0.025, a, b).unwrap());
            assert!((one / other - 1.0).abs() < 3e-6, "{one} {other}");
        }
        assert_eq!(beta_quantile(0.5, f64::NAN, 1.0), None);
        assert_eq!(beta_quantile(0.5, 1.0, f64::INFINITY), None);
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
