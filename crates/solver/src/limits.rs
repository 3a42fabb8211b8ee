//! Limits of work and time, how a call ended, and what it reports on the way: the same for all solvers, bounds and
//! verifiers.
//!
//! Nothing here reads a clock. Work is a count that a call adds up by itself, so that a limit of work gives the same
//! answer on any machine and for any number of threads. Time is the caller's: a [`Watch`] is shown the [`Progress`]
//! and answers which share of the time is used.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Answers which share of the time is used, from 0 at the start. 1 or more, or NaN, stops the call.
///
/// It is asked often (some ten thousand times a second) and from any thread. Searches that cool down over time
/// take the share for their schedule; all others compare it with 1.
pub type Watch<'a> = &'a (dyn Fn(&Progress) -> f64 + Sync);

/// How much a call may spend: work, by a count, and time, by a watch. By default both are unlimited.
///
/// Each method with limits says what it counts as one unit of work. A call spends no more than its limit: it ends
/// before the step that would exceed it.
///
/// ```
/// use std::time::{Duration, Instant};
/// use matchwright_solver::{Limits, Progress, Status};
///
/// let (start, budget) = (Instant::now(), Duration::from_secs(10));
/// let share = |_: &Progress| start.elapsed().as_secs_f64() / budget.as_secs_f64();
/// let limits = Limits::unlimited().with_work(1_000_000).with_watch(&share);
/// assert_eq!(limits.reached(&Progress::new("search")), None);
/// assert_eq!(limits.reached(&Progress::new("search").with_work(1_000_000)), Some(Status::WorkLimit));
/// ```
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    work: Option<u64>,
    watch: Option<Watch<'a>>,
}

impl<'a> Limits<'a> {
    /// No limits.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self {
            work: None,
            watch: None,
        }
    }

    /// At most this many units of work.
    #[must_use]
    pub const fn with_work(mut self, work: u64) -> Self {
        self.work = Some(work);
        self
    }

    /// As long as the watch answers less than 1.
    #[must_use]
    pub const fn with_watch(mut self, watch: Watch<'a>) -> Self {
        self.watch = Some(watch);
        self
    }

    /// The limit of work, if there is one.
    #[must_use]
    pub const fn work(&self) -> Option<u64> {
        self.work
    }

    /// The watch, if there is one.
    #[must_use]
    pub const fn watch(&self) -> Option<Watch<'a>> {
        self.watch
    }

    /// Whether neither work nor time is limited.
    #[must_use]
    pub const fn is_unlimited(&self) -> bool {
        self.work.is_none() && self.watch.is_none()
    }

    /// The share of the limits that is used, in [0, 1]: of work or of time, whichever is larger. 0 without limits.
    #[must_use]
    pub fn share_used(&self, progress: &Progress) -> f64 {
        self.share_of_work(progress).max(self.share_of_time(progress))
    }

    /// The limit that is reached, if one is: [`Status::WorkLimit`] or [`Status::Stopped`].
    #[must_use]
    pub fn reached(&self, progress: &Progress) -> Option<Status> {
        if self.work.is_some_and(|limit| progress.work >= limit) {
            Some(Status::WorkLimit)
        } else if self.share_of_time(progress) >= 1.0 {
            Some(Status::Stopped)
        } else {
            None
        }
    }

    fn share_of_work(&self, progress: &Progress) -> f64 {
        match self.work {
            None => 0.0,
            Some(limit) if progress.work >= limit => 1.0,
            Some(limit) => progress.work as f64 / limit as f64,
        }
    }

    fn share_of_time(&self, progress: &Progress) -> f64 {
        let share = self.watch.map_or(0.0, |watch| watch(progress));
        if share.is_nan() {
            1.0
        } else {
            share.clamp(0.0, 1.0)
        }
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Limits")
            .field("work", &self.work)
            .field("watch", &self.watch.map(|_| "Fn(&Progress) -> f64"))
            .finish()
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// With a result that is proven to be the best.
    Optimal,
    /// After all that it does, without a proof that the result is the best.
    Finished,
    /// At the limit of work.
    WorkLimit,
    /// Because the watch asked for it.
    Stopped,
}

