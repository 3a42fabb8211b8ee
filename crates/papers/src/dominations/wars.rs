//! Worlds of alliances that queue for wars, under the new queue, the old one, and the new one altered.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::{Context, Result};
use itertools::Itertools;
use matchwright_queue::{BatchParams, Choose, MethodName, Ticket};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::random::derived_seed;
use matchwright_sim::simulate::{
    Fate, FullRecord, PlayedMatch, Scenario, ScenarioParams, TicketEnd, simulate,
};
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};
use serde::Serialize;

use crate::check::simulated::WorldSize;
use crate::random::Purpose;
use crate::settings::within;
use crate::workers::Workers;

/// What decides [`run_wars`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WarsConfig {
    /// The world: `examples/scenarios/dominations.toml`.
    pub scenario: String,
    /// `examples/policies/dominations.toml`, `dominations-old.toml`, `dominations-seven.toml`.
    pub policies: [String; 3],
    /// How many worlds. Default 20.
    pub worlds: u32,
    /// How long each lasts, hours. Default 240, of which the first 48 are left out.
    pub hours: f64,
}

impl WarsConfig {
    /// With as many worlds, and as long.
    pub(crate) fn sized(mut self, size: WorldSize) -> Result<Self> {
        within("worlds", size.worlds, &(2..=10_000))?;
        self.worlds = u32::try_from(size.worlds)?;
        self.hours = size.hours.unwrap_or(self.hours);
        within("hours", self.hours, &(0.1..=10_000.0))?;
        Ok(self)
    }
}

impl Default for WarsConfig {
    fn default() -> Self {
        Self {
            scenario: include_str!("../../scenarios/dominations.toml").to_owned(),
            policies: [
                include_str!("../../policies/dominations.toml").to_owned(),
                include_str!("../../policies/dominations-old.toml").to_owned(),
                include_str!("../../policies/dominations-seven.toml").to_owned(),
            ],
            worlds: 20,
            hours: 240.0,
        }
    }
}

/// The queues that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Queue {
    /// The new one.
    New,
    /// The one before: one look on entry.
    Old,
    /// The new one with the seven sizes of before.
    Seven,
    /// The new one without its window for glory.
    NoGlory,
    /// The old one with the four sizes of the new.
    OldFour,
    /// The new one with windows that never widen, and no longest wait: one look, as strict as the new one is at first.
    OneLook,
    /// The new one in rounds, at every full hour.
    Hourly,
    /// The new one with glory alone, whatever the bases are.
    GloryAlone,
    /// The new one without its key: sandbaggers are known by the spread of their bases alone.
    NoKey,
    /// The same, set as a studio would: the setting that is best in other worlds.
    Tuned,
}

/// Ranges of the old queue that are tried with the new sizes, points; what it was, the document does not say.
pub const OLD_RANGES: [f64; 5] = [50.0, 100.0, 150.0, 200.0, 300.0];

/// What a studio would turn at the new queue: how many times as wide its windows are, and widen as fast, and how many
/// seconds they stay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Of [`WindowParams`](matchwright_queue::WindowParams).
    pub wide: f64,
    /// Likewise.
    pub fast: f64,
    /// Likewise.
    pub after: f64,
}

impl Queue {
    /// All.
    pub const ALL: [Self; 10] = [
        Self::New,
        Self::Old,
        Self::Seven,
        Self::NoGlory,
        Self::OldFour,
        Self::OneLook,
        Self::Hourly,
        Self::GloryAlone,
        Self::NoKey,
        Self::Tuned,
    ];
}

/// One world under one queue, after the warm-up. A figure of nothing is NaN.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WarWorld {
    /// Share of tickets that left without a war.
    pub left: f64,
    /// Share of tickets that waited for a day or more, whatever became of them.
    pub stranded: f64,
    /// Mean hours in the queue, of all tickets that left it: others, then sandbaggers.
    pub waits: [f64; 2],
    /// Mean gap of glory of a war, points.
    pub glory_gap: f64,
    /// The same of wars whose sides had waited an hour at most, and of the others.
    pub glory_gap_by_wait: [f64; 2],
    /// Mean chance of the stronger side by true skill.
    pub chance: f64,
    /// Mean mismatch of a war by its queue's own objective.
    pub mismatch: f64,
    /// Mean |ln ratio| of the sides' offence.
    pub strength_gap: f64,
    /// Mean chance of the side with the higher mean of bases, and of the one whose bases are spread wider.
    pub chance_of_stronger: f64,
    /// Likewise.
    pub chance_of_wider: f64,
    /// Share of wars of an alliance with a sandbagger.
    pub mixed: f64,
    /// Mean hours in the queue by size of war, and how many tickets.
    pub by_size: BTreeMap<usize, (f64, u64)>,
    /// Wars.
    pub wars: u64,
}

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct WarsReport {
    /// What decided it.
    pub config: WarsConfig,
    /// By queue, in the order of [`Queue::ALL`], each world.
    pub worlds: Vec<Vec<WarWorld>>,
    /// The old queue with the new sizes by its range, in the order of [`OLD_RANGES`].
    pub ranges: Vec<Vec<WarWorld>>,
    /// Of [`Queue::Tuned`].
    pub setting: Setting,
}

