//! EOMM: Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, doi 10.1145/3038912.3052559.

pub(crate) mod bradley_terry;
mod cohorts;
mod data;
pub(crate) mod edges;
pub(crate) mod extensions;
pub(crate) mod features;
mod gain;
pub(crate) mod inputs;
pub(crate) mod matching;
mod missing_edges;
mod other_worlds;
pub(crate) mod outcomes;
mod pool;
pub(crate) mod procedure;
pub(crate) mod significance;
pub(crate) mod table1;
pub(crate) mod table2;
mod theory;

use self::inputs::EommInputs;
use crate::check::Check;

/// The checks, theme by theme.
pub(crate) const CHECKS: &[&[Check<EommInputs>]] = &[
    table1::CHECKS,
    bradley_terry::CHECKS,
    outcomes::CHECKS,
    edges::CHECKS,
    features::CHECKS,
    matching::CHECKS,
    theory::CHECKS,
    data::CHECKS,
    procedure::CHECKS,
    table2::CHECKS,
    other_worlds::CHECKS,
    gain::CHECKS,
    significance::CHECKS,
    cohorts::CHECKS,
    extensions::CHECKS,
];
