//! Inputs of every kind, changed at random: no reader panics, and memory and work stay within stated multiples of their
//! bytes. A failure names its kind and number, by which it is run alone.

mod documents;
mod mutate;
mod packed;
mod tables;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use allocation_counter::measure;

use super::generated::Dice;
use crate::failure::Failure;

/// A kind of input.
struct Kind {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    /// Changes a seed.
    change: fn(&mut Dice, &[Vec<u8>]) -> Vec<u8>,
    /// Reads it as commands do, as far as what they then compute with, which may be refused.
    read: fn(&mut Dice, &[u8]) -> Result<(), Failure>,
    /// How it may be read to more than it has bytes.
    is_packed: bool,
}

/// Bytes of memory for any input, and for each of its bytes: what SECURITY.md states.
const MEMORY: (u64, u64) = (1 << 20, 200);
/// Bytes that are allocated in all, which is how work is counted here: what is copied, collected or formatted allocates.
const WORK: (u64, u64) = (4 << 20, 1000);
/// A graph's vertices, which may have no edges: two million of 16 bytes.
const VERTICES: u64 = 32 << 20;
/// Of packed inputs what they unpack to counts, and is read in pieces of some size.
const UNPACKED: u64 = 64 << 20;

fn kinds() -> Vec<Kind> {
    [tables::kinds(), documents::kinds(), packed::kinds()]
        .into_iter()
        .flatten()
        .collect()
}

/// What came of the inputs of a kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    read: u64,
    refused: u64,
    /// The most bytes of memory and of work for a byte, of inputs of 4 KiB and more.
    memory: u64,
    work: u64,
    /// How long all took, and of those the most nanoseconds for a byte, with its number: to be told.
    time: Duration,
    slowest: (u64, u64),
}

/// Changes and reads the input of a number.
fn one(kind: &Kind, number: u64, tally: &mut Tally) -> Result<(), String> {
    let begun = Instant::now();
    let mut dice = Dice::of(number);
    let text = (kind.change)(&mut dice, &kind.seeds);
    let mut read = None;
    let used = measure(|| read = catch_unwind(move_read(kind, dice, &text)).ok());
    let told = |what: &str| {
        let shown = String::from_utf8_lossy(&text);
        let shown: String = shown.chars().take(2000).collect();
        format!("{} {number}: {what}; {} bytes:\n{shown}", kind.name, text.len())
    };
    match read {
        None => return Err(told("panicked")),
        Some(true) => tally.read += 1,
        Some(false) => tally.refused += 1,
    }
    let (time, bytes) = (begun.elapsed(), text.len() as u64);
    tally.time += time;
    if bytes >= 4096 && !kind.is_packed {
        tally.memory = tally.memory.max(used.bytes_max / bytes);
        tally.work = tally.work.max(used.bytes_total / bytes);
        let slow = u64::try_from(time.as_nanos()).unwrap() / bytes;
        tally.slowest = tally.slowest.max((slow, number));
    }
    for (what, used, (any, each)) in [
        ("memory", used.bytes_max, MEMORY),
        ("work", used.bytes_total, WORK),
    ] {
        let more = match kind.name {
            "graphs" => VERTICES,
            _ if kind.is_packed => 3 * UNPACKED,
            _ => 0,
        };
        let most = any + each * bytes + more;
        if used > most {
            return Err(told(&format!("{used} bytes of {what}, {most} at most")));
        }
    }
    Ok(())
}

/// The reading of an input, which may panic; whether it was taken.
fn move_read<'a>(
    kind: &'a Kind,
    dice: Dice,
    text: &'a [u8],
) -> impl FnOnce() -> bool + std::panic::UnwindSafe + 'a {
    let mut dice = std::panic::AssertUnwindSafe(dice);
    let read = kind.read;
    move || read(&mut dice, text).is_ok()
}

