//! `matchwright serve` as a process: calls, signals, files, and what it says where it cannot run.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{answer, complaint, example};

/// A service that runs, at an address that was free.
struct Served {
    child: Child,
    told: BufReader<std::process::ChildStderr>,
    address: String,
}

impl Served {
    fn start(data: &Path, more: &[&str]) -> Self {
        // Somebody else may take the port between: then it is tried again.
        for _ in 0..20 {
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let address = free.local_addr().unwrap().to_string();
            drop(free);
            let mut child = Command::new(assert_cmd::cargo::cargo_bin!("matchwright"))
                .args(["serve", "--listen", &address, "--data", data.to_str().unwrap()])
                .args(more)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut told = BufReader::new(child.stderr.take().unwrap());
            let mut line = String::new();
            while !line.contains("listening on") {
                line.clear();
                if told.read_line(&mut line).unwrap() == 0 {
                    break;
                }
            }
            if line.contains("listening on") {
                return Self { child, told, address };
            }
            child.wait().unwrap();
        }
        unreachable!("no port was free, or the service does not start");
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        self.try_call(method, path, body).unwrap()
    }

    /// None if the connection was lost.
    fn try_call(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let agent =
            ureq::Agent::new_with_config(ureq::Agent::config_builder().http_status_as_error(false).build());
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address))
            .body(if body.is_null() {
                String::new()
            } else {
                body.to_string()
            })
            .unwrap();
        let mut response = agent.run(request).ok()?;
        let text = response.body_mut().read_to_string().ok()?;
        let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Some((response.status().as_u16(), value))
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    /// The exit code, and all that was told from the start on.
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        self.signal(signal);
        let code = self.child.wait().unwrap().code();
        let mut said = String::new();
        self.told.read_to_string(&mut said).unwrap();
        (code, said)
    }

    fn hears(&mut self, wanted: &str) {
        let mut line = String::new();
        while !line.contains(wanted) {
            line.clear();
            assert_ne!(self.told.read_line(&mut line).unwrap(), 0, "{wanted}");
        }
    }

    /// Both play, and the first wins.
    fn play(&self, one: &str, other: &str) {
        self.call("POST", "/v1/tickets", &json!({ "players": [one] }));
        let (_, ticket) = self.call("POST", "/v1/tickets", &json!({ "players": [other] }));
        let found = ticket["match"].as_str().unwrap();
        let (status, ended) = self.call(
            "POST",
            &format!("/v1/matches/{found}/result"),
            &json!({ "places": [1, 2] }),
        );
        assert_eq!(status, 200, "{ended}");
    }
}

#[test]
fn the_lines_of_the_help_lead_to_a_rated_match() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let served = Served::start(&data, &[]);
    served.play("ann", "bob");
    let (_, ann) = served.call("GET", "/v1/players/ann", &Value::Null);
    assert!(ann["rated"]["rating"].as_f64().unwrap() > 1600.0, "{ann}");
    let (_, page) = served.call("GET", "/", &Value::Null);
    assert!(
        page.as_str().unwrap().contains("Matches of the last minute"),
        "{page}"
    );
    // The folder has one owner, and can be read, copied and checked while it runs.
    let taken = complaint(
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--data",
            data.to_str().unwrap(),
        ],
        "",
        75,
    );
    assert!(taken.contains("another process has this folder"), "{taken}");
    let copy = folder.path().join("copy");
    let copied = answer(
        &["serve", "backup", data.to_str().unwrap(), copy.to_str().unwrap()],
        "",
    );
    assert!(copied.contains("which was checked"), "{copied}");
    let (code, said) = served.end("-TERM");
    assert_eq!(code, Some(0), "{said}");
    let checked = answer(&["serve", "verify", data.to_str().unwrap()], "");
    assert!(
        checked.contains("2 tickets, 1 matches and 1 results"),
        "{checked}"
    );

    // Killed at once, it goes on from what it has answered; so does the copy.
    for data in [&data, &copy] {
        let served = Served::start(data, &[]);
        let (_, again) = served.call("GET", "/v1/players/ann", &Value::Null);
        assert_eq!(again, ann);
        let (status, _) = served.call(
            "POST",
            "/v1/tickets",
            &json!({ "players": ["cyd"], "request_id": "1" }),
        );
        assert_eq!(status, 201);
        served.end("-KILL");
        let served = Served::start(data, &[]);
        let (status, ticket) = served.call(
            "POST",
            "/v1/tickets",
            &json!({ "players": ["cyd"], "request_id": "1" }),
        );
        assert_eq!((status, &ticket["state"]), (200, &json!("waiting")));
        served.end("-INT");
    }
}

