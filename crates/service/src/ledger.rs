//! [`Ledger`]: what the service knows beside its queue: names, requests, tickets, matches, results and ratings.
//!
//! It follows steps alone, so that it is the same after a crash.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};

use matchwright_queue::journal::StepRecord;
use matchwright_queue::live::Attached;
use matchwright_queue::{Decision, EventKind, LeaveReason, Match, TicketId};
use matchwright_rating::store::GameNumber;
use serde::{Deserialize, Serialize};

use crate::note::{Note, Reported, decode};
use crate::ratings::Ratings;
use crate::view::{Left, MatchView, Phase, PlayerView, TicketState, TicketView};

/// For how long what has ended is known, in milliseconds: a request that is asked again is told the same.
const REMEMBERED: i64 = 3_600_000;
/// After so long without a result a match has ended, in milliseconds.
const LONGEST_MATCH: i64 = 4 * 3_600_000;

/// A ticket that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TicketEntry {
    pub(crate) players: Vec<u64>,
    pub(crate) state: Standing,
    /// The step of its last change.
    pub(crate) version: u64,
    /// The request that asked for it.
    request: Option<(String, String)>,
}

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Standing {
    Waiting,
    Proposed { proposal: u64, deadline: i64 },
    Matched(u64),
    Left(Left),
}

/// A match that is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MatchEntry {
    queue: String,
    region: Option<String>,
    /// The players of each ticket of each team.
    pub(crate) teams: Vec<Vec<Vec<u64>>>,
    pub(crate) tickets: Vec<u64>,
    policy: [String; 2],
    made: i64,
    pub(crate) phase: Phase,
    connection: Option<String>,
    pub(crate) result: Option<Reported>,
    /// Its number among the results that are rated.
    rated: Option<GameNumber>,
    is_retracted: bool,
}

impl MatchEntry {
    fn players(&self) -> impl Iterator<Item = u64> + '_ {
        self.teams.iter().flatten().flatten().copied()
    }

    /// Whether its players are busy with it.
    const fn is_on(&self) -> bool {
        matches!(self.phase, Phase::Allocating | Phase::Assigned | Phase::Started)
    }
}

/// A request that was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestEntry {
    /// Of what was asked for.
    pub(crate) hash: u64,
    pub(crate) ticket: u64,
}

/// What is forgotten at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Forgotten {
    Ticket(u64),
    Match(u64),
    /// A match that has no result by then has ended.
    LongMatch(u64),
}

/// All that is saved, but for ratings.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Books {
    epoch: u32,
    next_event: u64,
    next_ticket: u64,
    next_player: u64,
    step: u64,
    names: HashMap<u64, String>,
    tickets: HashMap<u64, TicketEntry>,
    /// The last ticket of a player.
    ticket_of: HashMap<u64, u64>,
    matches: HashMap<u64, MatchEntry>,
    playing: HashMap<u64, u64>,
    /// By subject and request.
    requests: HashMap<(String, String), RequestEntry>,
    forget: BTreeMap<i64, Vec<Forgotten>>,
}

/// The books of a service.
#[derive(Default)]
pub(crate) struct Ledger {
    books: Books,
    numbers: HashMap<String, u64>,
    ratings: Option<Ratings>,
    /// Whether there is a first note.
    has_begun: bool,
}

impl Ledger {
    pub(crate) const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The number of the next event, ticket and player.
    pub(crate) const fn next(&self) -> [u64; 3] {
        let Books {
            next_event,
            next_ticket,
            next_player,
            ..
        } = self.books;
        [next_event, next_ticket, next_player]
    }

    pub(crate) fn ratings(&self) -> Option<&Ratings> {
        self.ratings.as_ref()
    }

    /// The number of a player who is known.
    pub(crate) fn player(&self, name: &str) -> Option<u64> {
        self.numbers.get(name).copied()
    }

    /// What a player is called.
    pub(crate) fn name(&self, player: u64) -> &str {
        self.books.names.get(&player).map_or("", String::as_str)
    }

    pub(crate) fn ticket(&self, ticket: u64) -> Option<&TicketEntry> {
        self.books.tickets.get(&ticket)
    }

    pub(crate) fn ticket_of(&self, player: u64) -> Option<u64> {
        self.books.ticket_of.get(&player).copied()
    }

