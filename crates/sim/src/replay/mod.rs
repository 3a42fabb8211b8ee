//! Logs of tickets, looked at again: what could have been done with them.
//!
//! - [`hindsight`]: the least that any policy could have paid for a log of 1v1 tickets, with its proof.

pub mod hindsight;