#[test]
fn ratings_are_those_of_rate_on_the_results_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let served = Served::start(Path::new(data), &["--rating", "elo"]);
    let names = ["ann", "bob", "cyd", "dot"];
    for round in 0..12 {
        served.play(names[round % 4], names[(round * 3 + 1) % 4]);
    }
    let rated = |served: &Served, name: &str| {
        served.call("GET", &format!("/v1/players/{name}"), &Value::Null).1["rated"]["rating"].clone()
    };
    let ratings: Vec<Value> = names.iter().map(|name| rated(&served, name)).collect();
    served.end("-TERM");
    let results = answer(&["serve", "results", data], "");
    assert_eq!(results.lines().count(), 12);
    let out = folder.path().join("ratings.csv");
    answer(
        &[
            "rate",
            "--system",
            "elo",
            "-",
            "--out",
            out.to_str().unwrap(),
            "--keep-repeats",
        ],
        results.clone(),
    );
    let table = std::fs::read_to_string(out).unwrap();
    for (name, rating) in names.iter().zip(&ratings) {
        let line = table
            .lines()
            .find(|line| line.starts_with(&format!("{name},")))
            .unwrap();
        let written: f64 = line.split(',').nth(1).unwrap().parse().unwrap();
        assert_eq!(Some(written), rating.as_f64(), "{line}");
    }
    let served = Served::start(Path::new(data), &[]);
    served.play("\u{202e}eve", "fay");
    served.end("-TERM");
    let results = answer(&["serve", "results", data], "");
    assert!(
        results.contains("\\u202eeve") && !results.contains('\u{202e}'),
        "{results}"
    );
    // A folder keeps the system that it began with.
    let other = complaint(
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--data",
            data,
            "--rating",
            "glicko2",
        ],
        "",
        1,
    );
    assert!(other.contains("--rating elo"), "{other}");
    // Who is erased is in no file.
    answer(&["serve", "erase", data, "dot"], "");
    let unknown = complaint(&["serve", "erase", data, "dot"], "", 1);
    assert!(unknown.contains("there is no player dot"), "{unknown}");
    for file in std::fs::read_dir(data).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(3).any(|three| three == b"dot"));
    }
    let served = Served::start(Path::new(data), &[]);
    assert_eq!(rated(&served, "ann"), ratings[0]);
    served.end("-TERM");
}

#[test]
fn a_policy_is_read_again_and_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (data, policy) = (folder.path().join("data"), folder.path().join("policy.toml"));
    let duel = std::fs::read_to_string(example("policies/duel.toml")).unwrap();
    std::fs::write(&policy, &duel).unwrap();
    let mut served = Served::start(&data, &["--policy", policy.to_str().unwrap()]);
    std::fs::write(&policy, duel.replace("version = \"1\"", "version = \"2\"")).unwrap();
    served.signal("-HUP");
    served.hears("decides from now on");
    let (_, text) = served.call("GET", "/v1/policy", &Value::Null);
    assert!(text.as_str().unwrap().contains("version = \"2\""), "{text}");
    std::fs::write(&policy, "name = 3").unwrap();
    served.signal("-HUP");
    served.hears("policy.toml:1:");
    assert_eq!(served.call("GET", "/v1/policy", &Value::Null).1, text);
    // What a file says at the start decides, too.
    served.end("-TERM");
    std::fs::write(&policy, duel.replace("version = \"1\"", "version = \"3\"")).unwrap();
    let served = Served::start(&data, &["--policy", policy.to_str().unwrap()]);
    let (_, text) = served.call("GET", "/v1/policy", &Value::Null);
    assert!(text.as_str().unwrap().contains("version = \"3\""), "{text}");
    served.play("ann", "bob");
    served.end("-TERM");
    // The log of the service is replayed as any other.
    let replayed = answer(&["replay", data.to_str().unwrap(), "--policy", "duel"], "");
    assert!(replayed.contains("duel"), "{replayed}");
}

