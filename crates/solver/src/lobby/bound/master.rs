//! The linear program over the matches known so far, solved for its duals.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus};

use super::column::Column;
use super::cuts::{self, Cut};
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
/// found by solving its dual: least sum of duals, such that the duals of each match's units sum to its quality or more, and none
/// is below minus its unit's price. An interior-point method gives duals from the middle of the optimal face, which is what column
/// generation wants.
///
/// `None` if the solver failed.
pub(super) fn solve(
    units: &Units<'_>,
    columns: &[Column],
    cuts: &[Cut],
    matches: usize,
    tolerance: f64,
) -> Option<Solution> {
    let count = units.count();
    // Column u of the matrix: the matches with unit u, then its own lower bound.
    let mut with_unit: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (row, column) in columns.iter().enumerate() {
        for unit in column.units() {
            with_unit[unit].push(row);
        }
    }
    let rows = columns.len() + count + cuts.len() + 1;
    let (mut starts, mut row_of, mut values) = (vec![0], Vec::new(), Vec::new());
    for (unit, matches) in with_unit.iter().enumerate() {
        row_of.extend_from_slice(matches);
        row_of.push(columns.len() + unit);
        values.resize(row_of.len(), -1.0);
        starts.push(row_of.len());
    }
    // A cut's dual: the matches that it counts, then its own lower bound.
    for (number, &cut) in cuts.iter().enumerate() {
        row_of.extend((0..columns.len()).filter(|&row| cuts::counts(cut, &columns[row])));
        row_of.push(columns.len() + count + number);
        values.resize(row_of.len(), -1.0);
        starts.push(row_of.len());
    }
    // The dual of the number of matches: all of them, then its own lower bound.
    row_of.extend(0..columns.len());
    row_of.push(rows - 1);
    values.resize(row_of.len(), -1.0);
    starts.push(row_of.len());
    let variables = count + cuts.len() + 1;
    let a = CscMatrix::new(rows, variables, starts, row_of, values);
    let b: Vec<f64> = columns
        .iter()
        .map(|column| -column.quality)
        .chain(units.prices.iter().copied())
        .chain(std::iter::repeat_n(0.0, cuts.len() + 1))
        .collect();
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .max_threads(1)
        .tol_gap_abs(tolerance)
        .tol_gap_rel(tolerance)
        .tol_feas(tolerance)
        .build()
        .ok()?;
    let mut costs = vec![1.0; variables];
    costs[variables - 1] = matches as f64;
    let nothing = CscMatrix::zeros((variables, variables));
    let mut solver =
        DefaultSolver::new(&nothing, &costs, &a, &b, &[NonnegativeConeT(rows)], settings).ok()?;
    solver.solve();
    let solved = matches!(
        solver.solution.status,
        SolverStatus::Solved
            | SolverStatus::AlmostSolved
            | SolverStatus::MaxIterations
            | SolverStatus::InsufficientProgress
    );
    let mut duals = std::mem::take(&mut solver.solution.x);
    let mut shares = std::mem::take(&mut solver.solution.z);
    if !solved || duals.iter().any(|dual| !dual.is_finite()) {
        return None;
    }
    shares.truncate(columns.len());
    let excess = duals.pop()?.max(0.0);
    let cut_duals = duals
        .split_off(count)
        .into_iter()
        .map(|dual| dual.max(0.0))
        .collect();
    for (dual, price) in duals.iter_mut().zip(&units.prices) {
        *dual = dual.max(-price);
    }
    Some(Solution {
        duals,
        cuts: cut_duals,
        excess,
        shares,
    })
}
