//! What a queue and its followers have in common: state, policy, the caller's own state, and how they follow steps.

use std::io::{Read, Write};
use std::sync::Arc;

use serde_bytes::{ByteBuf, Bytes};

use super::error::{OpenError, damage};
use super::keep::Kept;
use super::segment::{Decided, End, Position, STATE, read_steps};
use super::storage::{FileName, Storage, read_all};
use crate::event::{PolicyChange, PolicyLabel};
use crate::journal::{Frames, HEADER, JournalError, JournalFault, StepRecord, append, header, new_policy};
use crate::policy::MatchPolicy;
use crate::settings::QueueSettings;
use crate::state::{State, follow};

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
    fn restore(from: &mut dyn Read) -> Result<Self, String>;
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

    fn restore(_: &mut dyn Read) -> Result<Self, String> {
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
    pub(super) fn to_file(&self, at: &Position) -> Result<Vec<u8>, JournalFault> {
        let mut attached = Vec::new();
        let saved = self.attached.save(&mut attached);
        saved.map_err(|reason| JournalFault::Encoding { reason })?;
        let learned = self.policy.save();
        let (mut bytes, checksum) = header();
        let payload = (
            at,
            &self.document,
            &self.state,
            Bytes::new(&learned),
            Bytes::new(&attached),
        );
        append(&mut bytes, checksum, STATE, &payload)?;
        Ok(bytes)
    }

    fn of_file(file: StateFile, load: &Loader) -> Result<(Self, Position), OpenError> {
        let mut policy = load(&file.document).map_err(OpenError::Policy)?.policy;
        let (pool, now) = (file.state.pool(), file.state.now());
        let restored = policy.restore(pool, &pool.waiting(), now, &file.learned);
        restored.map_err(OpenError::Policy)?;
        let attached = A::restore(&mut &file.attached[..]).map_err(|reason| OpenError::Attached {
            step: file.position.step,
            reason,
        })?;
        let core = Self {
            state: file.state,
            policy,
            attached,
            document: file.document,
            load: Arc::clone(load),
        };
        Ok((core, file.position))
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
            let found = StateFile::read(&bytes, name);
            // As large as the state.
            let length = bytes.len() as u64;
            drop(bytes);
            match found {
                Ok(file) => {
                    let (mut core, position) = Self::of_file(file, load)?;
                    let saved = Kept {
                        position,
                        bytes: length,
                    };
                    let end = read_steps(storage, position, until, &mut |decided| core.follow(&decided))?;
                    return Ok(Some(Recovered { core, saved, end }));
                }
                // An older one will do.
                Err(error @ OpenError::Damaged { .. }) => first_error = first_error.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        first_error.map_or(Ok(None), Err)
    }
}

/// What a file of a state has.
pub(super) struct StateFile {
    pub(super) position: Position,
    pub(super) document: String,
    pub(super) state: State,
    pub(super) learned: ByteBuf,
    attached: ByteBuf,
}

impl StateFile {
    pub(super) fn read(bytes: &[u8], name: FileName) -> Result<Self, OpenError> {
        let damaged = |error: JournalError| damage(name, error);
        let cut = JournalFault::Cut.at(HEADER as u64);
        let mut frames = Frames::new(bytes).map_err(damaged)?;
        let frame = frames.next().unwrap_or(Err(cut)).map_err(damaged)?;
        if frame.kind != STATE {
            return Err(damaged(JournalFault::Kind { kind: frame.kind }.at(frame.offset)));
        }
        let (position, document, state, learned, attached) = frame.payload().map_err(damaged)?;
        Ok(Self {
            position,
            document,
            state,
            learned,
            attached,
        })
    }
}

/// What files led back to.
pub(super) struct Recovered<A> {
    pub(super) core: Core<A>,
    /// The state from which the steps were followed.
    pub(super) saved: Kept,
    pub(super) end: End,
}
