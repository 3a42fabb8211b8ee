//! [`Prior`]: the normal prior on log-strengths, on each player's or on the mean of each group that is connected inside.

/// What a prior of precision lambda draws towards 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Spread {
    /// Each player's log-strength.
    Players,
    /// How far the mean log-strength of each group lies from that of all players.
    Groups {
        /// The group of each player.
        group_of: Vec<usize>,
        /// Players in each group.
        sizes: Vec<f64>,
    },
    /// Nothing.
    Nothing,
}

/// A normal density of the unknowns around 0: its logarithm is `-x'Qx / 2` up to a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prior {
    pub(super) precision: f64,
    pub(super) spread: Spread,
    /// Whether a home advantage is drawn towards 0 as well.
    pub(super) advantage: bool,
}

impl Prior {
    /// The prior on the means of `groups`, which hold each of `players` once; none if there is one group.
    pub(super) fn on_groups(precision: f64, players: usize, groups: &[Vec<usize>], advantage: bool) -> Self {
        let spread = if groups.len() > 1 {
            let mut group_of = vec![0; players];
            for (index, group) in groups.iter().enumerate() {
                for &player in group {
                    group_of[player] = index;
                }
            }
            Spread::Groups {
                group_of,
                sizes: groups.iter().map(|group| group.len() as f64).collect(),
            }
        } else {
            Spread::Nothing
        };
        Self {
            precision,
            spread,
            advantage,
        }
    }

    /// lambda, if the prior is on anything.
    pub(super) fn precision(&self) -> Option<f64> {
        (self.advantage || self.spread != Spread::Nothing).then_some(self.precision)
    }

    /// Q times `vector`, whose first `players` numbers are log-strengths and whose last may be an advantage.
    pub(super) fn multiply(&self, players: usize, vector: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; vector.len()];
        let (strengths, advantage) = vector.split_at(players);
        match &self.spread {
            Spread::Nothing => {}
            Spread::Players => {
                for (product, x) in product.iter_mut().zip(strengths) {
                    *product = self.precision * x;
                }
            }
            Spread::Groups { group_of, sizes } => {
                let mean = strengths.iter().sum::<f64>() / players as f64;
                let mut leads = vec![0.0; sizes.len()];
                for (&group, x) in group_of.iter().zip(strengths) {
                    leads[group] += x / sizes[group];
                }
                for lead in &mut leads {
                    *lead -= mean;
                }
                let level = leads.iter().sum::<f64>() / players as f64;
                for (product, &group) in product.iter_mut().zip(group_of) {
                    *product = self.precision * (leads[group] / sizes[group] - level);
                }
            }
        }
        if let (true, Some(x)) = (self.advantage, advantage.first()) {
            product[players] = self.precision * x;
        }
        product
    }

    /// The entry of Q for the log-strengths of players `i` and `j` of `players`.
    pub(super) fn entry(&self, players: usize, i: usize, j: usize) -> f64 {
        let unit = match &self.spread {
            Spread::Nothing => 0.0,
            Spread::Players => f64::from(i == j),
            Spread::Groups { group_of, sizes } => {
                let (first, second) = (sizes[group_of[i]], sizes[group_of[j]]);
                let players = players as f64;
                let shared = if group_of[i] == group_of[j] {
                    1.0 / (first * second)
                } else {
                    0.0
                };
                shared - (1.0 / first + 1.0 / second) / players + sizes.len() as f64 / (players * players)
            }
        };
        self.precision * unit
    }

    /// Weights of edges from each of `players` to 0 that stand for the prior in a graph.
    ///
    /// A group's mean is tied to 0 through its first player, which is exact for a group that moves as one.
    pub(super) fn ground(&self, players: usize) -> Vec<f64> {
        match &self.spread {
            Spread::Nothing => vec![0.0; players],
            Spread::Players => vec![self.precision; players],
            Spread::Groups { group_of, sizes } => {
                let mut tied = vec![false; sizes.len()];
                let first_of_group = |&group: &usize| !std::mem::replace(&mut tied[group], true);
                group_of
                    .iter()
                    .map(first_of_group)
                    .map(|first| self.precision * f64::from(first))
                    .collect()
            }
        }
    }

    /// The precision of the prior on the advantage.
    pub(super) fn on_advantage(&self) -> f64 {
        if self.advantage { self.precision } else { 0.0 }
    }
}
