//! [`Why`]: what keeps a ticket waiting, and what would free it.

use std::collections::BTreeMap;

use crate::ids::TicketId;
use crate::state::Pool;
use crate::time::Time;

/// Why a ticket waits.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Why {
    /// How long it has waited, in milliseconds.
    pub waited: i64,
    /// The state in which it waits, if it is no question of partners.
    pub state: WaitState,
    /// The nearest others, with what keeps each away; of pairs, those first who become compatible first.
    pub candidates: Vec<Candidate>,
    /// How many other tickets each rule or window keeps away, each counted for the first that does, by its name. Of
    /// [`Pairs`](crate::Pairs) for more than 256 tickets rules count all whom they keep away, and windows those that were
    /// looked at: the nearest 64 of each of the ticket's places, and the oldest there. Beyond 1,024 other pools the names
    /// of all keys stand together.
    pub rejections: BTreeMap<String, usize>,
    /// Those whom it may meet, if they are too few for a match.
    #[cfg_attr(feature = "serde", serde(default))]
    pub too_few: Option<TooFew>,
    /// When it will be matched if nobody comes or leaves before; `None`: not as far as is looked ahead, or never.
    pub earliest: Option<Time>,
    /// The smallest change that would free it now.
    pub change: Option<Change>,
}

impl Why {
    /// Of a ticket that no policy knows: it is asked, set aside, in no queue that has a policy, or does not wait. What a
    /// policy knows of one that waits for partners it adds.
    #[must_use]
    pub fn without_policy(pool: &Pool, ticket: TicketId, now: Time) -> Self {
        let state = match pool.get(ticket) {
            None => WaitState::Absent,
            Some(waiting) if waiting.proposal.is_some() => WaitState::Answers,
            Some(waiting) => match waiting.aside_until() {
                Some(until) => WaitState::Aside { until },
                None => WaitState::Partners,
            },
        };
        Self {
            waited: pool.get(ticket).map_or(0, |waiting| waiting.waited(now)),
            state,
            ..Self::default()
        }
    }
}

/// Too few players for a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TooFew {
    /// Players of other tickets that wait and that it may meet.
    pub others: usize,
    /// Players who are missing beside them.
    pub missing: usize,
}

impl TooFew {
    /// For a match of `needed` players: a ticket brings `own` of them, and others bring `others`; `None` if they are enough.
    #[must_use]
    pub fn of(needed: usize, own: usize, others: usize) -> Option<Self> {
        let missing = needed.saturating_sub(own + others);
        (missing > 0).then_some(Self { others, missing })
    }
}

/// What a ticket waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WaitState {
    /// Partners.
    #[default]
    Partners,
    /// The next batch.
    Batch,
    /// The answers to a proposal.
    Answers,
    /// The queue, which is paused.
    Paused,
    /// Nothing until then: its policy made a [bad lobby](crate::Decision::BadLobby) of it.
    Aside {
        /// When it is offered to the policy again.
        until: Time,
    },
    /// Nothing: it does not wait.
    Absent,
}

/// Another ticket, and what keeps it away.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The other ticket.
    pub ticket: TicketId,
    /// All that forbids the two; empty if nothing does.
    pub obstacles: Vec<Obstacle>,
    /// When the two become compatible if both stay; `None`: never, or not before others come whom a lobby with both needs.
    pub compatible_at: Option<Time>,
}

/// One thing that keeps two tickets apart.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Obstacle {
    /// An attribute that must be alike, such as the mode.
    Key(String),
    /// No region that both accept.
    Region,
    /// Sizes that make no match.
    Size,
    /// A window that is too narrow by now.
    Window {
        /// The window's attribute.
        of: String,
        /// How far apart the two are, as the ticket and the other see it.
        distances: [f64; 2],
        /// How wide the windows of the ticket and the other are.
        widths: [f64; 2],
    },
    /// A quality below the threshold.
    Threshold {
        /// The best quality of a match with it that was found.
        quality: f64,
        /// What is asked for by now.
        wanted: f64,
    },
    /// A rule of the scoring policy.
    Rule(String),
    /// A role that every team must fill, and that too few of those who wait do: whoever plays, a lobby lacks it.
    Role(String),
}

impl Obstacle {
    /// The name under which rejections are counted.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Key(name) | Self::Rule(name) | Self::Role(name) => name,
            Self::Region => "region",
            Self::Size => "size",
            Self::Window { of, .. } => of,
            Self::Threshold { .. } => "threshold",
        }
    }
}

/// What would make a ticket compatible with a candidate.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Change {
    /// The candidate.
    pub with: TicketId,
    /// By window: how much wider it must be, on the ticket's side and on the other's.
    pub widen: Vec<(String, [f64; 2])>,
    /// The sum of the widenings, each as a share of the distance that it covers: what "smallest" means.
    pub size: f64,
}
