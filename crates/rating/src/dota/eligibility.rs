//! [`RankedRules`]: who may queue for ranked games in Dota 2.

use std::fmt;

/// The rules of ranked matchmaking. Every combination of settings is valid.
///
/// ```
/// use matchwright_rating::{QueuingPlayer, RankedRules, RefusalReason};
///
/// let rules = RankedRules::default();
/// let party = [QueuingPlayer::new(400), QueuingPlayer::new(12)];
/// let refusals = rules.refusals("all_pick", &party);
/// assert_eq!(refusals.len(), 1);
/// assert_eq!(refusals[0].member, Some(1));
/// assert_eq!(refusals[0].reason, RefusalReason::TooFewGames { played: 12, needed: 150 });
/// assert_eq!(refusals[0].to_string(), "member 1 has played 12 games: ranked matchmaking needs 150");
/// assert!(rules.refusals("captains_mode", &party[..1]).is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RankedRules {
    /// Games that every member of a party must have played. Default 150, the source's "approximately".
    pub min_games: u32,
    /// Modes that are offered. Default the source's three: `all_pick`, `captains_mode`, `captains_draft`.
    pub modes: Vec<String>,
    /// May somebody in the low-priority pool take part? Default no, as in the source.
    pub low_priority: bool,
    /// May there be coaches? Default no, as in the source.
    pub coaches: bool,
}

impl Default for RankedRules {
    fn default() -> Self {
        Self {
            min_games: 150,
            modes: ["all_pick", "captains_mode", "captains_draft"]
                .map(String::from)
                .to_vec(),
            low_priority: false,
            coaches: false,
        }
    }
}

/// Somebody who queues, alone or in a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct QueuingPlayer {
    /// Games played, of any kind.
    pub games: u32,
    /// Is the player in the low-priority pool?
    #[cfg_attr(feature = "serde", serde(default))]
    pub low_priority: bool,
    /// Comes along as a coach, not to play: games and pool of a coach do not count.
    #[cfg_attr(feature = "serde", serde(default))]
    pub coach: bool,
}

impl QueuingPlayer {
    /// A player with `games` games and nothing special.
    #[must_use]
    pub const fn new(games: u32) -> Self {
        Self {
            games,
            low_priority: false,
            coach: false,
        }
    }
}

/// One reason why a party may not queue, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The member's position in the party, from 0; `None` if it concerns the party as a whole.
    pub member: Option<usize>,
    /// What is wrong.
    pub reason: RefusalReason,
}

/// What keeps a party from ranked games.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// Ranked matchmaking is not unlocked yet.
    TooFewGames {
        /// Games played.
        played: u32,
        /// Games needed.
        needed: u32,
    },
    /// The player is in the low-priority pool.
    LowPriority,
    /// Coaches are not allowed.
    Coach,
    /// The mode is not offered.
    Mode {
        /// What was asked for.
        mode: String,
    },
    /// Nobody would play.
    NobodyPlays,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.member {
            Some(member) => write!(f, "member {member} ")?,
            None => f.write_str("the party ")?,
        }
        match &self.reason {
            RefusalReason::TooFewGames { played, needed } => {
                write!(f, "has played {played} games: ranked matchmaking needs {needed}")
            }
            RefusalReason::LowPriority => {
                f.write_str("is in the low-priority pool: play its games first, in normal matchmaking")
            }
            RefusalReason::Coach => {
                f.write_str("is a coach: ranked matchmaking allows none, so leave the coach out")
            }
            RefusalReason::Mode { mode } => {
                write!(
                    f,
                    "asks for `{mode}`: choose a mode that is offered in ranked matchmaking"
                )
            }
            RefusalReason::NobodyPlays => f.write_str("has nobody who plays: add a player"),
        }
    }
}

impl RankedRules {
    /// Every reason why `party` may not queue for `mode`: first those of the party, then member by member. None at
    /// all means that it may. A single player is a party of one.
    #[must_use]
    pub fn refusals(&self, mode: &str, party: &[QueuingPlayer]) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let mut refuse = |member, reason| refusals.push(Refusal { member, reason });
        if !self.modes.iter().any(|offered| offered == mode) {
            let mode = mode.to_owned();
            refuse(None, RefusalReason::Mode { mode });
        }
        if party.iter().all(|player| player.coach) {
            refuse(None, RefusalReason::NobodyPlays);
        }
        for (position, player) in party.iter().enumerate() {
            let member = Some(position);
            if player.coach {
                if !self.coaches {
                    refuse(member, RefusalReason::Coach);
                }
                continue;
            }
            if player.games < self.min_games {
                let (played, needed) = (player.games, self.min_games);
                refuse(member, RefusalReason::TooFewGames { played, needed });
            }
            if player.low_priority && !self.low_priority {
                refuse(member, RefusalReason::LowPriority);
            }
        }
        refusals
    }
}
