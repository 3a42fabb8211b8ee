//! A match that could be made, as the linear program sees it.

use crate::pool::LobbyPool;

/// The units of a match and its quality.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    /// The units of both teams, rising: the key of a column, since only the best split of each set can matter.
    pub(super) units: Vec<u32>,
    /// The units of the first team.
    team_a: Vec<u32>,
    pub(super) quality: f64,
}

impl Column {
    #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
    pub(super) fn new(team_a: &[usize], team_b: &[usize], quality: f64) -> Self {
        let narrow = |team: &[usize]| team.iter().map(|&unit| unit as u32).collect();
        let mut units: Vec<u32> = narrow(&[team_a, team_b].concat());
        units.sort_unstable();
        Self {
            units,
            team_a: narrow(team_a),
            quality,
        }
    }

    pub(super) fn has(&self, unit: u32) -> bool {
        self.units.binary_search(&unit).is_ok()
    }

    /// Whether it has two or three of the cut's units.
    pub(super) fn counts_for(&self, cut: [u32; 3]) -> bool {
        cut.iter().filter(|&&unit| self.has(unit)).count() >= 2
    }

    /// The players of both teams.
    pub(super) fn teams(&self, pool: &LobbyPool) -> Vec<Vec<usize>> {
        let players = |in_a: bool| {
            let units = self
                .units
                .iter()
                .filter(|unit| self.team_a.contains(unit) == in_a);
            units
                .flat_map(|&unit| pool.parties()[unit as usize].iter().copied())
                .collect()
        };
        vec![players(true), players(false)]
    }
}
