//! Calls about tickets and proposals.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use matchwright_queue::Value;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use utoipa::{IntoParams, ToSchema};

use super::app::App;
use super::caller::{Asked, Body, Caller, Role};
use super::failure::{Failure, Refusals};
use crate::{NewPlayer, NewTicket, RequestKey, TicketState, TicketView};

/// A new ticket.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateTicket {
    /// The caller's own name of this request: sent again, it gets the same ticket, for as long as that lives and an hour after, or until 50,000 matches more have ended.
    #[serde(default)]
    request_id: Option<String>,
    /// Its players. Of a player: itself alone, which is what is meant where they are left out.
    #[serde(default)]
    players: Vec<NewPlayer>,
    /// Players who are to join by a call of their own within a minute: until then the ticket is `gathering`.
    #[serde(default)]
    joining: Vec<String>,
    /// The queues that it waits in; none where the policy has one.
    #[serde(default)]
    queues: Vec<String>,
    /// Regions that it accepts, with the ping in milliseconds.
    #[serde(default, deserialize_with = "crate::request::named_once")]
    regions: BTreeMap<String, f64>,
    /// What is known of all its players.
    #[serde(default, deserialize_with = "crate::request::named_once")]
    #[schema(value_type = BTreeMap<String, Object>)]
    attributes: BTreeMap<String, Value>,
    /// It leaves after this many milliseconds.
    #[serde(default)]
    expires_in: Option<i64>,
    /// It leaves as `abandoned` once none of its players has asked for it or watched it for this many milliseconds while it waits.
    /// Where a player leaves it out, the service's own setting holds.
    #[serde(default)]
    heartbeat_within: Option<u32>,
}

/// A ticket that was created.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedTicket {
    #[serde(flatten)]
    ticket: TicketView,
    /// Whether the request can be sent again without a second ticket: it has a `request_id`.
    is_retry_safe: bool,
}

/// Players come to wait.
#[utoipa::path(post, path = "/v1/tickets", tag = "tickets", request_body = CreateTicket, responses(
    (status = 201, description = "It waits; or has got a match at once", body = CreatedTicket),
    (status = 200, description = "The same request got this ticket before", body = CreatedTicket),
    Refusals,
))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<CreateTicket>,
) -> Result<(StatusCode, Json<CreatedTicket>), Failure> {
    let mut new = NewTicket {
        players: body.players,
        joining: body.joining,
        queues: body.queues,
        regions: body.regions,
        attributes: body.attributes,
        expires_in: body.expires_in,
        heartbeat_within: body.heartbeat_within,
    };
    caller.check_tickets()?;
    if caller.role == Role::Player {
        let both = [new.heartbeat_within, app.settings.heartbeat_within];
        new.heartbeat_within = both.into_iter().flatten().min();
    }
    match (caller.role, &new.players[..]) {
        (Role::Player, []) => new.players.push(NewPlayer::of(caller.subject.clone())),
        (Role::Player, [player]) if player.id == caller.subject => {}
        (Role::Player, _) => {
            return Err(Failure::Forbidden(
                "a player creates a ticket for itself alone: name the others in `joining`",
            ));
        }
        _ => {}
    }
    let is_retry_safe = body.request_id.is_some();
    let key = body.request_id.map(|request| RequestKey {
        subject: caller.subject.clone(),
        request,
    });
    // One that is sent again makes no ticket.
    let is_known = match &key {
        Some(key) if caller.player().is_some() => app.service.is_known(key).await?,
        _ => false,
    };
    if !is_known {
        app.check_rate(&caller)?;
    }
    let created = app.service.create(key, new).await?;
    let status = if created.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let ticket = created.ticket;
    Ok((
        status,
        Json(CreatedTicket {
            ticket,
            is_retry_safe,
        }),
    ))
}

/// Which tickets or matches.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listed {
    /// Those in this state or phase alone.
    #[serde(default)]
    pub(crate) state: Option<String>,
    /// Those after this one, in the order in which they came.
    #[serde(default)]
    pub(crate) after: Option<String>,
    /// At most this many: 100 unless something else is asked for, and never more than 1,000.
    #[serde(default)]
    pub(crate) limit: Option<usize>,
}

