//! The new queue between two alliances: DOM-widen, DOM-handshake. The figures are those of
//! `examples/policies/dominations.toml`.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::check::queues::{DrivenQueue, altered, millis, queue_params, table, windows_mut};
use matchwright_queue::{Aggregate, Attributes, Compare, Ticket, Value, WindowParams};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use toml::Table;

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-widen", Exact(widen)),
    Check::new("DOM-handshake", Exact(handshake)),
];

pub(super) const HOUR: i64 = 3_600_000;
const PAIRS: u64 = 300;

/// An alliance that comes to war.
#[derive(Clone, Debug)]
pub(super) struct Alliance {
    pub(super) members: u64,
    /// The mean of the members'.
    pub(super) offence: f64,
    /// How far half of the members are above it, and half below: their standard deviation.
    pub(super) spread: f64,
    pub(super) defence: f64,
    pub(super) glory: f64,
    pub(super) composition: &'static str,
}

impl Alliance {
    pub(super) fn random(rng: &mut ChaCha8Rng) -> Self {
        let offence = 1_000.0 * rng.random_range(-0.25_f64..0.25).exp();
        Self {
            members: 10,
            offence,
            spread: rng.random_range(0.0..400.0),
            defence: offence * rng.random_range(-0.15_f64..0.15).exp(),
            glory: rng.random_range(9_000.0..15_000.0),
            composition: "even",
        }
    }

    /// Its ticket of this number; a ticket of another number may be of the same alliance.
    pub(super) fn ticket(&self, id: u64, alliance: u64) -> Ticket {
        let queue = format!("{0}v{0}", self.members);
        let players = (0..self.members).map(|member| 100 * alliance + member);
        let mut ticket = Ticket::of(id, players)
            .in_queues(&[&queue])
            .with("defence", self.defence)
            .with("glory", self.glory)
            .with_text("composition", self.composition);
        for (place, member) in ticket.players.iter_mut().enumerate() {
            let above = if place % 2 == 0 { self.spread } else { -self.spread };
            let offence = Value::Number(self.offence + above);
            member.attributes = Attributes::from([("offence".to_owned(), offence)]);
        }
        ticket
    }

    /// The number that a window compares.
    fn number(&self, window: &WindowParams) -> f64 {
        match (&*window.of, window.party) {
            ("offence", Aggregate::Deviation) => self.spread,
            ("offence", _) => self.offence,
            ("defence", _) => self.defence,
            _ => self.glory,
        }
    }

    /// How much of its width the narrowest window has to spare for another after this wait; below 0 if it refuses.
    fn slack(&self, other: &Self, windows: &[WindowParams], waited: i64) -> f64 {
        let of = |window: &WindowParams| {
            let (a, b) = (self.number(window), other.number(window));
            let distance = match window.compare {
                Compare::LogRatio => (a / b).ln().abs(),
                _ => (a - b).abs(),
            };
            let grown = (waited as f64 / 1_000.0 - window.after).max(0.0) * window.per_second;
            let width = (window.start + grown).min(window.most.unwrap_or(f64::INFINITY));
            (width - distance) / width
        };
        windows.iter().map(of).fold(f64::INFINITY, smaller)
    }
}

/// When two alliances are matched, the second of which comes after this gap; `None`: never.
fn matched(document: &Table, two: &[Alliance; 2], gap: i64) -> Result<Option<i64>> {
    let mut queue = DrivenQueue::new(document)?;
    queue.create(0, two[0].ticket(1, 1))?;
    queue.create(gap, two[1].ticket(2, 2))?;
    queue.run(i64::MAX / 2)?;
    Ok(queue.match_of(1).map(|made| made.at))
}

/// Whether the second alliance, which comes after the gap, accepts the first then, and not a millisecond before.
fn is_first(two: &[Alliance; 2], windows: &[WindowParams], gap: i64, at: i64) -> bool {
    let slack = |at: i64| two[1].slack(&two[0], windows, at - gap);
    slack(at) >= -1e-9 && (at == gap || slack(at - 1) <= 1e-9)
}

