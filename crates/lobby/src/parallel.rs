//! Independent jobs on several threads, their results in order.

/// The results of jobs 0, 1, 2, ... in that order, computed by several threads. A thread whose job returns `None` takes
/// no other.
pub(crate) fn in_order<T: Send>(threads: usize, jobs: u64, work: impl Fn(u64) -> Option<T> + Sync) -> Vec<T> {
    if threads <= 1 || jobs <= 1 {
        return (0..jobs).map_while(work).collect();
    }
    let next = std::sync::atomic::AtomicU64::new(0);
    let mut done: Vec<(u64, T)> = std::thread::scope(|scope| {
        let worker = || {
            let take = || Some(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
            let jobs = std::iter::from_fn(take).take_while(|&job| job < jobs);
            jobs.map_while(|job| Some((job, work(job)?))).collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let mut done = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(mine) => done.extend(mine),
                // The caller's objective panicked in another thread: the panic goes on in this one.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|&(job, _)| job);
    done.into_iter().map(|(_, result)| result).collect()
}
