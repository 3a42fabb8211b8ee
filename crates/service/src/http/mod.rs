//! HTTP with JSON over a [`Service`]: calls, events, keys and roles, limits, metrics and a page.
//!
//! [`router`] is a service of axum's that can stand within another; [`serve`] listens with it. [`openapi`] describes all calls.

mod app;
mod caller;
mod counts;
mod events;
mod failure;
mod keyring;
mod keys;
mod matches;
mod metrics;
mod operate;
mod page;
mod players;
mod serve;
mod servers;
mod tickets;
#[cfg(feature = "otlp")]
mod traces;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use app::HttpSettings;
pub use caller::{Caller, Role};
pub use keyring::KeyRing;
pub use keys::{KeyRules, Keys, KeysError, Unauthenticated};
pub use serve::{Listening, serve};
pub use servers::{Servers, Webhook, assign};
#[cfg(feature = "otlp")]
pub use traces::Traces;

use crate::Service;
use app::App;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "matchwright",
        description = "Matchmaking: tickets, proposals, matches, results and ratings. An answer of 2xx is on the disk; a connection that \
                       was lost without an answer means: send it again under the same `request_id`. Errors are problem documents (RFC 9457) \
                       whose `type` is the name of the refusal."
    ),
    tags(
        (name = "tickets", description = "Players who wait"),
        (name = "players", description = "What a player is in, and how good it is"),
        (name = "matches", description = "Matches, their servers and results"),
        (name = "operation", description = "Queues, policies, what was done")
    ),
    components(schemas(failure::ProblemDocument))
)]
struct Document;

fn calls() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(tickets::create, tickets::list))
        .routes(routes!(tickets::show, tickets::edit, tickets::cancel))
        .routes(routes!(tickets::join))
        .routes(routes!(tickets::why))
        .routes(routes!(events::of_ticket))
        .routes(routes!(tickets::accept))
        .routes(routes!(tickets::decline))
        .routes(routes!(players::show, players::erase))
        .routes(routes!(players::ticket, players::cancel))
        .routes(routes!(matches::list))
        .routes(routes!(matches::show))
        .routes(routes!(matches::assign))
        .routes(routes!(matches::started))
        .routes(routes!(matches::failed))
        .routes(routes!(matches::leave))
        .routes(routes!(matches::backfill, matches::end_backfill))
        .routes(routes!(matches::result))
        .routes(routes!(matches::retract))
        .routes(routes!(operate::queues))
        .routes(routes!(operate::set_status))
        .routes(routes!(operate::policy, operate::set_policy))
        .routes(routes!(operate::check_policy))
        .routes(routes!(operate::stats))
        .routes(routes!(events::of_all))
        .routes(routes!(operate::is_alive))
        .routes(routes!(operate::is_ready))
        .routes(routes!(metrics::metrics))
}

/// All calls as a document in the format `OpenAPI`.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    calls().into_openapi()
}

/// All calls over a service.
pub fn router(service: Service, settings: HttpSettings) -> Router {
    let app = Arc::new(App::new(service, settings));
    let (router, document) = calls().split_for_parts();
    let document = Arc::new(document);
    router
        .route("/", get(page::page))
        .route(
            "/openapi.json",
            get(move || async move { axum::Json((*document).clone()) }),
        )
        .fallback(|| async { failure::Failure::NoSuchCall })
        .method_not_allowed_fallback(|| async { failure::Failure::NoSuchMethod })
        .layer(from_fn_with_state(Arc::clone(&app), metrics::count))
        .with_state(app)
}
