//! [`Beside`]: a second copy of the state, followed beside the writer: for snapshots, explanations, lists and pages.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use matchwright_queue::live::Follower;

use crate::ledger::Ledger;
use crate::problem::Problem;

/// How often it follows by itself: soon after steps, so that it never has many to follow at once, which would hold up others.
const BUSY: Duration = Duration::from_millis(1);
const IDLE: Duration = Duration::from_millis(50);

type Slot = Mutex<Option<Follower<Ledger>>>;

/// A second copy of the state.
#[derive(Clone)]
pub(crate) struct Beside(Arc<Slot>);

impl Beside {
    /// One that a thread of its own keeps up, and saves when that is due.
    pub(crate) fn new() -> Self {
        let slot: Arc<Slot> = Arc::default();
        let kept = Arc::downgrade(&slot);
        std::thread::spawn(move || keep_up(&kept));
        Self(slot)
    }

    /// From now on it follows another queue.
    pub(crate) fn follow(&self, follower: Option<Follower<Ledger>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = follower;
    }

    /// Saves it, with all that was answered by now; the step after which it is.
    pub(crate) fn save(&self) -> Result<u64, Problem> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = slot.as_mut().ok_or_else(gone)?;
        let saved = copy.catch_up().and_then(|_| copy.snapshot());
        saved.map_err(|error| Problem::Stopped(error.to_string()))
    }

    /// What is seen in it after all that was answered by now.
    pub(crate) fn look<T>(
        &self,
        look: impl FnOnce(&Follower<Ledger>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let follower = slot.as_mut().ok_or_else(gone)?;
        follower
            .catch_up()
            .map_err(|error| Problem::Stopped(error.to_string()))?;
        look(follower)
    }
}

fn gone() -> Problem {
    Problem::Stopped("its second copy is gone".to_owned())
}

fn keep_up(slot: &Weak<Slot>) {
    let mut followed = 0;
    while let Some(slot) = slot.upgrade() {
        let mut follower = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let before = followed;
        if let Some(copy) = follower.as_mut() {
            match copy.catch_up() {
                Ok(step) => {
                    followed = step;
                    if copy.is_snapshot_due() {
                        // Dropped: without it recovery takes longer, and it is tried again with the next steps.
                        let _ = copy.snapshot();
                    }
                }
                Err(_) => *follower = None,
            }
        }
        drop(follower);
        drop(slot);
        std::thread::sleep(if followed > before { BUSY } else { IDLE });
    }
}
