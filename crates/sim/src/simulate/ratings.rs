//! What the matchmaker knows of skills: a rating system that sees results alone, or skills with an error.

use std::collections::HashMap;

use matchwright_queue::Time;
use matchwright_rating::MmrTrack;
use matchwright_rating::history::{HistoryBuilder, NamedSeat, PlayerIndex};

use super::people::error_of;
use super::scenario::Scenario;
use crate::rate::{RateError, RatingStream};

/// What is known of skills, on the scale that tickets carry.
pub(super) struct Ratings {
    known: Known,
    /// What ratings are multiplied with to be of that scale.
    factor: f64,
    /// By player, where players have several: the rating that counts for the latest ticket.
    tracks: Vec<Option<MmrTrack>>,
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
    /// The number under which the system knows each rating of a player.
    known: HashMap<(u32, Option<MmrTrack>), PlayerIndex>,
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
                known: HashMap::new(),
            }))
        });
        let factor = scenario.rating_factor();
        Ok(Self {
            known,
            factor,
            tracks: Vec::new(),
        })
    }

    /// From here on the rating of a player is that of `track`, if players have several.
    pub(super) fn queues(&mut self, player: u32, track: Option<MmrTrack>) {
        if track.is_none() {
            return;
        }
        let player = player as usize;
        if self.tracks.len() <= player {
            self.tracks.resize(player + 1, None);
        }
        self.tracks[player] = track;
    }

    /// A player's rating that counts.
    fn key(&self, player: u32) -> (u32, Option<MmrTrack>) {
        (player, self.tracks.get(player as usize).copied().flatten())
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
                let known = learnt.known.get(&self.key(player)).copied();
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
        let keys = |(_, players): &(u32, Vec<u32>)| players.iter().map(|&player| self.key(player)).collect();
        let keys: Vec<Vec<_>> = teams.iter().map(keys).collect();
        let Known::Learnt(learnt) = &mut self.known else {
            return Ok(());
        };
        let Learnt {
            stream,
            builder,
            known,
        } = &mut **learnt;
        let mut game = builder.start(now.millis().div_euclid(1000));
        for ((place, _), keys) in teams.iter().zip(&keys) {
            game.side(*place, 0.0);
            for key in keys {
                match known.get(key) {
                    Some(&index) => game.known_seat(index),
                    None => game.seat(NamedSeat::whole(&name_of(*key))),
                };
            }
        }
        // Matches end in order of time, and each is one of its own.
        if game.finish().is_err() {
            return Ok(());
        }
        let history = builder.so_far();
        for (side, keys) in history.game(0).sides().zip(&keys) {
            known.extend(keys.iter().copied().zip(side.players().iter().copied()));
        }
        stream.play(history)?;
        builder.forget_games();
        Ok(())
    }
}

/// What the system calls a rating of a player.
fn name_of((player, track): (u32, Option<MmrTrack>)) -> String {
    track.map_or_else(|| player.to_string(), |track| format!("{player} {track}"))
}
