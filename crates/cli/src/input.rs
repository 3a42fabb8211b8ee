//! From a file of matches to a history, from players to a pool, from tickets to a log of a queue, and documents of settings.

mod document;
#[cfg(test)]
mod generated;
mod matches;
#[cfg(test)]
mod mutated;
#[cfg(test)]
mod parquet_tests;
mod pasted;
mod players;
mod policy;
mod reading;
mod scale;
mod scenario;
mod source;
mod study_data;
mod systems;
mod tickets;
mod times;

use matchwright_import::number::{number, share};

pub(crate) use document::{Document, at_key, of_named};
pub(crate) use matches::{Counts, Imported, MatchLine, import_games, import_matches, stream_games};
pub(crate) use pasted::PastedTable;
pub(crate) use players::{ImportedPlayers, import_players};
pub(crate) use policy::{
    ImportedObjective, ImportedPolicy, ImportedQueue, Named, import_objective, import_policy, import_queue,
    recorded_queue,
};
pub(crate) use reading::ReadingDocument;
pub(crate) use scale::{RatedBy, WantedScale, digits, policy_called};
pub(crate) use scenario::{ImportedScenario, import_scenario};
pub(crate) use source::{
    InputName, Source, encoding, hexadecimal, open, set_encoding, set_longest_row, sha256_hex,
};
pub(crate) use study_data::StudyData;
pub(crate) use systems::SystemFile;
pub(crate) use tickets::{ImportedTickets, TicketNames, import_tickets};
pub(crate) use times::{shown_time, time_cell};

/// A number on the command line, as people write it, or with an exponent.
pub(crate) fn read_number(text: &str) -> Result<f64, String> {
    let is_scientific = text.contains(['e', 'E']);
    let scientific = text
        .parse()
        .ok()
        .filter(|number: &f64| is_scientific && number.is_finite());
    scientific.map_or_else(|| number(text).map_err(str::to_owned), Ok)
}

/// A share on the command line, `0.55` or `55%`.
pub(crate) fn read_share(text: &str) -> Result<f64, &'static str> {
    share(text)
}
