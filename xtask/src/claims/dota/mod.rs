//! Dota 2: Valve, "Dota 2: Matchmaking", 7 December 2013. So far what concerns ratings.
#![allow(
    clippy::unnecessary_wraps,
    reason = "all checks have one signature, also those that cannot fail"
)]

mod accounts;
mod parties;
mod percentiles;
mod rating;

use super::Check;

/// The checks, theme by theme.
pub(super) fn checks() -> Vec<Check> {
    [
        accounts::CHECKS,
        rating::CHECKS,
        percentiles::CHECKS,
        parties::CHECKS,
    ]
    .concat()
}
