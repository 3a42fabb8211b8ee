//! Tickets as they are put together from rows: one row each, or one for each player of a party.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::columns::is_ping;
use super::values::{MOST_PLAYERS, backfill, numbers, players, size, too_many};
use super::whole::ColumnTypes;
use super::{Backfill, Ticket, TicketOptions, TicketPlayer};
use crate::bad_rows::BadRows;
use crate::cell::date_and_time::Beside;
use crate::cell::names::Names;
use crate::cell::time::{TimeError, TimeReader};
use crate::error::{Fault, ImportError, RowError};
use crate::row::{Cell, Row};
use crate::text::shown;
use crate::value::{Value, Values};

/// Tickets in the order of their first rows.
pub(super) struct Drafts<'a> {
    times: &'a TimeReader,
    types: &'a ColumnTypes,
    checked: Names,
    /// Whether a complete time must agree with the date beside it.
    is_dated: bool,
    tickets: Vec<Draft>,
    /// Places of tickets by key.
    by_name: HashMap<Key, usize>,
    spoilt: Spoilt,
}

/// What the rows of one ticket have in common: its name, or its party and when it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Ticket(String),
    /// Without a time it is any.
    Party(String, Option<i64>),
}

impl Key {
    /// That of the same party at any time.
    pub(super) fn at_any_time(&self) -> Option<Self> {
        match self {
            Self::Ticket(_) => None,
            Self::Party(name, _) => Some(Self::Party(name.clone(), None)),
        }
    }
}

pub(super) struct Draft {
    ticket: Ticket,
    pub(super) key: Option<Key>,
    /// Whether each of its rows names one player.
    has_player: bool,
    /// How many players a row says it has, and where.
    size: Option<(usize, u64, Fault)>,
    /// None where it is lost.
    pub(super) rows: u64,
}

/// When a ticket came and how it ended, in milliseconds; with its match and team.
struct Span {
    came: i64,
    left: Option<i64>,
    matched: Option<i64>,
    match_name: Option<String>,
    team: Option<String>,
}

impl<'a> Drafts<'a> {
    pub(super) fn new(times: &'a TimeReader, types: &'a ColumnTypes, reading: &TicketOptions) -> Self {
        Self {
            times,
            types,
            checked: Names::new(
                reading.names_as_written,
                Some("name the column `players`".to_owned()),
            ),
            is_dated: !reading.columns.name_the_time(),
            tickets: Vec::new(),
            by_name: HashMap::new(),
            spoilt: Spoilt::default(),
        }
    }

    /// The tickets, but for those with a bad row.
    pub(super) fn finish(mut self, bad: &mut BadRows) -> Result<Vec<Ticket>, ImportError> {
        let spoilt = self.spoilt.take(&mut self.tickets);
        let mut errors = spoilt.map_err(|error| bad.refuse_row(error))?;
        for draft in self.tickets.iter_mut().filter(|draft| draft.rows > 0) {
            if let Some(error) = draft.wrong_size() {
                draft.rows = 0;
                errors.push(error);
            }
        }
        errors.sort_by_key(|error| error.line);
        for error in errors {
            bad.take(error)?;
        }
        let kept = self.tickets.into_iter().filter(|draft| draft.rows > 0);
        Ok(kept
            .map(|mut draft| {
                share_attributes(&mut draft.ticket);
                draft.ticket
            })
            .collect())
    }

