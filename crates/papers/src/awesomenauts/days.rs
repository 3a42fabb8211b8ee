//! Rounds over simulated days: how many players each had, and how long it took to gather them.

use std::collections::BTreeMap;

use anyhow::Result;
use matchwright_sim::progress::Quiet;

use crate::check::simulated::WorldsConfig;
use crate::workers::Workers;

/// Seconds of an hour.
const HOUR: f64 = 3600.0;

/// A round of a day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HeldRound {
    /// Hour of the day.
    pub(crate) hour: usize,
    /// Seconds since the round before.
    pub(crate) gathered: f64,
    /// Players who waited for it.
    pub(crate) players: usize,
}

/// The rounds of a simulated day, in their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Day {
    pub(crate) rounds: Vec<HeldRound>,
    /// By hour of the day: players who came in it.
    pub(crate) came: [f64; 24],
}

/// The rounds of each world under the first policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DaysReport {
    pub(crate) days: Vec<Day>,
}

/// Simulates the days, each a world. The same for any number of threads.
pub(crate) fn run_days(config: &WorldsConfig, seed: u64, workers: &Workers<'_>) -> Result<DaysReport> {
    config.with(seed, |worlds| {
        let count = usize::try_from(config.worlds)?;
        let days = workers.in_order("days of rounds", count, |world| {
            let (_, record) = worlds.record(world as u64, &Quiet)?;
            // Players who come, and who go to a match or for good, at each moment.
            let mut moments: BTreeMap<i64, [usize; 2]> = BTreeMap::new();
            let mut came = [0.0; 24];
            for ticket in &record.tickets {
                let players = ticket.players.len();
                moments.entry(ticket.came.millis()).or_default()[0] += players;
                moments.entry(ticket.ended.millis()).or_default()[1] += players;
                came[hour(ticket.came.millis())] += players as f64;
            }
            let mut held: Vec<i64> = record.matches.iter().map(|made| made.at.millis()).collect();
            held.dedup();
            let mut rounds = Vec::new();
            let (mut waiting, mut last) = (0, None);
            for (at, [more, fewer]) in moments {
                waiting += more;
                if held.binary_search(&at).is_ok() {
                    let gathered = last.map(|last| (at - last) as f64 / 1000.0);
                    rounds.extend(gathered.map(|gathered| HeldRound {
                        hour: hour(at),
                        gathered,
                        players: waiting,
                    }));
                    last = Some(at);
                }
                waiting = waiting.saturating_sub(fewer);
            }
            Ok(Day { rounds, came })
        })?;
        Ok(DaysReport { days })
    })
}

/// The hour of the day of a moment in milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an hour of a day"
)]
fn hour(at: i64) -> usize {
    ((at as f64 / 1000.0 / HOUR) as usize) % 24
}

impl DaysReport {
    /// A value of each day.
    pub(crate) fn values(&self, of: impl Fn(&Day) -> Option<f64>) -> Option<Vec<f64>> {
        self.days.iter().map(of).collect()
    }
}

impl Day {
    /// The mean of a value over the rounds of some hours; none where there are no rounds.
    pub(crate) fn mean(&self, hours: &[usize], of: impl Fn(&HeldRound) -> f64) -> Option<f64> {
        let within = || self.rounds.iter().filter(|round| hours.contains(&round.hour));
        let sum: f64 = within().map(of).sum();
        (within().count() > 0).then(|| sum / within().count() as f64)
    }
}
