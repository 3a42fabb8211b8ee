//! A whole scoring policy: factors and their weights, rules, how they combine, and the document that says so.

mod decomposition;
#[cfg(feature = "serde")]
mod document;
mod error;
mod explanation;
mod params;
mod scoring;
#[cfg(feature = "serde")]
pub(crate) mod strict;

pub use decomposition::{PolicyDecomposition, PolicyTerm};
#[cfg(feature = "serde")]
pub use document::{PolicyDocument, Unread};
pub use error::PolicyError;
pub use explanation::{Explanation, FactorScore, Forbidden};
pub use params::{FactorsParams, RulesParams, ScoringPolicyParams, Weighted};
pub use scoring::{ScoringPolicy, WeightedFactor};
