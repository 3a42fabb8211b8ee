//! What people's files say: matches, players, tickets of a queue, edges and pasted tables, from CSV, JSON lines, a JSON array
//! or Parquet, plain, gzip or zstd.
//!
//! Columns are found by their names, as people call them; where names do not tell, the options do. Values that can be read in
//! two ways are decided by all of their column, and what was decided is said in a sentence of the [`Report`]. What cannot be
//! read as it was meant is refused, with path, line, column and how to mend it ([`ImportError`]).
//!
//! ```
//! use matchwright_import::{Input, MatchOptions, Matches};
//!
//! let file = "date,home_team,away_team,home_score,away_score\n2024-05-01,Ajax,Brugge,2,1\n2024-05-08,Brugge,Ajax,0,0\n";
//! for game in Matches::open(Input::new("league.csv", file.as_bytes()), &MatchOptions::default())? {
//!     let game = game?;
//!     println!("{}: {:?}", game.time(), game.names().collect::<Vec<_>>());
//! }
//! # Ok::<(), matchwright_import::ImportError>(())
//! ```
//!
//! A file is opened by [`Input::open`]. Matches are read one after the other ([`Matches`]); players ([`Players`]), tickets
//! ([`Tickets`]), edges ([`Edges`]) and pasted tables ([`PastedTable`]) as a whole, from a [`Source`].
//!
//! By default CSV and JSON in UTF-8 are read; the feature `compression` adds gzip and zstd, `encodings` adds UTF-16, which is known by
//! its mark, and by [`Input::with_encoding`] Latin-1 and others, `parquet` adds Parquet, `xlsx` adds workbooks of Excel. While these are
//! decoded, panics of their decoders are caught and told as errors, for which both features set a hook of the process.
//!
//! Memory is bounded by what a file has: rows of more than 8 MiB ([`Input::with_longest_row`]), more than 2048 columns, and
//! packed files that unpack to more than 200 times their size and 64 MiB are refused.

mod bad_rows;
mod cell;
mod column_names;
#[cfg(feature = "encodings")]
mod decoded;
mod edges;
mod error;
mod foreign;
mod input;
mod limits;
mod matches;
#[cfg(feature = "parquet")]
mod parquet;
mod pasted;
mod players;
#[cfg(any(feature = "parquet", feature = "xlsx"))]
mod quietly;
mod row;
mod tickets;
mod unused;
mod value;
#[cfg(feature = "xlsx")]
mod xlsx;

pub mod text;

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use cell::date_order::DateOrder;
pub use cell::time_format::TimeFormat;
pub use cell::time_unit::TimeUnit;
#[cfg(feature = "encodings")]
pub use decoded::is_encoding;
pub use edges::{Edge, EdgeColumns, EdgeForm, EdgeOptions, Edges};
pub use error::{ImportError, InputName, Place, RowError};
pub use input::{Input, Source};
pub use matches::{
    CleanForm, CleanWriter, Columns, Match, MatchOptions, Matches, Member, Report, Side, Summary, TakeMatch,
    write_trf,
};
pub use pasted::{FoundColumn, PastedTable, TableColumns};
pub use players::{Player, PlayerColumns, PlayerOptions, Players};
pub use tickets::{Backfill, Ticket, TicketColumns, TicketOptions, TicketPlayer, Tickets};
pub use unused::unused_note;
pub use value::{Value, Values};

/// Numbers as people write them.
pub mod number {
    pub use crate::cell::numbers::{GREATEST_WHOLE, ROUNDED, is_rounded, rounded_number};
    pub use crate::limits::{read_size, size};
    pub use crate::pasted::{number, share};
}

/// JSON that says no key twice and loses no digits, for documents of settings.
pub mod json {
    pub use crate::row::json_text::{json_fault as fault, read};
}
