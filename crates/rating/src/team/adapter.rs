//! [`TeamAdapter`]: any system for two players as a system for teams and free-for-alls.

use crate::draw::{DrawModel, FixedDraw, OutcomeProbabilities};
use crate::score::{GameResult, Score};
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::field::{Field, Opponent, mean_over};
use crate::team::game::{Member, Side, TeamGame, length};
use crate::team::places::shares_beaten;
use crate::team::shift::ShiftRating;
use crate::team::system::TeamRatingSystem;

/// How the ratings of a side's players make the side's skill; partial players count by their part of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum TeamSkill {
    /// Their mean: the size of a side does not matter. The default: a gap between teams is on the
    /// same scale as one between players, so that K and curve keep their meaning. Not for systems that
    /// keep deviations: under a mean these shrink faster than errors do.
    #[default]
    Mean,
    /// Their sum: a gap of 10 points a player is one of 50 between teams of five, and an absent player
    /// costs a whole rating. For games where skills add up.
    Sum,
}

/// A system for two players as one for teams: each member is rated as if alone against an
/// opponent as far away in rating as the other side's skill is from the member's own side's.
///
/// ```text
/// T   = mean or sum of the side's ratings, weighted with parts         TeamSkill; part = share / greatest share of the game
/// gap = T_own - T_opponents
/// member i meets r_i - gap, with the deviation of all the others       one game of the inner system, of the member's share
/// s   = (sides beaten + sides tied / 2) / (sides - 1)
/// E_i = mean of the expected scores against each of the other sides
/// ```
///
/// Against several sides there is one game too: the gap is that at which the member expects `E_i`. Of
/// more than 64 sides, those next to each other in skill are met as one of their mean skill.
///
/// The deviation of the opponent is that of its T (mean or sum) where the other sides are teams; of
/// several sides, the root of their mean square. Teammates' deviations count like
/// opponents', since they blur the result as much. With Elo all
/// members of a side gain the same, and what some of several sides of equal size gain the others lose.
///
/// Where the inner system keeps deviations, mind that a member learns as much from a game as from a duel:
/// under [`TeamSkill::Mean`] one of n moves the skill of the side by 1/n only, so that deviations shrink
/// faster than errors do.
///
/// Win, draw and loss come from the [`DrawModel`] and the expected scores of the two sides' skills.
///
/// Cost: linear in the players, with 120 expected scores each in games of many sides, and n log n in the sides.
///
/// ```
/// use matchwright_rating::{
///     EloParams, EloRating, FixedDraw, Side, TeamAdapter, TeamGame, TeamRatingSystem, TeamSkill,
/// };
///
/// let teams = TeamAdapter::new(EloParams::default().build()?, TeamSkill::Mean, FixedDraw::EOMM);
/// let elo = |value| EloRating::new(value).unwrap();
/// let (strong, weak) = (vec![elo(1700.0), elo(1500.0)], vec![elo(1650.0), elo(1150.0)]);
/// let after = teams.update(&TeamGame::new(vec![Side::new(2, strong), Side::new(1, weak)])?);
/// // Means of 1600 and 1400: the stronger side expected .76, and lost.
/// assert_eq!(after[0][0].value().round(), 1700.0 - 24.0);
/// assert_eq!(after[1][1].value().round(), 1150.0 + 24.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TeamAdapter<S, M> {
    system: S,
    skill: TeamSkill,
    outcomes: M,
}

/// Halvings of the range of gaps: the last is far below rounding.
const BISECTIONS: u32 = 60;

/// A side as one player.
#[derive(Debug, Clone, Copy, Default)]
struct Whole {
    /// T.
    skill: f64,
    /// Mean rating, whatever T is: where on the scale the side stands.
    level: f64,
    /// Variance of T; none where the system keeps no deviations.
    variance: Option<f64>,
    /// By how much T rises for each point of a member, times the member's share.
    weight: f64,
}

impl Whole {
    /// Variance of T that is not this member's own.
    fn beside<R: RatingEstimate>(&self, member: &Member<R>) -> f64 {
        let own = self.weight * member.share * member.rating.deviation().unwrap_or(0.0);
        self.variance
            .map_or(0.0, |variance| (variance - own * own).max(0.0))
    }
}

