//! Work on a stated number of threads, with results in the order of the tasks; on the one at hand without the feature
//! `parallel`.

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
    install(threads, || try_each((0..tasks).collect(), 1, work))
}

/// The results of `work` on each item, in their order, by the threads of the pool at hand, each of which takes at least
/// `at_least` items at a time.
#[cfg(feature = "rate")]
pub(crate) fn each<I: Send, T: Send>(
    items: Vec<I>,
    at_least: usize,
    work: impl Fn(I) -> T + Sync + Send,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    return items.into_par_iter().with_min_len(at_least).map(work).collect();
    #[cfg(not(feature = "parallel"))]
    {
        let _ = at_least;
        items.into_iter().map(work).collect()
    }
}

/// As [`each`], of work that may fail: the error of one, if any does.
pub(crate) fn try_each<I: Send, T: Send, E: Send>(
    items: Vec<I>,
    at_least: usize,
    work: impl Fn(I) -> Result<T, E> + Sync + Send,
) -> Result<Vec<T>, E> {
    #[cfg(feature = "parallel")]
    return items.into_par_iter().with_min_len(at_least).map(work).collect();
    #[cfg(not(feature = "parallel"))]
    {
        let _ = at_least;
        items.into_iter().map(work).collect()
    }
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

    #[cfg(feature = "parallel")]
    #[test]
    fn work_runs_on_as_many_threads_as_asked_for() {
        let count = install(3, || Ok::<_, ThreadsError>(rayon::current_num_threads()));
        assert_eq!(count, Ok(3));
    }
}
