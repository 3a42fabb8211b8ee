//! TrueSkill: normal skills, learnt from the ranking of sides by expectation propagation.

mod chain;
mod params;
mod ranking;

use chain::Border;
pub(crate) use chain::{Evidence, Message};
pub use params::TrueSkillParams;
pub(crate) use ranking::{Ranking, without_skill};

use crate::draw::OutcomeProbabilities;
use crate::gaussian::{GaussianRating, SideSums, Weights};
use crate::normal::{centre, normal_cdf};
use crate::team::{Member, PlaceProbabilities, Side, TeamGame, TeamRatingSystem, length};

/// TrueSkill: Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System", 2007 (Advances
/// in Neural Information Processing Systems 19; Microsoft Research MSR-TR-2006-80).
///
/// A player of skill s ~ N(mu, sigma^2) performs p ~ N(s, beta^2) in a game, a side the sum of its
/// members' p, each times the part w of the game that the member was there. Of two sides next to each other in the ranking the
/// upper one did better by more than epsilon, or, sharing a place, they were within epsilon of each
/// other. What that says of every skill is worked out by expectation propagation on the paper's
/// factor graph (its figure 1). For two sides it is, with t = (difference of the mean
/// performances) / c and e = epsilon / c,
///
/// ```text
/// sigma^2  <- sigma^2 + tau^2                                          before the game
/// c^2       = sum over both sides of w^2 (sigma^2 + beta^2)
/// epsilon   = beta sqrt(n) Phi^-1((d + 1) / 2)                          n players, draw probability d
/// mu'       = mu +- w sigma^2 / c v
/// sigma'^2  = sigma^2 (1 - w^2 sigma^2 / c^2 omega)
/// v, omega  : mean and lost variance of a normal variable cut off at e - t, or to within +-e of -t
/// ```
///
/// # Games that end before their time
/// A game of length L (see [`TeamGame`]) is that part of a random walk, with performances p ~ N(L s, L beta^2) and a margin
/// of sqrt(L) epsilon. Divided by sqrt(L), that is the game above with w sqrt(L) in place of w where it stands by mu or sigma.
///
/// # Three sides and more
/// Borders are settled in turn until a sweep moves nothing by more than 1e-11 of a side's deviation, at
/// most 100 times. The factor graph is a chain, and a chain must be told who of several tied sides
/// stands next to whom. Here the stronger (by mean performance, then by its variance) stands above, so
/// that the order in which a game was written down cannot show; tied sides that nothing tells apart
/// share the mean of what their seats in the chain would get, in mu and in sigma^2.
///
/// Who alone came first never loses points, who alone came last never gains any. A better place never
/// rates lower among skills of the usual scale; with many sides whose skills are thousands of
/// deviations apart it can, since a place changes who stands next to whom.
///
/// # Draws
/// d is the probability that two sides of known and equal skill draw. [`outcome_probabilities`](TeamRatingSystem::outcome_probabilities)
/// gives win, draw and loss from the same model:
///
/// ```text
/// P(win) = Phi((delta - epsilon) / c)      P(loss) = Phi((-delta - epsilon) / c)      P(draw) = the rest
/// ```
///
/// Cost of an update: n ln n for n players, times 3 to 10 sweeps where there are more than two sides.
/// Errors: none.
///
/// ```
/// use matchwright_rating::{TeamGame, TeamRatingSystem, TrueSkillParams};
///
/// let system = TrueSkillParams::default().build()?;
/// let new = system.initial();
/// let after = system.update(&TeamGame::duel(new, 1, new, 2));
/// let (winner, loser) = (after[0][0], after[1][0]);
/// assert_eq!((winner.rating() * 1e3).round() / 1e3, 29.396);
/// assert_eq!((loser.rating() * 1e3).round() / 1e3, 20.604);
/// assert_eq!((winner.deviation() * 1e3).round() / 1e3, 7.171);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrueSkill {
    params: TrueSkillParams,
    /// beta Phi^-1((d + 1) / 2).
    margin_per_root_player: f64,
}

impl TrueSkill {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &TrueSkillParams {
        &self.params
    }