impl Status {
    /// Whether a limit ended the call, so that more work or time might have given a better result.
    #[must_use]
    pub const fn is_limited(self) -> bool {
        matches!(self, Self::WorkLimit | Self::Stopped)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Optimal => "proven optimal",
            Self::Finished => "finished",
            Self::WorkLimit => "stopped at the limit of work",
            Self::Stopped => "stopped by the watch",
        })
    }
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What the call is doing, in a word or two.
    pub stage: &'static str,
    /// The units of work that it has spent.
    pub work: u64,
    /// The value of the best result so far, once there is one.
    pub value: Option<f64>,
    /// What no result can be better than, once that is known.
    pub bound: Option<f64>,
}

impl Progress {
    /// The beginning of a stage: no work, value or bound.
    #[must_use]
    pub const fn new(stage: &'static str) -> Self {
        Self {
            stage,
            work: 0,
            value: None,
            bound: None,
        }
    }

    /// The same after this many units of work.
    #[must_use]
    pub const fn with_work(mut self, work: u64) -> Self {
        self.work = work;
        self
    }

    /// The same with the value of the best result so far.
    #[must_use]
    pub const fn with_value(mut self, value: f64) -> Self {
        self.value = Some(value);
        self
    }

    /// The same with a bound on all results.
    #[must_use]
    pub const fn with_bound(mut self, bound: f64) -> Self {
        self.bound = Some(bound);
        self
    }
}

/// The work that one call has spent, held against its limits by all of its threads.
///
/// Once a limit is reached, every later question gets the same answer, so that all threads end.
///
/// ```
/// use matchwright_solver::{Limits, Meter, Progress, Status};
///
/// let meter = Meter::new(Limits::unlimited().with_work(10));
/// assert_eq!(meter.spend(7), Ok(()));
/// // 5 more would be 12: they are not spent, and the call ends.
/// assert_eq!(meter.spend(5), Err(Status::WorkLimit));
/// assert_eq!(meter.work(), 7);
/// assert_eq!(meter.check(Progress::new("pricing")), Err(Status::WorkLimit));
/// ```
#[derive(Debug, Default)]
pub struct Meter<'a> {
    limits: Limits<'a>,
    work: AtomicU64,
    ended: AtomicU8,
}

/// Values of [`Meter::ended`]; 0 while no limit is reached.
const ENDED_BY_WORK: u8 = 1;
const ENDED_BY_WATCH: u8 = 2;

impl<'a> Meter<'a> {
    /// Nothing is spent yet.
    #[must_use]
    pub const fn new(limits: Limits<'a>) -> Self {
        Self {
            limits,
            work: AtomicU64::new(0),
            ended: AtomicU8::new(0),
        }
    }

    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> &Limits<'a> {
        &self.limits
    }

    /// The units of work spent so far.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// Spends work before it is done. Where several threads spend at once, which of them is refused depends on their
    /// order: spend the work of a parallel step as a whole, before it is divided, to be deterministic.
    ///
    /// # Errors
    /// [`Status::WorkLimit`] if it would exceed the limit: then nothing is spent. Or the limit reached before.
    pub fn spend(&self, work: u64) -> Result<(), Status> {
        self.ended()?;
        let limit = self.limits.work.unwrap_or(u64::MAX);
        let add = |spent: u64| spent.checked_add(work).filter(|&sum| sum <= limit);
        match self.work.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(_) => Ok(()),
            // Dropped: the value that could not be added to says nothing.
            Err(_) => Err(self.end(ENDED_BY_WORK)),
        }
    }

    /// Shows the watch the progress, with the work of this meter.
    ///
    /// # Errors
    /// [`Status::Stopped`] if the watch asks to stop. Or the limit reached before.
    pub fn check(&self, progress: Progress) -> Result<(), Status> {
        self.check_leaving(0.0, progress)
    }

    /// As [`check`](Self::check), but ends the call already when no more than `room`, a share of the time, is left: what
    /// remains to be done afterwards takes time as well.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_leaving(&self, room: f64, progress: Progress) -> Result<(), Status> {
        self.ended()?;
        if self.share_of_time(progress) + room >= 1.0 {
            return Err(self.end(ENDED_BY_WATCH));
        }
        Ok(())
    }

    /// The share of the time that is used, in [0, 1], as the watch answers to this progress with the work of this meter;
    /// 0 without a watch.
    pub fn share_of_time(&self, progress: Progress) -> f64 {
        self.limits.share_of_time(&progress.with_work(self.work()))
    }

    /// # Errors
    /// The limit that was reached, if one was.
    pub fn ended(&self) -> Result<(), Status> {
        match self.ended.load(Ordering::Relaxed) {
            0 => Ok(()),
            reason => Err(status_of(reason)),
        }
    }

    /// Ends the call for this reason, unless there was another before.
    fn end(&self, reason: u8) -> Status {
        let earlier = self
            .ended
            .compare_exchange(0, reason, Ordering::Relaxed, Ordering::Relaxed)
            .err();
        status_of(earlier.unwrap_or(reason))
    }
}

