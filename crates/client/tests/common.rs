//! A real service, a proxy that cuts connections, and a server that says what it was told to.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use matchwright_client::{Client, Retries};
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, Listening, router, serve};
use matchwright_service::{Service, Settings};
use tokio::runtime::Runtime;

pub(crate) const DUEL: &str = "[queue]\n[[queue.windows]]\nof = 'rating'\nstart = 2000";
pub(crate) const ACCEPT: &str =
    "[queue]\nacceptance = { within = 30, cooldowns = [60] }\n[[queue.windows]]\nof = 'rating'\nstart = 2000";

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) const QUICK: Retries = Retries {
    times: 25,
    first_wait: Duration::from_millis(4),
    longest_wait: Duration::from_millis(40),
};

pub(crate) fn client(address: SocketAddr) -> Client {
    Client::new(&format!("http://{address}/")).with_retries(QUICK)
}

/// A service that listens.
pub(crate) struct Served {
    pub(crate) service: Service,
    pub(crate) address: SocketAddr,
    pub(crate) device: Memory,
    _runtime: Runtime,
}

impl Served {
    pub(crate) fn of(policy: &str) -> Self {
        Self::on(Memory::default(), policy)
    }

    pub(crate) fn on(device: Memory, policy: &str) -> Self {
        let disk = device.clone();
        let service = Service::open(move || Ok(disk.clone()), policy, Settings::default()).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let address = listener.local_addr().unwrap();
        let listening = Listening {
            listener,
            tls: None,
            connections: 1000,
        };
        let router = router(service.clone(), HttpSettings::default());
        runtime.spawn(serve(
            listening,
            router,
            service.clone(),
            std::future::pending::<()>(),
        ));
        Self {
            service,
            address,
            device,
            _runtime: runtime,
        }
    }

    pub(crate) fn client(&self) -> Client {
        client(self.address)
    }
}

/// Numbers that are the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 1).unwrap() % bound
    }
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Pass,
    /// The connection is cut before the service sees it,
    Before,
    /// once it has sent its answer, which does not get through,
    After,
    /// as soon as it was passed on,
    Blindly,
    /// or after this many bytes of the answer.
    Within(usize),
}

type Plan = Box<dyn FnMut(&str) -> Fate + Send>;

/// A proxy before a service.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    upstream: Mutex<SocketAddr>,
    plan: Mutex<Plan>,
    /// All requests, heads with bodies.
    seen: Mutex<Vec<String>>,
}

impl Proxy {
    pub(crate) fn before(upstream: SocketAddr, plan: impl FnMut(&str) -> Fate + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let inner = Arc::new(Inner {
            upstream: Mutex::new(upstream),
            plan: Mutex::new(Box::new(plan)),
            seen: Mutex::default(),
        });
        let served = Arc::clone(&inner);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (inner, stream) = (Arc::clone(&served), stream.unwrap());
                thread::spawn(move || {
                    pass(&inner, stream.try_clone().unwrap());
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Self { address, inner }
    }

    pub(crate) fn client(&self) -> Client {
        client(self.address)
    }

    pub(crate) fn lead_to(&self, upstream: SocketAddr) {
        *self.inner.upstream.lock().unwrap() = upstream;
    }

    /// The requests whose text has this in it.
    pub(crate) fn seen(&self, what: &str) -> Vec<String> {
        let seen = self.inner.seen.lock().unwrap();
        seen.iter().filter(|text| text.contains(what)).cloned().collect()
    }
}

/// The head of a message, and the body if its length is told.
pub(crate) fn message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let (mut bytes, mut byte) = (Vec::new(), [0]);
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&bytes).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    bytes.extend(body);
    Some(bytes)
}

/// Requests of a connection, until one is cut.
fn pass(inner: &Inner, mut client: TcpStream) -> Option<()> {
    client.set_nodelay(true).ok()?;
    loop {
        let request = message(&mut client)?;
        let text = String::from_utf8_lossy(&request).into_owned();
        let fate = (inner.plan.lock().unwrap())(&text);
        inner.seen.lock().unwrap().push(text);
        if fate == Fate::Before {
            return None;
        }
        let upstream = *inner.upstream.lock().unwrap();
        let mut service = TcpStream::connect(upstream).ok()?;
        service.set_nodelay(true).ok()?;
        service.write_all(&request).ok()?;
        if fate == Fate::Blindly {
            return None;
        }
        let answer = message(&mut service)?;
        let is_stream = answer.windows(17).any(|part| part == b"text/event-stream");
        let most = match fate {
            Fate::After => return None,
            Fate::Within(most) => most,
            _ => usize::MAX,
        };
        client.write_all(&answer[..most.min(answer.len())]).ok()?;
        if most <= answer.len() {
            return None;
        }
        if is_stream {
            return pump(&mut service, &mut client, most - answer.len());
        }
    }
}

/// Passes on this many bytes of a stream, or all until one side goes.
fn pump(service: &mut TcpStream, client: &mut TcpStream, mut most: usize) -> Option<()> {
    service.set_read_timeout(Some(Duration::from_millis(50))).ok()?;
    client.set_nonblocking(true).ok()?;
    let mut bytes = [0; 4096];
    while most > 0 {
        let room = most.min(bytes.len());
        match service.read(&mut bytes[..room]) {
            Ok(0) => return None,
            Ok(count) => {
                client.write_all(&bytes[..count]).ok()?;
                most -= count;
                if bytes[..count].ends_with(b"0\r\n\r\n") {
                    return None;
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                // The client sends nothing: it is there or gone.
                if matches!(client.read(&mut bytes), Ok(0)) {
                    return None;
                }
            }
            Err(_) => return None,
        }
    }
    None
}

/// A server that gives these answers in their order, each on a connection of its own.
pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    pub(crate) fn of<S: Into<Vec<u8>>>(answers: impl IntoIterator<Item = S>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut answers: VecDeque<Vec<u8>> = answers.into_iter().map(Into::into).collect();
        let told = Arc::clone(&seen);
        thread::spawn(move || {
            while let Some(answer) = answers.pop_front() {
                let (mut stream, _) = listener.accept().unwrap();
                let Some(request) = message(&mut stream) else {
                    continue;
                };
                told.lock().unwrap().push(String::from_utf8(request).unwrap());
                let _ = stream.write_all(&answer);
            }
        });
        Self { address, seen }
    }

    pub(crate) fn client(&self) -> Client {
        client(self.address)
    }

    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

/// An answer with a body.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}")
}

/// The beginning of a stream of events that ends with the connection.
pub(crate) fn stream(events: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}")
}

/// The name of a request that was sent.
pub(crate) fn request_id(request: &str) -> &str {
    let (_, rest) = request.split_once("\"request_id\":\"").unwrap();
    rest.split('"').next().unwrap()
}
