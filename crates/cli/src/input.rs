//! From a file of matches to a history, and from a file of players to a pool: CSV or JSON lines, plain or gzip, a path or
//! `-`.

mod collect;
mod columns;
mod csv_rows;
mod json_rows;
mod json_sides;
mod matches;
mod players;
mod policy;
mod records;
mod rows;
mod sides;
mod source;
mod time;
mod value;

pub(crate) use columns::Columns;
pub(crate) use matches::{ImportOptions, Imported, import_games, import_matches};
pub(crate) use players::{ImportedPlayers, import_players};
pub(crate) use policy::{ImportedPolicy, import_policy};
pub(crate) use source::{Source, SourceFacts, sha256_hex};
pub(crate) use time::show_time;
