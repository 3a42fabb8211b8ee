//! Through the handle, without a network.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use matchwright_service::{Service, Settings};

use crate::{Options, POLICY, device, open, ticket};

/// Requests that are on their way at a time.
const WINDOW: usize = 1024;

/// Creates tickets that meet in pairs, for so long; how many.
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

pub(crate) fn recovery(options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    println!("recovery: {}", device(folder.path()));
    let service = open(folder.path(), options);
    let (mut events, began) = (0, Instant::now());
    while events < 1_000_000 {
        events += create(&service, Duration::from_secs(5), events);
    }
    println!(
        "recovery: {events} creates in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    service.close();
    let began = Instant::now();
    let service = Service::open_folder(folder.path(), "", Settings::default()).unwrap();
    service.player("waits-1").wait().unwrap();
    println!(
        "recovery: {:.2} s to the first answer",
        began.elapsed().as_secs_f64()
    );
    service.close();
}
