//! A queue as its documentation describes it, in whole numbers and by brute force: what the crate is held to.

use std::collections::BTreeMap;
use std::sync::Arc;

use matchwright_queue::{
    Accept, Compare, MatchPolicy, Pairs, PairsParams, PolicySet, ProposalId, QueueSettings, Ticket, Time,
    Value, WindowParams,
};

/// Widths count in this part of a point, so that all of them are whole.
const UNIT: i64 = 8192;

/// How a window grows; waits in milliseconds, widths in points.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// Points a 128 ms after a wait, up to a width.
    Linear {
        after: i64,
        growth: i64,
        most: Option<i64>,
    },
    Steps(Vec<(i64, i64)>),
    /// Spans that are powers of two.
    Curve(Vec<(i64, i64)>),
}

#[derive(Debug, Clone)]
pub(crate) struct ModelWindow {
    pub(crate) start: i64,
    pub(crate) shape: Shape,
    pub(crate) per_deviation: i64,
    pub(crate) is_ping: bool,
}

impl ModelWindow {
    pub(crate) fn width(&self, deviation: i64, waited: i64) -> i64 {
        let grown = match &self.shape {
            Shape::Linear { after, growth, most } => {
                let width = self.start * UNIT + growth * (UNIT / 128) * (waited - after).max(0);
                most.map_or(width, |most| width.min(most * UNIT))
            }
            Shape::Steps(points) => {
                let last = points.iter().rev().find(|point| point.0 <= waited);
                UNIT * last.map_or(self.start, |point| point.1)
            }
            Shape::Curve(points) => {
                let mut from = (0, self.start);
                let mut width = None;
                for &to in points {
                    if waited < to.0 && width.is_none() {
                        let part = UNIT / (to.0 - from.0) * (waited - from.0);
                        width = Some(from.1 * UNIT + (to.1 - from.1) * part);
                    }
                    from = to;
                }
                width.unwrap_or(from.1 * UNIT)
            }
        };
        grown + self.per_deviation * deviation * UNIT
    }

    fn params(&self) -> WindowParams {
        let seconds = |points: &[(i64, i64)]| {
            let point = |&(wait, width): &(i64, i64)| (wait as f64 / 1000.0, width as f64);
            points.iter().map(point).collect()
        };
        let mut params = WindowParams::of(if self.is_ping { "" } else { "rating" });
        params.start = self.start as f64;
        match &self.shape {
            Shape::Linear { after, growth, most } => {
                params.after = *after as f64 / 1000.0;
                params.per_second = 7.8125 * *growth as f64;
                params.most = most.map(|most| most as f64);
            }
            Shape::Steps(points) => params.steps = seconds(points),
            Shape::Curve(points) => params.curve = seconds(points),
        }
        if self.per_deviation > 0 {
            params.per_deviation = self.per_deviation as f64;
            params.deviation = Some("deviation".to_owned());
        }
        if self.is_ping {
            params.compare = Compare::Ping;
        }
        params
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ModelQueue {
    pub(crate) teams: Vec<usize>,
    pub(crate) windows: Vec<ModelWindow>,
    pub(crate) accept: Accept,
    pub(crate) longest_wait: Option<i64>,
}

/// Queues by name, and what the core is told of them.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) queues: BTreeMap<String, ModelQueue>,
    pub(crate) settings: QueueSettings,
}

impl World {
    pub(crate) fn new(queues: &[(&str, ModelQueue)], settings: QueueSettings) -> Self {
        let queues: BTreeMap<String, ModelQueue> = queues
            .iter()
            .map(|(name, queue)| ((*name).to_owned(), queue.clone()))
            .collect();
        let teams = queues
            .iter()
            .map(|(name, queue)| (name.clone(), queue.teams.clone()));
        let settings = QueueSettings {
            queues: teams.collect(),
            ..settings
        };
        Self { queues, settings }
    }

    pub(crate) fn policy(&self) -> Box<dyn MatchPolicy + Send> {
        let one = |(name, queue): (&String, &ModelQueue)| {
            let params = PairsParams {
                windows: queue.windows.iter().map(ModelWindow::params).collect(),
                accept: queue.accept,
                longest_wait: queue.longest_wait.map(|wait| wait as f64 / 1000.0),
                prices: None,
            };
            Box::new(Pairs::new(name, params.build().unwrap()))
        };
        match self.queues.iter().next() {
            Some(first) if self.queues.len() == 1 => one(first),
            _ => Box::new(
                self.queues
                    .iter()
                    .fold(PolicySet::default(), |set, entry| set.with(entry.0, one(entry))),
            ),
        }
    }
}

/// A ticket that waits or is asked.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) ticket: Arc<Ticket>,
    pub(crate) joined: Time,
    pub(crate) low_priority: bool,
    pub(crate) proposal: Option<ProposalId>,
}

