//! The example `embed`, killed at 200 random moments: no acknowledged ticket is lost, no player is matched twice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use matchwright_queue::journal::{JournalReader, Record, recover};
use matchwright_queue::live::{Files, to_journal};
use matchwright_queue::{Decision, Pairs, PairsParams, PolicyChange};

use crate::model::Draw;

const KILLS: usize = 200;

/// Cargo builds the examples beside the tests, though not for `cargo test NAME`.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples").join("embed");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/embed.rs");
    let modified = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    assert!(
        modified(&program) >= modified(&source),
        "{} is missing or old: cargo test --no-run",
        program.display()
    );
    program
}

/// The service while it runs.
struct Running {
    child: Child,
    told: Receiver<String>,
}

impl Running {
    fn start(journal: &Path) -> Self {
        let mut command = Command::new(example());
        command.arg(journal).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let (sender, told) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            // A line without an end was cut by the kill: nobody was told.
            while lines.read_line(&mut line).is_ok() && line.ends_with('\n') {
                if sender.send(line.trim_end().to_owned()).is_err() {
                    break;
                }
                line.clear();
            }
        });
        Self { child, told }
    }

    fn send(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        // A broken pipe is the kill.
        let _ = stdin.write_all(format!("{line}\n").as_bytes());
    }
}

/// Players who send until they are answered.
#[derive(Default)]
struct Players {
    next: u64,
    /// Events without an answer, as they are sent.
    pending: BTreeMap<u64, String>,
    /// Events that were acknowledged.
    acknowledged: BTreeMap<u64, String>,
    /// Matches and departures of which someone was told.
    matches: BTreeMap<u64, BTreeSet<u64>>,
    left: BTreeSet<u64>,
    answered: BTreeSet<(u64, u64)>,
}

impl Players {
    fn event(&mut self, text: &str) -> String {
        self.next += 1;
        let line = format!("{} {text}", self.next);
        self.pending.insert(self.next, line.clone());
        line
    }

    /// A ticket and its player have one number, which never comes again.
    fn create(&mut self, draw: &mut Draw) -> String {
        let id = self.next + 1;
        let rating = 1000 + draw.below(1000);
        self.event(&format!("create {id} {id} {rating}"))
    }

    /// Takes an answer; what is to be sent because of it.
    fn hear(&mut self, line: &str, draw: &mut Draw) -> Vec<String> {
        let (head, tail) = line.split_once(':').unwrap_or((line, ""));
        let (what, number) = head.split_once(' ').unwrap();
        let number: u64 = number.parse().unwrap();
        let tickets = || {
            tail.split_whitespace()
                .map(|ticket| ticket.parse::<u64>().unwrap())
        };
        match what {
            "ok" => {
                if let Some(line) = self.pending.remove(&number) {
                    self.acknowledged.insert(number, line);
                }
            }
            "no" => drop(self.pending.remove(&number)),
            "match" => drop(self.matches.insert(number, tickets().collect())),
            "left" => drop(self.left.insert(number)),
            what => {
                assert_eq!(what, "proposal", "`{line}` is no answer");
                let mut answers = Vec::new();
                for player in tickets() {
                    if self.answered.insert((number, player)) {
                        let verb = if draw.below(20) > 0 { "accept" } else { "decline" };
                        answers.push(self.event(&format!("{verb} {number} {player}")));
                    }
                }
                return answers;
            }
        }
        Vec::new()
    }

    /// Sends and listens for a random time, then kills; what was on its way is still heard.
    fn play(&mut self, journal: &Path, draw: &mut Draw) {
        let mut running = Running::start(journal);
        let until = Instant::now() + Duration::from_micros(draw.below(60_000));
        for line in self.pending.values() {
            running.send(line);
        }
        for _ in 0..draw.below(40) {
            let line = self.create(draw);
            running.send(&line);
            if draw.below(10) == 0 {
                // Twice the same, which must count once.
                running.send(&line);
            }
            if draw.below(20) == 0 {
                let ticket = 1 + draw.below(self.next);
                let line = self.event(&format!("cancel {ticket}"));
                running.send(&line);
            }
        }
        while let Ok(line) = running
            .told
            .recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            for answer in self.hear(&line, draw) {
                running.send(&answer);
            }
        }
        running.child.kill().unwrap();
        running.child.wait().unwrap();
        for line in running.told {
            self.hear(&line, draw);
        }
    }

    /// Sends what has no answer yet, hears all of it, and lets the service end by itself.
    fn end(&mut self, journal: &Path, draw: &mut Draw) {
        let mut running = Running::start(journal);
        for line in self.pending.values() {
            running.send(line);
        }
        while !self.pending.is_empty() {
            let line = running.told.recv().unwrap();
            for answer in self.hear(&line, draw) {
                running.send(&answer);
            }
        }
        drop(running.child.stdin.take());
        for line in &running.told {
            self.hear(&line, draw);
        }
        assert!(running.child.wait().unwrap().success());
    }
}

