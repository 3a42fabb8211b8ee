//! The log of tickets that a journal of a queue holds.

use std::collections::{BTreeMap, HashMap};

use matchwright_queue::journal::{Entry, JournalError, JournalReader, Record, StepRecord};
use matchwright_queue::{
    Decision, EndReason, EventKind, LeaveReason, MatchId, PlayerId, ProposalId, Ticket, TicketId, Time,
};
use thiserror::Error;

use super::log::{LogError, LoggedTicket, TicketLog, WaitSpan, is_in_range};
use super::recorded::LoggedMatch;

/// What a journal tells of its tickets.
#[derive(Debug, Clone, PartialEq)]
pub struct JournalLog {
    /// The tickets, of all whole records.
    pub log: TicketLog,
    /// What is wrong after them: then the log ends there.
    pub fault: Option<JournalError>,
    /// What each player who was asked to accept a proposal did, in the order in which their proposals ended.
    pub answers: Vec<Answered>,
    /// When the last step was.
    pub end: Time,
    /// The document of the policy in force at the end.
    pub document: String,
}

/// What a player did who was asked to accept a proposal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answered {
    /// What the player did.
    pub answer: Answer,
    /// Seconds after the proposal.
    pub after: f64,
}

/// An answer to a proposal, or that there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The player accepted.
    Accepted,
    /// The player declined, before or after having accepted.
    Declined,
    /// The time ran out.
    Silent,
    /// The proposal ended before, for another reason: what the player would have done is not known.
    Unknown,
}

/// Why a journal has no log.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum JournalLogError {
    /// No journal, or none whose first record is whole.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Tickets that make no log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A last step at a time at which nobody plays.
    #[error("the last step is at {0:?}, more than 12,000 years from 1970")]
    End(Time),
}

impl TicketLog {
    /// Whether bytes begin as a journal does, and no text.
    #[must_use]
    pub fn is_journal(bytes: &[u8]) -> bool {
        bytes.first() == Some(&0x89)
    }

    /// The tickets of a journal: those that waited when it began, since they came, and all that were admitted. A ticket
    /// left when it was cancelled, expired, declined or did not answer; it was matched by its last match that did not
    /// fail, when that was proposed to its players. [`TicketLog::waits`] are without the times in which they were asked, and
    /// a ticket that leaves then does not give up. Recorded decisions are read, none is made again. O(bytes).
    ///
    /// # Errors
    /// [`JournalLogError`]; what is wrong after the first record is told in the result, and ends the log.
    pub fn from_journal(bytes: &[u8]) -> Result<JournalLog, JournalLogError> {
        let mut known = Tickets::default();
        let mut fault = None;
        for (place, entry) in JournalReader::new(bytes)?.enumerate() {
            match entry {
                Ok(Entry {
                    record: Record::Snapshot(snapshot),
                    ..
                }) if place == 0 => {
                    known.end = snapshot.state.now();
                    known.document = snapshot.document;
                    for waiting in snapshot.state.pool().tickets() {
                        known.came(&waiting.ticket, waiting.joined);
                        if waiting.proposal.is_none() {
                            // Of those who gave up before, nothing is known.
                            known.waits_from(waiting.ticket.id, known.end);
                        }
                    }
                }
                Ok(Entry {
                    record: Record::Snapshot(_),
                    ..
                }) => {}
                Ok(Entry {
                    record: Record::Step(step),
                    ..
                }) => known.follow(&step),
                Err(error) if place == 0 => return Err(error.into()),
                Err(error) => fault = Some(error),
            }
        }
        if !is_in_range(known.end) {
            return Err(JournalLogError::End(known.end));
        }
        let still: Vec<TicketId> = known.since.keys().copied().collect();
        for ticket in still {
            known.waits_until(ticket, known.end, false);
        }
        Ok(JournalLog {
            log: TicketLog::new(known.logged)?
                .with_waits(known.waits)
                .with_matches(known.matches.into_values().collect()),
            fault,
            answers: known.answers,
            end: known.end,
            document: known.document,
        })
    }
}

