//! [`Variance`]: teams with equal spread of strength among their members.

use super::log_strength;
use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{PlayerField, TeamFactor, TeamMatch};

/// quality = difference(|s(A) - s(B)|), s the standard deviation of ln sqrt(offence x defence) over a team's
/// members.
///
/// "World War Matchmaking", section on sandbagging, and its author's answers: a variance rating over all
/// members is a second window beside the ratings themselves. Five members of a late age with five of an early
/// one may have the mean of ten in between, and are no match for them. With a `floor` in the policy such a
/// match is refused; a sandbagging alliance then waits for its like.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Variance {
    /// From the difference of the teams' spreads, in units of ln, to the quality. Default: 1 at 0 down to 0 at 0.3.
    pub difference: Curve,
}

impl Default for Variance {
    fn default() -> Self {
        Self {
            difference: Curve::ramp(0.0, 0.3, 1.0),
        }
    }
}

/// The standard deviation of ln(rating) over `ratings`, all above 0: about the relative spread; 0 of one or none.
///
/// ```
/// use matchwright_scoring::log_spread;
///
/// // Half of them e times as strong as the others.
/// assert!((log_spread(&[1.0, std::f64::consts::E]) - 0.5).abs() < 1e-15);
/// assert_eq!(log_spread(&[7.0, 7.0, 7.0]), 0.0);
/// ```
#[must_use]
pub fn log_spread(ratings: &[f64]) -> f64 {
    deviation(ratings.iter().map(|rating| rating.ln()))
}

fn deviation(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

impl MatchScorer<TeamMatch<'_>> for Variance {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let spread =
            |team: &[usize]| deviation(team.iter().map(|&player| log_strength(candidate.pool(), player)));
        Some(self.difference.quality(candidate.difference(spread)))
    }
}

impl TeamFactor for Variance {
    fn name(&self) -> &'static str {
        "variance"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Offence, PlayerField::Defence]
    }
}
