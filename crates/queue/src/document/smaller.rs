//! Matches of fewer players than a queue's teams have room for.

use super::build::QueueError;

/// The most sizes of matches that a queue makes beside the full one.
const MOST_SIZES: usize = 64;

/// Smaller matches, for times at which few wait: of smaller teams, or where teams are of one player of fewer teams.
///
/// ```text
/// quality of a match = quality by [scoring] - cost x (1 - players / players of a full match), 0 or more
/// ```
///
/// so that a threshold or prices decide when the wait for more players is no longer worth it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SmallerParams {
    /// The fewest players of a match. Default 2.
    pub players: usize,
    /// Smaller matches have a multiple of this many players. Default 1: any number that makes equal teams.
    pub multiple_of: usize,
    /// The quality that a match without all of its players would lose, in \[0, 1\]. Default 1: one of half of the players
    /// loses 0.5.
    pub cost: f64,
}

impl Default for SmallerParams {
    fn default() -> Self {
        Self {
            players: 2,
            multiple_of: 1,
            cost: 1.0,
        }
    }
}

impl SmallerParams {
    /// The sizes of the teams of smaller matches than this one, the largest first.
    pub(super) fn than(&self, queue: &str, teams: &[usize]) -> Result<Vec<Vec<usize>>, QueueError> {
        if self.multiple_of == 0 {
            let wanted = "1 player or more";
            return Err(QueueError::Number {
                key: "smaller.multiple_of",
                value: 0.0,
                wanted,
            });
        }
        if !(0.0..=1.0).contains(&self.cost) {
            let wanted = "a quality from 0 to 1";
            return Err(QueueError::Number {
                key: "smaller.cost",
                value: self.cost,
                wanted,
            });
        }
        let (count, size) = (teams.len(), teams.first().copied().unwrap_or(0));
        let are_equal = teams.iter().all(|&other| other == size);
        let all: Box<dyn Iterator<Item = (usize, usize)>> = match size {
            _ if !are_equal => Box::new(std::iter::empty()),
            1 => Box::new((2..count).rev().map(|count| (count, 1))),
            _ => Box::new((1..size).rev().map(move |size| (count, size))),
        };
        let is_wanted = |&(count, size): &(usize, usize)| {
            let players = count * size;
            players >= self.players && players.is_multiple_of(self.multiple_of)
        };
        let sizes = all.filter(is_wanted).map(|(count, size)| vec![size; count]);
        let sizes: Vec<Vec<usize>> = sizes.take(MOST_SIZES + 1).collect();
        if sizes.is_empty() || sizes.len() > MOST_SIZES {
            let (queue, teams) = (queue.to_owned(), teams.to_vec());
            return Err(QueueError::Smaller { queue, teams });
        }
        Ok(sizes)
    }
}
