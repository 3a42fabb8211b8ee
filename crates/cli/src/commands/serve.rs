//! `matchwright serve`: matchmaking over HTTP, and what is done with its files.

mod files;
mod listen;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use matchwright_queue::live::{Files, OpenError};
use matchwright_rating::RatingParams;
use matchwright_service::http::{HttpSettings, KeyRing, Servers, Webhook, assign, router, serve};
use matchwright_service::{Relaxed, Service, Settings};
use tokio::runtime::Runtime;

use crate::arguments::{DurabilityChoice, RatingChoice, RunService, ServeOptions, ServeWhat};
use crate::failure::{Failure, ShownPath, tell};
use crate::input::{Named, SystemFile, import_queue};

/// What a folder begins with where nothing else is asked for.
const DEFAULT_POLICY: &str = "duel";

pub(crate) fn run(options: &ServeOptions) -> Result<(), Failure> {
    match &options.what {
        None => serve_calls(&options.run),
        Some(ServeWhat::Verify(folder)) => files::verify(&folder.data),
        Some(ServeWhat::Backup { folder, to }) => files::backup(&folder.data, to),
        Some(ServeWhat::Results(folder)) => files::results(&folder.data),
        Some(ServeWhat::Erase { folder, player }) => files::erase(&folder.data, player),
    }
}

/// Why a folder cannot be opened, with what to do.
fn unopened(folder: &Path, error: OpenError) -> Failure {
    match error {
        OpenError::Owned => Failure::Owned(format!(
            "{}: another process has this folder: stop it, or name another one by --data",
            folder.shown()
        )),
        error => Failure::Failed(format!("{}: {error}", folder.shown())),
    }
}

/// The text of a policy that was read and checked.
fn policy(path: &Path) -> Result<String, Failure> {
    if path.extension().is_some_and(|end| end == "json") {
        return Err(Failure::Usage(
            "--policy: a service takes policies in TOML".to_owned(),
        ));
    }
    let named = Named::policy("--policy", path)?;
    import_queue(&named)?;
    match named {
        Named::File(path) => std::fs::read_to_string(&path).map_err(Failure::io(path.shown())),
        Named::Carried(example) => Ok(example.text.to_owned()),
    }
}

/// How results are to be rated; `None` if nothing was asked for, or ratings are kept elsewhere.
fn rating(run: &RunService) -> Result<Option<RatingParams>, Failure> {
    match (run.rating, &run.rating_config) {
        (None | Some(RatingChoice::Elsewhere), None) => Ok(None),
        (None | Some(RatingChoice::Elsewhere), Some(_)) => Err(Failure::Usage(
            "--rating none has no parameters: leave out --rating-config".to_owned(),
        )),
        (Some(RatingChoice::Here(system)), None) => Ok(Some(RatingParams::of(system))),
        (Some(RatingChoice::Here(system)), Some(path)) => {
            let file = SystemFile::read(path)?;
            let params = file.get(system).cloned().ok_or_else(|| {
                let names = file.names();
                Failure::Failed(format!(
                    "{}: there is no {system} in it, but {names}",
                    path.shown()
                ))
            });
            params.map(Some)
        }
    }
}

/// Opens the service of the folder, or begins it.
fn open(run: &RunService) -> Result<Service, Failure> {
    let given = run.policy.as_deref().map(policy).transpose()?;
    let rating = rating(run)?;
    let is_new = !Files::are_in(&run.data);
    let begin = match &given {
        Some(document) => document.clone(),
        None => policy(Path::new(DEFAULT_POLICY))?,
    };
    let mut settings = Settings::default();
    settings.keep_results = run.keep_results;
    // A result is disputed by its match.
    settings.known = settings.known.max(run.keep_results);
    if run.rating.is_some() {
        settings.ratings.clone_from(&rating);
    }
    let folder = run.data.clone();
    let opened = match run.durability {
        DurabilityChoice::Sync => Service::open(move || Files::new(&folder), &begin, settings),
        DurabilityChoice::Late(every) => Service::open(
            move || Relaxed::new(|| Files::new(&folder), Some(every)),
            &begin,
            settings,
        ),
        DurabilityChoice::Never => Service::open(
            move || Relaxed::new(|| Files::new(&folder), None),
            &begin,
            settings,
        ),
    };
    let service = opened.map_err(|error| unopened(&run.data, error))?;
    let kept = service.rating_params().wait().map_err(Failure::of)?;
    if run.rating.is_some() && rating != kept {
        let name = kept.map_or("none", |params| params.system.name().name());
        service.close();
        return Err(Failure::Failed(format!(
            "{}: its results are rated otherwise (--rating {name}), and a folder keeps what it began with: leave out --rating, or \
             begin a new folder",
            run.data.shown()
        )));
    }
    if let Some(document) = given.filter(|document| !is_new && *document != service.policy()) {
        set_policy(&service, &document)?;
        tell("the policy of the folder was another one: from now on --policy decides");
    }
    Ok(service)
}

fn set_policy(service: &Service, document: &str) -> Result<(), Failure> {
    let set = service.set_policy(document).wait();
    set.map_err(|problem| Failure::Failed(format!("the policy stays as it was: {problem}")))
}