    /// Takes note of a row that cannot be used, perhaps as it `is_broken`: its ticket is lost.
    pub(super) fn spoil(&mut self, row: &Row, error: RowError, is_broken: bool) {
        let text = |meaning| row.cell(meaning).and_then(|cell| cell.text().ok());
        let came = || self.span(row).ok().map(|span| span.came);
        let key = match (text("ticket"), text("party")) {
            (Some(ticket), _) => Some(Key::Ticket(ticket)),
            (None, Some(party)) => Some(Key::Party(party, came())),
            (None, None) => None,
        };
        let known = key.as_ref().and_then(|key| self.by_name.get(key));
        let is_one_of_several = |place: &usize| self.tickets[*place].has_player;
        match key {
            Some(key)
                if is_broken || row.cell("player").is_some() || known.is_some_and(is_one_of_several) =>
            {
                // Where fields are too many or too few, another may stand in the place of the name.
                let is_sure = !is_broken || row.cells.iter().any(|cell| cell.column == 1);
                self.spoilt.add(key, error, is_sure);
            }
            // Where a row is a whole ticket it is lost alone.
            _ => self.spoilt.add_alone(error, is_broken),
        }
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
        if player.is_none() && self.types.have("player") && row.is_csv && row.cell("players").is_none() {
            let what = "no player, where other rows have one: write who it is, or leave such rows out";
            return Err(refuse((1, what.to_owned())));
        }
        if let Some(player) = &player {
            let what = self.checked.check(player);
            let at = row.cell("player");
            what.map_err(|what| refuse(at.map_or((1, what.clone()), |cell| cell.refuse(&what))))?;
        }
        let mut read = self.read(row).map_err(refuse)?;
        if let Some(player) = &player {
            if !read.players.is_empty() {
                let what = "a row has either one `player` or all `players`".to_owned();
                return Err(refuse((row.cell("players").map_or(1, |cell| cell.column), what)));
            }
            // What a row of one player says is of that player.
            read.players.push(TicketPlayer {
                name: player.clone(),
                attributes: std::mem::take(&mut read.attributes),
            });
        }
        let key = match (&ticket, &party) {
            (Some(ticket), _) => Some(Key::Ticket(ticket.clone())),
            (None, Some(party)) if player.is_some() => Some(Key::Party(party.clone(), Some(span.came))),
            _ => None,
        };
        if let Some(&place) = key.as_ref().and_then(|key| self.by_name.get(key)) {
            let joined = self.tickets[place].join(row, &span, read, player.is_some());
            return joined.map_err(refuse);
        }
        let first = read.players.first().map(|player| player.name.clone());
        let name = ticket
            .or(party)
            .or(first)
            .unwrap_or_else(|| format!("line {}", row.line));
        let size = read.size.zip(row.cell("size")).map(|(size, cell)| {
            let what = format!("`{}`", shown(&cell.text().unwrap_or_default()));
            (size, row.line, cell.refuse(&what))
        });
        if read.players.is_empty() {
            let size = read.size.unwrap_or(1);
            let one = |place: usize| {
                if size == 1 {
                    name.clone()
                } else {
                    format!("{name}#{place}")
                }
            };
            let alone = |place| TicketPlayer {
                name: one(place),
                attributes: Values::new(),
            };
            read.players = (1..=size).map(alone).collect();
        }
        if let Some(key) = key.clone() {
            self.by_name.insert(key, self.tickets.len());
        }
        let Span {
            came,
            left,
            matched,
            match_name,
            team,
        } = span;
        self.tickets.push(Draft {
            ticket: Ticket {
                line: row.line,
                name,
                players: read.players,
                queues: read.queues,
                regions: read.regions,
                attributes: read.attributes,
                backfill: read.backfill,
                came,
                left,
                matched,
                match_name,
                team,
            },
            key,
            has_player: player.is_some(),
            size,
            rows: 1,
        });
        Ok(())
    }

