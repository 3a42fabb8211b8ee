//! [`Relaxed`]: a device that is synced later than it is asked to be, for those who would rather lose the last moment than wait.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use matchwright_queue::live::{FileName, Storage};

/// A device whose writes are on it within a time, or when the operating system likes.
///
/// A crash of the process alone loses nothing; one of the machine loses what was answered in that time. All else is as on the device that it
/// wraps: what was written is not torn apart, and recovery finds a state that was.
pub struct Relaxed<S> {
    device: S,
    late: Arc<Mutex<Late>>,
}

/// What is still to be synced.
#[derive(Default)]
struct Late {
    files: BTreeSet<FileName>,
    failed: Option<io::Error>,
}

fn lock(late: &Mutex<Late>) -> MutexGuard<'_, Late> {
    late.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Storage + 'static> Relaxed<S> {
    /// Synced after this time at the latest, by a thread with a handle of its own; `None`: when the operating system likes.
    ///
    /// # Errors
    /// As `open` says.
    pub fn new(open: impl Fn() -> io::Result<S>, every: Option<Duration>) -> io::Result<Self> {
        let late: Arc<Mutex<Late>> = Arc::default();
        if let Some(every) = every {
            let (mut device, late) = (open()?, Arc::downgrade(&late));
            std::thread::spawn(move || sync_late(&mut device, &late, every));
        }
        Ok(Self {
            device: open()?,
            late,
        })
    }
}

fn sync_late(device: &mut impl Storage, late: &Weak<Mutex<Late>>, every: Duration) {
    let mut is_last = false;
    while !is_last {
        std::thread::sleep(every);
        let Some(late) = late.upgrade() else {
            return;
        };
        // The queue has gone: what it left is synced once more.
        is_last = Arc::strong_count(&late) == 1;
        let files = std::mem::take(&mut lock(&late).files);
        let synced = files.into_iter().try_for_each(|file| match device.sync(file) {
            // Removed since: its steps are in a later snapshot.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            synced => synced,
        });
        if let Err(error) = synced {
            lock(&late).failed = Some(error);
            return;
        }
    }
}

impl<S: Storage> Storage for Relaxed<S> {
    fn lock(&mut self) -> io::Result<()> {
        self.device.lock()
    }

    fn list(&mut self) -> io::Result<Vec<(FileName, u64)>> {
        self.device.list()
    }

    fn remove(&mut self, name: FileName) -> io::Result<()> {
        self.device.remove(name)
    }

    fn create(&mut self, name: FileName, len: u64) -> io::Result<()> {
        self.device.create(name, len)
    }

    fn read(&mut self, name: FileName, at: u64, into: &mut [u8]) -> io::Result<usize> {
        self.device.read(name, at, into)
    }

    fn write(&mut self, name: FileName, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.device.write(name, at, bytes)
    }

    /// Later; what could not be synced before stops the queue now.
    fn sync(&mut self, name: FileName) -> io::Result<()> {
        let mut late = lock(&self.late);
        if let Some(error) = late.failed.take() {
            return Err(error);
        }
        late.files.insert(name);
        Ok(())
    }

    fn publish(&mut self, name: FileName, from: &mut dyn Read) -> io::Result<()> {
        self.device.publish(name, from)
    }
}
