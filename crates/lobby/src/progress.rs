//! What a lobby search tells whoever watches it, and stops it.

/// How far a search for lobbies has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LobbyProgress {
    /// What it is doing.
    pub stage: LobbyStage,
    /// The value of the best lineups so far, once there are any.
    pub value: Option<f64>,
    /// What no lineup exceeds, once that is known.
    pub bound: Option<f64>,
}

/// A stage of a search for lobbies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LobbyStage {
    /// Lineups are searched for.
    Search,
    /// A bound is worked out.
    Bound,
    /// What could still be better is looked through.
    Proof,
}

/// Asked over and over, by any thread: says which share of the time is used up. A search ends when it says 1 or more,
/// or no number.
pub type LobbyWatch<'a> = &'a (dyn Fn(&LobbyProgress) -> f64 + Sync);

/// Whether this share of the time means that there is none left.
pub(super) fn is_over(share: f64) -> bool {
    share.is_nan() || share >= 1.0
}
