//! The pool as column generation sees it: parties, and the terms of every two of them.

use super::cuts::Cut;
use crate::lobby::pool::LobbyPool;
use crate::lobby::terms::LobbyTerms;

/// Parties as units: sizes, terms within and between them. Sums are minus infinity where a pair is forbidden.
#[derive(Debug, Clone)]
pub(super) struct Units<'a> {
    pub(super) pool: &'a LobbyPool,
    pub(super) terms: &'a LobbyTerms,
    /// Players of each unit.
    pub(super) sizes: Vec<usize>,
    /// Sum of the terms among the members, who play together.
    pub(super) own: Vec<f64>,
    /// Row by row: the sums of all pairs' terms if both units are in one team, and if they are opponents.
    together: Vec<f64>,
    against: Vec<f64>,
    /// What all balances and links can be worth at most.
    pub(super) most_beyond_pairs: f64,
    /// What leaving out each unit costs.
    pub(super) prices: Vec<f64>,
}

impl<'a> Units<'a> {
    pub(super) fn new(pool: &'a LobbyPool, terms: &'a LobbyTerms) -> Self {
        let parties = pool.parties();
        let count = parties.len();
        let sum = |u: usize, v: usize, side: usize| -> f64 {
            let rows = parties[u].iter().map(|&i| terms.row(i));
            rows.map(|row| parties[v].iter().map(|&j| row[j][side]).sum::<f64>())
                .sum()
        };
        let table = |side: usize| {
            let mut table = vec![0.0; count * count];
            for u in 0..count {
                for v in (0..count).filter(|&v| v != u) {
                    table[u * count + v] = sum(u, v, side);
                }
            }
            table
        };
        let balances: f64 = terms
            .balances()
            .iter()
            .map(super::super::terms::Balance::most)
            .sum();
        Self {
            pool,
            terms,
            sizes: parties.iter().map(Vec::len).collect(),
            // Each pair comes up in both orders, nobody with himself.
            own: (0..count).map(|u| 0.5 * sum(u, u, 0)).collect(),
            together: table(0),
            against: table(1),
            most_beyond_pairs: balances + terms.links().map_or(0.0, super::super::terms::Links::most),
            prices: parties
                .iter()
                .map(|party| party.iter().map(|&player| pool.prices()[player]).sum())
                .collect(),
        }
    }

    /// The same with a third of each cut's dual taken from the terms of every two of its units: a match with two of them pays a
    /// third, one with three the whole, so that no bound pays too much.
    pub(super) fn with_cuts(&self, cuts: &[(Cut, f64)]) -> Self {
        let mut units = self.clone();
        for &(cut, dual) in cuts {
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let (u, v) = (cut[a] as usize, cut[b] as usize);
                for at in [u * self.count() + v, v * self.count() + u] {
                    units.together[at] -= dual / 3.0;
                    units.against[at] -= dual / 3.0;
                }
            }
        }
        units
    }

    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    #[inline]
    pub(super) fn together(&self, unit: usize) -> &[f64] {
        &self.together[unit * self.count()..][..self.count()]
    }

    #[inline]
    pub(super) fn against(&self, unit: usize) -> &[f64] {
        &self.against[unit * self.count()..][..self.count()]
    }

    /// The players of these units.
    pub(super) fn players(&self, units: impl IntoIterator<Item = usize>) -> Vec<usize> {
        units
            .into_iter()
            .flat_map(|unit| self.pool.parties()[unit].iter().copied())
            .collect()
    }

    /// What balances and links are worth.
    pub(super) fn beyond_pairs(&self, team_a: &[usize], team_b: &[usize]) -> f64 {
        let (a, b) = (
            self.players(team_a.iter().copied()),
            self.players(team_b.iter().copied()),
        );
        let mean = |levels: &[f64], team: &[usize]| {
            team.iter().map(|&player| levels[player]).sum::<f64>() / team.len() as f64
        };
        let balances = self.terms.balances().iter();
        let mut worth: f64 = balances
            .map(|balance| balance.worth(mean(balance.levels(), &a) - mean(balance.levels(), &b)))
            .sum();
        if let Some(links) = self.terms.links() {
            worth += links.worth(self.terms.linked_with_all(&[a, b].concat()));
        }
        worth
    }
}
