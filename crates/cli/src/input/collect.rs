//! From rows to a history: of one against one, or of sides.

use matchwright_sim::history::{HistoryBuilder, HistoryError, MatchHistory, NamedMatch};
use matchwright_sim::team_history::{TeamHistory, TeamHistoryBuilder, TeamHistoryError};

use super::rows::{RawGame, RowError};
use super::sides::{ReadGame, read_game};
use super::value::{ReadMatch, read_match};

const SKIP: &str = "use --skip-bad to drop such rows";
const SORT: &str = "sort the file by time, or use --sort";
const REPEATS: &str =
    "remove it or use --skip-bad to drop such rows, or --keep-repeats if they did play twice";

/// What rows are collected into.
pub(super) trait Collector {
    /// A row that was understood.
    type Game;
    type History;

    fn read(&self, raw: RawGame) -> Result<Self::Game, RowError>;

    fn time(game: &Self::Game) -> i64;

    /// Adds a game, or says why it cannot join the others.
    fn push(&mut self, game: &Self::Game) -> Result<(), RowError>;

    fn is_empty(&self) -> bool;

    fn finish(self) -> Self::History;
}

impl Collector for HistoryBuilder {
    type Game = ReadMatch;
    type History = MatchHistory;

    fn read(&self, raw: RawGame) -> Result<ReadMatch, RowError> {
        match raw {
            RawGame::Duel(raw) => read_match(raw),
            RawGame::Sides(raw) => {
                let message = format!(
                    "a game of teams, where one against one is needed; `matchwright rate` takes teams ({SKIP})"
                );
                Err(RowError::at(raw.line, raw.column, message))
            }
        }
    }

    fn time(game: &ReadMatch) -> i64 {
        game.time
    }

    fn push(&mut self, game: &ReadMatch) -> Result<(), RowError> {
        let named = NamedMatch {
            time: game.time,
            player1: &game.player1,
            player2: &game.player2,
            outcome: game.outcome,
            score_difference: game.score_difference,
        };
        let Err(error) = self.push(&named) else {
            return Ok(());
        };
        let (column, mend) = match error {
            HistoryError::Unsorted { .. } => (game.time_column, SORT),
            HistoryError::SelfMatch { .. } => (game.player2_column, SKIP),
            HistoryError::Duplicate => (1, REPEATS),
            HistoryError::Score { .. } | HistoryError::TooManyPlayers => (1, SKIP),
        };
        Err(RowError::at(game.line, column, format!("{error}; {mend}")))
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn finish(self) -> MatchHistory {
        self.finish()
    }
}

impl Collector for TeamHistoryBuilder {
    type Game = ReadGame;
    type History = TeamHistory;

    fn read(&self, raw: RawGame) -> Result<ReadGame, RowError> {
        read_game(raw)
    }

    fn time(game: &ReadGame) -> i64 {
        game.time
    }

    fn push(&mut self, game: &ReadGame) -> Result<(), RowError> {
        let Err(error) = self.push(&game.named()) else {
            return Ok(());
        };
        let (column, mend) = match &error {
            TeamHistoryError::Unsorted { .. } => (game.time_column, SORT),
            TeamHistoryError::Duplicate => (1, REPEATS),
            TeamHistoryError::TwoSides { player, .. }
            | TeamHistoryError::Twice { player, .. }
            | TeamHistoryError::Share { player, .. } => (game.column_of(player), SKIP),
            TeamHistoryError::TooFewSides { .. }
            | TeamHistoryError::EmptySide { .. }
            | TeamHistoryError::NobodyPlayed { .. }
            | TeamHistoryError::Score { .. }
            | TeamHistoryError::TooManyPlayers => (game.sides_column, SKIP),
        };
        Err(RowError::at(game.line, column, format!("{error}; {mend}")))
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn finish(self) -> TeamHistory {
        self.finish()
    }
}
