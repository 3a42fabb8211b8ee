//! What a queue and its followers have in common: state, policy, the caller's own state, and how they follow steps.

use std::io::{self, ErrorKind, Write};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::{mem, thread};

use serde_bytes::{ByteBuf, Bytes};

use super::error::{OpenError, damage};
use super::kept::Kept;
use super::segment::{Decided, End, MATCHES, POSITION, Position, STATE, read_steps};
use super::storage::{FileName, Storage, read_all};
use crate::event::{PolicyChange, PolicyLabel};
use crate::journal::{
    Frame, Frames, HEADER, JournalError, JournalFault, StepRecord, append, header, new_policy,
};
use crate::policy::MatchPolicy;
use crate::settings::QueueSettings;
use crate::state::{Matches, State, follow};

/// Steps are handed from thread to thread in batches of `BATCH` bytes, of which at most `BATCHES` wait.
const BATCH: u64 = 1 << 15;
const BATCHES: usize = 64;

/// A policy that is ready to decide, of a document.
pub struct Loaded {
    /// Its name and version.
    pub label: PolicyLabel,
    /// What the core needs to know of it.
    pub settings: QueueSettings,
    /// What decides.
    pub policy: Box<dyn MatchPolicy + Send>,
}

/// Makes policies of their documents, always the same of the same.
pub type Loader = Arc<dyn Fn(&str) -> Result<Loaded, String> + Send + Sync>;

/// What a caller keeps beside a queue, durable with its steps: names of tickets, numbers of requests, results.
///
/// It changes by what the caller attaches to steps alone ([`Queue::decide`](super::Queue::decide)).
pub trait Attached: Default + Send {
    /// Takes what was attached to a step, when it is decided and when it is read back alike. Called for each step, with no bytes
    /// where nothing was attached.
    ///
    /// # Errors
    /// Bytes that are not understood, in words.
    fn follow(&mut self, step: &StepRecord, attached: &[u8]) -> Result<(), String>;

    /// For a snapshot.
    ///
    /// # Errors
    /// What cannot be written, in words.
    fn save(&self, to: &mut dyn Write) -> Result<(), String>;

    /// What was [saved](Self::save).
    ///
    /// # Errors
    /// Bytes that are not understood, in words.
    fn restore(from: &[u8]) -> Result<Self, String>;
}

/// Nothing.
impl Attached for () {
    fn follow(&mut self, _: &StepRecord, attached: &[u8]) -> Result<(), String> {
        match attached.len() {
            0 => Ok(()),
            more => Err(format!("{more} bytes for a caller that keeps nothing")),
        }
    }

    fn save(&self, _: &mut dyn Write) -> Result<(), String> {
        Ok(())
    }

    fn restore(_: &[u8]) -> Result<Self, String> {
        Ok(())
    }
}

/// A state with all that decides in it.
pub(super) struct Core<A> {
    pub(super) state: State,
    pub(super) policy: Box<dyn MatchPolicy + Send>,
    pub(super) attached: A,
    pub(super) document: String,
    pub(super) load: Loader,
}

impl<A: Attached> Core<A> {
    pub(super) fn new(document: &str, load: &Loader) -> Result<Self, OpenError> {
        let Loaded {
            label,
            settings,
            policy,
        } = load(document).map_err(OpenError::Policy)?;
        Ok(Self {
            state: State::new(label, settings),
            policy,
            attached: A::default(),
            document: document.to_owned(),
            load: Arc::clone(load),
        })
    }

    /// The policy of a change, with what it takes over from the one in force.
    pub(super) fn next_policy(&self, change: &PolicyChange) -> Result<Box<dyn MatchPolicy + Send>, String> {
        let mut policy = (self.load)(&change.document)?.policy;
        policy.adopt(&self.policy.learned());
        Ok(policy)
    }

    /// Does again what was decided.
    pub(super) fn follow(&mut self, decided: &Decided) -> Result<(), OpenError> {
        let StepRecord { now, events, outcome } = &decided.record;
        if let Some(change) = new_policy(events, outcome) {
            self.policy = self.next_policy(change).map_err(OpenError::Policy)?;
            self.document.clone_from(&change.document);
        }
        let followed = follow(&mut self.state, &mut *self.policy, *now, events, outcome);
        followed.map_err(|error| OpenError::Damaged {
            file: FileName::Segment(decided.end.segment).to_string(),
            offset: decided.end.offset,
            fault: JournalFault::DoesNotFit(error),
        })?;
        let attached = self.attached.follow(&decided.record, &decided.attached);
        attached.map_err(|reason| OpenError::Attached {
            step: decided.step,
            reason,
        })
    }

