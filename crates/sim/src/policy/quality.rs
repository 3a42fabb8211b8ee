//! What a round by quality goes by.

use std::sync::Arc;

use matchwright_lobby::LobbySolver;
use matchwright_scoring::TeamScorer;

use super::exact::SharedPairing;

/// What a round by quality goes by: any scorer, any solver of pairs, any of lobbies.
#[derive(Clone)]
pub(super) struct Quality {
    pub(super) scoring: Arc<dyn TeamScorer>,
    pub(super) pairs: SharedPairing,
    pub(super) lobbies: Arc<dyn LobbySolver + Send + Sync>,
}
