//! Elo-MMR: ranked games of any number of players, robust against single bad days.

mod params;
mod performance;
mod rating;
mod root;

pub use params::EloMmrParams;
pub use rating::EloMmrRating;

use crate::draw::{DrawModel, OutcomeProbabilities};
use crate::gaussian::{SideSums, Weights};
use crate::glickman::deviation_after_inactivity;
use crate::sigmoid::logistic;
use crate::system::time_passed;
use crate::team::{Member, TeamGame, TeamRatingSystem, length};
use performance::{Ranked, performances};
use rating::logistic_scale;

/// Ebtekar and Liu, "Elo-MMR: A Rating System for Massive Multiplayer Competitions", The Web Conference 2021, 1772-1784,
/// doi 10.1145/3442381.3450091: Elo-MMR(rho), with logistic performances.
///
/// A player performs at skill plus logistic noise, and the best performance wins. A game is learnt in two steps. First
/// each player's performance p is found, the likeliest one given the ranking and all ratings before the game (section 3.2):
///
/// ```text
/// s_j = sqrt(3) / pi sqrt(deviation_j^2 + gamma^2 + beta^2)          F_j(p) = 1 / (1 + e^(-(p - r_j) / s_j))
/// sum over who was better of -F_j(p) / s_j   +   sum over who was worse of (1 - F_j(p)) / s_j
///     +   sum over who shared the place, oneself included, of (1 - 2 F_j(p)) / s_j   =   0
/// ```
///
/// Then the skill, of which the performances so far are observations (section 3.3 and algorithms 1 and 2):
/// [`EloMmrRating`] keeps them as logistic factors, whose pull on the rating is bounded, so that one outlier moves it
/// little. Before each game the belief widens by gamma, old performances fade and pass their weight on to a normal
/// factor: by `k^(1 + rho)` where the belief as a whole fades by `k = deviation^2 / (deviation^2 + gamma^2)`.
///
/// In the limit of large rho, or with [`EloMmrParams::max_history`] of 0, the belief before a game is normal and the state
/// a rating and a deviation.
///
/// # Teams and partial play
/// The paper rates single players. Here a side performs at the sum of its members' performances, each times the part w of
/// the game that the member was there, taken as logistic; and each member's is what the side's leaves if the others
/// performed as rated. It is an observation of that member's skill with the others' doubts added to its noise (V the side's
/// variance). In a game of length L (see [`TeamGame`]) the noise of a performance has the variance beta^2 / (L w), which takes
/// the place of beta^2 in s: the shorter a player was there, the less the performance says.
///
/// ```text
/// p_i = r_i + (p - r_side) / w_i          beta_i^2 = V / w_i^2 - (deviation_i^2 + gamma^2)          V = sum of w_j^2 s_j^2 pi^2 / 3
/// ```
///
/// For sides of one player that is the paper's formula.
///
/// # Win, draw and loss
/// `1 / (1 + e^(-(r_a - r_b) / (sqrt(3) / pi sqrt(V_a + V_b))))`, V without gamma; [`EloMmrParams::draws`] adds draws.
///
/// A sole winner never loses points, a sole last never gains any, and a better place never rates lower
/// (the paper's theorem of aligned incentives). Errors: none.
///
/// # Cost
/// Of an update: some ten evaluations a place and linear in the performances kept. An evaluation passes over all sides in
/// games of up to 256. Beyond, a sum that all places share is tabulated, with a pass over all sides for each of some hundred
/// nodes, and an evaluation takes as long for a thousand sides as for a million. Ratings are then off by less than a
/// hundred-thousandth of a deviation. (The authors' program samples opponents instead.) Where scales differ by orders of magnitude, or ratings by
/// hundreds of scales, there are more nodes, up to two for each evaluation.
///
/// ```
/// use matchwright_rating::{EloMmrParams, TeamGame, TeamRatingSystem};
///
/// let system = EloMmrParams::default().build()?;
/// let after = system.update(&TeamGame::duel(system.initial(), 1, system.initial(), 2));
/// // The authors' own program, at its defaults.
/// assert_eq!((after[0][0].rating() * 1e6).round() / 1e6, 1629.391427);
/// assert_eq!((after[1][0].deviation() * 1e6).round() / 1e6, 171.195444);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloMmr {
    params: EloMmrParams,
}

impl EloMmr {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &EloMmrParams {
        &self.params
    }

