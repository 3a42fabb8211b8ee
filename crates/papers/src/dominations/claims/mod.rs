//! DomiNations: "World War Matchmaking - Design Spotlight 2019", with the answers in the forum. So far what concerns
//! ratings and the score of a war.

mod alliances;
pub(crate) mod bases;
pub(crate) mod inputs;
pub(crate) mod points;
pub(crate) mod schedule;

use crate::claims::Check;

/// The checks, theme by theme.
pub(crate) const CHECKS: &[&[Check]] = &[bases::CHECKS, schedule::CHECKS, points::CHECKS, alliances::CHECKS];
