//! Hashing of numbers that the caller gave, for look-ups alone: no order of such a map ever reaches a result.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers of ours.
pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Multiplies by an odd constant and folds: a few times as quick as the standard hasher, whose protection against
/// chosen keys the numbers of one's own tickets do not need.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are folded")]
        let folded = (product >> 64) as u64 ^ product as u64;
        self.0 = folded;
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
