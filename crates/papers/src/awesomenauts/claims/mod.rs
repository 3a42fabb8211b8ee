//! Awesomenauts: Ronimo Games, "The Awesomenauts matchmaking algorithm", 16 September 2018. How a match and a round
//! are scored, and how lineups are searched for; the figures of the policy are those of
//! `examples/policies/awesomenauts.toml`.

pub(crate) mod company;
pub(crate) mod connection;
mod crowd;
pub(crate) mod day;
pub(crate) mod evening;
pub(crate) mod inputs;
pub(crate) mod round;
pub(crate) mod rounds_in_time;
pub(crate) mod search;
pub(crate) mod skill;
mod total;
mod world;

use self::inputs::AwesomenautsInputs;
use crate::check::Check;

/// The checks, theme by theme.
pub(crate) const CHECKS: &[&[Check<AwesomenautsInputs>]] = &[
    skill::CHECKS,
    company::CHECKS,
    crowd::CHECKS,
    connection::CHECKS,
    total::CHECKS,
    round::CHECKS,
    rounds_in_time::CHECKS,
    day::CHECKS,
    evening::CHECKS,
    search::CHECKS,
];