    pub(crate) fn match_entry(&self, match_id: u64) -> Option<&MatchEntry> {
        self.books.matches.get(&match_id)
    }

    /// The match that a player is in.
    pub(crate) fn playing(&self, player: u64) -> Option<u64> {
        self.books.playing.get(&player).copied()
    }

    pub(crate) fn request(&self, subject: &str, request: &str) -> Option<RequestEntry> {
        let key = (subject.to_owned(), request.to_owned());
        self.books.requests.get(&key).copied()
    }

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
        let team = |team: &Vec<Vec<u64>>| {
            let players = team.iter().flatten();
            players.map(|player| self.name(*player).to_owned()).collect()
        };
        Some(MatchView {
            id: self.id('m', match_id),
            queue: entry.queue.clone(),
            region: entry.region.clone(),
            teams: entry.teams.iter().map(team).collect(),
            policy: entry.policy.clone(),
            phase: entry.phase,
            connection: entry.connection.clone(),
            places: entry.result.as_ref().map(|result| result.places.clone()),
            is_retracted: entry.is_retracted,
        })
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

    fn note(&mut self, note: Note, now: i64) -> Result<(), String> {
        match note {
            Note::Begin { epoch, ratings } => {
                self.books.epoch = epoch;
                self.has_begun = true;
                let restore =
                    |saved: Vec<u8>| Ratings::restore(&mut cbor2::de::Deserializer::from_slice(&saved));
                self.ratings = ratings.map(restore).transpose()?;
            }
            Note::Player { number, name } => {
                self.books.next_player = self.books.next_player.max(number + 1);
                self.numbers.insert(name.clone(), number);
                self.books.names.insert(number, name);
            }
            Note::Request {
                ticket,
                subject,
                request,
                hash,
            } => {
                let key = (subject, request);
                if let Some(entry) = self.books.tickets.get_mut(&ticket) {
                    entry.request = Some(key.clone());
                }
                self.books.requests.insert(key, RequestEntry { hash, ticket });
            }
            Note::Assigned { match_id, connection } => {
                if let Some(entry) = self.books.matches.get_mut(&match_id) {
                    entry.connection = Some(connection);
                    entry.phase = Phase::Assigned;
                    self.touch(match_id);
                }
            }
            Note::Result(reported) => self.result(reported, now),
            Note::Retracted { match_id } => {
                let Some(entry) = self.books.matches.get_mut(&match_id) else {
                    return Ok(());
                };
                let taken_back = match (entry.rated, &mut self.ratings) {
                    (Some(number), Some(ratings)) => ratings.retract(number).is_ok(),
                    _ => entry.result.is_some(),
                };
                // One that can no longer be taken back stays; the answer says so.
                entry.is_retracted |= taken_back;
                if taken_back {
                    entry.rated = None;
                }
            }
        }
        Ok(())
    }

    fn result(&mut self, reported: Reported, now: i64) {
        let match_id = reported.match_id;
        let Some(entry) = self.books.matches.get_mut(&match_id) else {
            return;
        };
        let sides = reported
            .places
            .iter()
            .copied()
            .zip(entry.teams.iter().map(Vec::as_slice));
        let sides: Vec<_> = sides.collect();
        if let Some(ratings) = &mut self.ratings {
            match ratings.add(reported.played_at, &sides) {
                Ok(number) => entry.rated = Some(number),
                // It stays without a result; the answer says so.
                Err(_) => return,
            }
        }
        entry.result = Some(reported);
        self.end(match_id, Phase::Ended, now);
    }

    /// A match is over: its players are free, and it is forgotten after a while.
    fn end(&mut self, match_id: u64, phase: Phase, now: i64) {
        let Some(entry) = self
            .books
            .matches
            .get_mut(&match_id)
            .filter(|entry| entry.is_on())
        else {
            return;
        };
        entry.phase = phase;
        for player in entry.players() {
            self.books.playing.remove(&player);
        }
        self.touch(match_id);
        let entry = &self.books.matches[&match_id];
        let tickets = entry.tickets.iter().map(|ticket| Forgotten::Ticket(*ticket));
        let at = self.books.forget.entry(now + REMEMBERED).or_default();
        if phase != Phase::Failed {
            at.extend(tickets);
        }
        at.push(Forgotten::Match(match_id));
    }

