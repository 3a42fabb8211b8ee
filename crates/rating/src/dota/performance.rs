//! Dota 2's update with individual performance beside the result.

use thiserror::Error;

use crate::dota::DotaMmr;
use crate::gaussian::GaussianRating;
use crate::normal::normal_cdf;
use crate::team::{Side, TeamGame};

/// Why performances do not fit a game.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PerformanceError {
    /// Not one list for each side.
    #[error("performances of {given} side(s) for a game of {sides}: give one list for each side")]
    Sides {
        /// Lists given.
        given: usize,
        /// Sides of the game.
        sides: usize,
    },
    /// Not one number for each member.
    #[error("{given} performance(s) for the {members} member(s) of side {side}: give one number for each")]
    Members {
        /// The side's position, from 0.
        side: usize,
        /// Numbers given.
        given: usize,
        /// Its members.
        members: usize,
    },
    /// A performance that is no number.
    #[error("member {member} of side {side} performed as {value}: give a finite number of MMR points")]
    NotFinite {
        /// The side's position, from 0.
        side: usize,
        /// The member's position in it, from 0.
        member: usize,
        /// What was given.
        value: f64,
    },
}

impl DotaMmr {
    /// The ratings after `game`, from its result and from how well each member played, side by side and member by
    /// member.
    ///
    /// `performances` are on the MMR scale: the MMR of whom one would expect to play like this, which the rating
    /// (MMR, u) predicts as normal with that mean and deviation. To the step of the result, as in
    /// [`DotaMmr`], each member adds
    ///
    /// ```text
    /// b   = 2 Phi((performance - MMR) / u) - 1           in [-1, 1], 0 for as expected
    /// a   = performance_weight step w (b - B)            w = share u^2 / max_uncertainty
    /// B   = sum w b / sum w                              over the members of the side
    /// ```
    ///
    /// and the surprise that moves the uncertainty becomes (|S - E| + c |b|) / (1 + c), with c for
    /// `performance_weight`.
    ///
    /// The a of a side sum to 0, so winners' mean MMR still never falls and losers' never rises (as long as
    /// nobody stands at the limit of the scale). None is larger than 2 c step w. Beside the
    /// step of the result, which goes with u, w goes with u^2: performance matters most where least is
    /// known. A player who outdoes a losing team far enough gains by the loss, and one who lets down a winning
    /// team loses by the win. Who took no part keeps the rating, whatever number is given.
    ///
    /// # Errors
    /// [`PerformanceError`] if the numbers do not have the shape of the game, or one is not finite.
    ///
    /// ```
    /// use matchwright_rating::{DotaMmrParams, GaussianRating, Side, TeamGame};
    ///
    /// let dota = DotaMmrParams::default().build()?;
    /// let newcomer = GaussianRating::new(2250.0, 542.0)?;
    /// let game = TeamGame::new(vec![Side::new(1, [newcomer; 5]), Side::new(2, [newcomer; 5])])?;
    /// // One of the losers played like a master, all others as expected.
    /// let played = [vec![2250.0; 5], vec![4500.0, 2250.0, 2250.0, 2250.0, 2250.0]];
    /// let after = dota.update_with_performance(&game, &played)?;
    /// assert!(after[0].iter().all(|winner| winner.rating() > 2250.0));
    /// assert!(after[1][1].rating() < after[1][0].rating());
    /// // And another of the winners was not there at all: the win costs points.
    /// let played = [vec![0.0, 2250.0, 2250.0, 2250.0, 2250.0], vec![2250.0; 5]];
    /// let favourites = TeamGame::new(vec![
    ///     Side::new(1, [GaussianRating::new(2650.0, 542.0)?; 5]), Side::new(2, [newcomer; 5]),
    /// ])?;
    /// assert!(dota.update_with_performance(&favourites, &played)?[0][0].rating() < 2650.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_with_performance(
        &self,
        game: &TeamGame<GaussianRating>,
        performances: &[Vec<f64>],
    ) -> Result<Vec<Vec<GaussianRating>>, PerformanceError> {
        check(game, performances)?;
        let verdicts = self.verdicts(game.sides());
        let sides = game.sides().iter().zip(performances).zip(verdicts);
        Ok(sides
            .map(|((side, played), verdict)| self.side_after(side, played, verdict.surplus()))
            .collect())
    }

    /// One side after a game in which it did better by `surplus` than expected.
    fn side_after(&self, side: &Side<GaussianRating>, played: &[f64], surplus: f64) -> Vec<GaussianRating> {
        let params = self.params();
        let members = || side.members.iter().zip(played);
        let weighed = |rating: &GaussianRating, share: f64, performance: f64| {
            let u = self.counted(rating);
            let better = 2.0 * normal_cdf((performance - rating.rating()) / u) - 1.0;
            (share * u * u / params.max_uncertainty, better)
        };
        let (mut sum, mut weights) = (0.0, 0.0);
        for (member, &performance) in members() {
            let (weight, better) = weighed(&member.rating, member.share, performance);
            sum += weight * better;
            weights += weight;
        }
        // A game's sides have members who took part, so there is some weight.
        let mean = sum / weights;
        members()
            .map(|(member, &performance)| {
                let (rating, share) = (&member.rating, member.share);
                if share <= 0.0 {
                    return *rating;
                }
                let (weight, better) = weighed(rating, share, performance);
                let counts = params.performance_weight;
                let own = counts * params.step * weight * (better - mean);
                let surprise = (surplus.abs() + counts * better.abs()) / (1.0 + counts);
                let log_factor = share * self.uncertainty_factor(surprise).ln();
                self.moved(rating, self.points_for(rating, share, surplus) + own, log_factor)
            })
            .collect()
    }
}

fn check(game: &TeamGame<GaussianRating>, performances: &[Vec<f64>]) -> Result<(), PerformanceError> {
    let sides = game.sides();
    if performances.len() != sides.len() {
        return Err(PerformanceError::Sides {
            given: performances.len(),
            sides: sides.len(),
        });
    }
    for (side, (one, played)) in sides.iter().zip(performances).enumerate() {
        if played.len() != one.members.len() {
            return Err(PerformanceError::Members {
                side,
                given: played.len(),
                members: one.members.len(),
            });
        }
        if let Some(member) = played.iter().position(|value| !value.is_finite()) {
            return Err(PerformanceError::NotFinite {
                side,
                member,
                value: played[member],
            });
        }
    }
    Ok(())
}
