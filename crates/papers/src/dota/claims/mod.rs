//! Dota 2: Valve, "Dota 2: Matchmaking", 7 December 2013. What concerns ratings, the
//! score of a match, and how close a played one was.

pub(crate) mod accounts;
mod aggregates;
pub(crate) mod inputs;
pub(crate) mod lobbies;
pub(crate) mod parties;
pub(crate) mod percentiles;
pub(crate) mod rating;
pub(crate) mod streaks;
pub(crate) mod worlds;

use self::inputs::DotaInputs;
use crate::check::Check;

/// The checks, theme by theme.
pub(crate) const CHECKS: &[&[Check<DotaInputs>]] = &[
    accounts::CHECKS,
    rating::CHECKS,
    percentiles::CHECKS,
    parties::CHECKS,
    lobbies::CHECKS,
    aggregates::CHECKS,
    streaks::CHECKS,
    worlds::CHECKS,
];