    /// The tickets of a match have changed.
    fn touch(&mut self, match_id: u64) {
        let step = self.books.step;
        let Some(entry) = self.books.matches.get(&match_id) else {
            return;
        };
        for ticket in &entry.tickets {
            if let Some(ticket) = self.books.tickets.get_mut(ticket) {
                ticket.version = step;
            }
        }
    }

    fn stand(&mut self, ticket: TicketId, state: Standing) {
        let step = self.books.step;
        if let Some(entry) = self.books.tickets.get_mut(&ticket.0) {
            entry.state = state;
            entry.version = step;
        }
    }

    fn leave(&mut self, ticket: TicketId, reason: Left, now: i64) {
        self.stand(ticket, Standing::Left(reason));
        let at = self.books.forget.entry(now + REMEMBERED).or_default();
        at.push(Forgotten::Ticket(ticket.0));
    }

    fn decision(&mut self, record: &StepRecord, decision: &Decision) {
        let now = record.now.millis();
        match decision {
            Decision::Admitted { event, ticket, .. } => {
                let created = record.events.get(*event).map(|event| &event.kind);
                if let Some(EventKind::Create(created)) = created {
                    let players = created.players.iter().map(|member| member.id.0).collect();
                    self.admit(ticket.0, players);
                }
            }
            Decision::Edited { event, ticket, .. } => {
                let edited = record.events.get(*event).map(|event| &event.kind);
                if let Some(EventKind::Edit { players, .. }) = edited {
                    let players: Vec<u64> = players.iter().map(|member| member.id.0).collect();
                    for player in &players {
                        self.books.ticket_of.insert(*player, ticket.0);
                    }
                    if let Some(entry) = self.books.tickets.get_mut(&ticket.0) {
                        entry.players = players;
                    }
                    self.stand(*ticket, Standing::Waiting);
                }
            }
            Decision::Left { ticket, reason } => {
                self.leave(*ticket, left(*reason), now);
            }
            Decision::Proposed(proposal) => {
                for ticket in proposal.lobby.tickets() {
                    self.stand(
                        ticket,
                        Standing::Proposed {
                            proposal: proposal.id.0,
                            deadline: proposal.deadline.millis(),
                        },
                    );
                }
            }
            Decision::Ended { returned, .. } => {
                for ticket in returned {
                    self.stand(*ticket, Standing::Waiting);
                }
            }
            Decision::Matched(made) => self.matched(made, now),
            Decision::Failed { match_id, returned } => {
                self.end(match_id.0, Phase::Failed, now);
                let entry = self.books.matches.get(&match_id.0);
                let lost = entry.map_or_else(Vec::new, |entry| entry.tickets.clone());
                for ticket in returned {
                    self.stand(*ticket, Standing::Waiting);
                }
                // Their players wait elsewhere by now, or the policy has no place for them.
                for ticket in lost
                    .into_iter()
                    .map(TicketId)
                    .filter(|ticket| !returned.contains(ticket))
                {
                    self.leave(ticket, Left::Cancelled, now);
                }
            }
            Decision::Confirmed { match_id } => {
                if let Some(entry) = self
                    .books
                    .matches
                    .get_mut(&match_id.0)
                    .filter(|entry| entry.is_on())
                {
                    entry.phase = Phase::Started;
                    self.touch(match_id.0);
                }
            }
            _ => {}
        }
    }

    fn admit(&mut self, ticket: u64, players: Vec<u64>) {
        for player in &players {
            self.books.ticket_of.insert(*player, ticket);
        }
        self.books.next_ticket = self.books.next_ticket.max(ticket + 1);
        let entry = TicketEntry {
            players,
            state: Standing::Waiting,
            version: self.books.step,
            request: None,
        };
        self.books.tickets.insert(ticket, entry);
    }

