//! Duals smoothed over rating: where a queue's prices can start.

use super::{Hindsight, HindsightError};

impl Hindsight {
    /// The duals as prices by rating, (rating, price) by rising rating: tickets in order of rating in `points` groups of
    /// equal size, of each the mean rating and the mean dual, 0 or more; groups of one rating are one. None of an empty
    /// log. O(n log n).
    ///
    /// A policy that starts a match when its tickets' prices cover the mismatch pays about what the optimum pays in that
    /// neighbourhood: give them to [`PriceStart::Table`](matchwright_queue::PriceStart::Table).
    ///
    /// # Errors
    /// [`HindsightError::RatingCount`], [`HindsightError::Rating`].
    pub fn price_points(&self, ratings: &[f64], points: usize) -> Result<Vec<(f64, f64)>, HindsightError> {
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
        // Of how many groups the last point is the mean.
        let mut alike = 1.0;
        for group in (0..groups).map(|group| &order[start(group)..start(group + 1)]) {
            let mean = |of: &[f64]| group.iter().map(|&i| of[i]).sum::<f64>() / group.len() as f64;
            if group.is_empty() {
                continue;
            }
            let (rating, price) = (mean(ratings), mean(&self.duals).max(0.0));
            match table.last_mut() {
                Some(last) if last.0 >= rating => {
                    alike += 1.0;
                    last.1 += (price - last.1) / alike;
                }
                _ => {
                    table.push((rating, price));
                    alike = 1.0;
                }
            }
        }
        Ok(table)
    }
}
