//! Over HTTP on this machine.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use matchwright_queue::live::{FileName, Files, Storage};
use matchwright_service::http::{HttpSettings, Listening, router, serve};
use matchwright_service::{MatchResult, Problem, Service, Settings};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::client::{Connection, field};
use crate::{Options, POLICY, device, fill, quantile, shown};

/// Players who call at a time in `calls`.
const PLAYERS: u64 = 256;
/// Players of the steady rates.
const PLAYING: u64 = 200_000;
/// How long they play.
const PLAYED: Duration = Duration::from_secs(5);
/// Pairs that are on their way at a time at a steady rate; more would be refused.
const PAIRS: usize = 4000;

/// A device each of whose syncs takes at least this long.
struct Slow {
    files: Files,
    takes: Duration,
}

impl Storage for Slow {
    fn lock(&mut self) -> std::io::Result<()> {
        self.files.lock()
    }
    fn list(&mut self) -> std::io::Result<Vec<(FileName, u64)>> {
        self.files.list()
    }
    fn remove(&mut self, name: FileName) -> std::io::Result<()> {
        self.files.remove(name)
    }
    fn create(&mut self, name: FileName, len: u64) -> std::io::Result<()> {
        self.files.create(name, len)
    }
    fn read(&mut self, name: FileName, at: u64, into: &mut [u8]) -> std::io::Result<usize> {
        self.files.read(name, at, into)
    }
    fn write(&mut self, name: FileName, at: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.files.write(name, at, bytes)
    }
    fn sync(&mut self, name: FileName) -> std::io::Result<()> {
        std::thread::sleep(self.takes);
        self.files.sync(name)
    }
    fn publish(&mut self, name: FileName, from: &mut dyn std::io::Read) -> std::io::Result<()> {
        self.files.publish(name, from)
    }
}

fn opened(folder: &Path, options: &Options, slow: Option<Duration>) -> Service {
    let path = folder.to_owned();
    let service = match slow {
        None => Service::open_folder(folder, POLICY, Settings::default()),
        Some(takes) => {
            let open = move || Files::new(&path).map(|files| Slow { files, takes });
            Service::open(open, POLICY, Settings::default())
        }
    };
    let service = service.unwrap();
    fill(&service, options.open);
    service
}

/// Serves on threads of its own.
fn listen(runtime: &Runtime, service: &Service) -> SocketAddr {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let listening = Listening {
        listener,
        tls: None,
        connections: 100_000,
    };
    let calls = router(service.clone(), HttpSettings::default());
    runtime.spawn(serve(listening, calls, service.clone(), std::future::pending()));
    address
}

fn body(player: &str, level: u64) -> String {
    format!(
        r#"{{"players":[{{"id":"{player}","attributes":{{"level":{level}}}}}],"regions":{{"eu":20,"us":90}}}}"#
    )
}

/// A ticket's next state after one of which an answer tells.
async fn watched(connection: &mut Connection, mut answer: String) -> String {
    while field(&answer, "state") == "waiting" {
        let path = format!(
            "/v1/tickets/{}?wait=25&version={}",
            field(&answer, "id"),
            field(&answer, "version")
        );
        answer = connection.call("GET", &path, "").await.1;
    }
    answer
}

pub(crate) fn calls(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("calls: {}", device(folder.path()));
    let service = opened(folder.path(), options, None);
    let runtime = Runtime::new().unwrap();
    let address = listen(&runtime, &service);
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let number = Arc::new(AtomicU64::new(0));
    let told = client().block_on(async {
        let mut players = JoinSet::new();
        for _ in 0..PLAYERS {
            let number = Arc::clone(&number);
            players.spawn(async move {
                let mut connection = Connection::open(address).await;
                let mut told = 0_u64;
                while Instant::now() < end {
                    let number = number.fetch_add(1, Ordering::Relaxed);
                    let level = 1000 * (number / 2 + 1);
                    let (status, answer) = connection
                        .call("POST", "/v1/tickets", &body(&format!("p{number}"), level))
                        .await;
                    assert_eq!(status, 201, "{answer}");
                    // The last one of a run may be alone.
                    let told_in_time = tokio::time::timeout_at(
                        end + Duration::from_secs(1),
                        watched(&mut connection, answer),
                    );
                    told += u64::from(told_in_time.await.is_ok());
                }
                told
            });
        }
        players.join_all().await.into_iter().sum::<u64>()
    });
    println!(
        "calls: {:.0} creates with a watched match a second, {PLAYERS} players, {} open",
        told as f64 / options.seconds as f64,
        options.open
    );
    service.close();
}

/// What became of pairs.
#[derive(Default)]
struct Pairs {
    /// From the time at which each match was possible until both were told, from the least on.
    told: Vec<Duration>,
    /// From the sending of each second create until its answer, from the least on.
    answered: Vec<Duration>,
    failed: u64,
    /// Not begun, since too many were on their way.
    skipped: u64,
}

