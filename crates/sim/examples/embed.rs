//! A queue for duels as a service of one process: events are lines of stdin, and each is on disk before it is answered.
//!
//! ```text
//! $ cargo run --example embed -- queue.journal
//! 1 create 10 100 1500        event 1: ticket 10 of player 100, who is rated 1500
//! 2 create 11 101 1530
//! 3 accept 1 100              player 100 accepts proposal 1; there are `decline 1 100` and `cancel 10`, too
//! ```
//!
//! Kill it at any moment and start it again: it goes on. Events without an answer are sent again; each counts once.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Write, stdin, stdout};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, UNIX_EPOCH};

use matchwright_queue::journal::{JournalError, JournalWriter, Recovered, recover};
use matchwright_queue::{
    Decision, Event, EventKind, Lobby, Pairs, PairsParams, PlayerId, PolicyLabel, ProposalId, QueueSettings,
    State, Ticket, Time, WindowParams, step,
};

/// Windows of 100 rating points that grow by 50 a second.
fn policy() -> Result<Pairs, String> {
    let mut window = WindowParams::of("rating");
    (window.start, window.per_second) = (100.0, 50.0);
    let mut params = PairsParams::default();
    params.windows.push(window);
    let settings = params.build().map_err(|error| error.to_string())?;
    Ok(Pairs::new("", settings))
}

/// Goes on where the journal ends, or begins one.
fn restore(journal: &mut File) -> Result<Recovered<Pairs>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    journal.read_to_end(&mut bytes)?;
    let mut found = recover(&bytes, |_| policy());
    // It is new, or was killed before the first record was whole.
    if found.as_ref().is_err_and(JournalError::is_torn) {
        let settings = QueueSettings {
            accept_within: Some(5000),
            ..QueueSettings::default()
        };
        let state = State::new(PolicyLabel::default(), settings);
        (_, bytes) = JournalWriter::begin("", &state, &policy()?)?;
        journal.set_len(0)?;
        journal.write_all(&bytes)?;
        found = recover(&bytes, |_| policy());
    }
    let mut queue = found?;
    // Of a torn record nobody was told; whatever else is wrong is not to be cut off by a program.
    if let Some(fault) = queue.fault.take().filter(|fault| !fault.is_torn()) {
        return Err(fault.into());
    }
    journal.set_len(queue.valid_bytes)?;
    journal.sync_all()?;
    Ok(queue)
}

/// Decides, writes and syncs; only then there are answers.
fn advance(
    queue: &mut Recovered<Pairs>,
    journal: &mut File,
    events: &[Event],
) -> Result<Vec<String>, Box<dyn Error>> {
    let now = clock()?.max(queue.state.now());
    let outcome = step(&mut queue.state, &mut queue.policy, now, events)?;
    let mut bytes = queue.writer.step(now, events, &outcome)?;
    if queue.writer.is_snapshot_due() {
        bytes.extend(queue.writer.snapshot(&queue.state, &queue.policy)?);
    }
    journal.write_all(&bytes)?;
    journal.sync_data()?;
    queue.wakeup = outcome.wakeup;
    let mut answers: Vec<String> = events.iter().map(|event| format!("ok {}", event.id)).collect();
    for decision in outcome.decisions {
        match decision {
            Decision::Refused { event, reason } => {
                answers[event] = format!("no {}: {reason}", events[event].id);
            }
            Decision::Proposed(open) => answers.push(show("proposal", open.id.0, &open.lobby)),
            Decision::Matched(made) => answers.push(show("match", made.id.0, &made.lobby)),
            Decision::Left { ticket, reason } => answers.push(format!("left {ticket}: {reason:?}")),
            _ => {}
        }
    }
    Ok(answers)
}

fn clock() -> Result<Time, Box<dyn Error>> {
    Ok(Time::from_millis(UNIX_EPOCH.elapsed()?.as_millis().try_into()?))
}

fn parse(line: &str) -> Option<Event> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |place: usize| words.get(place)?.parse::<u64>().ok();
    let (proposal, player) = (ProposalId(number(2)?), number(3).map(PlayerId));
    let kind = match words[1] {
        "create" => {
            let ticket = Ticket::of_one(number(2)?, number(3)?);
            EventKind::Create(ticket.with("rating", words.get(4)?.parse().ok()?).into())
        }
        "cancel" => EventKind::cancel(number(2)?),
        "accept" => player.map(|player| EventKind::Accept { proposal, player })?,
        "decline" => player.map(|player| EventKind::Decline { proposal, player })?,
        _ => return None,
    };
    Some(Event::new(number(0)?, kind))
}

fn show(name: &str, id: u64, lobby: &Lobby) -> String {
    let tickets = lobby.tickets().map(|ticket| format!(" {ticket}"));
    format!("{name} {id}:{}", tickets.collect::<String>())
}

fn serve(path: &str) -> Result<(), Box<dyn Error>> {
    let mut journal = File::options().read(true).append(true).create(true).open(path)?;
    journal.try_lock()?;
    let mut queue = restore(&mut journal)?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut lines = stdin().lines().map_while(Result::ok);
        lines.try_for_each(|line| sender.send(line))
    });
    let mut told = Vec::new();
    for (open, _) in queue.state.proposals() {
        told.push(show("proposal", open.id.0, &open.lobby));
    }
    loop {
        told.push(String::new());
        stdout().write_all(told.join("\n").as_bytes())?;
        let now = clock()?;
        let wait = queue.wakeup.map_or(i64::MAX, |at| at.since(now));
        let first = lines.recv_timeout(Duration::from_millis(wait.clamp(0, 3_600_000).unsigned_abs()));
        if first == Err(RecvTimeoutError::Disconnected) {
            return Ok(());
        }
        // All that has come by now shares a step, and a sync.
        let lines = first.into_iter().chain(lines.try_iter());
        let events: Vec<Event> = lines.filter_map(|line| parse(&line)).collect();
        told = advance(&mut queue, &mut journal, &events)?;
    }
}

fn main() -> Result<(), String> {
    let path = std::env::args().nth(1).ok_or("give the path of the journal")?;
    serve(&path).map_err(|error| format!("{path}: {error}"))
}
