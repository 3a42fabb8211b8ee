//! What the ledger tells, by names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::{Ledger, MatchEntry, Standing};
use crate::view::{Change, MatchView, Phase, PlayerView, StepChanges, TicketState, TicketView};

impl Ledger {
    /// An opaque name: one of another folder, or from before a restore, is unknown here.
    pub(crate) fn id(&self, kind: char, number: u64) -> String {
        format!("{kind}{:08x}{number:x}", self.books.epoch)
    }

    /// The number of such a name.
    pub(crate) fn number(&self, kind: char, id: &str) -> Option<u64> {
        let rest = id.strip_prefix(kind)?;
        let (epoch, number) = rest.split_at_checked(8)?;
        let number = u64::from_str_radix(number, 16).ok()?;
        // As it is written here, and no other way.
        (epoch == format!("{:08x}", self.books.epoch) && self.id(kind, number) == id).then_some(number)
    }

    pub(crate) fn ticket_view(&self, ticket: u64) -> Option<TicketView> {
        let entry = self.ticket(ticket)?;
        let state = match entry.state {
            Standing::Gathering => {
                let gathering = self.gathering(ticket)?;
                let missing = gathering.missing.iter();
                TicketState::Gathering {
                    missing: missing.map(|player| self.name(*player).to_owned()).collect(),
                    deadline: gathering.deadline,
                }
            }
            Standing::Waiting => TicketState::Waiting,
            Standing::Proposed { proposal, deadline } => TicketState::Proposed {
                proposal: self.id('p', proposal),
                deadline,
            },
            Standing::Matched(match_id) => TicketState::Matched {
                match_id: self.id('m', match_id),
                phase: self
                    .match_entry(match_id)
                    .map_or(Phase::Ended, |entry| entry.phase),
                connection: self
                    .match_entry(match_id)
                    .and_then(|entry| entry.connection.as_deref().map(str::to_owned)),
            },
            Standing::Left(reason) => TicketState::Left { reason },
        };
        let names = entry.players.iter().map(|player| self.name(*player).to_owned());
        Some(TicketView {
            id: self.id('t', ticket),
            players: names.collect(),
            state,
            version: entry.version,
        })
    }

    pub(crate) fn match_view(&self, match_id: u64) -> Option<MatchView> {
        let entry = self.match_entry(match_id)?;
        let label = self.books.labels.get(entry.label)?;
        let name = |player: &u64| self.name(*player).to_owned();
        Some(MatchView {
            id: self.id('m', match_id),
            queue: label.queue.clone(),
            region: label.region.clone(),
            teams: entry
                .teams()
                .iter()
                .map(|team| team.iter().map(name).collect())
                .collect(),
            policy: label.policy.clone(),
            phase: entry.phase,
            connection: entry.connection.as_deref().map(str::to_owned),
            places: entry.places.as_deref().map(<[u32]>::to_vec),
            is_retracted: entry.is_retracted,
            backfill: entry
                .backfill
                .filter(|_| entry.is_on())
                .map(|ticket| self.id('t', ticket)),
            version: entry.version,
        })
    }

    /// The queue and the region of a match, where they have names.
    pub(crate) fn place_of(&self, entry: &MatchEntry) -> (Option<String>, Option<String>) {
        let label = self.books.labels.get(entry.label);
        let queue = label.map(|label| label.queue.clone());
        let region = label.and_then(|label| label.region.clone());
        (queue.filter(|queue| !queue.is_empty()), region)
    }

    pub(crate) fn player_view(&self, name: &str) -> PlayerView {
        let player = self.player(name);
        let ticket = player.and_then(|player| self.ticket_of(player));
        PlayerView {
            id: name.to_owned(),
            ticket: ticket.and_then(|ticket| self.ticket_view(ticket)),
            rated: self.ratings.as_ref().map(|ratings| ratings.of(player)),
        }
    }

    /// All that the last step has changed.
    pub(crate) fn changes(&self) -> StepChanges {
        let tickets = self.changed[0]
            .iter()
            .filter_map(|ticket| self.ticket_view(*ticket));
        let matches = self.changed[1].iter().filter_map(|found| self.match_view(*found));
        StepChanges {
            step: self.books.step,
            changes: tickets
                .map(Change::Ticket)
                .chain(matches.map(Change::Match))
                .collect(),
        }
    }

    /// All that has changed after a step, by steps; O(all that is known).
    pub(crate) fn changes_after(&self, step: u64) -> Vec<StepChanges> {
        let mut by_step: BTreeMap<u64, [BTreeSet<u64>; 2]> = BTreeMap::new();
        let tickets = self
            .books
            .tickets
            .iter()
            .map(|(number, entry)| (0, number, entry.version));
        let matches = self
            .books
            .matches
            .iter()
            .map(|(number, entry)| (1, number, entry.version));
        for (kind, number, version) in tickets.chain(matches).filter(|(.., version)| *version > step) {
            by_step.entry(version).or_default()[kind].insert(*number);
        }
        let views = by_step.into_iter().map(|(step, [tickets, matches])| {
            let tickets = tickets.into_iter().filter_map(|ticket| self.ticket_view(ticket));
            let matches = matches.into_iter().filter_map(|found| self.match_view(found));
            StepChanges {
                step,
                changes: tickets
                    .map(Change::Ticket)
                    .chain(matches.map(Change::Match))
                    .collect(),
            }
        });
        views.collect()
    }

    /// Tickets after the one of this number, by number: at most `most` that are as asked for.
    pub(crate) fn tickets_after(
        &self,
        after: Option<u64>,
        most: usize,
        is_asked: impl Fn(&TicketView) -> bool,
    ) -> Vec<TicketView> {
        let numbers = self.books.tickets.range(behind(after)).map(|entry| *entry.0);
        let views = numbers.filter_map(|number| self.ticket_view(number));
        views.filter(is_asked).take(most).collect()
    }

    /// The same of matches.
    pub(crate) fn matches_after(
        &self,
        after: Option<u64>,
        most: usize,
        is_asked: impl Fn(&MatchView) -> bool,
    ) -> Vec<MatchView> {
        let numbers = self.books.matches.range(behind(after)).map(|entry| *entry.0);
        let views = numbers.filter_map(|number| self.match_view(number));
        views.filter(is_asked).take(most).collect()
    }
}

/// All numbers after one.
fn behind(number: Option<u64>) -> (Bound<u64>, Bound<u64>) {
    (number.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded)
}
