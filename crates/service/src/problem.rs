//! Why something was not done.

use matchwright_queue::Refusal;

/// Why a request was not followed. Each has a name in kebab-case ([`Problem::code`]).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// What was sent makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The same request asked for something else before.
    #[error("the request `{request}` asked for something else before, and got ticket {ticket}")]
    RequestIdReused {
        /// The request.
        request: String,
        /// What it got.
        ticket: String,
    },
    /// A player who waits already.
    #[error("player `{player}` waits in ticket {ticket}: cancel that one first")]
    PlayerWaits {
        /// Who.
        player: String,
        /// Where.
        ticket: String,
    },
    /// A player in a match that is not over.
    #[error("player `{player}` is in match {match_id}, which is not over")]
    PlayerPlays {
        /// Who.
        player: String,
        /// Where.
        match_id: String,
    },
    /// A player who declined too often, or left a match.
    #[error("player `{player}` declined or left a match, and may queue again at {until} (Unix milliseconds)")]
    Cooldown {
        /// Who.
        player: String,
        /// Until when, in Unix milliseconds.
        until: i64,
    },
    /// A ticket that has a match.
    #[error("ticket {ticket} has match {match_id}")]
    IsMatched {
        /// The ticket.
        ticket: String,
        /// Its match.
        match_id: String,
    },
    /// No such ticket, proposal, match or player, or none any more.
    #[error("there is no {what} {id}")]
    Unknown {
        /// What was asked for.
        what: &'static str,
        /// By which name.
        id: String,
    },
    /// A match that has another result.
    #[error("match {match_id} has another result: {places:?}")]
    ResultDiffers {
        /// The match.
        match_id: String,
        /// The places that it has.
        places: Vec<u32>,
    },
    /// A result that cannot count.
    #[error("the result of match {match_id} does not count: {why}")]
    ResultRefused {
        /// The match.
        match_id: String,
        /// Why.
        why: String,
    },
    /// A result that is older than those that can still be changed.
    #[error("match {match_id} ended before the results that can still be changed")]
    Forgotten {
        /// The match.
        match_id: String,
    },
    /// The queue's policy refuses it.
    #[error("{0}")]
    Refused(String, &'static str),
    /// Too many requests wait.
    #[error("too many requests wait: try again in a moment")]
    Busy,
    /// There is no room for new tickets.
    #[error("no room is left on the device for new tickets")]
    StorageFull,
    /// The service has stopped for good.
    #[error("the service has stopped: {0}")]
    Stopped(String),
}

impl Problem {
    /// Its name in kebab-case, which does not change.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::RequestIdReused { .. } => "request-id-reused",
            Self::PlayerWaits { .. } => "player-waits",
            Self::PlayerPlays { .. } => "player-plays",
            Self::Cooldown { .. } => "cooldown",
            Self::IsMatched { .. } => "is-matched",
            Self::Unknown { .. } => "unknown",
            Self::ResultDiffers { .. } => "result-differs",
            Self::ResultRefused { .. } => "result-refused",
            Self::Forgotten { .. } => "forgotten",
            Self::Refused(_, code) => code,
            Self::Busy => "busy",
            Self::StorageFull => "storage-full",
            Self::Stopped(_) => "stopped",
        }
    }
}

/// A refusal of the queue that names nothing but queues, numbers and policies, with its name.
pub(crate) fn refused(refusal: &Refusal) -> Problem {
    let code = match refusal {
        Refusal::NoPlayers => "no-players",
        Refusal::NotFinite { .. } => "not-finite",
        Refusal::Missing { .. } => "missing",
        Refusal::Policy { .. } => "policy",
        Refusal::BackfillTeams => "backfill-teams",
        Refusal::UnknownQueue { .. } => "unknown-queue",
        Refusal::Draining { .. } => "draining",
        Refusal::PartyTooLarge { .. } => "party-too-large",
        Refusal::Full { .. } => "full",
        _ => "refused",
    };
    Problem::Refused(refusal.to_string(), code)
}