#[test]
fn servers_of_a_list_take_one_match_each() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder.path().join("data"), &["--servers", "a:1,b:2"]);
    let mut matches = Vec::new();
    for pair in [["ann", "bob"], ["cyd", "dot"], ["eve", "fay"]] {
        served.call("POST", "/v1/tickets", &json!({ "players": [pair[0]] }));
        let (_, ticket) = served.call("POST", "/v1/tickets", &json!({ "players": [pair[1]] }));
        matches.push(ticket["match"].as_str().unwrap().to_owned());
    }
    let connection = |found: &str| {
        served
            .call("GET", &format!("/v1/matches/{found}"), &Value::Null)
            .1["connection"]
            .clone()
    };
    let until = |is_so: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    until(&|| connection(&matches[0]) == "a:1" && connection(&matches[1]) == "b:2");
    assert_eq!(connection(&matches[2]), Value::Null);
    served.call(
        "POST",
        &format!("/v1/matches/{}/result", matches[1]),
        &json!({ "places": [1, 1] }),
    );
    until(&|| connection(&matches[2]) == "b:2");
    served.end("-TERM");
}

#[test]
fn what_cannot_be_served_is_said_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let file = folder.path().join("keys.json");
    std::fs::write(&file, "{\"keys\": []}").unwrap();
    let keys = file.to_str().unwrap();
    let with_keys = ["--keys", keys, "--issuer", "i", "--audience", "a"];
    let cases: [(&[&str], i32, &str); 9] = [
        (&["--listen", "0.0.0.0:0"], 2, "without --keys"),
        (&["--listen", "localhost"], 2, "invalid socket address"),
        (&["--policy", "duell"], 2, "neither a file nor a policy"),
        (&["--policy", "x.json"], 2, "policies in TOML"),
        (&["--rating", "elo3"], 2, "give none, or one of elo"),
        (&["--durability", "async=0"], 2, "from 1 to 60000"),
        (&["--servers", "a,a"], 2, "each one once"),
        (&["--keys", keys], 2, "--issuer"),
        (&with_keys, 1, "keys.json: the JWKS has no key"),
    ];
    for (arguments, code, wanted) in cases {
        let all: Vec<&str> = ["serve", "--data", data]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        let said = complaint(&all, "", code);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    assert!(!Path::new(data).exists(), "a folder was made for nothing");
    let none = complaint(&["serve", "verify", data], "", 1);
    assert!(none.contains("no files of a service here"), "{none}");
}

/// As a reader would paste them, but for the port, which may be taken.
#[test]
fn the_lines_of_the_readme_run() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    if Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: there is no curl");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder.path().join("matchwright-data"), &[]);
    let mut found = String::new();
    let mut last = Value::Null;
    for line in lines {
        let line = line
            .replace("localhost:7711", &served.address)
            .replace("MATCH", &found);
        let run = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(run.status.success(), "{line}");
        last = serde_json::from_slice(&run.stdout).unwrap();
        if let Some(id) = last["match"].as_str() {
            id.clone_into(&mut found);
        }
    }
    assert!(last["rated"]["rating"].as_f64().unwrap() > 1600.0, "{last}");
    served.end("-TERM");
}

