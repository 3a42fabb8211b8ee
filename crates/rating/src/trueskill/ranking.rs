//! One game's sides in the order of their places, and the posterior of each side's performance.

use super::TrueSkill;
use super::chain::{Border, Chain, Evidence};
use crate::gaussian::SideSums;
use crate::sum::sums;

/// The sides of a game from the best to the worst. Its memory is used again for the next game.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    variances: Vec<f64>,
    borders: Vec<Border>,
    chain: Chain,
    evidence: Vec<Evidence>,
}

impl Ranking {
    /// Learns what a game says of `sides`: place and sums of each, sorted by place; tied ones stand in the order
    /// given.
    pub(crate) fn settle(&mut self, system: &TrueSkill, sides: &[(u32, SideSums)]) {
        self.variances.clear();
        self.variances
            .extend(sides.iter().map(|(_, side)| system.variance(side)));
        self.borders.clear();
        self.borders
            .extend(sides.windows(2).map(|pair| system.border(&pair[0], &pair[1])));
        self.chain.settle(&self.variances, &self.borders);
        self.evidence.clear();
        self.evidence.extend(self.chain.evidence(&self.variances));
    }

    /// The sides `first..end`, which nothing tells apart, get the same: the mean of what they have.
    pub(crate) fn share(&mut self, first: usize, end: usize) {
        let evidence = &mut self.evidence[first..end];
        if evidence.len() < 2 {
            return;
        }
        let mean = Evidence::mean(evidence);
        evidence.fill(mean);
    }

    /// For each side the variance of its performance before the game, and what the game says of it.
    pub(crate) fn told(&self) -> impl Iterator<Item = (f64, &Evidence)> {
        self.variances.iter().copied().zip(&self.evidence)
    }

    /// ln of the probability that the game had of ending so.
    pub(crate) fn ln_probability(&self) -> f64 {
        self.chain.ln_probability(&self.variances, &self.borders)
    }
}

/// What is left of a side's `variance` without the skill of one member: `mine` of it, in the seat `seat`.
///
/// `parts` are all members' skill and noise parts of the variance, w^2 sigma^2 and w^2 beta^2.
#[inline]
pub(crate) fn without_skill(
    variance: f64,
    mine: f64,
    seat: usize,
    parts: impl Iterator<Item = (f64, f64)> + Clone,
) -> f64 {
    if mine < 0.5 * variance {
        return variance - mine;
    }
    // One member at most is more than half of the side: there the difference would lose digits.
    let others = parts
        .enumerate()
        .map(|(other, (skill, noise))| [if other == seat { noise } else { noise + skill }]);
    sums(others)[0]
}
