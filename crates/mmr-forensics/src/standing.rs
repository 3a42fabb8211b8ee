//! [`Standing`]: what a player's page shows, and the rating behind it.

use crate::amounts::{PoolTotal, RankPoints, Unspent, WinRate};
use crate::error::ForensicsError;
use crate::promotion::GameValue;
use crate::season::Division;

/// P, U, W and B of one player at one time.
///
/// "Understanding The Matchmaking System in Starcraft II", 2011: `Pp = P + 2 U W - B + K` and `MMR = Pp + C`.
///
/// ```
/// use matchwright_mmr_forensics::{LadderSeason, PoolTotal, RankPoints, Standing, Unspent, WinRate};
///
/// let standing = |share: f64| -> Result<_, matchwright_mmr_forensics::ForensicsError> {
///     Standing::new(RankPoints::new(1000.0)?, Unspent::new(2000.0)?, PoolTotal::new(2669.0)?, WinRate::new(share)?)
/// };
/// assert_eq!(standing(0.50)?.differential(), 331.0);
/// assert_eq!(standing(0.55)?.differential().round(), 531.0);
///
/// // The best Bronze player of the world, in a division of Rank 0.
/// let player = Standing::new(
///     RankPoints::new(3821.0)?, Unspent::new(9.0)?, PoolTotal::new(2671.0)?, WinRate::from_record(293, 238)?,
/// )?;
/// let season = LadderSeason::default();
/// let division = season.division("Bronze", Some("Rank 0"))?;
/// assert_eq!(player.differential().round(), 1160.0);
/// assert_eq!((player.differential_in(&division) - 500.0).round(), 160.0);
/// assert_eq!(player.mmr(&division).round(), 1160.0);
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
#[doc(alias("StarCraft", "hidden MMR"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Standing {
    points: RankPoints,
    unspent: Unspent,
    total: PoolTotal,
    share: WinRate,
}

impl Standing {
    /// # Errors
    /// [`ForensicsError::Pool`] if more is unspent than was ever given.
    pub fn new(
        points: RankPoints,
        unspent: Unspent,
        total: PoolTotal,
        share: WinRate,
    ) -> Result<Self, ForensicsError> {
        if unspent.get() > total.get() {
            return Err(ForensicsError::Pool {
                unspent: unspent.get(),
                total: total.get(),
            });
        }
        Ok(Self {
            points,
            unspent,
            total,
            share,
        })
    }

    /// P.
    #[must_use]
    pub const fn points(&self) -> RankPoints {
        self.points
    }

    /// U.
    #[must_use]
    pub const fn unspent(&self) -> Unspent {
        self.unspent
    }

    /// B.
    #[must_use]
    pub const fn total(&self) -> PoolTotal {
        self.total
    }

    /// W.
    #[must_use]
    pub const fn share(&self) -> WinRate {
        self.share
    }

    /// Pp without K: P + 2 U W - B, where the player will stand once the pool is spent, as the source has it.
    #[must_use]
    pub fn differential(&self) -> f64 {
        self.points.get() + 2.0 * self.unspent.get() * self.share.get() - self.total.get()
    }

    /// The source's first form, P + U - B, which is W = 1/2: points less the bonus spent.
    ///
    /// As long as no bonus expired this moves exactly as the hidden rating does: where the player stands now.
    #[must_use]
    pub fn differential_now(&self) -> f64 {
        self.points.get() + self.unspent.get() - self.total.get()
    }

    /// Where the player will stand once the pool is spent, exactly, if W stays and all wins and losses are worth the
    /// same: P - B + U (2 - (1 - W) L / (W A)), which is U (3 W - 1) / W where a win brings as much as a loss costs.
    ///
    /// The source's 2 U W agrees with it at W = 1/2 (and A = L) and at W = 1. `None` for W = 0 with a pool that then
    /// is never spent, and where a win brings nothing.
    #[must_use]
    pub fn differential_spent(&self, game: GameValue) -> Option<f64> {
        let (unspent, share) = (self.unspent.get(), self.share.get());
        if unspent == 0.0 {
            return Some(self.points.get() - self.total.get());
        }
        let won = share * game.per_win.get();
        if won == 0.0 {
            return None;
        }
        let worth = 2.0 - (1.0 - share) * game.per_loss.get() / won;
        Some(self.points.get() - self.total.get() + unspent * worth)
    }

    /// Pp of a division: P + 2 U W - B + K.
    #[must_use]
    pub fn differential_in(&self, division: &Division<'_>) -> f64 {
        self.differential() + division.offset()
    }

    /// MMR = P + 2 U W - B + K + C.
    #[must_use]
    pub fn mmr(&self, division: &Division<'_>) -> f64 {
        division.mmr(self.differential_in(division))
    }

    /// The rating now, by points less the bonus spent: P + U - B + K + C.
    #[must_use]
    pub fn mmr_now(&self, division: &Division<'_>) -> f64 {
        division.mmr(self.differential_now() + division.offset())
    }
}
