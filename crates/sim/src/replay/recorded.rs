//! [`recorded`]: what really happened in a log, judged as policies are.

use std::collections::HashMap;

use matchwright_queue::{Match, Ticket, TicketId, Time};

use super::judge::Judge;
use super::log::{LoggedTicket, TicketLog};
use super::run::{Fate, Replay, ReplayedMatch};

/// A match that really was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedMatch {
    /// Its number.
    pub id: u64,
    /// The queue that made it, and where it was played, as far as they are told.
    pub queue: String,
    /// See `queue`.
    pub region: Option<String>,
    /// The tickets of each team. A single list: who played with whom is not told. An empty one: a team that is not in the log.
    pub teams: Vec<Vec<TicketId>>,
}

/// A ticket of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchMember<'a> {
    /// The ticket.
    pub ticket: TicketId,
    /// Its players.
    pub players: usize,
    /// Its team, if that is told.
    pub team: Option<&'a str>,
}

impl LoggedMatch {
    /// Of these tickets. Their teams are as told; two tickets of as many players are a team each. O(tickets x teams).
    #[must_use]
    pub fn of(id: u64, members: &[MatchMember<'_>]) -> Self {
        let tickets = || members.iter().map(|member| member.ticket);
        let mut by_team: Vec<(&str, Vec<TicketId>)> = Vec::new();
        for (team, member) in members.iter().filter_map(|member| Some((member.team?, member))) {
            match by_team.iter_mut().find(|(known, _)| *known == team) {
                Some((_, tickets)) => tickets.push(member.ticket),
                None => by_team.push((team, vec![member.ticket])),
            }
        }
        let teams = match members {
            _ if members.iter().all(|member| member.team.is_some()) => {
                let is_one = by_team.len() == 1;
                let told = by_team.into_iter().map(|(_, tickets)| tickets);
                told.chain(is_one.then(Vec::new)).collect()
            }
            [one, other] if by_team.is_empty() && one.players == other.players => {
                tickets().map(|ticket| vec![ticket]).collect()
            }
            _ => vec![tickets().collect()],
        };
        Self {
            id,
            queue: String::new(),
            region: None,
            teams,
        }
    }

    /// One that our queue made.
    pub(super) fn made(made: &Match) -> Self {
        Self {
            id: made.id.0,
            queue: made.lobby.queue.to_string(),
            region: made.lobby.region.as_ref().map(ToString::to_string),
            teams: made.lobby.teams.clone(),
        }
    }

    fn tickets(&self) -> impl Iterator<Item = &TicketId> {
        self.teams.iter().flatten()
    }
}

/// What really happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// As a replay is told. Without costs are tickets that are not known well enough.
    pub replay: Replay,
    /// What cannot be compared.
    pub unknown: NotRecorded,
}

/// What a log does not tell of what happened: how many tickets or matches each is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct NotRecorded {
    /// Tickets without an end: whether they left or had a match is not told.
    pub ends: usize,
    /// Tickets of matches without the time at which they were matched.
    pub waits: usize,
    /// Matched tickets whose match is not named.
    pub matches: usize,
    /// Matches of one ticket or one team: others who were in it are not in the log.
    pub alone: usize,
    /// Matches whose teams are not told.
    pub teams: usize,
    /// Matches that what judges cannot judge.
    pub unjudged: usize,
}

impl NotRecorded {
    /// In words, one line for each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let tickets = |count: usize| match count {
            1 => "1 ticket".to_owned(),
            count => format!("{count} tickets"),
        };
        let matches = |count: usize| match count {
            1 => "1 match".to_owned(),
            count => format!("{count} matches"),
        };
        let all = [
            (
                self.ends,
                format!("how {} ended is not in the log", tickets(self.ends)),
            ),
            (
                self.waits,
                format!(
                    "when {} of a match stopped waiting is not in the log",
                    tickets(self.waits)
                ),
            ),
            (
                self.matches,
                format!(
                    "with whom {} played is not in the log: a column `match` names the match",
                    tickets(self.matches)
                ),
            ),
            (
                self.alone,
                format!("{} had players who are not in the log", matches(self.alone)),
            ),
            (
                self.unjudged,
                format!("{} cannot be judged by the objective", matches(self.unjudged)),
            ),
            (
                self.teams,
                format!(
                    "the teams of {} are not in the log: a column `team` names them",
                    matches(self.teams)
                ),
            ),
        ];
        all.into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(_, words)| words)
            .collect()
    }
}

