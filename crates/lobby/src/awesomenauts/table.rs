//! The terms in single precision, for judging splits by sums.

use crate::pool::LobbyPool;
use crate::terms::{Balance, LobbyTerms};

/// What a forbidden pair costs: more than all matches are worth, so that a search leaves it behind, yet a number.
pub(super) const FORBIDDEN: f32 = -1e3;

/// A value below this is one of a match that is forbidden.
pub(super) const ALLOWED: f32 = -500.0;

/// Steps in which a balance's worth is tabulated.
const STEPS: usize = 4096;

/// The terms of a pool's players.
#[derive(Debug)]
pub(super) struct Table {
    players: usize,
    /// Row by row: [together, against].
    pairs: Vec<[f32; 2]>,
    balances: Vec<Steps>,
    /// Player by player, one for each balance.
    levels: Vec<f32>,
    /// Row by row, whether two players are linked; empty if links do not count.
    linked: Vec<bool>,
    worth_of_links: Vec<f32>,
    shares: [f32; 2],
    error: f64,
}

/// A balance's worth at equal steps of the difference.
#[derive(Debug)]
struct Steps {
    per_unit: f32,
    worth: Vec<f32>,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "single precision is enough to search by: what counts is evaluated in double"
)]
impl Table {
    pub(super) fn new(pool: &LobbyPool, terms: &LobbyTerms) -> Self {
        let players = terms.players();
        let single = |term: Option<f64>| term.map_or(FORBIDDEN, |term| term as f32);
        let mut pairs = vec![[0.0; 2]; players * players];
        let mut linked = Vec::new();
        for i in 0..players {
            for j in (0..players).filter(|&j| j != i) {
                pairs[i * players + j] = [single(terms.together(i, j)), single(terms.against(i, j))];
            }
        }
        if !terms.worth_of_links().is_empty() {
            linked = (0..players * players)
                .map(|at| {
                    at / players == at % players || terms.linked_with_all(&[at / players, at % players]) == 2
                })
                .collect();
        }
        let mut levels = Vec::with_capacity(players * terms.balances().len());
        for player in 0..players {
            levels.extend(terms.balances().iter().map(|balance| {
                // Far from 0, single precision would lose the differences.
                (balance.levels()[player] - balance.levels()[0]) as f32
            }));
        }
        let balances: Vec<(Steps, f64)> = terms.balances().iter().map(Steps::of).collect();
        let (size_a, size_b) = pool.sizes();
        Self {
            players,
            pairs,
            levels,
            linked,
            worth_of_links: terms.worth_of_links().iter().map(|&worth| worth as f32).collect(),
            shares: [1.0 / size_a as f32, 1.0 / size_b as f32],
            // Single precision, and interpolation.
            error: 2e-6 + balances.iter().map(|balance| balance.1).sum::<f64>(),
            balances: balances.into_iter().map(|balance| balance.0).collect(),
        }
    }

    /// How far a match's value may be off.
    pub(super) const fn error(&self) -> f64 {
        self.error
    }

    /// [together, against] of a player with all others.
    #[inline]
    pub(super) fn row(&self, player: u32) -> &[[f32; 2]] {
        &self.pairs[player as usize * self.players..][..self.players]
    }

    /// How many balances.
    #[inline]
    pub(super) const fn balances(&self) -> usize {
        self.balances.len()
    }

    /// A player's level in each balance.
    #[inline]
    pub(super) fn levels(&self, player: u32) -> &[f32] {
        &self.levels[player as usize * self.balances.len()..][..self.balances.len()]
    }

    /// What the balances are worth for teams whose levels sum to `rest` and `join`, those of the first team before
    /// those of the second.
    #[inline]
    pub(super) fn balanced(&self, rest: &[f32], join: &[f32]) -> f32 {
        let count = self.balances.len();
        let mut worth = 0.0;
        for (k, steps) in self.balances.iter().enumerate() {
            let a = (rest[k] + join[k]) * self.shares[0];
            let b = (rest[count + k] + join[count + k]) * self.shares[1];
            worth += steps.at((a - b).abs());
        }
        worth
    }

    /// Whether two players are linked, where links count.
    #[inline]
    pub(super) fn linked(&self, i: u32, j: u32) -> bool {
        self.linked[i as usize * self.players + j as usize]
    }

    /// What 0, 1, 2, ... players linked with all others are worth; empty if links do not count.
    #[inline]
    pub(super) fn worth_of_links(&self) -> &[f32] {
        &self.worth_of_links
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a step is a small number of 0 or more; single precision is enough to search by"
)]
impl Steps {
    /// The steps, and the most that interpolation was seen to be off.
    fn of(balance: &Balance) -> (Self, f64) {
        let (least, most) = balance
            .levels()
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &level| {
                (level.min(least), level.max(most))
            });
        let widest = (most - least).max(f64::MIN_POSITIVE);
        let exact = |steps: f64| balance.worth(widest * (steps / STEPS as f64));
        let steps = Self {
            per_unit: (STEPS as f64 / widest).min(f64::from(f32::MAX)) as f32,
            worth: (0..=STEPS + 1).map(|step| exact(step as f64) as f32).collect(),
        };
        let mut error = 0.0_f64;
        for step in 0..STEPS {
            let (low, high) = (exact(step as f64), exact((step + 1) as f64));
            for part in [0.25, 0.5, 0.75] {
                error = error.max((low + part * (high - low) - exact(step as f64 + part)).abs());
            }
        }
        (steps, error)
    }

    #[inline]
    fn at(&self, difference: f32) -> f32 {
        let at = (difference * self.per_unit).min(STEPS as f32);
        let step = at as usize;
        let (low, high) = (self.worth[step], self.worth[step + 1]);
        low + (at - step as f32) * (high - low)
    }
}
