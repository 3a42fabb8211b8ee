//! [`GroupWaits`]: how long tickets waited, with a match or without, by queue, party size and region.

use std::collections::BTreeMap;

use matchwright_queue::Ticket;

use super::log::TicketLog;
use super::run::{Fate, Replay};
use crate::statistics::censored_quantile;

/// The waits of all tickets of a group, in seconds.
///
/// A ticket that left, was declined or refused, or still waits had no match within any time that was seen: in the quantiles
/// its wait is longer than all others (open).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GroupWaits {
    /// `all`, `queue NAME`, `party of N` or `region NAME`.
    pub group: String,
    /// How many tickets, whatever became of them.
    pub tickets: usize,
    /// Those of them that gave up.
    pub left: usize,
    /// Those whose players did not accept a match.
    pub declined: usize,
    /// Those that still waited at the end.
    pub waiting: usize,
    /// Those that were not admitted.
    pub refused: usize,
    /// The mean time that those admitted waited, until a match or without one; `None` if none was.
    pub mean: Option<f64>,
    /// The waits within which a half, nine in ten and 99 in 100 of all had a match
    /// ([`censored_quantile`]); `None` (open) if fewer had one.
    pub median: Option<f64>,
    /// See `median`.
    pub q90: Option<f64>,
    /// See `median`.
    pub q99: Option<f64>,
    /// The longest time that one of them waited, with a match or without; 0 of none.
    pub longest: f64,
}

impl GroupWaits {
    /// Tickets without a match.
    #[must_use]
    pub const fn lost(&self) -> usize {
        self.left + self.declined + self.waiting + self.refused
    }
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    Matched,
    Left,
    #[cfg_attr(
        not(feature = "simulate"),
        expect(dead_code, reason = "simulated players alone decline")
    )]
    Declined,
    Waits,
    Refused,
}

/// The waits of a group, one by one.
#[derive(Debug, Clone, Default)]
pub(crate) struct WaitSums {
    matched: Vec<f64>,
    /// Left, declined, waiting, refused.
    lost: [usize; 4],
    seconds: f64,
    longest: f64,
}

impl WaitSums {
    pub(crate) fn add(&mut self, seconds: f64, end: WaitEnd) {
        match end {
            WaitEnd::Matched => self.matched.push(seconds),
            WaitEnd::Left => self.lost[0] += 1,
            WaitEnd::Declined => self.lost[1] += 1,
            WaitEnd::Waits => self.lost[2] += 1,
            WaitEnd::Refused => {
                self.lost[3] += 1;
                return;
            }
        }
        self.seconds += seconds;
        self.longest = self.longest.max(seconds);
    }

    /// O(n log n).
    pub(crate) fn finish(mut self, group: String) -> GroupWaits {
        self.matched.sort_by(f64::total_cmp);
        let [left, declined, waiting, refused] = self.lost;
        let tickets = self.matched.len() + self.lost.iter().sum::<usize>();
        let admitted = tickets - refused;
        let within = |share| censored_quantile(&self.matched, tickets, share);
        GroupWaits {
            group,
            tickets,
            left,
            declined,
            waiting,
            refused,
            mean: (admitted > 0).then(|| self.seconds / admitted as f64),
            median: within(0.5),
            q90: within(0.9),
            q99: within(0.99),
            longest: self.longest,
        }
    }
}

impl Replay {
    /// The waits of all matched tickets in seconds, in the order of the log.
    #[must_use]
    pub fn waits(&self) -> Vec<f64> {
        let is_matched = |fate| matches!(fate, Fate::Matched(_));
        let matched = self.tickets.iter();
        let matched = matched.filter(|ticket| is_matched(ticket.fate) && !ticket.waited.is_nan());
        matched.map(|ticket| ticket.waited).collect()
    }

