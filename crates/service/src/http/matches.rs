//! Calls about matches.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::ToSchema;

use super::app::App;
use super::caller::{Asked, Body, Caller, Role};
use super::failure::{Failure, Refusals};
use super::tickets::{Listed, Who};
use crate::{MatchResult, MatchView, NewBackfill, Phase, Problem};

/// All matches that are known: those that are not over, and those that ended less than an hour ago, the latest 50,000.
#[utoipa::path(get, path = "/v1/matches", tag = "matches", params(Listed), responses(
    (status = 200, description = "In the order in which they were made", body = [MatchView]),
    Refusals,
))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Asked(listed): Asked<Listed>,
) -> Result<Json<Vec<MatchView>>, Failure> {
    caller.check_backend()?;
    let state = listed.state(&["allocating", "assigned", "started", "ended", "failed"])?;
    let is_asked = move |found: &MatchView| {
        state.is_none_or(|state| {
            state
                == match found.phase {
                    Phase::Allocating => "allocating",
                    Phase::Assigned => "assigned",
                    Phase::Started => "started",
                    Phase::Ended => "ended",
                    Phase::Failed => "failed",
                }
        })
    };
    let look =
        move |service: &crate::Service| service.matches(listed.after.as_deref(), listed.most(), is_asked);
    app.look(look).await.map(Json)
}

/// A match.
#[utoipa::path(get, path = "/v1/matches/{id}", tag = "matches", params(("id" = String, Path, description = "The match")), responses(
    (status = 200, description = "As it stands", body = MatchView),
    Refusals,
))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchView>, Failure> {
    if caller.role == Role::Server {
        caller.check_match(&id)?;
    }
    let found = app.service.match_by_id(&id).await?;
    let is_in = |player: &str| found.teams.iter().flatten().any(|name| name == player);
    if caller.player().is_some_and(|player| !is_in(player)) {
        return Err(Failure::Problem(Problem::Unknown { what: "match", id }));
    }
    Ok(Json(found))
}

/// Where a match is played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Assignment {
    /// What the players' clients need to connect, such as an address and a port.
    #[schema(example = "eu1.example:7777")]
    connection: String,
}

/// A match has a place where it is played, which its players are told.
#[utoipa::path(post, path = "/v1/matches/{id}/assign", tag = "matches", params(("id" = String, Path, description = "The match")),
    request_body = Assignment, responses(
    (status = 200, description = "It is assigned", body = MatchView),
    Refusals,
))]
pub(crate) async fn assign(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(body): Body<Assignment>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_backend()?;
    Ok(Json(app.service.assign(&id, &body.connection).await?))
}

/// A match has started, and can no longer fail.
#[utoipa::path(post, path = "/v1/matches/{id}/started", tag = "matches", params(("id" = String, Path, description = "The match")), responses(
    (status = 200, description = "It is played", body = MatchView),
    Refusals,
))]
pub(crate) async fn started(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_match(&id)?;
    Ok(Json(app.service.started(&id).await?))
}

/// A match did not start: its tickets wait again, as long as they have waited.
#[utoipa::path(post, path = "/v1/matches/{id}/failed", tag = "matches", params(("id" = String, Path, description = "The match")), responses(
    (status = 200, description = "It failed", body = MatchView),
    Refusals,
))]
pub(crate) async fn failed(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_match(&id)?;
    Ok(Json(app.service.failed(&id).await?))
}

/// A player leaves a match before it starts: it may not queue for a while, and the others wait again.
#[utoipa::path(post, path = "/v1/matches/{id}/leave", tag = "matches", params(("id" = String, Path, description = "The match")),
    request_body = Who, responses(
    (status = 200, description = "The match failed", body = MatchView),
    Refusals,
))]
pub(crate) async fn leave(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(who): Body<Who>,
) -> Result<Json<MatchView>, Failure> {
    let player = caller.acts_for(who.player.as_deref())?;
    Ok(Json(app.service.leave(&id, &player).await?))
}

/// Players have left a match while it is played: they are free, and others are looked for in their place. Those who come are in `teams`; the
/// match has no `backfill` then. Sent again it changes nothing; when more have left, all their places are offered anew.
#[utoipa::path(post, path = "/v1/matches/{id}/backfill", tag = "matches", params(("id" = String, Path, description = "The match")),
    request_body = NewBackfill, responses(
    (status = 200, description = "Others are looked for, or have come", body = MatchView),
    Refusals,
))]
pub(crate) async fn backfill(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(body): Body<NewBackfill>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_match(&id)?;
    Ok(Json(app.service.backfill(&id, body).await?))
}

/// No others are looked for any more.
#[utoipa::path(delete, path = "/v1/matches/{id}/backfill", tag = "matches", params(("id" = String, Path, description = "The match")), responses(
    (status = 200, description = "It goes on as it is", body = MatchView),
    Refusals,
))]
pub(crate) async fn end_backfill(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_match(&id)?;
    Ok(Json(app.service.end_backfill(&id).await?))
}

/// A match ended so: its players are free, and rated by it. It has one result: the same again changes nothing.
#[utoipa::path(post, path = "/v1/matches/{id}/result", tag = "matches", params(("id" = String, Path, description = "The match")),
    request_body = MatchResult, responses(
    (status = 200, description = "It counts", body = MatchView),
    Refusals,
))]
pub(crate) async fn result(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Body(body): Body<MatchResult>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_match(&id)?;
    Ok(Json(app.service.report(&id, body).await?))
}

/// A result does not count any more: ratings are as without it.
#[utoipa::path(post, path = "/v1/matches/{id}/retract", tag = "matches", params(("id" = String, Path, description = "The match")), responses(
    (status = 200, description = "It counts no more", body = MatchView),
    Refusals,
))]
pub(crate) async fn retract(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchView>, Failure> {
    caller.check_operator()?;
    let found = app.service.retract(&id).await?;
    tracing::info!(target: "audit", subject = caller.subject, step = found.version, id, "a result was retracted");
    Ok(Json(found))
}
