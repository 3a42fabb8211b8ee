//! Work on a stated number of threads, with results in the order of the tasks.

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
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| ThreadsError {
        threads,
        reason: error.to_string(),
    })?;
    pool.install(work)
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
    install(threads, || (0..tasks).into_par_iter().map(work).collect())
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
    fn work_runs_on_as_many_threads_as_asked_for() {
        let count = install(3, || Ok::<_, ThreadsError>(rayon::current_num_threads()));
        assert_eq!(count, Ok(3));
    }
}
