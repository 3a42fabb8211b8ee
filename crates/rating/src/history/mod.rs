//! Games in order of time as flat tables: duels, teams and free-for-alls in one history.
//!
//! A game is a time, perhaps a context (what was played: a mode, a map, a surface), and its sides; a side is a rank, a score and its seats; a seat is a player's index, the share of the
//! game that was played, a party and a performance. Each of these is a table of its own, numbered through. Tables of what is the same
//! everywhere take no memory: a history of duels has 20 bytes a game, or 36 with scores, and
//! [`History::duels`] reads it as such.
//!
//! ```
//! use matchwright_rating::Score;
//! use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedGame};
//!
//! let mut builder = HistoryBuilder::default();
//! builder.push(&NamedGame::duel(100, ["ann", "bob"], Score::WIN, 2.0))?;
//! builder.push(&NamedGame::duel(200, ["bob", "cyd"], Score::DRAW, 0.0))?;
//! let history = builder.finish();
//! let duels: Vec<_> = history.duels().unwrap().iter().collect();
//! assert_eq!((duels[1].player1, duels[1].result), (1, Score::DRAW));
//! assert_eq!(history.players(), ["ann", "bob", "cyd"]);
//! # Ok::<(), HistoryError>(())
//! ```

mod builder;
mod duels;
mod error;
mod names;
mod split;
mod table;

pub use builder::{GameEntry, HistoryBuilder, NamedGame, NamedSeat, NamedSide};
pub use duels::{Duel, Duels};
pub use error::HistoryError;
pub use split::Split;

use std::cmp::Ordering;
use std::collections::HashMap;

use self::table::{Column, Ranges};
use crate::score::Score;
use crate::system::RatingEstimate;
use crate::team::{Member, ShiftRating, Side as RatedSide, TeamGame};

/// A player's index in [`History::players`].
pub type PlayerIndex = u32;

/// Games in order of time and the names of their players. Made by [`HistoryBuilder`].
///
/// Two histories are equal if their players and games are.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    players: Vec<String>,
    /// By name.
    starts: HashMap<String, StartRating>,
    /// Names of contexts, by index.
    contexts: Vec<String>,
    /// Of games, as are `played` and `sides`.
    times: Vec<i64>,
    /// Indices of contexts.
    played: Column<Option<u32>>,
    sides: Ranges<2>,
    /// Of sides, as are `scores` and `seats`.
    ranks: Vec<u16>,
    scores: Column<f64>,
    seats: Ranges<1>,
    /// Of seats, as are `shares`, `parties` and `performances`.
    seated: Vec<PlayerIndex>,
    shares: Column<f64>,
    parties: Column<Option<u32>>,
    performances: Column<Option<f64>>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            players: Vec::new(),
            starts: HashMap::new(),
            contexts: Vec::new(),
            times: Vec::new(),
            played: Column::new(None),
            sides: Ranges::default(),
            ranks: Vec::new(),
            scores: Column::new(0.0),
            seats: Ranges::default(),
            seated: Vec::new(),
            shares: Column::new(1.0),
            parties: Column::new(None),
            performances: Column::new(None),
        }
    }
}

impl History {
    /// Names, by [`PlayerIndex`], in the order in which they first appear.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// What a player is rated before the first game, if that is known.
    #[must_use]
    pub fn start_of(&self, player: PlayerIndex) -> Option<StartRating> {
        // Mostly none is known.
        if self.starts.is_empty() {
            return None;
        }
        self.starts.get(self.players.get(player as usize)?).copied()
    }

    /// Whether any player is rated before the first game.
    #[must_use]
    pub fn has_starts(&self) -> bool {
        !self.starts.is_empty()
    }

