//! [`Queue`]: decides, writes, syncs, and only then tells.

use std::any::Any;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::core::{Attached, Core, Loader, Recovered};
use super::error::{LiveError, OpenError, StopReason};
use super::feed::{Feed, Feeds};
use super::kept::Kept;
use super::segment::{Decided, Position, append_step, begin};
use super::storage::{FileName, Storage};
use crate::event::{Event, EventKind, PolicyChange};
use crate::ids::EventId;
use crate::journal::StepRecord;
use crate::outcome::{Decision, Match, Outcome, Refusal};
use crate::policy::{Budget, MatchPolicy};
use crate::state::{Answer, State, step_within};
use crate::time::Time;

/// How a queue uses its device and its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The work of a step beside that of its events.
    pub budget: Budget,
    /// After this many bytes a segment is followed by a new one. A group of steps may be as long as a sixteenth of it
    /// before its file must grow.
    pub segment_bytes: u64,
    /// Segments that recovery no longer needs are removed this many milliseconds after their last step; `None`: never.
    pub retain: Option<i64>,
}

impl Default for Options {
    /// 20,000 units of work, segments of 16 MiB, kept for a week.
    fn default() -> Self {
        Self {
            budget: Budget::new(20_000),
            segment_bytes: 1 << 24,
            retain: Some(7 * 24 * 3_600_000),
        }
    }
}

/// When the queue asks again for room that there was not, in milliseconds.
const ASK_AGAIN: i64 = 1000;

/// A queue with its policy, its journal and the caller's own state behind one handle.
///
/// [`decide`](Self::decide) takes steps, [`commit`](Self::commit) writes and syncs them in one go; only what that returns may
/// be told to anyone. After a crash [`open`](Self::open) goes on from what was synced, and decides as if it had never
/// stopped.
///
/// ```
/// use std::sync::Arc;
/// use matchwright_queue::live::{Loaded, Loader, Memory, Options, Queue};
/// use matchwright_queue::{Event, Pairs, PairsParams, PolicyLabel, QueueSettings, Ticket, Time};
///
/// let load: Loader = Arc::new(|_document: &str| {
///     let settings = PairsParams::default().build().map_err(|error| error.to_string())?;
///     Ok(Loaded {
///         label: PolicyLabel::default(),
///         settings: QueueSettings::default(),
///         policy: Box::new(Pairs::new("", settings)),
///     })
/// });
/// let device = Memory::default();
/// let mut queue: Queue<()> = Queue::open(device.clone(), "any two play", &load, Options::default())?;
/// queue.advance(Time::from_millis(1), &[Event::create(1, Ticket::of_one(1, 1))], |_, _| {})?;
/// drop(queue);
///
/// // The first still waits after a crash.
/// let mut queue: Queue<()> = Queue::open(device.crashed(), "any two play", &load, Options::default())?;
/// let decided = queue.advance(Time::from_millis(2), &[Event::create(2, Ticket::of_one(2, 2))], |_, _| {})?;
/// assert_eq!(decided.iter().flat_map(|step| step.record.outcome.matches()).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Queue<A> {
    storage: Box<dyn Storage>,
    options: Options,
    core: Core<A>,
    /// After the last step that was decided.
    position: Position,
    /// How much of the segment is synced.
    synced: u64,
    /// Whether its end is what a crash left, behind which nothing is written.
    is_torn: bool,
    /// What is to be written there.
    buffer: Vec<u8>,
    /// The steps in it, those that were synced and not yet told, and those of the last commit.
    pending: Vec<Arc<Decided>>,
    synced_steps: Vec<Arc<Decided>>,
    told: Vec<Arc<Decided>>,
    wakeup: Option<Time>,
    /// The number of the next new segment, and whether the one before it is of zeros still.
    next: u64,
    has_spare: bool,
    /// When room for a spare is asked for again, if there was none.
    ask_again: Option<Time>,
    kept: Kept,
    /// Bytes of steps since the last snapshot.
    since_snapshot: u64,
    stopped: Option<Arc<StopReason>>,
    feeds: Feeds,
}

