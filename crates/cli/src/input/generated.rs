//! Small files of which it is known what every cell means: meanings in many spellings, most files with one damage. What is
//! read is what was meant, only damaged files are refused, and nothing panics.
#![allow(
    clippy::too_many_lines,
    reason = "a file is put together, and damaged, in one place: what a cell means stands beside how it is written"
)]

mod edges;
mod matches;
mod players;
mod sheet;
mod tickets;

use std::collections::BTreeMap;

/// Pseudo-random numbers, the same everywhere (splitmix64).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn of(number: u64) -> Self {
        Self(number)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, below: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % below
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for end in (1..all.len()).rev() {
            all.swap(end, self.below(end + 1));
        }
    }
}

/// As programs write that there is nobody.
const NOBODY: [&str; 8] = ["NULL", "null", "N/A", "-", "BYE", "None", "NaN", "<NA>"];

/// A file, and what its reader made of it.
struct Case {
    text: String,
    /// What is wrong with the file.
    damage: Option<&'static str>,
    /// Whether it was read as it was meant, or how it was refused.
    read: Result<bool, String>,
}

type MakeCase = fn(&mut Dice) -> Case;

/// Reads this many files of each kind; for each damage, how many files were refused and how many read.
fn read_all(count: u64) -> BTreeMap<String, [u64; 2]> {
    let kinds: [(&str, MakeCase); 4] = [
        ("matches", matches::case),
        ("players", players::case),
        ("tickets", tickets::case),
        ("edges", edges::case),
    ];
    let mut tally = BTreeMap::new();
    for number in 0..count {
        for (kind, case) in &kinds {
            let Case { text, damage, read } = case(&mut Dice(number));
            let told = || format!("{kind} {number}, {}:\n{text}", damage.unwrap_or("whole"));
            match &read {
                Ok(is_meant) => assert!(is_meant, "read otherwise than it was meant: {}", told()),
                Err(what) => assert!(damage.is_some(), "refused: {what}: {}", told()),
            }
            let counts: &mut [u64; 2] = tally
                .entry(format!("{kind}, {}", damage.unwrap_or("whole")))
                .or_default();
            counts[usize::from(read.is_ok())] += 1;
        }
    }
    tally
}

#[test]
fn what_is_read_is_what_was_meant_and_only_damaged_files_are_refused() {
    for (kind, [refused, read]) in read_all(4_000) {
        let is_whole = kind.ends_with("whole");
        assert!(
            if is_whole { read > 100 } else { refused > 0 },
            "{kind}: {refused} refused, {read} read"
        );
    }
}

#[test]
#[ignore = "deep: a million files take minutes; run by `cargo xtask test --deep`"]
fn a_million_files_are_read_as_they_were_meant_or_refused() {
    for (kind, [refused, read]) in read_all(250_000) {
        eprintln!("{kind}: {refused} refused, {read} read");
    }
}
