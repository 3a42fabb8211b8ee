//! Tickets as they are put together from rows: one row each, or one for each player of a party.

use std::collections::HashMap;

use matchwright_queue::{Attributes, Backfill, Member, PlayerId, Ticket, TicketId, Time, Value};
use matchwright_sim::replay::LoggedTicket;
use serde_json::Value as Json;

use super::TicketNames;
use super::columns::is_ping;
use super::rows::{Cell, ColumnTypes, Row};
use crate::failure::shown;
use crate::input::numbers::{ROUNDED, rounded_number};
use crate::input::rows::{Fault, RowError};
use crate::input::time::{TimeError, TimeReader};

/// Tickets in the order of their first rows.
pub(super) struct Drafts<'a> {
    times: &'a TimeReader,
    types: &'a ColumnTypes,
    tickets: Vec<Draft>,
    /// Places of tickets by name, and of parties by name and time.
    by_name: HashMap<(String, Option<Time>), usize>,
    names: TicketNames,
    players: HashMap<String, PlayerId>,
}

struct Draft {
    line: u64,
    logged: LoggedTicket,
}

/// When a ticket came and how it ended.
struct Span {
    came: Time,
    left: Option<Time>,
    matched: Option<Time>,
}

impl<'a> Drafts<'a> {
    pub(super) fn new(times: &'a TimeReader, types: &'a ColumnTypes) -> Self {
        Self {
            times,
            types,
            tickets: Vec::new(),
            by_name: HashMap::new(),
            names: TicketNames::default(),
            players: HashMap::new(),
        }
    }

    /// The tickets and the names of all.
    pub(super) fn finish(self) -> (Vec<LoggedTicket>, TicketNames) {
        let tickets = self.tickets.into_iter().map(|mut draft| {
            share_attributes(&mut draft.logged.ticket);
            draft.logged
        });
        (tickets.collect(), self.names)
    }

    /// Takes a row in; nothing of one that cannot be used.
    pub(super) fn push(&mut self, row: &Row) -> Result<(), RowError> {
        let refuse = |fault| RowError::new(row.line, fault);
        let span = self.span(row)?;
        let text = |meaning| row.cell(meaning).map(Cell::text).transpose();
        let (ticket, player, party) = (
            text("ticket").map_err(refuse)?,
            text("player").map_err(refuse)?,
            text("party").map_err(refuse)?,
        );
        let mut read = self.read(row).map_err(refuse)?;
        if let Some(player) = &player {
            if !read.players.is_empty() {
                let what = "a row has either one `player` or all `players`".to_owned();
                return Err(refuse((row.cell("players").map_or(1, |cell| cell.column), what)));
            }
            // What a row of one player says is of that player.
            read.players
                .push((player.clone(), std::mem::take(&mut read.attributes)));
        }
        let key = match (&ticket, &party) {
            (Some(ticket), _) => Some((ticket.clone(), None)),
            (None, Some(party)) if player.is_some() => Some((party.clone(), Some(span.came))),
            _ => None,
        };
        if let Some(&place) = key.as_ref().and_then(|key| self.by_name.get(key)) {
            let members = self.members(read.players);
            let joined = self.tickets[place].join(row, &span, &read.regions, members, player.is_some());
            return joined.map_err(refuse);
        }
        let first = read.players.first().map(|(name, _)| name.clone());
        let name = ticket
            .or(party)
            .or(first)
            .unwrap_or_else(|| format!("line {}", row.line));
        if read.players.is_empty() {
            let size = read.size.unwrap_or(1);
            let one = |place: usize| {
                if size == 1 {
                    name.clone()
                } else {
                    format!("{name}#{place}")
                }
            };
            read.players = (1..=size).map(|place| (one(place), Attributes::new())).collect();
        }
        let place = self.tickets.len();
        self.names.tickets.push(name);
        if let Some(key) = key {
            self.by_name.insert(key, place);
        }
        let members = self.members(read.players);
        let ticket = Ticket {
            id: TicketId(place as u64 + 1),
            players: members,
            queues: read.queues,
            regions: read.regions,
            attributes: read.attributes,
            backfill: read.backfill,
            ..Ticket::of(0, [])
        };
        let Span { came, left, matched } = span;
        self.tickets.push(Draft {
            line: row.line,
            logged: LoggedTicket {
                ticket,
                came,
                left,
                matched,
            },
        });
        Ok(())
    }

    /// Players by number, with their names as attributes where scoring looks them up by name.
    fn members(&mut self, players: Vec<(String, Attributes)>) -> Vec<Member> {
        let mut members = Vec::with_capacity(players.len());
        for (name, mut attributes) in players {
            let next = PlayerId(self.players.len() as u64 + 1);
            let id = *self.players.entry(name.clone()).or_insert(next);
            attributes.insert("name".to_owned(), Value::Text(name));
            members.push(Member { id, attributes });
        }
        members
    }