impl WarsReport {
    /// The worlds under a queue.
    #[must_use]
    pub fn of(&self, queue: Queue) -> &[WarWorld] {
        &self.worlds[queue as usize]
    }

    /// A figure's mean over the worlds.
    #[must_use]
    pub fn mean(&self, queue: Queue, figure: impl Fn(&WarWorld) -> f64) -> Estimate {
        Summary::of(self.of(queue).iter().map(figure)).estimate()
    }

    /// A figure under one queue less that under another, world by world; worlds without it are left out.
    #[must_use]
    pub fn less(&self, one: Queue, other: Queue, figure: impl Fn(&WarWorld) -> f64) -> MeanTest {
        let pairs = self.of(one).iter().zip(self.of(other));
        let differences = pairs.map(|(one, other)| figure(one) - figure(other));
        paired_test(differences.filter(|difference| difference.is_finite()))
    }

    /// One figure less another under one queue, world by world.
    #[must_use]
    pub fn within(&self, queue: Queue, difference: impl Fn(&WarWorld) -> f64) -> MeanTest {
        let differences = self.of(queue).iter().map(difference);
        paired_test(differences.filter(|difference| difference.is_finite()))
    }
}

/// Simulates every world under every queue: the same alliances, arrivals and patience; the numbers do not depend on the
/// number of threads.
///
/// # Errors
/// A document that cannot be read, or a world that a policy does not fit.
pub fn run_wars(config: &WarsConfig, seed: u64, workers: &Workers<'_>) -> Result<WarsReport> {
    within("worlds", config.worlds, &(2..=10_000))?;
    let mut params: ScenarioParams = toml::from_str(&config.scenario).context("the scenario")?;
    params.warm_up_hours *= config.hours / params.hours;
    params.hours = config.hours;
    let scenario = params.build()?;
    let mut documents = documents(&config.policies)?;
    let run = |documents: &[PolicyDocument], worlds: Range<u64>| -> Result<Vec<Vec<WarWorld>>> {
        for document in documents {
            scenario.check_policy(&load(document.clone())?)?;
        }
        let each = usize::try_from(worlds.end - worlds.start)?;
        let found = workers.in_order("wars of alliances", each * documents.len(), |task| {
            let world = worlds.start + (task % each) as u64;
            let mut record = FullRecord::default();
            let mut policy = load(documents[task / each].clone())?;
            let seed = derived_seed(seed, Purpose::Wars, world, 0);
            simulate(&scenario, &mut policy, seed, &mut record, &mut |_| {})?;
            Ok(figures(&scenario, &record))
        })?;
        Ok(found.chunks(each).map(<[WarWorld]>::to_vec).collect())
    };
    let no_key = documents.last().context("no policy")?.clone();
    let mut tried = Vec::new();
    for setting in settings() {
        tried.push(set(&no_key, setting)?);
    }
    // Worlds that none of the figures is from.
    let tuned_on = TUNED_ON.min(config.worlds.into());
    let tuned = run(&tried, OTHER_WORLDS..OTHER_WORLDS + tuned_on)?;
    let cost = |worlds: &Vec<WarWorld>| worlds.iter().map(WarWorld::cost).sum::<f64>();
    let costs = tuned.iter().map(cost).zip(settings()).zip(tried);
    let best = costs.min_by(|one, other| one.0.0.total_cmp(&other.0.0));
    let ((_, setting), best) = best.context("no setting")?;
    documents.push(best);
    for range in OLD_RANGES {
        documents.push(with_range(&documents[Queue::OldFour as usize], range)?);
    }
    let mut found = run(&documents, 0..config.worlds.into())?;
    let ranges = found.split_off(Queue::ALL.len());
    Ok(WarsReport {
        config: config.clone(),
        worlds: found,
        ranges,
        setting,
    })
}

/// Where the worlds begin in which the new queue is tuned, and how many there are at most.
const OTHER_WORLDS: u64 = 1_000_000;
const TUNED_ON: u64 = 3;

