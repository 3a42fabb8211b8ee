//! Queues under the example policies, and killed in service; ratings over histories of duels and teams, generated and real.
#![allow(clippy::unwrap_used, reason = "a failure in a helper fails the test")]

mod lobbies_why;
mod queue_bounds;
mod queue_compare;
mod queue_policies;
mod queue_replay;
mod queue_roles;
mod queue_sizes;
mod queue_steps;
mod rating_bits;
mod rating_contexts;
mod rating_layers;
mod rating_teams;
mod rating_upkeep;
mod ratings_on_real_matches;
mod season;
mod simulate_compared;
mod simulate_fit;
mod simulate_formulas;
mod simulate_homes;
mod simulate_keys;
mod simulate_parties;
mod simulate_regret;
mod simulate_truth;
mod simulate_worlds;