    /// When a row's ticket came and how it ended.
    fn span(&self, row: &Row) -> Result<Span, RowError> {
        let time = |cell: &Cell| {
            let text = cell.text().map_err(|fault| RowError::new(row.line, fault))?;
            let read = self.times.read_millis(&text).map(Time::from_millis);
            read.map_err(|error| match error {
                TimeError::Unreadable(what) => RowError::new(row.line, cell.refuse(&what)),
                TimeError::NoUnit(what) => RowError {
                    fatal: true,
                    ..RowError::new(row.line, cell.refuse(&what))
                },
            })
        };
        let Some(came) = row.cell("time") else {
            let what = "the row has no time, which says when its ticket came".to_owned();
            return Err(RowError::new(row.line, (1, what)));
        };
        let came = time(came)?;
        let mut left = row.cell("left").map(&time).transpose()?;
        let mut matched = row.cell("matched").map(time).transpose()?;
        if row.cell("match").is_some() && matched.is_none() {
            // It got a match when it stopped waiting.
            matched = left.take();
        }
        for (meaning, end) in [("left", left), ("matched", matched)] {
            if end.is_some_and(|end| end < came) {
                let column = row
                    .cell(meaning)
                    .or(row.cell("left"))
                    .map_or(1, |cell| cell.column);
                let what = format!("the ticket {meaning} before it came")
                    .replace("ticket matched", "ticket was matched");
                return Err(RowError::new(row.line, (column, what)));
            }
        }
        if left.is_some() && matched.is_some() {
            let column = row.cell("left").map_or(1, |cell| cell.column);
            let what = "the ticket both left and was matched: give the one that happened".to_owned();
            return Err(RowError::new(row.line, (column, what)));
        }
        Ok(Span { came, left, matched })
    }

    /// All of a row but names and times.
    fn read(&self, row: &Row) -> Result<Read, Fault> {
        let mut read = Read::default();
        let has_pings = row.cells.iter().any(|cell| is_ping(&cell.meaning));
        for cell in &row.cells {
            match &*cell.meaning {
                "ticket" | "time" | "left" | "matched" | "match" | "player" | "party" => {}
                "queue" => read.queues = cell.texts()?,
                "size" => read.size = Some(size(cell)?),
                "players" => read.players = players(cell)?,
                "pings" => read.regions.extend(numbers(cell)?),
                "backfill" if matches!(cell.value, Json::Object(_)) => read.backfill = Some(backfill(cell)?),
                "region" if matches!(cell.value, Json::Object(_)) => read.regions.extend(numbers(cell)?),
                // Beside pings it is where the player lives.
                "region" if has_pings => {
                    let home = Value::Text(cell.text()?);
                    read.attributes.insert("region".to_owned(), home);
                }
                "region" => read
                    .regions
                    .extend(cell.texts()?.into_iter().map(|region| (region, 0.0))),
                name => {
                    let json = self.types.value(cell, row.is_csv)?;
                    let value = attribute(cell, json)?;
                    match (name.strip_prefix("ping_").filter(|_| name != "ping_to"), value) {
                        (Some(region), Value::Number(ping)) => {
                            read.regions.insert(region.to_owned(), ping);
                        }
                        (_, value) => {
                            read.attributes.insert(name.to_owned(), value);
                        }
                    }
                }
            }
        }
        gather_churn(&mut read.attributes);
        if let Some((region, ping)) = read
            .regions
            .iter()
            .find(|(_, ping)| !(0.0..=f64::MAX).contains(*ping))
        {
            let cell = row.cells.iter().find(|cell| is_ping(&cell.meaning));
            let what = format!(
                "the ping to `{}` is {ping}; give milliseconds of 0 or more",
                shown(region)
            );
            return Err((cell.map_or(1, |cell| cell.column), what));
        }
        Ok(read)
    }
}

impl Draft {
    /// One more player of the same ticket.
    fn join(
        &mut self,
        row: &Row,
        span: &Span,
        regions: &std::collections::BTreeMap<String, f64>,
        members: Vec<Member>,
        has_player: bool,
    ) -> Result<(), Fault> {
        let at = |meaning: &str| row.cell(meaning).map_or(1, |cell| cell.column);
        let first = self.line;
        let ticket = &mut self.logged.ticket;
        if !has_player {
            let what = format!(
                "the ticket is there twice, first in line {first}: give each ticket a name of its own"
            );
            return Err((at("ticket"), what));
        }
        if self.logged.came != span.came {
            let what = format!("the ticket came at another time in line {first}: its players come together");
            return Err((at("time"), what));
        }
        if members
            .iter()
            .any(|member| ticket.players.iter().any(|other| other.id == member.id))
        {
            let what = format!("the player is in this ticket already, whose first row is in line {first}");
            return Err((at("player"), what));
        }
        // A party accepts what all accept, at the worst ping.
        if !regions.is_empty() && !ticket.regions.is_empty() {
            let mut both = ticket.regions.clone();
            both.retain(|region, ping| {
                let other = regions.get(region);
                other.inspect(|&&other| *ping = ping.max(other)).is_some()
            });
            if both.is_empty() {
                let what =
                    format!("the player shares no region with the party, whose first row is in line {first}");
                return Err((at("region"), what));
            }
            ticket.regions = both;
        } else {
            ticket
                .regions
                .extend(regions.iter().map(|(region, ping)| (region.clone(), *ping)));
        }
        ticket.players.extend(members);
        self.logged.left = self.logged.left.or(span.left);
        self.logged.matched = self.logged.matched.or(span.matched);
        Ok(())
    }
}