    /// When a row's ticket came and how it ended.
    fn span(&self, row: &Row) -> Result<Span, RowError> {
        let refuse = |fault| RowError::new(row.line, fault);
        let date = row.cell("date").map(Cell::text);
        let date = date.transpose().map_err(refuse)?;
        let time = |cell: &Cell| {
            let text = cell.text().map_err(refuse)?;
            // A ticket may end on a later day than it came.
            let beside = if &*cell.meaning == "time" && self.is_dated {
                Beside::Checked
            } else {
                Beside::Chosen
            };
            let read = self.times.read_beside(date.as_deref().map(beside), &text);
            read.map_err(|error| match error {
                TimeError::Unreadable(what) => RowError::new(row.line, cell.refuse(&what)),
                TimeError::NoUnit(what) | TimeError::Open(what) => RowError {
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
        let says_match = |cell: &&Cell| cell.value != Json::Bool(false);
        let in_match = row.cell("match").filter(says_match);
        if in_match.is_some() && matched.is_none() {
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
        let text = |meaning| row.cell(meaning).map(Cell::text).transpose().map_err(refuse);
        let match_name = in_match.filter(|cell| cell.value != Json::Bool(true));
        let match_name = match_name.map(Cell::text).transpose().map_err(refuse)?;
        let team = text("match_team")?;
        Ok(Span {
            came,
            left,
            matched,
            match_name,
            team,
        })
    }

    /// All of a row but names and times.
    fn read(&self, row: &Row) -> Result<Read, Fault> {
        let mut read = Read::default();
        let has_pings = row.cells.iter().any(|cell| is_ping(&cell.meaning));
        for cell in &row.cells {
            match &*cell.meaning {
                "ticket" | "time" | "date" | "left" | "matched" | "match" | "match_team" | "player"
                | "party" => {}
                "queue" => read.queues = cell.texts(row.line)?,
                "size" => read.size = Some(size(cell)?),
                "players" => {
                    read.players = players(cell, row.line, self.checked.as_written)?;
                    if read.players.len() > MOST_PLAYERS {
                        return Err((cell.column, too_many()));
                    }
                    for player in &read.players {
                        self.checked
                            .check(&player.name)
                            .map_err(|what| cell.refuse(&format!("a list with {what}")))?;
                    }
                }
                "pings" => read.add_pings(cell, numbers(cell)?)?,
                "backfill" if matches!(cell.value, Json::Object(_)) => read.backfill = Some(backfill(cell)?),
                "region" if matches!(cell.value, Json::Object(_)) => read.add_pings(cell, numbers(cell)?)?,
                // Beside pings it is where the player lives.
                "region" if has_pings => {
                    let home = Value::Text(cell.text()?);
                    read.attributes.insert("region".to_owned(), home);
                }
                "region" => read
                    .regions
                    .extend(cell.texts(row.line)?.into_iter().map(|region| (region, 0.0))),
                _ if self.types.lacks(cell) => {}
                name => {
                    let value = self.types.value(cell, (row.line, row.is_csv))?;
                    match (name.strip_prefix("ping_").filter(|_| name != "ping_to"), value) {
                        (Some(region), Value::Number(ping)) => {
                            read.add_pings(cell, [(region.to_owned(), ping)])?;
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
    fn join(&mut self, row: &Row, span: &Span, read: Read, has_player: bool) -> Result<(), Fault> {
        let at = |meaning: &str| row.cell(meaning).map_or(1, |cell| cell.column);
        let ticket = &mut self.ticket;
        let first = ticket.line;
        let regions = &read.regions;
        let ends = [(ticket.left, ticket.matched), (span.left, span.matched)];
        if !has_player || !self.has_player {
            let what = format!(
                "the ticket is there twice, first in line {first}: give each ticket a name of its own"
            );
            return Err((at("ticket"), what));
        }
        if ticket.came != span.came {
            let what = format!("the ticket came at another time in line {first}: its players come together");
            return Err((at("time"), what));
        }
        if ends[0] != ends[1] && ends.iter().all(|(left, matched)| left.or(*matched).is_some()) {
            let what = format!("the ticket ended otherwise in line {first}: its players wait together");
            let column = row.cell("left").or(row.cell("matched"));
            return Err((column.map_or(1, |cell| cell.column), what));
        }
        for (meaning, what, known, told) in [
            ("match", "match", &ticket.match_name, &span.match_name),
            ("match_team", "team", &ticket.team, &span.team),
        ] {
            if known
                .as_ref()
                .zip(told.as_ref())
                .is_some_and(|(known, told)| known != told)
            {
                let what =
                    format!("the ticket has another {what} in line {first}: its players play together");
                return Err((at(meaning), what));
            }
        }
        if !read.queues.is_empty() && !ticket.queues.is_empty() && read.queues != ticket.queues {
            let what = format!("the ticket is in another queue in line {first}: its players wait together");
            return Err((at("queue"), what));
        }
        if let Some((size, line, _)) = self
            .size
            .as_ref()
            .filter(|(size, ..)| read.size.is_some_and(|one| one != *size))
        {
            let what = format!("the ticket has {size} players by line {line}: correct one of the two");
            return Err((at("size"), what));
        }
        let is_known = |player: &TicketPlayer| ticket.players.iter().any(|other| other.name == player.name);
        if read.players.iter().any(is_known) {
            let what = format!("the player is in this ticket already, whose first row is in line {first}");
            return Err((at("player"), what));
        }
        if ticket.players.len() == MOST_PLAYERS {
            return Err((at("player"), too_many()));
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
        ticket.players.extend(read.players);
        ticket.left = ticket.left.or(span.left);
        ticket.matched = ticket.matched.or(span.matched);
        ticket.match_name = ticket.match_name.take().or_else(|| span.match_name.clone());
        ticket.team = ticket.team.take().or_else(|| span.team.clone());
        self.rows += 1;
        Ok(())
    }

    /// What is wrong where a row says another number of players than there are.
    fn wrong_size(&self) -> Option<RowError> {
        let (size, line, (column, what)) = self.size.as_ref()?;
        let players = self.ticket.players.len();
        if *size == players {
            return None;
        }
        let (names, rows) = if self.has_player {
            ("rows name", self.rows)
        } else {
            ("row names", 1)
        };
        let what = format!("{what}; the ticket's {names} {players}: correct one of the two");
        Some(RowError {
            rows,
            ..RowError::new(*line, (*column, what))
        })
    }
}

/// What a row says of its ticket.
#[derive(Default)]
struct Read {
    players: Vec<TicketPlayer>,
    size: Option<usize>,
    queues: Vec<String>,
    regions: std::collections::BTreeMap<String, f64>,
    attributes: Values,
    backfill: Option<Backfill>,
}

impl Read {
    /// Pings to regions, of which the row says nothing else.
    fn add_pings(
        &mut self,
        cell: &Cell,
        pings: impl IntoIterator<Item = (String, f64)>,
    ) -> Result<(), Fault> {
        for (region, ping) in pings {
            if let Some(other) = self
                .regions
                .insert(region.clone(), ping)
                .filter(|other| *other != ping)
            {
                let region = shown(&region);
                return Err(cell.refuse(&format!(
                    "{ping} to `{region}`, which is {other} in the same row; remove one of the two"
                )));
            }
        }
        Ok(())
    }
}

/// `churn_win`, `churn_draw` and `churn_loss` as the attribute `churn`.
fn gather_churn(attributes: &mut Values) {
    let outcomes = ["win", "draw", "loss"];
    let found = outcomes.map(|outcome| {
        let number = attributes.get(&format!("churn_{outcome}"))?.number()?;
        Some(((*outcome).to_owned(), number))
    });
    if found.iter().all(Option::is_some) {
        for outcome in outcomes {
            attributes.remove(&format!("churn_{outcome}"));
        }
        let churn = Value::Numbers(found.into_iter().flatten().collect());
        attributes.insert("churn".to_owned(), churn);
    }
}

/// Moves what all players have alike to their ticket, where keys are looked up.
fn share_attributes(ticket: &mut Ticket) {
    let Some((first, others)) = ticket.players.split_first() else {
        return;
    };
    // Each keeps a name of its own.
    let is_alike = |(name, value): &(&String, &Value)| {
        let mut others = others.iter();
        *name != "name" && others.all(|other| other.attributes.get(*name) == Some(value))
    };
    let alike = first.attributes.iter().filter(is_alike);
    let alike: Values = alike.map(|(name, value)| (name.clone(), value.clone())).collect();
    for player in &mut ticket.players {
        player.attributes.retain(|name, _| !alike.contains_key(name));
    }
    ticket.attributes.extend(alike);
}

/// What bad rows spoil.
#[derive(Default)]
pub(super) struct Spoilt {
    /// By what the rows of a ticket have in common, the first error with the number of bad rows, and whether it is sure
    /// that its row has this in common.
    keys: HashMap<Key, (RowError, bool)>,
    /// Those of tickets of one row.
    alone: Vec<RowError>,
    /// The first of which it is not known what ticket it is of.
    unknown: Option<RowError>,
}

impl Spoilt {
    /// A row of the tickets with this key.
    pub(super) fn add(&mut self, key: Key, error: RowError, is_sure: bool) {
        let first = self
            .keys
            .entry(key)
            .or_insert((RowError { rows: 0, ..error }, is_sure));
        first.0.rows += 1;
    }

    /// A row that is a ticket of its own, unless it `is_unknown`.
    pub(super) fn add_alone(&mut self, error: RowError, is_unknown: bool) {
        if is_unknown {
            self.unknown.get_or_insert(error.clone());
        }
        self.alone.push(error);
    }

    /// The errors of all that is lost, with the rows of each; the rows of these tickets become none. Or the error of a row
    /// without which some ticket may be left with fewer players.
    pub(super) fn take(mut self, tickets: &mut [Draft]) -> Result<Vec<RowError>, RowError> {
        let are_parts = tickets.iter().any(|draft| draft.rows > 1);
        let mut errors = self.alone;
        for draft in tickets {
            let any_time = draft.key.as_ref().and_then(Key::at_any_time);
            let keys = draft.key.iter().chain(&any_time);
            let Some(key) = keys.into_iter().find(|key| self.keys.contains_key(*key)) else {
                continue;
            };
            if let Some((error, _)) = self.keys.get_mut(key) {
                // The bad rows count with the first ticket that they spoil.
                let rows = std::mem::take(&mut error.rows) + std::mem::take(&mut draft.rows);
                errors.push(RowError {
                    rows,
                    ..error.clone()
                });
            }
        }
        let left = self.keys.into_values().filter(|(error, _)| error.rows > 0);
        for (error, is_sure) in left {
            if !is_sure {
                self.unknown.get_or_insert(error.clone());
            }
            errors.push(error);
        }
        match self.unknown.filter(|_| are_parts) {
            Some(error) => Err(without_ticket(error)),
            None => Ok(errors),
        }
    }
}

/// The fault of a row whose ticket is not known: some ticket may lack it.
fn without_ticket(error: RowError) -> RowError {
    let (column, what) = error.fault;
    let what = format!("{what}; no ticket can be dropped for the row, as it is not known which it is of");
    RowError {
        fatal: true,
        fault: (column, what),
        ..error
    }
}
