//! Pairing solvers against brute force, published instances, laws, liars and limits.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod approximate;
mod approximate_bounds;
mod approximate_moves;
mod approximate_oracles;
mod broken_oracles;
mod brute_force;
mod common;
mod components;
mod false_claims;
mod families;
mod fuzz_edges;
mod fuzz_oracles;
#[cfg(feature = "laws")]
mod laws;
mod limits;
mod multiples;
mod no_perfect_matching;
mod outliers;
mod properties;
#[cfg(feature = "serde")]
mod serde;
mod stopped;
mod ties;
mod unmatched;
mod unmatched_ties;
mod verified_points;
mod verified_threads;
mod wide_range;
