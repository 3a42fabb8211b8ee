//! The client with services, real and false.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod client;
mod common;
mod fake;
