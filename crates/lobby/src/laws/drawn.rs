//! An objective drawn from a seed, to try splitters and lobby solvers on.

use crate::random::SplitMix64;
use crate::{Balance, LobbyObjective, LobbyTerms};

/// Terms that are hashes of names.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) salt: u64,
    pub(super) forbidden: bool,
    pub(super) terms: bool,
}

impl Drawn {
    /// In [0, 1), the same in both orders.
    fn hash(&self, i: usize, j: usize, purpose: u64) -> f64 {
        let (i, j) = (i.min(j) as u64, i.max(j) as u64);
        SplitMix64(self.salt ^ (i << 40) ^ (j << 20) ^ purpose).unit()
    }

    fn build(&self, players: &[usize], (a, b): (usize, usize)) -> Option<LobbyTerms> {
        let pairs = ((a + b) * (a + b) / 2).max(1) as f64;
        let term = |purpose: u64| {
            move |i: usize, j: usize| {
                let hash = self.hash(players[i], players[j], purpose);
                (!self.forbidden || hash > 0.06).then_some(0.6 * hash / pairs)
            }
        };
        let levels = players
            .iter()
            .map(|&player| self.hash(player, player, 3))
            .collect();
        let balance = Balance::new(levels, 0.4, |gap| 0.4 * (1.0 - gap));
        let terms = LobbyTerms::new(players.len())
            .ok()?
            .with_pairs(term(1), term(2))
            .ok()?;
        terms.with_balance(balance).ok()
    }
}

impl LobbyObjective for Drawn {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let players = [team_a, team_b].concat();
        let places: Vec<usize> = (0..players.len()).collect();
        let (a, b) = places.split_at(team_a.len());
        self.build(&players, (a.len(), b.len()))?.quality(a, b)
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        if self.terms {
            self.build(players, sizes)
        } else {
            None
        }
    }
}
