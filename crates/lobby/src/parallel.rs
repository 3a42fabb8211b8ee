//! Independent jobs on several threads, their results in order.

/// The results of jobs 0, 1, 2, ... in that order, worked out on several threads.
pub(crate) fn in_order<T: Send>(threads: usize, jobs: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    if threads <= 1 || jobs <= 1 {
        return (0..jobs).map(work).collect();
    }
    let next = std::sync::atomic::AtomicU64::new(0);
    let mut done: Vec<(u64, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let job = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if job >= jobs {
                    return mine;
                }
                mine.push((job, work(job)));
            }
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
