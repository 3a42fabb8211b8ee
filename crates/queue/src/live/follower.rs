//! [`Follower`]: a queue's state once more, on another thread, for what must not stop the writer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::core::{Attached, Core, Loader, Recovered};
use super::error::OpenError;
use super::feed::Feed;
use super::kept::Kept;
use super::segment::{Decided, Position, read_steps};
use super::storage::{FileName, Storage};
use crate::ids::TicketId;
use crate::state::State;
use crate::time::Time;
use crate::why::Why;

/// Follows a queue by what it synced: its state, policy and the caller's own state, some steps behind.
///
/// For snapshots, explanations, estimates and pages, which may take as long as they like. What its [`Feed`] had no place for
/// it reads from the device.
pub struct Follower<A> {
    feed: Feed,
    storage: Box<dyn Storage>,
    core: Core<A>,
    position: Position,
    kept: Kept,
    since_snapshot: u64,
    retain: Option<i64>,
}

impl<A: Attached> Follower<A> {
    /// A follower of the queue that gave this feed, with files of its own on the same device, and
    /// [`Options::retain`](super::Options) of the queue.
    ///
    /// # Errors
    /// As [`Queue::open`](super::Queue::open).
    pub fn new(
        feed: Feed,
        storage: impl Storage + 'static,
        load: &Loader,
        retain: Option<i64>,
    ) -> Result<Self, OpenError> {
        let mut storage: Box<dyn Storage> = Box::new(storage);
        let until = feed.shared.latest.load(Ordering::Acquire);
        let found = Core::recover(&mut *storage, load, until)?;
        let Recovered { core, saved, end } =
            found.ok_or_else(|| OpenError::Missing(FileName::State(0).to_string()))?;
        Ok(Self {
            feed,
            storage,
            core,
            position: end.position,
            kept: saved,
            since_snapshot: 0,
            retain,
        })
    }

    /// Follows all that was synced by now; returns the last step.
    ///
    /// # Errors
    /// [`OpenError`]: this follower is then of no use.
    pub fn catch_up(&mut self) -> Result<u64, OpenError> {
        let until = self.feed.shared.latest.load(Ordering::Acquire);
        // Dropped: there are no more by now, or the queue is gone.
        while let Ok(decided) = self.feed.steps.try_recv() {
            self.take(&decided)?;
        }
        self.read_until(until)?;
        Ok(self.position.step)
    }

    /// Waits at most this long for the next step, and follows all there are; `None` once the queue is gone.
    ///
    /// # Errors
    /// As [`catch_up`](Self::catch_up).
    pub fn wait(&mut self, most: Duration) -> Result<Option<u64>, OpenError> {
        match self.feed.steps.recv_timeout(most) {
            Ok(decided) => self.take(&decided)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                self.catch_up()?;
                return Ok(None);
            }
        }
        self.catch_up().map(Some)
    }

    /// Saves the state, as [`Queue::snapshot`](super::Queue::snapshot) does, without stopping the queue.
    ///
    /// # Errors
    /// [`OpenError`]; it may be tried again.
    pub fn snapshot(&mut self) -> Result<u64, OpenError> {
        let (kept, retain) = (self.kept, self.retain);
        self.kept = self
            .core
            .keep(&mut *self.storage, &self.position, Some(kept), retain)?;
        self.since_snapshot = 0;
        Ok(self.position.step)
    }

    /// Whether the steps since the last snapshot have half its size, or more.
    #[must_use]
    pub fn is_snapshot_due(&self) -> bool {
        self.kept.is_outgrown_by(self.since_snapshot)
    }

    /// The last step that was followed.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.position.step
    }

    /// What keeps a ticket waiting.
    #[must_use]
    pub fn why(&self, ticket: TicketId, now: Time) -> Why {
        let now = now.max(self.core.state.now());
        self.core.policy.why(self.core.state.pool(), ticket, now)
    }

    /// The state after the last step that was followed.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.core.state
    }

    /// The caller's own state then.
    #[must_use]
    pub const fn attached(&self) -> &A {
        &self.core.attached
    }

    /// The document of the policy in force then.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.core.document
    }

    fn take(&mut self, decided: &Arc<Decided>) -> Result<(), OpenError> {
        self.read_until(decided.step.saturating_sub(1))?;
        if decided.step > self.position.step {
            self.follow(decided)?;
        }
        Ok(())
    }

    fn follow(&mut self, decided: &Decided) -> Result<(), OpenError> {
        self.core.follow(decided)?;
        self.since_snapshot += decided.end.bytes_after(&self.position);
        self.position = decided.end;
        Ok(())
    }

    /// What the feed had no place for.
    fn read_until(&mut self, step: u64) -> Result<(), OpenError> {
        if self.position.step >= step {
            return Ok(());
        }
        let mut missed = Vec::new();
        read_steps(&mut *self.storage, self.position, step, &mut |decided| {
            missed.push(decided);
            Ok(())
        })?;
        missed.iter().try_for_each(|decided| self.follow(decided))
    }
}

impl<A> std::fmt::Debug for Follower<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower")
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}