    /// epsilon: how much better than the other a side of these two must perform to win, in points.
    #[inline]
    fn margin(&self, a: &SideSums, b: &SideSums) -> f64 {
        self.margin_per_root_player * (a.players + b.players).sqrt()
    }

    /// What is known of two neighbours in the ranking, each with its place.
    #[inline]
    fn border(&self, (place, upper): &(u32, SideSums), (next, lower): &(u32, SideSums)) -> Border {
        Border {
            lead: upper.mean - lower.mean,
            margin: self.margin(upper, lower),
            tied: place == next,
        }
    }

    /// The variance of a side's performance.
    #[inline]
    fn variance(&self, side: &SideSums) -> f64 {
        side.variance + side.squares * self.params.beta * self.params.beta
    }

    /// How likely `sides` all draw, as a fraction of how likely they would if their skills were known and
    /// equal: in \[0, 1\], and 1 only for a game of that kind.
    ///
    /// ```text
    /// q = sqrt(det(beta^2 A'A) / det(beta^2 A'A + A' S A)) exp(-mu' A (beta^2 A'A + A' S A)^-1 A' mu / 2)
    /// ```
    ///
    /// for the matrix A of differences between neighbouring sides and the covariance S of skills: the paper's
    /// measure for a match of two, for any number of sides. The sides' performances are independent, so with their
    /// means `m_k`, variances `s_k`, and `b_k` of these variances due to beta, that is
    ///
    /// ```text
    /// q^2 = prod(b_k / s_k)  sum(1 / b_k) / sum(1 / s_k)  exp(-sum((m_k - m)^2 / s_k)),   m = mean of m_k by 1 / s_k
    /// ```
    ///
    /// in linear time. Sides in which nobody plays are left out; fewer than two are a match of quality 1.
    ///
    /// ```
    /// use matchwright_rating::{Member, TeamRatingSystem, TrueSkillParams};
    ///
    /// let system = TrueSkillParams::default().build()?;
    /// let new = [Member::new(system.initial())];
    /// assert_eq!((system.match_quality(&[&new, &new]) * 1e3).round() / 1e3, 0.447);
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    pub fn match_quality(&self, sides: &[&[Member<GaussianRating>]]) -> f64 {
        let length = length(sides.iter().copied());
        let sums = sides.iter().filter_map(|side| SideSums::of(side, 0.0, length));
        let sums: Vec<_> = sums.collect();
        if sums.len() < 2 {
            return 1.0;
        }
        let noise = |side: &SideSums| side.squares * self.params.beta * self.params.beta;
        let total = |term: &dyn Fn(&SideSums) -> f64| sums.iter().map(term).sum::<f64>();
        let precision = total(&|side| 1.0 / self.variance(side));
        let mean = total(&|side| side.mean / self.variance(side)) / precision;
        let distance = total(&|side| (side.mean - mean).powi(2) / self.variance(side));
        // In logarithms: the product of many sides leaves the range of f64.
        let shrinkage = total(&|side| (noise(side) / self.variance(side)).ln());
        let known = total(&|side| 1.0 / noise(side));
        (0.5 * (shrinkage + (known / precision).ln() - distance))
            .exp()
            .min(1.0)
    }
}

impl TeamRatingSystem for TrueSkill {
    type Rating = GaussianRating;

    fn initial(&self) -> GaussianRating {
        GaussianRating::of(self.params.initial_mu, self.params.initial_sigma)
    }

    /// `sigma' = min(sqrt(sigma^2 + tau_per_period^2 t), max_sigma)`, and never less than sigma; a sigma of 0 stays.
    fn after_inactivity(&self, player: &GaussianRating, elapsed_periods: f64) -> GaussianRating {
        let params = &self.params;
        player.after_inactivity(params.tau_per_period, elapsed_periods, params.max_sigma)
    }

