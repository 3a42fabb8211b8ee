//! [`run_worlds`]: policies on the same worlds, and [`compare`] of what they make of them.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{self, AtomicU64};

use matchwright_queue::{QueueSettings, Time};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::checks::ScenarioError;
use super::engine::{SimulationError, millis, simulate};
use super::measures::{Figure, Measured, Measures};
use super::record::{FullRecord, Record};
use super::regret::{Regret, RegretError, WholeWorld, regrets};
use super::scenario::Scenario;
use crate::policy::{DocumentError, MakePolicy, PolicyDocument};
use crate::progress::Progress;
use crate::random::{Purpose, derived_seed};
use crate::replay::Judge;
use crate::statistics::{CountRatio, Estimate, Summary, paired_test, share_interval};
use crate::threads::{ThreadsError, install, try_each};

/// Why worlds were not simulated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorldsError {
    /// Without a policy no world can be run.
    #[error("no policy is given")]
    NoPolicy,
    /// Worlds of which nothing is known of those who are lost.
    #[error(
        "a world has no ticket after its warm-up, so that the share without a match is not known: give the scenario more \
         `hours` or parties, or say with a bound on `lost` how many may be"
    )]
    NoTickets,
    /// A policy that cannot be loaded.
    #[error(transparent)]
    Policy(#[from] DocumentError),
    /// A policy that needs what the world has not.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A world that came to no end.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A world without hindsight.
    #[error(transparent)]
    Regret(#[from] RegretError),
    /// Threads that did not start.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// One world under all policies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// Its number.
    pub world: u64,
    /// Under each policy, in their order.
    pub policies: Vec<Measured>,
}

/// What all worlds of a comparison share.
pub struct Worlds<'a, P = PolicyDocument> {
    /// The world.
    pub scenario: &'a Scenario,
    /// The policies that run it.
    pub policies: &'a [P],
    /// What judges them all.
    pub judge: &'a Judge,
    /// Of all worlds: world w has a seed of its own, which depends on this and on w alone.
    pub seed: u64,
    /// Whether every policy's costs are compared with the least in hindsight, which takes longer than the worlds themselves.
    /// Only where the objective has a price of lost tickets.
    pub hindsight: bool,
}

impl<P> Clone for Worlds<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Worlds<'_, P> {}

