//! The linear program over the matches known so far, solved for its duals.

use super::column::Column;
use super::cuts::{Cut, CutIndex};
use super::interior::{Optimum, Packing};
use super::units::Units;
use crate::lineup::{BoundSource, LobbyCertificate};

/// How exactly the linear program is solved.
const TOLERANCE: f64 = 1e-8;

/// What solves the linear program.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    /// The duals of units, cuts and number of matches; the bound is the program's value, and holds for its columns.
    pub(super) duals: LobbyCertificate,
    /// How much of each match is taken.
    pub(super) shares: Vec<f64>,
}

impl Solution {
    /// The columns that are taken, and how much of each.
    pub(super) fn taken<'c>(&self, columns: &[&'c Column]) -> Vec<(&'c Column, f64)> {
        let shares = columns.iter().copied().zip(self.shares.iter().copied());
        shares.filter(|(_, share)| *share >= 1e-6).collect()
    }
}

/// Duals of the linear program
///
/// ```text
/// maximise    sum of quality_L x_L - sum of penalty_u s_u
/// subject to  sum of x_L over the matches L with u, plus s_u = 1  for each unit u,   x, s >= 0
///             sum of x_L over the matches L with two or more of a cut's units <= 1
///             sum of x_L over all matches <= matches
/// ```
///
/// from the middle of the optimal face, as column generation prefers.
///
/// `None` if the solver failed, or `stop` said so.
pub(super) fn solve(
    units: &Units<'_>,
    columns: &[&Column],
    cuts: &[Cut],
    matches: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Solution> {
    let count = units.count();
    let mut right = vec![1.0; count + cuts.len() + 1];
    let mut costs = units.penalties.clone();
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
        let counted = index.counting(&column.units).iter().map(|cut| first_cut + cut);
        program.add(
            column.quality,
            column.units.iter().copied().chain(counted).chain([last]),
        );
    }
    let Optimum { mut duals, shares } = program.solve(TOLERANCE, stop)?;
    let excess = duals.pop()?.max(0.0);
    let of_cuts = duals.split_off(count).into_iter().map(|dual| dual.max(0.0));
    let cuts = cuts.iter().copied().zip(of_cuts).collect();
    for (dual, penalty) in duals.iter_mut().zip(&units.penalties) {
        *dual = dual.max(-penalty);
    }
    let mut duals = LobbyCertificate {
        duals,
        cuts,
        odd_sets: Vec::new(),
        excess,
        bound: 0.0,
        source: BoundSource::Relaxation,
    };
    duals.bound = duals.sum(matches);
    Some(Solution { duals, shares })
}
