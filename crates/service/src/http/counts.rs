//! What is counted of calls, and what their spans are called.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

/// The target of the spans of calls.
pub(crate) const CALLS: &str = "calls";

/// Answers by call, status and name of the refusal.
#[derive(Default)]
pub(crate) struct Counts(pub(crate) Family<Vec<(&'static str, String)>, Counter>);