    fn matched(&mut self, made: &Match, now: i64) {
        let players = |ticket: &TicketId| {
            let entry = self.books.tickets.get(&ticket.0);
            entry.map_or_else(Vec::new, |entry| entry.players.clone())
        };
        let teams = made.lobby.teams.iter();
        let teams = teams.map(|team| team.iter().map(players).collect());
        let entry = MatchEntry {
            queue: made.lobby.queue.to_string(),
            region: made.lobby.region.as_ref().map(ToString::to_string),
            teams: teams.collect(),
            tickets: made.lobby.tickets().map(|ticket| ticket.0).collect(),
            policy: [made.policy.name.clone(), made.policy.version.clone()],
            made: now,
            phase: Phase::Allocating,
            connection: None,
            result: None,
            rated: None,
            is_retracted: false,
        };
        for player in entry.players() {
            self.books.playing.insert(player, made.id.0);
        }
        self.books.matches.insert(made.id.0, entry);
        for ticket in made.lobby.tickets() {
            self.stand(ticket, Standing::Matched(made.id.0));
        }
        let at = self.books.forget.entry(now + LONGEST_MATCH).or_default();
        at.push(Forgotten::LongMatch(made.id.0));
    }

    /// Forgets what has ended long ago.
    fn forget(&mut self, now: i64) {
        while let Some(first) = self
            .books
            .forget
            .first_entry()
            .filter(|first| *first.key() <= now)
        {
            for forgotten in first.remove() {
                match forgotten {
                    Forgotten::LongMatch(match_id) => self.end(match_id, Phase::Ended, now),
                    Forgotten::Match(match_id) => _ = self.books.matches.remove(&match_id),
                    Forgotten::Ticket(ticket) => self.forget_ticket(ticket),
                }
            }
        }
    }

    fn forget_ticket(&mut self, ticket: u64) {
        // One that waits again after a failed match is not over.
        let entry = self.books.tickets.get(&ticket);
        let is_over = |entry: &TicketEntry| matches!(entry.state, Standing::Left(_) | Standing::Matched(_));
        if !entry.is_some_and(is_over) {
            return;
        }
        let Some(entry) = self.books.tickets.remove(&ticket) else {
            return;
        };
        if let Some(request) = entry.request {
            self.books.requests.remove(&request);
        }
        for player in entry.players {
            if self.ticket_of(player) == Some(ticket) {
                self.books.ticket_of.remove(&player);
                let is_rated = self
                    .ratings
                    .as_ref()
                    .is_some_and(|ratings| ratings.of(Some(player)).games > 0);
                if !is_rated && let Some(name) = self.books.names.remove(&player) {
                    self.numbers.remove(&name);
                }
            }
        }
    }
}

impl Attached for Ledger {
    fn follow(&mut self, record: &StepRecord, attached: &[u8]) -> Result<(), String> {
        self.books.step += 1;
        let now = record.now.millis();
        for event in &record.events {
            self.books.next_event = self.books.next_event.max(event.id.0 + 1);
        }
        let (before, after): (Vec<Note>, Vec<Note>) = decode(attached)?
            .into_iter()
            .partition(|note| matches!(note, Note::Begin { .. } | Note::Player { .. }));
        before.into_iter().try_for_each(|note| self.note(note, now))?;
        for decision in &record.outcome.decisions {
            self.decision(record, decision);
        }
        after.into_iter().try_for_each(|note| self.note(note, now))?;
        self.forget(now);
        Ok(())
    }

    fn save(&self, to: &mut dyn Write) -> Result<(), String> {
        let ratings = self.ratings.as_ref().map(Ratings::saved);
        let all = (&self.books, self.has_begun, ratings.is_some());
        let mut to = to;
        cbor2::to_writer(&all, &mut to).map_err(|error| error.to_string())?;
        match ratings {
            Some(ratings) => cbor2::to_writer(&ratings, &mut to).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn restore(from: &mut dyn Read) -> Result<Self, String> {
        let mut values = cbor2::de::Deserializer::from_reader(from);
        let (books, has_begun, has_ratings) =
            <(Books, bool, bool)>::deserialize(&mut values).map_err(|error| error.to_string())?;
        let ratings = has_ratings.then(|| Ratings::restore(&mut values)).transpose()?;
        let numbers = books.names.iter().map(|(number, name)| (name.clone(), *number));
        Ok(Self {
            numbers: numbers.collect(),
            books,
            ratings,
            has_begun,
        })
    }
}

fn left(reason: LeaveReason) -> Left {
    match reason {
        LeaveReason::Cancelled => Left::Cancelled,
        LeaveReason::Expired => Left::Expired,
        LeaveReason::Declined => Left::Declined,
        LeaveReason::TimedOut => Left::TimedOut,
    }
}