/// All that are tried.
fn settings() -> impl Iterator<Item = Setting> {
    let all = [1.0, 2.0, 4.0].into_iter().cartesian_product([1.0, 10.0]);
    all.cartesian_product([0.0, 3_600.0])
        .map(|((wide, fast), after)| Setting { wide, fast, after })
}

fn set(document: &PolicyDocument, setting: Setting) -> Result<PolicyDocument> {
    let mut document = document.clone();
    let queue = document.queue.as_mut().context("a policy without `[queue]`")?;
    for window in &mut queue.windows {
        window.start *= setting.wide;
        window.per_second *= setting.fast;
        window.after = setting.after;
        window.most = window.most.map(|most| most.max(window.start));
    }
    Ok(document)
}

fn with_range(document: &PolicyDocument, range: f64) -> Result<PolicyDocument> {
    let mut document = document.clone();
    let queue = document.queue.as_mut().context("a policy without `[queue]`")?;
    queue.windows.iter_mut().for_each(|window| window.start = range);
    Ok(document)
}

impl WarWorld {
    /// What an alliance's stay costs by the new queue's own objective: the shipped policy's weights.
    fn cost(&self) -> f64 {
        10.0 * self.mismatch + 0.0001 * 3_600.0 * self.waits[0] + 19.0 * self.left
    }
}

/// The policies of [`Queue::ALL`], but for the tuned one.
fn documents(policies: &[String; 3]) -> Result<Vec<PolicyDocument>> {
    let read = |text: &String| toml::from_str::<PolicyDocument>(text).context("a policy");
    let [new, old, seven] = [read(&policies[0])?, read(&policies[1])?, read(&policies[2])?];
    let (mut no_glory, mut old_four, mut one_look) = (new.clone(), old.clone(), new.clone());
    let queue = no_glory.queue.as_mut().context("a policy without `[queue]`")?;
    queue.windows.retain(|window| window.of != "glory");
    if let (Some(queue), Some(of)) = (&mut old_four.queue, &new.queue) {
        queue.queues.clone_from(&of.queues);
    }
    let queue = one_look.queue.as_mut().context("a policy without `[queue]`")?;
    queue.longest_wait = None;
    for window in &mut queue.windows {
        (window.after, window.per_second, window.most) = (0.0, 0.0, None);
    }
    let (mut hourly, mut glory_alone) = (new.clone(), new.clone());
    let queue = hourly.queue.as_mut().context("a policy without `[queue]`")?;
    (queue.method, queue.longest_wait) = (MethodName::Batch, None);
    queue.batch = Some(BatchParams {
        every: Some(3_600.0),
        choose: Choose::Difference,
        ..BatchParams::default()
    });
    let queue = glory_alone.queue.as_mut().context("a policy without `[queue]`")?;
    queue.windows.retain(|window| window.of == "glory");
    if let Some(scoring) = &mut glory_alone.scoring {
        (scoring.factors.strength, scoring.factors.variance) = (None, None);
    }
    let mut no_key = new.clone();
    let queue = no_key.queue.as_mut().context("a policy without `[queue]`")?;
    queue.keys.clear();
    Ok(vec![
        new,
        old,
        seven,
        no_glory,
        old_four,
        one_look,
        hourly,
        glory_alone,
        no_key,
    ])
}

