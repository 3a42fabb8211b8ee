//! Pools into lobbies and groups into teams, by every solver and splitter.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod best_with;
mod common;
mod duels;
mod lobbies;
mod lobby_laws;
mod lobby_terms;
mod lobby_verdicts;
mod serde;
mod several_teams;
mod splitter_laws;
mod teams;
