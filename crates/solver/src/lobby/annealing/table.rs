//! An objective's terms in single precision, laid out for a search that looks at millions of exchanges a second.

use crate::lobby::pool::LobbyPool;
use crate::lobby::terms::LobbyTerms;

/// What a forbidden pair costs: more than all matches are worth, so that a search leaves it behind, yet a number, so that
/// differences stay numbers. Only the search sees it; what it finds is asked of the objective.
const FORBIDDEN: f32 = -1e3;

/// Steps in which a balance's worth is tabulated.
const STEPS: usize = 2048;

/// The terms, as the search reads them.
#[derive(Debug)]
pub(in crate::lobby) struct Table {
    players: usize,
    /// Row by row: [together, against].
    pairs: Vec<[f32; 2]>,
    /// Player by player, one for each balance.
    levels: Vec<f32>,
    balances: Vec<Steps>,
    links: Option<LinkTable>,
    /// What leaving out each player costs.
    prices: Vec<f32>,
    /// 1 / team sizes.
    shares: [f32; 2],
}

/// Who leaves a team, and who joins it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) leave: &'a [u32],
    pub(super) join: &'a [u32],
}

impl Change<'_> {
    /// Nobody.
    pub(super) const NONE: Self = Self {
        leave: &[],
        join: &[],
    };
}

/// A balance's worth at equal steps of the difference.
#[derive(Debug)]
struct Steps {
    per_unit: f32,
    worth: Vec<f32>,
}

#[derive(Debug)]
struct LinkTable {
    /// Bit j of row i: i and j are linked.
    rows: Vec<u64>,
    words: usize,
    /// Whether a player is linked with everybody.
    with_everybody: Vec<bool>,
    by_count: Vec<f32>,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "single precision is enough to search by: what is found is evaluated in double"
)]
impl Table {
    /// The terms of a pool's players.
    pub(in crate::lobby) fn new(pool: &LobbyPool, terms: &LobbyTerms) -> Self {
        let players = terms.players();
        let single = |term: f64| {
            if term == f64::NEG_INFINITY {
                FORBIDDEN
            } else {
                term as f32
            }
        };
        let row = |i| terms.row(i).iter().map(|pair| pair.map(single));
        let mut levels = Vec::with_capacity(players * terms.balances().len());
        for player in 0..players {
            levels.extend(terms.balances().iter().map(|balance| {
                // Far from 0, single precision would lose the differences.
                (balance.levels()[player] - balance.levels()[0]) as f32
            }));
        }
        let links = terms.links().map(|links| {
            let words = players.div_ceil(64);
            let mut rows = vec![0; players * words];
            for i in 0..players {
                for j in (0..players).filter(|&j| j == i || links.linked(i, j, players)) {
                    rows[i * words + j / 64] |= 1 << (j % 64);
                }
            }
            let everybody = |i: usize| (0..players).all(|j| rows[i * words + j / 64] >> (j % 64) & 1 == 1);
            LinkTable {
                with_everybody: (0..players).map(everybody).collect(),
                rows,
                words,
                by_count: links.by_count().iter().map(|&worth| worth as f32).collect(),
            }
        });
        let (size_a, size_b) = pool.sizes();
        Self {
            players,
            pairs: (0..players).flat_map(row).collect(),
            levels,
            balances: terms.balances().iter().map(Steps::of).collect(),
            links,
            prices: pool.prices().iter().map(|&price| price as f32).collect(),
            shares: [1.0 / size_a as f32, 1.0 / size_b as f32],
        }
    }

    /// [together, against] of a player with all others.
    #[inline]
    pub(super) fn row(&self, player: u32) -> &[[f32; 2]] {
        &self.pairs[player as usize * self.players..][..self.players]
    }

    /// How well two players get on, on either side.
    pub(in crate::lobby) fn affinity(&self, i: usize, j: usize) -> f32 {
        let [together, against] = self.pairs[i * self.players + j];
        together + against
    }

    /// A player's level in each balance.
    #[inline]
    pub(super) fn levels(&self, player: u32) -> &[f32] {
        let count = self.balances.len();
        &self.levels[player as usize * count..][..count]
    }

    /// How many balances.
    #[inline]
    pub(super) fn balances(&self) -> usize {
        self.balances.len()
    }

    /// What a balance is worth for teams whose levels have these sums.
    #[inline]
    pub(super) fn balance(&self, balance: usize, [sum_a, sum_b]: [f32; 2]) -> f32 {
        self.balances[balance].at((sum_a * self.shares[0] - sum_b * self.shares[1]).abs())
    }

    /// 1 for a player linked with everybody, if links count.
    #[inline]
    pub(super) fn with_everybody(&self, player: u32) -> u32 {
        self.links
            .as_ref()
            .map_or(0, |links| u32::from(links.with_everybody[player as usize]))
    }

    /// What links are worth in the match of a team that `leave` left for `join` and its opponents `other`, of whom
    /// `with_everybody` are linked with everybody in the pool.
    #[inline]
    pub(super) fn linked(&self, with_everybody: u32, own: &[u32], change: Change<'_>, other: &[u32]) -> f32 {
        let Some(links) = &self.links else { return 0.0 };
        let last = links.by_count.len() - 1;
        if with_everybody as usize >= last {
            return links.by_count[last];
        }
        let mut count = 0;
        for (team, of_own) in [(own, true), (change.join, false), (other, false)] {
            for &player in team {
                if of_own && change.leave.contains(&player) {
                    continue;
                }
                let row = &links.rows[player as usize * links.words..][..links.words];
                let linked = |&j: &u32| row[j as usize / 64] >> (j % 64) & 1 == 1;
                let with_own = own.iter().all(|j| linked(j) || change.leave.contains(j));
                count += usize::from(with_own && change.join.iter().all(linked) && other.iter().all(linked));
                // Most matches have enough of them among the first players.
                if count == last {
                    return links.by_count[last];
                }
            }
        }
        links.by_count[count]
    }

    /// What leaving out these players costs.
    #[inline]
    pub(super) fn price(&self, players: &[u32]) -> f32 {
        players.iter().map(|&player| self.prices[player as usize]).sum()
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a step is a small number of 0 or more; single precision is enough to search by"
)]
impl Steps {
    fn of(balance: &crate::lobby::terms::Balance) -> Self {
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
            worth: (0..=STEPS + 1).map(worth).collect(),
        }
    }

    #[inline]
    fn at(&self, difference: f32) -> f32 {
        let at = (difference * self.per_unit).min(STEPS as f32);
        let step = at as usize;
        let (low, high) = (self.worth[step], self.worth[step + 1]);
        low + (at - step as f32) * (high - low)
    }
}
