//! What can go wrong with a queue that lives in files.

use std::io;
use std::sync::Arc;

use thiserror::Error;

use super::storage::FileName;
use crate::journal::{JournalError, JournalFault};
use crate::state::StepError;

/// Why the files of a queue cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process has them.
    #[error("another process runs this queue: end it first")]
    Owned,
    /// Files of a format that this program does not know.
    #[error("{file}: the format has version {found}, and this program knows version {known}")]
    Version {
        /// The file.
        file: String,
        /// Its version.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// Bytes that changed after they were synced, so that steps which were told may be lost.
    #[error(
        "{file}: byte {offset}: {fault}; steps that were told may be lost, so restore the folder from a copy"
    )]
    Damaged {
        /// The file.
        file: String,
        /// Where its first record that is at fault begins.
        offset: u64,
        /// What is wrong there.
        fault: JournalFault,
    },
    /// A file that others say there is.
    #[error("{0} is missing; restore the folder from a copy")]
    Missing(String),
    /// A document of which no policy could be made, or a policy that could not take what it had learned.
    #[error("the policy: {0}")]
    Policy(String),
    /// Bytes of the caller that it cannot read.
    #[error("what the caller attached to step {step}: {reason}")]
    Attached {
        /// The step, or the one after which it was saved.
        step: u64,
        /// Why.
        reason: String,
    },
    /// The device.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A record of a file that cannot be read.
pub(super) fn damage(file: FileName, error: JournalError) -> OpenError {
    let file = file.to_string();
    match error.fault {
        JournalFault::Version { found, known } => OpenError::Version { file, found, known },
        fault => OpenError::Damaged {
            file,
            offset: error.offset,
            fault,
        },
    }
}

/// Why a queue did not do what it was asked to.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The step cannot be taken; the queue is as it was.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A document of which no policy could be made; the queue is as it was.
    #[error("the policy: {0}")]
    Policy(String),
    /// There is no room for another segment: new tickets are refused, everything else goes on until the room that is kept for it
    /// is used up. The queue is as it was.
    #[error("no room is left on the device for new tickets")]
    Full,
    /// The state could not be saved; the queue goes on, and the next time it may be.
    #[error("the state was not saved: {0}")]
    NotSaved(Arc<OpenError>),
    /// The queue has stopped for good, and its memory is worth nothing: open it again, from what is on the device.
    #[error("the queue has stopped: {0}; open it again")]
    Stopped(Arc<StopReason>),
}

/// Why a queue stopped for good.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StopReason {
    /// A write or a sync failed: what is on the device is in doubt.
    #[error("{0}")]
    Storage(io::Error),
    /// The policy panicked; the events of that step are refused for ever.
    #[error("the policy failed: {0}")]
    Panicked(String),
    /// A step that cannot be written.
    #[error("{0}")]
    Record(JournalFault),
    /// Bytes that the caller attached and then could not follow.
    #[error("what the caller attached: {0}")]
    Attached(String),
}
