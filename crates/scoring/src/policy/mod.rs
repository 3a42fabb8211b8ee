//! A whole scoring policy: factors and their weights, rules, how they combine, and the document that says so.

#[cfg(feature = "serde")]
mod document;
mod error;
mod explanation;
mod params;
mod parts;
mod scoring;
#[cfg(feature = "serde")]
pub(crate) mod strict;

#[cfg(feature = "serde")]
pub use document::{PolicyDocument, Unread};
pub use error::PolicyError;
pub use explanation::{Explanation, FactorScore, Forbidden};
pub use params::{FactorsParams, RulesParams, ScoringPolicyParams, Weighted};
pub use parts::{PolicyPart, PolicyParts};
pub use scoring::{ScoringPolicy, WeightedFactor};