/// What a journal says of tickets, from all its records.
#[derive(Default)]
struct Story {
    admitted: BTreeSet<u64>,
    left: BTreeSet<u64>,
    /// The match of each player.
    matched: BTreeMap<u64, u64>,
    matches: BTreeMap<u64, BTreeSet<u64>>,
    /// Events that came to something, once.
    events: BTreeSet<u64>,
}

impl Story {
    fn read(bytes: &[u8]) -> Self {
        let mut story = Self::default();
        for entry in JournalReader::new(bytes).unwrap() {
            match entry.unwrap().record {
                Record::Snapshot(_) => {}
                Record::Step(step) => {
                    let mut came = vec![true; step.events.len()];
                    for decision in &step.outcome.decisions {
                        if let Decision::Duplicate { event } = decision {
                            came[*event] = false;
                        }
                        story.take(decision);
                    }
                    for (event, _) in step.events.iter().zip(came).filter(|(_, came)| *came) {
                        assert!(story.events.insert(event.id.0), "event {} counts twice", event.id);
                    }
                }
            }
        }
        story
    }

    fn take(&mut self, decision: &Decision) {
        match decision {
            Decision::Admitted { ticket, .. } => {
                assert!(
                    self.admitted.insert(ticket.0),
                    "ticket {ticket} was admitted twice"
                );
            }
            Decision::Left { ticket, .. } => {
                assert!(self.left.insert(ticket.0), "ticket {ticket} left twice");
            }
            Decision::Matched(made) => {
                let tickets: BTreeSet<u64> = made.lobby.tickets().map(|ticket| ticket.0).collect();
                for &player in &tickets {
                    let other = self.matched.insert(player, made.id.0);
                    assert_eq!(other, None, "player {player} is matched twice");
                }
                self.matches.insert(made.id.0, tickets);
            }
            _ => {}
        }
    }
}

#[test]
fn no_acknowledged_ticket_is_lost_and_no_player_is_matched_twice_over_200_kills() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("queue");
    let mut draw = Draw(22);
    let mut players = Players::default();
    for _ in 0..KILLS {
        players.play(&journal, &mut draw);
    }
    players.end(&journal, &mut draw);

    let exported = to_journal(&mut Files::new(&journal).unwrap()).unwrap();
    assert!(exported.fault.is_none());
    let bytes = exported.journal;
    let story = Story::read(&bytes);
    for (event, line) in &players.acknowledged {
        assert!(
            story.events.contains(event),
            "`{line}` was acknowledged and is lost"
        );
        if line.contains("create") {
            assert!(
                story.admitted.contains(event),
                "ticket {event} was acknowledged and is lost"
            );
        }
    }
    for (made, tickets) in &players.matches {
        assert_eq!(
            story.matches.get(made),
            Some(tickets),
            "match {made} was told and is another"
        );
    }
    assert!(players.left.is_subset(&story.left));

    // Who came and neither left nor was matched waits, and nobody else.
    let anyone = |_: &PolicyChange| {
        let settings = PairsParams::default()
            .build()
            .map_err(|error| error.to_string())?;
        Ok::<_, String>(Pairs::new("", settings))
    };
    let recovered = recover(&bytes, anyone).unwrap();
    assert_eq!(recovered.fault, None);
    let waits: BTreeSet<u64> = recovered
        .state
        .pool()
        .tickets()
        .map(|waiting| waiting.ticket.id.0)
        .collect();
    let gone = |ticket: &u64| story.left.contains(ticket) || story.matched.contains_key(ticket);
    let expected: BTreeSet<u64> = story
        .admitted
        .iter()
        .copied()
        .filter(|ticket| !gone(ticket))
        .collect();
    assert_eq!(waits, expected);
    assert!(
        story
            .left
            .iter()
            .all(|ticket| !story.matched.contains_key(ticket))
    );

    // The kills came into the midst of it.
    let files = std::fs::read_dir(&journal).unwrap().flatten();
    let is_state = |name: std::ffi::OsString| name.to_string_lossy().starts_with("state");
    let states = files.filter(|file| is_state(file.file_name())).count();
    let counts = (story.admitted.len(), story.matches.len(), states);
    assert!(counts.0 > 1000 && counts.1 > 100 && counts.2 > 1, "{counts:?}");
}

#[test]
fn a_journal_that_changed_is_refused_with_its_path_and_offset() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("queue");
    let mut draw = Draw(1);
    let mut players = Players::default();
    players.create(&mut draw);
    players.end(&journal, &mut draw);
    let file = journal.join("segment-00000000000000000000");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let output = Command::new(example())
        .arg(&journal)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    let expected = "queue: segment-00000000000000000000: byte 29: a checksum fails";
    assert!(said.contains(expected), "{said}");
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "the journal was changed");
}
