//! [`fit`]: a world to simulate, from a log of a real queue.

mod acceptance;
mod arrivals;
mod patience;
mod people;

use serde::Serialize;

use super::scenario::ScenarioParams;
use crate::replay::{JournalLog, TicketLog};
use crate::statistics::share_interval;

/// What is known of a queue: the log of its tickets, and more where it is from a journal.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// Who came when, and what became of them.
    pub log: &'a TicketLog,
    /// The journal that the log is from: answers to proposals, who left because of them, when it ends.
    pub journal: Option<&'a JournalLog>,
}

/// A world like that of a log, and how well each of its numbers is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedScenario {
    /// The world. What could not be estimated has its default.
    pub params: ScenarioParams,
    /// What was estimated, from how many.
    pub estimates: Vec<FittedValue>,
    /// What was taken how, and what could not be observed and was left at its default, by the section that it is about.
    pub notes: Vec<FitNote>,
    /// The patience that the log shows, as far as it does.
    pub patience: Vec<PatiencePoint>,
}

/// A number of a world as a log tells it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedValue {
    /// Its key in the scenario, with its table.
    pub key: String,
    /// The estimate.
    pub value: f64,
    /// Its standard error; NaN where all that it is from agree, which shows no variance.
    pub standard_error: f64,
    /// Its 95 % interval, where the error does not tell it: of a share of none or of all, and of a curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// From how many it is.
    pub count: u64,
    /// Of what.
    pub of: &'static str,
}

/// Something to know of a section of a fitted scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FitNote {
    /// The section, such as `arrivals`.
    pub section: &'static str,
    /// A sentence.
    pub text: String,
}

/// The share of parties that have given up by a time, were none matched before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PatiencePoint {
    /// Seconds.
    pub seconds: f64,
    /// The share.
    pub left: f64,
    /// Its standard error, by Greenwood's formula.
    pub standard_error: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

/// The world that a log is from, as far as the log tells.
///
/// - Arrivals: counts over the time observed, by hour of the day where a whole day was seen, by region; the shift of a
///   region's day against that of the largest region by maximum likelihood, where it is clear.
/// - Patience: the product-limit estimate of Kaplan and Meier, with matched tickets censored, up to the wait that 20 reached.
/// - Acceptance: cumulative incidences (Aalen and Johansen, "An empirical transition matrix for non-homogeneous Markov
///   chains based on censored observations", Scand. J. Stat. 5, 1978), with players censored whose proposal ended for
///   another reason.
/// - Players: shares of party sizes, regions and words; means, deviations and correlations of numbers.
///
/// Only the log is read. Every ticket is taken for an arrival: a log does not tell when matches end, hence not who came
/// because of one. O(n log n).
///
/// ```
/// use matchwright_queue::{Ticket, Time};
/// use matchwright_sim::replay::{LoggedTicket, TicketLog};
/// use matchwright_sim::simulate::{Observed, fit};
///
/// let ticket = |id: u64| LoggedTicket {
///     ticket: Ticket::of_one(id, id).with("rating", 1500.0),
///     came: Time::from_millis(10_000 * id as i64),
///     left: None,
///     matched: Some(Time::from_millis(10_000 * id as i64 + 5000)),
/// };
/// let log = TicketLog::new((0..100).map(ticket).collect())?;
/// let found = fit(Observed { log: &log, journal: None });
/// assert_eq!(found.params.arrivals.per_second, 0.1);
/// assert_eq!(found.params.patience, None);
/// assert!(found.notes.iter().any(|note| note.text.contains("no ticket was seen to give up")));
/// # Ok::<(), matchwright_sim::replay::LogError>(())
/// ```
#[must_use]
pub fn fit(observed: Observed<'_>) -> FittedScenario {
    let mut fitted = FittedScenario {
        params: ScenarioParams::default(),
        estimates: Vec::new(),
        notes: Vec::new(),
        patience: Vec::new(),
    };
    let homes = arrivals::fit(observed, &mut fitted);
    people::fit(observed, &homes, &mut fitted);
    patience::fit(observed, &mut fitted);
    acceptance::fit(observed, &mut fitted);
    fitted.note(
        "play",
        "what matches are like was not observed: a log has neither their lengths nor their results"
            .to_owned(),
    );
    fitted
}

impl FittedScenario {
    fn note(&mut self, section: &'static str, text: String) {
        self.notes.push(FitNote { section, text });
    }

    /// A share `count / of`, with its binomial standard error; of none or all with the exact interval.
    fn share(&mut self, key: String, share: f64, (count, of): (u64, &'static str)) {
        let standard_error = (share * (1.0 - share) / count.max(1) as f64).sqrt();
        let events = [0.0, 1.0].iter().position(|end| share == *end);
        let interval = events.map(|end| share_interval(end as u64 * count, count, 0.95));
        self.bounded(key, (share, standard_error, interval), (count, of));
    }

    fn value(&mut self, key: String, (value, standard_error): (f64, f64), from: (u64, &'static str)) {
        self.bounded(key, (value, standard_error, None), from);
    }

    fn bounded(
        &mut self,
        key: String,
        (value, standard_error, interval): (f64, f64, Option<[f64; 2]>),
        (count, of): (u64, &'static str),
    ) {
        let is_known = standard_error > 0.0;
        self.estimates.push(FittedValue {
            key,
            value,
            standard_error: if is_known { standard_error } else { f64::NAN },
            interval,
            count,
            of,
        });
    }
}

/// To five significant digits, which no log can tell better.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // As it is printed, so that the document has no more digits either.
    format!("{value:.4e}").parse().unwrap_or(value)
}
