//! A rating system that matchwright-rating does not have, written against its published interface.

use matchwright_rating::{
    GameResult, Member, OutcomeProbabilities, RatingEstimate, RatingSystem, ShiftRating, TeamGame,
    TeamRatingSystem,
};

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
            points: player.points + games.iter().map(|game| game.share * game.score.value()).sum::<f64>(),
            games: player.games + games.iter().map(|game| game.share).sum::<f64>(),
        }
    }
}

/// Points on a scale of this package's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength(pub f64);

impl RatingEstimate for Strength {
    fn rating(&self) -> f64 {
        self.0
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

impl ShiftRating for Strength {
    fn shifted(&self, points: f64) -> Self {
        Self(if points.is_nan() { self.0 } else { self.0 + points })
    }

    fn with_deviation(&self, _deviation: f64) -> Self {
        *self
    }
}

/// A side is as strong as its best player, and everyone gains a point a side beaten.
pub struct BestOfSide;

fn best(side: &[Member<Strength>]) -> Option<f64> {
    let there = side.iter().filter(|member| member.share > 0.0);
    there.map(|member| member.rating.0).reduce(f64::max)
}

impl TeamRatingSystem for BestOfSide {
    type Rating = Strength;

    fn initial(&self) -> Strength {
        Strength(0.0)
    }

    fn after_inactivity(&self, player: &Strength, _elapsed_periods: f64) -> Strength {
        *player
    }

    fn outcome_probabilities(&self, side: &[Member<Strength>], opponents: &[Member<Strength>]) -> OutcomeProbabilities {
        let lead = match (best(side), best(opponents)) {
            (Some(ours), Some(theirs)) => ours - theirs,
            _ => 0.0,
        };
        let win = 0.5 + 0.5 * (lead / 10.0).clamp(-1.0, 1.0);
        OutcomeProbabilities {
            win,
            draw: 0.0,
            loss: 1.0 - win,
        }
    }

    fn update(&self, game: &TeamGame<Strength>) -> Vec<Vec<Strength>> {
        let sides = game.sides();
        let beaten = |place: u32| sides.iter().filter(|other| place < other.place).count() as f64;
        let rated = |member: &Member<Strength>, gain: f64| member.rating.shifted(member.share * gain);
        let side = |side: &matchwright_rating::Side<Strength>| {
            let gain = beaten(side.place);
            side.members.iter().map(|member| rated(member, gain)).collect()
        };
        sides.iter().map(side).collect()
    }
}
