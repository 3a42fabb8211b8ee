//! A queue is stepped for events and rounds alone, in every example scenario under every example policy.

use std::path::{Path, PathBuf};

use matchwright_queue::{Event, Outcome, Time};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::simulate::{PlayedMatch, Record, ScenarioParams, TicketEnd, simulate};

/// Steps, and those that events made.
#[derive(Default)]
struct Steps {
    all: u64,
    with_events: u64,
    tickets: u64,
    last: Time,
}

impl Record for Steps {
    fn ticket(&mut self, _: &TicketEnd) {
        self.tickets += 1;
    }

    fn played(&mut self, _: &PlayedMatch) {}

    fn step(&mut self, now: Time, events: &[Event], _: &Outcome) {
        self.all += 1;
        self.with_events += u64::from(!events.is_empty());
        self.last = now;
    }
}

fn documents<T: serde::de::DeserializeOwned>(folder: &str) -> Vec<(String, T)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(folder);
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (
            name,
            toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap(),
        )
    };
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| read(file.unwrap().path())).collect()
}

#[test]
fn every_example_policy_takes_a_step_for_each_event_and_round_at_most_in_every_example_scenario() {
    let mut ran = 0;
    for (world, params) in documents::<ScenarioParams>("scenarios") {
        // A few minutes; wars come more slowly.
        let hours = if params.hours > 100.0 { 12.0 } else { 0.15 };
        let params = ScenarioParams {
            hours,
            warm_up_hours: 0.0,
            ..params
        };
        let scenario = params.build().unwrap();
        for (name, document) in documents::<PolicyDocument>("policies") {
            let Some(queue) = &document.queue else { continue };
            let mut policy = load(document.clone()).unwrap();
            if scenario.check_policy(&policy).is_err() {
                continue;
            }
            let mut steps = Steps::default();
            simulate(&scenario, &mut policy, 1, &mut steps, &mut |_| {}).unwrap();
            let every = queue.batch.as_ref().and_then(|batch| batch.every);
            let by_clock = every.map_or(0.0, |every| (3600.0 * hours / every).floor());
            let by_wait = queue.longest_wait.map_or(0.0, |_| steps.tickets as f64);
            let rounds = (steps.all - steps.with_events) as f64;
            println!(
                "{world} {name}: {} steps, {rounds} rounds, {by_clock} + {by_wait}",
                steps.all
            );
            assert!(rounds <= by_clock + by_wait, "{world} {name}: {rounds}");
            assert!(
                steps.last.seconds_since(Time::default()) <= 3600.0 * hours,
                "{world} {name}"
            );
            ran += 1;
        }
    }
    // Policies for ratings of another scale than a scenario's are refused.
    assert!(ran >= 24, "{ran}");
}
