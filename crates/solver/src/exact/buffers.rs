//! Memory that solves share.

use super::certify::Spare;
use super::solve::Stages;
use super::start::levels::Levels;
use crate::pairing::Pairing;

/// Memory of the exact solver.
#[derive(Debug, Default)]
pub(crate) struct ExactBuffers {
    pub(super) precise: Levels<f64>,
    pub(super) quick: Levels<f32>,
    pub(super) narrow: Stages<i64>,
    pub(super) wide: Stages<i128>,
    pub(super) spare: Spare,
    /// Duals that a solve starts from.
    pub(super) starts: Vec<f64>,
}

impl ExactBuffers {
    /// Takes the memory of an answer.
    pub(crate) fn refill(&mut self, pairing: Pairing) {
        self.spare.refill(pairing);
    }
}
