//! [`Ledger`]: what the service knows beside its queue: names, requests, tickets, matches, results and ratings.
//!
//! It follows steps alone, so that it is the same after a crash.

mod backfill;
mod decisions;
mod entries;
mod views;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::io::Write;
use std::sync::Arc;

use matchwright_queue::TicketId;
use matchwright_queue::journal::StepRecord;
use matchwright_queue::live::Attached;
use serde::{Deserialize, Serialize};

use self::entries::Label;
pub(crate) use self::entries::{MatchEntry, Players, Request, Standing, TicketEntry};
use crate::note::{Gathering, NewMember, Note, Reported, decode};
use crate::ratings::Ratings;
use crate::view::{Left, Phase};

/// For how long what has ended is known, in milliseconds: a request that is asked again is told the same.
const REMEMBERED: i64 = 3_600_000;
/// The most matches and tickets that are forgotten in a step.
const FORGOTTEN: usize = 1024;
/// How long a match without a result lasts, in milliseconds: then it has ended.
const LONGEST_MATCH: i64 = 4 * 3_600_000;

/// What is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Over {
    #[serde(rename = "t")]
    Ticket(u64),
    /// With its tickets, unless it has failed.
    #[serde(rename = "m")]
    Match(u64),
}

/// The version of what is saved.
const VERSION: u8 = 1;

/// All that is saved, but for ratings. Trees, since a large table that grows would hold up the step in which it does.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Books {
    epoch: u32,
    next_event: u64,
    next_ticket: u64,
    next_player: u64,
    step: u64,
    /// Results that came in.
    results: u64,
    names: BTreeMap<u64, Arc<str>>,
    tickets: BTreeMap<u64, TicketEntry>,
    /// The last ticket of a player.
    ticket_of: BTreeMap<u64, u64>,
    matches: BTreeMap<u64, MatchEntry>,
    /// What many matches have in common.
    labels: Vec<Label>,
    gathering: BTreeMap<u64, Gathering>,
    /// When tickets that are not complete are gone.
    deadlines: BTreeSet<(i64, u64)>,
    /// Until when who left a match may not queue.
    cooldowns: BTreeMap<u64, i64>,
    /// What is over and since when, as it came.
    over: VecDeque<(i64, Over)>,
    /// How many of these are known, at most.
    known: usize,
}

impl Books {
    /// A match whose players are busy with it.
    fn match_on(&mut self, match_id: u64) -> Option<&mut MatchEntry> {
        self.matches.get_mut(&match_id).filter(|entry| entry.is_on())
    }
}

