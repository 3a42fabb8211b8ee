//! The factors of a match of teams, one file each, by the document that describes them.
//!
//! A factor is its settings, whose defaults are in the units of its source. A policy checks them
//! ([`TeamFactor::check`](crate::TeamFactor::check)); used alone, settings outside their ranges give qualities outside
//! \[0, 1\]. Factors that compare two teams take the largest difference among more.

mod awesomenauts;
mod dominations;
mod dota;
mod engagement;
mod live;

pub use awesomenauts::*;
pub use dominations::*;
pub use dota::*;
pub use engagement::*;
pub use live::*;

use crate::team::{Decomposition, PairKinds, PairTable};

/// The parts of a factor that is the mean over the pairs of `kinds`.
fn pair_terms(kinds: PairKinds, players: &[usize], quality: impl Fn(usize, usize) -> f64) -> Decomposition {
    let table = PairTable::of(players, quality);
    Decomposition::Pairs {
        together: kinds.together.then(|| table.clone()),
        against: kinds.against.then_some(table),
    }
}
