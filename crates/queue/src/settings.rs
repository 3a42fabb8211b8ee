//! [`QueueSettings`]: what the core itself needs to know of a policy: queues, keys, acceptance, penalties, limits.

use std::collections::BTreeMap;

/// The core's part of a policy; spans in milliseconds.
///
/// Made from the table `[queue]` of a policy document, or by hand from the default: one queue without a name for matches
/// of two, no acceptance, no penalties.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QueueSettings {
    /// The queues by name, each with the sizes of its teams.
    pub queues: BTreeMap<String, Vec<usize>>,
    /// Smaller matches that queues make as well: the sizes of their teams, the largest first.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub smaller: BTreeMap<String, Vec<Vec<usize>>>,
    /// Attributes of tickets that all tickets of a match must have alike, such as mode and build.
    pub keys: Vec<String>,
    /// Numbers without which a ticket is refused.
    pub needs: Vec<String>,
    /// How long players have to accept a proposal; `None`: lobbies are matches at once.
    pub accept_within: Option<i64>,
    /// How long a player must not queue after the first decline, the second and so on, the last for all further ones.
    pub cooldowns: Vec<i64>,
    /// After this many milliseconds without another decline, all are forgotten.
    pub forget_declines_after: i64,
    /// Players with this many declines wait in a pool of their own; `None`: never.
    pub low_priority_after: Option<u32>,
    /// For how long after the last decline.
    pub low_priority_for: i64,
    /// The most tickets that wait, over all queues; `None`: any number.
    pub most_tickets: Option<usize>,
    /// For how long the numbers of events are remembered.
    pub remember: i64,
    /// For how long after it was made a match can fail, so that its tickets return.
    pub fail_within: i64,
    /// By which number waiting times are told apart in estimates, in bands of what width.
    pub estimate_by: Option<(String, f64)>,
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            queues: BTreeMap::from([(String::new(), vec![1, 1])]),
            smaller: BTreeMap::new(),
            keys: Vec::new(),
            needs: Vec::new(),
            accept_within: None,
            cooldowns: Vec::new(),
            forget_declines_after: 24 * 3_600_000,
            low_priority_after: None,
            low_priority_for: 3_600_000,
            most_tickets: None,
            remember: 300_000,
            fail_within: 60_000,
            estimate_by: None,
        }
    }
}
