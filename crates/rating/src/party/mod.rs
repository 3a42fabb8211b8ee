//! Party bonuses: what queueing together adds to ratings, and its fit.

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