impl Listed {
    pub(crate) fn most(&self) -> usize {
        self.limit.unwrap_or(100).min(1000)
    }

    /// The state, if it is one of these.
    pub(crate) fn state(&self, known: &'static [&'static str]) -> Result<Option<&'static str>, Failure> {
        let Some(asked) = &self.state else {
            return Ok(None);
        };
        let found = known.iter().find(|state| *state == asked);
        found.map(|state| Some(*state)).ok_or_else(|| {
            Failure::Body(format!(
                "there is no such state: it is one of {}",
                known.join(", ")
            ))
        })
    }
}

/// All tickets that are known: those that wait or play, and those that ended less than an hour ago with the latest 50,000 matches.
#[utoipa::path(get, path = "/v1/tickets", tag = "tickets", params(Listed), responses(
    (status = 200, description = "In the order in which they came", body = [TicketView]),
    Refusals,
))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Asked(listed): Asked<Listed>,
) -> Result<Json<Vec<TicketView>>, Failure> {
    caller.check_backend()?;
    let state = listed.state(&["gathering", "waiting", "proposed", "matched", "left"])?;
    let is_asked = move |ticket: &TicketView| {
        state.is_none_or(|state| {
            state
                == match ticket.state {
                    TicketState::Gathering { .. } => "gathering",
                    TicketState::Waiting => "waiting",
                    TicketState::Proposed { .. } => "proposed",
                    TicketState::Matched { .. } => "matched",
                    TicketState::Left { .. } => "left",
                }
        })
    };
    let look =
        move |service: &crate::Service| service.tickets(listed.after.as_deref(), listed.most(), is_asked);
    app.look(look).await.map(Json)
}

/// Whether to wait for a change.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wait {
    /// Wait at most this many seconds for a change.
    #[serde(default)]
    wait: Option<u64>,
    /// A change after this version; without it, one after the call.
    #[serde(default)]
    version: Option<u64>,
}

/// The changes of a ticket from its present state on: one place, with the newest.
pub(crate) async fn watch_ticket(
    app: &App,
    id: &str,
) -> Result<watch::Receiver<Option<TicketView>>, Failure> {
    let (sender, mut receiver) = watch::channel(None);
    let tell = move |view: Option<&TicketView>| match view {
        Some(view) => sender.send(Some(view.clone())).is_ok(),
        None => !sender.is_closed(),
    };
    app.service.watch(id, tell).await?;
    // Its present state is told with the next look at the inbox.
    receiver
        .changed()
        .await
        .map_err(|_| Failure::Problem(crate::Problem::Stopped("it was closed".to_owned())))?;
    Ok(receiver)
}

/// A ticket, as it stands; with `wait`, once it has changed.
#[utoipa::path(get, path = "/v1/tickets/{id}", tag = "tickets", params(("id" = String, Path, description = "The ticket"), Wait), responses(
    (status = 200, description = "As it stands", body = TicketView),
    Refusals,
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Asked(wait): Asked<Wait>,
) -> Result<Json<TicketView>, Failure> {
    caller.check_tickets()?;
    let view = app.service.ticket_for(&id, caller.player()).await?;
    let Some(seconds) = wait.wait else {
        return Ok(Json(view));
    };
    let version = wait.version.unwrap_or(view.version);
    if view.version > version {
        return Ok(Json(view));
    }
    let _watching = app.watch(&caller)?;
    let until = Instant::now() + Duration::from_secs(seconds).min(app.settings.longest_wait);
    let mut changes = watch_ticket(&app, &id).await?;
    loop {
        let newest = changes.borrow_and_update().clone();
        match newest {
            Some(view) if view.version > version => return Ok(Json(view)),
            newest => {
                // The time is over, or the service ends.
                if !matches!(timeout_at(until, changes.changed()).await, Ok(Ok(()))) {
                    return Ok(Json(newest.unwrap_or(view)));
                }
            }
        }
    }
}

