//! Weng and Lin's Bayesian approximation: closed formulas for games of any number of sides.

mod params;
mod ranking;

pub use params::{WengLinGamma, WengLinModel, WengLinParams};

use crate::draw::{DrawModel, OutcomeProbabilities};
use crate::gaussian::{GaussianRating, SideSums, Weights};
use crate::normal::normal_cdf;
use crate::sigmoid::logistic;
use crate::team::{Member, PlaceProbabilities, Side, TeamGame, TeamRatingSystem, length};
use ranking::{Evidence, Placed, learnt, pair};

/// Weng and Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning
/// Research 12, 2011, 267-300: algorithms 1 and 2 (Bradley-Terry, full and partial pairing), 3 (Thurstone-Mosteller, full
/// pairing; here with partial pairing too) and 4 (Plackett-Luce); see [`WengLinModel`].
///
/// A side's skill `theta_i` is the sum of its members' mu, and its `sigma_i^2` that of their `sigma^2`. The
/// first two derivatives of the ranking's log-likelihood in `theta_i`, `Omega_i / sigma_i^2` and
/// `-Delta_i / sigma_i^2`, are shared out among the members:
///
/// ```text
/// sigma_ij^2 <- sigma_ij^2 + tau^2                                        before the game
/// mu_ij'      = mu_ij + sigma_ij^2 / sigma_i^2 Omega_i
/// sigma_ij'^2 = sigma_ij^2 max(1 - sigma_ij^2 / sigma_i^2 Delta_i, kappa)
/// ```
///
/// Nothing is iterated and nothing integrated. Sides that share a place are handled as in the paper: a
/// drawn pair counts half a win for each (algorithms 1 and 2) or is within the draw margin (3), and each of A sides that
/// share a place counts with the power 1 / A (algorithm 4). But for partial pairing the paper puts them in any order, and
/// each meets its neighbours; here it meets all of its own and of both next places, so that no order counts.
///
/// # Partial play
/// The paper has none. Here who was there for a part w of a game of length L (see [`TeamGame`]) counts by a = w sqrt(L): as
/// for TrueSkill, skill shows L times as much as in a whole game and luck sqrt(L) times. `theta_i` is the sum of a mu and
/// `sigma_i^2` that of `a^2 sigma^2`; by the chain rule a member's mu then moves a times as far, and `sigma^2` shrinks by
/// `a^2` times as much.
///
/// # Win, draw and loss
/// `p = 1 / (1 + e^-x)`, or the normal distribution's `Phi(x)` for Thurstone and Mosteller's models, with
/// `x = (theta_i - theta_q) / c_iq`, `c_iq^2 = sigma_i^2 + sigma_q^2 + 2 beta^2`; draws are those of
/// [`WengLinParams::draws`].
///
/// Who alone came first never loses points and who alone came last never gains any. Under full pairing a
/// better place never rates lower; under Plackett-Luce only if it is not shared, since one of A tied
/// sides is credited with 1 / A of a choice and a side alone with all of it. Under partial pairing it can, since a place
/// changes who is met. Cost of an update: quadratic in the sides with full pairing, else n ln n. Errors: none.
///
/// ```
/// use matchwright_rating::{TeamGame, TeamRatingSystem, WengLinParams};
///
/// let system = WengLinParams::default().build()?;
/// let new = system.initial();
/// let after = system.update(&TeamGame::duel(new, 1, new, 2));
/// assert_eq!((after[0][0].rating() * 1e9).round() / 1e9, 27.635231383);
/// assert_eq!((after[1][0].rating() * 1e9).round() / 1e9, 22.364768617);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WengLin {
    params: WengLinParams,
}

impl WengLin {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &WengLinParams {
        &self.params
    }

    /// A side's members `after` a game of this `length`.
    fn learn(
        &self,
        members: &[Member<GaussianRating>],
        length: f64,
        evidence: &Evidence,
        after: &mut Vec<GaussianRating>,
    ) {
        let weights = Weights::in_game_of(length);
        let learn = |member: &Member<GaussianRating>| match member.share {
            0.0 => member.rating,
            share => self.learn_one(&member.rating, weights(share).skill, evidence),
        };
        after.clear();
        after.extend(members.iter().map(learn));
    }

    #[inline]
    fn learn_one(&self, rating: &GaussianRating, weight: f64, evidence: &Evidence) -> GaussianRating {
        let drift = self.params.tau * self.params.tau;
        let variance = rating.variance_with(drift);
        let shrinkage = 1.0 - weight * weight * variance * evidence.information;
        let ratio = if shrinkage > self.params.kappa {
            shrinkage
        } else {
            self.params.kappa
        };
        // Without drift and news the deviation keeps its last bit: the root of a rounded square is the number itself.
        rating.updated(weight * variance * evidence.pull, variance * ratio)
    }
}

