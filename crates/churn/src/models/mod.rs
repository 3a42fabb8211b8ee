//! The models of this crate: a constant, a table by the last outcomes, a logistic regression.

mod constant;
mod logistic;
mod table;

pub use constant::ConstantModel;
pub use logistic::LogisticModel;
#[cfg(feature = "fit")]
pub(crate) use logistic::first_duplicate;
pub use table::{MAX_TABLE_OUTCOMES, PatternCounts, TableCounts, TableModel};

use thiserror::Error;

/// A model that cannot be.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ModelError {
    /// A probability outside [0, 1], or NaN.
    #[error("{value} is not a probability: give a number in [0, 1]")]
    Probability {
        /// The number given.
        value: f64,
    },
    /// A NaN or infinite coefficient; the intercept has no column.
    #[error("{} is {value}: coefficients must be finite numbers", .column.as_ref().map_or("the intercept".to_owned(), |name| format!("the coefficient of `{name}`")))]
    Coefficient {
        /// Its column; `None` for the intercept.
        column: Option<String>,
        /// The number given.
        value: f64,
    },
    /// A column of the model that the data do not have.
    #[error("the model needs the column `{column}`, which is not there")]
    MissingColumn {
        /// Its name.
        column: String,
    },
    /// A name that several columns have.
    #[error("several columns are called `{column}`: give each a name of its own")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A table over no outcome, or over too many.
    #[error("a table over the last {outcomes} outcomes is not possible: choose 1 to {MAX_TABLE_OUTCOMES}")]
    TableSize {
        /// The number of outcomes asked for.
        outcomes: usize,
    },
    /// More churned than there were matches, or sums beyond 2^64.
    #[error(
        "{churned} of {matches} matches cannot be followed by churn: count the matches first, and at most 2^64 of them"
    )]
    Counts {
        /// Matches given.
        matches: u64,
        /// Matches followed by churn given.
        churned: u64,
    },
    /// Saved counts that no matches can have given.
    #[error("the saved table cannot be right: {what}; save it again with the program that made it")]
    SavedTable {
        /// What does not fit.
        what: String,
    },
    /// A table without any match.
    #[error("the table has no match to learn from: add at least one labelled match")]
    EmptyTable,
}
