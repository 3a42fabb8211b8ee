//! [`DivisionSnapshot`] and [`PromotionHistory`]: the observations.

use crate::amounts::{PoolTotal, RankPoints, Unspent, WinRate};
use crate::error::ForensicsError;
use crate::standing::Standing;

/// A player of a division, as the division's page shows it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Member {
    /// Name or number, the same in all snapshots.
    pub name: String,
    /// P.
    pub points: RankPoints,
    /// U.
    pub unspent: Unspent,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
}

/// A division at one moment, or within some hours of it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DivisionSnapshot {
    /// The same in all snapshots of it.
    pub name: String,
    /// The name of its league, which its page shows.
    pub league: String,
    /// B, as it was when the snapshot was begun.
    pub total: PoolTotal,
    /// In any order.
    pub members: Vec<Member>,
}

impl DivisionSnapshot {
    /// A member's P, U, W and B; half of the games for who has not played.
    ///
    /// # Errors
    /// [`ForensicsError::Pool`] if more is unspent than the season gave. A snapshot that took hours shows a little
    /// more than its total; then the total is taken to be that.
    pub fn standing(&self, member: &Member) -> Result<Standing, ForensicsError> {
        let share = WinRate::from_record(member.wins, member.losses).unwrap_or(WinRate::HALF);
        // Ten hours give five points.
        let total =
            if member.unspent.get() > self.total.get() && member.unspent.get() < self.total.get() + 20.0 {
                PoolTotal::new(member.unspent.get())?
            } else {
                self.total
            };
        Standing::new(member.points, member.unspent, total, share)
    }

    /// P + U - B of a member: points less the bonus spent.
    #[must_use]
    pub fn differential(&self, member: &Member) -> f64 {
        member.points.get() + member.unspent.get() - self.total.get()
    }
}

/// A player's games in one division, until a promotion or until now.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PromotionHistory {
    /// The league.
    pub league: String,
    /// The division; its players share K.
    pub division: String,
    /// Points less bonus spent after each game, oldest first, those before the division came into sight included, in
    /// this division's points.
    pub differentials: Vec<f64>,
    /// The first game that could have led to a promotion, from 0.
    pub from: usize,
    /// Whether the last game did.
    pub promoted: bool,
    /// Before which games the player was away for a week or more: the game, from 0, and weeks.
    pub away: Vec<(usize, f64)>,
}
