//! [`Plan`]: how much a world asks for, before it is simulated.

use super::scenario::{AgainParams, ArrivalParams, PeopleParams, PlayParams, Scenario, ScenarioParams};

/// Bytes that a player who is remembered takes, with the party and the rating.
const BYTES_A_PLAYER: f64 = 250.0;

/// How much one world asks for, at most: every party that may come comes and plays on for as long as anybody would.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Tickets, with those of parties that play again.
    pub tickets: f64,
    /// Memory for all players, bytes.
    pub bytes: f64,
}

impl Scenario {
    /// How much one world asks for under one policy.
    ///
    /// ```text
    /// tickets = parties that may come * matches in a row
    /// matches in a row = min(1 / (1 - chance of a next match), time / (median length + pause))
    /// ```
    ///
    /// Where players are the same from match to match, at most as many tickets as matches fit into their time; otherwise
    /// `matches in a row` is 1.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let params = self.params();
        let (tickets, players) = if let Some(log) = self.log() {
            let copies = params.arrivals.factor + 1.0;
            let players: usize = log.tickets().iter().map(|one| one.ticket.players.len()).sum();
            (copies * log.tickets().len() as f64, copies * players as f64)
        } else {
            let parties = params.most_parties();
            (parties, parties * params.people.mean_party())
        };
        let Some(known) = params.people.players.map(f64::from) else {
            let bytes = BYTES_A_PLAYER * players;
            return Plan { tickets, bytes };
        };
        let in_time = 3_600_000.0 * params.hours / cycle_millis(&params.play, &params.again);
        let next = params.again.next_match.iter().copied().fold(0.0, f64::max);
        let in_a_row = (1.0 / (1.0 - next)).min(in_time.max(1.0));
        Plan {
            tickets: (tickets * in_a_row).min(known * (1.0 + in_time)),
            bytes: BYTES_A_PLAYER * known,
        }
    }
}

/// Milliseconds from one ticket of a party to the next, where it plays on.
fn cycle_millis(play: &PlayParams, again: &AgainParams) -> f64 {
    (60_000.0 * play.median_minutes + 1000.0 * again.pause_seconds).max(1.0)
}

impl ScenarioParams {
    /// How many parties may come at random: at the greatest rate all the time.
    pub(super) fn most_parties(&self) -> f64 {
        self.arrivals.fastest() * 3600.0 * self.hours
    }
}

impl ArrivalParams {
    /// The greatest rate, all regions together, a second.
    fn fastest(&self) -> f64 {
        let mean = self.by_hour.iter().sum::<f64>() / 24.0;
        let most = self.by_hour.iter().copied().fold(0.0, f64::max);
        self.per_second * self.factor * (most / mean) * self.busiest()
    }

    /// The factor by which arrivals rise where all bursts coincide.
    pub(super) fn busiest(&self) -> f64 {
        self.bursts.iter().map(|one| one.factor.max(1.0)).product()
    }
}

impl PeopleParams {
    /// Mean players of a party.
    fn mean_party(&self) -> f64 {
        let sum: f64 = self.parties.iter().sum();
        let sizes = self.parties.iter().zip(1_u32..);
        sizes.map(|(share, size)| share / sum * f64::from(size)).sum()
    }
}
