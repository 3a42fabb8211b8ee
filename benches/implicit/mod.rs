//! Graphs without a matrix: costs are computed when they are asked for.

mod eomm;
mod hashed;
mod plateau;

pub use eomm::EommCosts;
pub use hashed::HashedCosts;
pub use plateau::PlateauCosts;
