//! A checked list of games as flat tables, in the order of time.

use std::ops::Range;

use super::game::TimedGame;
use crate::gaussian::Weights;

/// A player at one time: one skill to be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Visit {
    pub(super) player: usize,
    pub(super) time: f64,
    /// The player's visit before this one.
    pub(super) before: Option<usize>,
    /// The player's visit after this one.
    pub(super) after: Option<usize>,
}

/// A player's part in one game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seat {
    pub(super) visit: usize,
    pub(super) weights: Weights,
}

/// Some players of one game, who share a place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    pub(super) place: u32,
    pub(super) seats: Range<usize>,
    /// Nothing told this side from the one before, so that they share what the game says.
    pub(super) twin: bool,
}

/// A game's sides, from the best to the worst.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Game {
    pub(super) sides: Range<usize>,
    /// Three sides or more, and some of them tied: who of these stands next to whom matters.
    pub(super) tied: bool,
}

/// All games of one time, and the visits for them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Batch {
    pub(super) games: Range<usize>,
    pub(super) visits: Range<usize>,
}

/// Every table is in the order of time.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct History {
    pub(super) visits: Vec<Visit>,
    pub(super) seats: Vec<Seat>,
    pub(super) sides: Vec<Side>,
    pub(super) games: Vec<Game>,
    pub(super) batches: Vec<Batch>,
}

impl History {
    /// Of checked `games` among `players`. Cost: n ln n for n games.
    pub(super) fn new(players: usize, games: &[TimedGame]) -> Self {
        let mut order: Vec<&TimedGame> = games.iter().collect();
        order.sort_by(|a, b| (a.time + 0.0).total_cmp(&(b.time + 0.0)));
        let mut history = Self::default();
        let mut latest = vec![None; players];
        for batch in order.chunk_by(|a, b| a.time == b.time) {
            let (first_game, first_visit) = (history.games.len(), history.visits.len());
            for game in batch {
                history.add(game, first_visit, &mut latest);
            }
            history.batches.push(Batch {
                games: first_game..history.games.len(),
                visits: first_visit..history.visits.len(),
            });
        }
        history
    }

    /// Adds a game of a batch whose visits begin at `first_visit`; `latest` has each player's last visit.
    fn add(&mut self, timed: &TimedGame, first_visit: usize, latest: &mut [Option<usize>]) {
        let (first_side, length) = (self.sides.len(), timed.game.length());
        let mut given: Vec<_> = timed.game.sides().iter().collect();
        given.sort_by_key(|side| side.place);
        for side in &given {
            let first_seat = self.seats.len();
            for member in side.members.iter().filter(|member| member.share > 0.0) {
                let before = latest[member.rating];
                let visit = match before {
                    Some(visit) if visit >= first_visit => visit,
                    _ => {
                        let visit = self.visits.len();
                        if let Some(before) = before {
                            self.visits[before].after = Some(visit);
                        }
                        self.visits.push(Visit {
                            player: member.rating,
                            time: timed.time + 0.0,
                            before,
                            after: None,
                        });
                        latest[member.rating] = Some(visit);
                        visit
                    }
                };
                self.seats.push(Seat {
                    visit,
                    weights: Weights::in_game_of(length)(member.share),
                });
            }
            self.sides.push(Side {
                place: side.place,
                seats: first_seat..self.seats.len(),
                twin: false,
            });
        }
        self.games.push(Game {
            sides: first_side..self.sides.len(),
            tied: given.len() > 2 && given.windows(2).any(|pair| pair[0].place == pair[1].place),
        });
    }

    /// The seats of a game; its sides' seats follow one another, in any order.
    pub(super) fn seats_of(&self, game: usize) -> Range<usize> {
        let sides = &self.sides[self.games[game].sides.clone()];
        let first = sides.iter().map(|side| side.seats.start).min();
        let end = sides.iter().map(|side| side.seats.end).max();
        first.unwrap_or(0)..end.unwrap_or(0)
    }
}