    /// Names of contexts, by [`Game::context`], in the order in which they first appear.
    #[must_use]
    pub fn contexts(&self) -> &[String] {
        &self.contexts
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The game at `index`, from 0, in order of time. O(1).
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len), as indexing a slice does.
    #[must_use]
    pub fn game(&self, index: usize) -> Game<'_> {
        assert!(index < self.len(), "game {index} of {}", self.len());
        Game { history: self, index }
    }

    /// All games, oldest first.
    #[must_use]
    pub fn games(&self) -> impl ExactSizeIterator<Item = Game<'_>> + DoubleEndedIterator + Clone {
        (0..self.len()).map(|index| Game { history: self, index })
    }

    /// The same games as duels; none if a game is more than that. O(1).
    #[must_use]
    pub fn duels(&self) -> Option<Duels<'_>> {
        let are_duels = self.sides.is_regular() && self.seats.is_regular() && self.shares.is_default();
        are_duels.then_some(Duels(self))
    }

    /// Whether any seat has a performance.
    #[must_use]
    pub fn has_performances(&self) -> bool {
        !self.performances.is_default()
    }

    /// Times of the first and the last game, Unix seconds; none when empty.
    #[must_use]
    pub fn span(&self) -> Option<(i64, i64)> {
        Some((*self.times.first()?, *self.times.last()?))
    }

    /// The first `games` of these alone, with the same players. O(n).
    ///
    /// ```
    /// use matchwright_rating::Score;
    /// use matchwright_rating::history::{HistoryBuilder, HistoryError, NamedGame};
    ///
    /// let mut builder = HistoryBuilder::default();
    /// for time in 0..10 {
    ///     builder.push(&NamedGame::duel(time, ["ann", "bob"], Score::WIN, 0.0))?;
    /// }
    /// assert_eq!(builder.finish().first(3).span(), Some((0, 2)));
    /// # Ok::<(), HistoryError>(())
    /// ```
    #[must_use]
    pub fn first(&self, games: usize) -> Self {
        let mut first = self.clone();
        // There are at most as many games as a u32 can count.
        let games = u32::try_from(games).unwrap_or(u32::MAX);
        first.times.truncate(games as usize);
        first.played.truncate(games as usize);
        let sides = first.sides.truncate(games);
        first.ranks.truncate(sides);
        first.scores.truncate(sides);
        let seats = first.seats.truncate(u32::try_from(sides).unwrap_or(u32::MAX));
        first.seated.truncate(seats);
        first.shares.truncate(seats);
        first.parties.truncate(seats);
        first.performances.truncate(seats);
        first
    }

    /// Back to no games, with the same players and contexts and the room of the tables.
    fn forget_games(&mut self) {
        self.times.clear();
        self.played.clear();
        self.sides.clear();
        self.ranks.clear();
        self.scores.clear();
        self.seats.clear();
        self.seated.clear();
        self.shares.clear();
        self.parties.clear();
        self.performances.clear();
    }

    /// Bytes on the heap, the players' names among them.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        fn bytes<T>(table: &Vec<T>) -> usize {
            table.capacity() * size_of::<T>()
        }
        let names = self.players.iter().chain(&self.contexts);
        let names: usize = names.map(String::capacity).sum::<usize>() + bytes(&self.contexts);
        let games = bytes(&self.times) + self.played.heap_bytes() + self.sides.heap_bytes();
        let sides = bytes(&self.ranks) + self.scores.heap_bytes() + self.seats.heap_bytes();
        let seats = bytes(&self.seated) + self.shares.heap_bytes() + self.parties.heap_bytes();
        names + bytes(&self.players) + games + sides + seats + self.performances.heap_bytes()
    }
}

/// What a player is rated before the first game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartRating {
    /// In points of the system.
    pub rating: f64,
    /// Its standard deviation; none: a newcomer's.
    pub deviation: Option<f64>,
}

impl StartRating {
    /// The rating that a newcomer has with it.
    #[must_use]
    pub fn of<R: RatingEstimate + ShiftRating>(self, newcomer: &R) -> R {
        let rating = newcomer.shifted(self.rating - newcomer.rating());
        match self.deviation {
            Some(deviation) => rating.with_deviation(deviation),
            None => rating,
        }
    }
}

/// A game of a [`History`].
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    history: &'a History,
    index: usize,
}

impl<'a> Game<'a> {
    /// Its place in the history, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// When it ended, Unix seconds.
    #[must_use]
    pub fn time(self) -> i64 {
        self.history.times[self.index]
    }

    /// What was played, as an index in [`History::contexts`]; none if unknown.
    #[must_use]
    pub fn context(self) -> Option<u32> {
        self.history.played.get(self.index)
    }

