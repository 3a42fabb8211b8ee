//! [`PolicySet`]: several queues, each with a policy of its own.

use std::collections::BTreeMap;

use crate::ids::TicketId;
use crate::outcome::{Lobby, Match};
use crate::policy::{Budget, MatchPolicy};
use crate::state::Pool;
use crate::ticket::Ticket;
use crate::time::Time;
use crate::why::Why;

/// One policy a queue.
#[derive(Default)]
pub struct PolicySet {
    policies: BTreeMap<String, Box<dyn MatchPolicy + Send>>,
}
impl PolicySet {
    /// With one more.
    #[must_use]
    pub fn with(mut self, queue: &str, policy: Box<dyn MatchPolicy + Send>) -> Self {
        self.policies.insert(queue.to_owned(), policy);
        self
    }
    fn one(&mut self) -> &mut Box<dyn MatchPolicy + Send> {
        self.policies
            .values_mut()
            .next()
            .unwrap_or_else(|| unreachable!())
    }
    fn only(&self) -> &dyn MatchPolicy {
        &**self.policies.values().next().unwrap_or_else(|| unreachable!())
    }
}
impl MatchPolicy for PolicySet {
    fn admits(&self, ticket: &Ticket) -> Result<(), String> {
        self.only().admits(ticket)
    }
    fn enter(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.one().enter(pool, ticket, now);
    }
    fn leave(&mut self, pool: &Pool, ticket: TicketId, now: Time) {
        self.one().leave(pool, ticket, now);
    }
    fn propose(&mut self, pool: &Pool, now: Time, budget: &mut Budget) -> Vec<Lobby> {
        self.one().propose(pool, now, budget)
    }
    fn next_time(&mut self, pool: &Pool, now: Time) -> Option<Time> {
        self.one().next_time(pool, now)
    }
    fn why(&self, pool: &Pool, ticket: TicketId, now: Time) -> Why {
        self.only().why(pool, ticket, now)
    }
    fn liveness(&self) -> Option<f64> {
        self.only().liveness()
    }
    fn countdown(&self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Time> {
        self.only().countdown(pool, ticket, now)
    }
    fn learn(&mut self, made: &Match, pool: &Pool, now: Time) {
        self.one().learn(made, pool, now);
    }
    fn save(&self) -> Vec<u8> {
        self.only().save()
    }
    fn restore(&mut self, saved: &[u8]) -> Result<(), String> {
        self.one().restore(saved)
    }
}
