//! [`Memory`]: files in memory, which crashes and faults may hit, for tests.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::storage::{FileName, Storage};

/// The bytes that are lost or kept together.
const SECTOR: usize = 512;

/// Files in memory, for tests: with the faults of devices, by a seed.
///
/// Clones are the same device. A crash keeps what was synced, and of what was written since each sector or not.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    device: Arc<Mutex<Device>>,
}

/// What goes wrong with a device of [`Memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// The write or sync of this number fails, the first being 1, a write after a part of it; and all after it.
    pub fails_at: Option<u64>,
    /// The most bytes that all files may have together.
    pub capacity: Option<u64>,
    /// Reads give one byte at a time or all.
    pub reads_are_short: bool,
}

#[derive(Debug, Clone, Default)]
struct Device {
    files: BTreeMap<FileName, Contents>,
    is_locked: bool,
    faults: Faults,
    /// Writes and syncs so far.
    calls: u64,
    draw: u64,
}

#[derive(Debug, Clone, Default)]
struct Contents {
    bytes: Vec<u8>,
    synced: Vec<u8>,
}

impl Memory {
    /// An empty device with these faults, drawn from a seed where they are random.
    #[must_use]
    pub fn with_faults(faults: Faults, seed: u64) -> Self {
        let device = Device {
            faults,
            draw: seed,
            ..Device::default()
        };
        Self {
            device: Arc::new(Mutex::new(device)),
        }
    }

    /// Other faults from now on, counted from now on.
    pub fn set_faults(&self, faults: Faults) {
        let mut device = self.device();
        (device.faults, device.calls) = (faults, 0);
    }

    /// The device after the power was cut: what was synced, and of each sector that was written since what it was or what it is, by
    /// the seed. Without faults, and not locked.
    #[must_use]
    pub fn cut_off(&self, seed: u64) -> Self {
        let mut after = Device {
            draw: seed,
            ..self.device().clone()
        };
        let mut files = std::mem::take(&mut after.files);
        for contents in files.values_mut() {
            let Contents { bytes, synced } = contents;
            if after.flips() {
                bytes.truncate(synced.len());
            }
            let all = bytes.len();
            synced.resize(all, 0);
            for (now, was) in bytes.chunks_mut(SECTOR).zip(synced.chunks_mut(SECTOR)) {
                if now != was && after.flips() {
                    now.copy_from_slice(was);
                }
            }
            synced.clone_from(bytes);
        }
        let device = Device {
            files,
            draw: seed,
            ..Device::default()
        };
        Self {
            device: Arc::new(Mutex::new(device)),
        }
    }

    /// The device after the power was cut, where nothing was kept that was not synced.
    #[must_use]
    pub fn crashed(&self) -> Self {
        let mut after = self.device().clone();
        for contents in after.files.values_mut() {
            contents.bytes.clone_from(&contents.synced);
        }
        (after.is_locked, after.faults) = (false, Faults::default());
        Self {
            device: Arc::new(Mutex::new(after)),
        }
    }

    /// Changes the bytes of a file, as damage does.
    pub fn change(&self, name: FileName, change: impl FnOnce(&mut Vec<u8>)) {
        if let Some(contents) = self.device().files.get_mut(&name) {
            change(&mut contents.bytes);
            contents.synced.clone_from(&contents.bytes);
        }
    }

    fn device(&self) -> MutexGuard<'_, Device> {
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Device {
    /// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    const fn draw(&mut self) -> u64 {
        self.draw = self.draw.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.draw;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    const fn flips(&mut self) -> bool {
        self.draw().is_multiple_of(2)
    }

    fn find(&mut self, name: FileName) -> io::Result<&mut Contents> {
        self.files
            .get_mut(&name)
            .ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// Counts a call; whether it fails.
    fn fails(&mut self) -> bool {
        self.calls += 1;
        self.faults.fails_at.is_some_and(|at| self.calls >= at)
    }

    fn has_room(&self, more: u64) -> bool {
        let used: u64 = self
            .files
            .values()
            .map(|contents| contents.bytes.len() as u64)
            .sum();
        self.faults
            .capacity
            .is_none_or(|capacity| used.saturating_add(more) <= capacity)
    }
}

fn broken() -> io::Error {
    io::Error::other("the device failed")
}

impl Storage for Memory {
    fn lock(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.device().is_locked, true) {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(())
    }

    fn list(&mut self) -> io::Result<Vec<(FileName, u64)>> {
        let device = self.device();
        let files = device.files.iter();
        Ok(files
            .map(|(&name, contents)| (name, contents.bytes.len() as u64))
            .collect())
    }

    fn remove(&mut self, name: FileName) -> io::Result<()> {
        let removed = self.device().files.remove(&name);
        removed.map(drop).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn create(&mut self, name: FileName, len: u64) -> io::Result<()> {
        self.publish(name, &mut io::repeat(0).take(len))
    }

    fn read(&mut self, name: FileName, at: u64, into: &mut [u8]) -> io::Result<usize> {
        let mut device = self.device();
        let is_short = device.faults.reads_are_short && device.flips();
        let contents = device.find(name)?;
        let at = usize::try_from(at).map_err(io::Error::other)?;
        let rest = contents.bytes.get(at..).unwrap_or_default();
        let most = if is_short { 1 } else { into.len() };
        let count = most.min(rest.len()).min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn write(&mut self, name: FileName, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut device = self.device();
        let fails = device.fails();
        let part = if fails {
            usize::try_from(device.draw() % (bytes.len() as u64 + 1)).map_err(io::Error::other)?
        } else {
            bytes.len()
        };
        let contents = device.find(name)?;
        let at = usize::try_from(at).map_err(io::Error::other)?;
        let end = at.checked_add(part).ok_or_else(broken)?;
        if contents.bytes.len() < end {
            contents.bytes.resize(end, 0);
        }
        contents.bytes[at..end].copy_from_slice(&bytes[..part]);
        if fails { Err(broken()) } else { Ok(()) }
    }

    fn sync(&mut self, name: FileName) -> io::Result<()> {
        let mut device = self.device();
        if device.fails() {
            return Err(broken());
        }
        let Contents { bytes, synced } = device.find(name)?;
        synced.clone_from(bytes);
        Ok(())
    }

    fn publish(&mut self, name: FileName, from: &mut dyn Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        let mut device = self.device();
        if !device.has_room(bytes.len() as u64) {
            return Err(ErrorKind::StorageFull.into());
        }
        let synced = bytes.clone();
        device.files.insert(name, Contents { bytes, synced });
        Ok(())
    }
}
