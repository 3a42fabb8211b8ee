//! The integers that the algorithm counts in: 64 bits, or 128 where those do not do.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Duals or times outgrew [`Integer::LIMIT`]: the resolution is too fine for this graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overflow;

/// What weights, duals and times are.
///
/// The margins are such that no sum the algorithm forms leaves the type: duals and times stay within
/// `LIMIT`, weights within an eighth of it. The algorithm is compiled once for each.
pub(super) trait Integer:
    Copy + Ord + Debug + Default + Send + Sync + Add<Output = Self> + Sub<Output = Self> + AddAssign + SubAssign
{
    /// Quantised costs have at most this many bits at first: their halves may drift to 8 times the largest.
    const FINEST_BITS: i32;
    const ZERO: Self;
    const ONE: Self;
    /// Before any time.
    const NEVER: Self;
    /// Duals and times stay within this (see [`within_limit`]).
    const LIMIT: Self;
    /// Later than every time that the algorithm computes: weights less two duals of outer vertices, each
    /// within 3 [`LIMIT`](Self::LIMIT) of 0 by its clock.
    const FAR: Self;

    /// A number without fraction, of at most `FINEST_BITS + 1` bits.
    fn from_whole(value: f64) -> Self;
    /// Half of an even number.
    fn half(self) -> Self;
    fn wide(self) -> i128;

    fn twice(self) -> Self {
        self + self
    }
}

macro_rules! integer {
    ($type:ty, $limit:literal) => {
        impl Integer for $type {
            const FINEST_BITS: i32 = $limit - 4;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const NEVER: Self = Self::MIN;
            const LIMIT: Self = 1 << $limit;
            const FAR: Self = 1 << ($limit + 3);

            #[allow(
                clippy::cast_possible_truncation,
                reason = "the contract of from_whole"
            )]
            fn from_whole(value: f64) -> Self {
                value as Self
            }

            fn half(self) -> Self {
                self / 2
            }

            fn wide(self) -> i128 {
                i128::from(self)
            }
        }
    };
}

integer!(i64, 58);
integer!(i128, 122);

/// Passes a dual or a time that leaves room to add a few more of its kind.
pub(super) fn within_limit<W: Integer>(value: W) -> Result<W, Overflow> {
    if (W::ZERO - W::LIMIT..=W::LIMIT).contains(&value) {
        Ok(value)
    } else {
        Err(Overflow)
    }
}
