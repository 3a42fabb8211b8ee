//! Factors, policies and pools: printed figures, laws, what is refused.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod awesomenauts;
mod common;
mod dominations;
mod dota;
mod eomm;
mod live;
#[cfg(feature = "serde")]
mod parts;
#[cfg(feature = "serde")]
mod policy;
mod pool;
#[cfg(feature = "serde")]
mod schema;
#[cfg(feature = "laws")]
mod scorers;
#[cfg(feature = "laws")]
mod team_laws;
