//! What [`ContinuousLobbies`] go by: whose parts score, find and split, and how long they wait.

use std::sync::Arc;

use matchwright_lobby::{Exchanges, MatchFinder, NearestSplit, TeamSplitter};
use matchwright_queue::{Accept, Prices, Threshold};
use matchwright_scoring::TeamScorer;

use super::ContinuousLobbies;

/// Exchanges of a search, if nothing else is said.
const EXCHANGES: u64 = 1000;

/// Settings of [`ContinuousLobbies`].
#[derive(Clone)]
pub(in crate::policy) struct Settings {
    pub(in crate::policy) scoring: Arc<dyn TeamScorer>,
    /// Teams of those around a ticket.
    pub(in crate::policy) finder: Arc<dyn MatchFinder + Send + Sync>,
    pub(in crate::policy) threshold: Option<Threshold>,
    /// In place of a threshold.
    pub(in crate::policy) prices: Option<Prices>,
    pub(in crate::policy) accept: Accept,
    pub(in crate::policy) longest_wait: Option<i64>,
    pub(in crate::policy) order: Arc<str>,
    /// The quality that a match without all of its players would lose.
    pub(in crate::policy) missing_cost: f64,
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
            threshold: None,
            prices: None,
            accept: Accept::Both,
            longest_wait: None,
            order: "skill".into(),
            missing_cost: 1.0,
            neighbours: None,
            exchanges: EXCHANGES,
        };
        Self::new(queue, settings)
    }

    /// The same with a wanted quality, which falls with the wait
    /// ([`ThresholdParams::build`](matchwright_queue::ThresholdParams::build)), and for whose wait it must be reached.
    #[must_use]
    pub fn with_threshold(mut self, threshold: Threshold, accept: Accept) -> Self {
        (self.settings.threshold, self.settings.accept) = (Some(threshold), accept);
        self
    }

    /// The same where, after this many milliseconds, a ticket gets the best match that is permitted.
    #[must_use]
    pub const fn with_longest_wait(mut self, milliseconds: i64) -> Self {
        self.settings.longest_wait = Some(milliseconds);
        self
    }

    /// The same where a match with none of its players would lose this quality, 1 if nothing else is said: in queues that make
    /// smaller matches ([`QueueSettings::smaller`](matchwright_queue::QueueSettings::smaller)) each share of the players of a
    /// full one that is missing takes its share of it off the quality.
    #[must_use]
    pub const fn with_missing_cost(mut self, quality: f64) -> Self {
        self.settings.missing_cost = quality;
        self
    }

    /// The same with neighbours by another number of tickets.
    #[must_use]
    pub fn ordered_by(mut self, attribute: &str) -> Self {
        self.settings.order = attribute.into();
        self
    }

    /// The same with another search for teams, but for those of one player each.
    #[must_use]
    pub fn finding_by(mut self, finder: impl MatchFinder + Send + Sync + 'static) -> Self {
        self.settings.finder = Arc::new(finder);
        self
    }

    /// The same where a splitter makes the teams, of those nearest to a ticket that fill them.
    #[must_use]
    pub fn split_by(mut self, splitter: impl TeamSplitter + Send + Sync + 'static) -> Self {
        self.settings.finder = Arc::new(NearestSplit(splitter));
        self
    }
}

#[cfg(test)]
mod tests {
    use matchwright_queue::{Event, MatchPolicy, State, ThresholdParams, Ticket, TicketId, Time, step};

    use super::*;
    use crate::policy::{LoadedPolicy, PolicyDocument, load};

    const DOCUMENT: &str = "
        [queue]
        method = 'lobbies'
        teams = [2, 2]
        accept = 'sum'
        longest_wait = 60
        order = 'rank'
        threshold = { quality = 0.95, after = 5, fall_per_second = 0.02, least = 0.5 }
        [scoring.factors.player_skill]
        skill_cap = 10000
        difference = { shape = 'ramp', best = 0, worst = 1000 }";

    fn document() -> PolicyDocument {
        toml::from_str(DOCUMENT).unwrap()
    }

    /// The tickets of every match with its time, where one comes every two seconds.
    fn made(mut loaded: LoadedPolicy) -> Vec<(i64, Vec<Vec<TicketId>>)> {
        let mut state = State::new(loaded.label, loaded.settings);
        let (mut made, mut wakeup) = (Vec::new(), None::<Time>);
        for id in 1..=40_u32 {
            let came = Time::from_millis(2000 * i64::from(id));
            let id = u64::from(id);
            let number = |salt: u64| (id * salt % 997) as f64;
            let ticket = Ticket::of_one(id, id)
                .with("skill", number(379))
                .with("rank", number(577));
            let events = [Event::create(id, ticket)];
            while let Some(now) = wakeup.filter(|now| *now < came) {
                wakeup = take(&mut state, &mut *loaded.policy, now, &[], &mut made);
            }
            wakeup = take(&mut state, &mut *loaded.policy, came, &events, &mut made);
        }
        made
    }

    fn take(
        state: &mut State,
        policy: &mut dyn MatchPolicy,
        now: Time,
        events: &[Event],
        made: &mut Vec<(i64, Vec<Vec<TicketId>>)>,
    ) -> Option<Time> {
        let outcome = step(state, policy, now, events).unwrap();
        made.extend(
            outcome
                .matches()
                .map(|one| (now.millis(), one.lobby.teams.clone())),
        );
        outcome.wakeup
    }

    #[test]
    fn a_policy_of_parts_makes_the_matches_of_the_document_that_names_them() {
        let scoring = || document().scoring.unwrap().build().unwrap();
        let threshold = ThresholdParams {
            quality: 0.95,
            after: 5.0,
            fall_per_second: 0.02,
            least: 0.5,
        };
        let threshold = threshold.build().unwrap();
        let plain = || ContinuousLobbies::scored_by("", scoring());
        let ranked = || plain().ordered_by("rank").with_longest_wait(60_000);
        let loaded = |parts| {
            let settings = load(document()).unwrap().settings;
            made(LoadedPolicy::of("parts", settings, parts).unwrap())
        };
        let named = made(load(document()).unwrap());
        assert!(named.len() > 5);
        assert_eq!(
            loaded(ranked().with_threshold(threshold.clone(), Accept::Sum)),
            named
        );
        // Each part matters.
        let others = [
            ranked(),
            ranked().with_threshold(threshold.clone(), Accept::Both),
            plain()
                .with_longest_wait(60_000)
                .with_threshold(threshold.clone(), Accept::Sum),
            ranked()
                .with_longest_wait(6000)
                .with_threshold(threshold, Accept::Sum),
        ];
        for other in others {
            assert_ne!(loaded(other), named);
        }
    }
}
