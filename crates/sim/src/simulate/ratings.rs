//! What the matchmaker knows of skills: a rating system that sees results alone, or skills with an error.

use matchwright_queue::Time;
use matchwright_rating::history::{HistoryBuilder, NamedSeat, PlayerIndex};

use super::people::error_of;
use super::scenario::Scenario;
use crate::rate::{RateError, RatingStream};

/// What is known of skills, on the scale that tickets carry.
pub(super) struct Ratings {
    known: Known,
    /// What ratings are multiplied with to be of that scale.
    factor: f64,
}

enum Known {
    /// Skill and an error that stays.
    Fixed { seed: u64, deviation: f64 },
    /// Learnt from results.
    Learnt(Box<Learnt>),
}

struct Learnt {
    stream: RatingStream,
    builder: HistoryBuilder,
    /// By player: the number under which the system knows it.
    known: Vec<PlayerIndex>,
}

/// The rating system knows no such player.
const UNKNOWN: PlayerIndex = PlayerIndex::MAX;

impl Ratings {
    pub(super) fn new(scenario: &Scenario, seed: u64) -> Result<Self, RateError> {
        let params = &scenario.params().rating;
        let stream = match (&scenario.rated, &params.system) {
            (Some(make), _) => Some(RatingStream::of(make())),
            (None, Some(system)) => Some(RatingStream::new(system)?),
            (None, None) => None,
        };
        let fixed = Known::Fixed {
            seed,
            deviation: params.error_deviation,
        };
        let known = stream.map_or(fixed, |stream| {
            Known::Learnt(Box::new(Learnt {
                stream,
                builder: HistoryBuilder::default(),
                known: Vec::new(),
            }))
        });
        let factor = scenario.rating_factor();
        Ok(Self { known, factor })
    }

    /// The rating of a player, and its deviation if there is one. Only [`Known::Fixed`] looks at `skill`.
    pub(super) fn of(&self, player: u32, skill: f64) -> (f64, Option<f64>) {
        let (rating, deviation) = match &self.known {
            Known::Fixed { deviation, .. } if *deviation == 0.0 => (skill, None),
            Known::Fixed { seed, deviation } => (
                skill + error_of(*seed, player.into(), *deviation),
                Some(*deviation),
            ),
            Known::Learnt(learnt) => {
                let known = learnt.known.get(player as usize).copied();
                learnt.stream.rating(known.unwrap_or(UNKNOWN))
            }
        };
        (
            self.factor * rating,
            deviation.map(|deviation| self.factor * deviation),
        )
    }

    /// Learns from a result: each team's place and players.
    pub(super) fn learn(&mut self, now: Time, teams: &[(u32, Vec<u32>)]) -> Result<(), RateError> {
        let Known::Learnt(learnt) = &mut self.known else {
            return Ok(());
        };
        let Learnt {
            stream,
            builder,
            known,
        } = &mut **learnt;
        let mut game = builder.start(now.millis().div_euclid(1000));
        for (place, players) in teams {
            game.side(*place, 0.0);
            for &player in players {
                match known.get(player as usize) {
                    Some(&index) if index != UNKNOWN => game.known_seat(index),
                    _ => game.seat(NamedSeat::whole(&player.to_string())),
                };
            }
        }
        // Matches end in order of time, and each is one of its own.
        if game.finish().is_err() {
            return Ok(());
        }
        let history = builder.so_far();
        for (side, (_, players)) in history.game(0).sides().zip(teams) {
            for (&index, &player) in side.players().iter().zip(players) {
                let player = player as usize;
                if known.len() <= player {
                    known.resize(player + 1, UNKNOWN);
                }
                known[player] = index;
            }
        }
        stream.play(history)?;
        builder.forget_games();
        Ok(())
    }
}