fn widen(inputs: &DominationsInputs) -> Result<Finding> {
    let document = &table(&inputs.policy)?;
    let params = queue_params(document)?;
    let lifted = params.longest_wait.map_or(i64::MAX, millis);
    let mut rng = check_stream(inputs.seed, 71, 0);
    let (mut is_flat, mut only_loosens, mut widths) = (true, true, 0_u64);
    for window in &params.windows {
        let (built, flat) = (window.build()?, window.after * 1_000.0);
        let width = |waited: i64| built.width(0.0, waited);
        let mut waits: Vec<i64> = (0..1_000).map(|_| rng.random_range(0..48 * HOUR)).collect();
        waits.sort_unstable();
        is_flat &= flat > 0.0 && width(24 * HOUR) > width(0);
        is_flat &= waits
            .iter()
            .all(|&waited| waited as f64 > flat || width(waited) == window.start);
        only_loosens &= waits.windows(2).all(|two| width(two[0]) <= width(two[1]));
        widths += waits.len() as u64;
    }
    let (mut in_time, mut by_windows, mut after_longest) = (true, 0_u64, 0_u64);
    for _ in 0..PAIRS {
        let two = [Alliance::random(&mut rng), Alliance::random(&mut rng)];
        let gap = rng.random_range(0..4 * HOUR);
        match matched(document, &two, gap)? {
            Some(at) if at < lifted => {
                by_windows += 1;
                in_time &= is_first(&two, &params.windows, gap, at);
            }
            at => {
                after_longest += 1;
                in_time &= at.is_some_and(|at| at == lifted);
                in_time &= two[1].slack(&two[0], &params.windows, lifted - 1 - gap) <= 1e-9;
            }
        }
    }
    let flat = params.windows.iter().map(|window| window.after);
    Ok(Finding::new()
        .samples(PAIRS, "pairs of alliances")
        .number(
            "hours before demands fall",
            flat.fold(f64::INFINITY, f64::min) / 3_600.0,
            1,
        )
        .count("widths", widths)
        .count("pairs matched by their windows", by_windows)
        .count("by the longest wait", after_longest)
        .require(
            is_flat,
            "each window is as wide as at first for a while, and wider in the end",
        )
        .require(only_loosens, "no window narrows")
        .require(
            in_time && by_windows > 0,
            "two are matched in the millisecond in which all demands admit it",
        ))
}

/// Twins but for their strength in attack.
fn twins(rng: &mut ChaCha8Rng, ratio: f64) -> [Alliance; 2] {
    let first = Alliance::random(rng);
    let second = Alliance {
        offence: first.offence * ratio.exp(),
        ..first.clone()
    };
    [first, second]
}

/// The first alliance has waited five minutes when the second has waited ten seconds.
const GAP: i64 = 290_000;

pub(crate) fn handshake(inputs: &DominationsInputs) -> Result<Finding> {
    // At a pace at which minutes count: no flat start, and a hundred times the growth.
    let quick = altered(&table(&inputs.policy)?, |queue| {
        for window in windows_mut(queue) {
            let growth = window.get("per_second").and_then(toml::Value::as_float);
            window.insert("per_second".to_owned(), (100.0 * growth.unwrap_or(0.0)).into());
            window.remove("after");
        }
    })?;
    let one_sided = altered(&quick, |queue| {
        queue.insert("accept".to_owned(), "either".into());
    })?;
    let params = queue_params(&quick)?;
    let offence = params.windows.iter().find(|window| window.of == "offence");
    let offence = offence.context("a window of attack")?.build()?;
    let [at_ten, at_five_minutes] = [10_000, GAP].map(|waited| offence.width(0.0, waited));
    let mut rng = check_stream(inputs.seed, 72, 0);
    let (mut waited_for, mut sooner, mut by_newcomer) = (0, 0, true);
    for _ in 0..PAIRS {
        let ratio = rng.random_range(at_ten..at_five_minutes);
        let two = twins(&mut rng, ratio);
        let at = matched(&quick, &two, GAP)?.unwrap_or(i64::MAX);
        waited_for += u64::from(at > GAP + 10_000);
        by_newcomer &= is_first(&two, &params.windows, GAP, at);
        sooner += u64::from(matched(&one_sided, &two, GAP)? == Some(GAP));
    }
    // Beyond what the newcomer ever accepts before the first has waited longest.
    let two = twins(&mut rng, 1.0);
    let longest = params.longest_wait.map_or(i64::MAX, millis);
    let at = matched(&quick, &two, GAP)?;
    let refuses = two[1].slack(&two[0], &params.windows, longest - GAP) < 0.0;
    Ok(Finding::new()
        .samples(PAIRS, "pairs that the first alone accepts, five minutes against ten seconds")
        .count("that wait for the newcomer", waited_for)
        .count("matched at once if one side is enough", sooner)
        .number("hours after which the first gets any", longest as f64 / HOUR as f64, 0)
        .require(waited_for == PAIRS, "the newcomer's refusal holds after ten seconds")
        .require(by_newcomer, "and until its own window is wide enough, to the millisecond")
        .require(sooner == PAIRS, "with one side's consent they would be matched at once")
        .completes_page(
            refuses && at == Some(longest),
            "after the longest wait an alliance gets the nearest one that the rules permit, without its consent",
        ))
}
