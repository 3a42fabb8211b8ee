//! A stranger's moving average: the middle one of the last games.

use matchwright_mmr_forensics::Averaging;

/// The median of the last `games` ratings; the lower one of two middle ones.
#[derive(Debug, Clone, Copy)]
pub struct Median {
    /// How many; at least 1.
    pub games: usize,
}

impl Averaging for Median {
    fn average(&self, ratings: &[f64]) -> Option<f64> {
        let mut recent = ratings[ratings.len().saturating_sub(self.games)..].to_vec();
        recent.sort_by(f64::total_cmp);
        recent.get(recent.len().checked_sub(1)? / 2).copied()
    }
}
