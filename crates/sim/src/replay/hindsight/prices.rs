//! Duals smoothed over rating: prices of tickets for a queue.

use serde::{Deserialize, Serialize};

use super::{Hindsight, HindsightError};

/// A price for each rating, in units of cost: straight lines between points, level beyond the first and the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PriceTable {
    /// Rating and price, by rising rating; not empty.
    points: Vec<(f64, f64)>,
}

impl PriceTable {
    /// Rating and price of each point, by rising rating.
    #[must_use]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The price of a rating; NaN of NaN.
    #[must_use]
    pub fn price(&self, rating: f64) -> f64 {
        let after = self.points.partition_point(|&(at, _)| at < rating);
        let nearest = |k: usize| self.points[k.min(self.points.len() - 1)];
        let ((low, below), (high, above)) = (nearest(after.saturating_sub(1)), nearest(after));
        if rating.is_nan() {
            rating
        } else if after == 0 || high <= low {
            above
        } else {
            below + (above - below) * (rating - low) / (high - low)
        }
    }
}

impl Hindsight {
    /// The duals as prices by rating: tickets in order of rating in `points` groups of equal size, of each the mean rating
    /// and the mean dual, 0 or more. `None` of an empty log. O(n log n).
    ///
    /// A policy that starts a match when its tickets' prices cover the mismatch pays about what the optimum pays in that
    /// neighbourhood.
    ///
    /// # Errors
    /// [`HindsightError::RatingCount`], [`HindsightError::Rating`].
    pub fn price_table(&self, ratings: &[f64], points: usize) -> Result<Option<PriceTable>, HindsightError> {
        let tickets = self.duals.len();
        if ratings.len() != tickets {
            return Err(HindsightError::RatingCount {
                ratings: ratings.len(),
                tickets,
            });
        }
        if let Some(ticket) = ratings.iter().position(|rating| !rating.is_finite()) {
            return Err(HindsightError::Rating {
                ticket,
                rating: ratings[ticket],
            });
        }
        let mut order: Vec<usize> = (0..tickets).collect();
        order.sort_by(|&a, &b| ratings[a].total_cmp(&ratings[b]));
        let groups = points.clamp(1, tickets.max(1));
        let start = |group: usize| group * (tickets / groups) + group.min(tickets % groups);
        let mut table: Vec<(f64, f64)> = Vec::new();
        for group in (0..groups).map(|group| &order[start(group)..start(group + 1)]) {
            let mean = |of: &[f64]| group.iter().map(|&i| of[i]).sum::<f64>() / group.len() as f64;
            if !group.is_empty() {
                table.push((mean(ratings), mean(&self.duals).max(0.0)));
            }
        }
        Ok((!table.is_empty()).then_some(PriceTable { points: table }))
    }
}
