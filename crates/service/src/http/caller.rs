//! Who calls, and what was sent.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;

use super::app::App;
use super::failure::Failure;
use super::keys::Unauthenticated;
pub use super::keys::{Caller, Role};

/// Now, in Unix seconds.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

impl Caller {
    /// Anyone who reaches a service without keys.
    fn local() -> Self {
        Self {
            role: Role::Operator,
            subject: "local".to_owned(),
            matches: None,
            expires: i64::MAX,
            token_id: None,
        }
    }

    /// The player who calls; `None` for roles that act for any player.
    pub(crate) fn player(&self) -> Option<&str> {
        (self.role == Role::Player).then_some(self.subject.as_str())
    }

    /// When what it watches ends: with its token.
    pub(crate) fn ends(&self) -> tokio::time::Instant {
        let left = self.expires.saturating_sub(now()).clamp(0, 365 * 86_400);
        tokio::time::Instant::now() + std::time::Duration::from_secs(left.unsigned_abs())
    }

    /// The player meant by `me` or by a name: a player is itself alone.
    pub(crate) fn acts_for(&self, name: Option<&str>) -> Result<String, Failure> {
        let name = name.filter(|name| *name != "me");
        match (self.role, name) {
            (Role::Player, None) => Ok(self.subject.clone()),
            (Role::Player, Some(name)) if name == self.subject => Ok(self.subject.clone()),
            (Role::Player, Some(_)) => Err(Failure::Forbidden("a player acts for itself alone")),
            (Role::Backend | Role::Operator, Some(name)) => Ok(name.to_owned()),
            (Role::Backend | Role::Operator, None) => Err(Failure::Body(
                "whom is this for? give the player's name".to_owned(),
            )),
            (Role::Server, _) => self.check_tickets().map(|()| String::new()),
        }
    }

    /// Tickets are no business of servers.
    pub(crate) fn check_tickets(&self) -> Result<(), Failure> {
        match self.role {
            Role::Server => Err(Failure::Forbidden("a server does not act for players")),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_backend(&self) -> Result<(), Failure> {
        match self.role {
            Role::Backend | Role::Operator => Ok(()),
            Role::Player | Role::Server => Err(Failure::Forbidden("this is for backends and operators")),
        }
    }

    pub(crate) fn check_operator(&self) -> Result<(), Failure> {
        match self.role {
            Role::Operator => Ok(()),
            _ => Err(Failure::Forbidden("this is for operators")),
        }
    }

    /// Whether it may speak of a match: a server of those that its token names.
    pub(crate) fn check_match(&self, id: &str) -> Result<(), Failure> {
        let is_named = |matches: &Vec<String>| matches.iter().any(|named| named == id);
        match self.role {
            Role::Backend | Role::Operator => Ok(()),
            Role::Server if self.matches.as_ref().is_some_and(is_named) => Ok(()),
            Role::Server => Err(Failure::Forbidden("the token's `match` does not name this match")),
            Role::Player => Err(Failure::Forbidden("this is for the match's server")),
        }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let Some(keys) = &app.settings.keys else {
            return Ok(Self::local());
        };
        let authorization = parts.headers.get(header::AUTHORIZATION);
        let authorization = authorization.and_then(|value| value.to_str().ok());
        let authorization = authorization.ok_or(Failure::Unauthenticated(Unauthenticated::NotBearer))?;
        keys.check(authorization, now()).map_err(Failure::Unauthenticated)
    }
}

/// A body of JSON, whatever it says of its kind: `curl -d` says that it is a form.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let bytes = bytes(request, app.settings.body).await?;
        // An empty body says nothing of anything.
        let bytes = if bytes.is_empty() { &b"{}"[..] } else { &bytes[..] };
        // A list would be taken for the values of an object in their order.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(Failure::Body("the body is not an object of JSON".to_owned()));
        }
        serde_json::from_slice(bytes)
            .map(Self)
            .map_err(|error| Failure::Body(format!("the body is not what was asked for: {error}")))
    }
}

/// A body of text.
pub(crate) struct Text(pub(crate) String);

impl FromRequest<Arc<App>> for Text {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let bytes = bytes(request, 4 * app.settings.body).await?;
        String::from_utf8(bytes.into())
            .map(Self)
            .map_err(|error| Failure::Body(format!("the body is not UTF-8: {error}")))
    }
}

async fn bytes(request: Request, most: usize) -> Result<Bytes, Failure> {
    let read = axum::body::to_bytes(request.into_body(), most).await;
    read.map_err(|error| {
        let is_long =
            std::error::Error::source(&error).is_some_and(<dyn std::error::Error>::is::<LengthLimitError>);
        if is_long {
            Failure::TooLarge
        } else {
            Failure::Body(format!("the body did not come whole: {error}"))
        }
    })
}

/// What stands behind `?`.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Failure> {
        let asked = axum::extract::Query::try_from_uri(&parts.uri);
        asked
            .map(|axum::extract::Query(asked)| Self(asked))
            .map_err(|refused| Failure::Body(refused.body_text()))
    }
}
