//! [`ThroughTimeFit`]: fitted skills at any time.

use super::game::TIME_LIMIT;
use super::sweep::{Ending, Sweeps, wandered};
use crate::gaussian::GaussianRating;
use crate::team::ShiftRating;
use crate::trueskill::{Message, TrueSkill};

/// A player's skill at one time, as all games together have it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkillPoint {
    /// In rating periods.
    pub time: f64,
    /// Mean and standard deviation, in points.
    pub skill: GaussianRating,
}

/// What is known of a skill at the time of a game, from where.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Known {
    past: Message,
    present: Message,
    future: Message,
}

/// Skills at all times, fitted by [`ThroughTime::fit`](crate::ThroughTime::fit).
#[derive(Debug, Clone, PartialEq)]
pub struct ThroughTimeFit {
    system: TrueSkill,
    tolerance: f64,
    curves: Vec<Vec<SkillPoint>>,
    /// One for each point of a curve.
    known: Vec<Vec<Known>>,
    log_evidence: f64,
    ending: Ending,
}

impl ThroughTimeFit {
    pub(super) fn new(
        system: TrueSkill,
        tolerance: f64,
        players: usize,
        sweeps: &mut Sweeps,
        ending: Ending,
    ) -> Self {
        let log_evidence = sweeps.log_evidence();
        let mut fit = Self {
            system,
            tolerance,
            curves: vec![Vec::new(); players],
            known: vec![Vec::new(); players],
            log_evidence,
            ending,
        };
        // Visits are in the order of time.
        for (index, visit) in sweeps.history.visits.iter().enumerate() {
            let known = Known {
                past: sweeps.past[index],
                present: sweeps.present[index],
                future: sweeps.future[index],
            };
            let skill = fit.rating(known.past.and(known.present).and(known.future));
            fit.curves[visit.player].push(SkillPoint {
                time: visit.time,
                skill,
            });
            fit.known[visit.player].push(known);
        }
        fit
    }

    /// How many players there are.
    #[must_use]
    pub fn players(&self) -> usize {
        self.curves.len()
    }

    /// A player's skill at the time of each game that the player was in, in the order of time, one point for games
    /// of the same time; `None` if there is no such player. Who never played has no points.
    #[must_use]
    pub fn curve(&self, player: usize) -> Option<&[SkillPoint]> {
        self.curves.get(player).map(Vec::as_slice)
    }

    /// A player's skill at any `time`, in rating periods (beyond 1e12 as at 1e12); `None` if there is no such player
    /// or `time` is NaN.
    ///
    /// Between two games it is what the walk from the one and back from the other say together; after the last and
    /// before the first game the mean stays and sigma^2 grows by gamma^2 a period. Who never played has the initial
    /// skill at any time. Cost: ln n for n points of the curve.
    #[must_use]
    pub fn skill(&self, player: usize, time: f64) -> Option<GaussianRating> {
        let (curve, known) = (self.curves.get(player)?, &self.known[player]);
        if time.is_nan() {
            return None;
        }
        let time = time.clamp(-TIME_LIMIT, TIME_LIMIT);
        let gamma = self.system.params().tau_per_period;
        let drift = |periods: f64| gamma * gamma * periods;
        let after = curve.partition_point(|point| point.time <= time);
        let earlier = after.checked_sub(1).map(|index| {
            let one = known[index];
            let future = if after == known.len() {
                one.future
            } else {
                Message::default()
            };
            wandered(
                one.past.and(one.present).and(future),
                drift(time - curve[index].time),
            )
        });
        let later = known.get(after).map(|one| {
            let past = if after == 0 { one.past } else { Message::default() };
            wandered(
                one.present.and(one.future).and(past),
                drift(curve[after].time - time),
            )
        });
        Some(match (earlier, later) {
            (Some(earlier), Some(later)) => self.rating(earlier.and(later)),
            (Some(one), None) | (None, Some(one)) => self.rating(one),
            (None, None) => self.rating_of_nothing(),
        })
    }

    /// ln of the probability that the model gives to all results together: the sum, over games in any order, of
    /// ln P(result) as it was before learning from that game, after learning from those before it.
    ///
    /// Of two settings (beta, gamma, draw probability) the one with the higher value explains the history better;
    /// it is no more likely to do so by having been fitted, since all skills are integrated out.
    ///
    /// Exact for games of two sides whose players have no other game, otherwise expectation propagation's estimate
    /// (Minka, "Expectation Propagation for Approximate Bayesian Inference", 2001). How far that is off grows with sigma
    /// / beta and with every meeting of the same players: of two duels with one player in common by .0004 at 2, of three
    /// that go round by .07 at 2, .49 at 6 and .82 at 10. Of a pair that meets five times it is too low by .09 (won 5 : 0)
    /// and .19 (3 : 2) at 1, by .20 and .58 at 2; of one that meets twenty times (12 : 8) by 1.26 at 2. So compare settings
    /// of a like sigma / beta, or such as differ by much more. Minus infinity if there is a draw and
    /// `draw_probability` is 0; 0 without games; of no meaning if the fit has not [`converged`](Self::converged).
    #[must_use]
    pub const fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// Sweeps until the tolerance was met, or as many as were allowed.
    #[must_use]
    pub const fn sweeps(&self) -> u32 {
        self.ending.sweeps
    }

    /// The certificate: the largest move of any mean or deviation in the last sweep, in units of that skill's
    /// deviation (a mean's relative to its distance from the initial mu, where that is larger). Infinite if no sweep
    /// was left after tied sides had been put in order.
    #[must_use]
    pub const fn last_change(&self) -> f64 {
        self.ending.last_change
    }

    /// Whether the last sweep met the tolerance. If not, allow more sweeps or a larger tolerance.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.ending.last_change <= self.tolerance
    }

    fn rating_of_nothing(&self) -> GaussianRating {
        use crate::team::TeamRatingSystem as _;
        self.system.initial()
    }

    /// A skill given as a factor over its distance from the initial mu.
    fn rating(&self, known: Message) -> GaussianRating {
        self.rating_of_nothing()
            .shifted(known.pull / known.precision)
            .with_deviation(1.0 / known.precision.sqrt())
    }
}
