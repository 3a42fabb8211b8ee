//! The newest state on the device.

use super::segment::Position;

/// The newest state on the device.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    pub(super) position: Position,
    pub(super) bytes: u64,
}

impl Kept {
    /// Whether this many bytes of steps call for another: more than half of its own, as following a step takes longer than
    /// reading as many bytes of a state. So the states are two thirds of all that is written.
    pub(super) fn is_outgrown_by(&self, bytes: u64) -> bool {
        bytes > (self.bytes / 2).max(1 << 20)
    }
}