    /// From the ratings as they are: tau is added by the game.
    fn outcome_probabilities(
        &self,
        side: &[Member<GaussianRating>],
        opponents: &[Member<GaussianRating>],
    ) -> OutcomeProbabilities {
        let length = length([side, opponents]);
        let sums = |side| SideSums::of(side, 0.0, length);
        let (Some(a), Some(b)) = (sums(side), sums(opponents)) else {
            let draw = self.params.draw_probability;
            let decided = 0.5 * (1.0 - draw);
            return OutcomeProbabilities {
                win: decided,
                draw,
                loss: decided,
            };
        };
        let spread = (self.variance(&a) + self.variance(&b)).sqrt();
        let (lead, margin) = ((a.mean - b.mean) / spread, self.margin(&a, &b) / spread);
        let gap = lead.abs();
        // The smaller of two ways to lose digits.
        let draw = if gap <= margin {
            centre(margin - gap) + centre(margin + gap)
        } else {
            normal_cdf(margin - gap) - normal_cdf(-margin - gap)
        };
        OutcomeProbabilities {
            win: normal_cdf(lead - margin),
            draw,
            loss: normal_cdf(-lead - margin),
        }
    }

    /// Who performs better, whatever the margin for draws.
    fn decided_probabilities(
        &self,
        side: &[Member<GaussianRating>],
        opponents: &[Member<GaussianRating>],
    ) -> OutcomeProbabilities {
        let decided = Self {
            margin_per_root_player: 0.0,
            params: TrueSkillParams {
                draw_probability: 0.0,
                ..self.params
            },
        };
        decided.outcome_probabilities(side, opponents).decided()
    }

    /// From the order of the sides' normal performances; the draw margin plays no part. An empty side performs as a
    /// newcomer.
    fn place_probabilities(&self, sides: &[&[Member<GaussianRating>]]) -> PlaceProbabilities {
        let length = length(sides.iter().copied());
        let newcomer = [Member::new(self.initial()).for_share(length)];
        let sums = |side| SideSums::of(side, 0.0, length);
        let performances = sides.iter().filter_map(|side| {
            let sums = sums(side).or_else(|| sums(&newcomer))?;
            Some((sums.mean, self.variance(&sums).sqrt()))
        });
        PlaceProbabilities::normal(&performances.collect::<Vec<_>>())
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
        let (drift, length) = (self.params.tau * self.params.tau, game.length());
        after.resize_with(game.sides().len(), Vec::new);
        if let ([first, second], [to_first, to_second]) = (game.sides(), after.as_mut_slice()) {
            let sums =
                |side: &Side<GaussianRating>| Some((side.place, SideSums::of(&side.members, drift, length)?));
            if let (Some(one), Some(two)) = (sums(first), sums(second)) {
                let (to_one, to_two) = self.of_two(&one, &two);
                let variances = (self.variance(&one.1), self.variance(&two.1));
                self.learn(&first.members, length, (variances.0, &to_one), to_first);
                self.learn(&second.members, length, (variances.1, &to_two), to_second);
                return;
            }
        }
        // A checked game has a player in every side; an empty one would be left as it is.
        let sums = |(index, side): (usize, &Side<GaussianRating>)| {
            Some((index, side.place, SideSums::of(&side.members, drift, length)?))
        };
        let mut ranked: Vec<(usize, u32, SideSums)> =
            game.sides().iter().enumerate().filter_map(sums).collect();
        ranked.sort_by(|(_, place_a, a), (_, place_b, b)| place_a.cmp(place_b).then(b.compare(a)));
        let sides: Vec<(u32, SideSums)> = ranked.iter().map(|&(_, place, sums)| (place, sums)).collect();
        let mut ranking = Ranking::default();
        ranking.settle(self, &sides);
        let mut first = 0;
        for group in sides.chunk_by(|a, b| a == b) {
            ranking.share(first, first + group.len());
            first += group.len();
        }
        for ((index, ..), told) in ranked.iter().zip(ranking.told()) {
            let members = &game.sides()[*index].members;
            self.learn(members, length, told, &mut after[*index]);
        }
    }

