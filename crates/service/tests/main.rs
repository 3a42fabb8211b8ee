//! The service through its handle.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod backfill;
mod crashes;
mod dice;
mod faults;
mod handle;
#[cfg(feature = "http")]
mod http;
mod mutated;
mod presence;
#[cfg(feature = "http")]
mod roles;
#[cfg(feature = "otlp")]
mod traces;
