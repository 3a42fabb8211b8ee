//! `matchwright serve` as a process: calls, signals, files, and what it says where it cannot run.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{answer, complaint, example};

/// A service that runs, at an address that was free.
pub(crate) struct Served {
    pub(crate) child: Child,
    told: BufReader<std::process::ChildStderr>,
    pub(crate) address: String,
}

impl Served {
    pub(crate) fn start(data: &Path, more: &[&str]) -> Self {
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

    pub(crate) fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        self.try_call(method, path, body).unwrap()
    }

    /// None if the connection was lost.
    pub(crate) fn try_call(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
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

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    /// The exit code, and all that was told from the start on.
    pub(crate) fn end(mut self, signal: &str) -> (Option<i32>, String) {
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
    pub(crate) fn play(&self, one: &str, other: &str) {
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

/// A test that fails leaves no service behind.
impl Drop for Served {
    fn drop(&mut self) {
        // Dropped: it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
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