impl Pairs {
    fn take(&mut self, done: Option<(Duration, Duration)>) {
        match done {
            Some((told, answered)) => {
                self.told.push(told);
                self.answered.push(answered);
            }
            None => self.failed += 1,
        }
    }
}

/// When a pair's first is to come, and what tells that its second is.
type Due = (Instant, oneshot::Receiver<()>);

/// Tells when each of this many pairs is due, on a thread of its own: timers of tasks tick once a millisecond, which would be taken for
/// the service's time.
fn paced(count: u64, rate: u64, lag: Duration) -> mpsc::UnboundedReceiver<Due> {
    let (tell, told) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let pause = |at: Instant| std::thread::sleep(at.saturating_duration_since(Instant::now()));
        let began = Instant::now() + Duration::from_millis(100);
        let mut seconds: VecDeque<(Instant, oneshot::Sender<()>)> = VecDeque::new();
        for pair in 0..count {
            let at = began + Duration::from_secs_f64(2.0 * pair as f64 / rate as f64);
            while seconds.front().is_some_and(|second| second.0 <= at)
                && let Some((due, second)) = seconds.pop_front()
            {
                pause(due);
                // Dropped: it was not begun.
                let _ = second.send(());
            }
            pause(at);
            let (second, comes) = oneshot::channel();
            seconds.push_back((at + lag, second));
            tell.send((at, comes)).unwrap();
        }
        for (due, second) in seconds {
            pause(due);
            let _ = second.send(());
        }
    });
    told
}

/// Pairs at a steady rate: the first of two comes some time before the second, whose coming makes the match possible. What they play is
/// reported later.
async fn pairs(
    service: &Service,
    address: SocketAddr,
    first: u64,
    rate: u64,
    time: Duration,
    lag: Duration,
) -> Pairs {
    let pool: Arc<Mutex<Vec<Connection>>> = Arc::default();
    let places = Arc::new(Semaphore::new(PAIRS));
    let mut due = paced(rate * time.as_secs() / 2, rate, lag);
    let (mut running, mut all, mut pair) = (JoinSet::new(), Pairs::default(), 0);
    while let Some((at, second)) = due.recv().await {
        pair += 1;
        while let Some(done) = running.try_join_next() {
            all.take(done.unwrap());
        }
        // Beyond it the client's own connections would be what is measured.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            all.skipped += 1;
            continue;
        };
        let pool = Arc::clone(&pool);
        let service = service.clone();
        running.spawn(async move {
            let _place = place;
            let number = first + pair;
            let players = [number % (PLAYING / 2), PLAYING / 2 + number % (PLAYING / 2)];
            let take = || {
                pool.lock()
                    .unwrap()
                    .pop()
                    .filter(|connection: &Connection| !connection.is_old())
            };
            let mut one = match take() {
                Some(connection) => connection,
                None => Connection::open(address).await,
            };
            let mut other = match take() {
                Some(connection) => connection,
                None => Connection::open(address).await,
            };
            let level = 1000 * (number + 1);
            let possible = at + lag;
            let (mut answered, mut match_id) = (Duration::ZERO, String::new());
            let waits = async {
                let (status, answer) = one
                    .call("POST", "/v1/tickets", &body(&format!("p{}", players[0]), level))
                    .await;
                if status != 201 {
                    return false;
                }
                let told = watched(&mut one, answer).await;
                match_id.push_str(field(&told, "match"));
                field(&told, "state") == "matched"
            };
            let comes = async {
                second.await.unwrap();
                let sent = Instant::now();
                let (status, answer) = other
                    .call("POST", "/v1/tickets", &body(&format!("p{}", players[1]), level))
                    .await;
                answered = sent.elapsed();
                if status != 201 {
                    return false;
                }
                field(&watched(&mut other, answer).await, "state") == "matched"
            };
            let both =
                tokio::time::timeout(Duration::from_secs(5), async { tokio::join!(waits, comes) }).await;
            let told = possible.elapsed();
            if both != Ok((true, true)) {
                // What is left of them would keep the players from coming again.
                for player in players {
                    free(&service, player).await;
                }
                return None;
            }
            pool.lock().unwrap().extend([one, other]);
            tokio::spawn(async move {
                tokio::time::sleep(PLAYED).await;
                // Dropped: the run is over.
                let _ = service.report(&match_id, MatchResult::of_places([1, 2])).await;
            });
            Some((told, answered))
        });
    }
    for done in running.join_all().await {
        all.take(done);
    }
    all.told.sort_unstable();
    all.answered.sort_unstable();
    all
}

