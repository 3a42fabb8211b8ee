//! [`PolicyError`]: what can be wrong with a policy.

use thiserror::Error;

use crate::error::ScoringError;

/// Why settings make no [`ScoringPolicy`](crate::ScoringPolicy).
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A setting of a factor or rule out of its range.
    #[error("{key}: {source}")]
    Setting {
        /// The section of the document, such as `scoring.factors.hosts`.
        key: String,
        /// What is wrong there.
        source: ScoringError,
    },
    /// A weight that is none.
    #[error("{key} is {value}: give a finite weight of 0 or more")]
    Weight {
        /// The key of the document.
        key: String,
        /// What was given; it may be NaN.
        value: f64,
    },
    /// Nothing to score by.
    #[error(
        "{key}: the weights sum to {sum}: give at least one factor a weight above 0, and none a huge one"
    )]
    NoWeight {
        /// The section of the document.
        key: String,
        /// The sum of the weights; infinite if they are too large.
        sum: f64,
    },
    /// A floor or threshold that is no quality.
    #[error("{key} is {value}: give a quality from 0 to 1")]
    Quality {
        /// The key of the document.
        key: String,
        /// What was given; it may be NaN.
        value: f64,
    },
    /// Two factors or rules of one name.
    #[error("{key} is there twice: give every factor and rule a name of its own")]
    SameName {
        /// The key of the document.
        key: String,
    },
}
