//! EOMM: what the paper prints, its case study (section 5), its theory (section 4) and how much it can gain.
//!
//! Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, doi 10.1145/3038912.3052559.

pub(crate) mod claims;
pub mod cohorts;
pub mod gain_law;
mod method;
pub mod other_worlds;
mod page;
pub mod printed;
mod reproduction;
pub mod study;
mod study_page;
pub mod theory;

pub use method::Method;
pub use reproduction::{EommPart, EommReproduction, EommSettings};
pub use study_page::{EommStudy, StudyOrigin, pattern_churn, reliability};
