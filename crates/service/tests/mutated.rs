//! Files, policies and calls that were changed at random: refused or understood, and nothing else.

use matchwright_queue::live::{FileName, Memory, Options, Storage};
use matchwright_service::{MatchResult, NewBackfill, Service, Settings, policies, verify};

use crate::dice::Dice;
use crate::handle::{DUEL, key, ticket};

/// A few changes of some bytes: others, new ones, words that mean something, a piece that is gone or there twice.
pub(crate) fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const WORDS: [&[u8]; 24] = [
        b"null",
        b"-1",
        b"0",
        b"1e999",
        b"18446744073709551616",
        b"{",
        b"}",
        b"[",
        b"[[[[[[[[[[[[",
        b"\"",
        b"\\ud800",
        b"\\u0000",
        b"\xff",
        b"\xc3",
        b"true",
        b",",
        b":",
        b"NaN",
        b"[queue]\n",
        b"=",
        b"\"\"\"",
        b"%00",
        b"..",
        b"\xef\xbb\xbf",
    ];
    for _ in 0..=dice.below(3) {
        let begin = dice.place(bytes.len() + 1);
        match dice.below(6) {
            0 | 1 => {
                if let Some(byte) = bytes.get_mut(begin) {
                    *byte = u8::try_from(dice.below(256)).unwrap();
                }
            }
            2 => {
                let word = WORDS[dice.place(WORDS.len())];
                bytes.splice(begin..begin, word.iter().copied());
            }
            3 => bytes.truncate(begin),
            4 => {
                let end = (begin + dice.place(17)).min(bytes.len());
                bytes.drain(begin..end);
            }
            _ => {
                let end = (begin + dice.place(65)).min(bytes.len());
                bytes.extend_from_within(begin..end);
            }
        }
    }
}

/// A service of which everything is there: tickets, a party, a match that is played, one with a result.
fn furnished(service: &Service) -> [String; 3] {
    service.create(None, ticket(&["ann"])).wait().unwrap();
    let bob = service.create(Some(key("1")), ticket(&["bob"])).wait().unwrap();
    let over = service.match_of(&bob.ticket.id).wait().unwrap().id;
    service
        .report(&over, MatchResult::of_places([1, 2]))
        .wait()
        .unwrap();
    service.create(None, ticket(&["cyd"])).wait().unwrap();
    let dot = service.create(None, ticket(&["dot"])).wait().unwrap().ticket;
    let played = service.match_of(&dot.id).wait().unwrap().id;
    service.assign(&played, "eu1:7777").wait().unwrap();
    service.started(&played).wait().unwrap();
    let left = NewBackfill {
        left: vec!["cyd".to_owned()],
        ..NewBackfill::default()
    };
    service.backfill(&played, left).wait().unwrap();
    service.end_backfill(&played).wait().unwrap();
    let mut party = ticket(&["eve"]);
    party.joining = vec!["fay".to_owned()];
    let party = service.create(Some(key("2")), party).wait().unwrap().ticket.id;
    [played, over, party]
}

fn files(inputs: u64) {
    let device = Memory::default();
    let settings = Settings {
        queue: Options {
            segment_bytes: 4096,
            ..Options::default()
        },
        ..Settings::default()
    };
    let service = Service::open(
        {
            let device = device.clone();
            move || Ok(device.clone())
        },
        DUEL,
        settings,
    )
    .unwrap();
    furnished(&service);
    service.save().unwrap();
    service.create(None, ticket(&["gus"])).wait().unwrap();
    service.close();
    let mut whole = device.crashed();
    let names: Vec<FileName> = whole.list().unwrap().into_iter().map(|(name, _)| name).collect();
    let all = verify(&mut whole, &policies()).unwrap();
    let (mut dice, mut damaged) = (Dice(1), 0);
    for _ in 0..inputs {
        let mut copy = device.crashed();
        let name = names[dice.place(names.len())];
        copy.change(name, |bytes| {
            // The zeros behind what was written are no input.
            let written = bytes
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |last| last + 1);
            let mut input = bytes[..written].to_vec();
            mutate(&mut input, &mut dice);
            input.resize(bytes.len().max(input.len()), 0);
            *bytes = input;
        });
        match verify(&mut copy, &policies()) {
            Ok(contents) => assert!(contents.step <= all.step, "{contents:?}"),
            Err(_) => damaged += 1,
        }
    }
    assert!(damaged > inputs / 4, "{damaged}");
}

fn documents(inputs: u64) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/policies");
    let mut examples: Vec<Vec<u8>> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .collect();
    examples.sort();
    let (load, mut dice, mut taken) = (policies(), Dice(2), 0);
    for _ in 0..inputs {
        let mut text = examples[dice.place(examples.len())].clone();
        mutate(&mut text, &mut dice);
        if let Ok(text) = String::from_utf8(text) {
            taken += u64::from(load(&text).is_ok());
        }
    }
    assert!((inputs / 100..inputs).contains(&taken), "{taken}");
}

