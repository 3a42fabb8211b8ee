//! What requests are, and what those about matches do at the desk.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use matchwright_queue::{EventKind, MatchId, Value};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::desk::{Desk, Done};
use crate::ledger::Ledger;
use crate::note::{Note, Reported};
use crate::problem::Problem;
use crate::view::{Phase, TicketView};

/// What is asked for by [`Service::create`](crate::Service::create).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTicket {
    /// Its players, one or more.
    pub players: Vec<NewPlayer>,
    /// Players who are to join it by a call of their own; it waits for them first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joining: Vec<String>,
    /// The queues that it waits in; none where the policy has one queue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queues: Vec<String>,
    /// Regions that it accepts, with the ping in milliseconds.
    #[serde(
        default,
        deserialize_with = "named_once",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub regions: BTreeMap<String, f64>,
    /// What is known of all its players.
    #[serde(
        default,
        deserialize_with = "named_once",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    #[cfg_attr(feature = "http", schema(value_type = BTreeMap<String, Object>))]
    pub attributes: BTreeMap<String, Value>,
    /// It leaves after this many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<i64>,
    /// It leaves as abandoned once none of its players has asked for it or watched it for this many milliseconds while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_within: Option<u32>,
}

/// A player of a new ticket; a string stands for one of whom nothing else is said.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct NewPlayer {
    /// Its name.
    pub id: String,
    /// What is known of it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "http", schema(value_type = BTreeMap<String, Object>))]
    pub attributes: BTreeMap<String, Value>,
}

impl<'de> Deserialize<'de> for NewPlayer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Known {
            id: String,
            #[serde(default, deserialize_with = "named_once")]
            attributes: BTreeMap<String, Value>,
        }

        struct Given;

        impl<'de> Visitor<'de> for Given {
            type Value = NewPlayer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a player, or an object with `id` and `attributes`")
            }

            fn visit_str<E: de::Error>(self, id: &str) -> Result<NewPlayer, E> {
                Ok(NewPlayer::of(id))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NewPlayer, A::Error> {
                let Known { id, attributes } = Known::deserialize(MapAccessDeserializer::new(map))?;
                Ok(NewPlayer { id, attributes })
            }
        }

        from.deserialize_any(Given)
    }
}

impl NewPlayer {
    /// One of whom nothing is said.
    #[must_use]
    pub fn of(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            attributes: BTreeMap::new(),
        }
    }
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

/// The result of a match: places or scores.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchResult {
    /// The place of each team, 1 for the best; those that drew share one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u32>,
    /// The score of each team, the greatest for the best, in place of places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<f64>,
    /// When it ended, in Unix seconds, if not now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_at: Option<i64>,
}

impl MatchResult {
    /// Each team had this place.
    #[must_use]
    pub fn of_places(places: impl Into<Vec<u32>>) -> Self {
        Self {
            places: places.into(),
            ..Self::default()
        }
    }

    /// The place of each of this many teams.
    fn checked_places(&self, teams: usize) -> Result<Vec<u32>, Problem> {
        let Self { places, scores, .. } = self;
        if !places.is_empty() && !scores.is_empty() {
            return Err(Problem::Invalid("places and scores: give one of them".to_owned()));
        }
        let is_right = |count: usize| count == teams;
        if is_right(scores.len()) && scores.iter().all(|score| score.is_finite()) {
            let better = |score: &f64| scores.iter().filter(|other| *other > score).count();
            let place = |score: &f64| u32::try_from(1 + better(score)).unwrap_or(u32::MAX);
            return Ok(scores.iter().map(place).collect());
        }
        if !is_right(places.len()) || places.contains(&0) || !scores.is_empty() {
            return Err(Problem::Invalid(format!(
                "a place from 1 on, or a score, for each of the {teams} teams is needed, and there are {places:?} and {scores:?}"
            )));
        }
        Ok(places.clone())
    }
}

/// Values by name, each name once: which of two was meant nobody knows.
pub(crate) fn named_once<'de, D: Deserializer<'de>, V: Deserialize<'de>>(
    from: D,
) -> Result<BTreeMap<String, V>, D::Error> {
    struct Once<V>(PhantomData<V>);

    impl<'de, V: Deserialize<'de>> Visitor<'de> for Once<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("values by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut values = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, V>()? {
                if values.contains_key(&name) {
                    let name: String = name.chars().take(64).collect();
                    return Err(de::Error::custom(format_args!("`{name}` is there twice")));
                }
                values.insert(name, value);
            }
            Ok(values)
        }
    }

    from.deserialize_map(Once(PhantomData))
}

