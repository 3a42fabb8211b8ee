//! [`KeyRing`]: keys that are read again, so that an issuer can change its own and revoke tokens while the service runs.

use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::keys::{Caller, Keys, Unauthenticated};

/// How soon a token of an unknown key has the keys read again once more: who sends nonsense must not keep the disk busy.
const AGAIN: Duration = Duration::from_secs(60);

type Read = Box<dyn Fn() -> Result<Keys, String> + Send + Sync>;

/// The keys in force, and how they are read.
pub struct KeyRing {
    keys: RwLock<Keys>,
    read: Read,
    /// When an unknown key had them read last.
    asked: Mutex<Option<Instant>>,
}

impl KeyRing {
    /// Reads keys for the first time.
    ///
    /// # Errors
    /// What `read` says.
    pub fn new<E>(read: impl Fn() -> Result<Keys, E> + Send + Sync + 'static) -> Result<Self, E>
    where
        E: std::fmt::Display,
    {
        Ok(Self {
            keys: RwLock::new(read()?),
            read: Box::new(move || read().map_err(|error| error.to_string())),
            asked: Mutex::new(None),
        })
    }

    /// Reads them again; those that cannot be read change nothing.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn reload(&self) -> Result<(), String> {
        let keys = (self.read)()?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(())
    }

    /// Who calls ([`Keys::check`]); a token of an unknown key has the keys read again, once a minute at most.
    pub(crate) fn check(&self, authorization: &str, now: i64) -> Result<Caller, Unauthenticated> {
        let check = || {
            let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
            keys.check(authorization, now)
        };
        match check() {
            Err(Unauthenticated::UnknownKey { .. }) if self.may_ask() && self.reload().is_ok() => check(),
            checked => checked,
        }
    }

    fn may_ask(&self) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = asked.is_none_or(|at| at.elapsed() >= AGAIN);
        if is_due {
            *asked = Some(Instant::now());
        }
        is_due
    }
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyRing").finish_non_exhaustive()
    }
}
