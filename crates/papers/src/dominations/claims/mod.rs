//! DomiNations: "World War Matchmaking - Design Spotlight 2019", with the answers in the forum: ratings, the score of
//! a war, and its queues, old and new.

pub(crate) mod alliances;
pub(crate) mod bases;
pub(crate) mod inputs;
mod knobs;
mod league;
mod old_queue;
pub(crate) mod points;
pub(crate) mod queue;
pub(crate) mod schedule;
pub(crate) mod waiting;
pub(crate) mod wars;

use self::inputs::DominationsInputs;
use crate::check::Check;

/// The checks, theme by theme.
pub(crate) const CHECKS: &[&[Check<DominationsInputs>]] = &[
    bases::CHECKS,
    schedule::CHECKS,
    points::CHECKS,
    alliances::CHECKS,
    old_queue::CHECKS,
    queue::CHECKS,
    waiting::CHECKS,
    knobs::CHECKS,
    wars::CHECKS,
    league::CHECKS,
];
