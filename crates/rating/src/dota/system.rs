//! [`DotaMmr`]: win probabilities and updates of Dota 2's rating.

use crate::dota::DotaMmrParams;
use crate::draw::OutcomeProbabilities;
use crate::gaussian::GaussianRating;
use crate::glickman::deviation_after_inactivity;
use crate::limit::RATING_LIMIT;
use crate::normal::normal_cdf;
use crate::score::GameResult;
use crate::system::{RatingSystem, time_passed};
use crate::team::{Field, Member, Side, TeamGame, TeamRatingSystem, mean_over, shares_beaten};

/// Dota's rating: MMR and uncertainty are the distribution of the next game's performance, and decide how far a
/// result moves them.
///
/// A side performs as the mean of its members, weighted by their shares w (which sum to 1):
///
/// ```text
/// m  = sum w MMR        v = sum w^2 u^2             u the uncertainty, counted from floor to max
/// E  = Phi((m_a - m_b) / sqrt(v_a + v_b))           the chance of side a against b
/// MMR' = MMR + step u (S - E)                       S = 1 for a win, 0 for a loss, 1/2 for equal places
/// u' = u f(|S - E|), kept from floor to max         the surprise |S - E| is 1/2 in an even game
/// f(x) = 1 - b (1 - x/c)      for x < c            b = gain_below, c = neutral_error
///      = 1 + a (x - c)/(1 - c)  for x >= c         a = gain_above
/// ```
///
/// So bigger uncertainty takes bigger steps, expected results shrink it to the floor, surprises raise it, and,
/// since S - E is at least 0 for winners and at most 0 for losers, the winners' mean MMR never falls and the
/// losers' never rises. [`update_with_performance`](Self::update_with_performance) adds individual performance and
/// keeps that last property, though single players may then gain by losing.
///
/// It is a [`TeamRatingSystem`] and, for duels, a [`RatingSystem`] that keeps all of its laws: a period of one
/// game is the same as a game of two sides of one. In a period of several, E and u are those before it, and u is
/// multiplied by the f of each game. In a game of more than two sides each meets the field: S is the share
/// of the other sides that it left behind, and E the mean of its chances against each of them (of more than 64
/// sides, those next to each other in mean are met together, as one with their mean and total variance).
/// Numbers do not count: a side of one is as strong as five of its kind.
///
/// There are no draws in Dota; equal places count as half a win, and outcomes have a draw of 0. Members whose share
/// of a game is s move by s of the step and by the power s of f.
///
/// Cost: O(players + sides log sides). Errors: none.
///
/// ```
/// use matchwright_rating::{DotaMmrParams, GaussianRating, Side, TeamGame, TeamRatingSystem};
///
/// let dota = DotaMmrParams::default().build()?;
/// let settled = GaussianRating::new(2250.0, 200.0)?;
/// let newcomer = TeamRatingSystem::initial(&dota);
/// let game = TeamGame::new(vec![
///     Side::new(1, [settled, settled, settled, settled, newcomer]),
///     Side::new(2, [settled; 5]),
/// ])?;
/// let after = TeamRatingSystem::update(&dota, &game);
/// // An even game: 16 points for who is known, 43 for who is not, whose uncertainty shrinks by 5 %.
/// assert_eq!((after[0][0].rating() - 2250.0, (after[0][4].rating() - 2250.0).round()), (16.0, 43.0));
/// assert_eq!((after[0][0].deviation(), after[0][4].deviation().round()), (200.0, 515.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("MMR with uncertainty", "Dota 2"))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DotaMmr {
    params: DotaMmrParams,
}

/// The performance that is to be expected of a side, in MMR points.
#[derive(Debug, Clone, Copy)]
struct Form {
    mean: f64,
    variance: f64,
}

impl Form {
    /// The chance to do better than `other`, in \[0, 1\]; both variances together are above 0.
    fn beats(self, other: Self) -> f64 {
        normal_cdf((self.mean - other.mean) / (self.variance + other.variance).sqrt())
    }
}

/// What a game says of a side: its score and the score that it expected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdict {
    score: f64,
    expected: f64,
}

impl Verdict {
    /// S - E, in \[-1, 1\].
    pub(super) fn surplus(self) -> f64 {
        self.score - self.expected
    }
}

impl DotaMmr {
    /// Of parameters that were checked.
    pub(super) const fn of(params: DotaMmrParams) -> Self {
        Self { params }
    }

    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &DotaMmrParams {
        &self.params
    }

    /// The uncertainty as every formula counts it: from the floor to the most.
    pub(super) fn counted(&self, rating: &GaussianRating) -> f64 {
        rating
            .deviation()
            .clamp(self.params.floor, self.params.max_uncertainty)
    }

    /// f of a surprise in \[0, 1\]: what it multiplies the uncertainty with.
    ///
    /// ```
    /// use matchwright_rating::DotaMmrParams;
    ///
    /// let dota = DotaMmrParams::default().build()?;
    /// assert_eq!((dota.uncertainty_factor(0.0), dota.uncertainty_factor(0.5)), (0.85, 0.95));
    /// assert_eq!((dota.uncertainty_factor(0.75), dota.uncertainty_factor(1.0)), (1.0, 1.15));
    /// # Ok::<(), matchwright_rating::ParamError>(())
    /// ```
    #[must_use]
    pub fn uncertainty_factor(&self, surprise: f64) -> f64 {
        let neutral = self.params.neutral_error;
        if surprise < neutral {
            1.0 - self.params.gain_below * (1.0 - surprise / neutral)
        } else {
            1.0 + self.params.gain_above * ((surprise - neutral) / (1.0 - neutral))
        }
    }