    fn update_duel(
        &self,
        first: (&GaussianRating, u32),
        second: (&GaussianRating, u32),
    ) -> (GaussianRating, GaussianRating) {
        let drift = self.params.tau * self.params.tau;
        let side = |(rating, place): (&GaussianRating, u32)| (place, SideSums::of_one(rating, drift));
        let (one, two) = (side(first), side(second));
        let is_second_above = one.0.cmp(&two.0).then(two.1.compare(&one.1)).is_gt();
        let (upper, lower) = if is_second_above { (two, one) } else { (one, two) };
        let variances = (self.variance(&upper.1), self.variance(&lower.1));
        let (mut to_upper, mut to_lower) = Evidence::of_border(&self.border(&upper, &lower), variances);
        if upper == lower {
            to_upper = Evidence::mean(&[to_upper, to_lower]);
            to_lower = to_upper;
        }
        let learn = |rating: &GaussianRating, variance: f64, evidence: &Evidence| {
            let (skill, noise) = (rating.variance_with(drift), self.params.beta * self.params.beta);
            let rest = without_skill(variance, skill, 0, std::iter::once((skill, noise)));
            self.learn_one(rating, Weights::WHOLE.skill, rest, variance, evidence)
        };
        if is_second_above {
            (
                learn(first.0, variances.1, &to_lower),
                learn(second.0, variances.0, &to_upper),
            )
        } else {
            (
                learn(first.0, variances.0, &to_upper),
                learn(second.0, variances.1, &to_lower),
            )
        }
    }
}

impl TrueSkill {
    /// What a game of two sides says of each.
    fn of_two(&self, one: &(u32, SideSums), two: &(u32, SideSums)) -> (Evidence, Evidence) {
        let is_second_above = one.0.cmp(&two.0).then(two.1.compare(&one.1)).is_gt();
        let (upper, lower) = if is_second_above { (two, one) } else { (one, two) };
        let variances = (self.variance(&upper.1), self.variance(&lower.1));
        let (to_upper, to_lower) = Evidence::of_border(&self.border(upper, lower), variances);
        if upper == lower {
            let mean = Evidence::mean(&[to_upper, to_lower]);
            return (mean, mean);
        }
        if is_second_above {
            (to_lower, to_upper)
        } else {
            (to_upper, to_lower)
        }
    }

    /// The members of a side whose performance had `variance` before, `after` the `evidence` of a game of this `length`.
    ///
    /// sigma'^2 / sigma^2 = (variance - own) / variance + own / variance * ratio, for the member's own
    /// part w^2 sigma^2 of the variance: a sum of positive terms.
    fn learn(
        &self,
        members: &[Member<GaussianRating>],
        length: f64,
        (variance, evidence): (f64, &Evidence),
        after: &mut Vec<GaussianRating>,
    ) {
        let drift = self.params.tau * self.params.tau;
        let beta = self.params.beta * self.params.beta;
        let in_game = Weights::in_game_of(length);
        let weights = |member: &Member<GaussianRating>| in_game(member.share);
        let own = |member: &Member<GaussianRating>| {
            let skill = weights(member).skill;
            skill * skill * member.rating.variance_with(drift)
        };
        let rest = |seat: usize, mine: f64| {
            let noise = |luck: f64| luck * luck * beta;
            let parts = members
                .iter()
                .map(|member| (own(member), noise(weights(member).luck)));
            without_skill(variance, mine, seat, parts)
        };
        after.clear();
        after.extend(members.iter().enumerate().map(|(seat, member)| {
            if member.share == 0.0 {
                return member.rating;
            }
            let rest = rest(seat, own(member));
            self.learn_one(&member.rating, weights(member).skill, rest, variance, evidence)
        }));
    }

    /// A member whose skill counts by `weight`, and for which `rest` is left of the `variance` of the side's performance.
    #[inline]
    fn learn_one(
        &self,
        rating: &GaussianRating,
        weight: f64,
        rest: f64,
        variance: f64,
        evidence: &Evidence,
    ) -> GaussianRating {
        let own = rating.variance_with(self.params.tau * self.params.tau);
        let mine = weight * weight * own;
        let ratio = (rest + mine * evidence.ratio) / variance;
        rating.updated(weight * own * evidence.pull, own * ratio)
    }
}
