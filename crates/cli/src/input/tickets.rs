//! Tickets of a queue as a log, on the scale that a policy is for.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use matchwright_import::{TicketOptions, Tickets};
use matchwright_queue::{TicketId, Value};
use matchwright_report::FileRecord;
use matchwright_sim::adapt::{LoggedTickets, logged};
use matchwright_sim::policy::RatingScale;
use matchwright_sim::replay::TicketLog;

use super::scale::{Beside, WantedScale};
use super::source::{InputName, Source};
use crate::failure::Failure;

/// The names that a file has for tickets; those without one have their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TicketNames {
    /// From ticket 1 on.
    tickets: Vec<String>,
    /// From match 1 on.
    matches: Vec<String>,
}

impl TicketNames {
    /// What the file calls a ticket.
    pub(crate) fn ticket(&self, ticket: TicketId) -> String {
        named(&self.tickets, ticket.0)
    }

    /// What the file calls a match that really was.
    pub(crate) fn recorded_match(&self, made: u64) -> String {
        named(&self.matches, made)
    }
}

/// The name of what has this number, or the number.
fn named(names: &[String], number: u64) -> String {
    let place = number
        .checked_sub(1)
        .and_then(|place| usize::try_from(place).ok());
    let name = place.and_then(|place| names.get(place));
    name.map_or_else(|| number.to_string(), Clone::clone)
}

/// A log with what its manifest should say.
pub(crate) struct ImportedTickets {
    pub(crate) log: TicketLog,
    pub(crate) names: TicketNames,
    pub(crate) facts: FileRecord,
    /// Columns or keys that nothing looks at.
    pub(crate) unused: Vec<String>,
    /// What the user should hear.
    pub(crate) notes: Vec<String>,
    pub(crate) name: InputName,
    /// The bytes of the journal that they are from.
    pub(crate) journal: Option<Vec<u8>>,
    beside: Beside,
}

/// What of a ticket is in points of ratings.
const IN_POINTS: [&str; 4] = ["skill", "rating", "uncertainty", "deviation"];

impl ImportedTickets {
    /// Brings all ratings to the scale that is wanted, or refuses them; with what the user should hear.
    pub(crate) fn bring(&mut self, wanted: &WantedScale) -> Result<Vec<String>, Failure> {
        let tickets = self.log.tickets();
        let of = |name: &String| -> Vec<f64> {
            let numbers = tickets.iter().filter_map(|logged| logged.ticket.mean(name));
            numbers.collect()
        };
        // Those that a policy needs are there, and are all of one scale.
        let ratings = |scale: &RatingScale| {
            let all = scale.names().iter().map(of);
            all.max_by_key(Vec::len).unwrap_or_default()
        };
        let brought = wanted.bring(&self.name, &self.beside, ratings)?;
        if brought.factor == 1.0 {
            return Ok(brought.notes);
        }
        let named = wanted.in_points().map(String::as_str);
        let in_points: BTreeSet<&str> = IN_POINTS.into_iter().chain(named).collect();
        let log = std::mem::take(&mut self.log);
        self.log = log.map_attributes(|attributes| {
            for name in &in_points {
                if let Some(Value::Number(number)) = attributes.get_mut(name) {
                    *number *= brought.factor;
                }
            }
        });
        Ok(brought.notes)
    }
}

/// Reads all tickets of a file or standard input.
pub(crate) fn import_tickets(path: &Path, reading: &TicketOptions) -> Result<ImportedTickets, Failure> {
    let source = Source::open(path)?;
    let beside = Beside::of(path, &source.facts);
    tickets_of(source, beside, reading)
}

/// The tickets that a source has.
pub(super) fn tickets_of(
    source: Source,
    beside: Beside,
    reading: &TicketOptions,
) -> Result<ImportedTickets, Failure> {
    if TicketLog::is_journal(source.text()) {
        return of_journal(source);
    }
    let Tickets { tickets, report } = Tickets::of(&source.read, reading)?;
    let LoggedTickets {
        log,
        names,
        match_names,
    } = logged(tickets).map_err(|error| source.name.refuse(error))?;
    Ok(ImportedTickets {
        log,
        names: TicketNames {
            tickets: names,
            matches: match_names,
        },
        notes: report.notes,
        unused: report.unused,
        facts: source.facts,
        name: source.name,
        journal: None,
        beside,
    })
}

/// The log of a journal, up to its end or what is wrong in it.
fn of_journal(source: Source) -> Result<ImportedTickets, Failure> {
    let read = TicketLog::from_journal(source.text()).map_err(|error| source.name.refuse(error))?;
    let fault = read
        .fault
        .map(|fault| format!("{}: {fault}; the log ends there", source.name));
    Ok(ImportedTickets {
        log: read.log,
        names: TicketNames::default(),
        notes: fault.into_iter().collect(),
        unused: Vec::new(),
        facts: source.facts,
        name: source.name,
        journal: Some(source.read.into_text()),
        beside: Beside::Nothing,
    })
}
