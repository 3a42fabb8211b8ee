//! Players who queue together play better than their ratings say: by how much, and how to learn it.

mod adjusted;
mod bonus;
mod design;
mod fit;
mod regression;

pub use adjusted::PartyAdjusted;
pub use bonus::{PartyBonus, PartyBonusParams};
pub use fit::{
    Identification, PartyBonusFit, PartyCoefficient, PartyFitError, PartyFitOptions, PartyTerm,
    PointEstimate, fit_party_bonus,
};
