//! How a service works, and how its files are opened.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use matchwright_queue::live::{Follower, Loaded, Loader, OpenError, Options, Queue, Storage};
use matchwright_queue::{QueueSettings, Time};
use matchwright_rating::RatingParams;
use matchwright_sim::policy::{PolicyDocument, load};
use serde::{Deserialize, Serialize};

use crate::beside::Beside;
use crate::ledger::Ledger;
use crate::note::{Note, encode};
use crate::ratings::Ratings;

/// How a service works.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How its queue uses device and time.
    pub queue: Options,
    /// How results are rated; `None` where ratings are kept elsewhere.
    pub ratings: Option<RatingParams>,
    /// How many of the latest results can be disputed.
    pub keep_results: usize,
    /// What is over is known for an hour, but no more than this many matches (with their tickets) and other tickets: so
    /// memory is bounded however many come.
    pub known: usize,
    /// Numbers of a player that are the store's, whatever a request says: by name of the attribute.
    pub from_store: BTreeMap<String, StoreNumber>,
    /// A ticket whose players are to join it is gone after this many milliseconds without all of them.
    pub gather_within: i64,
    /// A player who leaves a match before it starts may not queue for this many milliseconds.
    pub leave_cooldown: i64,
    /// At most this many requests wait; more are told to come again.
    pub inbox: usize,
    /// At most this many requests are followed in a step.
    pub batch: usize,
}

/// A number of a player that the service knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoreNumber {
    /// Its rating.
    Rating,
    /// The deviation of its rating; none where the system keeps none.
    Deviation,
    /// How many of its results count.
    Games,
}

impl Default for Settings {
    /// Glicko-2, the latest 50,000 results and as many matches; `rating` and `skill` are the rating, `deviation` and `uncertainty` its deviation.
    fn default() -> Self {
        let from_store = [
            ("rating", StoreNumber::Rating),
            ("skill", StoreNumber::Rating),
            ("deviation", StoreNumber::Deviation),
            ("uncertainty", StoreNumber::Deviation),
        ];
        Self {
            queue: Options::default(),
            ratings: Some(RatingParams::of(matchwright_rating::SystemName::Glicko2)),
            keep_results: 50_000,
            known: 50_000,
            from_store: from_store.map(|(name, number)| (name.to_owned(), number)).into(),
            gather_within: 60_000,
            leave_cooldown: 300_000,
            inbox: 8192,
            batch: 256,
        }
    }
}

/// The policies of documents in TOML.
#[must_use]
pub fn policies() -> Loader {
    Arc::new(|text: &str| {
        let document: PolicyDocument = toml::from_str(text).map_err(|error| error.to_string())?;
        let loaded = load(document).map_err(|error| error.to_string())?;
        // Requests have names of their own, so that events never come twice.
        let remember = 1000;
        Ok(Loaded {
            label: loaded.label,
            settings: QueueSettings {
                remember,
                ..loaded.settings
            },
            policy: loaded.policy,
        })
    })
}

/// Opens the queue, and has a second copy follow it.
pub(crate) fn open_queue<S: Storage + 'static>(
    storage: &Arc<impl Fn() -> io::Result<S> + Send + Sync + 'static>,
    document: &str,
    load: &Loader,
    options: &Options,
    beside: &Beside,
) -> Result<Queue<Ledger>, OpenError> {
    let mut queue: Queue<Ledger> = Queue::open(storage()?, document, load, options.clone())?;
    let feed = queue.feed(1024);
    let (storage, load, retain) = (Arc::clone(storage), Arc::clone(load), options.retain);
    beside.follow(move || Follower::new(feed, storage()?, &load, retain));
    Ok(queue)
}

/// The first note of a folder.
pub(crate) fn begin(queue: &mut Queue<Ledger>, settings: &Settings) -> Result<(), OpenError> {
    use std::hash::{BuildHasher as _, Hasher as _};

    let are_duels = queue.state().pool().queues().all(|name| {
        let teams = queue.state().pool().teams(name);
        teams == [1, 1]
    });
    let ratings = settings.ratings.clone();
    let ratings = ratings.map(|params| Ratings::new(params, are_duels, settings.keep_results));
    let ratings = ratings.transpose().map_err(OpenError::Policy)?;
    let mut saved = Vec::new();
    if let Some(ratings) = &ratings {
        cbor2::to_writer(&ratings.saved().map_err(OpenError::Policy)?, &mut saved)
            .map_err(|error| OpenError::Policy(error.to_string()))?;
    }
    // Each process has keys of its own for its hash maps.
    let random = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    let note = Note::Begin {
        epoch: u32::try_from(random >> 32).unwrap_or_default(),
        ratings: ratings.is_some().then_some(saved),
        known: settings.known,
    };
    let mut bytes = Vec::new();
    encode(&[note], &mut bytes).map_err(OpenError::Policy)?;
    let advanced = queue.advance(Time::default(), &[], |_, attached| attached.clone_from(&bytes));
    advanced
        .map(drop)
        .map_err(|error| OpenError::Policy(error.to_string()))
}
