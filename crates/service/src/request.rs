//! What requests are, and what they do at the desk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use matchwright_queue::{EventKind, MatchId, Member, Named, PlayerId, Ticket, Time, Value};
use serde::{Deserialize, Serialize};

use crate::desk::{Desk, Done};
use crate::ledger::Ledger;
use crate::note::{Note, Reported};
use crate::problem::Problem;
use crate::settings::StoreNumber;
use crate::view::{Phase, TicketView};

/// What is asked for by [`Service::create`](crate::Service::create).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NewTicket {
    /// Its players, one or more.
    pub players: Vec<NewPlayer>,
    /// The queues that it waits in; none where the policy has one queue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// Regions that it accepts, with the ping in milliseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub regions: BTreeMap<String, f64>,
    /// What is known of all its players.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, Value>,
    /// It leaves after so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<i64>,
}

/// A player of a new ticket.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NewPlayer {
    /// Its name.
    pub id: String,
    /// What is known of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, Value>,
}

/// Who asks, and under which name of the request: sent again, it is answered again and nothing is done twice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// Who asks.
    pub subject: String,
    /// What it calls the request.
    pub request: String,
}

/// What became of [`Service::create`](crate::Service::create).
#[derive(Debug, Clone, PartialEq)]
pub struct Created {
    /// The ticket.
    pub ticket: TicketView,
    /// Whether it is new; one that the same request got before is not.
    pub is_new: bool,
}

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The place of each team, 1 for the best; those that drew share one.
    pub places: Vec<u32>,
    /// When it ended, in Unix seconds, if not now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_at: Option<i64>,
}

pub(crate) fn unknown(what: &'static str, id: &str) -> Problem {
    Problem::Unknown {
        what,
        id: id.to_owned(),
    }
}

/// The number of a name of this kind.
pub(crate) fn find(ledger: &Ledger, kind: char, what: &'static str, id: &str) -> Result<u64, Problem> {
    ledger.number(kind, id).ok_or_else(|| unknown(what, id))
}

pub(crate) fn ticket_view(ledger: &Ledger, ticket: u64) -> Result<TicketView, Problem> {
    let view = ledger.ticket_view(ticket);
    view.ok_or_else(|| unknown("ticket", &ledger.id('t', ticket)))
}

/// What a request got that was followed before.
pub(crate) fn known_ticket(
    done: &Done<'_>,
    ticket: u64,
    is_same: bool,
    request: &str,
) -> Result<Created, Problem> {
    if !is_same {
        return Err(Problem::RequestIdReused {
            request: request.to_owned(),
            ticket: done.ledger.id('t', ticket),
        });
    }
    Ok(Created {
        ticket: ticket_view(done.ledger, ticket)?,
        is_new: false,
    })
}

/// The event of a new ticket, and its number.
pub(crate) fn create(
    desk: &mut Desk<'_>,
    key: Option<RequestKey>,
    new: NewTicket,
    hash: u64,
    from_store: &BTreeMap<String, StoreNumber>,
) -> Result<(u64, u64), Problem> {
    if desk.is_full {
        return Err(Problem::StorageFull);
    }
    for player in &new.players {
        if player.id.is_empty() {
            return Err(Problem::Invalid("a player without a name".to_owned()));
        }
        let playing = desk
            .ledger
            .player(&player.id)
            .and_then(|number| desk.ledger.playing(number));
        if let Some(match_id) = playing {
            return Err(Problem::PlayerPlays {
                player: player.id.clone(),
                match_id: desk.ledger.id('m', match_id),
            });
        }
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = new.players.iter().find(|player| !names.insert(&player.id)) {
        return Err(Problem::Invalid(format!(
            "player `{}` is in the ticket twice",
            twice.id
        )));
    }
    if new.expires_in.is_some_and(|millis| millis < 1) {
        return Err(Problem::Invalid(
            "a ticket that leaves before it came: give `expires_in` in milliseconds from now".to_owned(),
        ));
    }
    let number = desk.ticket();
    let mut notes = Vec::new();
    let mut members = Vec::with_capacity(new.players.len());
    for player in new.players {
        let id = desk.player(&player.id, &mut notes);
        let mut attributes: Named<Value> = player.attributes.into_iter().collect();
        if let Some(ratings) = desk.ledger.ratings() {
            let rated = ratings.of(Some(id));
            for (name, number) in from_store {
                let number = match number {
                    StoreNumber::Rating => Some(rated.rating),
                    StoreNumber::Deviation => rated.deviation,
                    StoreNumber::Games => Some(rated.games as f64),
                };
                if let Some(number) = number {
                    attributes.insert(name.clone(), Value::Number(number));
                }
            }
        }
        attributes.insert("name", Value::Text(player.id));
        members.push(Member {
            id: PlayerId(id),
            attributes,
        });
    }
    // What is the store's is no ticket's own.
    let is_own = |name: &str| desk.ledger.ratings().is_none() || !from_store.contains_key(name);
    let attributes = new.attributes.into_iter().filter(|(name, _)| is_own(name));
    let ticket = Ticket {
        players: members,
        queues: new.queues,
        regions: new.regions.into_iter().collect(),
        attributes: attributes.collect(),
        expires: new
            .expires_in
            .map(|millis| Time::from_millis(desk.now.millis().saturating_add(millis))),
        ..Ticket::of(number, [])
    };
    let event = desk.event(EventKind::Create(Arc::new(ticket)));
    notes.extend(key.map(|key| Note::Request {
        ticket: number,
        subject: key.subject,
        request: key.request,
        hash,
    }));
    desk.note_with(event, notes);
    Ok((event, number))
}

/// The note of a result; none of one that is known already.
pub(crate) fn report(
    desk: &mut Desk<'_>,
    match_id: u64,
    id: &str,
    result: MatchResult,
) -> Result<(), Problem> {
    let entry = desk
        .ledger
        .match_entry(match_id)
        .ok_or_else(|| unknown("match", id))?;
    if let Some(known) = &entry.result {
        return if known.places == result.places {
            Ok(())
        } else {
            Err(Problem::ResultDiffers {
                match_id: id.to_owned(),
                places: known.places.clone(),
            })
        };
    }
    if entry.phase == Phase::Failed {
        return Err(Problem::ResultRefused {
            match_id: id.to_owned(),
            why: "it did not start".to_owned(),
        });
    }
    let teams = entry.teams.len();
    if result.places.len() != teams || result.places.contains(&0) {
        return Err(Problem::Invalid(format!(
            "a place from 1 on for each of the {teams} teams is needed, and there are {:?}",
            result.places
        )));
    }
    if result.played_at.is_some_and(|at| at < 0) {
        return Err(Problem::Invalid(
            "a match of before 1970: give `played_at` in Unix seconds".to_owned(),
        ));
    }
    if matches!(entry.phase, Phase::Allocating | Phase::Assigned) {
        // It has started, so that it can no longer fail.
        desk.event(EventKind::Confirm(MatchId(match_id)));
    }
    let now = desk.now.millis().div_euclid(1000);
    desk.note(Note::Result(Reported {
        match_id,
        places: result.places,
        played_at: result.played_at.map_or(now, |at| at.min(now)),
    }));
    Ok(())
}

/// A hash of what is asked for that is the same in every version (FNV-1a).
pub(crate) fn hash(new: &NewTicket) -> u64 {
    let mut bytes = Vec::new();
    // Dropped: memory takes all.
    let _ = cbor2::to_writer(new, &mut bytes);
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold)
}
