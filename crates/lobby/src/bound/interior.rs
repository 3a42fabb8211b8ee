//! An interior-point method for packing programs: many columns with a few ones each, few rows.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Iterations after which a program is given up; ten to twenty are usual.
const ITERATIONS: usize = 80;

/// The share of the way to the boundary that a step takes at most.
const STEP: f64 = 0.995;

/// A program
///
/// ```text
/// maximise    sum of gain_L x_L - sum of cost_r s_r
/// subject to  sum of x_L over the columns L with row r, plus s_r = right_r   for each row r,   x, s >= 0
/// ```
#[derive(Debug, Clone, Default)]
pub(super) struct Packing {
    /// Where each column's rows begin, and where the last one's end.
    starts: Vec<u32>,
    /// The rows of the columns, one after the other.
    rows: Vec<u32>,
    gains: Vec<f64>,
    /// The right-hand side of each row, above 0.
    right: Vec<f64>,
    /// What each unit of a row costs that no column takes.
    costs: Vec<f64>,
}

/// Both sides of a solution.
#[derive(Debug, Clone)]
pub(super) struct Optimum {
    /// The price of each row: no column gains more than the prices of its rows, nearly.
    pub(super) duals: Vec<f64>,
    /// How much of each column is taken.
    pub(super) shares: Vec<f64>,
}

impl Packing {
    /// A program of rows with these right-hand sides and costs.
    pub(super) fn new(right: Vec<f64>, costs: Vec<f64>) -> Self {
        Self {
            starts: vec![0],
            right,
            costs,
            ..Self::default()
        }
    }

