//! What requests are, and what those for tickets do at the desk.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use matchwright_queue::{
    Backfill, EventKind, MatchId, Member, Named, PlayerId, Ticket, TicketId, Time, Value,
};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::backfill::end_backfill;
use crate::desk::{Desk, Done};
use crate::ledger::{Ledger, Standing};
use crate::limits::{check, check_player};
use crate::note::{Gathering, NewMember, Note, Reported};
use crate::problem::Problem;
use crate::settings::{Settings, StoreNumber};
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
    /// It leaves after so many milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<i64>,
    /// It leaves as abandoned once none has asked for it or watched it for so many milliseconds while it waits.
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

    /// The place of each of so many teams.
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
    if by.is_some_and(|name| !is_in(name)) {
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

/// Why a player cannot come into a ticket, beside what the queue says of those who wait.
fn check_free(desk: &Desk<'_>, name: &str) -> Result<(), Problem> {
    let Some(number) = desk.ledger.player(name) else {
        return Ok(());
    };
    if let Some(match_id) = desk.ledger.playing(number) {
        return Err(Problem::PlayerPlays {
            player: name.to_owned(),
            match_id: desk.ledger.id('m', match_id),
        });
    }
    if let Some(until) = desk
        .ledger
        .cooldown(number)
        .filter(|until| *until > desk.now.millis())
    {
        return Err(Problem::Cooldown {
            player: name.to_owned(),
            until,
        });
    }
    let gathering = desk.ledger.ticket_of(number).and_then(|ticket| {
        let gathering = desk.ledger.gathering(ticket)?;
        let is_here = gathering.here.iter().any(|member| member.number == number);
        is_here.then_some(ticket)
    });
    match gathering {
        Some(ticket) => Err(Problem::PlayerWaits {
            player: name.to_owned(),
            ticket: desk.ledger.id('t', ticket),
        }),
        None => Ok(()),
    }
}

/// A new ticket: the event that it waits for, if there is one yet, and its number.
pub(crate) fn create(
    desk: &mut Desk<'_>,
    key: Option<RequestKey>,
    mut new: NewTicket,
    hash: u64,
    settings: &Settings,
) -> Result<(Option<u64>, u64), Problem> {
    if desk.is_full {
        return Err(Problem::StorageFull);
    }
    check(&new)?;
    let mut names = BTreeSet::new();
    let all = new.players.iter().map(|player| &player.id).chain(&new.joining);
    if let Some(twice) = all.clone().find(|name| !names.insert(*name)) {
        return Err(Problem::Invalid(format!(
            "player `{twice}` is in the ticket twice"
        )));
    }
    new.players
        .iter()
        .try_for_each(|player| check_free(desk, &player.id))?;
    let ticket = desk.ticket();
    let mut notes = Vec::new();
    let mut member = |player: NewPlayer| NewMember {
        number: desk.player(&player.id, &mut notes),
        player,
    };
    let here: Vec<NewMember> = std::mem::take(&mut new.players)
        .into_iter()
        .map(&mut member)
        .collect();
    let missing = std::mem::take(&mut new.joining).into_iter().map(NewPlayer::of);
    let missing: Vec<u64> = missing.map(|player| member(player).number).collect();
    let request = key.map(|key| Note::Request {
        ticket,
        subject: key.subject,
        request: key.request,
        hash,
    });
    if missing.is_empty() {
        let event = enter(desk, ticket, &new, here, None, settings);
        notes.extend(request);
        notes.extend(presence(ticket, &new));
        desk.note_with(event, notes);
        return Ok((Some(event), ticket));
    }
    if here.is_empty() {
        return Err(Problem::Invalid(
            "a ticket that nobody is in yet: one of its players creates it".to_owned(),
        ));
    }
    let deadline = desk.now.millis().saturating_add(settings.gather_within);
    let gathering = Gathering {
        here,
        missing,
        new,
        deadline,
    };
    notes.push(Note::Gathering { ticket, gathering });
    notes.extend(request);
    for note in notes {
        desk.note(note);
    }
    Ok((None, ticket))
}

/// The note of a ticket whose players must be seen.
fn presence(ticket: u64, new: &NewTicket) -> Option<Note> {
    let within = new.heartbeat_within?;
    Some(Note::Presence { ticket, within })
}

/// A player joins a ticket that waits for it: the event of the ticket, if it is the last; `None` of one who was there.
pub(crate) fn join(
    desk: &mut Desk<'_>,
    ticket: u64,
    player: NewPlayer,
    settings: &Settings,
) -> Result<Option<u64>, Problem> {
    check_player(&player)?;
    let id = desk.ledger.id('t', ticket);
    let Some(number) = desk.ledger.player(&player.id) else {
        return Err(unknown("ticket", &id));
    };
    let Some(gathering) = desk.ledger.gathering(ticket) else {
        let known = desk.ledger.ticket(ticket);
        let was_there = known.is_some_and(|entry| entry.players.contains(&number));
        let has_left = known.is_none_or(|entry| matches!(entry.state, Standing::Left(_)));
        return if was_there && !has_left {
            Ok(None)
        } else {
            Err(unknown("ticket", &id))
        };
    };
    if !gathering.missing.contains(&number) {
        let is_here = gathering.here.iter().any(|member| member.number == number);
        return if is_here {
            Ok(None)
        } else {
            Err(unknown("ticket", &id))
        };
    }
    check_free(desk, &player.id)?;
    let member = NewMember { number, player };
    if gathering.missing.len() > 1 {
        desk.note(Note::Joined { ticket, member });
        return Ok(None);
    }
    let (new, mut here) = (gathering.new.clone(), gathering.here.clone());
    here.push(member.clone());
    let event = enter(desk, ticket, &new, here, None, settings);
    let joined = std::iter::once(Note::Joined { ticket, member });
    desk.note_with(event, joined.chain(presence(ticket, &new)).collect());
    Ok(Some(event))
}

/// The event of a ticket that comes into its queues, or that offers places of a match.
pub(crate) fn enter(
    desk: &mut Desk<'_>,
    ticket: u64,
    new: &NewTicket,
    members: Vec<NewMember>,
    backfill: Option<Backfill>,
    settings: &Settings,
) -> u64 {
    let from_store = &settings.from_store;
    let ratings = desk.ledger.ratings();
    let member = |NewMember { number, player }| {
        let mut attributes: Named<Value> = player.attributes.into_iter().collect();
        if let Some(ratings) = ratings {
            let rated = ratings.of(Some(number));
            for (name, of_store) in from_store {
                let value = match of_store {
                    StoreNumber::Rating => Some(rated.rating),
                    StoreNumber::Deviation => rated.deviation,
                    StoreNumber::Games => Some(rated.games as f64),
                };
                if let Some(value) = value {
                    attributes.insert(name.clone(), Value::Number(value));
                }
            }
        }
        attributes.insert("name", Value::Text(player.id));
        Member {
            id: PlayerId(number),
            attributes,
        }
    };
    // What is the store's is no ticket's own.
    let is_own = |name: &str| ratings.is_none() || !from_store.contains_key(name);
    let attributes = new
        .attributes
        .clone()
        .into_iter()
        .filter(|(name, _)| is_own(name));
    let expires = new
        .expires_in
        .map(|millis| desk.now.millis().saturating_add(millis));
    let ticket = Ticket {
        players: members.into_iter().map(member).collect(),
        queues: new.queues.clone(),
        regions: new.regions.clone().into_iter().collect(),
        attributes: attributes.collect(),
        expires: expires.map(Time::from_millis),
        backfill: backfill.map(Box::new),
        ..Ticket::of(ticket, [])
    };
    desk.event(EventKind::Create(Arc::new(ticket)))
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
    desk.event(EventKind::Cancel {
        ticket: TicketId(ticket),
        by: Some(PlayerId(player)),
    });
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
        end_backfill(desk, search);
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
    let mut bytes = Vec::new();
    // Dropped: memory takes all.
    let _ = cbor2::to_writer(new, &mut bytes);
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold)
}
