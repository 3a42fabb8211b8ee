//! [`BestRegion`]: the server region with the best pings for all players of a match.

use crate::curve::Curve;
use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{PlayerField, TeamFactor, TeamMatch, range_of};

/// ```text
/// quality = greatest over the regions of
///           (1 - f) worst_ping(greatest ping) + f difference(|mean ping of A - mean ping of B|)
/// ```
///
/// Only regions that every player has a ping to. For games with servers: the worst connection decides whether
/// the match is any fun, and a team that is nearer to the server has an advantage. f is `fairness_share`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BestRegion {
    /// From the worst player's ping, in milliseconds, to the quality. Default: 1 up to 40, linear to 0 at 250.
    pub worst_ping: Curve,
    /// From the difference of the teams' mean pings, in milliseconds, to the quality. Default: 1 up to 10, 0 from
    /// 100.
    pub difference: Curve,
    /// How much of the quality is the difference's, in \[0, 1\]. Default 0.25.
    pub fairness_share: f64,
    /// Whether a match without a region that all its players have a ping to is forbidden; otherwise it has
    /// quality 0. Default true.
    pub required: bool,
}

impl Default for BestRegion {
    fn default() -> Self {
        Self {
            worst_ping: Curve::ramp(40.0, 250.0, 1.0),
            difference: Curve::ramp(10.0, 100.0, 1.0),
            fairness_share: 0.25,
            required: true,
        }
    }
}

impl BestRegion {
    /// The best region, as a place in [`Pool::regions`](crate::Pool::regions), and its quality; the first of
    /// equals, `None` if no region is common to all.
    #[must_use]
    pub fn region(&self, candidate: &TeamMatch<'_>) -> Option<(usize, f64)> {
        let regions = 0..candidate.pool().regions().len();
        let rated = regions.filter_map(|region| Some((region, self.in_region(candidate, region)?)));
        rated.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    fn in_region(&self, candidate: &TeamMatch<'_>, region: usize) -> Option<f64> {
        let ping = |player: usize| candidate.pool().region_pings(player)[region];
        // The range from 0 on is the greatest; NaN if one is missing.
        let worst = range_of(std::iter::once(0.0).chain(candidate.players().map(ping)));
        if worst.is_nan() {
            return None;
        }
        let share = self.fairness_share;
        let fair = self.difference.quality(candidate.difference_of_means(ping));
        let quality = (1.0 - share) * self.worst_ping.quality(worst) + share * fair;
        Some(quality.clamp(0.0, 1.0))
    }
}

impl MatchScorer<TeamMatch<'_>> for BestRegion {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let best = self.region(candidate).map(|(_, quality)| quality);
        best.or((!self.required).then_some(0.0))
    }
}

impl TeamFactor for BestRegion {
    fn name(&self) -> &'static str {
        "best_region"
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("fairness_share", self.fairness_share, 0.0..=1.0)?;
        Ok(())
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::RegionPings]
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        self.quality(candidate)
            .is_none()
            .then(|| "no region has a ping from every player".to_owned())
    }
}
