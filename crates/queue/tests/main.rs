//! Tests of the queue through its public interface.

mod journal;
mod journal_faults;
mod journal_world;
mod policy_change;