/// Whatever a player is in is over.
async fn free(service: &Service, player: u64) {
    let view = service.player(&format!("p{player}")).await;
    let Some(ticket) = view.ok().and_then(|view| view.ticket) else {
        return;
    };
    if let Err(Problem::IsMatched { match_id, .. }) = service.cancel(&ticket.id, None).await {
        // Dropped: another has reported it.
        let _ = service.report(&match_id, MatchResult::of_places([1, 2])).await;
    }
}

const LAG: Duration = Duration::from_millis(20);

pub(crate) fn told(options: &Options, slow: Option<Duration>) {
    let name = if slow.is_some() { "slow-sync" } else { "told" };
    let folder = tempfile::tempdir().unwrap();
    println!("{name}: {}", device(folder.path()));
    let service = opened(folder.path(), options, slow);
    let runtime = Runtime::new().unwrap();
    let address = listen(&runtime, &service);
    // A slow device needs the first of two to be on it before the second comes.
    let lag = LAG + slow.unwrap_or_default() * 4;
    let time = Duration::from_secs(options.seconds);
    let pairs = client().block_on(pairs(&service, address, 0, options.rate, time, lag));
    println!(
        "{name}: match possible to both told at {} creates a second, {} open: {}; {} matches, {} failed, {} not begun",
        options.rate,
        options.open,
        shown(&pairs.told),
        pairs.told.len(),
        pairs.failed,
        pairs.skipped
    );
    println!(
        "{name}: create to its answer: {}; sync p99 {:.2} ms",
        shown(&pairs.answered),
        1000.0 * service.stats().sync[1]
    );
    service.close();
}

/// The threads of those who call, apart from the service's.
fn client() -> Runtime {
    Runtime::new().unwrap()
}

pub(crate) fn overload(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("overload: {}", device(folder.path()));
    let service = opened(folder.path(), options, None);
    let runtime = Runtime::new().unwrap();
    let address = listen(&runtime, &service);
    let (client, short) = (client(), Duration::from_secs(8));
    let (mut capacity, mut first) = (0, 0);
    for rate in [2000, 3000, 4000, 5000, 6000, 8000, 10_000, 12_000, 15_000, 18_000] {
        // A second and a third try, since the machine has other things to do at times.
        let is_held = (0..3).any(|_| {
            let pairs = client.block_on(pairs(&service, address, first, rate, short, LAG));
            first += rate * short.as_secs() / 2;
            pairs.failed + pairs.skipped == 0 && quantile(&pairs.told, 990) <= 10.0
        });
        if !is_held {
            break;
        }
        capacity = rate;
    }
    println!("overload: capacity {capacity} creates a second, the greatest rate with p99 <= 10 ms");
    let time = Duration::from_secs(options.seconds);
    let over = client.block_on(pairs(&service, address, first, 2 * capacity, time, LAG));
    first += capacity * options.seconds;
    let goodput = 2.0 * over.told.len() as f64 / time.as_secs_f64();
    println!(
        "overload: at twice that for {} s {:.0} creates a second were matched, {:.0} % of capacity: {}; {} failed, {} not begun",
        options.seconds,
        goodput,
        100.0 * goodput / capacity as f64,
        shown(&over.told),
        over.failed,
        over.skipped
    );
    std::thread::sleep(Duration::from_secs(2));
    let after = client.block_on(pairs(&service, address, first, capacity / 2, short, LAG));
    println!(
        "overload: two seconds after it, at half of capacity: {}; {} failed, {} not begun",
        shown(&after.told),
        after.failed,
        after.skipped
    );
    service.close();
}

/// How soon a service that is started on an empty folder has told two of a match.
pub(crate) fn start() {
    let folder = tempfile::tempdir().unwrap();
    let mut times: Vec<Duration> = Vec::new();
    for run in 0..5 {
        let began = Instant::now();
        let mut served = std::process::Command::new(std::env::current_exe().unwrap())
            .arg("--serve")
            .arg(folder.path().join(run.to_string()))
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut told = std::io::BufReader::new(served.stdout.take().unwrap());
        std::io::BufRead::read_line(&mut told, &mut line).unwrap();
        let state = client().block_on(async {
            let mut connection = Connection::open(line.trim().parse().unwrap()).await;
            connection.call("POST", "/v1/tickets", &body("ann", 1)).await;
            let (_, answer) = connection.call("POST", "/v1/tickets", &body("bob", 1)).await;
            field(&answer, "state").to_owned()
        });
        times.push(began.elapsed());
        served.kill().unwrap();
        served.wait().unwrap();
        assert_eq!(state, "matched");
    }
    times.sort_unstable();
    println!(
        "start: from its start to the first match {:.0} ms, the median of five",
        quantile(&times, 500)
    );
}

/// Serves a new folder, and tells where.
pub(crate) fn serve_new(folder: &Path) -> ! {
    let service = Service::open_folder(folder, POLICY, Settings::default()).unwrap();
    let runtime = Runtime::new().unwrap();
    println!("{}", listen(&runtime, &service));
    loop {
        std::thread::park();
    }
}
