//! The objective of an L2-penalised logistic regression with gradient and Hessian.

use nalgebra::DMatrix;

use super::standardize::Standardization;
use super::{Dataset, FitError, LogisticParams};
use crate::numeric::{logistic_loss, sigmoid};

/// Four neighbouring columns of a row: what the inner loops work on, so that they compile to vector instructions.
type Lane = [f64; LANE];
const LANE: usize = 4;
/// Rows whose products are summed up while they stay in the first-level cache (32 rows of 80 columns: 20 KB).
const BLOCK: usize = 32;
/// The steepest penalty per row: keeps 0 * infinity out of the sums for C next to 0.
const MAX_RIDGE: f64 = 1e280;

/// The mean penalised log loss F of standardised rows.
///
/// ```text
/// F(v, b) = (1/W) sum_i omega_i ln(1 + e^(-s_i m_i)) + 1/2 sum_j rho_j v_j^2,   m_i = b + v . z_i
/// ```
///
/// `omega_i` is the row's weight times its class's, W their sum, and `rho_j` = 1 / (C W) with standardisation or
/// `1 / (C W scale_j^2)` without: then `v_j = scale_j w_j` still carries the penalty of `w_j`. C W F is
/// scikit-learn's objective. Working on standardised columns either way keeps both solvers well conditioned whatever
/// the units.
#[derive(Debug)]
pub(super) struct Problem {
    /// Standardised values, then a 1 for the intercept, then zeros up to a whole lane.
    rows: Vec<Lane>,
    lanes: usize,
    /// Unknowns: columns and the intercept, which comes last.
    unknowns: usize,
    labels: Vec<bool>,
    /// `omega_i / W`.
    weights: Vec<f64>,
    total_weight: f64,
    /// `rho_j C W`: 1, or `1 / scale_j^2`; 0 for the intercept.
    penalties: Vec<f64>,
    ridge: f64,
}

impl Problem {
    /// The problem on these rows of the data; the standardisation must be of the same rows.
    pub(super) fn new(
        data: &Dataset,
        rows: &[usize],
        standardization: &Standardization,
        params: &LogisticParams,
    ) -> Result<Self, FitError> {
        // Ahead of the class weights: an overflowing product must not hide a class.
        let kept: Vec<usize> = rows
            .iter()
            .copied()
            .filter(|&row| data.weight(row) > 0.0)
            .collect();
        let labels: Vec<bool> = kept.iter().map(|&row| data.labels()[row]).collect();
        let first = *labels.first().ok_or(FitError::Empty)?;
        if labels.iter().all(|&label| label == first) {
            return Err(FitError::SingleClass {
                rows: kept.len(),
                label: first,
            });
        }
        let largest = kept.iter().map(|&row| data.weight(row)).fold(0.0, f64::max);
        let class_weight = |row: usize| params.class_weights[usize::from(data.labels()[row])];
        // Divided by the largest first, so that the sum of huge weights stays finite.
        let relative: Vec<f64> = kept
            .iter()
            .map(|&row| data.weight(row) / largest * class_weight(row))
            .collect();
        let sum: f64 = relative.iter().sum();
        let width = data.columns().len();
        let lanes = (width + 1).div_ceil(LANE);
        let mut standardised = vec![[0.0; LANE]; kept.len() * lanes];
        let values = standardised.as_flattened_mut();
        for (out, &row) in values.chunks_exact_mut(lanes * LANE).zip(&kept) {
            for (column, (out, &value)) in out.iter_mut().zip(data.row(row)).enumerate() {
                *out = standardization.apply(column, value);
            }
            out[width] = 1.0;
        }
        let penalty = |scale: &f64| {
            if params.standardize {
                1.0
            } else {
                scale.powi(-2).min(MAX_RIDGE)
            }
        };
        let mut penalties: Vec<f64> = standardization.scales.iter().map(penalty).collect();
        penalties.push(0.0);
        let mut problem = Self {
            rows: standardised,
            lanes,
            unknowns: width + 1,
            labels,
            weights: relative.iter().map(|weight| weight / sum).collect(),
            total_weight: sum * largest,
            penalties,
            ridge: 0.0,
        };
        problem.set_strength(params.c);
        Ok(problem)
    }

