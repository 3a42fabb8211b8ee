//! How well the source's Pp foretells hidden ratings, by the bonus that is not spent yet.

use anyhow::Result;
use matchwright_sim::statistics::{Estimate, Summary};
use serde::Serialize;

use super::ladder::{LadderTruth, LadderWorld};

/// Upper ends of the rows of unspent bonus.
const POOLS: [f64; 6] = [25.0, 100.0, 250.0, 500.0, 1_000.0, f64::MAX];

/// Players by how much unspent bonus they have: one range.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PoolRow {
    /// Unspent bonus points up to this, and above that of the row before.
    pub up_to: f64,
    /// Players.
    pub players: u32,
    /// Errors, a ladder each; NaN on a ladder without such players.
    pub ladders: Vec<PoolErrors>,
}

/// Root mean square differences from the hidden rating of a later time, points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PoolErrors {
    /// Of P + 2 U W - B + K + C, twenty games later.
    pub published: f64,
    /// Of the rating now, P + U - B + K + C, twenty games later.
    pub now: f64,
    /// Of the first once the pool is spent.
    pub published_when_spent: f64,
    /// Of the second once the pool is spent.
    pub now_when_spent: f64,
}

impl PoolRow {
    /// The mean over ladders.
    pub(crate) fn mean(&self, error: impl Fn(&PoolErrors) -> f64) -> Estimate {
        Summary::of(self.ladders.iter().map(error)).estimate()
    }
}

/// The rows of one ladder.
///
/// # Errors
/// Of pools that cannot be.
pub(crate) fn pool_errors(world: &LadderWorld, truth: &LadderTruth) -> Result<Vec<PoolRow>> {
    let mut sums = [(0_u32, [0.0; 4]); POOLS.len()];
    for ((snapshot, tier), later) in world.late.iter().zip(&truth.tiers).zip(&truth.later) {
        let division = truth.season.division(&snapshot.league, Some(tier))?;
        for (member, later) in snapshot.members.iter().zip(later) {
            let standing = snapshot.standing(member)?;
            let (published, now) = (standing.mmr(&division), standing.mmr_now(&division));
            let off = [
                published - later.in_20_games,
                now - later.in_20_games,
                published - later.pool_spent,
                now - later.pool_spent,
            ];
            let place = POOLS.iter().position(|up_to| member.unspent.get() <= *up_to);
            let (players, squares) = &mut sums[place.unwrap_or(POOLS.len() - 1)];
            *players += 1;
            for (sum, off) in squares.iter_mut().zip(off) {
                *sum += off * off;
            }
        }
    }
    let row = |(up_to, (players, squares)): (f64, (u32, [f64; 4]))| {
        let [published, now, published_when_spent, now_when_spent] =
            squares.map(|sum| (sum / f64::from(players)).sqrt());
        let errors = PoolErrors {
            published,
            now,
            published_when_spent,
            now_when_spent,
        };
        PoolRow {
            up_to,
            players,
            ladders: vec![errors],
        }
    };
    Ok(POOLS.into_iter().zip(sums).map(row).collect())
}
