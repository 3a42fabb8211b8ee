//! A blocking client of the matchmaking service.
//!
//! | call | |
//! |---|---|
//! | [`Client::create`] | players come to wait; sent again as often as need be, it makes one ticket |
//! | [`Client::wait`], [`Client::watch`] | what becomes of a ticket, by long polls or by a stream that goes on where it was cut off |
//! | [`Client::events`] | all that changes, for a backend |
//! | [`Client::assign`], [`Client::started`], [`Client::report`] | what a backend and a match's server say of a match |
//!
//! What was answered is on the service's disk. Where an answer was lost the client asks again ([`Retries`]), which does nothing twice.

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod error;
mod send;
mod sse;
mod stream;
mod types;

use std::fmt;
use std::fmt::Write as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use ureq::Agent;
use ureq::http::Method;

pub use error::ClientError;
pub use send::Retries;
pub use stream::{Events, Watch};
pub use types::{
    Change, Event, Left, List, Match, MatchResult, NewBackfill, NewPlayer, NewTicket, Phase, Player, Policy,
    Queue, QueueStatus, Rated, Ticket, TicketState,
};

use send::{Call, bytes, json, random};

/// Names are looked up, and connections made, in this time.
const CONNECT: Duration = Duration::from_secs(5);
/// The longest of the service's own waits for a change: some proxies cut off what is silent for 30 seconds.
const LONGEST_POLL: Duration = Duration::from_secs(25);

/// A client of one service, under one token; clones share its connections.
///
/// Methods that take a player take `me` for the player whose token it is.
///
/// # Errors
/// All calls fail with [`ClientError`]: refused by the service, or without an answer after all [`Retries`].
#[derive(Clone)]
pub struct Client {
    agent: Agent,
    base: String,
    token: Option<String>,
    retries: Retries,
    timeout: Duration,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_token = self.token.is_some();
        let mut shown = f.debug_struct("Client");
        shown.field("base", &self.base).field("has_token", &has_token);
        shown.field("retries", &self.retries).finish_non_exhaustive()
    }
}

/// A name as a part of a path or a query.
fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Dropped: a string takes all.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn path(kind: &str, id: &str, what: &str) -> String {
    format!("/v1/{kind}/{}{what}", encoded(id))
}

fn listing(kind: &str, list: &List) -> String {
    let limit = list.limit.map(|limit| limit.to_string());
    let asked = [("state", &list.state), ("after", &list.after), ("limit", &limit)];
    let given = asked
        .iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", encoded(value.as_ref()?))));
    format!("/v1/{kind}?{}", given.collect::<Vec<_>>().join("&"))
}

