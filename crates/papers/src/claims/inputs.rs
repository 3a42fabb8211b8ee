//! What all checks are functions of, document by document.

use std::sync::Arc;

use matchwright_sim::progress::Progress;

use crate::awesomenauts::claims::inputs::AwesomenautsInputs;
use crate::dominations::claims::inputs::DominationsInputs;
use crate::dota::claims::inputs::DotaInputs;
use crate::eomm::claims::inputs::EommInputs;
use crate::sc2::claims::inputs::Sc2Inputs;

/// The inputs of each document.
pub(crate) struct Inputs {
    pub(crate) eomm: EommInputs,
    pub(crate) awesomenauts: AwesomenautsInputs,
    pub(crate) dota: DotaInputs,
    pub(crate) dominations: DominationsInputs,
    pub(crate) sc2: Sc2Inputs,
}

impl Inputs {
    /// The library as it is, with this many rounds of EOMM's study.
    pub(crate) fn new(rounds: u32, seed: u64, progress: &Arc<dyn Progress>) -> Self {
        let progress = || Arc::clone(progress);
        Self {
            eomm: EommInputs::new(rounds, seed, progress()),
            awesomenauts: AwesomenautsInputs::new(seed, progress()),
            dota: DotaInputs::new(seed, progress()),
            dominations: DominationsInputs::new(seed, progress()),
            sc2: Sc2Inputs::new(seed, progress()),
        }
    }
}
