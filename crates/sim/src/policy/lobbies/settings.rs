//! What [`ContinuousLobbies`] go by: whose parts score, find and split, and how long they wait.

use std::sync::Arc;

use matchwright_lobby::{BestSplit, Exchanges, MatchFinder, NearestSplit, TeamSplitter};
use matchwright_queue::{Accept, Prices, Threshold};
use matchwright_scoring::TeamScorer;

use super::ContinuousLobbies;

/// Exchanges of a search, if nothing else is said.
const EXCHANGES: u64 = 1000;

/// Settings of [`ContinuousLobbies`].
#[derive(Clone)]
pub(in crate::policy) struct Settings {
    pub(in crate::policy) scoring: Arc<dyn TeamScorer>,
    /// Two teams of those around a ticket.
    pub(in crate::policy) finder: Arc<dyn MatchFinder + Send + Sync>,
    /// More than two teams of those who fill them.
    pub(in crate::policy) splitter: Arc<dyn TeamSplitter + Send + Sync>,
    pub(in crate::policy) threshold: Option<Threshold>,
    /// In place of a threshold.
    pub(in crate::policy) prices: Option<Prices>,
    pub(in crate::policy) accept: Accept,
    pub(in crate::policy) longest_wait: Option<i64>,
    pub(in crate::policy) order: Arc<str>,
    pub(in crate::policy) neighbours: Option<usize>,
    pub(in crate::policy) exchanges: u64,
}

impl ContinuousLobbies {
    /// Matches as soon as there is one that `scoring` permits, among neighbours by the number `skill` of tickets; what it waits for
    /// is set by the other methods.
    #[must_use]
    pub fn scored_by(queue: &str, scoring: impl TeamScorer + 'static) -> Self {
        let settings = Settings {
            scoring: Arc::new(scoring),
            finder: Arc::new(Exchanges),
            splitter: Arc::new(BestSplit::new()),
            threshold: None,
            prices: None,
            accept: Accept::Both,
            longest_wait: None,
            order: "skill".into(),
            neighbours: None,
            exchanges: EXCHANGES,
        };
        Self::new(queue, settings)
    }

    /// The same with a wanted quality, which falls with the wait.
    #[must_use]
    pub fn with_threshold(mut self, threshold: Threshold) -> Self {
        self.settings.threshold = Some(threshold);
        self
    }

    /// The same where a ticket gets the best match that is permitted after so many milliseconds.
    #[must_use]
    pub const fn with_longest_wait(mut self, milliseconds: i64) -> Self {
        self.settings.longest_wait = Some(milliseconds);
        self
    }

    /// The same with neighbours by another number of tickets.
    #[must_use]
    pub fn ordered_by(mut self, attribute: &str) -> Self {
        self.settings.order = attribute.into();
        self
    }

    /// The same with another search for two teams.
    #[must_use]
    pub fn finding_by(mut self, finder: impl MatchFinder + Send + Sync + 'static) -> Self {
        self.settings.finder = Arc::new(finder);
        self
    }

    /// The same where a splitter makes the teams, of those nearest to a ticket that fill them.
    #[must_use]
    pub fn split_by(mut self, splitter: impl TeamSplitter + Send + Sync + 'static) -> Self {
        let splitter: Arc<dyn TeamSplitter + Send + Sync> = Arc::new(splitter);
        self.settings.finder = Arc::new(NearestSplit(Arc::clone(&splitter)));
        self.settings.splitter = splitter;
        self
    }
}