const fn status_of(reason: u8) -> Status {
    if reason == ENDED_BY_WORK {
        Status::WorkLimit
    } else {
        Status::Stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_limits_nothing_ends() {
        let meter = Meter::default();
        assert_eq!(meter.spend(u64::MAX), Ok(()));
        assert_eq!(meter.check(Progress::new("search")), Ok(()));
        assert_eq!(meter.ended(), Ok(()));
        assert_eq!(Limits::unlimited().share_used(&Progress::new("search")), 0.0);
    }

    #[test]
    fn work_never_exceeds_its_limit_and_never_wraps() {
        let meter = Meter::new(Limits::unlimited().with_work(10));
        assert_eq!((meter.spend(10), meter.work()), (Ok(()), 10));
        assert_eq!((meter.spend(1), meter.work()), (Err(Status::WorkLimit), 10));
        assert_eq!(meter.spend(0), Err(Status::WorkLimit));
        let unlimited = Meter::default();
        unlimited.spend(u64::MAX).unwrap();
        assert_eq!(unlimited.spend(1), Err(Status::WorkLimit));
    }

    #[test]
    fn the_first_limit_reached_is_the_one_reported() {
        let stop = |_: &Progress| f64::NAN;
        let meter = Meter::new(Limits::unlimited().with_work(3).with_watch(&stop));
        assert_eq!(meter.check(Progress::new("search")), Err(Status::Stopped));
        assert_eq!(meter.spend(4), Err(Status::Stopped));
        let meter = Meter::new(Limits::unlimited().with_work(3).with_watch(&stop));
        assert_eq!(meter.spend(4), Err(Status::WorkLimit));
        assert_eq!(meter.check(Progress::new("search")), Err(Status::WorkLimit));
    }

    #[test]
    fn the_watch_sees_the_work_and_its_share_is_bounded() {
        let share = |progress: &Progress| progress.work as f64 / 4.0 - 1.0;
        let limits = Limits::unlimited().with_work(16).with_watch(&share);
        let at = |work| limits.share_used(&Progress::new("search").with_work(work));
        assert_eq!([at(0), at(4), at(6), at(8), at(100)], [0.0, 0.25, 0.5, 1.0, 1.0]);
        let meter = Meter::new(limits);
        meter.spend(7).unwrap();
        assert_eq!(meter.check(Progress::new("search")), Ok(()));
        meter.spend(1).unwrap();
        assert_eq!(meter.check(Progress::new("search")), Err(Status::Stopped));
        assert_eq!(
            limits.reached(&Progress::new("search").with_work(8)),
            Some(Status::Stopped)
        );
        assert_eq!(
            limits.reached(&Progress::new("search").with_work(16)),
            Some(Status::WorkLimit)
        );
        assert!(Status::Stopped.is_limited() && !Status::Optimal.is_limited());
    }

    #[test]
    fn all_threads_end_when_one_reaches_a_limit() {
        let meter = Meter::new(Limits::unlimited().with_work(1000));
        let spent: u64 = std::thread::scope(|scope| {
            let count = || (0..10_000).take_while(|_| meter.spend(1).is_ok()).count() as u64;
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!((spent, meter.work()), (1000, 1000));
    }
}
