//! Fitting a logistic regression: data, parameters, two solvers, cross-validation, standard errors.

mod cross_validation;
mod dataset;
mod folds;
mod from_matches;
mod inference;
mod metric;
mod params;
mod problem;
mod quasi_newton;
mod regression;
mod standardize;

pub use cross_validation::{
    CrossValidation, OutOfFold, RegularisationPoint, cross_validate, out_of_fold_predictions,
};
pub use dataset::{Dataset, DatasetError};
pub use folds::Folds;
pub use from_matches::{MatchesError, RowParams};
pub use inference::CoefficientEstimate;
pub use params::{LogisticParams, LogisticRegression, LogisticSolver, ParamError};
pub use regression::LogisticFit;

use crate::ModelError;
use thiserror::Error;

/// Data on which a model cannot be fitted.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FitError {
    /// All rows that weigh anything have the same label.
    #[error("all {rows} rows with a weight are labelled {label}: a classifier needs rows of both classes")]
    SingleClass {
        /// Rows with a positive weight.
        rows: usize,
        /// Their label.
        label: bool,
    },
    /// No row, or none with a weight.
    #[error("there is no row with a positive weight: give at least one of each class")]
    Empty,
    /// A fold cannot be fitted.
    #[error("fold {fold} cannot be fitted: {source}; use fewer folds or more data")]
    Fold {
        /// Which fold, from 0.
        fold: usize,
        /// Why not.
        source: Box<FitError>,
    },
    /// Folds by player need to know the player of each row.
    #[error("folds by player need the player of each row: call Dataset::with_groups")]
    NoGroups,
    /// Folds by time need to know the time of each row.
    #[error("folds by time need the time of each row: call Dataset::with_times")]
    NoTimes,
    /// More folds than the data can be cut into, or fewer than two.
    #[error("{folds} folds cannot be cut from {available} {of}: choose 2 to {most}", most = .available.saturating_sub(usize::from(*.of == "distinct times")))]
    Folds {
        /// Folds asked for.
        folds: usize,
        /// Players or distinct times in the data.
        available: usize,
        /// What was counted: `players` or `distinct times`.
        of: &'static str,
    },
    /// Rows of equal times are so many that a block between two cuts is empty.
    #[error(
        "block {block} of the folds by time is empty because too many rows share one time: use fewer folds or finer times"
    )]
    EmptyBlock {
        /// Which block, from 0.
        block: usize,
    },
    /// No strength to choose from.
    #[error("the grid of strengths is empty: give at least one value of C")]
    EmptyGrid,
    /// A parameter or a value of the grid is out of range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The fitted coefficients do not fit a floating-point number.
    #[error("the fit overflowed in the units of the data ({0}): rescale the columns")]
    Overflow(ModelError),
    /// The data are not those of the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model classifies all rows correctly: without a penalty no estimate would be finite.
    #[error(
        "the model separates the two classes completely: standard errors would be those of the penalty alone; use more data or fewer columns"
    )]
    Separated,
    /// A column is a linear combination of the columns before it, and no penalty identifies its coefficient.
    #[error("{} is not identified, since its column is a linear combination of those before it: leave one out, or give a smaller C", .column.as_ref().map_or("the intercept".to_owned(), |name| format!("the coefficient of `{name}`")))]
    Collinear {
        /// Its name; `None` for the intercept.
        column: Option<String>,
    },
}
