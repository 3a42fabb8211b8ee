//! Generated rows with labels drawn from a logistic model.

use clap::ValueEnum;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Columns that share a factor in [`World::Correlated`].
const FACTORS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum World {
    /// Independent normal columns, a third of the labels true
    Independent,
    /// Five factors carry two thirds of the columns' variance
    Correlated,
    /// As features of histories: flags from one in two to one in two hundred, log gaps, counts; 5 % of the labels true
    History,
}

/// Standardised columns with labels.
pub(crate) struct Sample {
    pub(crate) columns: usize,
    /// Row after row.
    pub(crate) rows: Vec<f64>,
    pub(crate) labels: Vec<bool>,
}

impl World {
    pub(crate) fn generate(self, rows: usize, columns: usize, seed: u64) -> Sample {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut values = Vec::with_capacity(rows * columns);
        for _ in 0..rows {
            self.write_row(columns, &mut rng, &mut values);
        }
        standardise(&mut values, columns);
        let spread = 1.5 / (columns as f64).sqrt();
        let weights: Vec<f64> = (0..columns).map(|_| spread * normal(&mut rng)).collect();
        let intercept = if self == Self::History { -3.3 } else { -0.8 };
        let labels = values
            .chunks_exact(columns)
            .map(|row| {
                let log_odds: f64 = intercept + row.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
                rng.random::<f64>() < 1.0 / (1.0 + (-log_odds).exp())
            })
            .collect();
        Sample {
            columns,
            rows: values,
            labels,
        }
    }

    fn write_row(self, columns: usize, rng: &mut ChaCha8Rng, values: &mut Vec<f64>) {
        match self {
            Self::Independent => values.extend((0..columns).map(|_| normal(rng))),
            Self::Correlated => {
                let factors: [f64; FACTORS] = std::array::from_fn(|_| normal(rng));
                let (shared, own) = ((2.0_f64 / 3.0).sqrt(), (1.0_f64 / 3.0).sqrt());
                values.extend(
                    (0..columns).map(|column| shared * factors[column % FACTORS] + own * normal(rng)),
                );
            }
            Self::History => {
                let activity = normal(rng);
                values.extend((0..columns).map(|column| match column % 3 {
                    0 => {
                        let rate = 0.5 * 0.01_f64.powf(column as f64 / columns as f64);
                        f64::from(u8::from(rng.random::<f64>() < rate))
                    }
                    1 => (8.0 - activity + 2.0 * normal(rng)).max(0.0),
                    _ => (activity + normal(rng)).exp().floor().ln_1p(),
                }));
            }
        }
    }
}

fn normal(rng: &mut impl Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// To mean 0 and deviation 1, as users of both do, so that the penalty is the same for both.
fn standardise(values: &mut [f64], columns: usize) {
    let rows = (values.len() / columns) as f64;
    let (mut sums, mut squares) = (vec![0.0; columns], vec![0.0; columns]);
    for row in values.chunks_exact(columns) {
        for ((sum, square), value) in sums.iter_mut().zip(&mut squares).zip(row) {
            *sum += value;
            *square += value * value;
        }
    }
    for row in values.chunks_exact_mut(columns) {
        for ((value, sum), square) in row.iter_mut().zip(&sums).zip(&squares) {
            let mean = sum / rows;
            *value = (*value - mean) / (square / rows - mean * mean).sqrt();
        }
    }
}

impl Sample {
    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.columns).map(|column| format!("x{column}")).collect()
    }

    pub(crate) fn summary(&self) -> String {
        let positive = self.labels.iter().filter(|&&label| label).count();
        format!(
            "{:.1} % labelled true",
            100.0 * positive as f64 / self.labels.len() as f64
        )
    }
}
