//! The one place where two vocabularies meet: results as rating, churn and scoring each call them, candidates as a
//! solver sees them, and a ladder's season as ratings play it.

mod lobby;
mod scored;
mod total;
mod unmatched;

pub use lobby::{LobbyScoring, NoTerms, lobby_pool, unmatched_penalty};
pub use scored::Scored;
pub use total::TotalSearch;
pub use unmatched::{UnmatchedReason, unmatched_reasons};

use std::cmp::Ordering;

use matchwright_churn::Outcome;
use matchwright_mmr_forensics::{LadderSeason, MovingAverage as SeasonAverage};
use matchwright_rating::{
    BonusPoolParams, DrawModel, LadderPointsParams, MovingAverage, OutcomeProbabilities, RatingSystem, Score,
};
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

/// The bonus pool of a season as the ratings' ladder has it: the same points in the same minutes.
///
/// What a season does not say keeps the ladder's defaults.
#[must_use]
pub fn bonus_pool_of(season: &LadderSeason) -> BonusPoolParams {
    BonusPoolParams {
        minutes_per_point: season.params().minutes_per_point,
        ..BonusPoolParams::default()
    }
}

/// The displayed points of a season as the ratings' ladder has them: an average win and an average loss together are
/// K.
#[must_use]
pub fn ladder_points_of(season: &LadderSeason) -> LadderPointsParams {
    let game = season.params().game;
    LadderPointsParams {
        k: game.per_win.get() + game.per_loss.get(),
        bonus: Some(bonus_pool_of(season)),
        ..LadderPointsParams::default()
    }
}

/// A season's moving average as the ratings' ladder calls it; none for a blend, which ratings do not have.
#[must_use]
pub fn moving_average_of(average: SeasonAverage) -> Option<MovingAverage> {
    Some(match average {
        SeasonAverage::Simple { games } => MovingAverage::Simple { games },
        SeasonAverage::Weighted { games } => MovingAverage::Weighted { games },
        SeasonAverage::Modified { games } => MovingAverage::Modified { games },
        SeasonAverage::Exponential { alpha } => MovingAverage::Exponential { alpha },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use matchwright_mmr_forensics::{Averaging, LadderState, NextGame, play_forward};
    use matchwright_rating::{AveragedParams, EloParams, EloRating, GameResult, PointsRating, Score};

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

    #[test]
    fn a_season_and_the_ladder_of_ratings_have_the_same_constants() {
        let season = LadderSeason::default();
        assert_eq!(ladder_points_of(&season), LadderPointsParams::default());
        assert_eq!(bonus_pool_of(&season), BonusPoolParams::default());
        let average = moving_average_of(season.params().average).unwrap();
        assert_eq!(average, AveragedParams::default().average);
        assert_eq!(average.lag_games(), season.params().average.lag_games());
        let ratings: Vec<f64> = (0..40).map(|game| f64::from(game * game % 37)).collect();
        for average in [
            SeasonAverage::Simple { games: 7 },
            SeasonAverage::Weighted { games: 7 },
            SeasonAverage::Modified { games: 7 },
            SeasonAverage::Exponential { alpha: 0.3 },
        ] {
            let other = moving_average_of(average).unwrap().of(&ratings).unwrap();
            assert!(
                (average.average(&ratings).unwrap() - other).abs() < 1e-9,
                "{average:?}"
            );
        }
        assert_eq!(
            moving_average_of(SeasonAverage::Blend {
                simple: 10,
                weighted: 10
            }),
            None
        );
    }

    #[test]
    fn a_season_played_forwards_is_the_one_of_the_ratings_ladder() {
        let season = LadderSeason::default();
        let elo = EloParams {
            k: 24.0,
            ..EloParams::default()
        }
        .build()
        .unwrap();
        let ladder = ladder_points_of(&season).wrap(elo).unwrap();
        let mut player = ladder.initial();
        let mut state = LadderState {
            points: 0.0,
            unspent: 0.0,
            total: 0.0,
        };
        for game in 0..200 {
            let minutes = f64::from(30 + 50 * (game % 9));
            let level = EloRating::new(1500.0 + f64::from(game % 5) * 40.0).unwrap();
            let opponent = PointsRating::new(level, 0.0, 0.0, 0.0).unwrap();
            let score = if game % 3 == 0 { Score::LOSS } else { Score::WIN };
            let earned = 24.0 * (score.value() - ladder.expected_score(&player, &opponent));
            let periods = minutes / bonus_pool_of(&season).minutes_per_period;
            player = ladder.update(&player, periods, &[GameResult::new(opponent, score)]);
            let next = NextGame {
                minutes_before: minutes,
                earned,
            };
            state = play_forward(state, &[next], &season).unwrap()[0].0;
            // The ladder shows no negative points.
            state.points = state.points.max(0.0);
            assert!((state.points - player.points()).abs() < 1e-6, "{game}");
            assert!((state.unspent - player.unspent()).abs() < 1e-6, "{game}");
        }
    }
}