    /// The variance of a performance around the skill, of who was there for this share of a whole game.
    fn noise(&self, share: f64) -> f64 {
        self.params.beta * self.params.beta / share
    }

    /// What the performances of a side's members in a game of this length add up to, if their skills' variances grow by
    /// `drift` first.
    fn performance(&self, members: &[Member<EloMmrRating>], drift: f64, length: f64) -> Option<SideSums> {
        let present = members.iter().filter(|member| member.share > 0.0);
        SideSums::of_present(present.map(|Member { rating, share, .. }| {
            let deviation = rating.deviation();
            let share = share.max(LEAST_SHARE);
            let part = share / length;
            let weights = Weights {
                skill: part,
                luck: part,
            };
            let noise = self.noise(share) + drift;
            (rating.rating(), deviation * deviation + noise, weights)
        }))
    }

    /// A member of a side that performed `surplus` points above its mean in a game of this `length`, where all performances
    /// had `variance`.
    fn learn(&self, member: &Member<EloMmrRating>, length: f64, surplus: f64, variance: f64) -> EloMmrRating {
        let Self { params } = self;
        let Member { rating, share, .. } = member;
        if *share <= 0.0 {
            return rating.clone();
        }
        let own = rating.deviation();
        let drifted = rating.widened(own.hypot(params.gamma), params.rho);
        let share = share.max(LEAST_SHARE);
        let (part, noise) = (share / length, self.noise(share));
        // Alone in a side, a player's variance is the side's to the last bit.
        let performed = own * own + (noise + params.gamma * params.gamma);
        let others = (variance / (part * part) - performed).max(0.0);
        let value = drifted.rating() + surplus / part;
        drifted.after(value, (noise + others).sqrt(), usize::from(params.max_history))
    }
}

/// A smaller share counts as this one, of whose game nothing is learnt, so that its noise stays finite.
const LEAST_SHARE: f64 = 1e-9;

impl TeamRatingSystem for EloMmr {
    type Rating = EloMmrRating;

    fn initial(&self) -> EloMmrRating {
        EloMmrRating::of(self.params.initial, self.params.initial_deviation)
    }

    /// `deviation' = min(sqrt(deviation^2 + gamma_per_period^2 t), max_deviation)`, and never less than it was.
    fn after_inactivity(&self, player: &EloMmrRating, elapsed_periods: f64) -> EloMmrRating {
        let params = &self.params;
        let elapsed = time_passed(elapsed_periods);
        let deviation = player.deviation();
        let grown =
            deviation_after_inactivity(deviation, params.gamma_per_period, elapsed, params.max_deviation);
        player.widened(grown, params.rho)
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<EloMmrRating>],
        opponents: &[Member<EloMmrRating>],
    ) -> OutcomeProbabilities {
        let (draws, length) = (&self.params.draws, length([side, opponents]));
        let sums = |side| self.performance(side, 0.0, length);
        let (Some(a), Some(b)) = (sums(side), sums(opponents)) else {
            return draws.outcome_probabilities(0.5, 0.5);
        };
        let lead = (a.mean - b.mean) / logistic_scale((a.variance + b.variance).sqrt());
        draws.outcome_probabilities(logistic(lead), logistic(-lead))
    }

    fn update(&self, game: &TeamGame<EloMmrRating>) -> Vec<Vec<EloMmrRating>> {
        let (drift, length) = (self.params.gamma * self.params.gamma, game.length());
        let ranked = |place, members: &[Member<EloMmrRating>]| {
            // A checked game has a player in every side.
            self.performance(members, drift, length).map(|sums| Ranked {
                place,
                mean: sums.mean,
                variance: sums.variance,
                scale: logistic_scale(sums.variance.sqrt()),
            })
        };
        let of_side: Vec<Option<Ranked>> = game
            .sides()
            .iter()
            .map(|side| ranked(side.place, &side.members))
            .collect();
        let found = performances(of_side.iter().flatten().copied().collect());
        let learn = |(side, ranked): (&crate::team::Side<EloMmrRating>, &Option<Ranked>)| {
            let members = side.members.iter();
            match ranked {
                Some(ranked) => {
                    let surplus = found.get(&ranked.place).map_or(0.0, |found| found - ranked.mean);
                    members
                        .map(|member| self.learn(member, length, surplus, ranked.variance))
                        .collect()
                }
                None => members.map(|member| member.rating.clone()).collect(),
            }
        };
        game.sides().iter().zip(&of_side).map(learn).collect()
    }
}