/// Each request that was answered has its ticket, and no player has two tickets or is in two matches.
fn nothing_is_lost(served: &Served, asked: &[(u64, Option<String>)]) {
    let (mut of_player, mut after) = (std::collections::BTreeMap::new(), String::new());
    loop {
        let (_, page) = served.call("GET", &format!("/v1/tickets?limit=1000{after}"), &Value::Null);
        let page = page.as_array().unwrap();
        for ticket in page {
            let player = ticket["players"][0].as_str().unwrap().to_owned();
            let twice = of_player.insert(player, ticket["id"].clone());
            assert_eq!(twice, None, "a ticket twice: {ticket}");
        }
        match page.last() {
            Some(last) => after = format!("&after={}", last["id"].as_str().unwrap()),
            None => break,
        }
    }
    let answered: Vec<_> = asked
        .iter()
        .filter_map(|(number, id)| Some((number, id.as_ref()?)))
        .collect();
    for (number, id) in &answered {
        assert_eq!(
            of_player[&format!("p{number}")],
            json!(id),
            "request {number} was answered and is lost"
        );
    }
    let (_, matches) = served.call("GET", "/v1/matches?limit=1000", &Value::Null);
    let mut players = std::collections::BTreeSet::new();
    for player in matches
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|found| found["teams"].as_array().unwrap())
    {
        assert!(players.insert(player.to_string()), "{player} is in two matches");
    }
}

/// Kills a service under load again and again, at random moments: what it answered is there, and what is sent again is not there twice.
fn killed(times: u64) {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (next, mut draw) = (AtomicU64::new(0), 7_u64);
    // A request, and the ticket that it got; none if the answer was lost.
    let asked: Mutex<Vec<(u64, Option<String>)>> = Mutex::default();
    let create = |served: &Served, number: u64| {
        let body = json!({ "players": [format!("p{number}")], "request_id": number.to_string() });
        let (status, ticket) = served.try_call("POST", "/v1/tickets", &body)?;
        assert!(status == 200 || status == 201, "{ticket}");
        let id = ticket["id"].as_str().unwrap().to_owned();
        // Every other match has a result.
        if let Some(found) = ticket["match"].as_str().filter(|_| number.is_multiple_of(2)) {
            served.try_call(
                "POST",
                &format!("/v1/matches/{found}/result"),
                &json!({ "places": [1, 2] }),
            )?;
        }
        Some(id)
    };
    for _ in 0..times {
        let served = Served::start(&data, &[]);
        let lost: Vec<u64> = asked
            .lock()
            .unwrap()
            .iter()
            .filter(|one| one.1.is_none())
            .map(|one| one.0)
            .collect();
        for number in lost {
            let id = create(&served, number);
            asked
                .lock()
                .unwrap()
                .iter_mut()
                .filter(|one| one.0 == number)
                .for_each(|one| one.1.clone_from(&id));
        }
        draw = draw
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let wait = Duration::from_micros((draw >> 33) % 200_000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let got = create(&served, number);
                        let is_over = got.is_none();
                        asked.lock().unwrap().push((number, got));
                        if is_over {
                            return;
                        }
                    }
                });
            }
            std::thread::sleep(wait);
            served.signal("-KILL");
        });
        let mut child = served.child;
        child.wait().unwrap();
    }
    let served = Served::start(&data, &[]);
    nothing_is_lost(&served, &asked.into_inner().unwrap());
    served.end("-TERM");
}

#[test]
fn what_was_answered_outlives_a_kill() {
    killed(5);
}

/// The same at 500 moments.
#[test]
#[ignore = "minutes: run by `cargo xtask test --deep`"]
fn what_was_answered_outlives_five_hundred_kills() {
    killed(500);
}

/// A program that finds servers, on a thread: it fails at first, and then has one for every match but the second.
fn webhook(secret: &'static [u8]) -> (String, std::sync::mpsc::Receiver<String>) {
    use hmac::{Hmac, KeyInit, Mac};
    use std::io::Write;

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/allocate", listener.local_addr().unwrap());
    let (sender, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut first = String::new();
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut headers = std::collections::BTreeMap::new();
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                match line.trim().split_once(": ") {
                    Some((name, value)) => _ = headers.insert(name.to_lowercase(), value.to_owned()),
                    None if line.trim().is_empty() => break,
                    None => assert!(line.starts_with("POST /allocate "), "{line}"),
                }
            }
            let mut body = vec![0; headers["content-length"].parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            // As the documents say, computed apart.
            let (time, signed) = headers["matchwright-signature"].split_once(",v1=").unwrap();
            let time = time.strip_prefix("t=").unwrap();
            let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret).unwrap();
            mac.update(format!("{time}.").as_bytes());
            mac.update(&body);
            let wanted: Vec<String> = mac
                .finalize()
                .into_bytes()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(signed, wanted.concat());
            let found: Value = serde_json::from_slice(&body).unwrap();
            let id = found["id"].as_str().unwrap().to_owned();
            assert_eq!(headers["idempotency-key"], id);
            if first.is_empty() {
                first.clone_from(&id);
            }
            let (status, answer) = match number {
                0 => ("500 Broken", String::new()),
                _ if id == first => ("200 OK", json!({ "connection": "eu1:1" }).to_string()),
                _ => ("200 OK", "{}".to_owned()),
            };
            let _ = sender.send(id);
            let length = answer.len();
            write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{answer}"
            )
            .unwrap();
        }
    });
    (address, asked)
}

