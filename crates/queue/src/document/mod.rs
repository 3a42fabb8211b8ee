//! The tables `[queue]` and `[objective]` of a policy document, as they are written.

mod build;
mod objective;
mod smaller;

use std::collections::BTreeMap;

pub use self::build::{Method, QueueError, QueuePlan, Schedule, Threshold};
pub use self::objective::{Objective, ObjectiveError, ObjectiveParams, WaitingCost};
pub use self::smaller::SmallerParams;
use crate::pairs::Accept;
use crate::prices::PriceStart;
use crate::window::WindowParams;

/// The table `[queue]`, unchecked until [`build`](Self::build).
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueueParams {
    /// How matches are made. Default: pairs, as soon as windows admit them.
    pub method: MethodName,
    /// The sizes of the teams. Default: two teams of one player.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub teams: Vec<usize>,
    /// Several queues in place of `teams`: the sizes of the teams by the name of the queue.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty"))]
    pub queues: BTreeMap<String, Vec<usize>>,
    /// Lobbies: matches of fewer players than `teams` or `queues` say, where a full one is not worth the wait. Default: none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub smaller: Option<SmallerParams>,
    /// Attributes of tickets that all tickets of a match have alike, such as mode and build.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub keys: Vec<String>,
    /// Pairs, and batches of pairs: how far apart two tickets may be, by how long they have waited.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub windows: Vec<WindowParams>,
    /// Pairs: whose windows must admit a match. Lobbies: whose threshold it must reach (each ticket's, any one's, or that of
    /// their mean allowance). Default: both.
    pub accept: Accept,
    /// Pairs and lobbies: prices decide in place of windows or a threshold; they need an `[objective]`, for pairs with `of`,
    /// for lobbies without.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub prices: Option<PricesTable>,
    /// Lobbies: the quality that a match must reach, falling with the wait.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub threshold: Option<ThresholdParams>,
    /// Seconds after which a ticket gets the best match that the rules permit, windows and thresholds aside. Pairs by prices:
    /// windows on pings aside, and each further second of its wait covers as much as it costs. Batches: no ticket waits
    /// longer for a round. Default: none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub longest_wait: Option<f64>,
    /// Batches: when rounds are held, and how tickets are put together.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub batch: Option<BatchParams>,
    /// Lobbies: the attribute by whose neighbours a match is filled. Default: skill.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub order: Option<String>,
    /// Lobbies: how many players around a ticket are looked at. Default: 4 matches of them, 24 at least.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub neighbours: Option<usize>,
    /// Lobbies and batches of lobbies: exchanges that a search tries. Default: 1,000 for one match, 200,000 for a batch.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub exchanges: Option<u64>,
    /// Whether players are asked before a match starts, and what becomes of those who decline. Default: not asked.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub acceptance: Option<AcceptanceParams>,
    /// How much is admitted and remembered.
    pub limits: LimitsParams,
    /// By which number waiting times are estimated apart. Default: by queue, size and region alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub estimates: Option<EstimatesParams>,
}

/// How matches are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MethodName {
    /// Two tickets, each a whole team, as soon as windows or prices admit them.
    #[default]
    Pairs,
    /// Teams of tickets, as soon as a match is good enough.
    Lobbies,
    /// All who wait, in rounds.
    Batch,
}

/// Prices: a match starts when `K d <= sum over its players of a p + g C(w)`, with K and C of the objective; d is the
/// difference of a pair, or 1 less the quality of a lobby.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PricesTable {
    /// a, the share of its price that a ticket pays at once, in \[0, 1\]. Default: 0.85 for pairs, 0.7 for lobbies.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub share: Option<f64>,
    /// g, the share of its cost of waiting that is added, in \[0, 1\]. Default: 0.3 for pairs, 1 for lobbies.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub waiting_share: Option<f64>,
    /// The least weight of a new match in what is learned, in (0, 1\]; 0: prices stay as they begin. Default 0.02.
    pub learn: f64,
    /// The width of the finest band of numbers that have one price, in the attribute's unit: that of the objective, or
    /// `order` for lobbies. Default 25.
    pub band: f64,
    /// Where prices begin. Default: they are learned from the first match on.
    pub start: PriceStart,
    /// Pairs: the greatest difference that can occur, from which it follows how long a ticket can wait at most. Default: not
    /// known.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub range: Option<f64>,
}

impl Default for PricesTable {
    fn default() -> Self {
        Self {
            share: None,
            waiting_share: None,
            learn: 0.02,
            band: 25.0,
            start: PriceStart::Learn,
            range: None,
        }
    }
}

/// The quality that a match must reach.
///
/// ```text
/// wanted(w) = quality                                          w <= after
///           = max(least, quality - fall_per_second (w - after))   w >  after
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThresholdParams {
    /// At first, in \[0, 1\]. Default 0.8.
    pub quality: f64,
    /// Seconds before it begins to fall. Default 0.
    pub after: f64,
    /// How much it falls a second, 0 or more. Default 0.005.
    pub fall_per_second: f64,
    /// The least, in \[0, 1\]. Default 0.
    pub least: f64,
}

impl Default for ThresholdParams {
    fn default() -> Self {
        Self {
            quality: 0.8,
            after: 0.0,
            fall_per_second: 0.005,
            least: 0.0,
        }
    }
}

/// Rounds.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchParams {
    /// Seconds from one round to the next. Default: none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub every: Option<f64>,
    /// A round is also held as soon as this many players wait. Default: none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub at: Option<usize>,
    /// How tickets are put together. Default: by the quality of `[scoring]`.
    pub choose: Choose,
    /// Seed of random pairs and of searches. Default 0.
    pub seed: u64,
}

/// What a round optimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Choose {
    /// The sum of the qualities by `[scoring]`.
    #[default]
    Quality,
    /// The sum of the differences in the first window's attribute, within the windows.
    Difference,
    /// Nothing: any tickets meet.
    Random,
}

/// Acceptance.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AcceptanceParams {
    /// Seconds that players have to accept. Default 20.
    pub within: f64,
    /// Seconds for which a player must not queue after the first decline, the second and so on, the last for all further
    /// ones. Default: none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub cooldowns: Vec<f64>,
    /// Seconds after which declines are forgotten, if there are no new ones. Default: a day.
    pub forget_after: f64,
    /// Players with this many declines meet only each other. Default: never.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub low_priority_after: Option<u32>,
    /// For how many seconds after the last decline. Default: an hour.
    pub low_priority_for: f64,
}

impl Default for AcceptanceParams {
    fn default() -> Self {
        Self {
            within: 20.0,
            cooldowns: Vec::new(),
            forget_after: 86_400.0,
            low_priority_after: None,
            low_priority_for: 3600.0,
        }
    }
}

/// Limits.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitsParams {
    /// The most tickets that wait. Default: any number.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub most_tickets: Option<usize>,
    /// Seconds for which an event's number is remembered, so that it counts once. Default 300.
    pub remember: f64,
    /// Seconds within which a match can fail to start, so that its tickets return. Default 60.
    pub fail_within: f64,
}

impl Default for LimitsParams {
    fn default() -> Self {
        Self {
            most_tickets: None,
            remember: 300.0,
            fail_within: 60.0,
        }
    }
}

/// Estimates.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EstimatesParams {
    /// The attribute.
    pub by: String,
    /// The width of a band, above 0.
    pub band: f64,
}