/// The books of a service.
#[derive(Default)]
pub(crate) struct Ledger {
    books: Books,
    // What follows from the books.
    numbers: HashMap<Arc<str>, u64>,
    /// The ticket of a subject's request.
    requests: HashMap<Arc<(String, String)>, u64>,
    /// The match that a player is in.
    playing: BTreeMap<u64, u64>,
    /// The match whose free places a ticket offers.
    backfills: BTreeMap<u64, u64>,
    /// When matches without a result have ended.
    longest: BTreeSet<(i64, u64)>,
    /// When players may queue again.
    cooled: BTreeSet<(i64, u64)>,
    ratings: Option<Ratings>,
    /// Whether there is a first note.
    has_begun: bool,
    /// Whether there was a ticket whose players must be seen.
    has_presence: bool,
    /// Who was let go in this step.
    gone: Vec<u64>,
    /// The tickets and matches that the last step has changed.
    changed: [BTreeSet<u64>; 2],
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
        self.books.names.get(&player).map_or("(erased)", |name| &**name)
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
        self.playing.get(&player).copied()
    }

    /// A ticket that is not complete.
    pub(crate) fn gathering(&self, ticket: u64) -> Option<&Gathering> {
        self.books.gathering.get(&ticket)
    }

    /// When the next ticket that is not complete is gone.
    pub(crate) fn next_deadline(&self) -> Option<(i64, u64)> {
        self.books.deadlines.first().copied()
    }

    /// Tickets that are not complete and should be by now.
    pub(crate) fn overdue(&self, now: i64) -> Vec<(i64, u64)> {
        let deadlines = self.books.deadlines.range(..=(now, u64::MAX));
        deadlines.copied().collect()
    }

    /// Until when a player who left a match may not queue.
    pub(crate) fn cooldown(&self, player: u64) -> Option<i64> {
        self.books.cooldowns.get(&player).copied()
    }

    /// Whether there may be tickets whose players must be seen.
    pub(crate) const fn has_presence(&self) -> bool {
        self.has_presence
    }

    /// The tickets that wait.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = u64> + '_ {
        let waits =
            |entry: &TicketEntry| matches!(entry.state, Standing::Waiting | Standing::Proposed { .. });
        let tickets = self.books.tickets.iter();
        tickets
            .filter(move |(_, entry)| waits(entry))
            .map(|(ticket, _)| *ticket)
    }

    /// The tickets that the last step has changed.
    pub(crate) const fn changed_tickets(&self) -> &BTreeSet<u64> {
        &self.changed[0]
    }

    /// Results that came in.
    pub(crate) const fn results(&self) -> u64 {
        self.books.results
    }

    /// The last step.
    pub(crate) const fn step(&self) -> u64 {
        self.books.step
    }

    /// The ticket that a subject's request asked for, and the hash of what it asked.
    pub(crate) fn request(&self, subject: &str, request: &str) -> Option<(u64, u64)> {
        let key = (subject.to_owned(), request.to_owned());
        let ticket = *self.requests.get(&key)?;
        let request = self.ticket(ticket)?.request.as_ref()?;
        Some((ticket, request.hash))
    }

    fn note(&mut self, note: Note, now: i64) -> Result<(), String> {
        match note {
            Note::Begin {
                epoch,
                ratings,
                known,
            } => {
                (self.books.epoch, self.books.known) = (epoch, known);
                self.has_begun = true;
                let restore =
                    |saved: Vec<u8>| Ratings::restore(&mut cbor2::de::Deserializer::from_slice(&saved));
                self.ratings = ratings.map(restore).transpose()?;
            }
            Note::Player { number, name } => {
                self.books.next_player = self.books.next_player.max(number + 1);
                let name: Arc<str> = name.into();
                self.numbers.insert(Arc::clone(&name), number);
                self.books.names.insert(number, name);
            }
            Note::Request {
                ticket,
                subject,
                request,
                hash,
            } => {
                if let Some(entry) = self.books.tickets.get_mut(&ticket) {
                    let key = Arc::new((subject, request));
                    self.requests.insert(Arc::clone(&key), ticket);
                    entry.request = Some(Request { key, hash });
                }
            }
            Note::Gathering { ticket, gathering } => self.gather(ticket, gathering, now),
            Note::Joined { ticket, member } => self.join(ticket, member),
            Note::Dissolved { ticket, reason } => {
                if self.end_gathering(ticket) {
                    self.leave(TicketId(ticket), reason, now);
                }
            }
            Note::LeftMatch {
                ticket,
                player,
                until,
            } => {
                self.stand(TicketId(ticket), Standing::Left(Left::LeftMatch));
                self.books.cooldowns.insert(player, until);
                self.cooled.insert((until, player));
            }
            Note::Started { match_id } => self.start(match_id),
            Note::Lost { match_id, left } => self.lose(match_id, &left, now),
            Note::Backfill { match_id, ticket } => self.seek_others(match_id, ticket),
            Note::Presence { ticket, within } => {
                self.has_presence = true;
                if let Some(entry) = self.books.tickets.get_mut(&ticket) {
                    entry.heartbeat = within;
                }
            }
            Note::Abandoned { ticket } => self.stand(TicketId(ticket), Standing::Left(Left::Abandoned)),
            Note::Erased { player } => self.erase(player),
            Note::Assigned { match_id, connection } => {
                if let Some(entry) = self.books.matches.get_mut(&match_id) {
                    entry.connection = Some(connection.into());
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
                    _ => entry.places.is_some(),
                };
                // One that can no longer be taken back stays; the answer says so.
                entry.is_retracted |= taken_back;
                if taken_back {
                    entry.rated = None;
                    entry.version = self.books.step;
                    self.changed[1].insert(match_id);
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
        let players = |(_, players): (u64, Players)| players;
        let team = |team: Vec<(u64, Players)>| team.into_iter().map(players).collect();
        let teams = entry.sides().into_iter().map(team);
        let sides: Vec<(u32, Vec<Players>)> = reported.places.iter().copied().zip(teams).collect();
        // One that a whole team has left is not rated.
        let is_whole = sides.iter().all(|(_, team)| !team.is_empty());
        let ratings = self.ratings.as_mut().filter(|_| is_whole);
        let added = ratings.map(|ratings| ratings.add(reported.played_at, &sides));
        // One that cannot be rated stays without a result; the answer says so.
        let Ok(rated) = added.transpose() else {
            return;
        };
        entry.end_with(reported, rated);
        self.books.results += 1;
        self.end(match_id, Phase::Ended, now);
    }

    /// A match is over: its players are free, and it is forgotten after a while.
    fn end(&mut self, match_id: u64, phase: Phase, now: i64) {
        let Some(entry) = self.books.match_on(match_id) else {
            return;
        };
        entry.phase = phase;
        for player in &entry.players {
            self.playing.remove(player);
        }
        if let Some(search) = entry.backfill {
            self.backfills.remove(&search);
        }
        self.longest.remove(&(entry.until, match_id));
        self.touch(match_id);
        self.books.over.push_back((now, Over::Match(match_id)));
    }

    /// A match is played.
    fn start(&mut self, match_id: u64) {
        let entry = self.books.match_on(match_id);
        if let Some(entry) = entry.filter(|entry| entry.phase != Phase::Started) {
            entry.phase = Phase::Started;
            self.touch(match_id);
        }
    }

    /// The tickets of a match have changed.
    fn touch(&mut self, match_id: u64) {
        let step = self.books.step;
        let Some(entry) = self.books.matches.get_mut(&match_id) else {
            return;
        };
        entry.version = step;
        self.changed[1].insert(match_id);
        for number in entry.tickets() {
            if let Some(ticket) = self.books.tickets.get_mut(&number) {
                ticket.version = step;
                self.changed[0].insert(number);
            }
        }
    }

    fn stand(&mut self, ticket: TicketId, state: Standing) {
        let step = self.books.step;
        if let Some(entry) = self.books.tickets.get_mut(&ticket.0) {
            entry.state = state;
            entry.version = step;
            self.changed[0].insert(ticket.0);
        }
    }

    /// Players wait for others who are to join them.
    fn gather(&mut self, ticket: u64, gathering: Gathering, now: i64) {
        let here = gathering.here.iter().map(|member| member.number);
        let players = here.chain(gathering.missing.iter().copied()).collect();
        for member in &gathering.here {
            self.books.ticket_of.insert(member.number, ticket);
        }
        self.books.deadlines.insert((gathering.deadline, ticket));
        self.books.gathering.insert(ticket, gathering);
        self.enter(ticket, players, Standing::Gathering, now);
    }

    /// Whether the ticket was not complete; it is no longer so.
    fn end_gathering(&mut self, ticket: u64) -> bool {
        let ended = self.books.gathering.remove(&ticket);
        let deadline = ended.map(|gathering| (gathering.deadline, ticket));
        deadline.is_some_and(|deadline| self.books.deadlines.remove(&deadline))
    }

    fn join(&mut self, ticket: u64, member: NewMember) {
        let Some(gathering) = self.books.gathering.get_mut(&ticket) else {
            return;
        };
        gathering.missing.retain(|missing| *missing != member.number);
        self.books.ticket_of.insert(member.number, ticket);
        gathering.here.push(member);
        self.stand(TicketId(ticket), Standing::Gathering);
    }

    /// A player is known no more: its name is gone, and its rating.
    fn erase(&mut self, player: u64) {
        if let Some(name) = self.books.names.remove(&player) {
            self.numbers.remove(&name);
            self.requests.retain(|key, _| *key.0 != *name);
            for entry in self.books.tickets.values_mut() {
                entry.request.take_if(|request| *request.key.0 == *name);
            }
        }
        self.books.ticket_of.remove(&player);
        self.books.cooldowns.remove(&player);
        if let Some(ratings) = &mut self.ratings {
            ratings.forget(player);
        }
    }

    fn leave(&mut self, ticket: TicketId, reason: Left, now: i64) {
        self.stand(ticket, Standing::Left(reason));
        self.books.over.push_back((now, Over::Ticket(ticket.0)));
    }

    /// Ends what has lasted too long, and forgets what has ended long ago or is too much to be known.
    fn forget(&mut self, now: i64) {
        while let Some(&(_, match_id)) = self.longest.first().filter(|first| first.0 <= now) {
            self.longest.pop_first();
            self.end(match_id, Phase::Ended, now);
        }
        while let Some(&(_, player)) = self.cooled.first().filter(|first| first.0 <= now) {
            self.cooled.pop_first();
            if self.cooldown(player).is_some_and(|until| until <= now) {
                self.books.cooldowns.remove(&player);
            }
        }
        // After a pause there may be much of it.
        for _ in 0..FORGOTTEN {
            let is_known = |since: i64| since.saturating_add(REMEMBERED) > now;
            match self.books.over.front() {
                Some(first) if self.books.over.len() <= self.books.known && is_known(first.0) => return,
                _ => {}
            }
            match self.books.over.pop_front() {
                Some((_, Over::Match(match_id))) => self.forget_match(match_id),
                Some((_, Over::Ticket(ticket))) => self.forget_ticket(ticket),
                None => return,
            }
        }
    }

    fn forget_match(&mut self, match_id: u64) {
        let entry = self.books.matches.remove(&match_id);
        if let Some(entry) = entry.filter(|entry| entry.phase != Phase::Failed) {
            entry.tickets().for_each(|ticket| self.forget_ticket(ticket));
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
            self.requests.remove(&request.key);
        }
        for player in entry.players {
            self.let_go(player, ticket);
        }
    }

    /// A player is in a ticket no more; perhaps in none.
    fn let_go(&mut self, player: u64, ticket: u64) {
        if self.ticket_of(player) == Some(ticket) {
            self.books.ticket_of.remove(&player);
        }
        self.gone.push(player);
    }

    /// Forgets the names of those who were let go and are in no ticket by the end of the step, unless they are rated or others wait for
    /// them.
    fn forget_names(&mut self) {
        let (books, ratings) = (&self.books, self.ratings.as_ref());
        let is_rated = |player: u64| ratings.is_some_and(|ratings| ratings.of(Some(player)).games > 0);
        let mut gone = std::mem::take(&mut self.gone);
        gone.retain(|player| !books.ticket_of.contains_key(player) && !is_rated(*player));
        if gone.is_empty() {
            return;
        }
        let missing = books.gathering.values().flat_map(|gathering| &gathering.missing);
        let missing: BTreeSet<u64> = missing.copied().collect();
        for player in gone.into_iter().filter(|player| !missing.contains(player)) {
            if let Some(name) = self.books.names.remove(&player) {
                self.numbers.remove(&name);
            }
        }
    }
}

impl Ledger {
    /// Computes what follows from the books.
    fn index(&mut self) {
        let Books {
            names,
            tickets,
            matches,
            cooldowns,
            ..
        } = &self.books;
        self.numbers = names
            .iter()
            .map(|(number, name)| (Arc::clone(name), *number))
            .collect();
        let requests = tickets
            .iter()
            .filter_map(|(number, entry)| Some((Arc::clone(&entry.request.as_ref()?.key), *number)));
        self.requests = requests.collect();
        self.has_presence = tickets.values().any(|entry| entry.heartbeat > 0);
        self.cooled = cooldowns
            .iter()
            .map(|(player, until)| (*until, *player))
            .collect();
        for (number, entry) in matches.iter().filter(|(_, entry)| entry.is_on()) {
            self.longest.insert((entry.until, *number));
            self.playing
                .extend(entry.players.iter().map(|player| (*player, *number)));
            self.backfills
                .extend(entry.backfill.map(|ticket| (ticket, *number)));
        }
    }
}

impl Attached for Ledger {
    fn follow(&mut self, record: &StepRecord, attached: &[u8]) -> Result<(), String> {
        self.books.step += 1;
        self.changed.iter_mut().for_each(BTreeSet::clear);
        let now = record.now.millis();
        // What ends in this step is known at least until its answers are given.
        self.forget(now);
        for event in &record.events {
            self.books.next_event = self.books.next_event.max(event.id.0 + 1);
        }
        let (before, after): (Vec<Note>, Vec<Note>) = decode(attached)?.into_iter().partition(|note| {
            matches!(
                note,
                Note::Begin { .. } | Note::Player { .. } | Note::Lost { .. } | Note::Backfill { .. }
            )
        });
        before.into_iter().try_for_each(|note| self.note(note, now))?;
        for decision in &record.outcome.decisions {
            self.decision(record, decision);
        }
        after.into_iter().try_for_each(|note| self.note(note, now))?;
        self.forget_names();
        Ok(())
    }

    fn save(&self, to: &mut dyn Write) -> Result<(), String> {
        let ratings = self.ratings.as_ref().map(Ratings::saved).transpose()?;
        let all = (VERSION, &self.books, self.has_begun, ratings.is_some());
        let mut to = to;
        cbor2::to_writer(&all, &mut to).map_err(|error| error.to_string())?;
        match ratings {
            Some(ratings) => cbor2::to_writer(&ratings, &mut to).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn restore(from: &[u8]) -> Result<Self, String> {
        let mut values = cbor2::de::Deserializer::from_slice(from);
        let (version, books, has_begun, has_ratings) =
            <(u8, Books, bool, bool)>::deserialize(&mut values).map_err(|error| error.to_string())?;
        if version != VERSION {
            return Err(format!(
                "books of version {version}, and this program knows version {VERSION}"
            ));
        }
        let ratings = has_ratings.then(|| Ratings::restore(&mut values)).transpose()?;
        let mut ledger = Self {
            books,
            ratings,
            has_begun,
            ..Self::default()
        };
        ledger.index();
        Ok(ledger)
    }
}
