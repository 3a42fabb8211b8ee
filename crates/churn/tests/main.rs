//! Features, labels and fits against written-out formulas.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod features;
#[cfg(feature = "fit")]
mod from_matches;
#[cfg(feature = "fit")]
mod halo;
#[cfg(feature = "fit")]
mod inference;
#[cfg(feature = "fit")]
mod logistic;
#[cfg(feature = "fit")]
mod many_rows;
#[cfg(all(feature = "serde", feature = "fit"))]
mod serde;
