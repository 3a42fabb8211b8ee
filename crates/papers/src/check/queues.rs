//! What the checks of queues share: policy documents and a queue that is driven by
//! events and by its own wakeups.

use anyhow::{Context, Result, ensure};
use matchwright_queue::{
    Event, EventKind, ObjectiveParams, QueueParams, QueuePlan, State, Ticket, Time, step,
};
use matchwright_sim::policy::{LoadedPolicy, PolicyDocument, load};
use toml::{Table, Value};

/// What a table `[queue]` tells the core and the policy, beside an objective of skill.
pub(crate) fn plan(params: &QueueParams) -> Result<QueuePlan> {
    let objective = ObjectiveParams {
        of: Some("skill".to_owned()),
        ..ObjectiveParams::default()
    };
    Ok(params.build(Some(&objective.build()?))?)
}

/// Seconds of a policy in milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
pub(crate) fn millis(seconds: f64) -> i64 {
    (1_000.0 * seconds) as i64
}

/// A policy document, to be altered.
pub(crate) fn table(document: &str) -> Result<Table> {
    Ok(toml::from_str(document)?)
}

/// The table `[queue]` of a document.
pub(crate) fn queue_params(document: &Table) -> Result<QueueParams> {
    let queue = document.clone().try_into::<PolicyDocument>()?.queue;
    queue.context("a policy without `[queue]`")
}

/// The document with another table `[queue]`.
pub(crate) fn altered(document: &Table, alter: impl FnOnce(&mut Table)) -> Result<Table> {
    let mut document = document.clone();
    let queue = document.get_mut("queue").and_then(Value::as_table_mut);
    alter(queue.context("a policy without `[queue]`")?);
    Ok(document)
}

/// The windows of a table `[queue]`.
pub(crate) fn windows_mut(queue: &mut Table) -> impl Iterator<Item = &mut Table> {
    let windows = queue.get_mut("windows").and_then(Value::as_array_mut);
    windows.into_iter().flatten().filter_map(Value::as_table_mut)
}

/// A match, with times in milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Made {
    pub(crate) at: i64,
    pub(crate) tickets: Vec<u64>,
    /// When the tickets came.
    pub(crate) joined: Vec<i64>,
    pub(crate) mismatch: f64,
}

impl Made {
    /// When the last of its tickets came.
    pub(crate) fn completed(&self) -> i64 {
        self.joined.iter().copied().max().unwrap_or(i64::MAX)
    }
}

/// A queue that steps at every event and at every wakeup, times in milliseconds.
pub(crate) struct DrivenQueue {
    pub(crate) loaded: LoadedPolicy,
    pub(crate) state: State,
    wakeup: Option<Time>,
    events: u64,
    /// All matches so far.
    pub(crate) made: Vec<Made>,
    /// Events that were refused.
    pub(crate) refused: u64,
}

impl DrivenQueue {
    /// The empty queue of a document.
    pub(crate) fn new(document: &Table) -> Result<Self> {
        let loaded = load(document.clone().try_into()?)?;
        Ok(Self {
            state: State::new(loaded.label.clone(), loaded.settings.clone()),
            loaded,
            wakeup: None,
            events: 0,
            made: Vec::new(),
            refused: 0,
        })
    }

    /// What happens by itself until then.
    pub(crate) fn run(&mut self, until: i64) -> Result<()> {
        let mut steps = 0;
        while let Some(at) = self.wakeup.filter(|at| at.millis() <= until) {
            self.step(at.max(self.state.now()), &[])?;
            steps += 1;
            ensure!(steps < 100_000, "the queue wakes up without an end");
        }
        Ok(())
    }

    /// What happens by itself before then, and these events.
    pub(crate) fn send(&mut self, at: i64, events: impl IntoIterator<Item = EventKind>) -> Result<()> {
        self.run(at - 1)?;
        let mut numbered = Vec::new();
        for kind in events {
            self.events += 1;
            numbered.push(Event::new(self.events, kind));
        }
        self.step(Time::from_millis(at), &numbered)
    }

    /// A ticket comes.
    pub(crate) fn create(&mut self, at: i64, ticket: Ticket) -> Result<()> {
        self.send(at, [EventKind::Create(ticket.into())])
    }

    fn step(&mut self, now: Time, events: &[Event]) -> Result<()> {
        let outcome = step(&mut self.state, &mut *self.loaded.policy, now, events)?;
        self.refused += outcome.refusals().count() as u64;
        self.made.extend(outcome.matches().map(|made| Made {
            at: now.millis(),
            tickets: made.lobby.tickets().map(|ticket| ticket.0).collect(),
            joined: made.joined.iter().map(|joined| joined.millis()).collect(),
            mismatch: made.lobby.mismatch,
        }));
        self.wakeup = outcome.wakeup;
        Ok(())
    }

    /// The match of a ticket.
    pub(crate) fn match_of(&self, ticket: u64) -> Option<&Made> {
        self.made.iter().find(|made| made.tickets.contains(&ticket))
    }
}
