//! Errors of solvers inside a policy: which say that there is no match, and which that a solve failed, as is told by
//! [`take_failures`](matchwright_queue::MatchPolicy::take_failures).

use matchwright_lobby::LobbyError;

/// A solve that failed, in words.
pub(super) fn failed(error: impl std::fmt::Display) -> String {
    format!("a solve failed: {error}")
}

/// What was found; nothing where too few players wait.
pub(super) fn lobby<T>(found: Result<T, LobbyError>) -> Result<Option<T>, String> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(LobbyError::TooFewPlayers { .. }) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}
