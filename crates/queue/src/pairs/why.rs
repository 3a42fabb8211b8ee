//! Explanations of a policy of pairs.

use super::Pairs;
use super::index::{Index, Node, Ordered};
use super::rules::Accept;
use crate::ids::TicketId;
use crate::state::{Pool, Waiting};
use crate::time::Time;
use crate::why::{Candidate, Change, Obstacle, WaitState, Why};

/// How many candidates are shown.
const SHOWN: usize = 5;

impl Pairs {
    pub(super) fn explain(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let Some(waiting) = pool.get(ticket) else {
            return Why {
                state: WaitState::Absent,
                ..Why::default()
            };
        };
        let mut why = Why {
            waited: waiting.waited(now),
            ..Why::default()
        };
        let Some(node) = self.index.get(ticket) else {
            why.state = if waiting.proposal.is_some() {
                WaitState::Answers
            } else {
                WaitState::Absent
            };
            return why;
        };
        if !pool.is_matched(&self.queue) {
            why.state = WaitState::Paused;
        }
        let mut candidates: Vec<(Ordered, Candidate)> = Vec::new();
        for other in self.index.nodes().filter(|other| other.ticket != ticket) {
            let Some(candidate) = self.candidate(pool, waiting, (node, other), now) else {
                continue;
            };
            if let Some(first) = candidate.obstacles.first() {
                *why.rejections.entry(first.name().to_owned()).or_default() += 1;
            }
            why.earliest = [why.earliest, candidate.compatible_at]
                .into_iter()
                .flatten()
                .min();
            candidates.push((Ordered(effort(&candidate)), candidate));
        }
        candidates.sort_by(|a, b| (a.0, a.1.ticket).cmp(&(b.0, b.1.ticket)));
        why.change = candidates
            .first()
            .and_then(|entry| change(&entry.1, self.rules.accept));
        why.candidates = candidates.into_iter().take(SHOWN).map(|entry| entry.1).collect();
        why
    }

    /// What keeps two tickets apart.
    fn candidate(
        &self,
        pool: &Pool,
        waiting: &Waiting,
        pair: (&Node, &Node),
        now: Time,
    ) -> Option<Candidate> {
        let (node, other) = pair;
        let mut obstacles: Vec<Obstacle> = Vec::new();
        if node.key != other.key {
            let differences = pool.key_differences(node.key, other.key);
            obstacles.extend(differences.map(|name| Obstacle::Key(name.to_owned())));
        }
        if !self.sizes_fit(pool, pair) {
            obstacles.push(Obstacle::Size);
        }
        let regions = shared_regions(node, other);
        if regions.is_empty() {
            obstacles.push(Obstacle::Region);
        }
        let _ = waiting;
        let is_permitted = obstacles.is_empty();
        // The region in which the two are compatible first, then that of the least pings.
        let at = |region: &Option<u32>| {
            let at = self.rules.compatible_at(node, other, *region);
            let ping = region.map_or(0.0, |region| node.ping(region).max(other.ping(region)));
            (at.unwrap_or(Time::MAX), Ordered(ping))
        };
        let region = regions.iter().min_by_key(|region| at(region)).copied().flatten();
        let compatible_at = self
            .rules
            .compatible_at(node, other, region)
            .filter(|_| is_permitted);
        if compatible_at.is_none_or(|at| at > now) {
            for (window, distances, widths) in self.rules.widths(node, other, region, now) {
                let is_ping = window.params().compare == crate::window::Compare::Ping;
                let accept = if is_ping { Accept::Both } else { self.rules.accept };
                let admits = match accept {
                    Accept::Both => (0..2).all(|side| widths[side] >= distances[side]),
                    Accept::Either => (0..2).any(|side| widths[side] >= distances[side]),
                    Accept::Sum => widths[0] + widths[1] >= distances[0],
                };
                if !admits {
                    let of = window.params().name().to_owned();
                    obstacles.push(Obstacle::Window {
                        of,
                        distances,
                        widths,
                    });
                }
            }
        }
        Some(Candidate {
            ticket: other.ticket,
            obstacles,
            compatible_at,
        })
    }

    fn sizes_fit(&self, pool: &Pool, (node, other): (&Node, &Node)) -> bool {
        let mut fit = false;
        Index::partner_roles(node.role, pool.teams(&self.queue), |role| {
            fit |= role == other.role
        });
        fit
    }
}

/// The regions that both accept; `[None]` if both accept any.
fn shared_regions(a: &Node, b: &Node) -> Vec<Option<u32>> {
    let all = |node: &Node| node.regions.iter().map(|entry| Some(entry.0)).collect::<Vec<_>>();
    match (a.regions.is_empty(), b.regions.is_empty()) {
        (true, true) => vec![None],
        (true, false) => all(b),
        (false, true) => all(a),
        (false, false) => {
            let both = |region: &Option<u32>| b.regions.iter().any(|entry| Some(entry.0) == *region);
            all(a).into_iter().filter(both).collect()
        }
    }
}

/// How far a candidate is from being compatible: nothing, the share of each distance that no window covers, or rules.
fn effort(candidate: &Candidate) -> f64 {
    let one = |obstacle: &Obstacle| match obstacle {
        Obstacle::Window {
            distances, widths, ..
        } => {
            let short = |side: usize| (1.0 - widths[side] / distances[side]).max(0.0);
            short(0) + short(1)
        }
        _ => f64::INFINITY,
    };
    candidate.obstacles.iter().map(one).sum()
}

/// What would make a candidate compatible; `None` if rules keep it away, or nothing does.
fn change(candidate: &Candidate, accept: Accept) -> Option<Change> {
    let mut widen = Vec::new();
    for obstacle in &candidate.obstacles {
        let Obstacle::Window {
            of,
            distances,
            widths,
        } = obstacle
        else {
            return None;
        };
        let short = |side: usize| (distances[side] - widths[side]).max(0.0);
        let by = match accept {
            _ if of == "ping" => [short(0), short(1)],
            Accept::Both => [short(0), short(1)],
            // The side that is nearer to it.
            Accept::Either if short(0) <= short(1) => [short(0), 0.0],
            Accept::Either => [0.0, short(1)],
            Accept::Sum => [(distances[0] - widths[0] - widths[1]).max(0.0), 0.0],
        };
        widen.push((of.clone(), by));
    }
    (!widen.is_empty()).then(|| Change {
        with: candidate.ticket,
        widen,
        size: effort(candidate),
    })
}
