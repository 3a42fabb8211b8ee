//! A match that could be made, as the linear program sees it.

use super::cuts::Cut;

/// Two teams of units and the match's quality.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) team_a: Vec<u32>,
    pub(super) team_b: Vec<u32>,
    pub(super) quality: f64,
}

impl Column {
    #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
    pub(super) fn new(team_a: &[usize], team_b: &[usize], quality: f64) -> Self {
        let narrow = |team: &[usize]| team.iter().map(|&unit| unit as u32).collect();
        Self {
            team_a: narrow(team_a),
            team_b: narrow(team_b),
            quality,
        }
    }

    /// All units, rising: what tells columns apart, since only the best split of each set can matter.
    pub(super) fn key(&self) -> Vec<u32> {
        let mut key = [&self.team_a[..], &self.team_b[..]].concat();
        key.sort_unstable();
        key
    }

    /// An order of columns that no search decides.
    pub(super) fn cmp_units(&self, other: &Self) -> std::cmp::Ordering {
        (&self.team_a, &self.team_b).cmp(&(&other.team_a, &other.team_b))
    }

    pub(super) fn units(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.team_a.iter().chain(&self.team_b).map(|&unit| unit as usize)
    }

    /// By how much the match is worth more than its units' duals and those of the cuts that count it.
    pub(super) fn reduced(&self, duals: &[f64], cuts: &[(Cut, f64)]) -> f64 {
        let counted = cuts
            .iter()
            .filter(|cut| cut.1 > 0.0 && super::cuts::counts(cut.0, self));
        self.quality
            - self.units().map(|unit| duals[unit]).sum::<f64>()
            - counted.map(|cut| cut.1).sum::<f64>()
    }
}
