//! Pools and objectives to test on.

pub(crate) mod lobby_kinds;
pub(crate) mod lobby_pools;
pub(crate) mod lobby_world;
