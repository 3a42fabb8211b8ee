//! From a file of matches to a history, from players to a pool, from tickets to a log of a queue: CSV or JSON lines,
//! plain, gzip or zstd, a path or `-`.

mod agreement;
mod bad_rows;
mod case_twins;
mod cell_list;
mod columns;
mod csv;
mod csv_games;
mod date_and_time;
mod document;
mod first_sides;
mod games;
#[cfg(test)]
mod generated;
mod json_games;
mod json_rows;
mod json_text;
mod letters;
mod limits;
mod long_games;
mod matches;
#[cfg(test)]
mod mutated;
mod named_graph;
mod names;
mod nobody;
mod numbers;
mod outcome;
mod parquet;
mod parquet_cell;
mod parquet_limits;
mod pasted;
mod players;
mod policy;
mod rows;
mod scale;
mod scenario;
mod seats;
mod source;
mod systems;
mod table_games;
mod tickets;
mod time;
mod unused;
mod value;

pub(crate) use columns::Columns;
pub(crate) use document::{Document, at_key, of_named};
pub(crate) use limits::{read_size, set_longest_row};
pub(crate) use matches::{Imported, MatchLine, import_games, import_matches, stream_games};
pub(crate) use named_graph::{GraphColumns, GraphForm, NamedGraph, read_named_graph};
pub(crate) use numbers::{GREATEST_WHOLE, ROUNDED, is_rounded};
pub(crate) use pasted::{FoundColumn, PastedTable, TableColumns};
pub(crate) use players::{ImportedPlayers, PlayerColumns, import_players};
pub(crate) use policy::{
    ImportedObjective, ImportedPolicy, ImportedQueue, Named, import_objective, import_policy, import_queue,
    recorded_queue,
};
pub(crate) use rows::lines;
pub(crate) use scale::{RatedBy, WantedScale, digits, policy_called};
pub(crate) use scenario::{ImportedScenario, import_scenario};
pub(crate) use source::{InputName, Source, hexadecimal, sha256_hex};
pub(crate) use systems::SystemFile;
pub(crate) use tickets::{ImportedTickets, TicketColumns, TicketNames, TicketReading, import_tickets};
pub(crate) use time::{TimeUnit, shown_time, time_cell};
pub(crate) use unused::{listed, unused_note};

/// A number on the command line, as people write it, or with an exponent.
pub(crate) fn read_number(text: &str) -> Result<f64, String> {
    let is_scientific = text.contains(['e', 'E']);
    let scientific = text
        .parse()
        .ok()
        .filter(|number: &f64| is_scientific && number.is_finite());
    scientific.map_or_else(|| pasted::number(text).map_err(str::to_owned), Ok)
}

/// A share on the command line, `0.55` or `55%`.
pub(crate) fn read_share(text: &str) -> Result<f64, &'static str> {
    pasted::share(text)
}
