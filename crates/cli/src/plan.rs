//! Work that a small file may ask for, beyond what anybody waits for: it is begun with `--yes` alone.

use std::sync::atomic::{AtomicBool, Ordering};

use matchwright_report::decimal;

use crate::failure::Failure;

/// Tickets that are simulated, in all worlds under all policies; a world counts as [`LEAST_OF_A_WORLD`] at least.
pub(crate) const TICKETS: f64 = 1e8;
pub(crate) const LEAST_OF_A_WORLD: f64 = 1000.0;
/// Bytes for the players of all worlds that are simulated at once.
pub(crate) const PLAYERS: f64 = 4.0 * (1_u64 << 30) as f64;
/// Matches that a generated population makes.
pub(crate) const MATCHES: f64 = 1e9;
/// Exchanges that a policy tries for one match, or for one round.
pub(crate) const EXCHANGES: u64 = 10_000_000;
/// Steps of a queue: a fixed number, and a number for each ticket.
const STEPS: (u64, u64) = (1_000_000, 1000);

static ALL_IS_WANTED: AtomicBool = AtomicBool::new(false);

/// Begins whatever is asked for.
pub(crate) fn want_all() {
    ALL_IS_WANTED.store(true, Ordering::Relaxed);
}

fn is_all_wanted() -> bool {
    ALL_IS_WANTED.load(Ordering::Relaxed)
}

/// Refuses more than `most` of something, unless all is wanted.
pub(crate) fn check(asked: f64, most: f64, what: impl FnOnce() -> String) -> Result<(), Failure> {
    if asked <= most || is_all_wanted() {
        return Ok(());
    }
    let (what, most) = (what(), counted(most));
    Err(Failure::Usage(format!("{what}; more than {most} need --yes")))
}

/// The steps that a queue may take: a fixed number, and a number for each ticket.
pub(crate) fn steps() -> Option<(u64, u64)> {
    (!is_all_wanted()).then_some(STEPS)
}

/// The steps that a replay of this many tickets may take.
pub(crate) fn steps_of(tickets: usize) -> Option<u64> {
    steps().map(|(any, each)| any.saturating_add(each.saturating_mul(tickets as u64)))
}

/// `1,234,000` of a number of which three digits count; `3.2e20` of one that nobody reads.
pub(crate) fn counted(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.1e}");
    }
    let scale = 10_f64.powf((number.max(1.0).log10() - 2.0).floor().max(0.0));
    decimal((number / scale).round() * scale, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_to_three_digits() {
        for (number, text) in [
            (0.0, "0"),
            (7.0, "7"),
            (999.6, "1000"),
            (1_234_567.0, "1,230,000"),
            (1e8, "100,000,000"),
            (2.0e30, "2.0e30"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(counted(number), text);
        }
    }
}
