//! [`Duels`]: a history of one-against-one games, viewed game by game.

use super::{History, PlayerIndex, result};
use crate::score::Score;

/// One player against one, seen from the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duel {
    /// When it ended, Unix seconds.
    pub time: i64,
    /// First player.
    pub player1: PlayerIndex,
    /// Second player; never the first.
    pub player2: PlayerIndex,
    /// The first player's result: [`Score::WIN`], [`Score::DRAW`] or [`Score::LOSS`].
    pub result: Score,
    /// First player's score minus the second's, finite; 0 where only a result is known.
    pub score_difference: f64,
}

impl Duel {
    /// Both players with the game as each saw it: player, result, own minus other score.
    #[must_use]
    pub fn sides(&self) -> [(PlayerIndex, Score, f64); 2] {
        [
            (self.player1, self.result, self.score_difference),
            (self.player2, self.result.reversed(), -self.score_difference),
        ]
    }
}

/// A [`History`] whose games are all [duels](super::Game::is_duel); from [`History::duels`]. A view: copying it copies
/// a reference.
#[derive(Clone, Copy, Debug)]
pub struct Duels<'a>(pub(super) &'a History);

impl<'a> Duels<'a> {
    /// The history that this is a view of.
    #[must_use]
    pub const fn history(self) -> &'a History {
        self.0
    }

    /// Names, by [`PlayerIndex`].
    #[must_use]
    pub fn players(self) -> &'a [String] {
        self.0.players()
    }

    /// How many duels there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there is no duel.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The duel at `index`, from 0, in order of time. O(1).
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len), as indexing a slice does.
    #[must_use]
    pub fn at(self, index: usize) -> Duel {
        let history = self.0;
        let (first, second) = (2 * index, 2 * index + 1);
        Duel {
            time: history.times[index],
            player1: history.seated[first],
            player2: history.seated[second],
            result: result(history.ranks[first], history.ranks[second]),
            score_difference: history.scores.get(first) - history.scores.get(second),
        }
    }

    /// All duels, oldest first.
    #[must_use]
    pub fn iter(self) -> impl ExactSizeIterator<Item = Duel> + DoubleEndedIterator + Clone + 'a {
        (0..self.len()).map(move |index| self.at(index))
    }
}