impl<P: MakePolicy> Worlds<'_, P> {
    /// Simulates the worlds of these numbers under every policy, on this many threads (0: as many as there are cores),
    /// which never changes the result. `progress` has a step for each thousandth of a world and policy.
    ///
    /// # Errors
    /// [`WorldsError`].
    pub fn run(
        &self,
        worlds: Range<u64>,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<World>, WorldsError> {
        self.run_seen(worlds, threads, progress, &|_, _| {})
    }

    /// As [`run`](Self::run); `seen` is told each policy's place and what one world came to under it, as they end.
    ///
    /// # Errors
    /// [`WorldsError`].
    pub fn run_seen(
        &self,
        worlds: Range<u64>,
        threads: usize,
        progress: &dyn Progress,
        seen: &(dyn Fn(usize, &Measured) + Sync),
    ) -> Result<Vec<World>, WorldsError> {
        for policy in self.policies {
            self.scenario.check_policy(&policy.make()?)?;
        }
        let runs = (worlds.end - worlds.start) * self.policies.len() as u64;
        let told = Told::new(progress, THOUSAND * runs * self.parts());
        install(threads, || {
            try_each(&worlds.collect::<Vec<_>>(), 1, |world| {
                self.world(*world, &told, seen)
            })
        })
    }

    /// One world under all policies.
    fn world(
        &self,
        world: u64,
        told: &Told<'_>,
        seen: &(dyn Fn(usize, &Measured) + Sync),
    ) -> Result<World, WorldsError> {
        let one = |&policy: &usize| {
            let mut whole = WholeWorld::default();
            let record: &mut dyn Record = if self.has_hindsight() { &mut whole } else { &mut () };
            let found = self.recorded(world, policy, record, told)?;
            seen(policy, &found);
            Ok::<_, WorldsError>((found, whole))
        };
        let all: Vec<usize> = (0..self.policies.len()).collect();
        let found = try_each(&all, 1, one)?;
        let (mut policies, wholes): (Vec<Measured>, Vec<WholeWorld>) = found.into_iter().unzip();
        if self.has_hindsight() {
            for (found, regret) in policies.iter_mut().zip(self.regrets(wholes)?) {
                found.regret = Some(regret);
                told.advance(THOUSAND);
            }
        }
        Ok(World { world, policies })
    }

    fn has_hindsight(&self) -> bool {
        self.hindsight && self.judge.objective().lost().is_some()
    }

    /// A world under a policy is simulated; hindsight counts as much again.
    fn parts(&self) -> u64 {
        1 + u64::from(self.has_hindsight())
    }

    fn regrets(&self, wholes: Vec<WholeWorld>) -> Result<Vec<Regret>, WorldsError> {
        let settings = self.policies.iter().map(|policy| Ok(policy.make()?.settings));
        let settings: Vec<QueueSettings> = settings.collect::<Result<_, WorldsError>>()?;
        let ends = Time::default().plus(millis(3600.0 * self.scenario.params().hours));
        let worlds: Vec<(WholeWorld, QueueSettings)> = wholes.into_iter().zip(settings).collect();
        Ok(regrets(&worlds, self.judge, ends)?)
    }

    /// One world under the first policy, with every ticket and match. Memory: some 300 bytes a ticket.
    ///
    /// # Errors
    /// [`WorldsError`].
    pub fn record(&self, world: u64, progress: &dyn Progress) -> Result<(Measured, FullRecord), WorldsError> {
        let mut full = FullRecord::default();
        let mut whole = WholeWorld::default();
        let told = Told::new(progress, THOUSAND * self.parts());
        let mut found = if self.has_hindsight() {
            let mut both = (&mut full as &mut dyn Record, &mut whole as &mut dyn Record);
            self.recorded(world, 0, &mut both, &told)?
        } else {
            self.recorded(world, 0, &mut full, &told)?
        };
        if self.has_hindsight() {
            found.regret = self.regrets(vec![whole])?.pop();
            told.advance(THOUSAND);
        }
        Ok((found, full))
    }

    fn recorded(
        &self,
        world: u64,
        policy: usize,
        record: &mut dyn Record,
        told: &Told<'_>,
    ) -> Result<Measured, WorldsError> {
        let document = self.policies.get(policy).ok_or(WorldsError::NoPolicy)?;
        let mut policy = document.make()?;
        let mut measures = Measures::new(self.scenario, self.judge);
        let seed = derived_seed(self.seed, Purpose::SimulatedWorlds, world, 0);
        let hours = self.scenario.params().hours;
        let mut before = 0;
        let mut progress = |hour: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "thousandths"
            )]
            let now = (THOUSAND as f64 * hour / hours) as u64;
            if now > before {
                told.advance(now.min(THOUSAND) - before);
                before = now.min(THOUSAND);
            }
        };
        let mut both = (&mut measures as &mut dyn Record, record);
        let ended = simulate(self.scenario, &mut policy, seed, &mut both, &mut progress)?;
        told.advance(THOUSAND - before);
        Ok(measures.finish(&ended.players))
    }
}

/// Steps of progress of one world under one policy.
const THOUSAND: u64 = 1000;

/// Steps of several threads.
struct Told<'a> {
    progress: &'a dyn Progress,
    done: AtomicU64,
}

/// Steps are told this many at a time.
const STEPS: u64 = 20;

impl<'a> Told<'a> {
    fn new(progress: &'a dyn Progress, steps: u64) -> Self {
        progress.begin("simulating", steps);
        Self {
            progress,
            done: AtomicU64::new(0),
        }
    }

    fn advance(&self, steps: u64) {
        let before = self.done.fetch_add(steps, atomic::Ordering::Relaxed);
        let told = (before + steps) / STEPS - before / STEPS;
        if told > 0 {
            self.progress.advance(told * STEPS);
        }
    }
}

/// A figure of all policies over the worlds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Which.
    pub figure: Figure,
    /// By policy: the mean over the worlds; `None` if a world has none, or if it is open in one.
    pub means: Vec<Option<Estimate>>,
    /// By policy: why there is no mean, where it is open.
    pub open: Vec<Option<String>>,
    /// By policy: less the first policy, paired by worlds.
    pub differences: Vec<Option<Difference>>,
}

/// Events are rare where both policies together have fewer than this many a world: the interval is then that of the ratio of
/// their totals, since worlds often agree by chance, and agreeing worlds show no variance.
const RARE: u64 = 10;
/// Differences that agree to this share of themselves are equal.
const ROUNDING: f64 = 1e-9;