fn serve_calls(run: &RunService) -> Result<(), Failure> {
    if run.keys.is_none() && !run.listen.ip().is_loopback() {
        return Err(Failure::Usage(format!(
            "--listen {}: without --keys anyone who reaches it may do everything: give --keys, --issuer and --audience, or listen on 127.0.0.1",
            run.listen
        )));
    }
    let keys = listen::keys(run)?;
    let tls = listen::tls(run)?;
    let servers = servers(run)?;
    let traces = listen::log(run)?;
    let service = open(run)?;
    let runtime = Runtime::new().map_err(Failure::io("starting threads"))?;
    let served = runtime.block_on(async {
        let listening = listen::bind(run, tls).await?;
        let signals = Signals::new().map_err(Failure::io("waiting for signals"))?;
        tell_where(run, &service);
        let http = HttpSettings {
            keys: keys.clone(),
            heartbeat_within: run.heartbeat_within.map(|seconds| 1000 * seconds),
            ..HttpSettings::default()
        };
        let calls = router(service.clone(), http);
        if let Some(servers) = servers {
            tokio::spawn(assign(service.clone(), servers));
        }
        let files = Reloaded {
            policy: run.policy.clone(),
            keys,
        };
        let until = ended(signals, service.clone(), files);
        serve(listening, calls, service.clone(), until)
            .await
            .map_err(Failure::io("serving"))
    });
    let stopped = service.stopped().map(str::to_owned);
    service.close();
    runtime.shutdown_timeout(Duration::from_secs(1));
    traces.end();
    served?;
    stopped.map_or(Ok(()), |why| {
        Err(Failure::Stopped(format!(
            "{}: {why}; what was answered is on the disk: mend it, and start again",
            run.data.shown()
        )))
    })
}

fn tell_where(run: &RunService, service: &Service) {
    let scheme = if run.tls_key.is_some() { "https" } else { "http" };
    let policy = service.check_policy(&service.policy());
    let policy = policy.map_or_else(|_| String::new(), |[name, version]| format!("{name} {version}"));
    let rating = service.rating_params().wait().ok().flatten();
    let rating = rating.map_or("kept elsewhere", |params| params.system.name().name());
    let durability = match run.durability {
        DurabilityChoice::Sync => "before each answer".to_owned(),
        DurabilityChoice::Late(time) => format!("{} ms after an answer at the latest", time.as_millis()),
        DurabilityChoice::Never => "when the operating system likes".to_owned(),
    };
    let may = if run.keys.is_some() {
        "by tokens"
    } else {
        "anyone on this machine"
    };
    tell(&format!(
        "listening on {scheme}://{}; policy: {policy}; ratings: {rating}; data in {}, on the disk {durability}; who may call: {may}",
        run.listen,
        run.data.shown()
    ));
}

/// Where matches are played, if that is for the service to find out.
fn servers(run: &RunService) -> Result<Option<Servers>, Failure> {
    if let (Some(url), Some(path)) = (&run.webhook, &run.webhook_secret) {
        if !(url.starts_with("https://") || url.starts_with("http://")) {
            return Err(Failure::Usage(
                "--webhook: give an address that begins with https:// or http://".to_owned(),
            ));
        }
        let secret = std::fs::read(path).map_err(Failure::io(path.shown()))?;
        let secret = secret.trim_ascii().to_vec();
        if secret.len() < 16 {
            return Err(Failure::Failed(format!(
                "{}: a secret of {} bytes: give 16 or more",
                path.shown(),
                secret.len()
            )));
        }
        return Ok(Some(Servers::Webhook(Webhook {
            url: url.clone(),
            secret,
        })));
    }
    let listed: std::collections::BTreeSet<&String> = run.servers.iter().collect();
    if listed.len() < run.servers.len() || listed.iter().any(|server| server.is_empty()) {
        return Err(Failure::Usage(
            "--servers: each one once, separated by commas".to_owned(),
        ));
    }
    Ok((!run.servers.is_empty()).then(|| Servers::Listed(run.servers.clone())))
}

/// What is read again while it runs.
#[cfg_attr(not(unix), expect(dead_code, reason = "there is no SIGHUP"))]
struct Reloaded {
    policy: Option<PathBuf>,
    keys: Option<Arc<KeyRing>>,
}

/// What others ask of the process.
#[cfg(unix)]
struct Signals {
    hangup: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// From here on they are waited for.
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Until the process is to end; on the way files are read again at each SIGHUP.
    async fn ended(mut self, service: &Service, files: &Reloaded) {
        loop {
            tokio::select! {
                _ = self.terminate.recv() => return,
                _ = self.interrupt.recv() => return,
                _ = self.hangup.recv() => reload(service, files).await,
            }
        }
    }
}

/// Elsewhere there is Ctrl-C alone; `PUT /v1/policy` sets a policy.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn ended(self, _: &Service, _: &Reloaded) {
        // Dropped: where it cannot be waited for, it ends the process.
        let _ = tokio::signal::ctrl_c().await;
    }
}

#[cfg(unix)]
async fn reload(service: &Service, files: &Reloaded) {
    if let Some(keys) = &files.keys {
        match keys.reload() {
            Ok(()) => tell("SIGHUP: the keys were read again"),
            Err(why) => tell(&format!("SIGHUP: the keys stay as they were: {why}")),
        }
    }
    let Some(path) = &files.policy else {
        return tell("SIGHUP: there is no --policy to read again");
    };
    let set = match policy(path) {
        Ok(document) => service
            .set_policy(&document)
            .await
            .map_err(|problem| problem.to_string()),
        Err(failure) => Err(failure.to_string()),
    };
    match set {
        Ok(()) => tell("SIGHUP: the policy was read again, and decides from now on"),
        Err(why) => tell(&format!("SIGHUP: the policy stays as it was: {why}")),
    }
}

/// Until the process is told to end, or the service has stopped.
async fn ended(signals: Signals, service: Service, files: Reloaded) {
    let stopped = async {
        while service.stopped().is_none() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        () = signals.ended(&service, &files) => {}
        () = stopped => {}
    }
}