impl<S, M> TeamAdapter<S, M>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
    M: DrawModel,
{
    /// From a system, how its ratings make a side's skill, and a model of draws.
    pub const fn new(system: S, skill: TeamSkill, outcomes: M) -> Self {
        Self {
            system,
            skill,
            outcomes,
        }
    }

    /// The system for two players.
    #[must_use]
    pub const fn system(&self) -> &S {
        &self.system
    }

    /// In a game of this length. None for a side without players or of shares that are all 0.
    fn whole(&self, members: &[Member<S::Rating>], length: f64) -> Option<Whole> {
        let shares: f64 = members.iter().map(|member| member.share).sum();
        if shares.is_nan() || shares <= 0.0 {
            return None;
        }
        let sum: f64 = members.iter().map(|one| one.share * one.rating.rating()).sum();
        let squares = members.iter().map(|one| {
            let deviation = one.rating.deviation()?;
            Some((one.share * deviation).powi(2))
        });
        let variance: Option<f64> = squares.sum();
        let level = sum / shares;
        Some(match self.skill {
            TeamSkill::Mean => Whole {
                skill: level,
                level,
                variance: variance.map(|variance| variance / (shares * shares)),
                weight: 1.0 / shares,
            },
            TeamSkill::Sum => Whole {
                skill: sum / length,
                level,
                variance: variance.map(|variance| variance / (length * length)),
                weight: 1.0 / length,
            },
        })
    }

    /// `rating` moved to `target`, with the given variance if the system keeps deviations.
    fn stand_in(rating: &S::Rating, target: f64, variance: Option<f64>) -> S::Rating {
        let moved = rating.shifted(target - rating.rating());
        variance.map_or(moved.clone(), |variance| moved.with_deviation(variance.sqrt()))
    }

    /// Two sides as two players, around their common level, so that both see the same two.
    fn stand_ins(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> Option<(S::Rating, S::Rating)> {
        let length = length([side, opponents]);
        let (ours, theirs) = (self.whole(side, length)?, self.whole(opponents, length)?);
        let (level, gap) = (0.5 * (ours.level + theirs.level), ours.skill - theirs.skill);
        Some((
            Self::stand_in(&side[0].rating, level + 0.5 * gap, ours.variance),
            Self::stand_in(&opponents[0].rating, level - 0.5 * gap, theirs.variance),
        ))
    }

    fn updated(&self, member: &Member<S::Rating>, own: &Whole, met: &[Opponent], score: Score) -> S::Rating {
        let player = &member.rating;
        if member.share == 0.0 {
            return player.clone();
        }
        let blurred: Vec<Opponent> = met
            .iter()
            .map(|one| Opponent {
                variance: one.variance.map(|variance| variance + own.beside(member)),
                ..*one
            })
            .collect();
        let opponent = self.opponent(player, own.skill, &blurred);
        let game = GameResult::new(opponent, score).for_share(member.share);
        self.system.update(player, 0.0, &[game])
    }

    /// Whom a player of a side with skill `own` meets: of several sides, one against whom as much is to be
    /// expected as against all of them on average.
    fn opponent(&self, player: &S::Rating, own: f64, met: &[Opponent]) -> S::Rating {
        let below = |gap: f64, variance| Self::stand_in(player, player.rating() - gap, variance);
        if let [only] = met {
            return below(own - only.skill, only.variance);
        }
        let expected = mean_over(met, |one| {
            let opponent = below(own - one.skill, one.variance);
            self.system.expected_score(player, &opponent)
        });
        let variance = met
            .iter()
            .all(|one| one.variance.is_some())
            .then(|| mean_over(met, |one| one.variance.unwrap_or(0.0)));
        let gaps = met.iter().map(|one| own - one.skill);
        let (mut low, mut high) = gaps.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), gap| {
            (low.min(gap), high.max(gap))
        });
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if self.system.expected_score(player, &below(middle, variance)) < expected {
                low = middle;
            } else {
                high = middle;
            }
        }
        below(0.5 * (low + high), variance)
    }
}

impl<S, M> TeamRatingSystem for TeamAdapter<S, M>
where
    S: RatingSystem,
    S::Rating: RatingEstimate + ShiftRating,
    M: DrawModel,
{
    type Rating = S::Rating;

    fn initial(&self) -> S::Rating {
        self.system.initial()
    }

    fn after_inactivity(&self, player: &S::Rating, elapsed_periods: f64) -> S::Rating {
        self.system.update(player, elapsed_periods, &[])
    }

    fn outcome_probabilities(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> OutcomeProbabilities {
        let Some((a, b)) = self.stand_ins(side, opponents) else {
            return self.outcomes.outcome_probabilities(0.5, 0.5);
        };
        let expected = self.system.expected_score(&a, &b);
        let reverse = self.system.expected_score(&b, &a);
        self.outcomes.outcome_probabilities(expected, reverse)
    }

    /// From the forecasts of the system within.
    fn decided_probabilities(
        &self,
        side: &[Member<S::Rating>],
        opponents: &[Member<S::Rating>],
    ) -> OutcomeProbabilities {
        let forecasts = self.stand_ins(side, opponents).map(|(a, b)| {
            let of = |a, b| self.system.win_probability(a, b);
            (of(&a, &b), of(&b, &a))
        });
        let (expected, reverse) = forecasts.unwrap_or((0.5, 0.5));
        FixedDraw::NONE.outcome_probabilities(expected, reverse).decided()
    }

    fn update(&self, game: &TeamGame<S::Rating>) -> Vec<Vec<S::Rating>> {
        let (sides, length) = (game.sides(), game.length());
        // A side of a game has someone who took part, so it has a skill.
        let wholes = sides
            .iter()
            .map(|side| self.whole(&side.members, length).unwrap_or_default());
        let wholes: Vec<Whole> = wholes.collect();
        let field = Field::of(wholes.iter().map(|whole| (whole.skill, whole.variance)).collect());
        let scores = shares_beaten(sides.iter().map(|side| side.place));
        let rate = |((index, side), score): ((usize, &Side<S::Rating>), f64)| {
            let (own, met) = (&wholes[index], field.others(index));
            // A share of the others is a score.
            let score = Score::new(score).unwrap_or(Score::DRAW);
            let members = side.members.iter();
            members
                .map(|member| self.updated(member, own, &met, score))
                .collect()
        };
        sides.iter().enumerate().zip(scores).map(rate).collect()
    }
}