#[test]
fn a_webhook_is_asked_three_times_and_then_the_match_has_failed() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "0123456789abcdef\n").unwrap();
    let (address, asked) = webhook(b"0123456789abcdef");
    let data = folder.path().join("data");
    let served = Served::start(
        &data,
        &[
            "--webhook",
            &address,
            "--webhook-secret",
            secret.to_str().unwrap(),
        ],
    );
    let next = || asked.recv_timeout(Duration::from_secs(60)).unwrap();
    let phase = |found: &str| {
        served
            .call("GET", &format!("/v1/matches/{found}"), &Value::Null)
            .1["phase"]
            .clone()
    };
    let until = |found: &str, wanted: &str| {
        let began = Instant::now();
        while phase(found) != wanted {
            assert!(began.elapsed() < Duration::from_secs(60), "{found} {wanted}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    for player in ["ann", "bob"] {
        served.call("POST", "/v1/tickets", &json!({ "players": [player] }));
    }
    let first = next();
    assert_eq!(next(), first);
    until(&first, "assigned");
    // The answers for the second say nothing: its players wait again, meet again, and are asked for again.
    for player in ["cyd", "dot"] {
        served.call("POST", "/v1/tickets", &json!({ "players": [player] }));
    }
    let second = next();
    assert_eq!([next(), next()], [second.clone(), second.clone()]);
    until(&second, "failed");
    assert_ne!(next(), second);
    served.end("-TERM");
    let short = folder.path().join("short");
    std::fs::write(&short, "secret").unwrap();
    let arguments = [
        "serve",
        "--data",
        data.to_str().unwrap(),
        "--webhook",
        &address,
        "--webhook-secret",
    ];
    let said = complaint(&[&arguments[..], &[short.to_str().unwrap()]].concat(), "", 1);
    assert!(said.contains("give 16 or more"), "{said}");
}

#[test]
fn tls_is_served_with_the_certificate_that_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, own.cert.pem()).unwrap();
    std::fs::write(&key, own.signing_key.serialize_pem()).unwrap();
    let (certificate, key) = (certificate.to_str().unwrap(), key.to_str().unwrap());
    let data = folder.path().join("data");
    let served = Served::start(&data, &["--tls-certificate", certificate, "--tls-key", key]);
    let trusted = ureq::tls::Certificate::from_pem(own.cert.pem().as_bytes()).unwrap();
    let tls = ureq::tls::TlsConfig::builder()
        .root_certs(ureq::tls::RootCerts::new_with_certs(&[trusted]))
        .build();
    let config = ureq::Agent::config_builder().tls_config(tls).build();
    let port = served.address.split(':').next_back().unwrap();
    let url = format!("https://localhost:{port}/healthz");
    let alive = ureq::Agent::new_with_config(config)
        .get(&url)
        .call()
        .unwrap()
        .body_mut()
        .read_to_string();
    assert_eq!(alive.unwrap(), "alive\n");
    // Nobody else's certificate is taken for it, and nothing is told in the clear.
    assert!(ureq::get(&url).call().is_err());
    assert!(served.try_call("GET", "/healthz", &Value::Null).is_none());
    served.end("-TERM");
    let said = complaint(
        &[
            "serve",
            "--data",
            data.to_str().unwrap(),
            "--tls-certificate",
            key,
            "--tls-key",
            key,
        ],
        "",
        1,
    );
    assert!(said.contains("key.pem"), "{said}");
}
