//! [`ClientError`]: why a call was not followed.

use serde_json::{Map, Value};

/// Why a call was not followed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The service refused it, and said why (RFC 9457).
    #[error("{detail} ({kind}, status {status}){}", advice(*.status))]
    Problem {
        /// The name of the refusal, such as `player-waits`, which does not change.
        kind: String,
        /// The status of HTTP.
        status: u16,
        /// What was wrong, and how to mend it.
        detail: String,
        /// Who or what is in the way, by name: `ticket`, `match`, `player`, `until`, `places`.
        members: Map<String, Value>,
    },
    /// No answer came: whether the call was followed is not known, and it can be made again.
    #[error(
        "no answer in {tries} tries: {why}; see that the service runs at this address, and make the call again{}",
        again(.request_id.as_deref())
    )]
    Connection {
        /// What happened to the last try.
        why: String,
        /// How often it was tried.
        tries: u32,
        /// Of a new ticket: [`Client::create_as`](crate::Client::create_as) with it gets the same ticket, if it was made.
        request_id: Option<String>,
    },
    /// It cannot be sent, whatever the service says.
    #[error("the call cannot be sent: {0}; mend the service's address or the token")]
    Unsendable(String),
    /// The answer is none of this service.
    #[error("{0}; see that the address is that of a matchwright service, no newer than this client can read")]
    Unreadable(String),
}

impl ClientError {
    /// The name of a refusal, such as `player-waits`.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        match self {
            Self::Problem { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// Who or what is in the way, such as the `ticket` of `player-waits`.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Problem { members, .. } => members.get(name),
            _ => None,
        }
    }

    /// What a refusal's body says.
    pub(crate) fn of_refusal(status: u16, body: &[u8]) -> Self {
        let Ok(Value::Object(mut members)) = serde_json::from_slice(body) else {
            let begin: String = String::from_utf8_lossy(body).chars().take(200).collect();
            return Self::Unreadable(format!(
                "the answer has status {status} and is no problem document: `{begin}`"
            ));
        };
        let mut text = |name: &str| match members.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (kind, title, detail) = (text("type"), text("title"), text("detail"));
        members.remove("status");
        Self::Problem {
            kind: kind.unwrap_or_else(|| "about:blank".to_owned()),
            status,
            detail: detail.or(title).unwrap_or_default(),
            members,
        }
    }
}

const fn advice(status: u16) -> &'static str {
    match status {
        401 => ": give a token that the service believes by `with_token`",
        403 => ": use a token of the role that may do this",
        429 | 503 => ": it was asked again as often as `with_retries` says; try later",
        _ => "",
    }
}

fn again(request_id: Option<&str>) -> String {
    request_id.map_or_else(String::new, |id| format!(", by `create_as` with `{id}`"))
}
