//! What all calls share.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::counts::Counts;
use super::failure::Failure;
use super::keyring::KeyRing;
use super::keys::Caller;
use crate::{Problem, Service};

/// How HTTP is served.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Whose tokens are believed. `None`: anyone who reaches it may do everything, which is for one machine alone.
    pub keys: Option<Arc<KeyRing>>,
    /// The longest body of a request, in bytes; a policy may be four times as long.
    pub body: usize,
    /// The longest time that a call waits for a change.
    pub longest_wait: Duration,
    /// A player may create one ticket in this time,
    pub create_every: Duration,
    /// and this many at once.
    pub create_burst: NonZeroU32,
    /// At most this many calls wait for a change or watch one subject's tickets.
    pub watchers: usize,
    /// A player's ticket leaves once none has asked for it or watched it for this many milliseconds; `None` if that does not matter.
    pub heartbeat_within: Option<u32>,
}

impl Default for HttpSettings {
    /// No keys, 25 KiB, a minute, one ticket a second and five at once, three watchers, no heartbeat.
    fn default() -> Self {
        Self {
            keys: None,
            body: 25 << 10,
            longest_wait: Duration::from_secs(60),
            create_every: Duration::from_secs(1),
            create_burst: NonZeroU32::MIN.saturating_add(4),
            watchers: 3,
            heartbeat_within: None,
        }
    }
}

/// Looks at the whole state that run at a time.
const LOOKS: usize = 2;
/// Subjects whose calls are counted before those that came long ago are forgotten.
const SUBJECTS: usize = 10_000;

pub(crate) struct App {
    pub(crate) service: Service,
    pub(crate) settings: HttpSettings,
    pub(crate) counts: Counts,
    creates: DefaultKeyedRateLimiter<String>,
    watchers: Watchers,
    looks: Semaphore,
}

impl App {
    pub(crate) fn new(service: Service, settings: HttpSettings) -> Self {
        let quota = Quota::with_period(settings.create_every).unwrap_or(Quota::per_second(NonZeroU32::MIN));
        Self {
            creates: RateLimiter::keyed(quota.allow_burst(settings.create_burst)),
            watchers: Watchers::default(),
            counts: Counts::default(),
            looks: Semaphore::new(LOOKS),
            service,
            settings,
        }
    }

    /// Refuses a player who creates tickets faster than people do.
    pub(crate) fn check_rate(&self, caller: &Caller) -> Result<(), Failure> {
        let Some(player) = caller.player() else {
            return Ok(());
        };
        if self.creates.len() > SUBJECTS {
            self.creates.retain_recent();
        }
        self.creates
            .check_key(&player.to_owned())
            .map_err(|_| Failure::TooMany(self.settings.create_every))
    }

    /// A place among the watchers of a subject, until it is dropped; backends have as many as they like.
    pub(crate) fn watch(&self, caller: &Caller) -> Result<Option<Watching>, Failure> {
        let Some(player) = caller.player() else {
            return Ok(None);
        };
        let watching = self.watchers.enter(player, self.settings.watchers);
        watching.map(Some).ok_or(Failure::TooMany(Duration::from_secs(1)))
    }

    /// What is seen in the whole state, on a thread that may take its time.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Service) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Failure> {
        let gone = || Failure::Problem(Problem::Stopped("it was closed".to_owned()));
        let _place = self.looks.acquire().await.map_err(|_| gone())?;
        let service = self.service.clone();
        let looked = spawn_blocking(move || look(&service)).await;
        looked.map_err(|_| gone())?.map_err(Failure::Problem)
    }
}

/// How many calls each subject has that wait for changes.
#[derive(Clone, Default)]
struct Watchers(Arc<Mutex<HashMap<String, usize>>>);

/// One of them.
pub(crate) struct Watching {
    of: Watchers,
    subject: String,
}

impl Watchers {
    fn count(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, subject: &str, most: usize) -> Option<Watching> {
        let mut counts = self.count();
        let count = counts.entry(subject.to_owned()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Watching {
            of: self.clone(),
            subject: subject.to_owned(),
        })
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut counts = self.of.count();
        if let Some(count) = counts.get_mut(&self.subject) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.subject);
            }
        }
    }
}
