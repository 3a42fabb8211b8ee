//! One file for each command: read, call the libraries, show.

pub(crate) mod bundled;
pub(crate) mod claims;
pub(crate) mod compare;
pub(crate) mod forensics;
pub(crate) mod import;
pub(crate) mod judging;
pub(crate) mod lobby;
mod looked_at;
pub(crate) mod merge;
pub(crate) mod pair;
pub(crate) mod rate;
pub(crate) mod replay;
pub(crate) mod reproduce;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod study;
pub(crate) mod waits;