impl Known {
    fn number(&self, name: &str) -> i64 {
        match self.ticket.attributes.get(name) {
            Some(Value::Number(number)) => *number as i64,
            _ => 0,
        }
    }

    fn ping(&self, region: Option<&str>) -> i64 {
        region
            .and_then(|region| self.ticket.regions.get(region))
            .map_or(0, |ping| *ping as i64)
    }

    fn queues<'a>(&'a self, world: &'a World) -> impl Iterator<Item = &'a str> {
        let is_in =
            |name: &&str| self.ticket.queues.is_empty() || self.ticket.queues.iter().any(|q| q == name);
        world.queues.keys().map(String::as_str).filter(is_in)
    }
}

impl World {
    fn is_one_pool(&self, a: &Known, b: &Known) -> bool {
        let is_same = |name: &String| a.ticket.attributes.get(name) == b.ticket.attributes.get(name);
        a.low_priority == b.low_priority && self.settings.keys.iter().all(is_same)
    }

    /// Regions in which the two may meet; `[None]` if both accept any.
    pub(crate) fn regions<'a>(a: &'a Known, b: &'a Known) -> Vec<Option<&'a str>> {
        let accepts = |one: &Known, region: &str| {
            one.ticket.regions.is_empty() || one.ticket.regions.contains_key(region)
        };
        if a.ticket.regions.is_empty() && b.ticket.regions.is_empty() {
            return vec![None];
        }
        let all = a.ticket.regions.keys().chain(b.ticket.regions.keys());
        all.map(|name| &**name)
            .filter(|region| accepts(a, region) && accepts(b, region))
            .map(Some)
            .collect()
    }

    fn fit(teams: &[usize], a: &Known, b: &Known) -> bool {
        let size = |one: &Known| one.ticket.players.len();
        match (&a.ticket.backfill, &b.ticket.backfill) {
            (None, None) => teams == [size(a), size(b)] || teams == [size(b), size(a)],
            (Some(_), Some(_)) => false,
            (None, Some(_)) => Self::fit(teams, b, a),
            (Some(backfill), None) => {
                let there = |team: usize| backfill.teams.iter().filter(|&&other| other == team).count();
                let lacks = |team: usize| teams[team].checked_sub(there(team));
                let lacks: Option<Vec<usize>> = (0..teams.len()).map(lacks).collect();
                lacks.is_some_and(|lacks| lacks.iter().filter(|&&lacks| lacks > 0).eq([&size(b)]))
            }
        }
    }

    /// Whether the windows of a queue admit the two in a region at a time.
    pub(crate) fn admits_in(
        &self,
        queue: &str,
        a: &Known,
        b: &Known,
        region: Option<&str>,
        at: Time,
    ) -> bool {
        let rules = &self.queues[queue];
        let waited = |one: &Known| at.since(one.joined);
        if rules
            .longest_wait
            .is_some_and(|longest| waited(a).max(waited(b)) >= longest)
        {
            return true;
        }
        let width = |window: &ModelWindow, one: &Known| window.width(one.number("deviation"), waited(one));
        let distance = (a.number("rating") - b.number("rating")).abs() * UNIT;
        let (pings, others): (Vec<_>, Vec<_>) = rules.windows.iter().partition(|window| window.is_ping);
        let pings = pings.iter().all(|window| {
            [a, b]
                .iter()
                .all(|one| width(window, one) >= one.ping(region) * UNIT)
        });
        let admits = |one: &Known| others.iter().all(|window| width(window, one) >= distance);
        pings
            && match rules.accept {
                Accept::Both => admits(a) && admits(b),
                Accept::Either => admits(a) || admits(b),
                Accept::Sum => others
                    .iter()
                    .all(|window| width(window, a) + width(window, b) >= distance),
            }
    }

    /// Whether two tickets may be matched at a time in a queue that runs.
    pub(crate) fn admits(&self, runs: impl Fn(&str) -> bool, a: &Known, b: &Known, at: Time) -> bool {
        self.is_one_pool(a, b)
            && a.queues(self).any(|queue| {
                runs(queue)
                    && b.queues(self).any(|other| other == queue)
                    && Self::fit(&self.queues[queue].teams, a, b)
                    && Self::regions(a, b)
                        .into_iter()
                        .any(|region| self.admits_in(queue, a, b, region, at))
            })
    }
}

/// Numbers from a seed.
pub(crate) struct Draw(pub u64);

impl Draw {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    pub(crate) fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.below(all.len() as u64) as usize].clone())
    }
}
