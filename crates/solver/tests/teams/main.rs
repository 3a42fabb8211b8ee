//! One group into teams: what is found beside all that there is.

#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod by_hand;
mod errors;
mod large;
mod objectives;
mod random;
