//! A queue in files: steps a second, and how long and how much memory it takes to open them again.

use std::sync::Arc;
use std::time::Instant;

use matchwright_queue::live::{Files, Loaded, Loader, Options, Queue};
use matchwright_queue::{
    Event, EventKind, Pairs, PairsParams, PolicyLabel, QueueSettings, Ticket, Time, WindowParams,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

// Tickets that wait in the end, events at least, and events of a step.
const OPEN: u64 = 100_000;
const EVENTS: u64 = 1_000_000;
const BATCH: u64 = 25;

fn loader() -> Loader {
    Arc::new(|_| {
        let window = WindowParams {
            start: 1.0,
            per_second: 0.01,
            ..WindowParams::of("rating")
        };
        let params = PairsParams {
            windows: vec![window],
            ..PairsParams::default()
        };
        Ok(Loaded {
            label: PolicyLabel::default(),
            settings: QueueSettings {
                remember: 30_000,
                ..QueueSettings::default()
            },
            policy: Box::new(Pairs::new("", params.build().map_err(|error| error.to_string())?)),
        })
    })
}

/// A ticket of two numbers and two regions whose windows admit the next in number, or no other.
pub(crate) fn create(id: u64, rating: f64) -> Event {
    let ticket = Ticket::of_one(id, id)
        .with("rating", rating)
        .with("deviation", 60.0)
        .with_region("eu", 20.0)
        .with_region("us", 110.0);
    Event::create(id, ticket)
}

pub(crate) fn files() {
    println!("\n## A queue in files, {OPEN} waiting in the end\n");
    let folder = tempfile::tempdir().unwrap();
    let load = loader();
    let open = || -> Queue<()> {
        let files = Files::new(folder.path()).unwrap();
        Queue::open(files, "pairs", &load, Options::default()).unwrap()
    };
    let mut queue = open();
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let (mut id, mut now, mut partner) = (0, 0, None);
    let mut behind = 0;
    let begun = Instant::now();
    // To the last moment before the next snapshot.
    while id < EVENTS || !queue.is_snapshot_due() {
        let mut events = Vec::new();
        for _ in 0..BATCH {
            id += 1;
            // Those who stay are far apart; the others come two by two.
            let event = if id <= OPEN {
                create(id, 1000.0 * id as f64)
            } else if let Some(rating) = partner.take() {
                create(id, rating)
            } else {
                let rating = 1000.0 * rng.random_range(1..OPEN) as f64 + 500.0;
                partner = Some(rating);
                create(id, rating)
            };
            events.push(event);
            if let (true, Some(made)) = (id % 10 == 0, queue.state().recent_matches().next()) {
                id += 1;
                events.push(Event::new(id, EventKind::Confirm(made.id)));
            }
        }
        now += 5;
        queue.advance(Time::from_millis(now), &events, |_, _| {}).unwrap();
        behind += events.len();
        if id < EVENTS && queue.is_snapshot_due() {
            queue.snapshot().unwrap();
            behind = 0;
        }
    }
    let took = begun.elapsed().as_secs_f64();
    let size = |part: &str| -> u64 {
        let files = std::fs::read_dir(folder.path()).unwrap().flatten();
        let files = files.filter(|file| file.file_name().to_string_lossy().starts_with(part));
        files.map(|file| file.metadata().unwrap().len()).sum()
    };
    println!(
        "{id} events in steps of {BATCH}, each synced: {:.0} a second, snapshots in between; {} waiting, segments {} MB, states {} \
         MB, the last {behind} events behind",
        id as f64 / took,
        queue.state().pool().len(),
        size("segment") >> 20,
        size("state") >> 20
    );
    let (steps, state) = (queue.step(), queue.state().clone());
    drop(queue);
    for _ in 0..5 {
        let begun = Instant::now();
        let queue = open();
        let took = begun.elapsed().as_secs_f64();
        assert!(queue.step() == steps && *queue.state() == state);
        println!("opened in {took:.2} s");
    }
}