/// Who a ticket's players are from now on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    /// All of them, with what is known of them; a string stands for one of whom nothing is said.
    players: Vec<NewPlayer>,
}

/// The party of a ticket that waits changes, or what is known of its players; it has waited as long as before. A player who is alone in its
/// ticket may change what is known of itself.
#[utoipa::path(patch, path = "/v1/tickets/{id}", tag = "tickets", params(("id" = String, Path, description = "The ticket")),
    request_body = Edit, responses(
    (status = 200, description = "As it is now", body = TicketView),
    Refusals,
))]
pub(crate) async fn edit(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(body): Body<Edit>,
) -> Result<Json<TicketView>, Failure> {
    caller.check_tickets()?;
    app.check_rate(&caller)?;
    let edited = app.service.edit_for(&id, body.players, caller.player());
    Ok(Json(edited.await?))
}

/// A ticket gives up.
#[utoipa::path(delete, path = "/v1/tickets/{id}", tag = "tickets", params(("id" = String, Path, description = "The ticket")), responses(
    (status = 200, description = "It is gone", body = TicketView),
    Refusals,
))]
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<TicketView>, Failure> {
    caller.check_tickets()?;
    Ok(Json(app.service.cancel(&id, caller.player()).await?))
}

/// Who joins, accepts, declines or leaves.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Who {
    /// The player; of a player itself.
    #[serde(default)]
    pub(crate) player: Option<String>,
    /// What is known of one who joins.
    #[serde(default, deserialize_with = "crate::request::named_once")]
    #[schema(value_type = BTreeMap<String, Object>)]
    attributes: BTreeMap<String, Value>,
}

/// A player joins a ticket that waits for it; with the last of them it comes into its queues.
#[utoipa::path(post, path = "/v1/tickets/{id}/join", tag = "tickets", params(("id" = String, Path, description = "The ticket")),
    request_body = Who, responses(
    (status = 200, description = "It is in", body = TicketView),
    Refusals,
))]
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(who): Body<Who>,
) -> Result<Json<TicketView>, Failure> {
    let player = NewPlayer {
        id: caller.acts_for(who.player.as_deref())?,
        attributes: who.attributes,
    };
    Ok(Json(app.service.join(&id, player).await?))
}

/// What keeps a ticket waiting, and what would free it.
#[utoipa::path(get, path = "/v1/tickets/{id}/why", tag = "tickets", params(("id" = String, Path, description = "The ticket")), responses(
    (status = 200, description = "The nearest others and what keeps each away; how many each rule keeps away", body = Object),
    Refusals,
))]
pub(crate) async fn why(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<matchwright_queue::Why>, Failure> {
    caller.check_backend()?;
    app.look(move |service| service.why(&id)).await.map(Json)
}

async fn respond(
    app: &App,
    caller: &Caller,
    id: &str,
    who: &Who,
    accepts: bool,
) -> Result<Json<TicketView>, Failure> {
    let player = caller.acts_for(who.player.as_deref())?;
    Ok(Json(app.service.respond(id, &player, accepts).await?))
}

/// A player accepts a proposal.
#[utoipa::path(post, path = "/v1/proposals/{id}/accept", tag = "tickets", params(("id" = String, Path, description = "The proposal")),
    request_body = Who, responses(
    (status = 200, description = "Its ticket", body = TicketView),
    Refusals,
))]
pub(crate) async fn accept(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(who): Body<Who>,
) -> Result<Json<TicketView>, Failure> {
    respond(&app, &caller, &id, &who, true).await
}

/// A player declines a proposal.
#[utoipa::path(post, path = "/v1/proposals/{id}/decline", tag = "tickets", params(("id" = String, Path, description = "The proposal")),
    request_body = Who, responses(
    (status = 200, description = "Its ticket", body = TicketView),
    Refusals,
))]
pub(crate) async fn decline(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(who): Body<Who>,
) -> Result<Json<TicketView>, Failure> {
    respond(&app, &caller, &id, &who, false).await
}
