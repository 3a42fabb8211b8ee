//! Tests of the queue through its public interface.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a failure fails the test; the numbers are small"
)]

mod acceptance;
mod answers;
mod bad_lobbies;
mod bench;
mod defects;
mod embed_killed;
mod journal;
mod journal_faults;
mod journal_world;
mod laws;
mod live;
mod liveness;
mod model;
mod streams;
mod suite;
mod why;
mod worlds;
