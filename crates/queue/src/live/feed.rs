//! [`Feed`]: steps from a queue to its followers, after their sync.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use super::segment::Decided;

/// The steps of a queue from one on, for one follower.
#[derive(Debug)]
pub struct Feed {
    pub(super) steps: Receiver<Arc<Decided>>,
    pub(super) shared: Arc<Shared>,
}

/// What followers see of a queue beside its steps.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The last step that was synced.
    pub(super) latest: AtomicU64,
    /// Whether the queue has stopped.
    pub(super) is_over: AtomicBool,
}

/// The feeds of a queue. It never waits for a follower: what one has no place for it reads from the device.
#[derive(Debug, Default)]
pub(super) struct Feeds {
    senders: Vec<SyncSender<Arc<Decided>>>,
    shared: Arc<Shared>,
}

impl Feeds {
    pub(super) fn add(&mut self, most: usize, latest: u64) -> Feed {
        let (sender, steps) = sync_channel(most);
        self.senders.push(sender);
        self.shared.latest.store(latest, Ordering::Release);
        Feed {
            steps,
            shared: Arc::clone(&self.shared),
        }
    }

    pub(super) fn tell(&mut self, steps: &[Arc<Decided>]) {
        for step in steps {
            self.senders.retain(|sender| {
                !matches!(
                    sender.try_send(Arc::clone(step)),
                    Err(TrySendError::Disconnected(_))
                )
            });
        }
        if let Some(last) = steps.last() {
            self.shared.latest.store(last.step, Ordering::Release);
        }
    }

    pub(super) fn end(&mut self) {
        self.shared.is_over.store(true, Ordering::Release);
        self.senders.clear();
    }
}
