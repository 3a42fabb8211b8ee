//! What was measured, beside what the law says.

use serde::Serialize;

use super::config::GainLawConfig;
use super::pool::Shape;
use matchwright_sim::statistics::{Estimate, MeanTest};

/// Everything that [`run_gain_law`](super::run_gain_law) found. Gains are per player, in churn probability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GainLawReport {
    /// As given.
    pub config: GainLawConfig,
    /// Seed of the pools.
    pub seed: u64,
    /// The grid, by skill spread, then by sensitivity spread.
    pub cells: Vec<GainCell>,
    /// Measured gains against the bound.
    pub bound_fit: Fit,
    /// Measured gains against the law with the averaged slope.
    pub curved_fit: Fit,
    /// Cells of other pool sizes, at the middle of the grid.
    pub sizes: Vec<GainCell>,
    /// EOMM - Random against Random - Worst by shape of the distributions, at the middle of the grid, as shares of the
    /// bound.
    pub shapes: Vec<(Shape, Mirror)>,
    /// EOMM - Random against Random - Worst over all pools of the grid, as shares of the bound.
    pub mirror: Mirror,
    /// With equal sensitivities: the largest difference of Worst and EOMM in any pool.
    pub homogeneous: f64,
    /// Pools of the grid, sizes and shapes.
    pub pools: u64,
    /// Those whose EOMM and Worst keep to the pool's own bounds; the proof says all.
    pub in_bounds: u64,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GainCell {
    /// Players in a pool.
    pub players: usize,
    /// Pools.
    pub rounds: u32,
    /// Standard deviation of skill, rating points.
    pub skill_spread: f64,
    /// Standard deviation of D.
    pub sensitivity_spread: f64,
    /// [`gain_bound`](super::gain_bound).
    pub bound: f64,
    /// [`saturated_bound`](super::saturated_bound).
    pub saturated: f64,
    /// [`curved_gain`](super::curved_gain).
    pub curved: f64,
    /// EOMM over Random's expectation.
    pub gain: Estimate,
    /// Random's expectation over Worst.
    pub loss: Estimate,
    /// SkillMM over Random's expectation.
    pub skill: Estimate,
    /// A random pairing over Random's expectation; its mean is 0 but for chance.
    pub drawn: Estimate,
    /// Gain as a share of the bound.
    pub share: f64,
}

/// How well predictions give measured gains, over the cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Least-squares slope through the origin: measured = slope times predicted.
    pub slope: f64,
    /// Pearson's correlation.
    pub correlation: f64,
    /// The smallest share measured / predicted of a cell.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

/// Whether two gains are the same, and by how much they differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mirror {
    /// EOMM - Random.
    pub gain: Estimate,
    /// Random - Worst.
    pub loss: Estimate,
    /// The paired test of their difference.
    pub test: MeanTest,
}

impl Fit {
    /// Of (predicted, measured) pairs.
    pub(crate) fn of(pairs: &[(f64, f64)]) -> Self {
        let products: f64 = pairs.iter().map(|(x, y)| x * y).sum();
        let squares: f64 = pairs.iter().map(|(x, _)| x * x).sum();
        let shares = || pairs.iter().map(|(x, y)| y / x);
        Self {
            slope: products / squares,
            correlation: matchwright_sim::statistics::correlation(pairs.iter().copied()),
            least: shares().fold(f64::INFINITY, f64::min),
            most: shares().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}