/// What a row says of its ticket.
#[derive(Default)]
struct Read {
    players: Vec<(String, Attributes)>,
    size: Option<usize>,
    queues: Vec<String>,
    regions: std::collections::BTreeMap<String, f64>,
    attributes: Attributes,
    backfill: Option<Backfill>,
}

/// How many players a ticket has.
fn size(cell: &Cell) -> Result<usize, Fault> {
    let text = cell.text()?;
    let size = text.parse().ok().filter(|size| (1..=1 << 16).contains(size));
    size.ok_or_else(|| {
        cell.refuse(&format!(
            "`{}`; a number of players from 1 on is needed",
            shown(&text)
        ))
    })
}

/// The players of a row: names, or objects with `id` and `attributes`.
fn players(cell: &Cell) -> Result<Vec<(String, Attributes)>, Fault> {
    let Json::Array(all) = &cell.value else {
        return Ok(cell
            .texts()?
            .into_iter()
            .map(|name| (name, Attributes::new()))
            .collect());
    };
    if !all.iter().any(Json::is_object) {
        return Ok(cell
            .texts()?
            .into_iter()
            .map(|name| (name, Attributes::new()))
            .collect());
    }
    let one = |player: &Json| {
        let name = match &player["id"] {
            Json::String(text) => text.clone(),
            Json::Number(number) => number.to_string(),
            _ => return Err(cell.refuse("a list with a player without `id`; give each a text or a number")),
        };
        let mut attributes = Attributes::new();
        for (name, value) in player["attributes"].as_object().into_iter().flatten() {
            attributes.insert(name.clone(), attribute(cell, value.clone())?);
        }
        Ok((name, attributes))
    };
    all.iter().map(one).collect()
}

/// Refuses a number that would lose digits.
fn check_digits(cell: &Cell, value: &Json) -> Result<(), Fault> {
    match rounded_number(value, &[]) {
        Some(number) => Err(cell.refuse(&format!("`{number}`; {ROUNDED}"))),
        None => Ok(()),
    }
}

/// Numbers by name.
fn numbers(cell: &Cell) -> Result<std::collections::BTreeMap<String, f64>, Fault> {
    check_digits(cell, &cell.value)?;
    let read = serde_json::from_value(cell.value.clone());
    read.map_err(|_| cell.refuse("no object of milliseconds by region, such as {\"eu\": 30}"))
}

/// The running match whose free places a ticket offers.
fn backfill(cell: &Cell) -> Result<Backfill, Fault> {
    let read = serde_json::from_value(cell.value.clone());
    read.map_err(|error| {
        cell.refuse(&format!(
            "no running match of a ticket, {{\"match_id\": 7, \"teams\": [0, 1]}}: {error}"
        ))
    })
}

fn attribute(cell: &Cell, value: Json) -> Result<Value, Fault> {
    check_digits(cell, &value)?;
    let text = value.to_string();
    serde_json::from_value(value).map_err(|_| {
        cell.refuse(&format!(
            "`{}`; an attribute is a number, a text, true or false, a list of texts, or numbers by name",
            shown(&text)
        ))
    })
}

/// `churn_win`, `churn_draw` and `churn_loss` as the attribute `churn`.
fn gather_churn(attributes: &mut Attributes) {
    let outcomes = ["win", "draw", "loss"];
    let found = outcomes.map(|outcome| match attributes.get(&format!("churn_{outcome}")) {
        Some(Value::Number(number)) => Some(((*outcome).to_owned(), *number)),
        _ => None,
    });
    if found.iter().all(Option::is_some) {
        for outcome in outcomes {
            attributes.remove(&format!("churn_{outcome}"));
        }
        attributes.insert(
            "churn".to_owned(),
            Value::Numbers(found.into_iter().flatten().collect()),
        );
    }
}

/// Moves what all players have alike to their ticket, where keys are looked up.
fn share_attributes(ticket: &mut Ticket) {
    let Some((first, others)) = ticket.players.split_first() else {
        return;
    };
    let is_alike = |(name, value): &(&String, &Value)| {
        *name != "name"
            && others
                .iter()
                .all(|other| other.attributes.get(*name) == Some(value))
    };
    let alike: Attributes = first
        .attributes
        .iter()
        .filter(is_alike)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    for member in &mut ticket.players {
        member.attributes.retain(|name, _| !alike.contains_key(name));
    }
    ticket.attributes.extend(alike);
}
