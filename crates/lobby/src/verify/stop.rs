//! Why checking a certificate ends early.

use matchwright_solver::Status;

use super::error::LobbyVerifyError;
use crate::ObjectiveError;

/// Why a look through all matches ended early.
#[derive(Debug)]
pub(super) enum Stop {
    Wrong(LobbyVerifyError),
    Limit(Status),
    TooMany,
}

impl From<Status> for Stop {
    fn from(status: Status) -> Self {
        Self::Limit(status)
    }
}

impl From<LobbyVerifyError> for Stop {
    fn from(error: LobbyVerifyError) -> Self {
        Self::Wrong(error)
    }
}

impl From<ObjectiveError> for Stop {
    fn from(error: ObjectiveError) -> Self {
        Self::Wrong(error.into())
    }
}
