//! Work on a stated number of threads, with results in the order of the tasks; on the one at hand without the feature
//! `parallel`.

#[cfg(feature = "rate")]
use std::convert::Infallible;
#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Threads that could not be started.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("starting {threads} threads: {reason}")]
pub struct ThreadsError {
    /// How many were asked for.
    pub threads: usize,
    /// The operating system's reason.
    pub reason: String,
}

/// Runs `work` inside a pool of `threads` threads, as many as there are cores for 0: rayon's parallel iterators in it use
/// that pool.
///
/// # Errors
/// [`ThreadsError`] if the pool cannot be started, and the errors of `work`.
pub fn install<T: Send, E: From<ThreadsError> + Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, E> {
    #[cfg(feature = "parallel")]
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| ThreadsError {
            threads,
            reason: error.to_string(),
        })?;
        pool.install(work)
    }
    #[cfg(not(feature = "parallel"))]
    {
        let _ = threads;
        work()
    }
}

/// The results of tasks 0, 1, 2, ... in that order, computed by `threads` threads, whose number never shows.
///
/// # Errors
/// [`ThreadsError`] if they cannot be started, and the error of a task.
pub fn in_order<T: Send, E: From<ThreadsError> + Send>(
    threads: usize,
    tasks: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync + Send,
) -> Result<Vec<T>, E> {
    let tasks: Vec<usize> = (0..tasks).collect();
    install(threads, || try_each(&tasks, 1, |task| work(*task)))
}

/// The results of `work` on each item, in their order, by the threads of the pool at hand, each of which takes `piece` items,
/// 1 or more, at a time.
#[cfg(feature = "rate")]
pub(crate) fn each<I: Sync, T: Send>(items: &[I], piece: usize, work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    // Dropped: there is none.
    let Ok(all) = try_each(items, piece, |item| Ok::<_, Infallible>(work(item)));
    all
}

/// As [`each`], of work that may fail: the error of one, if any does.
pub(crate) fn try_each<I: Sync, T: Send, E: Send>(
    items: &[I],
    piece: usize,
    work: impl Fn(&I) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    #[cfg(feature = "parallel")]
    {
        let pieces: Vec<&[I]> = items.chunks(piece).collect();
        let made: Vec<Mutex<Result<Vec<T>, E>>> = pieces.iter().map(|_| Mutex::new(Ok(Vec::new()))).collect();
        let has_failed = AtomicBool::new(false);
        at_once(pieces.len(), &|place| {
            if has_failed.load(Ordering::Relaxed) {
                return;
            }
            let results: Result<Vec<T>, E> = pieces[place].iter().map(&work).collect();
            has_failed.fetch_or(results.is_err(), Ordering::Relaxed);
            *made[place].lock().unwrap_or_else(PoisonError::into_inner) = results;
        });
        let mut all = Vec::with_capacity(items.len());
        for results in made {
            all.append(&mut results.into_inner().unwrap_or_else(PoisonError::into_inner)?);
        }
        Ok(all)
    }
    #[cfg(not(feature = "parallel"))]
    {
        let _ = piece;
        items.iter().map(work).collect()
    }
}

/// Calls `work` with 0, 1, 2, ... by the threads of the pool at hand: one function for all work there is, since rayon's own are compiled
/// anew for each.
#[cfg(feature = "parallel")]
fn at_once(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// The results of two pieces of work.
#[cfg(feature = "rate")]
pub(crate) fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(one, other);
    #[cfg(not(feature = "parallel"))]
    (one(), other())
}

/// Threads of the pool at hand.
#[cfg(feature = "rate")]
pub(crate) fn at_hand() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_tasks_for_any_number_of_threads() {
        let squares: Vec<usize> = (0..100).map(|k| k * k).collect();
        for threads in [1, 2, 5] {
            let found = in_order(threads, 100, |k| Ok::<_, ThreadsError>(k * k));
            assert_eq!(found.as_ref(), Ok(&squares));
        }
    }

    #[test]
    fn an_error_is_told_and_pieces_are_joined_in_order() {
        let items: Vec<usize> = (0..100).collect();
        let odd = |item: &usize| if item % 2 == 1 { Err(*item) } else { Ok(*item) };
        assert_eq!(try_each(&items[..1], 3, odd), Ok(vec![0]));
        assert_eq!(try_each(&[0, 2, 4, 6, 8], 3, odd), Ok(vec![0, 2, 4, 6, 8]));
        assert_eq!(try_each(&items[..0], 3, odd), Ok(Vec::new()));
        assert_eq!(try_each(&items[..4], 100, odd), Err(1));
        assert!(try_each(&items, 3, odd).is_err_and(|item| item % 2 == 1));
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn work_runs_on_as_many_threads_as_asked_for() {
        let count = install(3, || Ok::<_, ThreadsError>(rayon::current_num_threads()));
        assert_eq!(count, Ok(3));
    }
}
