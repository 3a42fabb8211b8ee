//! What a check of a claim is made of, whatever its document: its work and what it is given, what it finds and the [`verdict`] on
//! it, and what checks of team [`matches`], of [`queues`] and of [`simulated`] worlds share.

pub(crate) mod matches;
pub(crate) mod numbers;
pub(crate) mod queues;
pub(crate) mod simulated;
pub(crate) mod verdict;

use std::panic::Location;
use std::sync::OnceLock;

use anyhow::{Result, anyhow};

use self::verdict::Finding;
use crate::workers::Workers;

/// What the files of checks import.
pub(crate) mod prelude {
    pub(crate) use super::Check;
    pub(crate) use super::Work::{Exact, Search, Stream, Study};
    pub(crate) use super::numbers::{deviate, ends, larger, smaller};
    pub(crate) use super::verdict::Finding;
    pub(crate) use crate::random::check_stream;
    pub(crate) use anyhow::{Context, Result};
}

/// The check of a claim, a function of its document's inputs `I`.
pub(crate) struct Check<I> {
    /// The id of the claim.
    pub(crate) id: &'static str,
    pub(crate) work: Work<I>,
    /// The file that it is in, from the root of the repository.
    pub(crate) file: &'static str,
}

/// What a check needs.
pub(crate) enum Work<I> {
    /// The library alone.
    Exact(fn(&I) -> Result<Finding>),
    /// A long run of its own, such as searches for lobbies.
    Search(fn(&I) -> Result<Finding>),
    /// The study on the generated population too.
    Study(fn(&I) -> Result<Finding>),
    /// Table 1's counts over a stream of regions.
    Stream(fn(&I) -> Result<Finding>),
}

impl<I> Check<I> {
    /// The check of the claim of this id, in the file that says so.
    #[track_caller]
    pub(crate) const fn new(id: &'static str, work: Work<I>) -> Self {
        let file = Location::caller().file();
        Self { id, work, file }
    }
}

/// A run that is made once; what stopped it is kept as words.
#[derive(Clone)]
pub(crate) struct Once<T>(OnceLock<Result<T, String>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Once<T> {
    /// What was made, now or before.
    pub(crate) fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        let made = self
            .0
            .get_or_init(|| make().map_err(|error| format!("{error:#}")));
        made.as_ref().map_err(|error| anyhow!("{error}"))
    }

    /// The report of a run with these settings.
    pub(crate) fn run<C>(
        &self,
        run: fn(&C, u64, &Workers<'_>) -> Result<T>,
        config: &C,
        seed: u64,
        workers: &Workers<'_>,
    ) -> Result<&T> {
        self.get(|| run(config, seed, workers))
    }

    /// Changes what was made before.
    #[cfg(test)]
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut T) -> Option<()>) -> Result<()> {
        let made = self.0.get_mut().and_then(|made| made.as_mut().ok());
        anyhow::Context::context(made.and_then(change), "nothing there to change")
    }

    /// With this in its place.
    #[cfg(test)]
    pub(crate) fn given(made: T) -> Self {
        Self(OnceLock::from(Ok(made)))
    }
}