    /// Adds a column with a one in each of these rows.
    pub(super) fn add(&mut self, gain: f64, rows: impl IntoIterator<Item = u32>) {
        self.rows.extend(rows);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "columns are kept to a few hundred thousand"
        )]
        self.starts.push(self.rows.len() as u32);
        self.gains.push(gain);
    }

    /// Columns, then slacks.
    fn variables(&self) -> usize {
        self.gains.len() + self.right.len()
    }

    fn column(&self, column: usize) -> &[u32] {
        &self.rows[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// For each row, the sum of the variables in it.
    fn times(&self, of_variables: &DVector<f64>) -> DVector<f64> {
        let columns = self.gains.len();
        let mut sums = of_variables.rows(columns, self.right.len()).into_owned();
        for column in 0..columns {
            let value = of_variables[column];
            for &row in self.column(column) {
                sums[row as usize] += value;
            }
        }
        sums
    }

    /// For each variable, the sum of its rows' values.
    fn transposed_times(&self, of_rows: &DVector<f64>) -> DVector<f64> {
        let columns = self.gains.len();
        let sums =
            (0..columns).map(|column| self.column(column).iter().map(|&row| of_rows[row as usize]).sum());
        DVector::from_iterator(self.variables(), sums.chain(of_rows.iter().copied()))
    }

    /// The factors of A D A^T, where D is diagonal: small and dense, which is what makes this method fast here.
    fn factors(&self, weights: &DVector<f64>) -> Option<Cholesky<f64, Dyn>> {
        let (rows, columns) = (self.right.len(), self.gains.len());
        let mut matrix = DMatrix::zeros(rows, rows);
        let lower = matrix.as_mut_slice();
        for column in 0..columns {
            let weight = weights[column];
            let list = self.column(column);
            for (k, &i) in list.iter().enumerate() {
                for &j in &list[..=k] {
                    let (low, high) = (i.min(j) as usize, i.max(j) as usize);
                    lower[low * rows + high] += weight;
                }
            }
        }
        for row in 0..rows {
            lower[row * rows + row] += weights[columns + row];
        }
        // Rounding may leave a matrix that is not quite positive definite.
        let mut more = 1e-13;
        while more < 1e-4 {
            let mut attempt = matrix.clone();
            for row in 0..rows {
                attempt[(row, row)] *= 1.0 + more;
            }
            if let Some(factors) = Cholesky::new(attempt) {
                return Some(factors);
            }
            more *= 100.0;
        }
        None
    }

    /// Solves the program to a relative gap of `tolerance`, or as far as rounding lets it; `None` if it cannot,
    /// or `stop` said so.
    ///
    /// Predictor and corrector steps of Mehrotra, "On the implementation of a primal-dual interior point method",
    /// SIAM Journal on Optimization 2, 1992. O(rows^3 + columns x rows per column^2) an iteration. What it ends with
    /// lies in the middle of the optimal face, not in a corner: duals that column generation likes.
    pub(super) fn solve(&self, tolerance: f64, stop: &dyn Fn() -> bool) -> Option<Optimum> {
        let columns = self.gains.len();
        let right = DVector::from_column_slice(&self.right);
        let costs = DVector::from_iterator(
            self.variables(),
            self.gains
                .iter()
                .map(|gain| -gain)
                .chain(self.costs.iter().copied()),
        );
        let mut at = self.start(&right, &costs)?;
        for iteration in 0..=ITERATIONS {
            if stop() {
                return None;
            }
            let missing = &right - self.times(&at.x);
            let unpaid = &costs - self.transposed_times(&at.y) - &at.s;
            let gap = (costs.dot(&at.x) - right.dot(&at.y)).abs();
            let exact = gap <= tolerance * (1.0 + costs.dot(&at.x).abs())
                && missing.amax() <= tolerance * (1.0 + right.amax())
                && unpaid.amax() <= tolerance * (1.0 + costs.amax());
            // Where rounding ends the way, what was reached has to do: duals of any kind make a bound.
            let next = (!exact && iteration < ITERATIONS)
                .then(|| self.step(&at, &missing, &unpaid))
                .flatten()
                .filter(Point::is_finite);
            let Some(next) = next else { break };
            at = next;
        }
        let finite = at.is_finite();
        finite.then(|| Optimum {
            duals: at.y.iter().map(|y| -y).collect(),
            shares: at.x.rows(0, columns).iter().copied().collect(),
        })
    }

    /// Mehrotra's first point: least squares, pushed inside.
    fn start(&self, right: &DVector<f64>, costs: &DVector<f64>) -> Option<Point> {
        let factors = self.factors(&DVector::from_element(self.variables(), 1.0))?;
        let x = self.transposed_times(&factors.solve(right));
        let y = factors.solve(&self.times(costs));
        let s = costs - self.transposed_times(&y);
        let inside = |values: &DVector<f64>| (-1.5 * values.min()).max(0.0) + 1e-3;
        let x = x.add_scalar(inside(&x));
        let s = s.add_scalar(inside(&s));
        let product = x.dot(&s);
        let (more_x, more_s) = (0.5 * product / s.sum(), 0.5 * product / x.sum());
        Some(Point {
            x: x.add_scalar(more_x),
            y,
            s: s.add_scalar(more_s),
        })
    }

    /// One step towards the optimum.
    fn step(&self, at: &Point, missing: &DVector<f64>, unpaid: &DVector<f64>) -> Option<Point> {
        let count = self.variables() as f64;
        let weights = at.x.component_div(&at.s);
        let factors = self.factors(&weights)?;
        // Solves for the direction that changes each product x s by minus `products`.
        let direction = |products: &DVector<f64>| {
            let own = weights.component_mul(unpaid) + products.component_div(&at.s);
            let y = factors.solve(&(missing + self.times(&own)));
            let s = unpaid - self.transposed_times(&y);
            let x = -(products + at.x.component_mul(&s)).component_div(&at.s);
            Point { x, y, s }
        };
        let products = at.x.component_mul(&at.s);
        let mean = products.sum() / count;
        let ahead = direction(&products);
        let (of_x, of_s) = (room(&at.x, &ahead.x, 1.0), room(&at.s, &ahead.s, 1.0));
        let then = (&at.x + of_x * &ahead.x).dot(&(&at.s + of_s * &ahead.s)) / count;
        let centring = (then / mean).powi(3);
        let corrected = (products + ahead.x.component_mul(&ahead.s)).add_scalar(-centring * mean);
        let ahead = direction(&corrected);
        let (of_x, of_s) = (room(&at.x, &ahead.x, STEP), room(&at.s, &ahead.s, STEP));
        Some(Point {
            x: &at.x + of_x * ahead.x,
            y: &at.y + of_s * ahead.y,
            s: &at.s + of_s * ahead.s,
        })
    }
}

/// A point inside: primal variables, duals of the rows, dual slacks; or a direction.
struct Point {
    x: DVector<f64>,
    y: DVector<f64>,
    s: DVector<f64>,
}

impl Point {
    fn is_finite(&self) -> bool {
        let mut values = self.x.iter().chain(self.y.iter()).chain(self.s.iter());
        values.all(|value| value.is_finite())
    }
}

/// How much of the step, 1 at most, keeps all values above 0; a share of it, if not all.
fn room(values: &DVector<f64>, step: &DVector<f64>, share: f64) -> f64 {
    let falls = values.iter().zip(step).filter(|(_, step)| **step < 0.0);
    falls
        .map(|(value, step)| -share * value / step)
        .fold(1.0, f64::min)
}