    /// `rating` moved by `points`, with its counted uncertainty multiplied by e^`log_factor`.
    pub(super) fn moved(&self, rating: &GaussianRating, points: f64, log_factor: f64) -> GaussianRating {
        let mmr = (rating.rating() + points).clamp(-RATING_LIMIT, RATING_LIMIT);
        // Far beyond either end the exponential is infinite or 0, which the ends take care of.
        let uncertainty = self.counted(rating) * log_factor.exp();
        GaussianRating::of(
            mmr,
            uncertainty.clamp(self.params.floor, self.params.max_uncertainty),
        )
    }

    /// Points that the result moves a player with `rating` who took part for `share`.
    pub(super) fn points_for(&self, rating: &GaussianRating, share: f64, surplus: f64) -> f64 {
        self.params.step * self.counted(rating) * share * surplus
    }

    /// What to expect of a side; `None` if nobody takes part.
    fn form(&self, members: &[Member<GaussianRating>]) -> Option<Form> {
        let total: f64 = members.iter().map(|member| member.share).sum();
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        let zero = Form {
            mean: 0.0,
            variance: 0.0,
        };
        Some(members.iter().fold(zero, |form, member| {
            let weight = member.share / total;
            Form {
                mean: form.mean + weight * member.rating.rating(),
                variance: form.variance + (weight * self.counted(&member.rating)).powi(2),
            }
        }))
    }

    /// Score and expected score of every side of a game.
    pub(super) fn verdicts(&self, sides: &[Side<GaussianRating>]) -> Vec<Verdict> {
        let forms: Vec<Form> = sides
            .iter()
            .map(|side| {
                // A game's sides have members who took part.
                self.form(&side.members).unwrap_or(Form {
                    mean: 0.0,
                    variance: self.params.floor.powi(2),
                })
            })
            .collect();
        let field = Field::of(
            forms
                .iter()
                .map(|form| (form.mean, Some(form.variance)))
                .collect(),
        );
        let expected = forms.iter().enumerate().map(|(index, form)| {
            mean_over(&field.others(index), |other| {
                form.beats(Form {
                    mean: other.skill,
                    variance: other.variance.unwrap_or(0.0),
                })
            })
        });
        let scores = shares_beaten(sides.iter().map(|side| side.place));
        scores
            .into_iter()
            .zip(expected)
            .map(|(score, expected)| Verdict { score, expected })
            .collect()
    }
}

impl RatingSystem for DotaMmr {
    type Rating = GaussianRating;

    fn initial(&self) -> GaussianRating {
        GaussianRating::of(self.params.initial_mmr, self.params.initial_uncertainty)
    }

    /// Phi((MMR - MMR of the opponent) / sqrt(u^2 + u^2 of the opponent)); the two sides' sum to 1.
    fn expected_score(&self, player: &GaussianRating, opponent: &GaussianRating) -> f64 {
        let form = |rating: &GaussianRating| Form {
            mean: rating.rating(),
            variance: self.counted(rating).powi(2),
        };
        form(player).beats(form(opponent))
    }

    fn update(
        &self,
        player: &GaussianRating,
        elapsed_periods: f64,
        games: &[GameResult<GaussianRating>],
    ) -> GaussianRating {
        let player = self.after_inactivity(player, elapsed_periods);
        if games.is_empty() {
            return player;
        }
        let (mut surplus, mut log_factor) = (0.0, 0.0);
        for game in games {
            let one = game.score.value() - self.expected_score(&player, &game.opponent);
            surplus += game.share * one;
            log_factor += game.share * self.uncertainty_factor(one.abs()).ln();
        }
        self.moved(&player, self.points_for(&player, 1.0, surplus), log_factor)
    }
}

impl TeamRatingSystem for DotaMmr {
    type Rating = GaussianRating;

    fn initial(&self) -> GaussianRating {
        RatingSystem::initial(self)
    }

    fn after_inactivity(&self, player: &GaussianRating, elapsed_periods: f64) -> GaussianRating {
        let (time, most) = (time_passed(elapsed_periods), self.params.max_uncertainty);
        let uncertainty = deviation_after_inactivity(player.deviation(), self.params.growth, time, most);
        GaussianRating::of(player.rating(), uncertainty)
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<GaussianRating>],
        opponents: &[Member<GaussianRating>],
    ) -> OutcomeProbabilities {
        let (win, loss) = match (self.form(side), self.form(opponents)) {
            (Some(ours), Some(theirs)) => (ours.beats(theirs), theirs.beats(ours)),
            _ => (0.5, 0.5),
        };
        OutcomeProbabilities { win, draw: 0.0, loss }
    }

    fn at_once(&self, before: &GaussianRating, after: &[GaussianRating]) -> Option<GaussianRating> {
        Some(before.at_once(after))
    }

    fn update(&self, game: &TeamGame<GaussianRating>) -> Vec<Vec<GaussianRating>> {
        let verdicts = self.verdicts(game.sides());
        let sides = game.sides().iter().zip(verdicts);
        sides
            .map(|(side, verdict)| {
                let surplus = verdict.surplus();
                let log_factor = self.uncertainty_factor(surplus.abs()).ln();
                let after = side.members.iter().map(|Member { rating, share, .. }| {
                    if *share > 0.0 {
                        let points = self.points_for(rating, *share, surplus);
                        self.moved(rating, points, share * log_factor)
                    } else {
                        *rating
                    }
                });
                after.collect()
            })
            .collect()
    }
}