/// Calls that are good, of these two matches and this party.
#[cfg(feature = "http")]
fn good_calls(played: &str, over: &str, party: &str) -> Vec<(&'static str, String, &'static str)> {
    let place = r#"{"places":[1,2]}"#;
    let new = r#"{"request_id":"7","players":[{"id":"ann","attributes":{"rating":1500,"mode":["a","b"],"ping":{"eu":3}}}],"joining":["bob"],
        "queues":[""],"regions":{"eu":20.5},"attributes":{"map":"dust"},"expires_in":1000,"heartbeat_within":1000}"#;
    vec![
        ("POST", "/v1/tickets".to_owned(), new),
        ("POST", "/v1/tickets".to_owned(), r#"{"players":["ann"]}"#),
        ("GET", "/v1/tickets?state=waiting&after=t1&limit=3".to_owned(), ""),
        ("GET", format!("/v1/tickets/{party}?wait=1&version=3"), ""),
        ("PATCH", format!("/v1/tickets/{party}"), r#"{"players":["eve"]}"#),
        ("DELETE", format!("/v1/tickets/{party}"), ""),
        (
            "POST",
            format!("/v1/tickets/{party}/join"),
            r#"{"player":"fay","attributes":{"rating":1}}"#,
        ),
        ("GET", format!("/v1/tickets/{party}/why"), ""),
        (
            "POST",
            "/v1/proposals/p1/accept".to_owned(),
            r#"{"player":"fay"}"#,
        ),
        ("GET", "/v1/players/ann".to_owned(), ""),
        ("GET", "/v1/players/ann/ticket".to_owned(), ""),
        ("GET", "/v1/matches?state=ended&limit=2".to_owned(), ""),
        ("GET", format!("/v1/matches/{over}"), ""),
        (
            "POST",
            format!("/v1/matches/{played}/assign"),
            r#"{"connection":"eu1:7"}"#,
        ),
        ("POST", format!("/v1/matches/{played}/started"), ""),
        (
            "POST",
            format!("/v1/matches/{played}/leave"),
            r#"{"player":"dot"}"#,
        ),
        (
            "POST",
            format!("/v1/matches/{played}/backfill"),
            r#"{"left":["cyd"],"players":["dot"],"expires_in":5}"#,
        ),
        ("POST", format!("/v1/matches/{over}/result"), place),
        (
            "POST",
            format!("/v1/matches/{played}/result"),
            r#"{"scores":[3,1.5],"played_at":1700000000}"#,
        ),
        ("POST", format!("/v1/matches/{over}/retract"), ""),
        ("GET", "/v1/events?after=3".to_owned(), ""),
        ("POST", "/v1/policy/check".to_owned(), DUEL),
        ("GET", "/v1/queues".to_owned(), ""),
        ("GET", "/v1/stats".to_owned(), ""),
    ]
}

#[cfg(feature = "http")]
async fn calls(inputs: u64) {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use axum::body::Body;
    use axum::http::Request;
    use matchwright_service::http::{HttpSettings, router};
    use tower::ServiceExt;

    let queue = Options {
        segment_bytes: 1 << 20,
        retain: Some(0),
        ..Options::default()
    };
    let settings = Settings {
        queue,
        ..Settings::default()
    };
    let service = crate::handle::open_with(&Memory::default(), DUEL, settings);
    let [played, over, party] = furnished(&service);
    let http = HttpSettings {
        longest_wait: Duration::ZERO,
        ..HttpSettings::default()
    };
    let router = router(service.clone(), http);
    let all = good_calls(&played, &over, &party);
    let (mut dice, mut answers) = (Dice(3), BTreeMap::<u16, u64>::new());
    for _ in 0..inputs {
        let (method, path, body) = &all[dice.place(all.len())];
        let (mut path, mut body) = (path.clone().into_bytes(), body.as_bytes().to_vec());
        if dice.below(3) == 0 {
            mutate(&mut path, &mut dice);
        } else {
            mutate(&mut body, &mut dice);
        }
        let mut request = Request::builder().method(*method).uri(path);
        if dice.below(8) == 0 {
            let mut seen = b"3".to_vec();
            mutate(&mut seen, &mut dice);
            request = request.header("last-event-id", seen);
        }
        // What is no request at all does not come as far as here.
        let Ok(request) = request.body(Body::from(body)) else {
            continue;
        };
        let shown = format!("{request:?}");
        let status = router.clone().oneshot(request).await.unwrap().status();
        assert!(!status.is_server_error(), "{status} {shown}");
        *answers.entry(status.as_u16()).or_default() += 1;
    }
    // Some are still good, and the service is as before.
    assert!(
        [200, 201, 400, 404]
            .iter()
            .all(|status| answers.contains_key(status)),
        "{answers:?}"
    );
    assert_eq!(service.stopped(), None);
    service.close();
}

#[test]
fn files_that_were_changed_are_refused_or_end_earlier() {
    files(1000);
}

#[test]
fn policies_that_were_changed_are_refused_or_taken() {
    documents(2000);
}

#[cfg(feature = "http")]
#[tokio::test]
async fn calls_that_were_changed_are_refused_or_followed() {
    calls(20_000).await;
}

#[test]
#[ignore = "an hour: run by `cargo xtask test --deep`"]
fn ten_million_files_that_were_changed() {
    files(10_000_000);
}

#[test]
#[ignore = "half an hour: run by `cargo xtask test --deep`"]
fn ten_million_policies_that_were_changed() {
    documents(10_000_000);
}

#[cfg(feature = "http")]
#[tokio::test]
#[ignore = "half an hour: run by `cargo xtask test --deep`"]
async fn ten_million_calls_that_were_changed() {
    calls(10_000_000).await;
}
