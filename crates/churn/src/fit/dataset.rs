//! [`Dataset`]: rows of features with labels, weights, groups and times.

use std::borrow::Cow;

use thiserror::Error;

use crate::models::first_duplicate;
use crate::{ChurnModel, LogisticModel, ModelError};

/// Rows of features with labels, checked: right shape, finite numbers, no negative weight.
///
/// ```
/// use matchwright_churn::Dataset;
///
/// let columns = vec!["gap".to_owned(), "loss".to_owned()];
/// let data = Dataset::new(columns, vec![1.5, 0.0, 7.0, 1.0], vec![false, true])?;
/// assert_eq!((data.len(), data.row(1)), (2, &[7.0, 1.0][..]));
///
/// let error = Dataset::new(vec!["gap".to_owned()], vec![1.0, f64::NAN], vec![false, true]).unwrap_err();
/// assert_eq!(error.to_string(), "row 1, column `gap` is NaN: features must be finite numbers; flag what is missing in a column of its own");
/// # Ok::<(), matchwright_churn::DatasetError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Unchecked")
)]
pub struct Dataset {
    columns: Vec<String>,
    rows: Vec<f64>,
    labels: Vec<bool>,
    weights: Option<Vec<f64>>,
    groups: Option<Vec<u64>>,
    times: Option<Vec<i64>>,
}

/// What a file may hold, before it is a data set.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    columns: Vec<String>,
    rows: Vec<f64>,
    labels: Vec<bool>,
    weights: Option<Vec<f64>>,
    groups: Option<Vec<u64>>,
    times: Option<Vec<i64>>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Dataset {
    type Error = DatasetError;

    fn try_from(unchecked: Unchecked) -> Result<Self, DatasetError> {
        let mut data = Self::new(unchecked.columns, unchecked.rows, unchecked.labels)?;
        if let Some(weights) = unchecked.weights {
            data = data.with_weights(weights)?;
        }
        if let Some(groups) = unchecked.groups {
            data = data.with_groups(groups)?;
        }
        if let Some(times) = unchecked.times {
            data = data.with_times(times)?;
        }
        Ok(data)
    }
}

/// Data that do not make a [`Dataset`].
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DatasetError {
    /// The numbers do not fill a table.
    #[error(
        "{values} values do not fill {rows} rows of {columns} columns: give row after row, one value per column"
    )]
    Shape {
        /// Values given.
        values: usize,
        /// Rows, by the labels.
        rows: usize,
        /// Columns, by the names.
        columns: usize,
    },
    /// NaN or infinity.
    #[error(
        "row {row}, column `{column}` is {value}: features must be finite numbers; flag what is missing in a column of its own"
    )]
    NotFinite {
        /// Row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The value there.
        value: f64,
    },
    /// A name that several columns have.
    #[error("several columns are called `{column}`: give each a name of its own")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A vector that is not one entry per row.
    #[error("{given} {what} do not match {rows} rows: give one per row")]
    Length {
        /// `weights`, `groups` or `times`.
        what: &'static str,
        /// Entries given.
        given: usize,
        /// Rows in the data.
        rows: usize,
    },
    /// A weight that is negative, NaN or infinite.
    #[error("the weight of row {row} is {value}: weights must be finite and not negative")]
    Weight {
        /// Row, from 0.
        row: usize,
        /// The weight given.
        value: f64,
    },
    /// A row that is not there.
    #[error("row {row} does not exist: the data have {rows} rows, counted from 0")]
    NoSuchRow {
        /// The row asked for.
        row: usize,
        /// Rows in the data.
        rows: usize,
    },
}

