//! The readers as a program uses them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod dates;
mod formats;
mod hostile;
mod matches;
mod results;
mod texts;
