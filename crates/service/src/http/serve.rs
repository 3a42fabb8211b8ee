//! [`serve`]: listens, with TLS or without, within bounds.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::Service;

/// Where and how a service listens.
pub struct Listening {
    /// Where.
    pub listener: TcpListener,
    /// With which certificate; `None` without TLS.
    pub tls: Option<Arc<ServerConfig>>,
    /// The most connections; others wait.
    pub connections: usize,
}

/// The headers of a request come, and TLS begins, in this time.
const BEGIN: Duration = Duration::from_secs(10);
/// Calls that have begun end in this time once the service is to end,
const LAST_CALLS: Duration = Duration::from_secs(2);
/// and connections in this.
const LAST_BYTES: Duration = Duration::from_secs(3);

/// Serves calls until `until` is over: then it takes no more connections, ends the calls that have begun, closes the service, which ends
/// the streams of events, and returns.
///
/// # Errors
/// If nothing can be accepted any more.
pub async fn serve(
    listening: Listening,
    router: Router,
    service: Service,
    until: impl Future<Output = ()>,
) -> io::Result<()> {
    let Listening {
        listener,
        tls,
        connections,
    } = listening;
    let acceptor = tls.map(TlsAcceptor::from);
    let places = Arc::new(Semaphore::new(connections));
    let graceful = GracefulShutdown::new();
    let mut until = pin!(until);
    loop {
        let accepted = async {
            // Never closed.
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut until => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Too many files are open, or the other is gone already.
                tracing::warn!(%error, "a connection was not accepted");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // Dropped: then answers are sent a little later.
        let _ = stream.set_nodelay(true);
        // Dropped: then one that is gone without a word is kept for longer.
        let _ = end_with_other_side(&stream);
        let (acceptor, router, watcher) = (acceptor.clone(), router.clone(), graceful.watcher());
        tokio::spawn(async move {
            let _place = place;
            match acceptor {
                None => connection(stream, router, watcher).await,
                Some(acceptor) => {
                    if let Ok(Ok(stream)) = timeout(BEGIN, acceptor.accept(stream)).await {
                        connection(stream, router, watcher).await;
                    }
                }
            }
        });
    }
    drop(listener);
    tracing::info!("no more connections are taken");
    let mut ended = pin!(graceful.shutdown());
    if timeout(LAST_CALLS, &mut ended).await.is_err() {
        // Streams of events are left: they end with the service.
        service.close();
        // Dropped: who does not read does not hold it up.
        let _ = timeout(LAST_BYTES, &mut ended).await;
    } else {
        service.close();
    }
    Ok(())
}

/// A connection ends once the other side has not answered for this long: its network went away, and its watches would stay.
const SILENT: Duration = Duration::from_secs(30);

fn end_with_other_side(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new()
        .with_time(SILENT / 2)
        .with_interval(SILENT / 4);
    socket.set_tcp_keepalive(&probes)?;
    // What was sent and is not received, too.
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(SILENT))?;
    Ok(())
}

async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    watcher: hyper_util::server::graceful::Watcher,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(BEGIN)
        .max_headers(64)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // Dropped: one that went away needs no answer.
    let _ = watcher.watch(connection).await;
}
