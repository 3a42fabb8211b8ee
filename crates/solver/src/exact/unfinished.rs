//! What a solve had found when it was stopped.

use super::blossom::NONE;
use crate::read::shrunk::ENLARGE;

/// What was there when a solve was stopped, by vertex. Nothing if that was in a sample.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    /// In costs to be minimised, feasible for the candidates without blossoms.
    pub(crate) duals: Vec<f64>,
    /// `usize::MAX` if there is none.
    pub(crate) mates: Vec<usize>,
    /// Whether the forest of the blossom stage has duals of its own.
    pub(super) has_forest: bool,
    /// Pairs that are worth a look.
    pub(crate) candidates: Vec<(usize, usize)>,
}

impl Unfinished {
    /// The same for costs that were made smaller.
    pub(super) fn enlarged(self) -> Self {
        Self {
            duals: self.duals.into_iter().map(|dual| dual * ENLARGE).collect(),
            ..self
        }
    }

    /// Who is without a partner.
    pub(crate) fn unpaired(&self) -> Vec<usize> {
        (0..self.mates.len()).filter(|&v| self.mates[v] == NONE).collect()
    }
}
