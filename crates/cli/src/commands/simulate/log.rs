//! Every ticket and match of one world, for `matchwright replay` and for further analysis.

use std::collections::HashMap;
use std::sync::Arc;

use matchwright_queue::{Ticket, TicketId};
use matchwright_report::{Column, Table};
use matchwright_sim::simulate::{Fate, FullRecord, PlayedMatch, TicketEnd};
use serde::Serialize;

use crate::failure::Failure;

/// The tickets as JSON lines that the queue's log has, and the matches.
pub(super) struct Log {
    pub(super) tickets: String,
    pub(super) matches: Table,
}

/// A ticket of the log.
#[derive(Serialize)]
struct Line<'a> {
    came: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "match")]
    in_match: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<usize>,
    #[serde(flatten)]
    ticket: &'a Ticket,
}

/// Of a world that was recorded in full; tickets that were not admitted are left out.
pub(super) fn log(record: &FullRecord) -> Result<Log, Failure> {
    let mut ends: Vec<&TicketEnd> = record.tickets.iter().collect();
    ends.retain(|end| end.fate != Fate::Refused);
    ends.sort_by_key(|end| (end.came, end.ticket.id));
    let mut places: HashMap<TicketId, (u64, usize)> = HashMap::new();
    for one in &record.matches {
        for (team, tickets) in (1..).zip(&one.made.lobby.teams) {
            places.extend(tickets.iter().map(|ticket| (*ticket, (one.made.id.0, team))));
        }
    }
    let mut tickets = String::new();
    for end in ends {
        let place = places.get(&end.ticket.id).filter(|_| end.fate == Fate::Matched);
        let is = |fates: &[Fate]| fates.contains(&end.fate);
        let line = Line {
            came: end.came.millis(),
            left: is(&[Fate::Left, Fate::Declined]).then_some(end.ended.millis()),
            matched: is(&[Fate::Matched]).then_some(end.found().millis()),
            in_match: place.map(|place| place.0),
            team: place.map(|place| place.1),
            ticket: &end.ticket,
        };
        tickets += &serde_json::to_string(&line).map_err(Failure::of)?;
        tickets.push('\n');
    }
    Ok(Log {
        tickets,
        matches: matches(&record.matches),
    })
}

fn matches(made: &[PlayedMatch]) -> Table {
    let team = |tickets: &Vec<Arc<Ticket>>| {
        let names: Vec<String> = tickets.iter().map(|ticket| ticket.id.to_string()).collect();
        names.join(" + ")
    };
    let numbers = |values: &[f64]| {
        values
            .iter()
            .map(|value| format!("{value:.1}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let places = |places: &[u32]| places.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    Table::of("Matches", made)
        .column(Column::integer("match"), |one| one.made.id.0)
        .column(Column::number("time", 3), |one| one.at.millis() as f64 / 1000.0)
        .column(Column::text("queue"), |one| one.made.lobby.queue.to_string())
        .column(Column::text("region"), |one| {
            one.made.lobby.region.as_deref().map(str::to_owned)
        })
        .column(Column::text("teams"), |one| {
            one.tickets.iter().map(team).collect::<Vec<_>>().join(" against ")
        })
        .column(Column::text("ratings"), |one| numbers(&one.ratings))
        .column(Column::text("skills"), |one| numbers(&one.skills))
        .column(Column::number("predicted", 4), |one| one.predicted)
        .column(Column::number("true_chance", 4), |one| one.true_chance)
        .column(Column::text("places"), |one| places(&one.places))
        .build()
}
