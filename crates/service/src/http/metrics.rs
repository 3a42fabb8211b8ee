//! Metrics in the text format `OpenMetrics`, which Prometheus reads.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};

use tracing::Instrument as _;
use tracing::field::Empty;

use super::app::App;
use super::counts::CALLS;
use super::failure::{Code, Failure};
use crate::Problem;

/// Counts an answer, and logs it: the call and what became of it, never a player or what is known of one.
pub(crate) async fn count(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    // Anyone may make up others, and each would be a series of its own.
    let method = match *request.method() {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    };
    let path = request.extensions().get::<MatchedPath>().cloned();
    let call = path.as_ref().map_or("none", MatchedPath::as_str);
    let span = tracing::debug_span!(
        target: CALLS,
        "call",
        otel.name = format!("{method} {call}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = call,
        http.response.status_code = Empty,
        error.r#type = Empty,
        matchwright.step = Empty
    );
    #[cfg(feature = "otlp")]
    super::traces::follow(&span, request.headers());
    let response = next.run(request).instrument(span.clone()).await;
    let code = response.extensions().get::<Code>().map_or("", |code| code.0);
    let status = response.status().as_u16();
    // Signed: other numbers become texts in a trace.
    span.record("http.response.status_code", i64::from(status));
    if !span.is_disabled() {
        let step = i64::try_from(app.service.stats().step);
        span.record("matchwright.step", step.unwrap_or(i64::MAX));
    }
    if !code.is_empty() {
        span.record("error.type", code);
    }
    let labels = vec![
        ("call", format!("{method} {call}")),
        ("status", status.to_string()),
        ("type", code.to_owned()),
    ];
    app.counts.0.get_or_create(&labels).inc();
    let micros = began.elapsed().as_micros();
    tracing::debug!(target: "http", method, call, status, code, micros, step = app.service.stats().step);
    response
}

/// What was done and how fast, for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operation", responses(
    (status = 200, description = "OpenMetrics", body = String, content_type = "application/openmetrics-text"),
))]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let stats = app.service.stats();
    let queues = app.look(crate::Service::queues).await.unwrap_or_default();
    let mut registry = Registry::with_prefix("matchwright");
    let counters = [
        ("steps", "Steps that were written", stats.steps),
        ("tickets", "Tickets that came in", stats.tickets),
        ("matches", "Matches that were made", stats.matches),
        (
            "matches_failed",
            "Matches that did not start",
            stats.failed_matches,
        ),
        ("results", "Results, since the folder began", stats.results),
        ("tickets_left", "Tickets that left without a match", stats.left),
    ];
    for (name, help, value) in counters {
        registry.register(name, help, ConstCounter::new(value));
    }
    registry.register(
        "step",
        "The last step",
        ConstGauge::new(i64::try_from(stats.step).unwrap_or(i64::MAX)),
    );
    let is_ready = i64::from(app.service.stopped().is_none());
    registry.register(
        "ready",
        "1 as long as the service follows what is asked",
        ConstGauge::new(is_ready),
    );
    let of_queue = |name: &'static str, value: fn(&crate::QueueView) -> f64| {
        let family = Family::<
            Vec<(&'static str, String)>,
            prometheus_client::metrics::gauge::Gauge<f64, std::sync::atomic::AtomicU64>,
        >::default();
        for queue in &queues {
            family
                .get_or_create(&vec![("queue", queue.name.clone())])
                .set(value(queue));
        }
        (name, family)
    };
    let (name, family) = of_queue("waiting_tickets", |queue| queue.tickets as f64);
    registry.register(name, "Tickets that wait", family);
    let (name, family) = of_queue("waiting_players", |queue| queue.players as f64);
    registry.register(name, "Players who wait", family);
    let (name, family) = of_queue("oldest_wait", |queue| queue.oldest);
    registry.register_with_unit(name, "The longest wait", Unit::Seconds, family);
    for (name, help, [first, second], quantiles) in [
        ("sync", "The latest 1,024 syncs", stats.sync, ["0.5", "0.99"]),
        (
            "wait",
            "The waits of the latest 1,024 tickets that were matched",
            stats.wait,
            ["0.5", "0.9"],
        ),
    ] {
        let family = Family::<
            Vec<(&'static str, String)>,
            prometheus_client::metrics::gauge::Gauge<f64, std::sync::atomic::AtomicU64>,
        >::default();
        for (quantile, value) in quantiles.into_iter().zip([first, second]) {
            family
                .get_or_create(&vec![("quantile", quantile.to_owned())])
                .set(value);
        }
        registry.register_with_unit(name, help, Unit::Seconds, family);
    }
    registry.register("http_responses", "Answers", app.counts.0.clone());
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|error| Failure::Problem(Problem::Invalid(error.to_string())))?;
    let kind = [(
        header::CONTENT_TYPE,
        "application/openmetrics-text; version=1.0.0; charset=utf-8",
    )];
    Ok((kind, text).into_response())
}
