//! An objective's terms in single precision, laid out for a search that evaluates millions of exchanges a second.

use std::sync::Arc;

use crate::pool::LobbyPool;
use crate::terms::LobbyTerms;

/// Levels of four balances at a time: one instruction adds them.
pub(super) type Lanes = [f32; LANES];
const LANES: usize = 4;

/// A forbidden pair counts as minus this many times what all pairs of a match can sum to, so that the sum of a match's
/// pairs tells how many of them are forbidden.
const FORBIDDEN: f32 = 4.0;

/// Steps in which a balance's worth is tabulated.
const STEPS: usize = 2048;

/// Added to a small number, this leaves it rounded in the lowest bits.
const ROUNDED: f32 = 12_582_912.0;

/// The terms, as the search reads them.
#[derive(Debug)]
pub(super) struct Table {
    players: usize,
    /// Row by row, for two players of one team, and for opponents: apart, so that whole rows add up quickly.
    together: Vec<f32>,
    against: Vec<f32>,
    /// Player by player, one for each balance, in lanes.
    levels: Vec<Lanes>,
    balances: Vec<Steps>,
    links: Option<LinkTable>,
    /// What each player costs who is unmatched.
    penalties: Vec<f32>,
    /// What all balances of a match are worth at most, and its links.
    most_balance: f32,
    most_links: f32,
    /// What a forbidden pair counts as, below 0, and what a match with many of them is worth less than dissolved.
    forbidden: f32,
    slope: f32,
    /// Whether pairs are forbidden: sums of such large numbers round far.
    is_rough: bool,
    /// 1 / team sizes.
    shares: [f32; 2],
}

/// A balance's worth at equal steps of the difference.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    per_unit: f32,
    worth: Arc<[f32; STEPS + 2]>,
}

#[derive(Debug)]
struct LinkTable {
    /// Row by row, 1 for two players who are not linked.
    apart: Vec<u16>,
    by_count: Vec<f32>,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "single precision is enough to search by: what is found is evaluated in double"
)]
impl Table {
    /// The terms of a pool's players.
    pub(super) fn new(pool: &LobbyPool, terms: &LobbyTerms) -> Self {
        let players = terms.players();
        let size = pool.match_size();
        let finite = (0..players).flat_map(|i| terms.row(i).iter().flatten().filter(|term| term.is_finite()));
        let greatest_term = finite.fold(0.0, |most: f64, term| most.max(term.abs()));
        let pairs = (size * (size - 1) / 2) as f32;
        let forbidden = -(FORBIDDEN * pairs * greatest_term as f32).max(f32::MIN_POSITIVE);
        let single = |term: f64| {
            if term == f64::NEG_INFINITY {
                forbidden
            } else {
                term as f32
            }
        };
        let mut sides = [(); 2].map(|()| Vec::with_capacity(players * players));
        for i in 0..players {
            for (side, terms_of) in sides.iter_mut().enumerate() {
                terms_of.extend(terms.row(i).iter().map(|pair| single(pair[side])));
            }
        }
        let [together, against] = sides;
        let is_rough = together.iter().chain(&against).any(|&term| term == forbidden);
        let lanes = terms.balances().len().div_ceil(LANES);
        let mut levels = vec![[0.0; LANES]; players * lanes];
        for (k, balance) in terms.balances().iter().enumerate() {
            for player in 0..players {
                // Far from 0, single precision would lose the differences.
                let level = (balance.levels()[player] - balance.levels()[0]) as f32;
                levels[player * lanes + k / LANES][k % LANES] = level;
            }
        }
        let links = (!terms.worth_of_links().is_empty()).then(|| LinkTable {
            apart: (0..players)
                .flat_map(|i| (0..players).map(move |j| (i, j)))
                .map(|(i, j)| u16::from(i != j && !terms.linked(i, j)))
                .collect(),
            by_count: terms.worth_of_links().iter().map(|&worth| worth as f32).collect(),
        });
        let shares = [0, 1].map(|team| 1.0 / pool.sizes()[team] as f32);
        let balances: Vec<Steps> = terms.balances().iter().map(Steps::of).collect();
        let greatest = |values: &[f32]| values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let most_links = links
            .as_ref()
            .map_or(0.0, |links: &LinkTable| greatest(&links.by_count));
        let most_pairs = pairs * greatest_term as f32;
        let most_balance: f32 = balances.iter().map(|steps| greatest(&steps.worth[..])).sum();
        Self {
            players,
            forbidden,
            slope: (most_pairs + most_balance + most_links).min(1.0),
            is_rough,
            levels,
            balances,
            links,
            penalties: pool
                .unmatched_penalties()
                .iter()
                .map(|&penalty| penalty as f32)
                .collect(),
            most_balance,
            most_links,
            together,
            against,
            shares,
        }
    }

    /// The terms of some of the players, who are numbered in the order of `names`.
    pub(super) fn part(&self, names: &[usize]) -> Self {
        fn square<T: Copy>(rows: &[T], players: usize, names: &[usize]) -> Vec<T> {
            let mut part = Vec::with_capacity(names.len() * names.len());
            for &i in names {
                let row = &rows[i * players..][..players];
                part.extend(names.iter().map(|&j| row[j]));
            }
            part
        }
        let lanes = self.lanes();
        Self {
            players: names.len(),
            together: square(&self.together, self.players, names),
            against: square(&self.against, self.players, names),
            levels: names
                .iter()
                .flat_map(|&i| self.levels[i * lanes..][..lanes].iter().copied())
                .collect(),
            balances: self.balances.clone(),
            links: self.links.as_ref().map(|links| LinkTable {
                apart: square(&links.apart, self.players, names),
                by_count: links.by_count.clone(),
            }),
            penalties: names.iter().map(|&i| self.penalties[i]).collect(),
            ..*self
        }
    }

