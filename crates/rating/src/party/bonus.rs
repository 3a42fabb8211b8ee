//! [`PartyBonus`]: rating points that are added to each member of a party.

use crate::error::{ParamError, within};
use crate::system::RatingEstimate;
use crate::team::{Member, ShiftRating};

/// The settings of [`PartyBonus`], unchecked until [`build`](Self::build).
#[doc(alias("party-adjusted MMR"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PartyBonusParams {
    /// Points for each point by which the party's best and worst rating differ beyond `free_spread`; in
    /// \[-0.2, 0.2\], so that in parties of up to five nobody's rise makes the side weaker. Default
    /// 0.01972.
    pub spread_points: f64,
    /// The spread that is worth nothing, in points, at least 0. Default 136.6.
    pub free_spread: f64,
    /// Points for a party of 2, 3, 4, and 5 or more, each within \[-10,000, 10,000\]. Default 0: one table
    /// of three parties cannot tell the size's part from the spread's.
    pub size_points: [f64; 4],
}

impl Default for PartyBonusParams {
    fn default() -> Self {
        Self {
            spread_points: 0.01972,
            free_spread: 136.6,
            size_points: [0.0; 4],
        }
    }
}

impl PartyBonusParams {
    /// The bonus, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<PartyBonus, ParamError> {
        within("spread_points", self.spread_points, -0.2..=0.2)?;
        within("free_spread", self.free_spread, 0.0..=1e6)?;
        for points in self.size_points {
            within("size_points", points, -1e4..=1e4)?;
        }
        Ok(PartyBonus { params: self })
    }
}

/// How much better each member of a party plays than alone, in rating points.
///
/// ```text
/// bonus = presence (size_points[size] + spread_points max(0, spread - free_spread))
/// spread = best - worst rating         presence = the least part of the game that one of them played
/// ```
///
/// The same for all members; 0 for who queued alone. The defaults are a line through the three parties
/// of the match that Valve printed ("Dota 2: Matchmaking", 7 December 2013): +9.0 for (2994, 2401), +0.5
/// for (2788, 2626) and +16.0 for (3046, 2920, 2100). The print shows +0 and +1 for the second, which no
/// bonus common to a party gives to whole numbers, but which ratings with hidden fractions allow. What
/// a game's own matches say, [`fit_party_bonus`](crate::fit_party_bonus) learns.
///
/// ```
/// use matchwright_rating::{EloRating, Member, PartyBonusParams};
///
/// let bonus = PartyBonusParams::default().build()?;
/// let player = |mmr| Member::new(EloRating::new(mmr).unwrap());
/// let dire = [
///     player(3046.0).in_party(1),
///     player(2920.0).in_party(1),
///     player(2716.0),
///     player(2672.0),
///     player(2100.0).in_party(1),
/// ];
/// let adjusted: Vec<f64> = bonus.adjusted(&dire).iter().map(|one| one.rating.value().round()).collect();
/// assert_eq!(adjusted, [3062.0, 2936.0, 2716.0, 2672.0, 2116.0]);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "PartyBonusParams", into = "PartyBonusParams")
)]
#[doc(alias("party-adjusted MMR", "party MMR"))]
pub struct PartyBonus {
    params: PartyBonusParams,
}

impl PartyBonus {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &PartyBonusParams {
        &self.params
    }

    /// The bonus of each member of a party of `size` that played together throughout and whose ratings differ by
    /// `spread` points; 0 for a size below 2.
    #[must_use]
    pub fn points(&self, size: usize, spread: f64) -> f64 {
        if size < 2 {
            return 0.0;
        }
        // `max` passes over NaN, so the bonus is a number whatever the spread.
        let beyond = (spread - self.params.free_spread).max(0.0);
        self.params.size_points[size_index(size)] + self.params.spread_points * beyond
    }

    /// The bonus of each member of a side in a whole game, in its order. O(n log n).
    #[must_use]
    pub fn of_side<R: RatingEstimate>(&self, members: &[Member<R>]) -> Vec<f64> {
        self.of_side_in(members, 1.0)
    }

    /// The same in a game of this [length](crate::TeamGame::length).
    pub(super) fn of_side_in<R: RatingEstimate>(&self, members: &[Member<R>], length: f64) -> Vec<f64> {
        let mut bonuses = vec![0.0; members.len()];
        for party in parties(members) {
            let points = party.presence / length * self.points(party.members.len(), party.spread);
            for member in party.members {
                bonuses[member] = points;
            }
        }
        bonuses
    }

    /// The side with every rating raised by its bonus in a whole game: Valve's adjusted MMR.
    #[must_use]
    pub fn adjusted<R: RatingEstimate + ShiftRating>(&self, members: &[Member<R>]) -> Vec<Member<R>> {
        self.adjusted_in(members, 1.0)
    }

    /// The same in a game of this [length](crate::TeamGame::length).
    pub(super) fn adjusted_in<R: RatingEstimate + ShiftRating>(
        &self,
        members: &[Member<R>],
        length: f64,
    ) -> Vec<Member<R>> {
        let raise = |(member, points): (&Member<R>, f64)| member.with_rating(member.rating.shifted(points));
        let bonuses = self.of_side_in(members, length);
        members.iter().zip(bonuses).map(raise).collect()
    }
}

impl TryFrom<PartyBonusParams> for PartyBonus {
    type Error = ParamError;

    fn try_from(params: PartyBonusParams) -> Result<Self, ParamError> {
        params.build()
    }
}

impl From<PartyBonus> for PartyBonusParams {
    fn from(bonus: PartyBonus) -> Self {
        bonus.params
    }
}

/// Where a size stands among 2, 3, 4, and 5 or more.
pub(super) fn size_index(size: usize) -> usize {
    size.clamp(2, 5) - 2
}

/// Two players or more who queued together.
pub(super) struct Party {
    /// Their positions in the side.
    pub(super) members: Vec<usize>,
    /// Best less worst rating.
    pub(super) spread: f64,
    /// The share of the game in which all of them played, as far as shares tell: the least.
    pub(super) presence: f64,
}

/// The parties of a side, by their numbers. Who shares a number with nobody is no party.
pub(super) fn parties<R: RatingEstimate>(members: &[Member<R>]) -> Vec<Party> {
    let mut labelled: Vec<(u32, usize)> = members
        .iter()
        .enumerate()
        .filter_map(|(at, member)| Some((member.party?, at)))
        .collect();
    labelled.sort_unstable();
    let together = labelled
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|party| party.len() > 1);
    let party = |party: &[(u32, usize)]| {
        let ratings = party.iter().map(|&(_, at)| members[at].rating.rating());
        let (worst, best) = ratings.fold((f64::INFINITY, f64::NEG_INFINITY), |(worst, best), rating| {
            (worst.min(rating), best.max(rating))
        });
        Party {
            members: party.iter().map(|&(_, at)| at).collect(),
            spread: best - worst,
            presence: party
                .iter()
                .fold(1.0, |least, &(_, at)| members[at].share.min(least)),
        }
    };
    together.map(party).collect()
}