fn figures(scenario: &Scenario, record: &FullRecord) -> WarWorld {
    let from = 3600.0 * scenario.params().warm_up_hours;
    let is_counted = |millis: i64| millis as f64 >= 1000.0 * from;
    let ended = record.tickets.iter().filter(|end| is_counted(end.came.millis()));
    let ended: Vec<&TicketEnd> = ended.filter(|end| end.fate != Fate::Waits).collect();
    let hours = |of: &dyn Fn(&TicketEnd) -> bool| {
        let waits = ended.iter().filter(|end| of(end));
        Summary::of(waits.map(|end| end.waited() / 3600.0))
    };
    // Who came on the last day could not wait for one.
    let end = 1000.0 * 3600.0 * (scenario.params().hours - 24.0);
    let all = record.tickets.iter().filter(|end| is_counted(end.came.millis()));
    let (mut due, mut stranded) = (0_u64, 0_u64);
    for ticket in all.filter(|ticket| (ticket.came.millis() as f64) < end) {
        due += 1;
        stranded += u64::from(ticket.waited() >= 24.0 * 3600.0);
    }
    let lost = ended.iter().filter(|end| end.fate != Fate::Matched).count();
    let wars: Vec<&PlayedMatch> = record
        .matches
        .iter()
        .filter(|war| is_counted(war.at.millis()))
        .collect();
    let mean = |figure: &dyn Fn(&PlayedMatch) -> Option<f64>| {
        Summary::of(wars.iter().filter_map(|war| figure(war))).mean()
    };
    let came: BTreeMap<u64, i64> = record
        .tickets
        .iter()
        .map(|end| (end.ticket.id.0, end.came.millis()))
        .collect();
    let longest = |war: &PlayedMatch| {
        let sides = war.tickets.iter().flatten();
        let waits = sides.filter_map(|ticket| Some(war.at.millis() - came.get(&ticket.id.0)?));
        waits.max().unwrap_or(0)
    };
    let glory = |war: &PlayedMatch| {
        let [one, other] = sides(war)?;
        Some((one.mean("glory")? - other.mean("glory")?).abs())
    };
    let early = |war: &PlayedMatch, is_early: bool| (longest(war) <= 3_600_000) == is_early;
    let sandbags = |ticket: &Ticket| ticket.attributes.contains_key("composition");
    let sizes: BTreeSet<usize> = ended.iter().map(|end| end.players.len()).collect();
    WarWorld {
        left: lost as f64 / ended.len().max(1) as f64,
        stranded: stranded as f64 / due.max(1) as f64,
        waits: [false, true].map(|is| hours(&|end| sandbags(&end.ticket) == is).mean()),
        glory_gap: mean(&glory),
        glory_gap_by_wait: [true, false].map(|is| mean(&|war| glory(war).filter(|_| early(war, is)))),
        chance: mean(&|war| Some(war.true_chance.max(1.0 - war.true_chance))),
        mismatch: mean(&|war| Some(war.made.lobby.mismatch)),
        strength_gap: mean(&|war| {
            let [one, other] = sides(war)?;
            Some((one.mean("offence")? / other.mean("offence")?).ln().abs())
        }),
        chance_of_stronger: mean(&|war| chance_of_more(war, |ticket| ticket.mean("offence"))),
        chance_of_wider: mean(&|war| chance_of_more(war, spread)),
        mixed: mean(&|war| {
            let [one, other] = sides(war)?;
            Some(f64::from(u8::from(sandbags(one) != sandbags(other))))
        }),
        by_size: sizes
            .into_iter()
            .map(|size| {
                let waits = hours(&|end| end.players.len() == size);
                (size, (waits.mean(), waits.n()))
            })
            .collect(),
        wars: wars.len() as u64,
    }
}

/// The chance of the side that has more of something.
fn chance_of_more(war: &PlayedMatch, of: impl Fn(&Ticket) -> Option<f64>) -> Option<f64> {
    let [one, other] = sides(war)?;
    let (one, other) = (of(one)?, of(other)?);
    (one != other).then_some(if one > other {
        war.true_chance
    } else {
        1.0 - war.true_chance
    })
}

/// The standard deviation of an alliance's bases in attack.
fn spread(ticket: &Ticket) -> Option<f64> {
    let mean = ticket.mean("offence")?;
    let squares: Option<Vec<f64>> = ticket
        .numbers("offence")
        .map(|number| Some((number? - mean).powi(2)))
        .collect();
    let squares = squares?;
    Some((squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
}

/// The two sides of a war: an alliance is a ticket.
fn sides(war: &PlayedMatch) -> Option<[&Ticket; 2]> {
    match &war.tickets[..] {
        [one, other] => Some([&**one.first()?, &**other.first()?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    #[test]
    fn every_queue_makes_wars_of_the_sizes_that_it_has_and_threads_do_not_show() {
        let config = WarsConfig {
            worlds: 2,
            hours: 30.0,
            ..WarsConfig::default()
        };
        let report = run_wars(&config, 1, &Workers::new(1, &Quiet)).unwrap();
        assert_eq!(
            report.worlds,
            run_wars(&config, 1, &Workers::new(3, &Quiet)).unwrap().worlds
        );
        for (queue, count) in [
            (Queue::New, 4),
            (Queue::Old, 7),
            (Queue::Seven, 7),
            (Queue::OldFour, 4),
        ] {
            for world in report.of(queue) {
                assert!(
                    world.by_size.len() <= count && world.by_size.len() >= 3,
                    "{queue:?} {world:?}"
                );
            }
        }
        assert!(report.of(Queue::Old).iter().all(|world| world.wars > 0));
        assert!(
            report
                .of(Queue::New)
                .iter()
                .all(|world| world.mixed == 0.0 || world.wars == 0)
        );
    }
}
