//! [`Failure`]: why a call was not followed, as a problem document (RFC 9457).

use std::collections::BTreeMap;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use utoipa::openapi::{ContentBuilder, RefOr, ResponseBuilder, schema::Ref};
use utoipa::{IntoResponses, ToSchema};

use super::keys::Unauthenticated;
use crate::Problem;

/// Why a call was not followed.
#[derive(Debug)]
pub(crate) enum Failure {
    Problem(Problem),
    /// A body that is not what was asked for.
    Body(String),
    TooLarge,
    Unauthenticated(Unauthenticated),
    Forbidden(&'static str),
    /// Come again after a while.
    TooMany(Duration),
    NoSuchCall,
    NoSuchMethod,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

/// What is told of a refusal; some have further members that name who or what is in the way.
#[derive(ToSchema)]
#[allow(dead_code, reason = "of the document alone")]
pub(crate) struct ProblemDocument {
    /// The name of the refusal.
    #[schema(example = "player-waits")]
    r#type: String,
    /// The status in words.
    title: String,
    /// The status.
    status: u16,
    /// What was wrong, and how to mend it.
    detail: String,
}

/// The refusals that any call may get.
pub(crate) struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::response::Response>> {
        let of = |(status, what): (&str, &str)| {
            let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("ProblemDocument")));
            let response = ResponseBuilder::new()
                .description(what)
                .content("application/problem+json", content.build());
            (status.to_owned(), RefOr::T(response.build()))
        };
        [
            ("400", "What was sent makes no sense"),
            ("401", "No token, or one that is not believed"),
            ("403", "Not for this role"),
            ("404", "There is none, or it is another's"),
            ("409", "It contradicts what is: `player-waits`, `player-plays`, `is-matched`, `request-id-reused`, `result-differs`"),
            ("410", "It is too old to be changed"),
            ("413", "It is too long"),
            ("422", "The policy refuses it"),
            ("423", "The player may not queue until a time"),
            ("429", "Too many requests: come again after `retry-after`"),
            ("503", "The service has stopped, or has no room for new tickets"),
        ]
        .map(of)
        .into()
    }
}

/// The one table of refusals and statuses.
const fn status(problem: &Problem) -> StatusCode {
    match problem {
        Problem::Invalid(_) => StatusCode::BAD_REQUEST,
        Problem::RequestIdReused { .. }
        | Problem::PlayerWaits { .. }
        | Problem::PlayerPlays { .. }
        | Problem::IsMatched { .. }
        | Problem::ResultDiffers { .. }
        | Problem::ResultRefused { .. } => StatusCode::CONFLICT,
        Problem::Cooldown { .. } => StatusCode::LOCKED,
        Problem::Unknown { .. } => StatusCode::NOT_FOUND,
        Problem::Forgotten { .. } => StatusCode::GONE,
        Problem::Refused(..) => StatusCode::UNPROCESSABLE_ENTITY,
        Problem::Busy => StatusCode::TOO_MANY_REQUESTS,
        Problem::StorageFull | Problem::Stopped(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// What a problem names, as members of its document.
fn members(problem: &Problem) -> Value {
    match problem {
        Problem::RequestIdReused { ticket, .. } => json!({ "ticket": ticket }),
        Problem::PlayerWaits { player, ticket } => json!({ "player": player, "ticket": ticket }),
        Problem::PlayerPlays { player, match_id } => json!({ "player": player, "match": match_id }),
        Problem::Cooldown { player, until } => json!({ "player": player, "until": until }),
        Problem::IsMatched { ticket, match_id } => json!({ "ticket": ticket, "match": match_id }),
        Problem::ResultDiffers { match_id, places } => json!({ "match": match_id, "places": places }),
        Problem::ResultRefused { match_id, .. } | Problem::Forgotten { match_id } => {
            json!({ "match": match_id })
        }
        _ => Value::Null,
    }
}

impl Failure {
    /// Its status, its name and what is wrong.
    fn parts(&self) -> (StatusCode, &'static str, String) {
        match self {
            Self::Problem(problem) => (status(problem), problem.code(), problem.to_string()),
            Self::Body(fault) => (StatusCode::BAD_REQUEST, "invalid", fault.clone()),
            Self::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                "the body is too long".to_owned(),
            ),
            Self::Unauthenticated(why) => (StatusCode::UNAUTHORIZED, "unauthenticated", why.to_string()),
            Self::Forbidden(why) => (StatusCode::FORBIDDEN, "forbidden", (*why).to_owned()),
            Self::TooMany(_) => (
                StatusCode::TOO_MANY_REQUESTS,
                "too-many-requests",
                "too many requests of this subject: come again in a moment".to_owned(),
            ),
            Self::NoSuchCall => (
                StatusCode::NOT_FOUND,
                "no-such-call",
                "there is no such call: /openapi.json has them all".to_owned(),
            ),
            Self::NoSuchMethod => (
                StatusCode::METHOD_NOT_ALLOWED,
                "no-such-method",
                "this cannot be done with it: /openapi.json has all calls".to_owned(),
            ),
        }
    }
}

/// The name of a refusal, for those who count them.
#[derive(Clone, Copy)]
pub(crate) struct Code(pub(crate) &'static str);

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code, detail) = self.parts();
        let mut document = Map::new();
        document.insert("type".to_owned(), code.into());
        document.insert(
            "title".to_owned(),
            status.canonical_reason().unwrap_or_default().into(),
        );
        document.insert("status".to_owned(), status.as_u16().into());
        document.insert("detail".to_owned(), detail.into());
        if let Self::Problem(problem) = &self
            && let Value::Object(named) = members(problem)
        {
            document.extend(named);
        }
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let mut response = (status, kind, Value::Object(document).to_string()).into_response();
        let wait = match &self {
            Self::TooMany(wait) => Some(wait.as_secs().max(1)),
            _ if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE => {
                Some(1)
            }
            _ => None,
        };
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, wait.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, bearer);
        }
        response.extensions_mut().insert(Code(code));
        response
    }
}
