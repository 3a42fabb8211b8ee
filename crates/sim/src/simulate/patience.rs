//! [`Patience`]: how long parties wait before they give up.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};

use super::checks::{ScenarioError, positive};

/// How long a party waits before it gives up, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Patience {
    /// Without memory, with this mean.
    Exponential(f64),
    /// exp(-(t / scale)^shape) wait longer than t.
    Weibull {
        /// Below 1 most leave early, above 1 most leave late.
        shape: f64,
        /// 63 % have left by then.
        scale: f64,
    },
    /// Seconds and the share that has left by then, both rising: straight lines between them, nobody beyond the last who
    /// has not left.
    Table(Vec<(f64, f64)>),
}

impl Patience {
    /// Seconds; none for who never gives up.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> Option<f64> {
        match self {
            Self::Exponential(mean) => {
                let drawn: f64 = Exp1.sample(rng);
                Some(mean * drawn)
            }
            Self::Weibull { shape, scale } => {
                let drawn: f64 = Exp1.sample(rng);
                Some(scale * drawn.powf(1.0 / shape))
            }
            Self::Table(rows) => {
                let share: f64 = rng.random();
                let next = rows.partition_point(|row| row.1 < share);
                let (seconds, left) = *rows.get(next)?;
                let (before, left_before) = next.checked_sub(1).map_or((0.0, 0.0), |last| rows[last]);
                let part = (share - left_before) / (left - left_before);
                Some(before + part * (seconds - before))
            }
        }
    }

    pub(super) fn check(&self) -> Result<(), ScenarioError> {
        match self {
            Self::Exponential(mean) => positive("patience.exponential", *mean),
            Self::Weibull { shape, scale } => {
                positive("patience.weibull.shape", *shape)?;
                positive("patience.weibull.scale", *scale)
            }
            Self::Table(rows) => {
                let is_rising = rows.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1);
                let is_share =
                    |row: &(f64, f64)| row.0 > 0.0 && row.0.is_finite() && row.1 > 0.0 && row.1 <= 1.0;
                if !rows.is_empty() && is_rising && rows.iter().all(is_share) {
                    return Ok(());
                }
                Err(ScenarioError::Key {
                    key: "patience.table".to_owned(),
                    value: format!("{rows:?}"),
                    wanted: "pairs of seconds above 0 and shares up to 1, both rising",
                })
            }
        }
    }
}
