//! A season as forensics plays it and as the ratings' ladder does: two implementations that know nothing of each other.

use matchwright_mmr_forensics::{
    Averaging, LadderSeason, LadderState, MovingAverage as SeasonAverage, NextGame, play_forward,
};
use matchwright_rating::{
    AveragedParams, BonusPoolParams, EloParams, EloRating, GameResult, LadderPointsParams, MovingAverage,
    PointsRating, RatingSystem, Score,
};

/// The bonus pool of a season as the ratings' ladder has it: the same points in the same minutes.
///
/// What a season does not say keeps the ladder's defaults.
fn bonus_pool_of(season: &LadderSeason) -> BonusPoolParams {
    BonusPoolParams {
        minutes_per_point: season.params().minutes_per_point,
        ..BonusPoolParams::default()
    }
}

/// The displayed points of a season as the ratings' ladder has them: an average win and an average loss together are
/// K.
fn ladder_points_of(season: &LadderSeason) -> LadderPointsParams {
    let game = season.params().game;
    LadderPointsParams {
        k: game.per_win.get() + game.per_loss.get(),
        bonus: Some(bonus_pool_of(season)),
        ..LadderPointsParams::default()
    }
}

/// A season's moving average as the ratings' ladder calls it; none for a blend, which ratings do not have.
fn moving_average_of(average: SeasonAverage) -> Option<MovingAverage> {
    Some(match average {
        SeasonAverage::Simple { games } => MovingAverage::Simple { games },
        SeasonAverage::Weighted { games } => MovingAverage::Weighted { games },
        SeasonAverage::Modified { games } => MovingAverage::Modified { games },
        SeasonAverage::Exponential { alpha } => MovingAverage::Exponential { alpha },
        _ => return None,
    })
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
