//! The commands, most in a file of their name: read, call the libraries, show. `bundled` is `examples` and `schema`, `shell` is
//! `completions` and `man`.

pub(crate) mod bundled;
mod by_context;
pub(crate) mod claims;
pub(crate) mod compare;
pub(crate) mod forensics;
pub(crate) mod import;
pub(crate) mod lobby;
pub(crate) mod merge;
pub(crate) mod pair;
pub(crate) mod rate;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod season;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod study;

// Shared by `replay` and `simulate`.
mod judging;
mod looked_at;
mod versus;
mod waits;