#[derive(Default)]
struct Tickets {
    logged: Vec<LoggedTicket>,
    places: HashMap<TicketId, usize>,
    /// Proposals that were opened and have not ended: when, and what each player has answered so far.
    open: HashMap<ProposalId, Open>,
    answers: Vec<Answered>,
    /// Tickets that wait and are not asked, and since when.
    since: BTreeMap<TicketId, Time>,
    /// Tickets that were asked last, and since when.
    asked: HashMap<TicketId, Time>,
    waits: Vec<WaitSpan>,
    /// Matches that did not fail.
    matches: BTreeMap<MatchId, LoggedMatch>,
    end: Time,
    document: String,
}

/// When a proposal was made, and by player the answer so far.
type Open = (Time, BTreeMap<PlayerId, Option<Answered>>);

impl Tickets {
    fn came(&mut self, ticket: &Ticket, came: Time) {
        self.places.insert(ticket.id, self.logged.len());
        self.logged.push(LoggedTicket {
            ticket: ticket.clone(),
            came,
            left: None,
            matched: None,
        });
    }

    fn get(&mut self, ticket: TicketId) -> Option<&mut LoggedTicket> {
        self.places.get(&ticket).map(|&place| &mut self.logged[place])
    }

    fn waits_from(&mut self, ticket: TicketId, now: Time) {
        self.asked.remove(&ticket);
        self.since.insert(ticket, now);
    }

    /// Changes nothing for a ticket whose players are asked.
    fn waits_until(&mut self, ticket: TicketId, now: Time, gave_up: bool) {
        let came = self.get(ticket).map(|logged| logged.came);
        if let Some((since, came)) = self.since.remove(&ticket).zip(came) {
            self.waits.push(WaitSpan {
                from: since.seconds_since(came),
                to: now.seconds_since(came),
                gave_up,
            });
        }
    }

    /// The players of an open proposal.
    fn ask(&mut self, proposal: ProposalId, tickets: impl Iterator<Item = TicketId>, now: Time) {
        let asked = tickets.filter_map(|ticket| self.places.get(&ticket));
        let asked = asked.map(|&place| &self.logged[place].ticket);
        let asked = asked.filter(|ticket| ticket.backfill.is_none());
        let players = asked.flat_map(|ticket| ticket.players.iter().map(|member| (member.id, None)));
        let players = players.collect();
        self.open.insert(proposal, (now, players));
    }

    fn answer(&mut self, proposal: ProposalId, player: PlayerId, answer: Answer, now: Time) {
        if let Some((asked, players)) = self.open.get_mut(&proposal)
            && let Some(known) = players.get_mut(&player)
        {
            let after = now.seconds_since(*asked);
            *known = Some(Answered { answer, after });
        }
    }

    /// Those who have not answered by the end of a proposal are counted as `rest`.
    fn close(&mut self, proposal: ProposalId, rest: Answer, now: Time) {
        if let Some((asked, players)) = self.open.remove(&proposal) {
            let after = now.seconds_since(asked);
            let rest = Answered { answer: rest, after };
            self.answers
                .extend(players.into_values().map(|answer| answer.unwrap_or(rest)));
        }
    }

    fn follow_proposals(&mut self, decision: &Decision, step: &StepRecord) {
        let now = step.now;
        match decision {
            Decision::Proposed(proposal) => self.ask(proposal.id, proposal.lobby.tickets(), now),
            Decision::Accepted { proposal, player } => {
                self.answer(*proposal, *player, Answer::Accepted, now);
            }
            Decision::Ended { proposal, reason, .. } => {
                let rest = match reason {
                    EndReason::TimedOut => Answer::Silent,
                    EndReason::Declined | EndReason::Failed | EndReason::Cancelled => Answer::Unknown,
                };
                self.close(*proposal, rest, now);
            }
            Decision::Matched(made) => {
                if let Some(proposal) = made.proposal {
                    self.close(proposal, Answer::Unknown, now);
                }
            }
            Decision::PolicySet { event } => {
                if let Some(EventKind::SetPolicy(change)) = step.events.get(*event).map(|event| &event.kind) {
                    self.document.clone_from(&change.document);
                }
            }
            _ => {}
        }
    }

