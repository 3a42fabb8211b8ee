//! A call and its retries.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;
use ureq::http::{Method, Request, Response, header};
use ureq::{AsSendBody, Body, Error};

use crate::{Client, ClientError};

/// The longest answer, in bytes: 1,000 matches of 64 players with names of 128 bytes are 10 MiB.
const LONGEST: u64 = 64 << 20;
/// A stream of events, which says something every 15 seconds, is gone after this long without a word.
const QUIET: Duration = Duration::from_secs(45);

/// How often a call is made again, and when.
///
/// Again after a lost connection, no answer in time, 429 and 502 to 504; the service does nothing twice. It waits between half and all
/// of `first_wait`, twice that, four times that and so on up to `longest_wait`, and never less than the answer's `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// At most this many times after the first; 0 for never.
    pub times: u32,
    /// Before the first retry.
    pub first_wait: Duration,
    /// Before any retry. A service that asks for a longer time is not asked again.
    pub longest_wait: Duration,
}

impl Default for Retries {
    /// Six within some six seconds, which is longer than a restart of the service takes.
    fn default() -> Self {
        Self {
            times: 6,
            first_wait: Duration::from_millis(100),
            longest_wait: Duration::from_secs(10),
        }
    }
}

impl Retries {
    /// Before the retry of this number, from 0 on.
    pub(crate) fn wait(&self, number: u32) -> Duration {
        let factor = 1_u32.checked_shl(number).unwrap_or(u32::MAX);
        spread(self.first_wait.saturating_mul(factor).min(self.longest_wait))
    }
}

/// Between half of a time and all of it: clients that were cut off at once do not come back at once.
fn spread(time: Duration) -> Duration {
    let half = time / 2;
    let nanos = u64::try_from(half.as_nanos()).unwrap_or(u64::MAX);
    half + Duration::from_nanos(random() % nanos.max(1))
}

/// Each `RandomState` has keys of its own, from the system's randomness; a process that was forked has another number.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one((std::process::id(), SystemTime::now()))
}

/// What is called. Its body stays the same in all tries.
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: Option<Vec<u8>>,
    /// How long the service itself waits before it answers; `None` for a stream of events.
    pub(crate) wait: Option<Duration>,
    /// The step from which a stream goes on.
    pub(crate) last_seen: Option<u64>,
}

impl Call {
    pub(crate) const fn new(method: Method, path: String, body: Option<Vec<u8>>) -> Self {
        Self {
            method,
            path,
            body,
            wait: Some(Duration::ZERO),
            last_seen: None,
        }
    }

    pub(crate) const fn get(path: String) -> Self {
        Self::new(Method::GET, path, None)
    }
}

/// Why a try came to nothing, and whether another makes sense.
pub(crate) struct Failed(ClientError, Again);

enum Again {
    Never,
    /// The service may have followed it.
    Lost,
    /// It has not, and says when to come again.
    After(Duration),
}

impl Failed {
    fn lost(why: &dyn std::fmt::Display) -> Self {
        let error = ClientError::Connection {
            why: why.to_string(),
            tries: 1,
            request_id: None,
        };
        Self(error, Again::Lost)
    }

    fn unreadable(why: String) -> Self {
        Self(ClientError::Unreadable(why), Again::Never)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        match error {
            Error::Http(_) | Error::BadUri(_) | Error::TlsRequired => {
                Self(ClientError::Unsendable(error.to_string()), Again::Never)
            }
            Error::BodyExceedsLimit(most) => {
                Self::unreadable(format!("the answer is longer than {most} bytes"))
            }
            _ => Self::lost(&error),
        }
    }
}

/// The whole body.
pub(crate) fn bytes(mut response: Response<Body>) -> Result<Vec<u8>, Failed> {
    let body = response.body_mut().with_config().limit(LONGEST);
    Ok(body.read_to_vec()?)
}

pub(crate) fn json<T: DeserializeOwned>(response: Response<Body>) -> Result<T, Failed> {
    let bytes = bytes(response)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        if error.is_eof() {
            Failed::lost(&"the answer was cut off")
        } else {
            Failed::unreadable(format!("the answer is not what was asked for: {error}"))
        }
    })
}

pub(crate) fn stream(response: Response<Body>) -> Result<impl io::Read + Send + 'static, Failed> {
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
        return Err(Failed::unreadable("the answer is no stream of events".to_owned()));
    }
    Ok(response.into_body().into_reader())
}

impl Client {
    /// Makes a call, and again as long as that makes sense.
    pub(crate) fn send<T>(
        &self,
        call: &Call,
        read: impl Fn(Response<Body>) -> Result<T, Failed>,
    ) -> Result<T, ClientError> {
        let Retries {
            times, longest_wait, ..
        } = self.retries;
        let mut number = 0;
        loop {
            let Failed(mut error, again) = match self.attempt(call).and_then(&read) {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let asked = match again {
                Again::After(asked) if asked <= longest_wait => Some(asked),
                Again::Lost => Some(Duration::ZERO),
                _ => None,
            };
            let Some(asked) = asked.filter(|_| number < times) else {
                if let ClientError::Connection { tries, .. } = &mut error {
                    *tries = number + 1;
                }
                return Err(error);
            };
            let wait = self.retries.wait(number);
            sleep(if asked > wait {
                asked + self.retries.wait(0)
            } else {
                wait
            });
            number += 1;
        }
    }

    /// One try: an answer of 2xx.
    fn attempt(&self, call: &Call) -> Result<Response<Body>, Failed> {
        let mut request = Request::builder()
            .method(call.method.clone())
            .uri(format!("{}{}", self.base, call.path));
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(step) = call.last_seen {
            request = request.header("last-event-id", step);
        }
        let response = match &call.body {
            Some(body) => self.run(request.body(&body[..]).map_err(Error::from)?, call.wait)?,
            None => self.run(request.body(()).map_err(Error::from)?, call.wait)?,
        };
        let status = response.status().as_u16();
        if response.status().is_success() {
            return Ok(response);
        }
        let asked = response.headers().get(header::RETRY_AFTER);
        let asked = asked.and_then(|asked| asked.to_str().ok()?.parse().ok());
        let again = match status {
            429 | 503 => Again::After(Duration::from_secs(asked.unwrap_or_default())),
            // A proxy's words for a connection that it lost.
            502 | 504 => Again::Lost,
            _ => Again::Never,
        };
        let mut body = Vec::new();
        // Of a body that is cut off what came is told.
        let _ = response
            .into_body()
            .into_reader()
            .take(1 << 20)
            .read_to_end(&mut body);
        Err(Failed(ClientError::of_refusal(status, &body), again))
    }

    fn run<S: AsSendBody>(
        &self,
        request: Request<S>,
        wait: Option<Duration>,
    ) -> Result<Response<Body>, Error> {
        let config = self.agent.configure_request(request);
        let request = match wait {
            Some(wait) => config
                .timeout_global(Some(self.timeout.saturating_add(wait)))
                .build(),
            None => config
                .timeout_recv_response(Some(self.timeout))
                .timeout_per_read(Some(QUIET))
                .build(),
        };
        self.agent.run(request)
    }
}
