//! When a ticket is matched: a copy of the policy, run on.
//!
//! Of a large pool the copy has only the tickets on which the match depends until a time: those with whom the ticket is
//! compatible by then, those with whom these are, and so on. The rest cannot take any of them before.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Pairs;
use super::node::Entry;
use super::node::Node;
use super::timetable::Timetable;
use super::why::ALL;
use crate::ids::TicketId;
use crate::policy::{Budget, foresee};
use crate::state::Pool;
use crate::time::Time;

/// Wakeups that are looked at for the match of a ticket.
const FORESEEN: usize = 100;

/// Neighbours that are looked at for one time until which a match is foreseen.
const LOOKS: u64 = 2048;

/// Times until which matches are foreseen, a quarter of a power of two apart, up to a day and a half.
const TIMES: u32 = 100;

impl Pairs {
    /// When a ticket is matched if nobody comes or leaves; `None`: not as far as is looked ahead, or never.
    pub(super) fn earliest_match(&self, pool: &Pool, ticket: TicketId, now: Time) -> Option<Time> {
        let node = self.index.get(ticket)?;
        if self.index.len() <= ALL {
            return foresee(self.clone(), pool, ticket, now, FORESEEN).map(|found| found.0);
        }
        let (until, tickets) = self.foreseeable(node, pool, now)?;
        let copy = self.only(&tickets, pool, now);
        let found = foresee(copy, pool, ticket, now, FORESEEN);
        found.map(|found| found.0).filter(|&at| at <= until)
    }

    /// The last time until which the tickets are few on which a ticket's match depends, and these, by bisection.
    fn foreseeable(&self, node: &Node, pool: &Pool, now: Time) -> Option<(Time, Ages)> {
        let mut best = None;
        let (mut first, mut end) = (0, TIMES);
        while first < end {
            let middle = first.midpoint(end);
            let until = now.plus(i64::from(4 + middle % 4) << (middle / 4));
            if let Some(tickets) = self.connected(node, pool, until, &mut Budget::new(LOOKS)) {
                best = Some((until, tickets));
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        best
    }

    /// The ticket, and all who are connected with it by pairs that are compatible by a time. `None` where that takes more
    /// than the budget, or where a longest wait is over by then, which may take anyone.
    fn connected(&self, node: &Node, pool: &Pool, until: Time, budget: &mut Budget) -> Option<Ages> {
        let teams = pool.teams(&self.queue);
        let (mut found, mut open) = (Ages::new(), vec![node.ticket]);
        while let Some(ticket) = open.pop() {
            let node = self.index.get(ticket)?;
            if !found.insert(node.age()) {
                continue;
            }
            let (few, oldest) = self.index.oldest(node, teams);
            let mut is_over = false;
            let mut look = |partner: &Node, region: Option<u32>| {
                let overdue = self.rules.overdue_at(node, partner);
                is_over |= !self.rules.is_priced && overdue.is_some_and(|at| at <= until);
                let at = self.rules.compatible_at(node, partner, region);
                if at.is_some_and(|at| at <= until) {
                    open.push(partner.ticket);
                }
                budget.spend(1)
            };
            self.index.visit(node, &few, |partner, region| {
                look(partner, region);
            });
            let reach = self
                .rules
                .reach(node, Some(until), oldest, self.index.most_extra());
            self.index
                .walk(node, teams, reach, usize::MAX, |partner, region| {
                    let goes_on = look(partner, region);
                    (if goes_on { reach } else { f64::NEG_INFINITY }, true)
                });
            if is_over || budget.is_spent() {
                return None;
            }
        }
        Some(found)
    }

    /// The policy as if only these waited.
    fn only(&self, tickets: &Ages, pool: &Pool, now: Time) -> Self {
        let mut copy = Self {
            queue: Arc::clone(&self.queue),
            rules: self.rules.clone(),
            index: self.index.emptied(),
            timetable: Timetable::default(),
            chooser: self.chooser.copy(),
            // Those who wait keep what their price adds.
            prices: None,
            entered: 0,
            youngest: self.youngest,
            cursor: None,
            is_noted: false,
            failures: Vec::new(),
        };
        for &(_, ticket) in tickets {
            let Some(mut node) = self.index.get(ticket).cloned() else {
                continue;
            };
            copy.entered += 1;
            (node.entered, node.is_back) = (copy.entered, false);
            node.next = Entry::NONE;
            let entry = copy.first_partner(&node, pool, now).0;
            copy.timetable.set(&mut node, entry, false);
            copy.index.insert(node, pool.teams(&self.queue));
        }
        copy
    }
}

/// Tickets in the order in which they came.
type Ages = BTreeSet<(Time, TicketId)>;
