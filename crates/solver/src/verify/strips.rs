//! Vertices shared out among threads, in strips, with a verdict and an error that do not depend on how many there are.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::error::VerifyError;
use super::pairs::Pairs;
use crate::limits::{Limits, Meter, Progress, Status};

/// Who reads, and within which limits.
pub(super) struct Readers<'a> {
    threads: usize,
    meter: Meter<'a>,
}

impl<'a> Readers<'a> {
    pub(super) fn new(threads: usize, limits: &Limits<'a>) -> Self {
        Self {
            threads,
            meter: Meter::new(*limits),
        }
    }

    /// Spends the unit of work that comes after so many `before`, if all are done in order: so the limit falls on the
    /// same one for any number of threads.
    pub(super) fn spend(&self, before: usize) -> Result<(), VerifyError> {
        let limit = self.meter.limits().work();
        if limit.is_some_and(|limit| before as u64 >= limit) {
            return Err(Status::WorkLimit.into());
        }
        self.meter.spend(1)?;
        Ok(self.meter.check(Progress::new("verification"))?)
    }

    /// Calls `read` for each strip, and adds what it finds to `pairs`. Each thread has a `scratch` of its own.
    ///
    /// # Errors
    /// That of the first strip which has one: those before were begun earlier, and are finished.
    pub(super) fn read_strips<S>(
        &self,
        strips: usize,
        pairs: &mut Pairs<'_>,
        scratch: impl Fn() -> S + Sync,
        read: impl Fn(usize, &mut S, &mut Pairs<'_>) -> Result<(), VerifyError> + Sync,
    ) -> Result<(), VerifyError> {
        let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(strips));
        let none = pairs.without_findings();
        let worker = || {
            let (mut scratch, mut mine) = (scratch(), Vec::new());
            loop {
                let strip = next.fetch_add(1, Ordering::Relaxed);
                if strip >= failed.load(Ordering::Relaxed) {
                    return mine;
                }
                let mut part = none.clone();
                let outcome = read(strip, &mut scratch, &mut part);
                if outcome.is_err() {
                    failed.fetch_min(strip, Ordering::Relaxed);
                }
                mine.push((strip, outcome.map(|()| part)));
            }
        };
        let mut parts = std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.min(strips))
                .map(|_| scope.spawn(worker))
                .collect();
            let mut parts = worker();
            for other in others {
                // An oracle of the caller's panicked in another thread; it goes on in this one.
                parts.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            parts
        });
        parts.sort_unstable_by_key(|&(strip, _)| strip);
        parts.into_iter().try_for_each(|(_, part)| pairs.add(&part?))
    }
}