    fn follow(&mut self, step: &StepRecord) {
        self.end = step.now;
        // Declines have no decision of their own: they end the proposal.
        for event in &step.events {
            if let EventKind::Decline { proposal, player } = event.kind {
                self.answer(proposal, player, Answer::Declined, step.now);
            }
        }
        for decision in &step.outcome.decisions {
            self.follow_proposals(decision, step);
            match decision {
                Decision::Admitted { event, .. } => {
                    if let Some(EventKind::Create(ticket)) = step.events.get(*event).map(|event| &event.kind)
                    {
                        self.came(ticket, step.now);
                        self.waits_from(ticket.id, step.now);
                    }
                }
                Decision::Proposed(proposal) => {
                    for ticket in proposal.lobby.tickets() {
                        self.waits_until(ticket, step.now, false);
                        self.asked.insert(ticket, step.now);
                    }
                }
                Decision::Ended { returned, .. } => {
                    for &ticket in returned {
                        self.waits_from(ticket, step.now);
                    }
                }
                Decision::Edited { event, ticket, .. } => {
                    let edit = step.events.get(*event).map(|event| &event.kind);
                    if let (Some(EventKind::Edit { players, .. }), Some(logged)) = (edit, self.get(*ticket)) {
                        logged.ticket.players.clone_from(players);
                    }
                }
                Decision::Left { ticket, reason } => {
                    let gave_up = matches!(reason, LeaveReason::Cancelled | LeaveReason::Expired);
                    self.waits_until(*ticket, step.now, gave_up);
                    if let Some(logged) = self.get(*ticket) {
                        logged.left = Some(step.now);
                    }
                }
                Decision::Matched(made) => {
                    self.matches.insert(made.id, LoggedMatch::made(made));
                    for ticket in made.lobby.tickets() {
                        self.waits_until(ticket, step.now, false);
                        let at = self.asked.get(&ticket).copied().unwrap_or(step.now);
                        if let Some(logged) = self.get(ticket) {
                            logged.matched = Some(at);
                        }
                    }
                }
                Decision::Failed {
                    match_id, returned, ..
                } => {
                    self.matches.remove(match_id);
                    for &ticket in returned {
                        self.waits_from(ticket, step.now);
                        if let Some(logged) = self.get(ticket) {
                            logged.matched = None;
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::load;
    use matchwright_queue::journal::JournalWriter;
    use matchwright_queue::{Event, MatchId, State, step};

    const POLICY: &str = "[queue]\n[[queue.windows]]\nof = 'skill'\nstart = 50\n";

    /// A journal of four tickets: 1 waits when it begins, 2 and 3 are matched by a match that fails, 3 is matched again
    /// with 4, and 2 leaves.
    fn journal() -> Vec<u8> {
        let mut loaded = load(toml::from_str(POLICY).unwrap()).unwrap();
        let mut state = State::new(loaded.label, loaded.settings);
        let policy = &mut *loaded.policy;
        let at = |seconds: i64| Time::from_millis(1000 * seconds);
        let create = |event, id, skill| Event::create(event, Ticket::of_one(id, id).with("skill", skill));
        step(&mut state, policy, at(1), &[create(1, 1, 5000.0)]).unwrap();
        let (mut writer, mut bytes) = JournalWriter::begin(POLICY, &state, policy).unwrap();
        for (second, events) in [
            (2, vec![create(2, 2, 1500.0)]),
            (3, vec![create(3, 3, 1520.0)]),
            (
                4,
                vec![
                    Event::new(4, EventKind::FailMatch(MatchId(1))),
                    Event::new(5, EventKind::cancel(2)),
                ],
            ),
            (9, vec![create(6, 4, 1540.0)]),
        ] {
            let outcome = step(&mut state, policy, at(second), &events).unwrap();
            bytes.extend(writer.step(at(second), &events, &outcome).unwrap());
        }
        bytes
    }

    #[test]
    fn a_journal_tells_when_each_ticket_came_and_how_it_ended() {
        let bytes = journal();
        assert!(TicketLog::is_journal(&bytes) && !TicketLog::is_journal(b"ticket,time\n"));
        let read = TicketLog::from_journal(&bytes).unwrap();
        assert_eq!(read.fault, None);
        let told: Vec<_> = read
            .log
            .tickets()
            .iter()
            .map(|one| {
                let seconds = |time: Time| time.millis() / 1000;
                (
                    one.ticket.id.0,
                    seconds(one.came),
                    one.left.map(seconds),
                    one.matched.map(seconds),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (1, 1, None, None),
                (2, 2, Some(4), None),
                (3, 3, None, Some(9)),
                (4, 9, None, Some(9))
            ]
        );
        // The match that failed never was.
        let matches = read.log.matches();
        assert_eq!(matches.len(), 1);
        let mut teams = matches[0].teams.clone();
        teams.sort_unstable();
        assert_eq!(teams, [[TicketId(3)], [TicketId(4)]]);
    }

    /// 1 and 2 are asked at 3 s, and 2 declines at 13 s; 1 waits again, is asked with 3 at 20 s, and both have accepted by
    /// 30 s. 4 gives up at 40 s; 5 and 6 are asked at 50 s, when 5 cancels at 55 s, which is a decline.
    #[test]
    fn who_is_asked_to_accept_does_not_wait_and_who_leaves_then_does_not_give_up() {
        let text = "[queue]\nacceptance = { within = 60 }\n[[queue.windows]]\nof = 'skill'\nstart = 50\n";
        let mut loaded = load(toml::from_str(text).unwrap()).unwrap();
        let mut state = State::new(loaded.label, loaded.settings);
        let policy = &mut *loaded.policy;
        let at = |seconds: i64| Time::from_millis(1000 * seconds);
        let (mut writer, mut bytes) = JournalWriter::begin(text, &state, policy).unwrap();
        let mut number = 0;
        let mut step_at = |second: i64, kinds: Vec<EventKind>| {
            let event = |kind| {
                number += 1;
                Event::new(number, kind)
            };
            let events: Vec<Event> = kinds.into_iter().map(event).collect();
            let outcome = step(&mut state, policy, at(second), &events).unwrap();
            bytes.extend(writer.step(at(second), &events, &outcome).unwrap());
        };
        let create = |id, skill| EventKind::Create(Ticket::of_one(id, id).with("skill", skill).into());
        let proposal = matchwright_queue::ProposalId;
        let accept = |of, player| EventKind::Accept {
            proposal: proposal(of),
            player: PlayerId(player),
        };
        step_at(1, vec![create(1, 1500.0)]);
        step_at(3, vec![create(2, 1520.0)]);
        let decline = EventKind::Decline {
            proposal: proposal(1),
            player: PlayerId(2),
        };
        step_at(13, vec![decline]);
        step_at(20, vec![create(3, 1500.0)]);
        step_at(25, vec![accept(2, 1), create(4, 3000.0)]);
        step_at(30, vec![accept(2, 3)]);
        step_at(40, vec![EventKind::cancel(4)]);
        step_at(45, vec![create(5, 1500.0)]);
        step_at(50, vec![create(6, 1500.0)]);
        step_at(55, vec![EventKind::cancel(5)]);
        // What decides nothing is not in the journal.
        step_at(60, vec![EventKind::Pause(String::new())]);
        let read = TicketLog::from_journal(&bytes).unwrap();
        let ends = read.log.tickets().iter().map(|one| (one.left, one.matched));
        let told: Vec<_> = ends.collect();
        assert_eq!(
            told,
            [
                (None, Some(at(20))),
                (Some(at(13)), None),
                (None, Some(at(20))),
                (Some(at(40)), None),
                (Some(at(55)), None),
                (None, None)
            ]
        );
        let mut waits: Vec<(f64, f64, bool)> = read
            .log
            .waits()
            .iter()
            .map(|wait| (wait.from, wait.to, wait.gave_up))
            .collect();
        waits.sort_by(|a, b| a.partial_cmp(b).unwrap());
        // Ticket 6 waits again from 55 s to the end of the journal.
        let never = [
            (0.0, 0.0),
            (0.0, 0.0),
            (0.0, 0.0),
            (0.0, 2.0),
            (0.0, 5.0),
            (5.0, 10.0),
            (12.0, 19.0),
        ];
        let mut expected: Vec<(f64, f64, bool)> = never
            .map(|(from, to)| (from, to, false))
            .into_iter()
            .chain([(0.0, 15.0, true)])
            .collect();
        expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(waits, expected);
        let fitted = read.log.fitted_patience().unwrap();
        assert_eq!((fitted.leavers, fitted.censored, fitted.unknown), (1, 5, 0));
        assert_eq!(fitted.mean_seconds, 34.0);
    }

    #[test]
    fn a_journal_that_is_cut_has_a_log_up_to_the_cut() {
        let bytes = journal();
        let read = TicketLog::from_journal(&bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(read.log.len(), 3);
        assert!(read.fault.is_some_and(|fault| fault.is_torn()));
        assert!(TicketLog::from_journal(&bytes[..20]).is_err());
    }
}
