//! When parties come: at random, or as a log has them.

use matchwright_queue::Time;
use rand::RngExt;
use rand_distr::{Distribution, Exp1};

use super::{Engine, Happening, millis};
use crate::random::{Purpose, stream};
use crate::replay::TicketLog;
use crate::simulate::scenario::BurstParams;

/// Mean seconds between a log's ticket and each copy of it.
const COPIES_APART: f64 = 300.0;

impl Engine<'_> {
    /// The next arrival of a region after `now`: thinned from the busiest hour's rate.
    pub(super) fn plan_arrival(&mut self, region: usize, now: Time) {
        let params = self.scenario.params();
        let (hours, place) = (&params.arrivals.by_hour, &params.regions[region]);
        let shares: f64 = params.regions.iter().map(|region| region.share).sum();
        let mean = hours.iter().sum::<f64>() / 24.0;
        let most = hours.iter().copied().fold(0.0, f64::max);
        let bursts = &params.arrivals.bursts;
        let burst = |hour: f64| {
            let now = |one: &&BurstParams| (one.at_hours..one.at_hours + one.hours).contains(&hour);
            bursts.iter().filter(now).map(|one| one.factor).product::<f64>()
        };
        let busiest = params.arrivals.busiest();
        let per_second = params.arrivals.per_second * params.arrivals.factor;
        let fastest = per_second * place.share / shares * most / mean * busiest;
        if fastest <= 0.0 {
            return;
        }
        let rng = &mut self.arrivals[region];
        let mut seconds = now.seconds_since(Time::default());
        loop {
            let gap: f64 = Exp1.sample(rng);
            seconds += gap / fastest;
            if seconds > 3600.0 * params.hours {
                return;
            }
            let hour = (seconds / 3600.0 + place.offset_hours).rem_euclid(24.0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "an hour of a day"
            )]
            let weight = hours[(hour as usize).min(23)];
            if rng.random::<f64>() * most * busiest < weight * burst(seconds / 3600.0) {
                break;
            }
        }
        let at = Time::default().plus(millis(seconds)).max(now);
        self.agenda.add(at, Happening::Arrival { region });
    }

    /// Every ticket of the log, as often as the factor says.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of copies"
    )]
    pub(super) fn plan_log(&mut self, log: &TicketLog) {
        let factor = self.scenario.params().arrivals.factor;
        let Some(start) = log.tickets().first().map(|first| first.came) else {
            return;
        };
        for (logged, place) in log.tickets().iter().zip(0..) {
            let mut rng = stream(self.seed, Purpose::SimulatedCopies, place.into(), 0);
            let copies = (factor + rng.random::<f64>()).floor() as u64;
            let mut at = Time::default().plus(logged.came.millis() - start.millis());
            for _ in 0..copies {
                self.agenda.add(at, Happening::Logged { place });
                let gap: f64 = Exp1.sample(&mut rng);
                at = at.plus(millis(COPIES_APART * gap));
            }
        }
    }
}
