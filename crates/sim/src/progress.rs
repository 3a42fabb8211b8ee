//! Progress reporting for long runs.

/// Receives the stages and steps of a run. Calls come from any thread.
pub trait Progress: Sync {
    /// A stage of this many steps begins; 0 when the number is not known.
    fn begin(&self, stage: &str, steps: u64);

    /// This many more steps of the current stage are done.
    fn advance(&self, steps: u64);

    /// What a search has found so far, in a few words. Default: not told.
    fn found(&self, best: &str) {
        let _ = best;
    }

    /// Whether a search should end with the best so far. Default: never.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Reports nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _stage: &str, _steps: u64) {}
    fn advance(&self, _steps: u64) {}
}
