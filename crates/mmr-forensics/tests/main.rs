//! Printed figures, laws, and histories there and back.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod history;
#[cfg(feature = "laws")]
mod laws;
mod seed;
