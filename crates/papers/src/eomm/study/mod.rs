//! EOMM's case study (section 5), end to end: from a history of matches to Table 2.
//!
//! | step | paper | here |
//! |---|---|---|
//! | skills | Glicko over the sorted matches, final ratings | [`rate`](matchwright_sim::rate), final ratings |
//! | outcomes | Eq. 10-12 | any outcome model; by default Eq. 10-12 with the draw rate of the data |
//! | churn | logistic regression, 67 inputs, L2 by grid search and 5-fold cross-validation | the same, judged on later matches that took no part |
//! | states | both players of randomly sampled matches | the same |
//! | rounds | 10,000 for each P, retained players counted | any number; also their expectation, with common random numbers |
//! | pool | players | states: the same player may wait in a pool more than once, in different states |
//! | test | Welch's t | Welch's t, and the paired test beside it |
//!
//! Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017,
//! doi 10.1145/3038912.3052559.

mod churn_fit;
mod config;
mod edges;
mod part;
mod patterns;
mod report;
mod rounds;
mod rows;
mod run;
mod shard;
mod states;
mod summary;

pub use churn_fit::{CalibratedForecast, ChurnReport, Coefficient};
pub use config::StudyConfig;
pub use part::{StudyPart, has_exact_counts, in_order};
pub(crate) use patterns::duels_of;
pub use patterns::{RegionPatterns, pattern_table_of, pattern_table_of_regions, stream_patterns};
pub use report::{
    Comparison, DataSummary, Gain, Judgement, MethodResult, PatternChurn, PatternTable, PoolResult,
    RatingReport, StudyReport,
};
pub(crate) use rounds::Pair;
pub(crate) use run::Models;
#[cfg(test)]
pub(crate) use run::glicko;
pub use run::{run_part, run_study};
pub use shard::Shard;
