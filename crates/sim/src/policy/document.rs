//! [`PolicyDocument`]: a whole policy, from how matches are scored to what waiting costs, and what it becomes.

use std::collections::BTreeSet;
use std::sync::Arc;

use matchwright_lobby::{Annealing, Exchanges};
use matchwright_queue::{
    Choose, MatchPolicy, Method, Objective, ObjectiveError, ObjectiveParams, Pairs, PolicyLabel, PolicySet,
    QueueError, QueueParams, QueuePlan, QueueSettings,
};
use matchwright_scoring::{PolicyError, ScoringPolicyParams, TeamScorer};
use matchwright_solver::ExactPairing;
use thiserror::Error;

use super::attributes::looked_at;
use super::batch::{Batch, Matcher};
use super::exact::SolverPairs;
use super::lobbies::{ContinuousLobbies, Settings};
use super::quality::Quality;
use super::scale::RatingScale;

/// A policy document with all its tables: `[scoring]`, `[queue]` and `[objective]`.
pub type PolicyDocument = matchwright_scoring::PolicyDocument<QueueParams, ObjectiveParams>;

/// Why a document makes no policy of a queue.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum DocumentError {
    /// `[scoring]`.
    #[error(transparent)]
    Scoring(#[from] PolicyError),
    /// `[queue]`.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// `[objective]`.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// No `[queue]`.
    #[error("there is no table `[queue]`, which says when matches are made")]
    NoQueue,
    /// A method that scores without `[scoring]`.
    #[error("queue.{key} needs a table `[scoring]`, which says what a good match is")]
    NoScoring { key: &'static str },
    /// An objective that cannot judge.
    #[error(
        "[objective] has no `of`, and there is no table `[scoring]`: one of the two must say what a mismatch is"
    )]
    NoMismatch,
}

/// A policy that is ready to decide.
pub struct LoadedPolicy {
    /// Its name and version.
    pub label: PolicyLabel,
    /// What the core is told.
    pub settings: QueueSettings,
    /// What decides.
    pub policy: Box<dyn MatchPolicy + Send>,
    /// How matches are scored, if anything says so.
    pub scoring: Option<Arc<dyn TeamScorer>>,
    /// What matches and waits cost; the default if the document does not say.
    pub objective: Objective,
    /// After this many seconds of waiting a ticket is overdue, if the document says so: see `QueueParams::longest_wait`.
    pub longest_wait: Option<f64>,
    /// The attributes of tickets and of their players that decide.
    pub looks_at: BTreeSet<String>,
    /// For ratings of which scale the numbers are by which it decides; none if it looks at no ratings.
    pub scale: Option<RatingScale>,
}

impl std::fmt::Debug for LoadedPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadedPolicy")
            .field("label", &self.label)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl LoadedPolicy {
    /// A policy of anyone's that is ready to decide, with the default objective; what it looks at and for which ratings is not
    /// known.
    ///
    /// # Errors
    /// As of [`load`]; the default objective has none today.
    pub fn of(
        name: &str,
        settings: QueueSettings,
        policy: impl MatchPolicy + Send + 'static,
    ) -> Result<Self, DocumentError> {
        Ok(Self {
            label: PolicyLabel {
                name: name.to_owned(),
                version: "1".to_owned(),
            },
            settings,
            policy: Box::new(policy),
            scoring: None,
            objective: ObjectiveParams::default().build()?,
            longest_wait: None,
            looks_at: BTreeSet::new(),
            scale: None,
        })
    }
}

/// Makes a policy anew, for each world of a comparison: a document does, and so does a function.
pub trait MakePolicy: Sync {
    /// A policy that has seen nothing.
    ///
    /// # Errors
    /// [`DocumentError`] names the key.
    fn make(&self) -> Result<LoadedPolicy, DocumentError>;
}

impl MakePolicy for PolicyDocument {
    fn make(&self) -> Result<LoadedPolicy, DocumentError> {
        load(self.clone())
    }
}

impl<F: Fn() -> Result<LoadedPolicy, DocumentError> + Sync> MakePolicy for F {
    fn make(&self) -> Result<LoadedPolicy, DocumentError> {
        self()
    }
}

const _: Option<&dyn MakePolicy> = None;