    /// A player's terms with all others as mates.
    #[inline]
    pub(super) fn together(&self, player: u32) -> &[f32] {
        &self.together[player as usize * self.players..][..self.players]
    }

    /// A player's terms with all others as opponents.
    #[inline]
    pub(super) fn against(&self, player: u32) -> &[f32] {
        &self.against[player as usize * self.players..][..self.players]
    }

    /// How well two players match, on either side.
    pub(super) fn affinity(&self, i: usize, j: usize) -> f32 {
        self.together[i * self.players + j] + self.against[i * self.players + j]
    }

    /// A player's level in each balance, in lanes.
    #[inline]
    pub(super) fn levels(&self, player: u32) -> &[Lanes] {
        let lanes = self.lanes();
        &self.levels[player as usize * lanes..][..lanes]
    }

    /// How many lanes the levels take.
    #[inline]
    pub(super) fn lanes(&self) -> usize {
        self.balances.len().div_ceil(LANES)
    }

    /// What the balances of one lane group are worth for teams whose levels have these sums.
    #[inline]
    pub(super) fn balance(&self, group: usize, sums_a: &Lanes, sums_b: &Lanes) -> f32 {
        let mut differences = [0.0; LANES];
        for (difference, (a, b)) in differences.iter_mut().zip(sums_a.iter().zip(sums_b)) {
            *difference = (a * self.shares[0] - b * self.shares[1]).abs();
        }
        let balances = self.balances[group * LANES..].iter().zip(differences);
        balances.map(|(balance, difference)| balance.at(difference)).sum()
    }

    /// For each player, 1 if not linked with this one; `None` if links do not count.
    #[inline]
    pub(super) fn apart(&self, player: u32) -> Option<&[u16]> {
        let links = self.links.as_ref()?;
        Some(&links.apart[player as usize * self.players..][..self.players])
    }

    /// What 0, 1, 2, ... players linked with all others are worth, more as the last; empty if links do not count.
    #[inline]
    pub(super) fn by_count(&self) -> &[f32] {
        self.links.as_ref().map_or(&[], |links| &links.by_count)
    }

    /// What all balances of a match are worth at most.
    #[inline]
    pub(super) const fn most_balance(&self) -> f32 {
        self.most_balance
    }

    /// What the links of a match are worth at most.
    #[inline]
    pub(super) const fn most_links(&self) -> f32 {
        self.most_links
    }

    /// What a match is worth whose pairs sum to `pairs`, and balances and links to `rest`; `penalty` is what all its
    /// players would cost unmatched.
    ///
    /// A forbidden match is worth minus its penalty, as when it is dissolved, and a little less for each forbidden pair, so
    /// that a search sees which way out is. That counts less from pair to pair: one match with many is better than two
    /// with a few each.
    #[inline]
    pub(super) fn worth(&self, pairs: f32, rest: f32, penalty: f32) -> f32 {
        if self.is_rough {
            let forbidden = (pairs / self.forbidden).round();
            if forbidden >= 1.0 {
                return -penalty - self.slope * forbidden / (1.0 + forbidden);
            }
        }
        (pairs + rest).clamp(0.0, 1.0)
    }

    /// Whether pairs are forbidden.
    #[inline]
    pub(super) const fn is_rough(&self) -> bool {
        self.is_rough
    }

    /// What these players cost if they are unmatched.
    #[inline]
    pub(super) fn penalty(&self, players: &[u32]) -> f32 {
        players
            .iter()
            .map(|&player| self.penalties[player as usize])
            .sum()
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a step is a small number of 0 or more; single precision is enough to search by"
)]
impl Steps {
    fn of(balance: &crate::terms::Balance) -> Self {
        let (least, most) = balance
            .levels()
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &level| {
                (level.min(least), level.max(most))
            });
        let widest = (most - least).max(f64::MIN_POSITIVE);
        let worth = |step: usize| balance.worth(widest * (step as f64 / STEPS as f64)) as f32;
        Self {
            per_unit: (STEPS as f64 / widest).min(f64::from(f32::MAX)) as f32,
            worth: Arc::new(std::array::from_fn(worth)),
        }
    }

    /// What this difference is worth.
    #[inline]
    pub(super) fn at(&self, difference: f32) -> f32 {
        let at = (difference * self.per_unit).min(STEPS as f32);
        let rounded = at - 0.5 + ROUNDED;
        let step = ((rounded.to_bits() & 0xfff) as usize).min(STEPS);
        let (low, high) = (self.worth[step], self.worth[step + 1]);
        low + (at - (rounded - ROUNDED)) * (high - low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Balance;

    #[test]
    fn between_steps_the_worth_is_in_line_with_both() {
        // 1, 0, 1, 0, ... at whole differences, of which there are as many as steps.
        let jagged = |gap: f64| 1.0 - gap.round() % 2.0;
        let steps = Steps::of(&Balance::new(vec![0.0, STEPS as f64], 1.0, jagged));
        for (difference, worth) in [
            (0.0, 1.0),
            (0.25, 0.75),
            (0.75, 0.25),
            (1.0, 0.0),
            (1.75, 0.75),
            (2.0, 1.0),
            (1000.5, 0.5),
            (1001.125, 0.125),
            (2047.0, 0.0),
            (2047.875, 0.875),
            (2048.0, 1.0),
            // No difference is greater but by rounding.
            (2049.0, 1.0),
            (f32::INFINITY, 1.0),
        ] {
            assert_eq!(steps.at(difference), worth, "{difference}");
        }
    }
}