#[allow(
    clippy::missing_errors_doc,
    reason = "all fail with `ClientError`, which the type says"
)]
impl Client {
    /// A client of the service at this address, such as `http://127.0.0.1:7711`; `https://` needs the feature `tls`.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // The service sends nobody elsewhere, and a POST would become a GET.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("matchwright-client/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT));
        Self {
            agent: config.build().new_agent(),
            base: address.trim_end_matches('/').to_owned(),
            token: None,
            retries: Retries::default(),
            timeout: Duration::from_secs(15),
        }
    }

    /// With a token, as a service with keys wants it.
    #[must_use]
    pub fn with_token(self, token: impl Into<String>) -> Self {
        let token = Some(token.into());
        Self { token, ..self }
    }

    /// With other retries.
    #[must_use]
    pub fn with_retries(self, retries: Retries) -> Self {
        Self { retries, ..self }
    }

    /// With another time for one try, from the connection to the whole answer: 15 seconds unless something else is said.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    fn get<T: DeserializeOwned>(&self, path: String) -> Result<T, ClientError> {
        self.send(&Call::get(path), json)
    }

    fn tell<T: DeserializeOwned>(&self, path: String, body: &impl Serialize) -> Result<T, ClientError> {
        let body = serde_json::to_vec(body);
        let body = body.map_err(|error| ClientError::Unsendable(error.to_string()))?;
        self.send(&Call::new(Method::POST, path, Some(body)), json)
    }

    /// Players come to wait. The request has a random name that all tries share, so that it makes one ticket at most; after
    /// [`ClientError::Connection`] [`create_as`](Self::create_as) can go on with it.
    pub fn create(&self, new: &NewTicket) -> Result<Ticket, ClientError> {
        self.create_as(&format!("{:016x}{:016x}", random(), random()), new)
    }

    /// The same under a name of the caller's, such as that of a lobby: asked again, even after a restart of either side, it gets the same
    /// ticket, until an hour after that ended, or until very many others have.
    pub fn create_as(&self, request_id: &str, new: &NewTicket) -> Result<Ticket, ClientError> {
        #[derive(Serialize)]
        struct Named<'a> {
            request_id: &'a str,
            #[serde(flatten)]
            new: &'a NewTicket,
        }

        let mut told = self.tell("/v1/tickets".to_owned(), &Named { request_id, new });
        if let Err(ClientError::Connection { request_id: name, .. }) = &mut told {
            *name = Some(request_id.to_owned());
        }
        told
    }

    /// A ticket, as it stands.
    pub fn ticket(&self, ticket: &str) -> Result<Ticket, ClientError> {
        self.get(path("tickets", ticket, ""))
    }

    /// A ticket once it has changed, or as it stands after this long (in whole seconds).
    pub fn wait(&self, ticket: &Ticket, at_most: Duration) -> Result<Ticket, ClientError> {
        let until = Instant::now().checked_add(at_most);
        loop {
            let began = Instant::now();
            let left = until.map_or(LONGEST_POLL, |until| until.saturating_duration_since(began));
            let poll = left.min(LONGEST_POLL).as_secs_f64().ceil();
            let what = format!("?wait={poll}&version={}", ticket.version);
            let call = Call {
                wait: Some(LONGEST_POLL),
                ..Call::get(path("tickets", &ticket.id, &what))
            };
            let found: Ticket = self.send(&call, json)?;
            if found.version != ticket.version || until.is_some_and(|until| Instant::now() >= until) {
                return Ok(found);
            }
            // A service that lets nobody wait is not asked without a pause.
            sleep(self.retries.first_wait.saturating_sub(began.elapsed()));
        }
    }

    /// The states of a ticket from the present one on, each newer than the one before, until it is over. A stream that is cut off goes on
    /// after the state that was seen last; what was passed over in between is not told. Ends after its first error.
    #[must_use]
    pub fn watch(&self, ticket: &str) -> Watch {
        Watch::new(self.clone(), path("tickets", ticket, "/events"))
    }

    /// A ticket gives up.
    pub fn cancel(&self, ticket: &str) -> Result<Ticket, ClientError> {
        self.send(
            &Call::new(Method::DELETE, path("tickets", ticket, ""), None),
            json,
        )
    }

    /// A player gives up all that it waits in.
    pub fn cancel_all(&self, player: &str) -> Result<Ticket, ClientError> {
        let path = path("players", player, "/ticket");
        self.send(&Call::new(Method::DELETE, path, None), json)
    }

    /// The ticket that a player is in, as after a crash of its client.
    pub fn ticket_of(&self, player: &str) -> Result<Ticket, ClientError> {
        self.get(path("players", player, "/ticket"))
    }

    /// What a player is in, and how good it is.
    pub fn player(&self, player: &str) -> Result<Player, ClientError> {
        self.get(path("players", player, ""))
    }

    /// A ticket that waits has these players from now on, with what is known of them; it has waited as long as before.
    pub fn edit(&self, ticket: &str, players: &[NewPlayer]) -> Result<Ticket, ClientError> {
        let body = serde_json::to_vec(&json!({ "players": players }));
        let body = body.map_err(|error| ClientError::Unsendable(error.to_string()))?;
        self.send(
            &Call::new(Method::PATCH, path("tickets", ticket, ""), Some(body)),
            json,
        )
    }

    /// A player joins a ticket that waits for it.
    pub fn join(&self, ticket: &str, player: impl Into<NewPlayer>) -> Result<Ticket, ClientError> {
        let NewPlayer { id, attributes } = player.into();
        let who = json!({ "player": id, "attributes": attributes });
        self.tell(path("tickets", ticket, "/join"), &who)
    }

    /// A player accepts a proposal.
    pub fn accept(&self, proposal: &str, player: &str) -> Result<Ticket, ClientError> {
        self.tell(
            path("proposals", proposal, "/accept"),
            &json!({ "player": player }),
        )
    }

    /// A player declines a proposal.
    pub fn decline(&self, proposal: &str, player: &str) -> Result<Ticket, ClientError> {
        self.tell(
            path("proposals", proposal, "/decline"),
            &json!({ "player": player }),
        )
    }

    /// A match.
    pub fn match_by_id(&self, match_id: &str) -> Result<Match, ClientError> {
        self.get(path("matches", match_id, ""))
    }

    /// A match has a place where it is played, which its players are told.
    pub fn assign(&self, match_id: &str, connection: &str) -> Result<Match, ClientError> {
        self.tell(
            path("matches", match_id, "/assign"),
            &json!({ "connection": connection }),
        )
    }

    /// A match has started, and can no longer fail.
    pub fn started(&self, match_id: &str) -> Result<Match, ClientError> {
        self.tell(path("matches", match_id, "/started"), &json!({}))
    }

    /// A match did not start: its tickets wait again.
    pub fn failed(&self, match_id: &str) -> Result<Match, ClientError> {
        self.tell(path("matches", match_id, "/failed"), &json!({}))
    }

    /// A player leaves a match before it starts: it may not queue for a while, and the others wait again.
    pub fn leave(&self, match_id: &str, player: &str) -> Result<Match, ClientError> {
        self.tell(path("matches", match_id, "/leave"), &json!({ "player": player }))
    }

    /// Players have left a match while it is played: others are looked for, who come into it. Asked again it changes nothing.
    pub fn backfill(&self, match_id: &str, asked: &NewBackfill) -> Result<Match, ClientError> {
        self.tell(path("matches", match_id, "/backfill"), asked)
    }

    /// No others are looked for any more.
    pub fn end_backfill(&self, match_id: &str) -> Result<Match, ClientError> {
        self.send(
            &Call::new(Method::DELETE, path("matches", match_id, "/backfill"), None),
            json,
        )
    }

    /// A match ended so. The same again changes nothing, another result is refused.
    pub fn report(&self, match_id: &str, result: &MatchResult) -> Result<Match, ClientError> {
        self.tell(path("matches", match_id, "/result"), result)
    }

    /// A result does not count any more.
    pub fn retract(&self, match_id: &str) -> Result<Match, ClientError> {
        self.tell(path("matches", match_id, "/retract"), &json!({}))
    }

    /// The queues, and who waits in them.
    pub fn queues(&self) -> Result<Vec<Queue>, ClientError> {
        self.get("/v1/queues".to_owned())
    }

    /// Tickets that are known.
    pub fn tickets(&self, list: &List) -> Result<Vec<Ticket>, ClientError> {
        self.get(listing("tickets", list))
    }

    /// Matches that are known.
    pub fn matches(&self, list: &List) -> Result<Vec<Match>, ClientError> {
        self.get(listing("matches", list))
    }

    /// The document of the policy in force, in TOML.
    pub fn policy(&self) -> Result<String, ClientError> {
        let text = self.send(&Call::get("/v1/policy".to_owned()), bytes)?;
        String::from_utf8(text).map_err(|error| ClientError::Unreadable(error.to_string()))
    }

    /// Another policy decides from now on.
    pub fn set_policy(&self, document: &str) -> Result<Policy, ClientError> {
        let body = Some(document.into());
        self.send(&Call::new(Method::PUT, "/v1/policy".to_owned(), body), json)
    }

    /// Whether a document makes a policy, without any effect.
    pub fn check_policy(&self, document: &str) -> Result<Policy, ClientError> {
        let body = Some(document.into());
        self.send(
            &Call::new(Method::POST, "/v1/policy/check".to_owned(), body),
            json,
        )
    }

    /// All changes of tickets and matches after a step, or from now on, for a backend. Each step comes whole and once: a stream that is cut
    /// off goes on after the last step that came whole, with all that has changed since, as it is then. Ends after its first error;
    /// [`Events::seen`] says from where to go on.
    #[must_use]
    pub fn events(&self, after: Option<u64>) -> Events {
        let after = after.map_or_else(String::new, |after| format!("?after={after}"));
        Events::new(self.clone(), format!("/v1/events{after}"))
    }
}
