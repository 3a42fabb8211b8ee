//! [`Stats`]: what a service has done, and how fast.

use std::collections::VecDeque;
use std::time::Duration;

use matchwright_queue::Decision;
use matchwright_queue::live::Decided;
use serde::Serialize;

use crate::ledger::Ledger;

/// How many of the latest syncs and waits are looked at for quantiles.
const LATEST: usize = 1024;
/// For how many seconds matches are counted, second by second.
const SECONDS: i64 = 60;

/// Counts since the start, and quantiles of the latest.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct Stats {
    /// The last step.
    pub step: u64,
    /// Steps that were written.
    pub steps: u64,
    /// Tickets that came in.
    pub tickets: u64,
    /// Matches that were made.
    pub matches: u64,
    /// Those that did not start.
    pub failed_matches: u64,
    /// Results, since the folder began.
    pub results: u64,
    /// Tickets that left without a match.
    pub left: u64,
    /// Matches of the last minute.
    pub matches_a_minute: u64,
    /// Half and 99 of 100 of the latest 1,024 syncs took no longer, in seconds.
    pub sync: [f64; 2],
    /// Half and nine of ten of the latest 1,024 tickets that were matched waited no longer, in seconds.
    pub wait: [f64; 2],
}

/// What they are made of.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    counted: Stats,
    syncs: VecDeque<f64>,
    waits: VecDeque<f64>,
    /// Matches by second.
    matches: VecDeque<(i64, u64)>,
}

fn push(latest: &mut VecDeque<f64>, value: f64) {
    if latest.len() == LATEST {
        latest.pop_front();
    }
    latest.push_back(value);
}

/// The least of the values that is not below these shares of them, in percent.
fn quantiles(values: &VecDeque<f64>, percents: [usize; 2]) -> [f64; 2] {
    let mut sorted: Vec<f64> = values.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    percents.map(|percent| {
        let rank = (percent * sorted.len()).div_ceil(100);
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    })
}

impl Meter {
    /// A step was written and synced in this time.
    pub(crate) fn step(&mut self, decided: &Decided, ledger: &Ledger, synced: Duration) {
        let now = decided.record.now.millis();
        self.counted.step = decided.step;
        self.counted.steps += 1;
        self.counted.results = ledger.results();
        push(&mut self.syncs, synced.as_secs_f64());
        let mut matches = 0;
        for decision in &decided.record.outcome.decisions {
            match decision {
                Decision::Admitted { .. } => self.counted.tickets += 1,
                Decision::Left { .. } => self.counted.left += 1,
                Decision::Failed { .. } => self.counted.failed_matches += 1,
                Decision::Matched(made) => {
                    matches += 1;
                    for entry in made.lobby.tickets().filter_map(|ticket| ledger.ticket(ticket.0)) {
                        push(&mut self.waits, now.saturating_sub(entry.came) as f64 / 1000.0);
                    }
                }
                _ => {}
            }
        }
        self.counted.matches += matches;
        let second = now.div_euclid(1000);
        match self.matches.back_mut().filter(|(last, _)| *last == second) {
            Some((_, count)) => *count += matches,
            None => self.matches.push_back((second, matches)),
        }
        while self
            .matches
            .front()
            .is_some_and(|(first, _)| *first <= second - SECONDS)
        {
            self.matches.pop_front();
        }
    }

    /// All of it at a time.
    pub(crate) fn stats(&self, now: i64) -> Stats {
        let from = now.div_euclid(1000) - SECONDS;
        let recent = self.matches.iter().filter(|(second, _)| *second > from);
        Stats {
            matches_a_minute: recent.map(|(_, count)| count).sum(),
            sync: quantiles(&self.syncs, [50, 99]),
            wait: quantiles(&self.waits, [50, 90]),
            ..self.counted.clone()
        }
    }
}
