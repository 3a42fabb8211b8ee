//! A queue that lives in files: decided, written, synced, and only then told. Feature `journal`; [`Files`] by the feature `files`.
//!
//! | item | |
//! |---|---|
//! | [`Queue`] | state, policy, journal and the caller's own state behind one handle |
//! | [`Attached`] | the caller's own state, durable with the steps |
//! | [`Follower`] | all of it once more, beside the writer: snapshots, `why`, estimates |
//! | [`Storage`], [`Files`], [`Memory`] | where the files are: a trait, a folder, a test |
//!
//! # What is certain
//! - A step that [`Queue::commit`] returned is on the device. One that it did not return was not acknowledged; whether it is there
//!   [`Queue::answer`] and [`Queue::recent_matches`] say after a crash.
//! - After a crash [`Queue::open`] goes on after the last group of steps that was written whole. A group that was cut off is left
//!   out; any other damage is an error with file and offset, and nothing is cut off by a program.
//! - A write or sync that fails stops the queue for good ([`LiveError::Stopped`]): it is never tried again, as the pages of a
//!   failed sync may be lost.
//! - Room for one more segment is always kept. Where there is none new tickets are refused ([`LiveError::Full`]), and all
//!   other events go on.
//! - A policy that panics has the events of that step refused, on the device, before the queue stops.
//!
//! # Files
//! `segment-N`: steps, in files of [`Options::segment_bytes`] that are made as zeros and written once from their
//! beginning on. `state-N`: everything after step N. The two newest states and the segments from the older one on are kept,
//! and older segments for [`Options::retain`], with some states between, for [`to_journal`].
//!
//! A last record that cannot be read was cut off if one of its sectors of 512 bytes is all zero, or all after some place is,
//! and no later record says that it was synced; else it is damaged.

mod core;
mod error;
mod feed;
#[cfg(feature = "files")]
mod files;
mod follower;
mod keep;
mod kept;
mod log;
mod memory;
mod queue;
mod segment;
mod storage;

pub use self::core::{Attached, Loaded, Loader};
pub use self::error::{LiveError, OpenError, StopReason};
pub use self::feed::Feed;
#[cfg(feature = "files")]
pub use self::files::Files;
pub use self::follower::Follower;
pub use self::log::{Exported, to_journal, walk};
pub use self::memory::{Faults, Memory};
pub use self::queue::{Options, Queue};
pub use self::segment::Decided;
pub use self::storage::{FileName, Storage};
