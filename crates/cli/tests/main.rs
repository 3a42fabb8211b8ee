//! The program `matchwright`, as its users run it: answers, files and complaints.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod browsers;
mod cells;
mod chain;
mod claims;
mod common;
mod compare;
mod dates;
mod digits;
mod forensics;
mod forged_parts;
mod formats;
mod help;
mod import;
#[cfg(unix)]
mod interrupts;
mod limits;
mod lobby;
mod lobby_errors;
mod lobby_odds;
mod messages;
mod nested;
mod outputs;
mod pair;
mod pair_deadline;
mod pair_unmatched;
mod partial_play;
mod places;
mod plans;
mod rate;
mod rate_accounts;
mod rate_by;
mod rate_draws;
mod rate_files;
mod rate_layers;
mod rate_performances;
mod rate_stream;
mod rate_teams;
mod replay;
mod replay_costs;
mod replay_counts;
mod replay_recorded;
mod replay_why;
mod reproduce_awesomenauts;
mod reproduce_ratings;
mod scale;
mod schema;
mod season;
#[cfg(all(unix, feature = "serve"))]
mod sentences;
mod serve;
#[cfg(all(unix, feature = "serve"))]
mod serve_clients;
#[cfg(all(unix, feature = "serve"))]
mod serve_kills;
#[cfg(all(unix, feature = "serve"))]
mod serve_network;
#[cfg(feature = "serve")]
mod serve_results;
mod simulate;
mod simulate_lost;
mod skip_bad;
mod statements;
#[cfg(unix)]
mod strangers;
mod study;
mod times;
mod unused;
mod whole_files;
