//! The factors of a match of teams, one file each, by the document that describes them.
//!
//! Every factor has settings (`...Params`), whose defaults are in the units of its source, and a checked form
//! that scores. Factors that compare two teams take the largest difference among more.

/// The checked form of settings.
macro_rules! checked {
    ($(#[$doc:meta])* $name:ident from $params:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            params: $params,
        }

        impl $name {
            /// The settings.
            #[must_use]
            pub const fn params(&self) -> &$params {
                &self.params
            }
        }
    };
}

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
