//! Awesomenauts: Ronimo Games, "The Awesomenauts matchmaking algorithm", 16 September 2018. So far how a match and a
//! round are scored; the figures of the policy are those of `examples/policies/awesomenauts.toml`.

mod company;
mod connection;
mod round;
mod skill;
mod total;
mod world;

use super::Check;

/// The checks, theme by theme.
pub(super) fn checks() -> Vec<Check> {
    [
        skill::CHECKS,
        company::CHECKS,
        connection::CHECKS,
        total::CHECKS,
        round::CHECKS,
    ]
    .concat()
}
