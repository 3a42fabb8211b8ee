//! Identifiers: numbers that never mix.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name(pub u64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// A ticket, named by the caller.
    TicketId,
    /// A player, named by the caller.
    PlayerId,
    /// An event, named by the caller: the same number again is the same event again.
    EventId,
    /// A lobby that waits for its players to accept, numbered from 1 by the queue.
    ProposalId,
    /// A match, numbered from 1 by the queue; a backfill names the match of a game server that has places free.
    MatchId,
}