    /// Changes C, for a path of strengths over the same rows.
    pub(super) fn set_strength(&mut self, c: f64) {
        self.ridge = (1.0 / (c * self.total_weight)).min(MAX_RIDGE);
    }

    /// Rows that weigh anything.
    pub(super) const fn len(&self) -> usize {
        self.labels.len()
    }

    /// W, the sum of all rows' weights times their class's.
    pub(super) const fn total_weight(&self) -> f64 {
        self.total_weight
    }

    /// Columns and the intercept.
    pub(super) const fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Where to start from without a better idea: the log odds of the base rate.
    pub(super) fn start(&self) -> Vec<f64> {
        let rate = self.base_rate();
        let mut unknowns = vec![0.0; self.unknowns];
        if let Some(intercept) = unknowns.last_mut() {
            *intercept = (rate / (1.0 - rate)).ln().clamp(-700.0, 700.0);
        }
        unknowns
    }

    fn base_rate(&self) -> f64 {
        self.weights
            .iter()
            .zip(&self.labels)
            .filter(|row| *row.1)
            .map(|row| row.0)
            .sum()
    }

    /// Curvature along each unknown at [`start`](Self::start), as columns have variance 1: a scale for first steps.
    pub(super) fn typical_curvature(&self) -> Vec<f64> {
        let rate = self.base_rate();
        let loss = (rate * (1.0 - rate)).max(1e-12);
        self.penalties
            .iter()
            .map(|&penalty| loss + self.rho(penalty))
            .collect()
    }

    fn rho(&self, penalty: f64) -> f64 {
        (self.ridge * penalty).min(MAX_RIDGE)
    }

    /// C times the sum of weighted losses, and the penalty: the objective in its published scale.
    pub(super) fn objective(&self, value: f64, c: f64) -> f64 {
        value * c * self.total_weight
    }

    fn lanes_of(&self, unknowns: &[f64]) -> Vec<Lane> {
        let mut flat = unknowns.to_vec();
        flat.resize(self.lanes * LANE, 0.0);
        flat.as_chunks().0.to_vec()
    }

    /// Every `stride`-th block of rows, to stand for all of them; all rows if `stride` is 1.
    ///
    /// Blocks, since neighbouring rows may alternate between the two sides of matches.
    pub(super) fn sample(&self, stride: usize) -> Sample<'_> {
        let blocks = || self.weights.chunks(BLOCK).step_by(stride);
        let weight = if stride == 1 {
            1.0
        } else {
            blocks().flatten().sum()
        };
        Sample {
            problem: self,
            stride,
            rows: blocks().map(<[f64]>::len).sum(),
            weight,
        }
    }
}

/// Rows of a [`Problem`] that stand for all of them: the mean loss is theirs, the penalty that of the problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample<'a> {
    problem: &'a Problem,
    stride: usize,
    rows: usize,
    /// The sum of the rows' `omega_i / W`.
    weight: f64,
}

/// Neighbouring rows that stay in the first-level cache.
struct Block<'a> {
    rows: &'a [Lane],
    weights: &'a [f64],
    labels: &'a [bool],
}