    /// The file of this state.
    pub(super) fn encode(&mut self, at: &Position) -> Result<Vec<u8>, JournalFault> {
        let mut attached = Vec::new();
        let saved = self.attached.save(&mut attached);
        saved.map_err(|reason| JournalFault::Encoding { reason })?;
        let learned = self.policy.save();
        let (mut bytes, checksum) = header();
        let checksum = append(&mut bytes, checksum, POSITION, &(at, &self.document))?;
        // The recent matches, half of a state, are read on a thread of their own.
        let matches = self.state.take_matches();
        let payload = (&self.state, Bytes::new(&learned), Bytes::new(&attached));
        let written = append(&mut bytes, checksum, STATE, &payload);
        let written = written.and_then(|checksum| append(&mut bytes, checksum, MATCHES, &matches));
        self.state.set_matches(matches);
        written?;
        Ok(bytes)
    }

    /// All of it.
    pub(super) fn whole(file: &StateFile, load: &Loader) -> Result<Self, OpenError> {
        let mut saved = file.saved()?;
        let attached = file.attached(&mem::take(&mut saved.attached))?;
        let mut core = Self::of(saved, attached, file, load)?;
        core.state.set_matches(file.matches()?);
        Ok(core)
    }

    /// Of what was saved, but for the recent matches.
    fn of(saved: Saved, attached: A, file: &StateFile, load: &Loader) -> Result<Self, OpenError> {
        let Saved { state, learned, .. } = saved;
        let mut policy = load(&file.document).map_err(OpenError::Policy)?.policy;
        let (pool, now) = (state.pool(), state.now());
        let restored = policy.restore(pool, &pool.waiting(), now, &learned);
        restored.map_err(OpenError::Policy)?;
        Ok(Self {
            state,
            policy,
            attached,
            document: file.document.clone(),
            load: Arc::clone(load),
        })
    }

    /// The newest state that can be read, and the steps after it up to the one of a number or to the last. `None`: there is no
    /// file of a state.
    pub(super) fn recover(
        storage: &mut dyn Storage,
        load: &Loader,
        until: u64,
    ) -> Result<Option<Recovered<A>>, OpenError> {
        let mut states: Vec<(u64, u64)> = Vec::new();
        for (name, len) in storage.list()? {
            if let FileName::State(step) = name {
                states.push((step, len));
            }
        }
        states.sort_unstable();
        let mut first_error = None;
        for (step, len) in states.into_iter().rev().filter(|state| state.0 <= until) {
            let name = FileName::State(step);
            let bytes = read_all(storage, name, len)?;
            let file = StateFile::read(bytes, name);
            match file.and_then(|file| Self::recover_from(storage, file, load, until)) {
                // An older one will do.
                Err(OpenError::Damaged { file, offset, fault }) if file == name.to_string() => {
                    first_error = first_error.or(Some(OpenError::Damaged { file, offset, fault }));
                }
                recovered => return recovered.map(Some),
            }
        }
        first_error.map_or(Ok(None), Err)
    }

    /// A state, of which another thread reads what the queue has, and the steps after it, which are followed while that reads on.
    fn recover_from(
        storage: &mut dyn Storage,
        file: StateFile,
        load: &Loader,
        until: u64,
    ) -> Result<Recovered<A>, OpenError> {
        let (position, file) = (file.position, Arc::new(file));
        let saved = Kept {
            position,
            bytes: file.bytes.len() as u64,
        };
        thread::scope(|scope| {
            let (of_attached, attached) = sync_channel(1);
            let (of_core, core) = sync_channel(1);
            let (of_steps, steps) = sync_channel(BATCHES);
            let beside = Arc::clone(&file);
            let reader = thread::Builder::new().spawn_scoped(scope, move || {
                let mut saved = beside.saved();
                let bytes = saved.as_mut().map(|saved| mem::take(&mut saved.attached));
                // Dropped: who wanted it has failed, and says why. So below.
                let _ = of_attached.send(bytes.unwrap_or_default());
                let _ = of_core.send(saved.and_then(|saved| Core::of(saved, (), &beside, load)));
                drop(beside);
                read_batches(storage, position, until, &of_steps)
            })?;
            // Its end ends the reader, which sends to it.
            let follow = || -> Result<Self, OpenError> {
                let matches = file.matches();
                let bytes = attached.recv().map_err(io::Error::other)?;
                let attached = file.attached(&bytes);
                // As large as the state, and as it.
                drop((file, bytes));
                let core: Core<()> = core.recv().map_err(io::Error::other)??;
                let mut core = core.with(attached?);
                core.state.set_matches(matches?);
                let mut steps = steps.into_iter().flatten();
                steps.try_for_each(|decided| core.follow(&decided))?;
                Ok(core)
            };
            let core = follow();
            let end = reader.join().unwrap_or_else(|panic| resume_unwind(panic));
            // Steps before one that cannot be read come first.
            let (core, end) = (core?, end?);
            Ok(Recovered { core, saved, end })
        })
    }
}

