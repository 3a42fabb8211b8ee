//! [`SkillGap`]: the quality of two players by the gap of their skills.

use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;

/// The settings of [`SkillGap`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SkillGapParams {
    /// The gap at which quality has fallen to 0, in the unit of the skills; above 0. Default 1000,
    /// in rating points. Too small: all wide gaps look alike.
    pub scale: f64,
    /// The widest gap that is allowed at all, 0 or more; `None` for no limit. Default none.
    pub cap: Option<f64>,
}

impl Default for SkillGapParams {
    fn default() -> Self {
        Self {
            scale: 1000.0,
            cap: None,
        }
    }
}

impl SkillGapParams {
    /// The scorer, if the settings are in their ranges.
    ///
    /// # Errors
    /// [`ScoringError`] if `scale` is not above 0 and finite, or `cap` is negative or NaN.
    pub fn build(self) -> Result<SkillGap, ScoringError> {
        within("scale", self.scale, f64::MIN_POSITIVE..=f64::MAX)?;
        if let Some(cap) = self.cap {
            within("cap", cap, 0.0..=f64::INFINITY)?;
        }
        Ok(SkillGap { params: self })
    }
}

/// quality = max(0, 1 - |`s_i` - `s_j`| / scale); `None` beyond the cap. Symmetric.
///
/// Linear, so that the pairing with the greatest total quality is the one with the smallest total
/// gap: sorting by skill and pairing neighbours, as long as no gap reaches the scale. A gap that is
/// not a number forbids the match, because nothing can be said for it.
///
/// ```
/// use matchwright_scoring::{MatchScorer, SkillGapParams};
///
/// let gap = SkillGapParams { scale: 400.0, cap: Some(300.0) }.build()?;
/// assert_eq!(gap.quality(&(1500.0, 1600.0)), Some(0.75));
/// assert_eq!(gap.quality(&(1500.0, 1801.0)), None);
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkillGap {
    params: SkillGapParams,
}

impl SkillGap {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &SkillGapParams {
        &self.params
    }
}

impl MatchScorer<(f64, f64)> for SkillGap {
    fn quality(&self, skills: &(f64, f64)) -> Option<f64> {
        let gap = (skills.0 - skills.1).abs();
        let allowed = gap <= self.params.cap.unwrap_or(f64::INFINITY);
        // NaN is not below infinity, so it is forbidden even without a cap.
        allowed.then(|| (1.0 - gap / self.params.scale).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(scale: f64, cap: Option<f64>) -> SkillGap {
        SkillGapParams { scale, cap }.build().unwrap()
    }

    #[test]
    fn quality_falls_from_one_to_zero_over_the_scale() {
        let scorer = gap(200.0, None);
        for (far, quality) in [
            (0.0, 1.0),
            (50.0, 0.75),
            (200.0, 0.0),
            (1e300, 0.0),
            (f64::INFINITY, 0.0),
        ] {
            assert_eq!(scorer.quality(&(far, 0.0)), Some(quality));
            assert_eq!(scorer.quality(&(0.0, far)), Some(quality));
        }
    }

    #[test]
    fn only_gaps_beyond_the_cap_and_gaps_that_are_no_number_are_forbidden() {
        let scorer = gap(200.0, Some(100.0));
        assert_eq!(scorer.quality(&(100.0, 0.0)), Some(0.5));
        assert_eq!(scorer.quality(&(100.1, 0.0)), None);
        assert_eq!(gap(200.0, None).quality(&(f64::NAN, 0.0)), None);
        assert_eq!(gap(200.0, None).quality(&(f64::INFINITY, f64::INFINITY)), None);
        assert_eq!(gap(200.0, Some(0.0)).quality(&(3.0, 3.0)), Some(1.0));
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(SkillGapParams { scale, cap: None }.build().is_err());
        }
        for cap in [-1.0, f64::NAN] {
            assert!(
                SkillGapParams {
                    scale: 1.0,
                    cap: Some(cap)
                }
                .build()
                .is_err()
            );
        }
        assert!(SkillGapParams::default().build().is_ok());
    }
}