/// Reads the inputs of these numbers, of all kinds in turn, on all cores.
fn read_all(numbers: Range<u64>, seen: impl Fn(u64) + Sync) -> BTreeMap<&'static str, Tally> {
    let kinds = kinds();
    // What is packed takes longer, and comes less often.
    let often = |place: &usize| if kinds[*place].is_packed { 1 } else { 8 };
    let turns: Vec<usize> = (0..kinds.len())
        .flat_map(|place| std::iter::repeat_n(place, often(&place)))
        .collect();
    let next = AtomicU64::new(numbers.start);
    let (tallies, faults) = (Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut own = vec![Tally::default(); kinds.len()];
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    seen(number);
                    let place = turns[usize::try_from(number).unwrap() % turns.len()];
                    if let Err(fault) = one(&kinds[place], number, &mut own[place]) {
                        faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
                    }
                }
                let mut all = tallies.lock().unwrap_or_else(PoisonError::into_inner);
                for (kind, own) in kinds.iter().zip(own) {
                    let sum: &mut Tally = all.entry(kind.name).or_default();
                    sum.read += own.read;
                    sum.refused += own.refused;
                    sum.memory = sum.memory.max(own.memory);
                    sum.work = sum.work.max(own.work);
                    sum.time += own.time;
                    sum.slowest = sum.slowest.max(own.slowest);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults[..faults.len().min(10)].join("\n\n")
    );
    tallies.into_inner().unwrap()
}

#[test]
fn inputs_that_were_changed_at_random_are_read_or_refused_within_limits() {
    for (kind, tally) in read_all(0..20_000, |_| {}) {
        assert!(tally.read > 0 && tally.refused > 20, "{kind}: {tally:?}");
    }
}

#[test]
fn what_is_changed_is_read_as_it_is() {
    let mut refused = Vec::new();
    for kind in kinds() {
        for seed in &kind.seeds {
            let shown = String::from_utf8_lossy(seed);
            if let Err(failure) = (kind.read)(&mut Dice::of(0), seed) {
                refused.push(format!("{}: {failure}:\n{shown}", kind.name));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn short_rows_under_many_names_take_no_more_memory_than_others() {
    let names: Vec<String> = (0..2000).map(|number| format!("c{number}")).collect();
    let text = format!("points,{}\n{}", names.join(","), "7\n".repeat(20_000));
    let kinds = kinds();
    let pasted = kinds.iter().find(|kind| kind.name == "pasted").unwrap();
    let used = measure(|| assert!((pasted.read)(&mut Dice::of(0), text.as_bytes()).is_ok()));
    let most = MEMORY.0 + MEMORY.1 * text.len() as u64;
    assert!(used.bytes_max <= most, "{} {most}", used.bytes_max);
}

/// `MUTATED=KIND:NUMBER` reads one again; `MUTATED_FROM=NUMBER` goes on from a number.
#[test]
#[ignore = "deep: ten million inputs take an hour; run by `cargo xtask test --deep`"]
fn ten_million_inputs_that_were_changed_at_random_are_read_or_refused_within_limits() {
    if let Ok(one_of) = std::env::var("MUTATED") {
        let (name, number) = one_of.split_once(':').unwrap();
        let kinds = kinds();
        let kind = kinds.iter().find(|kind| kind.name == name).unwrap();
        let number = number.parse().unwrap();
        // Often, so that a profile shows what takes its time.
        return (0..100).for_each(|_| one(kind, number, &mut Tally::default()).unwrap());
    }
    let first = std::env::var("MUTATED_FROM").map_or(0, |first| first.parse().unwrap());
    let seen = |number: u64| {
        if number.is_multiple_of(1_000_000) {
            eprintln!("{} million of 10 million inputs", number / 1_000_000);
        }
    };
    for (kind, tally) in read_all(first..10_000_000, seen) {
        eprintln!(
            "{kind}: {} read, {} refused in {:.0?}; for a byte up to {} bytes of memory, {} of work, {} ns ({kind}:{})",
            tally.read, tally.refused, tally.time, tally.memory, tally.work, tally.slowest.0, tally.slowest.1
        );
    }
}
