//! A history of games of sides in time order: teams, free-for-alls and, as the smallest case, duels.

mod builder;

pub use builder::{NamedGame, NamedSeat, NamedSide, TeamHistoryBuilder, TeamHistoryError};

use matchwright_churn::Outcome;

use crate::history::{MatchHistory, MatchRecord, PlayerIndex};

/// A player's seat in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Who sat there.
    pub player: PlayerIndex,
    /// The share of the game that the player took part in, in \[0, 1\].
    pub share: f64,
    /// Members of a side with the same number queued together; none queued alone.
    pub party: Option<u32>,
}

/// One side of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedSide {
    /// 1 for the winners, then 2 and so on; equal places are draws. Only their order counts.
    pub place: u32,
    /// Points made; of use to tell games apart. 0 where only places are known.
    pub score: f64,
    /// At least one, and one of them took part.
    pub seats: Vec<Seat>,
}

/// One game: two sides or more, no player in two seats.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// When it ended, Unix seconds.
    pub time: i64,
    /// The sides, in the order told.
    pub sides: Vec<PlacedSide>,
}

impl GameRecord {
    /// How side `one` fared against side `other`, by their places.
    #[must_use]
    pub fn outcome(&self, one: usize, other: usize) -> Outcome {
        match self.sides[one].place.cmp(&self.sides[other].place) {
            std::cmp::Ordering::Less => Outcome::Win,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Greater => Outcome::Loss,
        }
    }

    /// How a side fared in the whole game: a win is the first place alone, a draw the first place shared.
    #[must_use]
    pub fn outcome_of(&self, side: usize) -> Outcome {
        let best = self.sides.iter().map(|side| side.place).min();
        if best != Some(self.sides[side].place) {
            return Outcome::Loss;
        }
        let first = self.sides.iter().filter(|side| Some(side.place) == best);
        if first.count() > 1 {
            Outcome::Draw
        } else {
            Outcome::Win
        }
    }

    /// Whether two single players met, for the whole game.
    #[must_use]
    pub fn is_duel(&self) -> bool {
        let alone = |side: &PlacedSide| side.seats.len() == 1 && side.seats[0].share == 1.0;
        self.sides.len() == 2 && self.sides.iter().all(alone)
    }
}

/// Games in time order and the names of those who played them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TeamHistory {
    players: Vec<String>,
    games: Vec<GameRecord>,
}

impl TeamHistory {
    /// Names, by [`PlayerIndex`].
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Games, oldest first.
    #[must_use]
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The same games as matches of one against one; none if a game is more than that.
    #[must_use]
    pub fn duels(&self) -> Option<MatchHistory> {
        let matches = self.games.iter().map(|game| {
            game.is_duel().then(|| MatchRecord {
                time: game.time,
                player1: game.sides[0].seats[0].player,
                player2: game.sides[1].seats[0].player,
                outcome: game.outcome(0, 1),
                score_difference: game.sides[0].score - game.sides[1].score,
            })
        });
        let matches = matches.collect::<Option<Vec<_>>>()?;
        Some(MatchHistory::of_checked(self.players.clone(), matches))
    }
}

impl From<&MatchHistory> for TeamHistory {
    fn from(duels: &MatchHistory) -> Self {
        let game = |game: &MatchRecord| {
            let (first, second) = match game.outcome {
                Outcome::Win => (1, 2),
                Outcome::Draw => (1, 1),
                Outcome::Loss => (2, 1),
            };
            let side = |player, place, score| PlacedSide {
                place,
                score,
                seats: vec![Seat {
                    player,
                    share: 1.0,
                    party: None,
                }],
            };
            GameRecord {
                time: game.time,
                sides: vec![
                    side(game.player1, first, game.score_difference),
                    side(game.player2, second, 0.0),
                ],
            }
        };
        Self {
            players: duels.players().to_vec(),
            games: duels.matches().iter().map(game).collect(),
        }
    }
}
