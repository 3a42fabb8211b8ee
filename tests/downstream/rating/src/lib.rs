//! A rating system that matchwright-rating does not have, written against its published interface.

use matchwright_rating::{GameResult, RatingEstimate, RatingSystem};

/// Wins, draws and losses, with one imaginary win and loss for a start.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Points scored: 1 for a win, 1/2 for a draw.
    pub points: f64,
    /// Games played.
    pub games: f64,
}

impl Record {
    /// Laplace's rule of succession: the share of points, drawn to 1/2 while games are few.
    pub fn share(&self) -> f64 {
        (self.points + 1.0) / (self.games + 2.0)
    }
}

impl RatingEstimate for Record {
    fn rating(&self) -> f64 {
        self.share()
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

/// Rates by the share of points, whoever the opponents were.
pub struct ShareOfPoints;

impl RatingSystem for ShareOfPoints {
    type Rating = Record;

    fn initial(&self) -> Record {
        Record {
            points: 0.0,
            games: 0.0,
        }
    }

    /// Bill James's log5.
    fn expected_score(&self, player: &Record, opponent: &Record) -> f64 {
        let (a, b) = (player.share(), opponent.share());
        a * (1.0 - b) / (a * (1.0 - b) + b * (1.0 - a))
    }

    fn update(&self, player: &Record, _elapsed_periods: f64, games: &[GameResult<Record>]) -> Record {
        Record {
            points: player.points + games.iter().map(|game| game.score.value()).sum::<f64>(),
            games: player.games + games.len() as f64,
        }
    }
}
