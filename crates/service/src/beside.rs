//! [`Beside`]: a second copy of the state, followed beside the writer: for snapshots, explanations, lists and pages.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use matchwright_queue::live::{Follower, OpenError};

use crate::ledger::Ledger;
use crate::problem::Problem;

/// How often it follows by itself: soon after steps, so that it never has many to follow at once, which would hold up others.
const BUSY: Duration = Duration::from_millis(1);
const IDLE: Duration = Duration::from_millis(50);

type Open = Box<dyn FnOnce() -> Result<Follower<Ledger>, OpenError> + Send>;

/// The copy; neither one nor the other once it could not be read, or follow.
#[derive(Default)]
struct Copy {
    /// To be read from the device, so that nothing waits for two of them when a service begins.
    unread: Option<Open>,
    there: Option<Follower<Ledger>>,
}

impl Copy {
    /// After all that was answered by now.
    fn caught_up(&mut self) -> Result<&mut Follower<Ledger>, Problem> {
        let found = match (self.unread.take(), self.there.take()) {
            (Some(open), _) => open(),
            (None, Some(copy)) => Ok(copy),
            (None, None) => return Err(Problem::Stopped("its second copy is gone".to_owned())),
        };
        let followed = found.and_then(|mut copy| copy.catch_up().map(|_| copy));
        let copy = followed.map_err(|error| Problem::Stopped(error.to_string()))?;
        Ok(self.there.insert(copy))
    }
}

type Slot = Mutex<Copy>;

/// A second copy of the state.
#[derive(Clone)]
pub(crate) struct Beside(Arc<Slot>);

impl Beside {
    /// One that a thread of its own keeps up, and saves when that is due.
    pub(crate) fn new() -> io::Result<Self> {
        let slot: Arc<Slot> = Arc::default();
        let kept = Arc::downgrade(&slot);
        let thread = std::thread::Builder::new().name("second copy".to_owned());
        thread.spawn(move || keep_up(&kept))?;
        Ok(Self(slot))
    }

    /// From now on it follows another queue, by what `open` gives.
    pub(crate) fn follow(&self, open: impl FnOnce() -> Result<Follower<Ledger>, OpenError> + Send + 'static) {
        self.lock().unread = Some(Box::new(open));
    }

    /// Saves it, with all that was answered by now; the step after which it is.
    pub(crate) fn save(&self) -> Result<u64, Problem> {
        let saved = self.lock().caught_up()?.snapshot();
        saved.map_err(|error| Problem::Stopped(error.to_string()))
    }

    /// What is seen in it after all that was answered by now.
    pub(crate) fn look<T>(
        &self,
        look: impl FnOnce(&Follower<Ledger>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        look(self.lock().caught_up()?)
    }

    fn lock(&self) -> MutexGuard<'_, Copy> {
        lock(&self.0)
    }
}

fn lock(slot: &Slot) -> MutexGuard<'_, Copy> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep_up(slot: &Weak<Slot>) {
    let mut followed = 0;
    while let Some(slot) = slot.upgrade() {
        let before = followed;
        if let Ok(copy) = lock(&slot).caught_up() {
            followed = copy.step();
            if copy.is_snapshot_due() {
                // Dropped: without it recovery takes longer, and it is tried again with the next steps.
                let _ = copy.snapshot();
            }
        }
        drop(slot);
        std::thread::sleep(if followed > before { BUSY } else { IDLE });
    }
}
