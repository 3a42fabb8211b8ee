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

/// What happens is told on standard error, a line each.
pub(super) fn log(is_verbose: bool, as_json: bool) {
    use tracing_subscriber::filter::LevelFilter;
    use tracing_subscriber::fmt;

    let level = if is_verbose {
        LevelFilter::DEBUG
    } else {
        LevelFilter::INFO
    };
    let lines = fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false);
    if as_json {
        lines.json().init();
    } else {
        lines.init();
    }
}

pub(super) async fn bind(run: &RunService, tls: Option<Arc<ServerConfig>>) -> Result<Listening, Failure> {
    let bound = TcpListener::bind(run.listen).await;
    Ok(Listening {
        listener: bound.map_err(Failure::io(format!("--listen {}", run.listen)))?,
        tls,
        connections: run.connections,
    })
}
