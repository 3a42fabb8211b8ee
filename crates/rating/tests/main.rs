//! Rating systems against printed figures, laws, and each other.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod bradley_terry;
mod dom;
mod dota;
mod dota_accounts;
mod elo_mmr;
mod elo_schedules;
#[cfg(feature = "laws")]
mod endurance;
#[cfg(feature = "laws")]
mod free_for_all;
mod goldens;
#[cfg(feature = "history")]
mod history;
mod ladder;
#[cfg(feature = "laws")]
mod ladder_laws;
#[cfg(feature = "laws")]
mod laws;
mod margins;
mod params;
#[cfg(feature = "laws")]
mod partial_play;
#[cfg(feature = "laws")]
mod party;
#[cfg(feature = "laws")]
mod party_identification;
#[cfg(feature = "laws")]
mod places;
mod properties;
#[cfg(all(feature = "laws", feature = "toml", feature = "json"))]
mod registry;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "store")]
mod store;
#[cfg(feature = "store")]
mod store_events;
#[cfg(feature = "store")]
mod store_files;
#[cfg(feature = "laws")]
mod team_adapter;
#[cfg(feature = "laws")]
mod team_laws;
#[cfg(feature = "laws")]
mod team_systems;
mod through_time;
#[cfg(feature = "laws")]
mod through_time_laws;
mod trueskill;
mod weng_lin;
