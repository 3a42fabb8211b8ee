//! The linear program over the matches known so far, solved for its duals.

use super::column::Column;
use super::cuts::{Cut, CutIndex};
use super::interior::{Optimum, Packing};
use super::units::Units;

/// What solves the linear program.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    /// The dual of each unit.
    pub(super) duals: Vec<f64>,
    /// The dual of each cut, 0 or more.
    pub(super) cuts: Vec<f64>,
    /// The dual of the number of matches, 0 or more: what each pays beside its units.
    pub(super) excess: f64,
    /// How much of each match is taken.
    pub(super) shares: Vec<f64>,
}

impl Solution {
    /// The columns that are taken, and how much of each.
    pub(super) fn taken<'c>(&self, columns: impl IntoIterator<Item = &'c Column>) -> Vec<(Column, f64)> {
        let shares = columns.into_iter().zip(self.shares.iter().copied());
        shares
            .filter(|(_, share)| *share >= 1e-6)
            .map(|(column, share)| (column.clone(), share))
            .collect()
    }

    /// What the program is worth, if so many matches can be filled.
    pub(super) fn value(&self, matches: usize) -> f64 {
        self.duals.iter().chain(&self.cuts).sum::<f64>() + matches as f64 * self.excess
    }
}

/// Duals of the linear program
///
/// ```text
/// maximise    sum of quality_L x_L - sum of price_u s_u
/// subject to  sum of x_L over the matches L with u, plus s_u = 1  for each unit u,   x, s >= 0
///             sum of x_L over the matches L with two or more of a cut's units <= 1
///             sum of x_L over all matches <= matches
/// ```
///
/// from the middle of the optimal face, which is what column generation wants.
///
/// `None` if the solver failed, or `stop` said so.
pub(super) fn solve<'c>(
    units: &Units<'_>,
    columns: impl IntoIterator<Item = &'c Column>,
    cuts: &[Cut],
    matches: usize,
    tolerance: f64,
    stop: &dyn Fn() -> bool,
) -> Option<Solution> {
    let count = units.count();
    let mut right = vec![1.0; count + cuts.len() + 1];
    let mut costs = units.prices.clone();
    right[count + cuts.len()] = matches as f64;
    costs.resize(right.len(), 0.0);
    let mut program = Packing::new(right, costs);
    let mut index = CutIndex::new(cuts.iter().copied(), count);
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a pool has at most 2^24 parties, and fewer cuts"
    )]
    let (first_cut, last) = (count as u32, (count + cuts.len()) as u32);
    for column in columns {
        let own = column.team_a.iter().chain(&column.team_b).copied();
        let counted = index.counting(column.units()).iter().map(|cut| first_cut + cut);
        program.add(column.quality, own.chain(counted).chain([last]));
    }
    let Optimum { mut duals, shares } = program.solve(tolerance, stop)?;
    let excess = duals.pop()?.max(0.0);
    let cuts = duals
        .split_off(count)
        .into_iter()
        .map(|dual| dual.max(0.0))
        .collect();
    for (dual, price) in duals.iter_mut().zip(&units.prices) {
        *dual = dual.max(-price);
    }
    Some(Solution {
        duals,
        cuts,
        excess,
        shares,
    })
}
