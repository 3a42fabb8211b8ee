//! The threads of a run and the report of its progress.

use matchwright_sim::progress::Progress;
use matchwright_sim::threads::in_order;

/// How many threads a run uses, and where it reports its progress. Neither changes its results.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    pub(crate) threads: usize,
    pub(crate) progress: &'a dyn Progress,
}

impl<'a> Workers<'a> {
    /// That many threads; 0 for one on each core.
    pub fn new(threads: usize, progress: &'a dyn Progress) -> Self {
        Self { threads, progress }
    }

    /// The results of `work(0)`, `work(1)`, ..., `work(tasks - 1)`, in that order.
    pub(crate) fn in_order<T: Send>(
        &self,
        stage: &str,
        tasks: usize,
        work: impl Fn(usize) -> anyhow::Result<T> + Sync + Send,
    ) -> anyhow::Result<Vec<T>> {
        self.progress.begin(stage, tasks as u64);
        in_order(self.threads, tasks, |task| {
            let done = work(task);
            self.progress.advance(1);
            done
        })
    }
}