    /// Its sides, two or more, in the order given.
    #[must_use]
    pub fn sides(self) -> impl ExactSizeIterator<Item = Side<'a>> + DoubleEndedIterator + Clone {
        let history = self.history;
        history
            .sides
            .get(self.index)
            .map(move |index| Side { history, index })
    }

    /// The side at `position`, from 0.
    ///
    /// # Panics
    /// If there is no such side, as indexing a slice does.
    #[must_use]
    pub fn side(self, position: usize) -> Side<'a> {
        let sides = self.history.sides.get(self.index);
        assert!(position < sides.len(), "side {position} of {}", sides.len());
        Side {
            history: self.history,
            index: sides.start + position,
        }
    }

    /// The result of the side at position `one` against that at `other`, by their ranks.
    ///
    /// # Panics
    /// As [`side`](Self::side).
    #[must_use]
    pub fn result_between(self, one: usize, other: usize) -> Score {
        result(self.side(one).rank(), self.side(other).rank())
    }

    /// A side's result in the whole game: a win is the first rank alone, a draw the first rank shared.
    ///
    /// # Panics
    /// As [`side`](Self::side).
    #[must_use]
    pub fn result_of(self, position: usize) -> Score {
        if self.side(position).rank() != 1 {
            return Score::LOSS;
        }
        match self.sides().filter(|side| side.rank() == 1).count() {
            1 => Score::WIN,
            _ => Score::DRAW,
        }
    }

    /// Whether it is one player against one, both for the whole game.
    #[must_use]
    pub fn is_duel(self) -> bool {
        let alone = |side: Side<'_>| {
            let seats = self.history.seats.get(side.index);
            seats.len() == 1 && self.history.shares.get(seats.start) == 1.0
        };
        self.sides().len() == 2 && self.sides().all(alone)
    }

    /// The game as rating systems take it, with `rating` of each seat.
    ///
    /// # Errors
    /// Those of `rating`.
    pub fn rated<R, E>(self, mut rating: impl FnMut(Seat) -> Result<R, E>) -> Result<TeamGame<R>, E> {
        let sides = self.sides().map(|side| {
            let members = side.seats().map(|seat| {
                Ok(Member {
                    rating: rating(seat)?,
                    share: seat.share,
                    party: seat.party,
                })
            });
            let members = members.collect::<Result<_, E>>()?;
            Ok(RatedSide::of_members(side.rank().into(), members))
        });
        Ok(TeamGame::of_checked(sides.collect::<Result<_, E>>()?))
    }
}

/// A side of a [`Game`].
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    history: &'a History,
    index: usize,
}

impl<'a> Side<'a> {
    /// 1 plus the number of sides that came out better; equal ranks are draws.
    #[must_use]
    pub fn rank(self) -> u16 {
        self.history.ranks[self.index]
    }

    /// The side's score in points, finite; 0 where only places are known.
    #[must_use]
    pub fn score(self) -> f64 {
        self.history.scores.get(self.index)
    }

    /// Its players, one or more, in the order given.
    #[must_use]
    pub fn players(self) -> &'a [PlayerIndex] {
        &self.history.seated[self.history.seats.get(self.index)]
    }

    /// Its players with their shares, parties and performances.
    #[must_use]
    pub fn seats(self) -> impl ExactSizeIterator<Item = Seat> + DoubleEndedIterator + Clone {
        let history = self.history;
        history.seats.get(self.index).map(move |index| Seat {
            player: history.seated[index],
            share: history.shares.get(index),
            party: history.parties.get(index),
            performance: history.performances.get(index),
        })
    }
}

/// A player's part in a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Which player.
    pub player: PlayerIndex,
    /// The share of the game that the player took part in, in \[0, 1\].
    pub share: f64,
    /// Members of a side with the same number queued together; none queued alone.
    pub party: Option<u32>,
    /// How well the player did, by any measure whose higher values are better (kills, points), finite; none if unknown.
    /// Only differences within a side count, in [`PerformanceWeight`](crate::PerformanceWeight).
    pub performance: Option<f64>,
}

/// The result of rank `one` against rank `other`.
fn result(one: u16, other: u16) -> Score {
    match one.cmp(&other) {
        Ordering::Less => Score::WIN,
        Ordering::Equal => Score::DRAW,
        Ordering::Greater => Score::LOSS,
    }
}
