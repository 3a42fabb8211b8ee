//! A ladder of leagues and divisions, played forwards: what it shows, and apart from that its truth.
//!
//! Hidden ratings follow Elo against opponents of one's own level; what is displayed are points with a bonus pool; a
//! moving average of the rating, and games after an absence, decide on promotion; divisions belong to tiers. The
//! season's constants are drawn around the printed ones, so that [`LadderWorld`] alone does not show them; they
//! are in [`LadderTruth`], for judges.
//!
//! ```
//! use matchwright_papers::sc2::ladder::{LadderWorldParams, ladder_world};
//!
//! let small = LadderWorldParams { divisions: 8, ..LadderWorldParams::default() };
//! let (world, truth) = ladder_world(&small, 1)?;
//! assert_eq!((world.late.len(), truth.tiers.len()), (8, 8));
//! # anyhow::Ok(())
//! ```

mod life;
mod params;
mod world;

pub use life::LaterRating;
pub use params::{LadderWorldParams, Levels};
pub use world::{LadderTruth, LadderWorld, ladder_world};