impl Core<()> {
    /// The same, with the caller's own state.
    fn with<A>(self, attached: A) -> Core<A> {
        Core {
            state: self.state,
            policy: self.policy,
            attached,
            document: self.document,
            load: self.load,
        }
    }
}

/// Sends the steps after a position, in batches.
fn read_batches(
    storage: &mut dyn Storage,
    from: Position,
    until: u64,
    to: &SyncSender<Vec<Decided>>,
) -> Result<End, OpenError> {
    let (mut batch, mut last) = (Vec::new(), from);
    let end = read_steps(storage, from, until, &mut |decided| {
        let end = decided.end;
        batch.push(decided);
        if end.segment != last.segment || end.bytes_after(&last) >= BATCH {
            last = end;
            let sent = to.send(mem::take(&mut batch));
            // Dropped: who follows them has failed, and says why. So below.
            sent.map_err(|_| io::Error::from(ErrorKind::BrokenPipe))?;
        }
        Ok(())
    });
    let _ = to.send(batch);
    end
}

/// A file of a state, of which the beginning was read.
pub(super) struct StateFile {
    name: FileName,
    bytes: Vec<u8>,
    pub(super) position: Position,
    pub(super) document: String,
    /// Where the state follows, and the checksum before it.
    after: (u64, u32),
}

/// A state without the recent matches, what the policy learned, and the caller's own state.
struct Saved {
    state: State,
    learned: ByteBuf,
    attached: ByteBuf,
}

impl StateFile {
    pub(super) fn read(bytes: Vec<u8>, name: FileName) -> Result<Self, OpenError> {
        let read = || {
            let frame = next(&mut Frames::new(&bytes)?, POSITION)?;
            let (position, document) = frame.payload()?;
            Ok((position, document, (frame.end(), frame.checksum)))
        };
        let (position, document, after) = read().map_err(|error| damage(name, error))?;
        Ok(Self {
            name,
            bytes,
            position,
            document,
            after,
        })
    }

    /// The caller's own state, of its bytes.
    fn attached<A: Attached>(&self, saved: &[u8]) -> Result<A, OpenError> {
        A::restore(saved).map_err(|reason| OpenError::Attached {
            step: self.position.step,
            reason,
        })
    }

    fn at(&self) -> usize {
        usize::try_from(self.after.0).unwrap_or(usize::MAX)
    }

    fn saved(&self) -> Result<Saved, OpenError> {
        let mut frames = Frames::after(&self.bytes, self.at(), self.after.1);
        let saved = next(&mut frames, STATE).and_then(|frame| frame.payload());
        let (state, learned, attached) = saved.map_err(|error| damage(self.name, error))?;
        Ok(Saved {
            state,
            learned,
            attached,
        })
    }

    /// The record before them, by whose checksum theirs goes on, is for [`saved`](Self::saved) to check.
    fn matches(&self) -> Result<Matches, OpenError> {
        let matches = next(&mut Frames::behind(&self.bytes, self.at()), MATCHES);
        let matches = matches.and_then(|frame| frame.payload());
        matches.map_err(|error| damage(self.name, error))
    }

    /// The whole state, and what the policy learned.
    pub(super) fn state(&self) -> Result<(State, ByteBuf), OpenError> {
        let Saved {
            mut state, learned, ..
        } = self.saved()?;
        state.set_matches(self.matches()?);
        Ok((state, learned))
    }
}

/// The next record, which must be of this kind.
fn next<'a>(frames: &mut Frames<'a>, kind: u8) -> Result<Frame<'a>, JournalError> {
    let cut = JournalFault::Cut.at(HEADER as u64);
    let frame = frames.next().unwrap_or(Err(cut))?;
    if frame.kind == kind {
        return Ok(frame);
    }
    Err(JournalFault::Kind { kind: frame.kind }.at(frame.offset))
}

/// What files led back to.
pub(super) struct Recovered<A> {
    pub(super) core: Core<A>,
    /// The state from which the steps were followed.
    pub(super) saved: Kept,
    pub(super) end: End,
}
