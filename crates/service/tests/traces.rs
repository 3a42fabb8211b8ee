//! Spans of calls, as a collector gets them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::channel;
use std::time::Duration;

use axum::body::Body;
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, Traces, router};
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;

use crate::handle::{DUEL, open};
use crate::http::Client;

/// The value of an attribute.
fn attribute<'v>(span: &'v Value, key: &str) -> &'v Value {
    let all = span["attributes"].as_array().unwrap();
    let found = all.iter().find(|one| one["key"] == key);
    found.map_or(&Value::Null, |one| &one["value"])
}

#[test]
fn a_call_is_a_span_of_the_callers_trace_and_tells_nothing_of_players() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = format!("http://{}/", listener.local_addr().unwrap());
    let (sender, sent) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut line, mut head) = (String::new(), String::new());
            while stream.read_line(&mut line).unwrap() > 2 {
                head.push_str(&line.to_ascii_lowercase());
                line.clear();
            }
            let length = head.split_once("content-length: ").unwrap().1;
            let length = length.split_once('\r').unwrap().0.parse().unwrap();
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
            let line = head.lines().next().unwrap().to_owned();
            sender.send((line, String::from_utf8(body).unwrap())).unwrap();
        }
    });
    let traces = Traces::to(&collector).unwrap();
    let subscriber = tracing_subscriber::registry().with(traces.layer());
    let client = Client(router(open(&Memory::default(), DUEL), HttpSettings::default()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
    tracing::subscriber::with_default(subscriber, || {
        runtime.block_on(async {
            let header = format!("00-{trace}-{parent}-01");
            let path = "/v1/players/secret-name";
            client
                .send("GET", path, Body::empty(), &[("traceparent", &header)])
                .await;
            client.call("POST", "/v1/tickets", json!({ "players": [] })).await;
        });
    });
    traces.end();
    let (line, body) = sent.recv_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(line, "post /v1/traces http/1.1");
    assert!(!body.contains("secret-name"), "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"]
        .as_array()
        .unwrap();
    let [player, refused] = &spans[..] else {
        panic!("{body}")
    };
    assert_eq!(player["name"], "GET /v1/players/{id}", "{player}");
    assert_eq!([&player["traceId"], &player["parentSpanId"]], [trace, parent]);
    assert_eq!(attribute(player, "http.response.status_code")["intValue"], "200");
    assert_eq!(attribute(player, "error.type"), &Value::Null);
    assert_eq!(attribute(refused, "error.type")["stringValue"], "no-players");
    assert_ne!(refused["traceId"], trace);
}

#[test]
fn what_is_no_address_of_a_collector_is_refused() {
    for nonsense in [
        "",
        "localhost:4318",
        "ftp://localhost",
        "http://",
        "http://a b",
        "http://a?b=c",
        "/v1",
    ] {
        let refused = Traces::to(nonsense).unwrap_err().to_string();
        assert!(
            refused.contains("such as http://localhost:4318"),
            "{nonsense} {refused}"
        );
    }
    assert!(Traces::to("https://collector.example/otel/").is_ok());
}
