//! Keys, certificates, logs and the place where a service listens.

use std::path::Path;
use std::sync::Arc;

use matchwright_service::http::{KeyRing, KeyRules, Keys, Listening};
use tokio::net::TcpListener;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::arguments::RunService;
use crate::failure::{Failure, ShownPath};

/// Whose tokens are believed: the files are read again at a signal, and for a token of an unknown key.
pub(super) fn keys(run: &RunService) -> Result<Option<Arc<KeyRing>>, Failure> {
    let (Some(path), Some(issuer), Some(audience)) = (&run.keys, &run.issuer, &run.audience) else {
        return Ok(None);
    };
    let (path, revoked, rules) = (path.clone(), run.revoked.clone(), KeyRules::of(issuer, audience));
    let ring = KeyRing::new(move || {
        let read = |path: &Path| std::fs::read_to_string(path).map_err(Failure::io(path.shown()));
        let keys = Keys::from_jwks(&read(&path)?, rules.clone());
        let keys = keys.map_err(|error| Failure::Failed(format!("{}: {error}", path.shown())))?;
        let revoked = revoked.as_deref().map(read).transpose()?.unwrap_or_default();
        Ok::<_, Failure>(keys.revoking(revoked.lines().map(str::to_owned)))
    });
    Ok(Some(Arc::new(ring?)))
}

/// The certificate that it shows.
pub(super) fn tls(run: &RunService) -> Result<Option<Arc<ServerConfig>>, Failure> {
    let (Some(certificate), Some(key)) = (&run.tls_certificate, &run.tls_key) else {
        return Ok(None);
    };
    let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| Failure::Failed(format!("{}: {error}", certificate.shown())))?;
    let private = PrivateKeyDer::from_pem_file(key);
    let private = private.map_err(|error| Failure::Failed(format!("{}: {error}", key.shown())))?;
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(|error| Failure::Failed(format!("{} and {}: {error}", certificate.shown(), key.shown())))?;
    Ok(Some(Arc::new(config)))
}

/// Spans of calls on their way to a collector, if they were asked for.
#[cfg(feature = "otlp")]
pub(super) struct Traces(Option<matchwright_service::http::Traces>);

#[cfg(not(feature = "otlp"))]
pub(super) struct Traces;

#[cfg(feature = "otlp")]
impl Traces {
    fn of(run: &RunService) -> Result<Self, Failure> {
        let traces = run.traces.as_deref().map(matchwright_service::http::Traces::to);
        traces
            .transpose()
            .map(Self)
            .map_err(|error| Failure::Usage(format!("--traces: {error}")))
    }

    /// Sends the spans that still wait to be sent.
    pub(super) fn end(self) {
        self.0
            .into_iter()
            .for_each(matchwright_service::http::Traces::end);
    }
}

#[cfg(not(feature = "otlp"))]
impl Traces {
    fn of(run: &RunService) -> Result<Self, Failure> {
        match run.traces {
            None => Ok(Self),
            Some(_) => Err(Failure::Usage(
                "--traces: this program was built without them: cargo install matchwright-cli --features otlp".to_owned(),
            )),
        }
    }

    #[allow(clippy::unused_self, reason = "as with the feature")]
    pub(super) const fn end(self) {}
}

/// What happens is told on standard error, a line each, and spans of calls to who asked for them.
pub(super) fn log(run: &RunService) -> Result<Traces, Failure> {
    use tracing_subscriber::filter::{LevelFilter, Targets};
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;
    use tracing_subscriber::{Layer as _, fmt, registry};

    let traces = Traces::of(run)?;
    let level = if run.verbose {
        LevelFilter::DEBUG
    } else {
        LevelFilter::INFO
    };
    let told = Targets::new()
        .with_default(level)
        .with_target("calls", LevelFilter::OFF);
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    let lines = if run.log_json {
        lines.json().with_filter(told).boxed()
    } else {
        lines.with_filter(told).boxed()
    };
    let all = registry().with(lines);
    #[cfg(feature = "otlp")]
    let all = all.with(traces.0.as_ref().map(matchwright_service::http::Traces::layer));
    all.init();
    Ok(traces)
}

pub(super) async fn bind(run: &RunService, tls: Option<Arc<ServerConfig>>) -> Result<Listening, Failure> {
    let bound = TcpListener::bind(run.listen).await;
    Ok(Listening {
        listener: bound.map_err(Failure::io(format!("--listen {}", run.listen)))?,
        tls,
        connections: run.connections,
    })
}
