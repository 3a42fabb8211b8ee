//! The readers as a program uses them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failure in a helper fails the test"
)]

mod dates;
#[cfg(all(feature = "compression", feature = "encodings"))]
mod exports;
mod formats;
mod hostile;
mod labels;
mod matches;
mod nested;
mod numbers;
mod people;
mod pgn;
mod results;
mod several;
mod texts;
mod trf;
#[cfg(feature = "xlsx")]
mod workbooks;
