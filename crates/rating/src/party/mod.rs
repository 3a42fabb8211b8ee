//! Party bonuses: what queueing together adds to ratings, and its fit.

mod adjusted;
mod bonus;
mod design;
mod fit;
mod options;
mod regression;

pub use adjusted::PartyAdjusted;
pub use bonus::{PartyBonus, PartyBonusParams};
pub use fit::{PartyBonusFit, PartyCoefficient, PartyFitError, PointEstimate, fit_party_bonus};
pub use options::{Identification, PartyFitOptions, PartyTerm};
