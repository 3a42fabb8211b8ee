//! Results of a service, rated and replayed from its files.

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use matchwright_service::{MatchResult, NewPlayer, NewTicket, Service, Settings, TicketState};
use serde_json::Value;

use crate::common::{answer, json_in, matchwright};

/// Two of the same level meet.
const LEVELS: &str = "\
name = 'levels'
version = '1'
[queue]
[[queue.windows]]
of = 'level'
start = 0.5";

/// Requests that are on their way.
const WINDOW: usize = 256;

/// Some players meet again and again, a new level each time, and one of both wins or neither.
fn play(service: &Service, players: usize, results: usize) {
    let ticket = |player: usize, level: usize| NewTicket {
        players: vec![NewPlayer::of(format!("player-{player}"))],
        attributes: [("level".to_owned(), matchwright_queue::Value::Number(level as f64))].into(),
        ..NewTicket::default()
    };
    let mut free: VecDeque<usize> = (0..players).collect();
    let (mut pairs, mut reports) = (VecDeque::new(), VecDeque::new());
    let mut dice = 0_u64;
    let (mut level, mut reported) = (0, 0);
    while reported < results {
        if pairs.len() < WINDOW
            && level < results
            && let Some(one) = free.pop_front()
            && let Some(other) = free.pop_back()
        {
            let come = [one, other].map(|player| service.create(None, ticket(player, level)));
            pairs.push_back(([one, other], come));
            level += 1;
        } else if let Some((both, [first, second])) = pairs.pop_front() {
            first.wait().unwrap();
            let second = second.wait().unwrap().ticket;
            let TicketState::Matched { match_id, .. } = second.state else {
                unreachable!("two of a level meet: {second:?}")
            };
            // Knuth's constants of a linear congruential generator.
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let places = [[1, 2], [2, 1], [1, 1]][(dice >> 33) as usize % 3];
            reports.push_back((both, service.report(&match_id, MatchResult::of_places(places))));
        }
        if (reports.len() == WINDOW || pairs.is_empty())
            && let Some((both, report)) = reports.pop_front()
        {
            report.wait().unwrap();
            free.extend(both);
            reported += 1;
        }
    }
}

/// Rating and deviation of each player, as `matchwright rate` writes them.
fn rated(folder: &Path, results: String) -> HashMap<String, [f64; 2]> {
    let table = folder.join("ratings.csv");
    matchwright()
        .args(["rate", "--system", "glicko2", "-", "--keep-repeats", "--out"])
        .arg(&table)
        .write_stdin(results)
        .assert()
        .success();
    let table = std::fs::read_to_string(table).unwrap();
    let mut lines = table.lines();
    assert!(
        lines.next().unwrap().starts_with("player,rating,deviation,"),
        "{table}"
    );
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (
            cells[0].to_owned(),
            [cells[1], cells[2]].map(|cell| cell.parse().unwrap()),
        )
    };
    lines.map(line).collect()
}

fn rated_and_replayed(players: usize, results: usize) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let service = Service::open_folder(&data, LEVELS, Settings::default()).unwrap();
    play(&service, players, results);
    assert_eq!(service.stats().results, results as u64);
    let told = answer(&["serve", "results", data.to_str().unwrap()], "");
    assert_eq!(told.lines().count(), results);
    let rated = rated(folder.path(), told);
    for player in 0..players {
        let name = format!("player-{player}");
        let known = service.player(&name).wait().unwrap().rated.unwrap();
        match rated.get(&name) {
            Some(rated) => assert_eq!([known.rating, known.deviation.unwrap()], *rated, "{name}"),
            None => assert_eq!(known.games, 0, "{name}"),
        }
    }
    service.close();
    std::fs::write(folder.path().join("levels.toml"), LEVELS).unwrap();
    let replayed = json_in(folder.path(), "replay data --policy levels.toml");
    let journal = &replayed["recomputed"];
    assert!(
        journal["same"].as_u64().unwrap() > (results / WINDOW) as u64,
        "{journal}"
    );
    assert_eq!(journal["difference"], Value::Null, "{journal}");
}

#[test]
fn results_are_rated_to_the_bit_and_steps_come_out_the_same() {
    rated_and_replayed(700, 3000);
}

#[test]
#[ignore = "minutes: run by `cargo xtask test --deep`"]
fn a_million_results_are_rated_to_the_bit_and_their_steps_come_out_the_same() {
    rated_and_replayed(20_000, 1_000_000);
}