/// What really happened to the tickets of a log that ends this many seconds after its last ticket came, by the same
/// objective as any policy: when they left or were matched, and how bad their matches were. What happened later had not by
/// the end of the log. `None` if no ticket was matched.
///
/// A ticket has costs if its end and wait are told, and if it was matched also the teams of its match. O(n).
#[must_use]
pub fn recorded(log: &TicketLog, judge: &Judge, tail: f64) -> Option<Recorded> {
    let end = log.end(tail);
    let mut unknown = NotRecorded::default();
    let in_match: HashMap<TicketId, u64> = log
        .matches()
        .iter()
        .flat_map(|made| made.tickets().map(|ticket| (*ticket, made.id)))
        .collect();
    let is_matched = |one: &LoggedTicket| one.matched.is_some() || in_match.contains_key(&one.ticket.id);
    log.tickets().iter().find(|one| is_matched(one))?;
    let matches = matches(log, judge, end, &mut unknown);
    let shares = judge.shares(log, &matches);
    let mut one = |logged: &LoggedTicket| {
        let made = in_match.get(&logged.ticket.id).copied();
        let (fate, ended) = match (logged.left, logged.matched, made) {
            (Some(at), ..) | (_, Some(at), _) if at > end => (Fate::Waits, Some(end)),
            (Some(left), ..) => (Fate::Left, Some(left)),
            (_, matched, Some(made)) => {
                unknown.waits += usize::from(matched.is_none());
                (Fate::Matched(made), matched)
            }
            (_, Some(matched), None) => {
                unknown.matches += 1;
                (Fate::Matched(0), Some(matched))
            }
            (None, None, None) => {
                unknown.ends += 1;
                (Fate::Unknown, None)
            }
        };
        let waited = ended.map_or(f64::NAN, |ended| ended.seconds_since(logged.came));
        judge.judged(logged, fate, waited, &shares)
    };
    let tickets = log.tickets().iter().map(&mut one).collect();
    let replay = Replay {
        tickets,
        matches,
        ..Replay::default()
    };
    Some(Recorded { replay, unknown })
}

/// The matches that were made by then, in the order in which they were; those without known teams are counted.
fn matches(log: &TicketLog, judge: &Judge, end: Time, unknown: &mut NotRecorded) -> Vec<ReplayedMatch> {
    let known: HashMap<TicketId, &LoggedTicket> =
        log.tickets().iter().map(|one| (one.ticket.id, one)).collect();
    let mut made: Vec<ReplayedMatch> = Vec::new();
    for one in log.matches() {
        let at = |ticket: &TicketId| {
            let logged = known.get(ticket)?;
            Some(logged.matched.unwrap_or(logged.came))
        };
        let times = || one.tickets().filter_map(at);
        let (first, at) = (
            times().min().unwrap_or_default(),
            times().max().unwrap_or_default(),
        );
        if first > end {
            continue;
        }
        let ticket = |ticket: &TicketId| Some(&known.get(ticket)?.ticket);
        let teams: Vec<Vec<&Ticket>> = one
            .teams
            .iter()
            .map(|team| team.iter().filter_map(ticket).collect())
            .collect();
        let is_alone = one.tickets().count() == 1 || one.teams.iter().any(Vec::is_empty);
        if is_alone || teams.len() < 2 {
            unknown.alone += usize::from(is_alone);
            unknown.teams += usize::from(!is_alone);
            continue;
        }
        let mismatch = judge.mismatch(&teams);
        unknown.unjudged += usize::from(mismatch.is_none());
        made.extend(mismatch.map(|mismatch| ReplayedMatch {
            id: one.id,
            at,
            queue: one.queue.clone(),
            region: one.region.clone(),
            teams: one.teams.clone(),
            mismatch,
        }));
    }
    made.sort_by_key(|one| (one.at, one.id));
    made
}