impl Dataset {
    /// A data set from its columns' names, its values row after row, and a label per row (true: churned).
    ///
    /// # Errors
    ///
    /// [`DatasetError::Shape`], [`DatasetError::DuplicateColumn`] and [`DatasetError::NotFinite`].
    pub fn new(column_names: Vec<String>, rows: Vec<f64>, labels: Vec<bool>) -> Result<Self, DatasetError> {
        if labels.len().checked_mul(column_names.len()) != Some(rows.len()) {
            return Err(DatasetError::Shape {
                values: rows.len(),
                rows: labels.len(),
                columns: column_names.len(),
            });
        }
        if let Some(column) = first_duplicate(&column_names) {
            return Err(DatasetError::DuplicateColumn {
                column: column.to_owned(),
            });
        }
        if let Some(place) = rows.iter().position(|value| !value.is_finite()) {
            let (row, column) = (place / column_names.len(), place % column_names.len());
            return Err(DatasetError::NotFinite {
                row,
                column: column_names[column].clone(),
                value: rows[place],
            });
        }
        Ok(Self {
            columns: column_names,
            rows,
            labels,
            weights: None,
            groups: None,
            times: None,
        })
    }

    /// Gives each row a weight: a row of weight 2 counts like two rows. Without, every row weighs 1.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Length`] and [`DatasetError::Weight`].
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self, DatasetError> {
        self.one_per_row("weights", weights.len())?;
        if let Some(row) = weights
            .iter()
            .position(|weight| !(*weight >= 0.0 && weight.is_finite()))
        {
            return Err(DatasetError::Weight {
                row,
                value: weights[row],
            });
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// Says whose row each is, as any number per player: needed for folds by player.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Length`].
    pub fn with_groups(mut self, groups: Vec<u64>) -> Result<Self, DatasetError> {
        self.one_per_row("groups", groups.len())?;
        self.groups = Some(groups);
        Ok(self)
    }

    /// Says when each row was observed, Unix seconds: needed for folds by time.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Length`].
    pub fn with_times(mut self, times: Vec<i64>) -> Result<Self, DatasetError> {
        self.one_per_row("times", times.len())?;
        self.times = Some(times);
        Ok(self)
    }

    fn one_per_row(&self, what: &'static str, given: usize) -> Result<(), DatasetError> {
        if given == self.len() {
            Ok(())
        } else {
            Err(DatasetError::Length {
                what,
                given,
                rows: self.len(),
            })
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The columns' names in order.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The features of row `index`.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn row(&self, index: usize) -> &[f64] {
        let width = self.columns.len();
        &self.rows[index * width..(index + 1) * width]
    }

    /// The label of each row; true: churned.
    #[must_use]
    pub fn labels(&self) -> &[bool] {
        &self.labels
    }

    /// The weight of row `index`: 1 unless weights were given.
    #[must_use]
    pub fn weight(&self, index: usize) -> f64 {
        self.weights
            .as_ref()
            .and_then(|weights| weights.get(index))
            .copied()
            .unwrap_or(1.0)
    }

    /// The player of each row, if it was given.
    #[must_use]
    pub fn groups(&self) -> Option<&[u64]> {
        self.groups.as_deref()
    }

    /// The time of each row, if it was given.
    #[must_use]
    pub fn times(&self) -> Option<&[i64]> {
        self.times.as_deref()
    }

    /// The same rows with the columns at these places, in this order.
    pub(super) fn with_columns(&self, places: &[usize]) -> Cow<'_, Self> {
        if places.len() == self.columns.len() && places.is_sorted() {
            return Cow::Borrowed(self);
        }
        let values = |row: usize| places.iter().map(move |&place| self.row(row)[place]);
        Cow::Owned(Self {
            columns: places.iter().map(|&place| self.columns[place].clone()).collect(),
            rows: (0..self.len()).flat_map(values).collect(),
            labels: self.labels.clone(),
            weights: self.weights.clone(),
            groups: self.groups.clone(),
            times: self.times.clone(),
        })
    }

    /// These rows in this order, with their labels, weights, groups and times; a row may be taken twice.
    ///
    /// # Errors
    ///
    /// [`DatasetError::NoSuchRow`].
    pub fn subset(&self, rows: &[usize]) -> Result<Self, DatasetError> {
        if let Some(&row) = rows.iter().find(|&&row| row >= self.len()) {
            return Err(DatasetError::NoSuchRow {
                row,
                rows: self.len(),
            });
        }
        Ok(Self {
            columns: self.columns.clone(),
            rows: rows.iter().flat_map(|&row| self.row(row)).copied().collect(),
            labels: pick(&self.labels, rows),
            weights: self.weights.as_ref().map(|weights| pick(weights, rows)),
            groups: self.groups.as_ref().map(|groups| pick(groups, rows)),
            times: self.times.as_ref().map(|times| pick(times, rows)),
        })
    }
}

impl LogisticModel {
    /// What the model says of each row, its columns found by name: they may be in another order and among others.
    ///
    /// # Errors
    ///
    /// [`ModelError::MissingColumn`], naming the first column of the model that the data do not have.
    ///
    /// ```
    /// use matchwright_churn::{Dataset, LogisticModel};
    ///
    /// let model = LogisticModel::new(0.0, [("gap", 1.0), ("loss", -1.0)])?;
    /// let columns = ["loss", "wins", "gap"].map(str::to_owned).to_vec();
    /// let data = Dataset::new(columns, vec![1.0, 7.0, 1.0], vec![true])?;
    /// assert_eq!(model.predictions(&data)?, [0.5]);
    ///
    /// let other = Dataset::new(vec!["gap".to_owned()], vec![1.0], vec![true])?;
    /// let error = model.predictions(&other).unwrap_err();
    /// assert_eq!(error.to_string(), "the model needs the column `loss`, which is not there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn predictions(&self, data: &Dataset) -> Result<Vec<f64>, ModelError> {
        if self.columns() == data.columns() {
            return Ok((0..data.len())
                .map(|row| self.churn_probability(data.row(row)))
                .collect());
        }
        let places = self.places_in(data.columns())?;
        let mut ordered = vec![0.0; places.len()];
        let rows = (0..data.len()).map(|row| {
            for (value, &place) in ordered.iter_mut().zip(&places) {
                *value = data.row(row)[place];
            }
            self.churn_probability(&ordered[..])
        });
        Ok(rows.collect())
    }
}

fn pick<T: Copy>(from: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| from[row]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|column| format!("x{column}")).collect()
    }

    #[test]
    fn a_subset_takes_everything_of_its_rows_along() {
        let data = Dataset::new(names(1), vec![1.0, 2.0, 3.0], vec![true, false, true])
            .and_then(|data| data.with_weights(vec![0.5, 1.0, 2.0]))
            .and_then(|data| data.with_groups(vec![7, 8, 9]))
            .and_then(|data| data.with_times(vec![10, 20, 30]))
            .unwrap();
        let part = data.subset(&[2, 0, 2]).unwrap();
        assert_eq!(part.row(1), [1.0]);
        assert_eq!(part.labels(), [true, true, true]);
        assert_eq!((part.weight(0), part.weight(1)), (2.0, 0.5));
        assert_eq!(part.groups(), Some(&[9, 7, 9][..]));
        assert_eq!(part.times(), Some(&[30, 10, 30][..]));
        assert_eq!(
            data.subset(&[3]),
            Err(DatasetError::NoSuchRow { row: 3, rows: 3 })
        );
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let two = || Dataset::new(names(2), vec![0.0; 4], vec![true, false]).unwrap();
        assert!(Dataset::new(names(2), vec![0.0; 3], vec![true, false]).is_err());
        assert!(Dataset::new(vec![], vec![], vec![true]).is_ok());
        assert_eq!(
            Dataset::new(vec!["x".to_owned(); 2], vec![], vec![]),
            Err(DatasetError::DuplicateColumn {
                column: "x".to_owned()
            })
        );
        let error =
            Dataset::new(names(2), vec![0.0, 0.0, f64::INFINITY, 0.0], vec![true, false]).unwrap_err();
        assert_eq!(
            error,
            DatasetError::NotFinite {
                row: 1,
                column: "x0".to_owned(),
                value: f64::INFINITY
            }
        );
        assert!(
            two()
                .with_groups(vec![1])
                .unwrap_err()
                .to_string()
                .contains("1 groups do not match 2 rows")
        );
        assert!(two().with_times(vec![1]).is_err());
        for value in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                two().with_weights(vec![1.0, value]),
                Err(DatasetError::Weight { row: 1, .. })
            ));
        }
    }
}