/// The policy of a document.
///
/// ```
/// use matchwright_queue::{Event, State, Ticket, Time, step};
/// use matchwright_sim::policy::{PolicyDocument, load};
///
/// let document: PolicyDocument = toml::from_str(
///     "name = 'ladder'
///      [queue]
///      accept = 'both'
///      longest_wait = 60
///      [[queue.windows]]
///      of = 'rating'
///      start = 50
///      per_second = 10",
/// )?;
/// let mut loaded = load(document)?;
/// let mut state = State::new(loaded.label, loaded.settings);
/// let ticket = |id: u64, rating: f64| Event::create(id, Ticket::of_one(id, id).with("rating", rating));
/// let events = [ticket(1, 1500.0), ticket(2, 1540.0)];
/// let outcome = step(&mut state, &mut *loaded.policy, Time::from_millis(0), &events)?;
/// assert_eq!(outcome.matches().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DocumentError`] names the key.
pub fn load(document: PolicyDocument) -> Result<LoadedPolicy, DocumentError> {
    let scale = RatingScale::of_policy(&document);
    let label = PolicyLabel {
        name: document.name.unwrap_or_else(|| "unnamed".to_owned()),
        version: document.version.unwrap_or_else(|| "1".to_owned()),
    };
    let queue = document.queue.ok_or(DocumentError::NoQueue)?;
    let longest_wait = queue.longest_wait;
    let given = document
        .objective
        .as_ref()
        .map(ObjectiveParams::build)
        .transpose()?;
    let plan = queue.build(given.as_ref())?;
    let scoring = document.scoring.map(ScoringPolicyParams::build).transpose()?;
    let scoring = scoring.map(|scoring| Arc::new(scoring) as Arc<dyn TeamScorer>);
    if scoring.is_none()
        && given
            .as_ref()
            .is_some_and(|objective| objective.params().of.is_none())
    {
        return Err(DocumentError::NoMismatch);
    }
    let looks_at = looked_at(&queue, &plan.settings.needs, scoring.as_deref());
    let objective = match given {
        Some(objective) => objective,
        None => ObjectiveParams::default().build()?,
    };
    let mut set = PolicySet::default();
    for name in plan.settings.queues.keys() {
        set = set.with(name, policy(&plan, name, scoring.as_ref())?);
    }
    Ok(LoadedPolicy {
        label,
        settings: plan.settings,
        policy: Box::new(set),
        scoring,
        objective,
        longest_wait,
        looks_at,
        scale,
    })
}

/// The policy of one queue.
fn policy(
    plan: &QueuePlan,
    queue: &str,
    scoring: Option<&Arc<dyn TeamScorer>>,
) -> Result<Box<dyn MatchPolicy + Send>, DocumentError> {
    let scored = |key| scoring.cloned().ok_or(DocumentError::NoScoring { key });
    Ok(match &plan.method {
        Method::Pairs(settings) => {
            Box::new(Pairs::new(queue, settings.clone()).choosing_by(SolverPairs::default()))
        }
        Method::Lobbies {
            threshold,
            prices,
            accept,
            longest_wait,
            order,
            missing_cost,
            neighbours,
            exchanges,
        } => {
            let settings = Settings {
                scoring: scored("method = \"lobbies\"")?,
                finder: Arc::new(Exchanges),
                threshold: threshold.clone(),
                prices: prices.clone(),
                accept: *accept,
                longest_wait: *longest_wait,
                order: order.as_str().into(),
                missing_cost: *missing_cost,
                neighbours: *neighbours,
                exchanges: *exchanges,
            };
            Box::new(ContinuousLobbies::new(queue, settings))
        }
        Method::Batch {
            schedule,
            choose,
            pairs,
            exchanges,
            seed,
        } => {
            let matcher = match (choose, pairs) {
                (Choose::Difference, Some(settings)) => Matcher::Pairs(Box::new(
                    Pairs::new(queue, settings.clone()).choosing_by(SolverPairs::default()),
                )),
                (Choose::Random, _) => Matcher::Random { seed: *seed },
                _ => Matcher::Quality(Quality {
                    scoring: scored("batch.choose = \"quality\"")?,
                    pairs: Arc::new(ExactPairing::minimum()),
                    lobbies: Arc::new(Annealing::new(*seed).with_moves(*exchanges)),
                }),
            };
            Box::new(Batch::new(queue, *schedule, matcher))
        }
        _ => return Err(DocumentError::NoQueue),
    })
}