impl Sample<'_> {
    /// Number of rows.
    pub(super) const fn len(&self) -> usize {
        self.rows
    }

    fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let Problem {
            rows,
            weights,
            labels,
            lanes,
            ..
        } = self.problem;
        let blocks = rows
            .chunks(BLOCK * lanes)
            .zip(weights.chunks(BLOCK).zip(labels.chunks(BLOCK)));
        blocks
            .step_by(self.stride)
            .map(|(rows, (weights, labels))| Block {
                rows,
                weights,
                labels,
            })
    }

    /// F at `unknowns`; its gradient goes into `gradient`. One pass over the rows.
    pub(super) fn value_and_gradient(&self, unknowns: &[f64], gradient: &mut [f64]) -> f64 {
        let lanes = self.problem.lanes;
        let at = self.problem.lanes_of(unknowns);
        let mut sums = vec![[0.0; LANE]; lanes];
        let mut value = 0.0;
        for block in self.blocks() {
            let mut of_block = 0.0;
            let rows = block
                .rows
                .chunks_exact(lanes)
                .zip(block.weights)
                .zip(block.labels);
            for ((row, &weight), &label) in rows {
                let margin = dot(row, &at);
                let (loss, error) = logistic_loss(if label { margin } else { -margin });
                of_block += weight * loss;
                add_scaled(
                    &mut sums,
                    if label { -weight * error } else { weight * error },
                    row,
                );
            }
            value += of_block;
        }
        value /= self.weight;
        let penalised = unknowns.iter().zip(&self.problem.penalties);
        for ((slope, sum), (&unknown, &penalty)) in
            gradient.iter_mut().zip(sums.as_flattened()).zip(penalised)
        {
            // Multiplied in this order, so that an extreme penalty of a tiny unknown stays finite.
            let pull = self.problem.rho(penalty) * unknown;
            *slope = sum / self.weight + pull;
            value += pull * unknown / 2.0;
        }
        value
    }

    /// The Hessian of F at `unknowns`: `Z' diag(omega_i p_i (1 - p_i)) Z / W + diag(rho)`.
    ///
    /// Only half of the products is formed, in 4 x 4 tiles over blocks of rows that stay in cache: O(n d^2 / 2).
    pub(super) fn hessian(&self, unknowns: &[f64]) -> DMatrix<f64> {
        let Problem {
            lanes,
            unknowns: size,
            ..
        } = *self.problem;
        let at = self.problem.lanes_of(unknowns);
        let mut tiles = vec![[[0.0; LANE]; LANE]; lanes * (lanes + 1) / 2];
        let mut scaled: Vec<Lane> = Vec::with_capacity(BLOCK * lanes);
        for block in self.blocks() {
            scaled.clear();
            for (row, &weight) in block.rows.chunks_exact(lanes).zip(block.weights) {
                let p = sigmoid(-dot(row, &at).abs());
                let root = (weight * p * (1.0 - p)).sqrt();
                scaled.extend(row.iter().map(|lane| lane.map(|value| value * root)));
            }
            add_products(&mut tiles, &scaled, lanes);
        }
        let mut hessian = DMatrix::zeros(size, size);
        let pairs = (0..lanes).flat_map(|i| (i..lanes).map(move |j| (i, j)));
        for ((lane_i, lane_j), tile) in pairs.zip(&tiles) {
            for (i, tile_row) in tile.iter().enumerate() {
                for (j, &sum) in tile_row.iter().enumerate() {
                    let place = (lane_i * LANE + i, lane_j * LANE + j);
                    if place.0 < size && place.1 < size {
                        hessian[place] = sum / self.weight;
                        hessian[(place.1, place.0)] = sum / self.weight;
                    }
                }
            }
        }
        for (index, &penalty) in self.problem.penalties.iter().enumerate() {
            hessian[(index, index)] += self.problem.rho(penalty);
        }
        hessian
    }
}

/// Adds the rows' outer products to the tiles of the upper triangle, which lie row after row.
fn add_products(tiles: &mut [[Lane; LANE]], rows: &[Lane], lanes: usize) {
    let mut tiles = tiles.iter_mut();
    for i in 0..lanes {
        for (j, tile) in (i..lanes).zip(tiles.by_ref()) {
            let mut sums = *tile;
            for row in rows.chunks_exact(lanes) {
                let (left, right) = (row[i], row[j]);
                for (sums, a) in sums.iter_mut().zip(left) {
                    for (sum, b) in sums.iter_mut().zip(right) {
                        *sum += a * b;
                    }
                }
            }
            *tile = sums;
        }
    }
}

