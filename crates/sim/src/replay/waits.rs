//! [`GroupWaits`]: how long matched tickets waited, by queue, party size and region.

use std::collections::{BTreeMap, HashMap};

use super::run::{Fate, Replay, ReplayedMatch};
use crate::statistics::quantile;

/// The waits of the matched tickets of a group, in seconds.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GroupWaits {
    /// `all`, `queue NAME`, `party of N` or `region NAME`.
    pub group: String,
    /// How many tickets.
    pub tickets: usize,
    /// Their mean wait.
    pub mean: f64,
    /// The waits that a half, nine in ten and 99 in 100 of them do not exceed
    /// ([`quantile`](crate::statistics::quantile)).
    pub median: f64,
    /// See `median`.
    pub q90: f64,
    /// See `median`.
    pub q99: f64,
    /// The longest.
    pub longest: f64,
}

impl Replay {
    /// The waits of all matched tickets in seconds, in the order of the log.
    #[must_use]
    pub fn waits(&self) -> Vec<f64> {
        let is_matched = |fate| matches!(fate, Fate::Matched(_));
        let matched = self.tickets.iter().filter(|ticket| is_matched(ticket.fate));
        matched.map(|ticket| ticket.waited).collect()
    }

    /// The waits of all matched tickets, and of those of each queue, party size and region where there are several of the
    /// kind; empty without a match. O(n log n).
    #[must_use]
    pub fn waits_by_group(&self) -> Vec<GroupWaits> {
        let matches: HashMap<u64, &ReplayedMatch> = self.matches.iter().map(|made| (made.id, made)).collect();
        let mut kinds: [BTreeMap<(usize, String), Vec<f64>>; 4] = Default::default();
        for ticket in &self.tickets {
            let Fate::Matched(made) = ticket.fate else {
                continue;
            };
            let Some(made) = matches.get(&made) else { continue };
            let names = [
                Some((0, "all".to_owned())),
                Some((0, format!("queue {}", made.queue))),
                Some((ticket.players, format!("party of {}", ticket.players))),
                made.region.as_ref().map(|region| (0, format!("region {region}"))),
            ];
            for (kind, name) in kinds.iter_mut().zip(names) {
                if let Some(name) = name {
                    kind.entry(name).or_default().push(ticket.waited);
                }
            }
        }
        let mut groups = Vec::new();
        for (place, kind) in kinds.into_iter().enumerate() {
            if place == 0 || kind.len() > 1 {
                groups.extend(kind.into_iter().map(|((_, group), waits)| of_waits(group, waits)));
            }
        }
        groups
    }
}

/// Of waits in any order, at least one.
pub(crate) fn of_waits(group: String, mut waits: Vec<f64>) -> GroupWaits {
    waits.sort_by(f64::total_cmp);
    GroupWaits {
        group,
        tickets: waits.len(),
        mean: waits.iter().sum::<f64>() / waits.len() as f64,
        median: quantile(&waits, 0.5),
        q90: quantile(&waits, 0.9),
        q99: quantile(&waits, 0.99),
        longest: quantile(&waits, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{Costs, ReplayedTicket};
    use matchwright_queue::{TicketId, Time};

    #[test]
    fn kinds_of_which_there_is_one_are_not_told_apart() {
        let ticket = |id, players, waited| ReplayedTicket {
            ticket: TicketId(id),
            players,
            fate: if id == 0 {
                Fate::Left
            } else {
                Fate::Matched(id % 2)
            },
            waited,
            costs: Some(Costs::default()),
        };
        let made = |id, region: &str| ReplayedMatch {
            id,
            at: Time::default(),
            queue: "duel".to_owned(),
            region: Some(region.to_owned()),
            teams: Vec::new(),
            mismatch: 0.0,
        };
        let replay = Replay {
            tickets: vec![
                ticket(0, 1, 900.0),
                ticket(1, 10, 1.0),
                ticket(2, 2, 3.0),
                ticket(3, 2, 5.0),
            ],
            matches: vec![made(0, "eu"), made(1, "us")],
            why: Vec::new(),
            refusals: BTreeMap::new(),
            steps: 0,
            events: 0,
        };
        let groups = replay.waits_by_group();
        let names: Vec<&str> = groups.iter().map(|group| &*group.group).collect();
        assert_eq!(
            names,
            ["all", "party of 2", "party of 10", "region eu", "region us"]
        );
        assert_eq!(
            (groups[0].tickets, groups[0].mean, groups[0].longest),
            (3, 3.0, 5.0)
        );
        assert_eq!((groups[1].median, groups[4].tickets), (4.0, 2));
    }
}