    /// The waits of all tickets of the log that was replayed, whose wait is known, and of those of each queue that they name, party size and
    /// region nearest to them, where there are several of the kind. O(n log n).
    #[must_use]
    pub fn waits_by_group(&self, log: &TicketLog) -> Vec<GroupWaits> {
        let mut kinds: [BTreeMap<(usize, String), WaitSums>; 4] = Default::default();
        for (ticket, logged) in self.tickets.iter().zip(log.tickets()) {
            if ticket.waited.is_nan() {
                continue;
            }
            let end = match ticket.fate {
                Fate::Matched(_) => WaitEnd::Matched,
                Fate::Left => WaitEnd::Left,
                Fate::Waits => WaitEnd::Waits,
                Fate::Refused => WaitEnd::Refused,
                Fate::Unknown => continue,
            };
            let queues = &logged.ticket.queues;
            let names = [
                Some((0, "all".to_owned())),
                (!queues.is_empty()).then(|| (0, format!("queue {}", queues.join(" or ")))),
                Some((ticket.players, format!("party of {}", ticket.players))),
                nearest_region(&logged.ticket).map(|region| (0, format!("region {region}"))),
            ];
            for (kind, name) in kinds.iter_mut().zip(names) {
                if let Some(name) = name {
                    kind.entry(name).or_default().add(ticket.waited, end);
                }
            }
        }
        let mut groups = Vec::new();
        for (place, kind) in kinds.into_iter().enumerate() {
            if place == 0 || kind.len() > 1 {
                groups.extend(kind.into_iter().map(|((_, group), waits)| waits.finish(group)));
            }
        }
        groups
    }
}

/// The region of the ticket's least ping.
pub(crate) fn nearest_region(ticket: &Ticket) -> Option<&str> {
    let best = ticket.regions.iter().min_by(|a, b| a.1.total_cmp(b.1));
    best.map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::{Costs, LoggedTicket, ReplayedTicket};
    use matchwright_queue::{TicketId, Time};

    /// A log of tickets that came at once, by players, region, fate and wait, and what a replay made of it.
    fn replayed(tickets: &[(u64, &str, Fate, f64)]) -> (Replay, TicketLog) {
        let logged = |(id, &(players, region, ..)): (u64, &(u64, &str, Fate, f64))| LoggedTicket {
            ticket: Ticket::of(id, (100 * id)..(100 * id + players)).with_region(region, 30.0),
            came: Time::default(),
            left: None,
            matched: None,
        };
        let log = TicketLog::new((0..).zip(tickets).map(logged).collect()).unwrap();
        let one = |(id, &(players, _, fate, waited)): (u64, &(u64, &str, Fate, f64))| ReplayedTicket {
            ticket: TicketId(id),
            players: usize::try_from(players).unwrap(),
            fate,
            waited,
            costs: Some(Costs::default()),
        };
        let replay = Replay {
            tickets: (0..).zip(tickets).map(one).collect(),
            ..Replay::default()
        };
        (replay, log)
    }

    #[test]
    fn a_ticket_without_a_match_counts_in_every_wait() {
        let mut tickets: Vec<_> = (0..6)
            .map(|wait| (1, "eu", Fate::Matched(1), f64::from(wait)))
            .collect();
        tickets.extend([(1, "eu", Fate::Left, 2.0), (1, "eu", Fate::Left, 30.0)]);
        tickets.extend([(1, "eu", Fate::Waits, 9.0), (1, "eu", Fate::Refused, 0.0)]);
        let (replay, log) = replayed(&tickets);
        let found = replay.waits_by_group(&log).remove(0);
        assert_eq!((found.tickets, found.lost()), (10, 4));
        assert_eq!(
            (found.left, found.declined, found.waiting, found.refused),
            (2, 0, 1, 1)
        );
        // Of ten tickets the fifth and sixth wait 4 and 5 s; six at most ever have a match.
        assert_eq!((found.median, found.q90, found.q99), (Some(4.5), None, None));
        // 15 s of those matched, 41 s of the others, by nine who were admitted.
        assert_eq!((found.mean, found.longest), (Some(56.0 / 9.0), 30.0));
    }

    #[test]
    fn kinds_of_which_there_is_one_are_not_told_apart() {
        let matched = |players, region, waited| (players, region, Fate::Matched(1), waited);
        let (replay, log) = replayed(&[
            (2, "eu", Fate::Left, 900.0),
            matched(10, "us", 1.0),
            matched(2, "eu", 3.0),
            matched(2, "us", 5.0),
        ]);
        let groups = replay.waits_by_group(&log);
        let names: Vec<&str> = groups.iter().map(|group| &*group.group).collect();
        assert_eq!(
            names,
            ["all", "party of 2", "party of 10", "region eu", "region us"]
        );
        // A party that left is one of its size and of its region.
        let of = |at: usize| (groups[at].tickets, groups[at].left, groups[at].median);
        assert_eq!(
            [of(1), of(3), of(4)],
            [(3, 1, Some(5.0)), (2, 1, Some(3.0)), (2, 0, Some(3.0))]
        );
    }
}
