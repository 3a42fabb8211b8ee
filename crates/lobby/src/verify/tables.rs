//! Tables for the verifier: terms of parties and pairs of parties, less what they pay.

use crate::{LobbyCertificate, LobbyPool, LobbyTerms};

/// What is looked up for each party, and each two. Minus infinity where forbidden.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    pub(super) pool: &'a LobbyPool,
    pub(super) terms: &'a LobbyTerms,
    pub(super) sizes: Vec<usize>,
    /// The terms within each party, less its dual.
    pub(super) values: Vec<f64>,
    /// Row by row: [together, against], less a third of the dual of each cut that has both.
    pub(super) pairs: Vec<[f64; 2]>,
    /// For each balance, the sums of the parties' levels.
    levels: Vec<Vec<f64>>,
    /// What balances and links can be worth at most.
    pub(super) most_beyond: f64,
    cuts: Vec<([usize; 3], f64)>,
}

impl<'a> Tables<'a> {
    /// The terms of `terms`, what is paid by `certificate`.
    ///
    /// A match with two of a cut's parties pays its dual, one with three as well: a third for each two of them is at
    /// most that, and what is missing is [`owed`](Self::owed).
    pub(super) fn new(pool: &'a LobbyPool, terms: &'a LobbyTerms, certificate: &LobbyCertificate) -> Self {
        let parties = pool.parties();
        let count = parties.len();
        let sum = |u: &[usize], v: &[usize], against: bool| -> f64 {
            let term = |i, j| {
                if against {
                    terms.against(i, j)
                } else {
                    terms.together(i, j)
                }
            };
            let pairs = u.iter().flat_map(|&i| v.iter().map(move |&j| (i, j)));
            pairs.map(|(i, j)| term(i, j).unwrap_or(f64::NEG_INFINITY)).sum()
        };
        let own = |party: &[usize]| -> f64 {
            (1..party.len())
                .map(|k| sum(&party[k..=k], &party[..k], false))
                .sum()
        };
        let mut pairs = vec![[f64::NEG_INFINITY; 2]; count * count];
        for (u, one) in parties.iter().enumerate() {
            for (v, other) in parties.iter().enumerate().filter(|&(v, _)| v != u) {
                pairs[u * count + v] = [sum(one, other, false), sum(one, other, true)];
            }
        }
        let cuts: Vec<([usize; 3], f64)> = certificate
            .cuts
            .iter()
            .filter(|cut| cut.1 > 0.0)
            .map(|&(parties, dual)| (parties.map(|party| party as usize), dual))
            .collect();
        for &([u, v, w], dual) in &cuts {
            for (one, other) in [(u, v), (u, w), (v, w)] {
                for at in [one * count + other, other * count + one] {
                    pairs[at] = pairs[at].map(|term| term - dual / 3.0);
                }
            }
        }
        let levels = terms.balances().iter().map(|balance| {
            let sum = |party: &Vec<usize>| party.iter().map(|&player| balance.levels()[player]).sum();
            parties.iter().map(sum).collect()
        });
        Self {
            pool,
            terms,
            sizes: parties.iter().map(Vec::len).collect(),
            values: parties
                .iter()
                .zip(&certificate.duals)
                .map(|(party, dual)| own(party) - dual)
                .collect(),
            pairs,
            levels: levels.collect(),
            most_beyond: terms.most_beyond_pairs(),
            cuts,
        }
    }

    /// The same for a quality of 0 of all matches that are allowed: what matters of matches whose terms sum to less.
    pub(super) fn of_nothing(&self, certificate: &LobbyCertificate) -> Self {
        let allowed = |term: f64| if term == f64::NEG_INFINITY { term } else { 0.0 };
        let own = |(value, dual): (&f64, &f64)| allowed(*value) - dual;
        Self {
            pool: self.pool,
            terms: self.terms,
            sizes: self.sizes.clone(),
            values: self.values.iter().zip(&certificate.duals).map(own).collect(),
            pairs: self.pairs.iter().map(|pair| pair.map(allowed)).collect(),
            levels: Vec::new(),
            most_beyond: 0.0,
            cuts: Vec::new(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// What balances and links are worth at most for these teams, links taken at their best.
    pub(super) fn balanced(&self, team_a: &[usize], team_b: &[usize]) -> f64 {
        let (size_a, size_b) = self.pool.first_two();
        let mut beyond = self.most_beyond;
        for (balance, levels) in self.terms.balances().iter().zip(&self.levels) {
            let mean = |team: &[usize], size: usize| {
                team.iter().map(|&party| levels[party]).sum::<f64>() / size as f64
            };
            beyond += balance.worth(mean(team_a, size_a) - mean(team_b, size_b)) - balance.most();
        }
        beyond
    }

    /// What the match pays to cuts beyond the thirds for each two parties.
    pub(super) fn owed(&self, team_a: &[usize], team_b: &[usize]) -> f64 {
        let has = |party: &&usize| team_a.contains(party) || team_b.contains(party);
        let two = |cut: &&([usize; 3], f64)| cut.0.iter().filter(has).count() == 2;
        self.cuts.iter().filter(two).map(|cut| cut.1 * (2.0 / 3.0)).sum()
    }
}
