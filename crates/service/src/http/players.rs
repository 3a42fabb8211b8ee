//! Calls about players.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::app::App;
use super::caller::Caller;
use super::failure::{Failure, Refusals};
use crate::{PlayerView, Problem, TicketView};

/// The ticket that a player is in.
async fn ticket_of(app: &App, player: &str) -> Result<TicketView, Failure> {
    let view = app.service.player(player).await?;
    let none = || Problem::Unknown {
        what: "ticket of player",
        id: player.to_owned(),
    };
    Ok(view.ticket.ok_or_else(none)?)
}

/// What a player is in, and how good it is.
#[utoipa::path(get, path = "/v1/players/{id}", tag = "players", params(("id" = String, Path, description = "The player, or `me`")), responses(
    (status = 200, description = "As it stands; a player who is not known is a newcomer", body = PlayerView),
    Refusals,
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<PlayerView>, Failure> {
    let player = caller.acts_for(Some(&id))?;
    Ok(Json(app.service.player(&player).await?))
}

/// A player is known no more: not in tickets, requests and ratings.
#[utoipa::path(delete, path = "/v1/players/{id}", tag = "players", params(("id" = String, Path, description = "The player")), responses(
    (status = 204, description = "It is known no more"),
    Refusals,
))]
pub(crate) async fn erase(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Failure> {
    caller.check_operator()?;
    app.service.erase(&id).await?;
    // Not whom: that is what is to be forgotten.
    tracing::info!(target: "audit", subject = caller.subject, step = app.service.stats().step, "a player was erased");
    Ok(StatusCode::NO_CONTENT)
}

/// The ticket that a player is in, as after a crash of its client.
#[utoipa::path(get, path = "/v1/players/{id}/ticket", tag = "players", params(("id" = String, Path, description = "The player, or `me`")), responses(
    (status = 200, description = "As it stands", body = TicketView),
    Refusals,
))]
pub(crate) async fn ticket(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<TicketView>, Failure> {
    let player = caller.acts_for(Some(&id))?;
    let ticket = ticket_of(&app, &player).await?;
    // Asked for by its name, so that its player counts as seen.
    Ok(Json(app.service.ticket(&ticket.id).await?))
}

/// A player gives up all that it waits in.
#[utoipa::path(delete, path = "/v1/players/{id}/ticket", tag = "players", params(("id" = String, Path, description = "The player, or `me`")), responses(
    (status = 200, description = "It is gone", body = TicketView),
    Refusals,
))]
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<TicketView>, Failure> {
    let player = caller.acts_for(Some(&id))?;
    let ticket = ticket_of(&app, &player).await?;
    Ok(Json(app.service.cancel(&ticket.id, Some(&player)).await?))
}