/// A difference of two policies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its mean.
    pub mean: f64,
    /// The ends of its 95 % interval, Student's t over the worlds. None where the worlds agree, since they do not tell how
    /// much others would differ, and where events are rare.
    pub interval: Option<[f64; 2]>,
    /// Of rare events: the totals of both over the worlds, and the ratio of their rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<CountRatio>,
}

impl Difference {
    /// Of one value less another in each world; `None` for fewer than two worlds.
    #[must_use]
    pub fn of(differences: impl IntoIterator<Item = f64>) -> Option<Self> {
        let differences: Vec<f64> = differences.into_iter().collect();
        if differences.len() < 2 {
            return None;
        }
        let test = paired_test(differences.iter().copied());
        let margin = test.margin(0.95);
        let is_known = margin.is_finite() && !agree(&differences);
        Some(Self {
            mean: test.difference,
            interval: is_known.then_some([test.difference - margin, test.difference + margin]),
            counts: None,
        })
    }

    /// The same of a figure that counts events, by the totals of both over the worlds and among how many they are.
    fn of_counts(self, worlds: usize, [events, of]: [[u64; 2]; 2]) -> Self {
        if self.is_rare(events[0].saturating_add(events[1]), worlds) {
            let counts = Some(CountRatio::of(events, of));
            let interval = None;
            Self {
                interval,
                counts,
                ..self
            }
        } else {
            self
        }
    }

    /// The same of a figure that is an amount for each event, compared with a value: if events are rare there is no interval.
    fn of_multiple(self, worlds: usize, events: u64) -> Self {
        let interval = self.interval.filter(|_| !self.is_rare(events, worlds));
        Self { interval, ..self }
    }

    /// The same of a figure that counts events and is compared with a value in percent.
    fn of_share(self, worlds: usize, [events, of]: [u64; 2], value: f64) -> Self {
        if self.is_rare(events, worlds) {
            let ends = share_interval(events, of, 0.95).map(|end| 100.0 * end - value);
            let interval = Some(ends);
            Self { interval, ..self }
        } else {
            self
        }
    }

    fn is_rare(&self, events: u64, worlds: usize) -> bool {
        events < RARE * worlds as u64 || self.interval.is_none()
    }

    /// Which side of 0 it is on for 95 % sure: by its interval, or by that of the ratio of rare events. `None` if that is
    /// not clear.
    #[must_use]
    pub fn side(&self) -> Option<Ordering> {
        let ([low, high], none) = match (self.counts, self.interval) {
            (Some(counts), _) => (counts.interval, 1.0),
            (None, interval) => (interval?, 0.0),
        };
        match (low > none, high < none) {
            (true, _) => Some(Ordering::Greater),
            (_, true) => Some(Ordering::Less),
            _ => None,
        }
    }
}

/// Whether values are equal but for rounding.
fn agree(values: &[f64]) -> bool {
    let size = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let first = values.first().copied().unwrap_or_default();
    values
        .iter()
        .all(|value| (value - first).abs() <= ROUNDING * size)
}

/// A figure's mean over worlds.
#[derive(Clone, Debug, PartialEq)]
pub struct Averaged {
    /// `None` if a world has none, or if it is open in one.
    pub mean: Option<Estimate>,
    /// Why it is open: in how many worlds fewer tickets than it is about had a match.
    pub open: Option<String>,
}

impl Averaged {
    /// Of values that are infinite where they are open; `None` stands for no value.
    pub(super) fn new(figure: Figure, values: Option<&[f64]>) -> Self {
        let values = values.unwrap_or_default();
        let open = values.iter().filter(|value| value.is_infinite()).count();
        let open = figure.share().filter(|_| open > 0).map(|share| {
            let without = 100 - share;
            let worlds = match values.len() {
                1 => String::new(),
                all => format!(" in {open} of {all} worlds"),
            };
            format!("more than {without} % had no match{worlds}")
        });
        let is_known = open.is_none() && !values.is_empty();
        Self {
            mean: is_known.then(|| mean(values)),
            open,
        }
    }

    /// The mean alone.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.mean.map(|mean| mean.mean)
    }
}

/// A policy's values of a figure in all worlds; `None` if a world has none.
fn values(worlds: &[World], policy: usize, figure: Figure) -> Option<Vec<f64>> {
    let value = |world: &World| figure.of(world.policies.get(policy)?);
    worlds.iter().map(value).collect()
}

