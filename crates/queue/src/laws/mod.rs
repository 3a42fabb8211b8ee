//! The contract of [`MatchPolicy`](crate::MatchPolicy) as a suite that anyone can run on an implementation.

mod pairs;
mod probe;
mod run;
mod stream;
mod violation;

pub use pairs::check_pairs;
pub use stream::{check_exact_times, check_policy, check_policy_within};
pub use violation::{Law, LawViolation};
