//! Tickets of a queue, as they came and ended, from CSV, JSON lines or a JSON array.

mod columns;
mod draft;
mod values;
mod whole;

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::bad_rows::BadRows;
use crate::cell::date_order::DateOrder;
use crate::cell::time::TimeReader;
use crate::cell::time_format::TimeFormat;
use crate::cell::time_unit::TimeUnit;
use crate::column_names::Taken;
use crate::error::ImportError;
use crate::input::Source;
use crate::matches::Report;
use crate::row::{Layout as _, Row, Rows};
use crate::value::Values;
pub use columns::TicketColumns;
use draft::Drafts;
use whole::{ColumnTypes, check_regions, twins, without_flags, without_match_zero, without_zero};

/// How a file of tickets is read.
#[derive(Clone, Debug, Default)]
pub struct TicketOptions {
    /// Which column means what, where names do not tell.
    pub columns: TicketColumns,
    /// What plain numbers mean as times \[seconds since 1970 from 100000000 on; milliseconds as the queue writes tickets\].
    pub time_unit: Option<TimeUnit>,
    /// How all times are written.
    pub time_format: Option<TimeFormat>,
    /// What comes first in dates such as `03/05/2024` \[as all dates of the file tell\].
    pub date_order: Option<DateOrder>,
    /// Drops rows that cannot be used, each with its ticket, and counts them.
    pub skip_bad: bool,
    /// Each name is that of one player, whatever it looks like.
    pub names_as_written: bool,
}

/// A ticket as it came and ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// The line of the file that it begins on, from 1.
    pub line: u64,
    /// What the file calls it: by its own name, that of its party or its first player, or by its line.
    pub name: String,
    /// Who waits together, one or more.
    pub players: Vec<TicketPlayer>,
    /// The queues that it waits in.
    pub queues: Vec<String>,
    /// Where it would play, with the ping in milliseconds, 0 where none is told.
    pub regions: BTreeMap<String, f64>,
    /// What is known of all its players.
    pub attributes: Values,
    /// The running match whose free places it offers.
    pub backfill: Option<Backfill>,
    /// When it came, in Unix milliseconds.
    pub came: i64,
    /// When it gave up, if it did.
    pub left: Option<i64>,
    /// When it was matched, if it was.
    pub matched: Option<i64>,
    /// What the file calls its match, if it was in one.
    pub match_name: Option<String>,
    /// What the file calls its team of that match.
    pub team: Option<String>,
}

/// A player of a ticket.
#[derive(Clone, Debug, PartialEq)]
pub struct TicketPlayer {
    /// Its name.
    pub name: String,
    /// What is known of it and not of all players of the ticket.
    pub attributes: Values,
}

/// A running match with free places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backfill {
    /// The match.
    pub match_id: u64,
    /// The team of each of the ticket's players, in their order.
    pub teams: Vec<usize>,
}

/// The tickets of a file.
#[derive(Clone, Debug)]
pub struct Tickets {
    /// In the order of their first rows.
    pub tickets: Vec<Ticket>,
    /// What was found besides.
    pub report: Report,
}

impl Tickets {
    /// Reads all tickets of a source. O(bytes).
    ///
    /// # Errors
    /// [`ImportError`] with line and column of what cannot be used and is not to be dropped, or if there is no ticket.
    pub fn of(source: &Source, options: &TicketOptions) -> Result<Self, ImportError> {
        let name = source.name();
        let mut bad = BadRows::new(name.clone(), options.skip_bad, ["ticket", "tickets"]);
        let (mut rows, taken) = rows(source, options, &mut bad)?;
        let no_party = without_zero(&mut rows).map_err(|error| name.in_row(error))?;
        let no_match = without_match_zero(&mut rows);
        check_regions(&rows).map_err(|error| name.in_row(error))?;
        let of_queue = rows.first().is_some_and(is_of_the_queue);
        let unit = options.time_unit.or(of_queue.then_some(TimeUnit::Milliseconds));
        let times = TimeReader::new(unit).with_format(options.time_format.as_ref());
        let times = times.with_order(options.date_order);
        let types = ColumnTypes::of(&rows);
        for cell in rows.iter().flat_map(|row| &row.cells) {
            if let ("time" | "left" | "matched" | "date", Some(text)) = (&*cell.meaning, cell.value.as_str())
            {
                times.look_at(text.trim());
            }
        }
        let mut drafts = Drafts::new(&times, &types, options);
        for row in &mut rows {
            let fault = row.fault.take();
            let is_broken = fault.is_some();
            match fault.map_or_else(|| drafts.push(row), |error| Err(*error)) {
                Ok(()) => {}
                Err(error) if bad.stops_at(&error) => bad.take(error)?,
                Err(error) => drafts.spoil(row, error, is_broken),
            }
        }
        let mut tickets = drafts.finish(&mut bad)?;
        let only_flags = without_flags(&mut tickets);
        if tickets.is_empty() {
            return Err(bad.refuse_all("no ticket in it"));
        }
        let notes = taken
            .notes(&[])
            .into_iter()
            .chain(bad.note())
            .chain(times.notes());
        let notes = notes.chain(types.note()).chain(no_party).chain(no_match);
        let notes = notes.chain(twins(&rows)).chain(only_flags);
        Ok(Self {
            tickets,
            report: Report {
                taken: taken.used(),
                skipped: bad.skipped(),
                unused: taken.unused(),
                notes: notes.collect(),
                ..Report::default()
            },
        })
    }
}

/// All rows; those that cannot be used only where `bad` skips them.
fn rows(
    source: &Source,
    options: &TicketOptions,
    bad: &mut BadRows,
) -> Result<(Vec<Row>, Taken), ImportError> {
    // Without its header nothing of a file can be used.
    let opened = Rows::open(source.rows(), &options.columns);
    let mut file = opened.map_err(|error| bad.refuse_row(error))?;
    let mut rows = Vec::new();
    loop {
        match file.advance() {
            Ok(Some(row)) => {
                note_players(&row, options, &mut file.taken);
                rows.push(row);
            }
            Ok(None) => break,
            Err(error) if bad.stops_at(&error) => bad.take(error)?,
            Err(error) => rows.push(file.spoilt(error, &["ticket", "party"])),
        }
    }
    if !rows.is_empty() {
        file.check_named().map_err(|error| bad.refuse_row(error))?;
    }
    Ok((rows, file.taken))
}

/// Whether it is an object as the queue itself writes tickets, whose times are milliseconds.
fn is_of_the_queue(row: &Row) -> bool {
    let players = row.cell("players").and_then(|cell| cell.value.as_array());
    players.is_some_and(|all| all.iter().any(Json::is_object))
}

/// What the players of a ticket have in JSON: attributes, and keys that nothing looks at.
fn note_players(row: &Row, options: &TicketOptions, taken: &mut Taken) {
    let players = row.cell("players").filter(|_| !row.is_csv);
    let players = players.and_then(|cell| cell.value.as_array());
    for (key, value) in players
        .into_iter()
        .flatten()
        .filter_map(Json::as_object)
        .flatten()
    {
        match (key.as_str(), value) {
            ("id", _) => {}
            ("attributes", Json::Object(attributes)) => {
                let names: Vec<String> = attributes.keys().cloned().collect();
                let meanings: Vec<Option<String>> = names.iter().cloned().map(Some).collect();
                let is_attribute = TicketColumns::is_attribute;
                taken.add(&names, &meanings, options.columns.named(), is_attribute);
            }
            _ => taken.pass_over(format!("players.{key}")),
        }
    }
}
