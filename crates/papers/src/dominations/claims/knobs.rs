//! What can be set: DOM-knobs. The figures are those of `examples/policies/dominations.toml`.

use super::inputs::DominationsInputs;
use super::queue::{Alliance, HOUR};
use crate::check::prelude::*;
use crate::check::queues::{DrivenQueue, Made, plan as plan_of, table};
use matchwright_queue::QueueParams;
use rand::RngExt;
use toml::{Table, Value};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[Check::new("DOM-knobs", Exact(knobs))];

/// Every key of `[queue]`, with a table that it can be put into, and a setting.
const KEYS: [(&str, &str, &str); 17] = [
    ("method", "longest_wait = 60", "'batch'"),
    ("teams", "", "[2, 2]"),
    ("queues", "", "{ duo = [2, 2] }"),
    ("keys", "", "['mode']"),
    ("windows", "", "[{ of = 'skill', start = 100 }]"),
    ("accept", "windows = [{ of = 'skill' }]", "'either'"),
    ("prices", "", "{}"),
    ("threshold", "method = 'lobbies'", "{}"),
    ("longest_wait", "", "60"),
    ("batch", "method = 'batch'\nlongest_wait = 60", "{ at = 100 }"),
    ("order", "method = 'lobbies'", "'rank'"),
    (
        "smaller",
        "method = 'lobbies'\nteams = [3, 3]\nthreshold = {}",
        "{ players = 4 }",
    ),
    ("neighbours", "method = 'lobbies'", "30"),
    ("exchanges", "method = 'lobbies'", "10"),
    ("acceptance", "", "{}"),
    ("limits", "", "{ remember = 10 }"),
    ("estimates", "", "{ by = 'skill', band = 100 }"),
];

/// The keys that a table knows, as its error for an unknown one lists them.
fn known_keys() -> Vec<String> {
    let error = toml::from_str::<QueueParams>("'no such key' = 1").err();
    let text = error.map_or(String::new(), |error| error.message().to_owned());
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.skip(1).map(str::to_owned).collect()
}

/// The paths to all numbers of a value.
fn numbers(value: &Value, path: &[String], found: &mut Vec<Vec<String>>) {
    let mut inner = |key: String, value: &Value| numbers(value, &[path, &[key]].concat(), found);
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| inner(key.clone(), value)),
        Value::Array(array) => {
            let places = array.iter().enumerate();
            places.for_each(|(place, value)| inner(place.to_string(), value));
        }
        Value::Integer(_) | Value::Float(_) => found.push(path.to_vec()),
        _ => {}
    }
}

fn at_mut<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, key| match value {
        Value::Table(table) => table.get_mut(key),
        Value::Array(array) => array.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// All that comes of a stream of alliances of all sizes, and what a mismatch, a second and a lost player cost.
#[derive(PartialEq)]
struct Run {
    made: Vec<Made>,
    refused: u64,
    costs: [f64; 3],
}

fn run(inputs: &DominationsInputs, document: &Table) -> Result<Run> {
    let mut queue = DrivenQueue::new(document)?;
    let (mut rng, mut at) = (check_stream(inputs.seed, 75, 0), 0);
    for id in 1..=320 {
        at += rng.random_range(0..2 * HOUR);
        let mut alliance = Alliance::random(&mut rng);
        alliance.spread *= 2.5;
        alliance.members = match id % 4 {
            0 => 10,
            1 => 20,
            2 => 30,
            _ => 50,
        };
        queue.create(at, alliance.ticket(id, id))?;
    }
    queue.run(at + 48 * HOUR)?;
    let objective = &queue.loaded.objective;
    Ok(Run {
        costs: [
            objective.mismatch_cost(1.0),
            objective.waiting_cost(1.0),
            objective.lost().unwrap_or(0.0),
        ],
        refused: queue.refused,
        made: queue.made,
    })
}

fn in_words<T: AsRef<str>>(names: &[T]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

fn knobs(inputs: &DominationsInputs) -> Result<Finding> {
    let document = table(&inputs.policy)?;
    let as_it_is = run(inputs, &document)?;
    let mut paths = Vec::new();
    for name in ["queue", "objective"] {
        let value = document.get(name).context("a table of the policy")?;
        numbers(value, &[name.to_owned()], &mut paths);
    }
    let mut idle = Vec::new();
    for path in &paths {
        let mut changes = false;
        for (times, part) in [(2, 1), (1, 2)] {
            let mut other = Value::Table(document.clone());
            match at_mut(&mut other, path).context("a number of the policy")? {
                Value::Integer(number) => *number = *number * times / part,
                Value::Float(number) => *number *= times as f64 / part as f64,
                _ => {}
            }
            // A setting that contradicts another is refused by name, and has no effect to show.
            changes |= run(inputs, &other.try_into()?).is_ok_and(|run| run != as_it_is);
        }
        if !changes {
            idle.push(path.join("."));
        }
    }
    let known = known_keys();
    let is_listed = known.len() == KEYS.len() && known.iter().all(|key| KEYS.iter().any(|row| row.0 == key));
    let mut unheard = Vec::new();
    for (key, base, value) in KEYS {
        let plan = |text: &str| -> Result<String> {
            let plan = plan_of(&toml::from_str(text)?)?;
            Ok(format!("{plan:?}"))
        };
        if plan(base)? == plan(&format!("{key} = {value}\n{base}"))? {
            unheard.push(key);
        }
    }
    Ok(Finding::new()
        .count("matches of the stream", as_it_is.made.len() as u64)
        .count("numbers of the policy", paths.len() as u64)
        .count("keys of a queue", known.len() as u64)
        .text("numbers without an effect", in_words(&idle))
        .text("keys without an effect", in_words(&unheard))
        .require(
            idle.is_empty() && paths.len() > 20,
            "each number, doubled or halved, changes what comes of it",
        )
        .require(
            is_listed && unheard.is_empty(),
            "each key that a queue knows changes its plan",
        ))
}
