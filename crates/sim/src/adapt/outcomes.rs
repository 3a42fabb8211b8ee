//! Results as rating, churn and scoring each call them.

use std::cmp::Ordering;

use matchwright_churn::Outcome;
use matchwright_rating::{DrawModel, OutcomeProbabilities, RatingSystem, Score};
use matchwright_scoring::OutcomeChances;

/// An outcome as the rating systems' score.
#[must_use]
pub fn score_of(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Win => Score::WIN,
        Outcome::Draw => Score::DRAW,
        Outcome::Loss => Score::LOSS,
    }
}

/// A rating system's score as an outcome: a win above 1/2, a loss below.
#[must_use]
#[inline]
pub fn outcome_of(score: Score) -> Outcome {
    match score.partial_cmp(&Score::DRAW) {
        Some(Ordering::Greater) => Outcome::Win,
        Some(Ordering::Equal) => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// Probabilities of a rating's outcome model as scoring's chances; none if they are no distribution.
#[must_use]
#[inline]
pub fn chances_of(probabilities: &OutcomeProbabilities) -> Option<OutcomeChances> {
    // Dropped: none, as stated.
    OutcomeChances::new(probabilities.win, probabilities.draw, probabilities.loss).ok()
}

/// A player's chances against an opponent under a rating system and an outcome model.
///
/// EOMM Eq. 3: outcome probabilities come from the skills alone.
pub fn chances_between<S: RatingSystem>(
    system: &S,
    outcomes: &dyn DrawModel,
    player: &S::Rating,
    opponent: &S::Rating,
) -> Option<OutcomeChances> {
    let expected = system.expected_score(player, opponent);
    let reverse = system.expected_score(opponent, player);
    chances_of(&outcomes.outcome_probabilities(expected, reverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_and_scores_are_each_others_inverse() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome_of(score_of(outcome)), outcome);
            assert_eq!(outcome_of(score_of(outcome).reversed()), outcome.reversed());
        }
        assert_eq!(outcome_of(Score::new(0.75).unwrap()), Outcome::Win);
        assert_eq!(outcome_of(Score::new(0.25).unwrap()), Outcome::Loss);
    }
}
