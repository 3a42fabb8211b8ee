//! `matchwright serve` killed under load.

use std::time::Duration;

use serde_json::{Value, json};

use crate::serve::Served;

/// Each request that was answered has its ticket, and no player has two tickets or is in two matches.
fn nothing_is_lost(served: &Served, asked: &[(u64, Option<String>)]) {
    let (mut of_player, mut after) = (std::collections::BTreeMap::new(), String::new());
    loop {
        let (_, page) = served.call("GET", &format!("/v1/tickets?limit=1000{after}"), &Value::Null);
        let page = page.as_array().unwrap();
        for ticket in page {
            let player = ticket["players"][0].as_str().unwrap().to_owned();
            let twice = of_player.insert(player, ticket["id"].clone());
            assert_eq!(twice, None, "a ticket twice: {ticket}");
        }
        match page.last() {
            Some(last) => after = format!("&after={}", last["id"].as_str().unwrap()),
            None => break,
        }
    }
    let answered: Vec<_> = asked
        .iter()
        .filter_map(|(number, id)| Some((number, id.as_ref()?)))
        .collect();
    for (number, id) in &answered {
        assert_eq!(
            of_player[&format!("p{number}")],
            json!(id),
            "request {number} was answered and is lost"
        );
    }
    let (_, matches) = served.call("GET", "/v1/matches?limit=1000", &Value::Null);
    let mut players = std::collections::BTreeSet::new();
    for player in matches
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|found| found["teams"].as_array().unwrap())
    {
        assert!(players.insert(player.to_string()), "{player} is in two matches");
    }
}

/// Kills a service under load again and again, at random moments: what it answered is there, and what is sent again is not there twice.
fn killed(times: u64) {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (next, mut draw) = (AtomicU64::new(0), 7_u64);
    // A request, and the ticket that it got; none if the answer was lost.
    let asked: Mutex<Vec<(u64, Option<String>)>> = Mutex::default();
    let create = |served: &Served, number: u64| {
        let body = json!({ "players": [format!("p{number}")], "request_id": number.to_string() });
        let (status, ticket) = served.try_call("POST", "/v1/tickets", &body)?;
        assert!(status == 200 || status == 201, "{ticket}");
        let id = ticket["id"].as_str().unwrap().to_owned();
        // Every other match has a result.
        if let Some(found) = ticket["match"].as_str().filter(|_| number.is_multiple_of(2)) {
            served.try_call(
                "POST",
                &format!("/v1/matches/{found}/result"),
                &json!({ "places": [1, 2] }),
            )?;
        }
        Some(id)
    };
    for _ in 0..times {
        let served = Served::start(&data, &[]);
        let lost: Vec<u64> = asked
            .lock()
            .unwrap()
            .iter()
            .filter(|one| one.1.is_none())
            .map(|one| one.0)
            .collect();
        for number in lost {
            let id = create(&served, number);
            asked
                .lock()
                .unwrap()
                .iter_mut()
                .filter(|one| one.0 == number)
                .for_each(|one| one.1.clone_from(&id));
        }
        draw = draw
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let wait = Duration::from_micros((draw >> 33) % 200_000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let got = create(&served, number);
                        let is_over = got.is_none();
                        asked.lock().unwrap().push((number, got));
                        if is_over {
                            return;
                        }
                    }
                });
            }
            std::thread::sleep(wait);
            served.signal("-KILL");
        });
        drop(served);
    }
    let served = Served::start(&data, &[]);
    nothing_is_lost(&served, &asked.into_inner().unwrap());
    served.end("-TERM");
}

#[test]
fn what_was_answered_outlives_a_kill() {
    killed(5);
}

/// The same at 500 moments.
#[test]
#[ignore = "minutes: run by `cargo xtask test --deep`"]
fn what_was_answered_outlives_five_hundred_kills() {
    killed(500);
}
