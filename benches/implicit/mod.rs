//! Graphs without a matrix: costs are computed when they are asked for.

mod eomm;
mod hashed;

pub use eomm::EommCosts;
pub use hashed::HashedCosts;
