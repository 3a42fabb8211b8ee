//! [`Traces`]: a span of each call, for `OpenTelemetry`.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, Request, Response, Uri};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use super::counts::CALLS;

/// How long the collector is waited for.
const WAIT: Duration = Duration::from_secs(10);

/// Spans of calls on their way to a collector that speaks OTLP over HTTP. What it is sent tells of calls and their outcomes, never of
/// players.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// To a collector such as `http://localhost:4318`. Headers, the share of calls that is traced and the rest are taken from the
    /// environment, as the specification of `OpenTelemetry` says.
    ///
    /// # Errors
    /// If that is no address.
    pub fn to(collector: &str) -> io::Result<Self> {
        let address: Option<Uri> = collector.parse().ok();
        let is_one = address.is_some_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.host().is_some()
                && uri.query().is_none()
        });
        if !is_one {
            return Err(io::Error::other(format!(
                "`{collector}` is no address of a collector, such as http://localhost:4318"
            )));
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Post)
            .with_protocol(Protocol::HttpJson)
            .with_endpoint(format!("{}/v1/traces", collector.trim_end_matches('/')))
            .build()
            .map_err(io::Error::other)?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(Resource::builder().with_service_name("matchwright").build());
        Ok(Self(provider.build()))
    }

    /// What follows the spans of calls, as a part of the program's log.
    #[must_use]
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let calls = Targets::new().with_target(CALLS, LevelFilter::DEBUG);
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("matchwright"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(calls)
    }

    /// Sends the spans that still wait to be sent.
    pub fn end(self) {
        // Dropped: a collector that is gone holds nobody up.
        let _ = self.0.shutdown_with_timeout(WAIT);
    }
}

/// Sends spans, on the exporter's own thread.
#[derive(Debug)]
struct Post;

impl HttpClient for Post {
    fn send_bytes<'s, 'a>(
        &'s self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'a>>
    where
        's: 'a,
        Self: 'a,
    {
        Box::pin(async move {
            let config = ureq::Agent::config_builder()
                .timeout_global(Some(WAIT))
                .http_status_as_error(false);
            let (parts, body) = request.into_parts();
            let request = Request::from_parts(parts, body.to_vec());
            let sent = ureq::Agent::new_with_config(config.build()).run(request);
            match &sent {
                Ok(answer) if answer.status().is_success() => {}
                Ok(answer) => {
                    tracing::warn!(status = answer.status().as_u16(), "the collector refused spans");
                }
                Err(error) => tracing::warn!(%error, "the collector was not reached: spans are lost"),
            }
            let (parts, mut body) = sent?.into_parts();
            Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
        })
    }
}

struct Headers<'h>(&'h HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(axum::http::HeaderName::as_str).collect()
    }
}

/// The span is a part of the caller's, if the header `traceparent` names one.
pub(crate) fn follow(span: &tracing::Span, headers: &HeaderMap) {
    let parent = TraceContextPropagator::new().extract(&Headers(headers));
    // Dropped: then it stands for itself.
    let _ = span.set_parent(parent);
}
