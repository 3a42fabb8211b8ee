//! Through the handle, without a network.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

use matchwright_service::{MatchResult, Service, Settings, TicketState};

use crate::{Options, POLICY, device, open, ticket};

/// Requests that are on their way at a time.
const WINDOW: usize = 1024;

/// Creates tickets that meet in pairs, for this long; how many there were.
fn create(service: &Service, time: Duration, first: u64) -> u64 {
    let began = Instant::now();
    let (mut number, mut pending) = (first, VecDeque::new());
    while began.elapsed() < time {
        let ticket = ticket(format!("player-{number}"), 1000.0 * ((number / 2) as f64 + 1.0));
        pending.push_back(service.create(None, ticket));
        number += 1;
        if pending.len() == WINDOW
            && let Some(oldest) = pending.pop_front()
        {
            oldest.wait().unwrap();
        }
    }
    for one in pending {
        one.wait().unwrap();
    }
    number - first
}

pub(crate) fn creates(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("library: {}", device(folder.path()));
    let service = open(folder.path(), options);
    let time = Duration::from_secs(options.seconds);
    let began = Instant::now();
    let created = create(&service, time, 0);
    let rate = created as f64 / began.elapsed().as_secs_f64();
    let stats = service.stats();
    println!(
        "library: {rate:.0} durable creates a second, {:.0} matches, {} open; {:.1} tickets a step, sync p50 {:.2}, p99 {:.2} ms",
        rate / 2.0,
        options.open,
        stats.tickets as f64 / stats.steps as f64,
        1000.0 * stats.sync[0],
        1000.0 * stats.sync[1]
    );
    service.close();
}

/// What the process has in memory, in bytes.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kilobytes)
}

pub(crate) fn memory(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::open_folder(folder.path(), POLICY, Settings::default()).unwrap();
    let Some(before) = resident() else {
        println!("memory: this system does not tell how much a process has");
        return;
    };
    crate::fill(&service, options.open);
    service.queues().unwrap();
    let grown = resident().unwrap_or(before).saturating_sub(before);
    println!(
        "memory: {:.0} bytes an open ticket with two regions and a number, of {}, the second copy of the state included",
        grown as f64 / options.open as f64,
        options.open
    );
    service.close();
}

/// This many players meet in pairs, play at once, and come again, until `ends` says that there are enough creates and results, at a rate
/// or as fast as possible; how many there were.
fn play(service: &Service, players: u64, rate: Option<u64>, mut ends: impl FnMut(u64) -> bool) -> u64 {
    let (mut created, mut events, began) = (0, 0, Instant::now());
    let (mut pairs, mut results) = (VecDeque::new(), VecDeque::new());
    while !ends(events) {
        if let Some(rate) = rate {
            let due = Duration::from_secs_f64(created as f64 / rate as f64);
            std::thread::sleep(due.saturating_sub(began.elapsed()));
        }
        let pair = created / 2 % (players / 2);
        let of = |player| ticket(format!("player-{player}"), 1000.0 * (pair as f64 + 1.0));
        let come = [2 * pair, 2 * pair + 1].map(|player| service.create(None, of(player)));
        pairs.push_back(come);
        created += 2;
        events += 3;
        if pairs.len() == WINDOW / 4
            && let Some([one, other]) = pairs.pop_front()
        {
            one.wait().unwrap();
            let TicketState::Matched { match_id, .. } = other.wait().unwrap().ticket.state else {
                panic!("two of a level do not meet");
            };
            results.push_back(service.report(&match_id, MatchResult::of_places([1, 2])));
        }
        if results.len() == WINDOW / 4
            && let Some(result) = results.pop_front()
        {
            result.wait().unwrap();
        }
    }
    events
}

/// Players of the runs that report results.
const PLAYERS: u64 = 200_000;

pub(crate) fn recovery(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("recovery: {}", device(folder.path()));
    let service = open(folder.path(), options);
    let began = Instant::now();
    let events = play(&service, PLAYERS, None, |events| events >= 1_000_000);
    println!(
        "recovery: {events} creates and results of {PLAYERS} players in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    service.close();
    let program = std::env::current_exe().unwrap();
    let reopened = std::process::Command::new(program)
        .arg("--reopen")
        .arg(folder.path())
        .status();
    assert!(reopened.unwrap().success());
}

/// What a service grows by, minute by minute.
pub(crate) fn growth(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("growth: {}", device(folder.path()));
    let service = open(folder.path(), options);
    let (began, mut minutes) = (Instant::now(), 0);
    play(&service, PLAYERS, Some(options.rate), |events| {
        if began.elapsed().as_secs() / 60 > minutes {
            minutes += 1;
            let megabytes = resident().unwrap_or_default() as f64 / 1e6;
            println!(
                "growth: {megabytes:.0} MB after {minutes} minutes, {events} creates and results, {PLAYERS} players"
            );
        }
        minutes >= options.minutes
    });
    service.close();
}

/// In a process of its own, as after a crash.
pub(crate) fn reopen(folder: &Path) {
    let began = Instant::now();
    let service = Service::open_folder(folder, "", Settings::default()).unwrap();
    service.player("waits-1").wait().unwrap();
    let answered = began.elapsed().as_secs_f64();
    service.queues().unwrap();
    println!(
        "recovery: {answered:.2} s to the first answer, {:.2} s to the first list, {:.0} MB of memory",
        began.elapsed().as_secs_f64(),
        resident().unwrap_or_default() as f64 / 1e6
    );
    std::process::exit(0);
}
