//! A queue for duels as a service of one process: events are lines of stdin, and each is on disk before it is answered.
//!
//! ```text
//! $ cargo run -p matchwright-queue --features files --example embed -- folder
//! 1 create 10 100 1500        event 1: ticket 10 of player 100, who is rated 1500
//! 2 create 11 101 1530
//! 3 accept 1 100              player 100 accepts proposal 1; there are `decline 1 100` and `cancel 10`, too
//! ```
//!
//! Kill it at any moment and start it again: it goes on. Events without an answer are sent again; each counts once, and is
//! answered as it was.

use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, UNIX_EPOCH};

use matchwright_queue::live::{Decided, Files, LiveError, Loaded, Loader, Options, Queue};
use matchwright_queue::{
    Answer, Decision, Event, EventKind, Lobby, Pairs, PairsParams, PlayerId, PolicyLabel, ProposalId,
    QueueSettings, Ticket, Time, WindowParams,
};

/// Windows of 100 rating points that grow by 50 a second; both have 5 seconds to accept.
fn load(_document: &str) -> Result<Loaded, String> {
    let mut window = WindowParams::of("rating");
    (window.start, window.per_second) = (100.0, 50.0);
    let mut params = PairsParams::default();
    params.windows.push(window);
    let pairs = params.build().map_err(|error| error.to_string())?;
    Ok(Loaded {
        label: PolicyLabel::default(),
        settings: QueueSettings {
            accept_within: Some(5000),
            ..QueueSettings::default()
        },
        policy: Box::new(Pairs::new("", pairs)),
    })
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

/// What there is to tell of a step: an answer to each event, and what else happened.
fn tell(queue: &Queue<()>, step: &Decided) -> Vec<String> {
    let answer = |event: &Event| match queue.answer(event.id) {
        Some(Answer::Refused(reason)) => format!("no {}: {reason}", event.id),
        _ => format!("ok {}", event.id),
    };
    let mut told: Vec<String> = step.record.events.iter().map(answer).collect();
    for decision in &step.record.outcome.decisions {
        match decision {
            Decision::Proposed(open) => told.push(show("proposal", open.id.0, &open.lobby)),
            Decision::Matched(made) => told.push(show("match", made.id.0, &made.lobby)),
            Decision::Left { ticket, reason } => told.push(format!("left {ticket}: {reason:?}")),
            _ => {}
        }
    }
    told
}

fn show(name: &str, id: u64, lobby: &Lobby) -> String {
    let tickets = lobby.tickets().map(|ticket| format!(" {ticket}"));
    format!("{name} {id}:{}", tickets.collect::<String>())
}

/// Takes what has come by now in one step, and one sync.
fn advance(queue: &mut Queue<()>, lines: &[String]) -> Result<Vec<String>, Box<dyn Error>> {
    let mut told = Vec::new();
    let mut events = Vec::new();
    for line in lines {
        match parse(line) {
            Some(event) => events.push(event),
            None => told.push(format!("what is `{line}`?")),
        }
    }
    match queue.advance(clock()?, &events, |_, _| {}) {
        Ok(_) => {}
        // The queue is as it was: whoever gets no answer sends again.
        Err(error @ LiveError::Full) => {
            told.extend(events.iter().map(|event| format!("no {}: {error}", event.id)));
        }
        Err(error) => return Err(error.into()),
    }
    for step in queue.told() {
        told.extend(tell(queue, step));
    }
    if queue.is_snapshot_due() {
        queue.snapshot()?;
    }
    Ok(told)
}

/// The next lines, once one has come or the queue is to be asked again; `None` at the end of them.
fn next_lines(queue: &Queue<()>, lines: &Receiver<String>) -> Option<Vec<String>> {
    let wait = queue
        .wakeup()
        .map_or(i64::MAX, |at| at.since(clock().unwrap_or(at)));
    let most = Duration::from_millis(wait.clamp(0, 3_600_000).unsigned_abs());
    match lines.recv_timeout(most) {
        Err(RecvTimeoutError::Disconnected) => None,
        first => Some(first.into_iter().chain(lines.try_iter().take(255)).collect()),
    }
}

fn serve(folder: &str) -> Result<(), Box<dyn Error>> {
    let load: Loader = Arc::new(load);
    let mut queue = Queue::open(Files::new(folder)?, "duels", &load, Options::default())?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut lines = stdin().lines().map_while(Result::ok);
        lines.try_for_each(|line| sender.send(line))
    });
    // Whoever was not told before the last end is told now.
    let mut told: Vec<String> = queue
        .recent_matches()
        .map(|made| show("match", made.id.0, &made.lobby))
        .collect();
    let open = queue.state().proposals();
    told.extend(open.map(|(open, _)| show("proposal", open.id.0, &open.lobby)));
    loop {
        for line in &told {
            writeln!(stdout(), "{line}")?;
        }
        let Some(lines) = next_lines(&queue, &lines) else {
            return Ok(());
        };
        told = advance(&mut queue, &lines)?;
    }
}

fn main() -> Result<(), String> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("give a folder for the queue's files")?;
    serve(&folder).map_err(|error| format!("{folder}: {error}"))
}
