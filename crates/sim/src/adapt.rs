//! The one place where two vocabularies meet: results as rating, churn and scoring each call them,
//! and candidates as a solver sees them.

mod lobby;

pub use lobby::{LobbyScoring, NoTerms, leaving_out_price, lobby_pool};

use matchwright_churn::Outcome;
use matchwright_rating::{OutcomeModel, OutcomeProbabilities, RatingSystem, Score};
use matchwright_scoring::{ChurnByOutcome, OutcomeChances, churn_edge};
use matchwright_solver::{DenseCosts, GraphError};

/// An outcome as the rating systems' score.
#[must_use]
pub fn score_of(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Win => Score::WIN,
        Outcome::Draw => Score::DRAW,
        Outcome::Loss => Score::LOSS,
    }
}

/// Probabilities of a rating's outcome model as scoring's chances; none if they are no distribution.
#[must_use]
#[inline]
pub fn chances_of(probabilities: &OutcomeProbabilities) -> Option<OutcomeChances> {
    OutcomeChances::new(probabilities.win, probabilities.draw, probabilities.loss).ok()
}

/// A player's chances against an opponent under a rating system and an outcome model.
///
/// EOMM Eq. 3: outcome probabilities come from the skills alone.
pub fn chances_between<S: RatingSystem>(
    system: &S,
    outcomes: &dyn OutcomeModel,
    player: &S::Rating,
    opponent: &S::Rating,
) -> Option<OutcomeChances> {
    let expected = system.expected_score(player, opponent);
    let reverse = system.expected_score(opponent, player);
    chances_of(&outcomes.probabilities(expected, reverse))
}

/// Fills the complete graph of a pool with EOMM's edges (Eq. 4-6): the expected number of the two
/// players who churn if they are paired.
///
/// `chances(i, j)` are those of `i` against `j`. O(n^2).
///
/// # Errors
/// [`GraphError`] names the pair whose chances were missing.
pub fn churn_edges(
    costs: &mut DenseCosts,
    churn: &[ChurnByOutcome],
    mut chances: impl FnMut(usize, usize) -> Option<OutcomeChances>,
) -> Result<(), GraphError> {
    costs.refill(churn.len(), |i, j| {
        // A missing probability becomes NaN, which the graph refuses by name.
        chances(i, j).map_or(f64::NAN, |chances| churn_edge(&chances, &churn[i], &churn[j]))
    })
}
