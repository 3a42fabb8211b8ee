//! What requests for tickets do at the desk.

use std::collections::BTreeSet;
use std::sync::Arc;

use matchwright_queue::{Backfill, EventKind, Member, Named, PlayerId, Ticket, TicketId, Time, Value};

use crate::desk::Desk;
use crate::ledger::{Ledger, Players, Standing};
use crate::limits::{check, check_count, check_player};
use crate::note::{Gathering, NewMember, Note};
use crate::problem::Problem;
use crate::request::{NewPlayer, NewTicket, RequestKey, unknown};
use crate::settings::{Settings, StoreNumber};

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
    if desk.is_full {
        return Err(Problem::StorageFull);
    }
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

/// A player as the queue knows it: the numbers that are the store's are its own alone.
fn queue_member(ledger: &Ledger, NewMember { number, player }: NewMember, settings: &Settings) -> Member {
    let mut attributes: Named<Value> = player.attributes.into_iter().collect();
    if let Some(ratings) = ledger.ratings() {
        let rated = ratings.of(Some(number));
        for (name, of_store) in &settings.from_store {
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
}

/// A ticket that waits has these players from now on: the event of that.
pub(crate) fn edit(
    desk: &mut Desk<'_>,
    ticket: u64,
    players: Vec<NewPlayer>,
    by: Option<&str>,
    settings: &Settings,
) -> Result<u64, Problem> {
    if desk.is_full {
        return Err(Problem::StorageFull);
    }
    check_count("players", players.len())?;
    players.iter().try_for_each(check_player)?;
    let id = desk.ledger.id('t', ticket);
    let entry = desk.ledger.ticket(ticket);
    let (state, before) = entry.map_or((None, Players::new()), |entry| {
        (Some(entry.state), entry.players.clone())
    });
    match state {
        Some(Standing::Waiting | Standing::Proposed { .. }) if !desk.ledger.is_search(ticket) => {}
        Some(Standing::Matched(found)) => {
            let match_id = desk.ledger.id('m', found);
            return Err(Problem::IsMatched { ticket: id, match_id });
        }
        _ => return Err(unknown("ticket that waits", &id)),
    }
    if let Some(by) = by {
        let is_alone = desk
            .ledger
            .player(by)
            .is_some_and(|number| before[..] == [number]);
        if !is_alone || !matches!(&players[..], [one] if one.id == by) {
            return Err(Problem::Invalid(
                "a player who is alone in a ticket changes what is known of itself, and nothing else"
                    .to_owned(),
            ));
        }
    }
    let mut notes = Vec::new();
    let mut members = Vec::new();
    for player in players {
        let was_there = desk
            .ledger
            .player(&player.id)
            .is_some_and(|number| before.contains(&number));
        if !was_there {
            check_free(desk, &player.id)?;
        }
        let number = desk.player(&player.id, &mut notes);
        members.push(queue_member(desk.ledger, NewMember { number, player }, settings));
    }
    let event = desk.event(EventKind::Edit {
        ticket: TicketId(ticket),
        players: members,
    });
    desk.note_with(event, notes);
    Ok(event)
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
    let member = |member| queue_member(desk.ledger, member, settings);
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