fn dot(row: &[Lane], at: &[Lane]) -> f64 {
    let mut sums = [0.0; LANE];
    for (a, b) in row.iter().zip(at) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn add_scaled(sums: &mut [Lane], factor: f64, row: &[Lane]) {
    for (sums, lane) in sums.iter_mut().zip(row) {
        for (sum, value) in sums.iter_mut().zip(lane) {
            *sum += factor * value;
        }
    }
}

/// The largest absolute component.
pub(super) fn max_abs(vector: &[f64]) -> f64 {
    vector
        .iter()
        .fold(0.0, |largest, component| component.abs().max(largest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A small problem with every ingredient: weights, class weights, penalties by scale, a width that is no whole
    /// lane.
    fn any_problem() -> impl Strategy<Value = (Problem, Vec<f64>)> {
        (1_usize..7, 6_usize..70, any::<bool>(), -3.0_f64..3.0).prop_flat_map(
            |(width, rows, standardize, log_c)| {
                (
                    prop::collection::vec(-3.0_f64..3.0, width * rows),
                    prop::collection::vec(0.1_f64..3.0, rows),
                    prop::collection::vec(-1.0_f64..1.0, width + 1),
                )
                    .prop_map(move |(values, weights, at)| {
                        let names = (0..width).map(|column| column.to_string()).collect();
                        let labels = (0..rows).map(|row| row % 3 == 0).collect();
                        let data = Dataset::new(names, values, labels)
                            .unwrap()
                            .with_weights(weights)
                            .unwrap();
                        let all: Vec<usize> = (0..rows).collect();
                        let params = LogisticParams {
                            c: 10_f64.powf(log_c),
                            class_weights: [0.7, 2.0],
                            standardize,
                            ..Default::default()
                        };
                        let standardization = Standardization::of(&data, &all);
                        (Problem::new(&data, &all, &standardization, &params).unwrap(), at)
                    })
            },
        )
    }

    proptest! {
        #[test]
        fn the_gradient_is_the_slope_of_the_value((problem, at) in any_problem()) {
            let mut gradient = vec![0.0; at.len()];
            let value = problem.sample(1).value_and_gradient(&at, &mut gradient);
            let mut spare = gradient.clone();
            for index in 0..at.len() {
                let h = 1e-5;
                let [up, down] = [h, -h].map(|h| {
                    let mut moved = at.clone();
                    moved[index] += h;
                    problem.sample(1).value_and_gradient(&moved, &mut spare)
                });
                prop_assert!(((up - down) / (2.0 * h) - gradient[index]).abs() < 1e-8 * (1.0 + value), "unknown {}", index);
            }
        }

        #[test]
        fn the_hessian_is_the_slope_of_the_gradient((problem, at) in any_problem()) {
            let hessian = problem.sample(1).hessian(&at);
            for index in 0..at.len() {
                let h = 1e-5;
                let [up, down] = [h, -h].map(|h| {
                    let mut moved = at.clone();
                    moved[index] += h;
                    let mut gradient = vec![0.0; at.len()];
                    problem.sample(1).value_and_gradient(&moved, &mut gradient);
                    gradient
                });
                for other in 0..at.len() {
                    let slope = (up[other] - down[other]) / (2.0 * h);
                    prop_assert!((slope - hessian[(other, index)]).abs() < 1e-8 * (1.0 + slope.abs()), "{} {}", other, index);
                }
            }
        }
    }

    #[test]
    fn the_value_is_the_published_objective_over_c_and_the_weights() {
        let data = Dataset::new(vec!["x".into()], vec![1.0, 3.0], vec![true, false]).unwrap();
        let params = LogisticParams {
            c: 2.0,
            ..Default::default()
        };
        let standardization = Standardization::identity(1);
        let problem = Problem::new(&data, &[0, 1], &standardization, &params).unwrap();
        let value = problem.sample(1).value_and_gradient(&[0.5, -1.0], &mut [0.0; 2]);
        let by_hand = 2.0 * ((0.5_f64.exp()).ln_1p() + (0.5_f64.exp()).ln_1p()) + 0.125;
        assert!((problem.objective(value, 2.0) - by_hand).abs() < 1e-14);
    }
}
