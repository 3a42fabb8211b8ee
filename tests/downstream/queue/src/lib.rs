//! A policy that matchwright-queue does not have, written against its published interface.

use std::collections::BTreeSet;

use matchwright_queue::{
    Budget, Lobby, MatchPolicy, Pool, Proposed, TicketId, Time, WaitState, Waiting, Why,
};

/// Duels in the order of arrival: the two oldest of a pool and region as soon as the older has waited so many
/// milliseconds.
pub struct InOrder {
    pub wait: i64,
    waiting: BTreeSet<(Time, TicketId)>,
}

impl InOrder {
    pub fn new(wait: i64) -> Self {
        Self {
            wait,
            waiting: BTreeSet::new(),
        }
    }

    /// The region of two tickets, the first by name, if they may meet.
    fn region(a: &Waiting, b: &Waiting) -> Option<Option<String>> {
        if a.key != b.key || a.ticket.players.len() != 1 || b.ticket.players.len() != 1 {
            return None;
        }
        let (a, b) = (&a.ticket.regions, &b.ticket.regions);
        match (a.is_empty(), b.is_empty()) {
            (true, true) => Some(None),
            (true, false) => Some(b.keys().next().map(ToString::to_string)),
            (false, true) => Some(a.keys().next().map(ToString::to_string)),
            (false, false) => {
                let shared = a.keys().find(|name| b.contains_key(name));
                shared.map(|name| Some(name.to_string()))
            }
        }
    }

    /// The first pair in the order of the older one's and then of the other's arrival.
    fn first<'p>(&self, pool: &'p Pool) -> Option<(&'p Waiting, &'p Waiting, Option<String>)> {
        let all: Vec<&Waiting> = self.waiting.iter().filter_map(|entry| pool.get(entry.1)).collect();
        all.iter().enumerate().find_map(|(place, a)| {
            let others = &mut all[place + 1..].iter();
            others.find_map(|b| Some((*a, *b, Self::region(a, b)?)))
        })
    }
}

impl MatchPolicy for InOrder {
    fn enter(&mut self, pool: &Pool, ticket: TicketId, _: Time) {
        if let Some(waiting) = pool.get(ticket) {
            self.waiting.insert((waiting.joined, ticket));
        }
    }

    fn leave(&mut self, pool: &Pool, ticket: TicketId, _: Time) {
        if let Some(waiting) = pool.get(ticket) {
            self.waiting.remove(&(waiting.joined, ticket));
        }
    }

    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Proposed {
        let first = self.first(pool).filter(|(a, ..)| a.waited(now) >= self.wait);
        let Some((a, b, region)) = first else {
            return Proposed::nothing();
        };
        if !budget.spend(1) {
            return Proposed::unfinished();
        }
        Proposed::lobbies([Lobby {
            queue: "".into(),
            teams: vec![vec![a.ticket.id], vec![b.ticket.id]],
            region: region.map(Into::into),
            mismatch: 0.0,
        }])
    }

    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        let (oldest, ..) = self.first(pool)?;
        Some(oldest.joined.plus(self.wait).max(now))
    }

    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        let Some(waiting) = pool.get(ticket) else {
            return Why {
                state: WaitState::Absent,
                ..Why::default()
            };
        };
        let first = self.first(pool).filter(|(a, b, _)| [a.ticket.id, b.ticket.id].contains(&ticket));
        Why {
            waited: waiting.waited(now),
            earliest: first.map(|(a, ..)| a.joined.plus(self.wait).max(now)),
            ..Why::default()
        }
    }

    fn liveness(&self) -> Option<f64> {
        Some(self.wait as f64 / 1000.0)
    }
}
