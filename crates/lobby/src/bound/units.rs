//! The pool as column generation sees it: parties as units, their terms and unmatched penalties.

use std::ops::Deref;

use super::cuts::Cut;
use crate::pool::LobbyPool;
use crate::terms::LobbyTerms;
use crate::unit_terms::UnitTerms;

/// Parties as units.
#[derive(Debug, Clone)]
pub(super) struct Units<'a> {
    pub(super) pool: &'a LobbyPool,
    sums: UnitTerms<'a>,
    /// The most that all balances and links can be worth.
    pub(super) most_beyond_pairs: f64,
    /// The unmatched penalty of each unit.
    pub(super) penalties: Vec<f64>,
    /// Row by row: whether a player is linked with all members of a unit but itself; empty if links do not count.
    linked: Vec<bool>,
    /// For each unit, how many of its players are linked with the whole pool.
    with_all: Vec<usize>,
}

impl<'a> Deref for Units<'a> {
    type Target = UnitTerms<'a>;

    fn deref(&self) -> &UnitTerms<'a> {
        &self.sums
    }
}

impl<'a> Units<'a> {
    pub(super) fn new(pool: &'a LobbyPool, terms: &'a LobbyTerms) -> Self {
        let parties = pool.parties();
        let linked = linked(pool, terms);
        let with_all = |&&player: &&usize| {
            let row = linked.get(player * parties.len()..(player + 1) * parties.len());
            row.is_some_and(|row| row.iter().all(|&with| with))
        };
        Self {
            pool,
            sums: UnitTerms::new(terms, parties),
            most_beyond_pairs: terms.most_beyond_pairs(),
            penalties: parties.iter().map(|party| pool.penalty(party)).collect(),
            with_all: parties
                .iter()
                .map(|party| party.iter().filter(with_all).count())
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
                    units.sums.together[at] -= dual / 3.0;
                    units.sums.against[at] -= dual / 3.0;
                }
            }
        }
        units
    }

    /// The worth of balances and links.
    pub(super) fn beyond_pairs(&self, team_a: &[usize], team_b: &[usize]) -> f64 {
        let mut worth = 0.0;
        let (size_a, size_b) = self.pool.first_two();
        for (k, balance) in self.terms.balances().iter().enumerate() {
            let mean = |team: &[usize], size: usize| {
                team.iter().map(|&unit| self.levels(unit)[k]).sum::<f64>() / size as f64
            };
            worth += balance.worth(mean(team_a, size_a) - mean(team_b, size_b));
        }
        if let Some(last) = self.terms.worth_of_links().len().checked_sub(1) {
            // Most matches have enough players who are linked with the whole pool.
            let all = team_a.iter().chain(team_b);
            let mut linked = all.map(|&unit| self.with_all[unit]).sum::<usize>();
            if linked < last {
                linked = self.linked_with_all(team_a, team_b);
            }
            worth += self.terms.links(linked);
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

/// Row by row: whether a player is linked with all members of a unit but itself; empty if links do not count.
fn linked(pool: &LobbyPool, terms: &LobbyTerms) -> Vec<bool> {
    if terms.worth_of_links().is_empty() {
        return Vec::new();
    }
    let with = |player: usize, party: &[usize]| {
        party
            .iter()
            .all(|&other| other == player || terms.linked(player, other))
    };
    (0..pool.players())
        .flat_map(|player| pool.parties().iter().map(move |party| with(player, party)))
        .collect()
}
