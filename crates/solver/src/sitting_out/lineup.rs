//! The answer: who plays whom, and who sits out.

use crate::error::Barrier;
use crate::pairing::Pairing;

/// The partner of every player; `None` for those who sit out.
pub(super) type Mates = Vec<Option<usize>>;

/// Who plays whom and who sits out, with what proves it.
///
/// From [`SittingOut::solve`](crate::SittingOut::solve); [`SittingOut::verify`](crate::SittingOut::verify) checks it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lineup {
    mates: Mates,
    cost: f64,
    pairing: Pairing,
    barrier: Option<Barrier>,
}

impl Lineup {
    pub(super) fn new(mates: Mates, cost: f64, pairing: Pairing, barrier: Option<Barrier>) -> Self {
        Self {
            mates,
            cost,
            pairing,
            barrier,
        }
    }

    /// How many players there are.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.mates.len()
    }

    /// The partner of every player, in their order; `None` for those who sit out.
    #[must_use]
    pub fn mates(&self) -> &[Option<usize>] {
        &self.mates
    }

    /// Every pair once, as (i, j) with i < j, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pair = |(i, mate): (usize, &Option<usize>)| mate.filter(|&j| i < j).map(|j| (i, j));
        self.mates.iter().enumerate().filter_map(pair)
    }

    /// The players without a partner, ascending.
    pub fn sitting_out(&self) -> impl Iterator<Item = usize> + '_ {
        let alone = |(i, mate): (usize, &Option<usize>)| mate.is_none().then_some(i);
        self.mates.iter().enumerate().filter_map(alone)
    }

    /// The sum of the costs of the pairs and the prices of those who sit out (maximised: less these prices), rounded
    /// once.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// The perfect matching of the [padded graph](crate::SittingOut::padded), with the solver's certificate, if any.
    #[must_use]
    pub fn pairing(&self) -> &Pairing {
        &self.pairing
    }

    /// Why no fewer can sit out; `None` if everyone plays, or if prices decided. Its `unplaced` are those who sit
    /// out.
    #[must_use]
    pub fn barrier(&self) -> Option<&Barrier> {
        self.barrier.as_ref()
    }
}