impl TeamRatingSystem for WengLin {
    type Rating = GaussianRating;

    fn initial(&self) -> GaussianRating {
        GaussianRating::of(self.params.initial_mu, self.params.initial_sigma)
    }

    /// `sigma' = min(sqrt(sigma^2 + tau_per_period^2 t), max_sigma)`, and never less than sigma; a sigma of 0 stays.
    fn after_inactivity(&self, player: &GaussianRating, elapsed_periods: f64) -> GaussianRating {
        let params = &self.params;
        player.after_inactivity(params.tau_per_period, elapsed_periods, params.max_sigma)
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<GaussianRating>],
        opponents: &[Member<GaussianRating>],
    ) -> OutcomeProbabilities {
        let (draws, length) = (&self.params.draws, length([side, opponents]));
        let sums = |side| SideSums::of(side, 0.0, length);
        let (Some(a), Some(b)) = (sums(side), sums(opponents)) else {
            return draws.outcome_probabilities(0.5, 0.5);
        };
        let beta = self.params.beta;
        let c = (a.variance + b.variance + 2.0 * beta * beta).sqrt();
        let lead = (a.mean - b.mean) / c;
        let p = if self.params.model.is_normal() {
            normal_cdf
        } else {
            logistic
        };
        draws.outcome_probabilities(p(lead), p(-lead))
    }

    /// By Plackett and Luce's model: for algorithm 4 with strengths `theta_i / c` and its own c, for the others with those
    /// that all pairs' outcomes make. An empty side counts as a newcomer.
    fn place_probabilities(&self, sides: &[&[Member<GaussianRating>]]) -> PlaceProbabilities {
        if self.params.model != WengLinModel::PlackettLuce {
            return PlaceProbabilities::by_pairs(sides.len(), |side, other| {
                self.outcome_probabilities(sides[side], sides[other])
            });
        }
        let length = length(sides.iter().copied());
        let newcomer = [Member::new(self.initial()).for_share(length)];
        let sums = |side| SideSums::of(side, 0.0, length);
        let sums = sides
            .iter()
            .filter_map(|side| sums(side).or_else(|| sums(&newcomer)));
        let sums: Vec<SideSums> = sums.collect();
        let noise = self.params.beta * self.params.beta;
        let c = sums.iter().map(|side| side.variance + noise).sum::<f64>().sqrt();
        let strengths: Vec<f64> = sums.iter().map(|side| side.mean / c).collect();
        PlaceProbabilities::plackett_luce(&strengths)
    }

    fn at_once(&self, before: &GaussianRating, after: &[GaussianRating]) -> Option<GaussianRating> {
        Some(before.at_once(after))
    }

    fn update(&self, game: &TeamGame<GaussianRating>) -> Vec<Vec<GaussianRating>> {
        let mut after = Vec::new();
        self.update_into(game, &mut after);
        after
    }

    fn update_into(&self, game: &TeamGame<GaussianRating>, after: &mut Vec<Vec<GaussianRating>>) {
        let params = &self.params;
        let (drift, length) = (params.tau * params.tau, game.length());
        after.resize_with(game.sides().len(), Vec::new);
        if let ([first, second], [to_first, to_second]) = (game.sides(), after.as_mut_slice()) {
            let sums =
                |side: &Side<GaussianRating>| Some((side.place, SideSums::of(&side.members, drift, length)?));
            if let (Some(one), Some(two)) = (sums(first), sums(second)) {
                let (to_one, to_two) = pair(&one, &two, 2, params);
                self.learn(&first.members, length, &to_one, to_first);
                self.learn(&second.members, length, &to_two, to_second);
                return;
            }
        }
        // A checked game has a player in every side; an empty one is left as it is.
        let sums = game.sides().iter().map(|side| {
            let sums = SideSums::of(&side.members, drift, length).unwrap_or_default();
            (side.place, sums)
        });
        let evidence = learnt(&sums.collect::<Vec<Placed>>(), params);
        for ((side, after), evidence) in game.sides().iter().zip(after).zip(&evidence) {
            self.learn(&side.members, length, evidence, after);
        }
    }

    #[inline]
    fn update_duel(
        &self,
        first: (&GaussianRating, u32),
        second: (&GaussianRating, u32),
    ) -> (GaussianRating, GaussianRating) {
        let params = &self.params;
        let drift = params.tau * params.tau;
        let one = (first.1, SideSums::of_one(first.0, drift));
        let two = (second.1, SideSums::of_one(second.0, drift));
        let (to_one, to_two) = pair(&one, &two, 2, params);
        (
            self.learn_one(first.0, Weights::WHOLE.skill, &to_one),
            self.learn_one(second.0, Weights::WHOLE.skill, &to_two),
        )
    }
}
