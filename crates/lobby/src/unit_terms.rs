//! Terms summed over units: parties, whose members stay together, and players who came alone.

use crate::terms::LobbyTerms;

/// Sums of terms for each unit and each pair of units. Minus infinity where a pair of players is forbidden.
#[derive(Debug, Clone)]
pub(crate) struct UnitTerms<'a> {
    pub(crate) terms: &'a LobbyTerms,
    /// Players of each unit.
    pub(crate) sizes: Vec<usize>,
    /// The terms among the members of each unit, who play together.
    pub(crate) own: Vec<f64>,
    /// Row by row, 0 on the diagonal: the terms of all pairs if both units are in one team, and if they are opponents.
    pub(crate) together: Vec<f64>,
    pub(crate) against: Vec<f64>,
    /// Unit by unit, the sum of its members' levels in each balance.
    levels: Vec<f64>,
}

impl<'a> UnitTerms<'a> {
    /// The sums for `units` of the terms' players. O(players^2).
    pub(crate) fn new(terms: &'a LobbyTerms, units: &[Vec<usize>]) -> Self {
        let sum = |u: usize, v: usize, side: usize| -> f64 {
            let rows = units[u].iter().map(|&i| terms.row(i));
            rows.map(|row| units[v].iter().map(|&j| row[j][side]).sum::<f64>())
                .sum()
        };
        let table = |side: usize| {
            let pairs = (0..units.len()).flat_map(|u| (0..units.len()).map(move |v| (u, v)));
            pairs
                .map(|(u, v)| if u == v { 0.0 } else { sum(u, v, side) })
                .collect()
        };
        let levels = units.iter().flat_map(|unit| {
            let balances = terms.balances().iter();
            balances.map(|balance| unit.iter().map(|&i| balance.levels()[i]).sum())
        });
        Self {
            terms,
            sizes: units.iter().map(Vec::len).collect(),
            // Each pair of members comes up in both orders.
            own: (0..units.len()).map(|u| 0.5 * sum(u, u, 0)).collect(),
            together: table(0),
            against: table(1),
            levels: levels.collect(),
        }
    }

    /// How many units.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The terms of a unit with each other one as mates.
    #[inline]
    pub(crate) fn together(&self, unit: usize) -> &[f64] {
        &self.together[unit * self.count()..][..self.count()]
    }

    /// The terms of a unit with each other one as opponents.
    #[inline]
    pub(crate) fn against(&self, unit: usize) -> &[f64] {
        &self.against[unit * self.count()..][..self.count()]
    }

    /// A unit's sum of levels in each balance.
    pub(crate) fn levels(&self, unit: usize) -> &[f64] {
        let balances = self.terms.balances().len();
        &self.levels[unit * balances..][..balances]
    }
}
