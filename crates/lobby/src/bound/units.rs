//! The pool as column generation sees it: parties, and the terms of every two of them.

use super::cuts::Cut;
use crate::pool::LobbyPool;
use crate::terms::LobbyTerms;

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
    /// Unit by unit, the sum of its members' levels in each balance.
    levels: Vec<f64>,
    /// Row by row: whether a player is linked with all members of a unit but himself.
    linked: Vec<bool>,
    /// For each unit, how many of its players are linked with the whole pool.
    with_everybody: Vec<usize>,
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
        let linked = linked(pool, terms);
        let everywhere = |&&player: &&usize| {
            let row = linked.get(player * count..(player + 1) * count);
            row.is_some_and(|row| row.iter().all(|&with| with))
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
            levels: levels(pool, terms),
            with_everybody: parties
                .iter()
                .map(|party| party.iter().filter(everywhere).count())
                .collect(),
            linked,
        }
    }

    /// The same with a third of each cut's dual taken from the terms of every two of its units: a match with two of
    /// them pays a third, one with three the whole, so that no bound pays too much.
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
        let mut worth = 0.0;
        let (size_a, size_b) = self.pool.sizes();
        let count = self.terms.balances().len();
        for (k, balance) in self.terms.balances().iter().enumerate() {
            let mean = |team: &[usize], size: usize| {
                team.iter()
                    .map(|&unit| self.levels[unit * count + k])
                    .sum::<f64>()
                    / size as f64
            };
            worth += balance.worth(mean(team_a, size_a) - mean(team_b, size_b));
        }
        if let Some(links) = self.terms.links() {
            let last = self.terms.worth_of_links().len() - 1;
            // Most matches have enough players who are linked with everybody.
            let everywhere =
                |team: &[usize]| team.iter().map(|&unit| self.with_everybody[unit]).sum::<usize>();
            let mut linked = everywhere(team_a) + everywhere(team_b);
            if linked < last {
                linked = self.linked_with_all(team_a, team_b);
            }
            worth += links.worth(linked);
        }
        worth
    }

    /// How many players are linked with all others of the match.
    fn linked_with_all(&self, team_a: &[usize], team_b: &[usize]) -> usize {
        let all = || team_a.iter().chain(team_b);
        let with_all = |&&player: &&usize| {
            let row = &self.linked[player * self.count()..][..self.count()];
            all().all(|&unit| row[unit])
        };
        all()
            .map(|&unit| self.pool.parties()[unit].iter().filter(with_all).count())
            .sum()
    }
}

/// Unit by unit, the sum of its members' levels in each balance.
fn levels(pool: &LobbyPool, terms: &LobbyTerms) -> Vec<f64> {
    let of = |party: &[usize], levels: &[f64]| party.iter().map(|&player| levels[player]).sum::<f64>();
    pool.parties()
        .iter()
        .flat_map(|party| terms.balances().iter().map(|balance| of(party, balance.levels())))
        .collect()
}

/// Row by row: whether a player is linked with all members of a unit but himself; nothing if links do not count.
fn linked(pool: &LobbyPool, terms: &LobbyTerms) -> Vec<bool> {
    let Some(links) = terms.links() else {
        return Vec::new();
    };
    let players = pool.players();
    let with = |player: usize, party: &[usize]| {
        party
            .iter()
            .all(|&other| other == player || links.linked(player, other, players))
    };
    (0..players)
        .flat_map(|player| pool.parties().iter().map(move |party| with(player, party)))
        .collect()
}
