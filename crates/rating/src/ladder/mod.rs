//! What a ladder shows around a hidden rating: points, a bonus pool, moving averages, promotion.
//!
//! Layers: each wraps any [`RatingSystem`](crate::RatingSystem), is one itself, and adds its own state to the
//! inner rating, which goes on as if the layer were not there. They stack:
//!
//! ```
//! use matchwright_rating::{
//!     AveragedParams, EloParams, GameResult, LadderPointsParams, RatingSystem, Score,
//! };
//!
//! let hidden = EloParams { k: 24.0, ..EloParams::default() }.build()?;
//! let shown = LadderPointsParams::default().wrap(hidden)?;
//! let ladder = AveragedParams { thresholds: vec![1510.0], min_games: 2, ..Default::default() }.wrap(shown)?;
//!
//! let (mut ann, bob) = (ladder.initial(), ladder.initial());
//! for _ in 0..2 {
//!     // A day passes, then a win.
//!     ann = ladder.update(&ann, 1.0, &[GameResult::new(bob.clone(), Score::WIN)]);
//! }
//! // The hidden rating, the points with the bonus that doubles them, and the promotion.
//! assert_eq!(ann.inner().hidden().value().round(), 1524.0);
//! assert_eq!(ann.inner().points().round(), 47.0);
//! assert_eq!(ann.tier(), 1);
//! # Ok::<(), matchwright_rating::ParamError>(())
//! ```
//!
//! After "Understanding The Matchmaking System in Starcraft II" (2011), which infers these mechanics from
//! outside. Only mechanics are here; what one season's leagues, offsets and totals were is not.

mod average;
mod averaged;
mod bonus;
mod points;
mod whole;

pub use average::{AverageWindow, MovingAverage};
pub use averaged::{Averaged, AveragedParams, AveragedRating};
pub use bonus::{BonusPool, BonusPoolParams};
pub use points::{LadderPoints, LadderPointsParams, PointsRating};
pub use whole::{LadderParams, LadderStanding, Laddered, LadderedRating};
