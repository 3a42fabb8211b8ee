//! Calls of those who run a service.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use matchwright_queue::QueueStatus;
use serde::Serialize;
use utoipa::ToSchema;

use super::app::App;
use super::caller::{Caller, Text};
use super::failure::{Failure, Refusals};
use crate::{Problem, QueueView, Stats};

/// The queues, who waits in them, and how long newcomers may expect to wait.
#[utoipa::path(get, path = "/v1/queues", tag = "operation", responses(
    (status = 200, description = "All queues of the policy", body = [QueueView]),
    Refusals,
))]
pub(crate) async fn queues(
    State(app): State<Arc<App>>,
    _caller: Caller,
) -> Result<Json<Vec<QueueView>>, Failure> {
    app.look(crate::Service::queues).await.map(Json)
}

/// A queue makes no matches (`pause`), takes no tickets (`drain`), or does both again (`resume`).
#[utoipa::path(post, path = "/v1/queues/{queue}/{what}", tag = "operation",
    params(("queue" = String, Path, description = "The queue, `-` for one without a name"), ("what" = String, Path, description = "`pause`, `drain` or `resume`")), responses(
    (status = 204, description = "It does so"),
    Refusals,
))]
pub(crate) async fn set_status(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((queue, what)): Path<(String, String)>,
) -> Result<StatusCode, Failure> {
    caller.check_operator()?;
    let status = match what.as_str() {
        "pause" => QueueStatus::Paused,
        "drain" => QueueStatus::Draining,
        "resume" => QueueStatus::Running,
        _ => return Err(Failure::NoSuchCall),
    };
    let name = if queue == "-" { "" } else { queue.as_str() };
    app.service.set_status(name, status).await?;
    tracing::info!(target: "audit", subject = caller.subject, step = app.service.stats().step, queue, what, "a queue was told");
    Ok(StatusCode::NO_CONTENT)
}

/// The document of the policy in force, in TOML.
#[utoipa::path(get, path = "/v1/policy", tag = "operation", responses(
    (status = 200, description = "As it was given", body = String, content_type = "text/plain"),
    Refusals,
))]
pub(crate) async fn policy(State(app): State<Arc<App>>, caller: Caller) -> Result<String, Failure> {
    caller.check_backend()?;
    Ok(app.service.policy())
}

/// A policy's name and version.
#[derive(Serialize, ToSchema)]
pub(crate) struct Policy {
    name: String,
    version: String,
}

/// The policy of a document, checked on a thread that may take its time.
async fn checked(app: &App, document: String) -> Result<Policy, Failure> {
    app.look(move |service| {
        service
            .check_policy(&document)
            .map(|[name, version]| Policy { name, version })
    })
    .await
}

/// Another policy decides from now on. Refused if a ticket that waits has no place in it.
#[utoipa::path(put, path = "/v1/policy", tag = "operation", request_body(content = String, content_type = "text/plain"), responses(
    (status = 200, description = "It decides", body = Policy),
    Refusals,
))]
pub(crate) async fn set_policy(
    State(app): State<Arc<App>>,
    caller: Caller,
    Text(document): Text,
) -> Result<Json<Policy>, Failure> {
    caller.check_operator()?;
    let policy = checked(&app, document.clone()).await?;
    app.service.set_policy(&document).await?;
    let Policy { name, version } = &policy;
    tracing::info!(target: "audit", subject = caller.subject, step = app.service.stats().step, name, version, "a policy was set");
    Ok(Json(policy))
}

/// Whether a document makes a policy, without any effect.
#[utoipa::path(post, path = "/v1/policy/check", tag = "operation", request_body(content = String, content_type = "text/plain"), responses(
    (status = 200, description = "It makes this one", body = Policy),
    Refusals,
))]
pub(crate) async fn check_policy(
    State(app): State<Arc<App>>,
    caller: Caller,
    Text(document): Text,
) -> Result<Json<Policy>, Failure> {
    caller.check_backend()?;
    checked(&app, document).await.map(Json)
}

/// What was done, and how fast.
#[utoipa::path(get, path = "/v1/stats", tag = "operation", responses(
    (status = 200, description = "Since the start", body = Stats),
    Refusals,
))]
pub(crate) async fn stats(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Stats>, Failure> {
    caller.check_backend()?;
    Ok(Json(app.service.stats()))
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "operation", responses((status = 200, description = "It does")))]
pub(crate) async fn is_alive() -> &'static str {
    "alive\n"
}

/// The service follows what is asked.
#[utoipa::path(get, path = "/readyz", tag = "operation", responses((status = 200, description = "It does"), Refusals))]
pub(crate) async fn is_ready(State(app): State<Arc<App>>) -> Result<&'static str, Failure> {
    match app.service.stopped() {
        None => Ok("ready\n"),
        Some(why) => Err(Failure::Problem(Problem::Stopped(why.to_owned()))),
    }
}
