//! A factor that matchwright-scoring does not have, written against its published interface.

use matchwright_scoring::{MatchScorer, PlayerField, TeamFactor, TeamMatch};

/// Where a player sits, in kilometres on a flat map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
}

/// Perfect within `near`, forbidden from `far`, falling in between.
pub struct Distance {
    /// Kilometres up to which nobody notices.
    pub near: f64,
    /// Kilometres from which nobody can play.
    pub far: f64,
}

impl MatchScorer<(Place, Place)> for Distance {
    fn quality(&self, (a, b): &(Place, Place)) -> Option<f64> {
        let distance = (a.x - b.x).hypot(a.y - b.y);
        (distance < self.far).then(|| ((self.far - distance) / (self.far - self.near)).clamp(0.0, 1.0))
    }
}

/// A factor of team matches: nobody should be the only newcomer among players of a thousand games.
#[derive(Debug)]
pub struct Company {
    /// Games from which on somebody is no newcomer.
    pub games: f64,
}

impl MatchScorer<TeamMatch<'_>> for Company {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let new = |player: &usize| candidate.pool().experience(*player) < self.games;
        Some(if candidate.players().filter(new).count() == 1 {
            0.0
        } else {
            1.0
        })
    }
}

impl TeamFactor for Company {
    fn name(&self) -> &'static str {
        "company"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Experience]
    }
}
