//! [`WeightedSum`]: the weighted mean of several qualities.

use crate::error::{QualityError, ScoringError, check_quality, within};
use crate::scorer::MatchScorer;

/// quality = sum of weight x quality over the parts / sum of weights; `None` as soon as one part
/// forbids.
///
/// A part with weight 0 has no say in the quality but may still forbid. Symmetric if all parts are.
/// Decomposition of different types go in as `Box<dyn MatchScorer<M>>`; parts for another candidate through
/// [`Projection`](crate::Projection).
///
/// ```
/// use matchwright_scoring::{MatchScorer, SkillGapParams, Projection, WeightedSum};
///
/// // (rating, ping in ms) of two players: fairness counts three times as much as the worse connection.
/// type Pair = ((f64, f64), (f64, f64));
/// let gap = SkillGapParams { scale: 400.0, cap: None }.build()?;
/// let ping = SkillGapParams { scale: 200.0, cap: Some(150.0) }.build()?;
/// let parts: Vec<(f64, Box<dyn MatchScorer<Pair>>)> = vec![
///     (3.0, Box::new(Projection::new(gap, |p: &Pair| (p.0.0, p.1.0)))),
///     (1.0, Box::new(Projection::new(ping, |p: &Pair| (p.0.1.max(p.1.1), 0.0)))),
/// ];
/// let scorer = WeightedSum::new(parts)?;
/// assert_eq!(scorer.quality(&((1500.0, 40.0), (1600.0, 100.0))), Some(0.6875));
/// assert_eq!(scorer.quality(&((1500.0, 40.0), (1600.0, 151.0))), None);
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[derive(Debug, Clone)]
pub struct WeightedSum<S> {
    parts: Vec<(f64, S)>,
    total: f64,
}

impl<S> WeightedSum<S> {
    /// From (weight, scorer) of each part.
    ///
    /// # Errors
    /// [`ScoringError`] if a weight is negative, NaN or infinite, or if the weights do not sum to a
    /// finite number above 0 (no part at all included).
    pub fn new(parts: impl IntoIterator<Item = (f64, S)>) -> Result<Self, ScoringError> {
        let parts: Vec<(f64, S)> = parts.into_iter().collect();
        for (weight, _) in &parts {
            within("WeightedSum: a weight", *weight, 0.0..=f64::MAX)?;
        }
        let total = parts.iter().map(|(weight, _)| weight).sum();
        within("WeightedSum: the sum", total, f64::MIN_POSITIVE..=f64::MAX)?;
        Ok(Self { parts, total })
    }
}

impl<S> WeightedSum<S> {
    /// The quality, where a part that gives a number outside \[0, 1\] is an error.
    ///
    /// # Errors
    /// [`QualityError`] names the part by its place, from 0.
    pub fn checked_quality<M: ?Sized>(&self, candidate: &M) -> Result<Option<f64>, QualityError>
    where
        S: MatchScorer<M>,
    {
        let mut sum = 0.0;
        for (place, (weight, part)) in self.parts.iter().enumerate() {
            let Some(quality) = check_quality(part.quality(candidate), || format!("part {place}"))? else {
                return Ok(None);
            };
            // Shares are formed first, so that huge weights cannot overflow.
            sum += (weight / self.total) * quality;
        }
        // Shares may sum to a rounding more than 1.
        Ok(Some(sum.clamp(0.0, 1.0)))
    }
}

/// Forbids where [`checked_quality`](WeightedSum::checked_quality) has an error.
impl<M: ?Sized, S: MatchScorer<M>> MatchScorer<M> for WeightedSum<S> {
    fn quality(&self, candidate: &M) -> Option<f64> {
        self.checked_quality(candidate).ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same answer for every candidate.
    struct Always(Option<f64>);

    impl MatchScorer<()> for Always {
        fn quality(&self, (): &()) -> Option<f64> {
            self.0
        }
    }

    fn sum(parts: &[(f64, Option<f64>)]) -> Option<f64> {
        WeightedSum::new(parts.iter().map(|&(weight, quality)| (weight, Always(quality))))
            .unwrap()
            .quality(&())
    }

    proptest! {
        #[test]
        fn the_sum_is_the_weighted_mean_and_between_its_parts(
            parts in prop::collection::vec((0.001..1000.0_f64, 0.0..=1.0_f64), 1..6),
        ) {
            let quality = sum(&parts.iter().map(|&(w, q)| (w, Some(q))).collect::<Vec<_>>()).unwrap();
            let total: f64 = parts.iter().map(|part| part.0).sum();
            let mean = parts.iter().map(|(w, q)| w * q).sum::<f64>() / total;
            prop_assert!((quality - mean).abs() < 1e-12);
            let worst = parts.iter().map(|part| part.1).fold(1.0, f64::min);
            let best = parts.iter().map(|part| part.1).fold(0.0, f64::max);
            prop_assert!(worst - 1e-12 <= quality && quality <= best + 1e-12);
        }
    }

    #[test]
    fn one_part_that_forbids_is_enough_even_without_weight() {
        assert_eq!(sum(&[(1.0, Some(1.0)), (1.0, None)]), None);
        assert_eq!(sum(&[(1.0, Some(0.5)), (0.0, None)]), None);
        assert_eq!(sum(&[(1.0, Some(0.5)), (0.0, Some(1.0))]), Some(0.5));
    }

    #[test]
    fn a_part_that_gives_no_quality_is_named_and_never_makes_a_match() {
        for value in [f64::NAN, 7.0, -0.1, f64::INFINITY] {
            let parts = [(1.0, Always(Some(1.0))), (0.0, Always(Some(value)))];
            let scorer = WeightedSum::new(parts).unwrap();
            let error = scorer.checked_quality(&()).unwrap_err();
            assert_eq!(error.factor(), "part 1");
            assert!(
                error.to_string().starts_with("`part 1` gave a quality of"),
                "{error}"
            );
            assert_eq!(scorer.quality(&()), None);
        }
    }

    #[test]
    fn the_rounding_of_shares_never_lifts_a_quality_above_one() {
        for count in 1..300_u16 {
            let perfect: Vec<_> = (1..=count).map(|weight| (f64::from(weight), Some(1.0))).collect();
            assert!(sum(&perfect).unwrap() <= 1.0, "{count} weights");
        }
    }

    #[test]
    fn weights_that_make_no_mean_are_refused() {
        for weights in [
            &[][..],
            &[0.0],
            &[-1.0, 2.0],
            &[f64::NAN],
            &[f64::INFINITY],
            &[f64::MAX, f64::MAX],
        ] {
            assert!(
                WeightedSum::new(weights.iter().map(|&w| (w, Always(None)))).is_err(),
                "{weights:?}"
            );
        }
        assert_eq!(sum(&[(1e308, Some(1.0)), (7e307, Some(1.0))]), Some(1.0));
    }
}