impl<A: Attached> Queue<A> {
    /// Opens the queue of these files, or begins a new one under the policy of this document. One that is there keeps its own
    /// [document](Self::document).
    ///
    /// # Errors
    /// [`OpenError`]. A last group of steps that was cut off while it was written is no error: it was not acknowledged.
    pub fn open(
        storage: impl Storage + 'static,
        document: &str,
        load: &Loader,
        options: Options,
    ) -> Result<Self, OpenError> {
        let mut storage: Box<dyn Storage> = Box::new(storage);
        storage.lock().map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => OpenError::Owned,
            _ => OpenError::Io(error),
        })?;
        let mut found = Core::recover(&mut *storage, load, u64::MAX)?;
        if found.is_none() {
            if let Some((name, _)) = storage.list()?.into_iter().next() {
                return Err(OpenError::Missing(format!("the state before {name}")));
            }
            let mut core: Core<A> = Core::new(document, load)?;
            core.keep(&mut *storage, &Position::default(), None, None)?;
            found = Core::recover(&mut *storage, load, u64::MAX)?;
        }
        let found = found.ok_or_else(|| OpenError::Missing(FileName::State(0).to_string()))?;
        let Recovered { core, saved, end } = found;
        let mut queue = Self {
            storage,
            options,
            wakeup: core.state.wakeup(),
            core,
            position: end.position,
            synced: end.position.offset,
            is_torn: end.is_torn,
            buffer: Vec::new(),
            pending: Vec::new(),
            synced_steps: Vec::new(),
            told: Vec::new(),
            next: end.next,
            has_spare: end.has_spare,
            ask_again: None,
            kept: saved,
            since_snapshot: end.read,
            stopped: None,
            feeds: Feeds::default(),
        };
        queue.prepare();
        Ok(queue)
    }

    /// Takes a step at a time, or at that of the last step if that is later: events that happened, and what follows. It
    /// is acknowledged after its [`commit`](Self::commit) alone.
    ///
    /// `attach` is given what was decided, and writes what the caller's own state is to [follow](Attached::follow). An event
    /// [`SetPolicy`](EventKind::SetPolicy) must come alone. Returns the number of the step; a step in which nothing happened has none of
    /// its own.
    ///
    /// # Errors
    /// [`LiveError`]: but for [`Stopped`](LiveError::Stopped) the queue is as it was.
    pub fn decide(
        &mut self,
        now: Time,
        events: &[Event],
        mut attach: impl FnMut(&Outcome, &mut Vec<u8>),
    ) -> Result<u64, LiveError> {
        self.check_running()?;
        let is_create = |event: &Event| matches!(event.kind, EventKind::Create(_));
        self.prepare();
        if !self.has_spare && events.iter().any(is_create) {
            return Err(LiveError::Full);
        }
        self.begin_segment()?;
        let now = now.max(self.core.state.now());
        let mut fresh = match self.new_policy(events) {
            Some(change) => Some(self.core.next_policy(change).map_err(LiveError::Policy)?),
            None => None,
        };
        let seen: Vec<bool> = events
            .iter()
            .map(|event| self.core.state.has_seen(event.id))
            .collect();
        let (state, budget) = (&mut self.core.state, self.options.budget);
        let policy = fresh.as_mut().unwrap_or(&mut self.core.policy);
        let taken = catch_unwind(AssertUnwindSafe(|| {
            step_within(state, &mut **policy, now, events, budget)
        }));
        let outcome = match taken {
            Ok(outcome) => outcome?,
            Err(panic) => return Err(self.refuse_for_ever(now, events, &seen, &*panic)),
        };
        if let (
            Some(policy),
            [
                Event {
                    kind: EventKind::SetPolicy(change),
                    ..
                },
            ],
        ) = (fresh, events)
        {
            let before = std::mem::replace(&mut self.core.policy, policy);
            // What it knew of very many tickets is freed beside the next steps. Dropped: without a thread, here.
            let _ = std::thread::Builder::new().spawn(move || drop(before));
            self.core.document.clone_from(&change.document);
        }
        self.wakeup = outcome.wakeup;
        let mut attached = Vec::new();
        attach(&outcome, &mut attached);
        if events.is_empty() && outcome.is_empty() && attached.is_empty() {
            return Ok(self.position.step);
        }
        let record = StepRecord {
            now,
            events: events.to_vec(),
            outcome,
        };
        let followed = self.core.attached.follow(&record, &attached);
        followed.map_err(|reason| self.stop(StopReason::Attached(reason)))?;
        self.record(record, attached)?;
        Ok(self.position.step)
    }

    /// Writes all steps that were decided since the last commit, and syncs them: one write, one sync. They are returned, and may be
    /// told from now on.
    ///
    /// # Errors
    /// [`LiveError::Stopped`]: whether they are on the device is not known, and they must not be acknowledged.
    pub fn commit(&mut self) -> Result<&[Arc<Decided>], LiveError> {
        self.told.clear();
        self.flush()?;
        std::mem::swap(&mut self.told, &mut self.synced_steps);
        Ok(&self.told)
    }

    /// The steps of the last commit.
    #[must_use]
    pub fn told(&self) -> &[Arc<Decided>] {
        &self.told
    }

    /// [`decide`](Self::decide), then [`commit`](Self::commit): all steps since the last commit.
    ///
    /// # Errors
    /// As those.
    pub fn advance(
        &mut self,
        now: Time,
        events: &[Event],
        attach: impl FnMut(&Outcome, &mut Vec<u8>),
    ) -> Result<&[Arc<Decided>], LiveError> {
        self.decide(now, events, attach)?;
        self.commit()
    }

    /// Lets the policy of a document decide from now on, by an event of this number.
    ///
    /// # Errors
    /// As [`advance`](Self::advance); [`LiveError::Policy`] for a document that makes none, and
    /// [`StepError::NoPlace`](crate::StepError::NoPlace) for one without a place for a ticket that waits.
    pub fn set_policy(
        &mut self,
        now: Time,
        id: EventId,
        document: &str,
    ) -> Result<&[Arc<Decided>], LiveError> {
        let loaded = (self.core.load)(document).map_err(LiveError::Policy)?;
        let change = PolicyChange {
            label: loaded.label,
            document: document.to_owned(),
            settings: loaded.settings,
        };
        let kind = EventKind::SetPolicy(Arc::new(change));
        self.advance(now, &[Event { id, kind }], |_, _| {})
    }

    /// Saves the whole state, so that recovery begins there, and removes files that are no longer needed. Returns the step after
    /// which it is. Blocks for as long as the device takes; a [`Follower`](super::Follower) does it beside.
    ///
    /// # Errors
    /// As [`commit`](Self::commit), since what was decided is synced first, and told by the next one; [`LiveError::NotSaved`].
    pub fn snapshot(&mut self) -> Result<u64, LiveError> {
        self.flush()?;
        let kept = self.core.keep(
            &mut *self.storage,
            &self.position,
            Some(self.kept),
            self.options.retain,
        );
        self.kept = kept.map_err(|error| LiveError::NotSaved(Arc::new(error)))?;
        self.since_snapshot = 0;
        Ok(self.position.step)
    }

    /// Whether the steps since the last snapshot have half its size, or more: then they, too, take as long to recover as it.
    #[must_use]
    pub fn is_snapshot_due(&self) -> bool {
        self.kept.is_outgrown_by(self.since_snapshot)
    }

    /// The number of the last step that was decided.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.position.step
    }

    /// The state, with steps that were decided and not yet committed.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.core.state
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &dyn MatchPolicy {
        &*self.core.policy
    }

    /// The document of the policy in force.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.core.document
    }

    /// The caller's own state.
    #[must_use]
    pub const fn attached(&self) -> &A {
        &self.core.attached
    }

    /// When to step again if nothing happens before.
    #[must_use]
    pub const fn wakeup(&self) -> Option<Time> {
        self.wakeup
    }

    /// Whether there is no room for new tickets.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        !self.has_spare
    }

    /// Why the queue stopped, if it did.
    #[must_use]
    pub fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_deref()
    }

    /// What became of an event, for a sender that asks again; of one that was committed.
    #[must_use]
    pub fn answer(&self, event: EventId) -> Option<&Answer> {
        let mut pending = self.pending.iter().flat_map(|step| &step.record.events);
        if self.stopped.is_some() || pending.any(|pending| pending.id == event) {
            return None;
        }
        self.core.state.answer(event)
    }

    /// The matches that may still fail, of those that were committed: after a crash, what players may not have been told.
    pub fn recent_matches(&self) -> impl Iterator<Item = &Match> {
        let pending = self.pending.iter().flat_map(|step| step.record.outcome.matches());
        let pending: BTreeSet<_> = pending.map(|made| made.id).collect();
        let is_running = self.stopped.is_none();
        let recent = self.core.state.recent_matches();
        recent.filter(move |made| is_running && !pending.contains(&made.id))
    }

    /// The steps from here on, for a [`Follower`](super::Follower) on another thread; `most` wait for it at a time, and it reads more
    /// from the device.
    pub fn feed(&mut self, most: usize) -> Feed {
        let first = self
            .pending
            .first()
            .map_or(self.position.step, |step| step.step - 1);
        self.feeds.add(most, first)
    }

    fn check_running(&self) -> Result<(), LiveError> {
        self.stopped
            .as_ref()
            .map_or(Ok(()), |reason| Err(LiveError::Stopped(Arc::clone(reason))))
    }

    fn stop(&mut self, reason: StopReason) -> LiveError {
        let reason = Arc::new(reason);
        self.stopped = Some(Arc::clone(&reason));
        self.feeds.end();
        LiveError::Stopped(reason)
    }

    /// The policy that an event brings which was not there before.
    fn new_policy<'a>(&self, events: &'a [Event]) -> Option<&'a PolicyChange> {
        match events {
            [
                Event {
                    id,
                    kind: EventKind::SetPolicy(change),
                },
            ] if !self.core.state.has_seen(*id) => Some(change),
            _ => None,
        }
    }

    /// Begins a new segment before the first step of a group, if the last one is full or torn.
    fn begin_segment(&mut self) -> Result<(), LiveError> {
        let at = self.position.offset;
        let is_old = self.is_torn || at == 0 || at >= self.options.segment_bytes;
        if !self.pending.is_empty() || !is_old {
            return Ok(());
        }
        if !self.has_spare {
            self.make_spare().map_err(|_| LiveError::Full)?;
        }
        let begun = begin(&self.position, self.next.saturating_sub(1));
        let (bytes, position) = begun.map_err(|fault| self.stop(StopReason::Record(fault)))?;
        self.buffer = bytes;
        (self.position, self.synced, self.has_spare) = (position, 0, false);
        self.is_torn = false;
        Ok(())
    }

    /// Writes and syncs what was decided.
    fn flush(&mut self) -> Result<(), LiveError> {
        self.check_running()?;
        if self.pending.is_empty() {
            return Ok(());
        }
        let name = FileName::Segment(self.position.segment);
        let at = self.position.offset - self.buffer.len() as u64;
        let written = self.storage.write(name, at, &self.buffer);
        let synced = written.and_then(|()| self.storage.sync(name));
        synced.map_err(|error| self.stop(StopReason::Storage(error)))?;
        self.since_snapshot += self.buffer.len() as u64;
        self.buffer.clear();
        self.synced = self.position.offset;
        self.feeds.tell(&self.pending);
        self.synced_steps.append(&mut self.pending);
        self.prepare();
        Ok(())
    }

    fn record(&mut self, record: StepRecord, attached: Vec<u8>) -> Result<(), LiveError> {
        let end = append_step(&mut self.buffer, &self.position, self.synced, &record, &attached);
        let end = end.map_err(|fault| self.stop(StopReason::Record(fault)))?;
        self.position = end;
        self.pending.push(Arc::new(Decided {
            step: end.step,
            record,
            attached,
            end,
        }));
        Ok(())
    }

    fn make_spare(&mut self) -> std::io::Result<()> {
        let bytes = self.options.segment_bytes;
        let made = self
            .storage
            .create(FileName::Segment(self.next), bytes.saturating_add(bytes / 16));
        if made.is_ok() {
            (self.next, self.has_spare) = (self.next.saturating_add(1), true);
        }
        made
    }

    /// Keeps room for a segment, asking for it again now and then.
    fn prepare(&mut self) {
        let now = self.core.state.now();
        if self.has_spare || self.ask_again.is_some_and(|at| now < at) {
            return;
        }
        // Dropped: new tickets are refused while there is none, which says it.
        let made = self.make_spare().is_ok();
        self.ask_again = (!made).then(|| now.plus(ASK_AGAIN));
    }

    /// The policy panicked in a step: its events are refused on the device, so that sending them again does not end in the same way,
    /// and the queue stops, as its memory may be half changed.
    fn refuse_for_ever(
        &mut self,
        now: Time,
        events: &[Event],
        seen: &[bool],
        panic: &(dyn Any + Send),
    ) -> LiveError {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let reason = text.unwrap_or_else(|| "it panicked".to_owned());
        let mut known = BTreeSet::new();
        let decisions = events
            .iter()
            .zip(seen)
            .enumerate()
            .map(|(event, (given, &seen))| {
                if seen || !known.insert(given.id) {
                    return Decision::Duplicate { event };
                }
                let reason = format!("the policy failed: {reason}");
                let reason = Refusal::Policy { reason };
                Decision::Refused { event, reason }
            });
        let outcome = Outcome {
            decisions: decisions.collect(),
            ..Outcome::default()
        };
        let record = StepRecord {
            now,
            events: events.to_vec(),
            outcome,
        };
        let written = self
            .record(record, Vec::new())
            .and_then(|()| self.commit().map(drop));
        match written {
            Ok(()) => self.stop(StopReason::Panicked(reason)),
            Err(error) => error,
        }
    }
}

impl<A> std::fmt::Debug for Queue<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue")
            .field("position", &self.position)
            .field("waiting", &self.core.state.pool().len())
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}