/// The mean of a policy's figure over worlds.
#[must_use]
pub fn average(worlds: &[World], policy: usize, figure: Figure) -> Averaged {
    Averaged::new(figure, values(worlds, policy, figure).as_deref())
}

/// Every figure that any policy has in all worlds: its means, and its differences to the first policy.
#[must_use]
pub fn compare(worlds: &[World]) -> Vec<Compared> {
    let policies = worlds.first().map_or(0, |world| world.policies.len());
    let all: Vec<&World> = worlds.iter().collect();
    let compared = |&figure: &Figure| {
        let values: Vec<Option<Vec<f64>>> = (0..policies)
            .map(|policy| values(worlds, policy, figure))
            .collect();
        let averaged = values
            .iter()
            .map(|values| Averaged::new(figure, values.as_deref()));
        let averaged: Vec<Averaged> = averaged.collect();
        let to_first = |policy: usize| {
            let known = |policy: usize| {
                values[policy]
                    .as_ref()
                    .filter(|_| averaged[policy].open.is_none())
            };
            let (ours, first) = (known(policy)?, known(0)?);
            let less = |(one, other): (&f64, &f64)| {
                let difference = one - other;
                let is_rounding = difference.abs() <= ROUNDING * one.abs().max(other.abs());
                if is_rounding { 0.0 } else { difference }
            };
            let differences: Vec<f64> = ours.iter().zip(first).map(less).collect();
            difference(figure, &all, (policy, Other::Policy(0)), &differences)
        };
        Compared {
            figure,
            differences: (0..policies).map(to_first).collect(),
            means: averaged.iter().map(|one| one.mean).collect(),
            open: averaged.into_iter().map(|one| one.open).collect(),
        }
    };
    let all_figures = Figure::ALL.iter().map(compared);
    let is_known =
        |one: &Compared| one.means.iter().any(Option::is_some) || one.open.iter().any(Option::is_some);
    all_figures.filter(is_known).collect()
}

/// What a figure of a policy is compared with.
#[derive(Clone, Copy)]
pub(super) enum Other {
    /// The policy at that place.
    Policy(usize),
    /// A number.
    Value(f64),
}

/// The difference between a policy, by its place, and another or a number: `differences` by world.
pub(super) fn difference(
    figure: Figure,
    worlds: &[&World],
    (policy, other): (usize, Other),
    differences: &[f64],
) -> Option<Difference> {
    let found = Difference::of(differences.iter().copied())?;
    let total = |policy: usize| {
        let counted = |world: &&World| figure.counted(world.policies.get(policy)?);
        let all = worlds.iter().map(counted).collect::<Option<Vec<_>>>()?;
        Some([0, 1].map(|at| {
            all.iter()
                .fold(0, |sum: u64, counted| sum.saturating_add(counted[at]))
        }))
    };
    let Some(ours) = total(policy) else {
        return Some(found);
    };
    Some(match other {
        Other::Value(_) if figure.is_multiple() => found.of_multiple(worlds.len(), ours[0]),
        Other::Value(value) => found.of_share(worlds.len(), ours, value),
        Other::Policy(other) => total(other).map_or(found, |other| {
            found.of_counts(worlds.len(), [0, 1].map(|at| [ours[at], other[at]]))
        }),
    })
}

/// The mean over the worlds; of worlds that agree its error is not known.
fn mean(values: &[f64]) -> Estimate {
    let mut mean = Summary::of(values.iter().copied()).estimate();
    if agree(values) {
        mean.standard_error = f64::NAN;
    }
    mean
}

/// The policies that no other beats in waiting and mismatch and retention at once: less of all three, by their means.
#[must_use]
pub fn front(compared: &[Compared], figures: &[Figure]) -> Vec<bool> {
    let of = |figure: &Figure| compared.iter().find(|one| one.figure == *figure);
    let columns: Vec<&Compared> = figures.iter().filter_map(of).collect();
    let policies = columns.first().map_or(0, |one| one.means.len());
    let value = |column: &Compared, policy: usize| {
        let mean = column.means[policy].map_or(f64::INFINITY, |mean| mean.mean);
        -f64::from(column.figure.better()) * mean
    };
    let beats = |other: usize, policy: usize| {
        let no_worse = |column: &&Compared| value(column, other) <= value(column, policy);
        let better = |column: &&Compared| value(column, other) < value(column, policy);
        columns.iter().all(no_worse) && columns.iter().any(better)
    };
    (0..policies)
        .map(|policy| !(0..policies).any(|other| beats(other, policy)))
        .collect()
}