pub(crate) fn unknown(what: &'static str, id: &str) -> Problem {
    // Not all of what somebody made up.
    let id = id.chars().take(64).collect();
    Problem::Unknown { what, id }
}

/// The number of a name of this kind.
pub(crate) fn find(ledger: &Ledger, kind: char, what: &'static str, id: &str) -> Result<u64, Problem> {
    ledger.number(kind, id).ok_or_else(|| unknown(what, id))
}

/// The number of a ticket; for one of its players alone, if that is who asks.
pub(crate) fn find_ticket(ledger: &Ledger, id: &str, by: Option<&str>) -> Result<u64, Problem> {
    let ticket = find(ledger, 't', "ticket", id)?;
    let entry = ledger.ticket(ticket).ok_or_else(|| unknown("ticket", id))?;
    let is_in = |name: &str| {
        ledger
            .player(name)
            .is_some_and(|player| entry.players.contains(&player))
    };
    // Those who play have no part in the search for others.
    if by.is_some_and(|name| !is_in(name) || ledger.is_search(ticket)) {
        return Err(unknown("ticket", id));
    }
    Ok(ticket)
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

/// A player leaves the match that its ticket has got: the events of the match that fails and of the ticket that goes.
pub(crate) fn leave(
    desk: &mut Desk<'_>,
    match_id: u64,
    name: &str,
    cooldown: i64,
) -> Result<Option<u64>, Problem> {
    let id = desk.ledger.id('m', match_id);
    let entry = desk
        .ledger
        .match_entry(match_id)
        .ok_or_else(|| unknown("match", &id))?;
    let player = desk.ledger.player(name);
    let is_of = |ticket: &u64| {
        let ticket = desk.ledger.ticket(*ticket);
        ticket.is_some_and(|ticket| player.is_some_and(|player| ticket.players.contains(&player)))
    };
    let ticket = entry.tickets().find(is_of);
    let (Some(player), Some(ticket)) = (player, ticket) else {
        return Err(unknown("match", &id));
    };
    match entry.phase {
        Phase::Failed => return Ok(None),
        Phase::Allocating | Phase::Assigned => {}
        Phase::Started | Phase::Ended => {
            return Err(Problem::Invalid(
                "the match has started: its server tells who left".to_owned(),
            ));
        }
    }
    let event = desk.event(EventKind::FailMatch(MatchId(match_id)));
    desk.cancel(ticket, Some(player));
    let until = desk.now.millis().saturating_add(cooldown);
    desk.note_with(
        event,
        vec![Note::LeftMatch {
            ticket,
            player,
            until,
        }],
    );
    Ok(Some(event))
}

/// The note of a result; none of one that is known already.
pub(crate) fn report(
    desk: &mut Desk<'_>,
    match_id: u64,
    id: &str,
    result: &MatchResult,
) -> Result<(), Problem> {
    let entry = desk
        .ledger
        .match_entry(match_id)
        .ok_or_else(|| unknown("match", id))?;
    let places = result.checked_places(entry.team_count())?;
    if let Some(known) = entry.places.as_deref() {
        return if *known == *places {
            Ok(())
        } else {
            Err(Problem::ResultDiffers {
                match_id: id.to_owned(),
                places: known.to_vec(),
            })
        };
    }
    if entry.phase == Phase::Failed {
        return Err(Problem::ResultRefused {
            match_id: id.to_owned(),
            why: "it did not start".to_owned(),
        });
    }
    if result.played_at.is_some_and(|at| at < 0) {
        return Err(Problem::Invalid(
            "a match of before 1970: give `played_at` in Unix seconds".to_owned(),
        ));
    }
    if let Some(search) = entry.backfill.filter(|_| entry.is_on()) {
        desk.cancel(search, None);
    }
    if matches!(entry.phase, Phase::Allocating | Phase::Assigned) {
        // It has started, so that it can no longer fail.
        desk.event(EventKind::Confirm(MatchId(match_id)));
    }
    let now = desk.now.millis().div_euclid(1000);
    desk.note(Note::Result(Reported {
        match_id,
        places,
        played_at: result.played_at.map_or(now, |at| at.min(now)),
    }));
    Ok(())
}

/// A hash of what is asked for that is the same in every version (FNV-1a).
pub(crate) fn hash(new: &NewTicket) -> u64 {
    // For how long a player is waited for the service may decide, and otherwise after a restart.
    let asked = NewTicket {
        heartbeat_within: None,
        ..new.clone()
    };
    let mut bytes = Vec::new();
    // Dropped: memory takes all.
    let _ = cbor2::to_writer(&asked, &mut bytes);
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold)
}
